"""The same work twice: entries that share an identifier, an address, or a title and an author."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from refkit import identifiers
from refkit.check.alike import belong_together
from refkit.check.identity import arxiv, doi
from refkit.check.model import Finding, rule
from refkit.check.places import named

if TYPE_CHECKING:
    from refkit.check.columns import Column
    from refkit.check.library import Library
    from refkit.model import Entry, Severity


@rule("duplicate-doi", "error")
def duplicate_doi(library: Library) -> Iterator[Finding]:
    """Two entries have one DOI: they are one work, or one of them has another work's. Known to JabRef,
    biblint.
    """
    yield from _same(
        library.column("doi"),
        lambda _, value: value.lower() if doi.is_plain(value) else identifiers.doi_key(value),
        "the DOI",
    )


@rule("duplicate-eprint", "error")
def duplicate_eprint(library: Library) -> Iterator[Finding]:
    """Two entries have one arXiv identifier: they are one work, or one of them has another work's."""

    def key_of(entry: Entry, value: str) -> str:
        if not arxiv.is_arxiv(entry):
            return ""
        if arxiv.NEW_ID.match(value):
            return value
        found = identifiers.arxiv(value)
        return found.id if found else ""

    yield from _same(library.column("eprint"), key_of, "the arXiv identifier")


@rule("duplicate-url", "warning")
def duplicate_url(library: Library) -> Iterator[Finding]:
    """Two entries have one address. Scheme, ``www.``, case and a final slash do not count; fragments do.
    Known to papis.
    """
    yield from _same(
        library.column("url"),
        lambda _, value: _URL_START.sub("", value.lower()).rstrip("/"),
        "the address",
    )


_URL_START = re.compile(r"https?://(?:www\.)?")


def _same(column: Column, key_of: Callable[[Entry, str], str], what: str) -> Iterator[Finding]:
    groups: dict[str, list[Entry]] = {}
    for entry, value in column:
        key = key_of(entry, value)
        if key:
            groups.setdefault(key, []).append(entry)
    for key, entries in groups.items():
        for at, entry in enumerate(entries) if len(entries) > 1 else ():
            other = entries[0] if at else entries[1]
            if other.key != entry.key and not belong_together(entry, other):
                # An address that many have is that of an issue or of a site.
                less: Severity | None = "info" if column.name == "url" and len(entries) > 3 else None
                yield Finding(
                    f"{what} {key} stands in {named(other)} too: one of them is wrong, or they are one work",
                    entry,
                    column.name,
                    entry.fields[column.name],
                    severity=less,
                )


@rule("duplicate-work", "warning")
def duplicate_work(library: Library) -> Iterator[Finding]:
    """Two entries have the same first author and nearly the same title.

    Case, accents, TeX and punctuation do not count. Chapters of one name in different works (``titleaddon``,
    ``booktitle``, ``volume``, ``edition``, ``number`` differ) are not the same. Known to JabRef, biblint,
    papis.
    """
    for one, other in library.near_titles:
        if not _contained(one, other) and not _contained(other, one):
            yield Finding(
                f"nearly the title and first author of {named(one)}: merge the entries if they are one work",
                other,
                "title",
            )


@rule("contained-entry", "warning")
def contained_entry(library: Library) -> Iterator[Finding]:
    """All that an entry says stands in another entry too. Known to biblint.

    There is no fix: which key is cited only you know.
    """
    for one, other in library.near_titles:
        for inner, outer in ((one, other), (other, one)):
            if _contained(inner, outer):
                yield Finding(f"all of this entry stands in {named(outer)}: keep one of them", inner)
                break


def _contained(inner: Entry, outer: Entry) -> bool:
    return all(outer.fields.get(name) == value for name, value in inner.fields.items())
