"""What is known about where the facts of each work come from: ``provenance.json``.

The file is committed beside the .bib files, keys sorted, one value a line, so that a diff reads well.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

#: The version of the file's shape that this code reads and writes.
VERSION = 1

#: The kinds of related addresses, in the order in which pages show them.
RELATED_KINDS = (
    "paper",
    "proceedings",
    "code",
    "docs",
    "slides",
    "video",
    "post",
    "dataset",
    "other version",
    "moved to",
)


class ProvenanceError(ValueError):
    """The file cannot be read: says which file, where and why."""


class Link(NamedTuple):
    """A related address of a work."""

    kind: str
    url: str
    label: str = ""
    #: False where nobody has seen the address answer.
    verified: bool = True


class Version(NamedTuple):
    """Another version of a work: a preprint, the published paper, an earlier title."""

    what: str
    title: str = ""
    author: tuple[str, ...] = ()
    date: str = ""
    url: str = ""
    doi: str = ""
    eprint: str = ""
    remark: str = ""


class Work(NamedTuple):
    """Provenance of one work."""

    added: str = ""
    checked_on: str = ""
    checked_against: tuple[str, ...] = ()
    #: Field -> digest of its value as it was checked (see ``refkit.check.seal``).
    checked_facts: Mapping[str, str] = {}
    #: Field -> what about it is not verified.
    unverified: Mapping[str, str] = {}
    related: tuple[Link, ...] = ()
    versions: tuple[Version, ...] = ()
    #: How the authors ask to be cited: BibTeX type and fields (plain text), empty where they do not ask.
    cite_as: Mapping[str, Any] = {}
    no_date: bool = False
    remarks: tuple[str, ...] = ()
    #: Field -> {"source", "date", "value", "lost": [{"value", "source", "date"}]} as enrichment records it:
    #: the BibTeX value that was written, and the plain texts of those that were not.
    fields: Mapping[str, Mapping[str, Any]] = {}
    #: What services said of the work's life: {"state", "on", "sources": [...], "notices": [...]}; the state
    #: is ``no notice``, ``corrected``, ``retracted`` or ``withdrawn``. Empty: nobody was asked.
    status: Mapping[str, Any] = {}


def load(path: Path) -> dict[str, Any]:
    """The file's content as plain data, ``{"version": 1, "works": {}}`` where there is no file.

    Raises:
        ProvenanceError: no JSON, or of a shape or version that this code does not know.
    """
    import json

    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {"version": VERSION, "works": {}}
    except (OSError, UnicodeDecodeError) as error:
        raise ProvenanceError(f"{path}: cannot be read: {error}") from error
    try:
        data = json.loads(text)
    except ValueError as error:
        raise ProvenanceError(f"{path}: is not JSON: {error}; restore it from version control") from error
    if not isinstance(data, dict) or not isinstance(data.get("works"), dict):
        raise ProvenanceError(f'{path}: has no member "works"; restore it from version control')
    if data.get("version") != VERSION:
        raise ProvenanceError(
            f"{path}: is of version {data.get('version')!r}, this refkit reads version {VERSION}"
        )
    return data


def dumps(data: Mapping[str, Any]) -> str:
    """The canonical text of the file: sorted, one value a line, UTF-8, a final line feed."""
    import json

    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def work(data: Mapping[str, Any], key: str) -> Work:
    """What the file says of one work; an empty record for a work it does not name."""
    raw = data.get("works", {}).get(key) or {}
    checked = raw.get("checked") or {}
    return Work(
        added=raw.get("added", ""),
        checked_on=checked.get("on", ""),
        checked_against=tuple(checked.get("against", ())),
        checked_facts=checked.get("facts", {}),
        unverified=raw.get("unverified", {}),
        related=tuple(
            Link(link.get("kind", ""), link.get("url", ""), link.get("label", ""), link.get("verified", True))
            for link in raw.get("related", ())
        ),
        versions=tuple(_version(version) for version in raw.get("versions", ())),
        cite_as=raw.get("cite-as", {}),
        no_date=bool(raw.get("no-date")),
        remarks=tuple(raw.get("remarks", ())),
        fields=raw.get("fields", {}),
        status=raw.get("status", {}),
    )


def _version(raw: Mapping[str, Any]) -> Version:
    known = {name: raw[name] for name in Version._fields if name in raw}
    if "author" in known:
        known["author"] = tuple(known["author"])
    return Version(**known)
