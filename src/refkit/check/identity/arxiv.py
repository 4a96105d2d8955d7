"""arXiv identifiers: valid, bare, whole, and with a class that arXiv has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit import identifiers
from refkit.check import vocabulary
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry

#: An identifier of the present form, bare: year, month, number.
NEW_ID = re.compile(r"(\d\d)(0[1-9]|1[0-2])\.(\d{4,5})\Z")


def is_arxiv(entry: Entry) -> bool:
    """Whether the entry's ``eprint`` is said to be arXiv's."""
    kind = entry.get("eprinttype", "archiveprefix").strip("{} ").lower()
    return kind == "arxiv"


@rule("invalid-arxiv-id", "error", fixable=True)
def invalid_arxiv_id(library: Library) -> Iterator[Finding]:
    """An arXiv identifier that cannot be one, that is not bare, or that lies in the future.

    The month ends at 12; numbers have four digits until the end of 2014 and five since. Identifiers before
    April 2007 name an archive (``hep-th/9901001``). A prefix or an address is taken off; a version belongs to
    ``version``, where a preprint has one, and is a warning. Known to bibcop, JabRef.
    """
    for entry, value in library.column("eprint"):
        if not is_arxiv(entry):
            continue
        found = NEW_ID.match(value)
        if found:
            problem = _problem_of_id(found, library)
            if problem:
                yield Finding(f"arXiv has no {value!r}: {problem}", entry, "eprint", value)
            continue
        known = identifiers.arxiv(value)
        if known is None:
            yield Finding(
                f"{value!r} is not an arXiv identifier: expected YYMM.NNNNN", entry, "eprint", value
            )
        elif known.id != value:
            yield _not_bare(entry, value, known)


def _problem_of_id(found: re.Match[str], library: Library) -> str:
    year, month, number = 2000 + int(found[1]), int(found[2]), found[3]
    if (year, month) < (2007, 4):
        return "identifiers of this form begin in April 2007"
    if len(number) != (5 if year >= 2015 else 4):
        return f"numbers of {year} have {5 if year >= 2015 else 4} digits"
    if int(number) == 0:
        return "numbers begin at 1"
    if (year, month) > (library.today.year, library.today.month):
        return "its month has not come yet"
    return ""


def _not_bare(entry: Entry, value: str, known: identifiers.ArxivId) -> Finding:
    fix: dict[str, str | None] = {"eprint": known.id}
    if known.version is None:
        return Finding(f"the arXiv identifier is not bare: write {known.id}", entry, "eprint", value, fix)
    if "version" not in entry:
        fix["version"] = str(known.version)
    message = f"the version does not belong into eprint: write {known.id}, and version = {{{known.version}}}"
    sound = entry.get("version") in ("", str(known.version))
    return Finding(message, entry, "eprint", value, fix if sound else None, "warning")


@rule("arxiv-class", "warning")
def arxiv_class(library: Library) -> Iterator[Finding]:
    """A primary class that arXiv does not have, or none beside an arXiv identifier.

    Identifiers before April 2007 carry their archive in themselves. A missing class is an information only.
    """
    known = vocabulary.arxiv_classes()
    for entry, value in library.column("eprint"):
        if not is_arxiv(entry) or not value:
            continue
        name = "eprintclass" if "eprintclass" in entry else "primaryclass"
        given = entry.get("primaryclass", "eprintclass").strip("{} ")
        if not given:
            if "/" not in value:
                yield Finding(
                    "the arXiv identifier has no primaryclass beside it: add it",
                    entry,
                    "eprint",
                    severity="info",
                )
        elif given.lower() not in known:
            yield Finding(f"arXiv has no class {given!r}: correct it", entry, name, given)


@rule("archive-without-eprint", "error")
def archive_without_eprint(library: Library) -> Iterator[Finding]:
    """``archiveprefix``, ``eprinttype`` or a class without ``eprint``: the identifier has been lost. Known to
    bibcop.
    """
    for name in ("archiveprefix", "eprinttype", "primaryclass", "eprintclass"):
        for entry, _ in library.column(name):
            if not entry.get("eprint"):
                yield Finding(f"{name} without eprint: add the identifier, or delete {name}", entry, name)
