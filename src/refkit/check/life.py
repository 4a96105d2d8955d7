"""The life of a work: visits, living pages, files beside the entry, retractions that the title tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library

_ONLINE = (
    "@online{{lee2024, author = {{Lee, Ada}}, title = {{Title}}, date = {{2024}}, url = {{{}}}{}}}".format
)


@rule("missing-urldate", "warning")
def missing_urldate(library: Library) -> Iterator[Finding]:
    """A living page (@online, @software, documentation) without the day on which it was read.

    Whether the page has drifted since is not decided: the version that was read is named by ``version`` or
    ``urldate``.
    """
    for entry in library.entries:
        if (
            entry.type in ("online", "software", "www", "electronic")
            and entry.get("url")
            and not entry.get("urldate", "note", "version")
        ):
            yield Finding("a living page without the day it was read: add urldate", entry)


@rule("latest-url", "info", default=False)
def latest_url(library: Library) -> Iterator[Finding]:
    """The address of the latest edition of a documentation, where one of a fixed version may exist."""
    for hit in library.column("url").hits(_LATEST):
        yield Finding(
            f"{hit.part!r} shows whatever is newest: link the version that was read, if it has an address",
            hit.entry,
            "url",
            hit.part,
        )


_LATEST = re.compile(r"/(?:latest|stable|main|master|current|nightly)(?=/|$)", re.MULTILINE)


@rule(
    "missing-file",
    "warning",
    bad=_ONLINE("https://example.org/", ", urldate = {2024-06-01}, file = {papers/nowhere.pdf}"),
    good={
        "bib/refs.bib": _ONLINE("https://example.org/", ", urldate = {2024-06-01}, file = {notes.txt}"),
        "bib/notes.txt": "a file",
    },
)
def missing_file(library: Library) -> Iterator[Finding]:
    """A file that the entry links and that is not there. JabRef's and Zotero's forms are read. Known to
    JabRef, papis.
    """
    for name in ("file", "pdf"):
        for entry, value in library.column(name):
            folders = [library.root] if library.root else []
            folders += [(library.root or Path()) / Path(entry.file).parent]
            for target in _targets(value):
                if not any(_is_there(folder, target) for folder in folders):
                    yield Finding(f"the file '{target}' is not there: correct the path", entry, name, target)


def _is_there(folder: Path, target: str) -> bool:
    try:
        return (folder / Path(target).expanduser()).exists()
    except (
        OSError,
        RuntimeError,
        ValueError,
    ):  # too long, no such user, a null byte: no file has such a name
        return False


def _targets(value: str) -> Iterator[str]:
    """The paths of ``a.pdf``, ``:a.pdf:PDF`` and ``Description:a.pdf:application/pdf``, several separated by
    ``;``.
    """
    for part in re.split(r"(?<!\\);", value):
        pieces = re.split(r"(?<!\\):", part.strip())
        path = (
            pieces[1]
            if len(pieces) >= 3 and not (len(pieces[0]) == 1 and pieces[1][:1] in "/\\")
            else part.strip()
        )
        path = re.sub(r"\\([:;_\\])", r"\1", path).strip()
        if path and "://" not in path:
            yield path


@rule("retracted-title", "error")
def retracted_title(library: Library) -> Iterator[Finding]:
    """The title says that the work was retracted or withdrawn, as publishers write it there.

    Retractions that the title does not tell are asked for with ``--online``. Known to Zotero.
    """
    for hit in library.column("title").hits(_RETRACTED):
        yield Finding(
            f"{hit.part!r}: the work was taken back; do not rely on it, or say why it is cited",
            hit.entry,
            "title",
            hit.part,
        )


_RETRACTED = re.compile(
    r"(?m)^[{\[(]*(?:RETRACTED|WITHDRAWN|RETRACTION)(?: ARTICLE| PAPER| NOTE)?\b[:\])]"
    r"|^[{\[(]*(?:Retracted|Withdrawn|Retraction)(?: [Aa]rticle| [Pp]aper| [Nn]ote)?\}?[:\])]"
)

RULES = (missing_urldate, latest_url, missing_file, retracted_title)
