"""Tells whether a work is there already, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refkit import identifiers, provenance
from refkit.enrich import foreign, matching, merge

if TYPE_CHECKING:
    from refkit.enrich.add.model import Found
    from refkit.enrich.records import Record
    from refkit.model import Entry
    from refkit.project import Project


def already(project: Project, found: Found) -> str:
    """Where a work is already, in a sentence; empty where it is not."""
    names = _names_of(found)
    for entry in project.bibliography.entries:
        known = merge.known_of(provenance.work(project.provenance, entry.key))
        own = {identifiers.doi_key(entry.get("doi")), entry.arxiv, _address(entry.url)} | known.ids
        if (names & own) or any(_is_entry(entry, record) for record in found.records):
            return _where(project, entry)
    return ""


def _names_of(found: Found) -> set[str]:
    """All identifiers of what was found, in the forms in which they are compared."""
    names = {_name(found.request.scheme, found.request.id)}
    for record in found.records:
        names.add(
            _name(
                "arxiv" if record.service == "arxiv" else "url" if record.service == "page" else "doi",
                record.id,
            )
        )
        names |= {_address(record.url)} if record.url else set()
        if record.service == "arxiv":
            names |= {identifiers.doi_key(doi) for doi in record.published_dois}
    return names - {""}


def _name(scheme: str, id: str) -> str:
    if scheme == "arxiv":
        found = identifiers.arxiv(id)
        return found.id if found else ""
    return identifiers.doi_key(id) if scheme == "doi" else _address(id)


def _address(url: str) -> str:
    """An address without what does not tell two pages apart: scheme, "www.", a final slash, the fragment."""
    bare = url.partition("#")[0].partition("://")[2].lower().removeprefix("www.")
    return bare.rstrip("/").removesuffix("/index.html").removesuffix(".git")


def _is_entry(entry: Entry, record: Record) -> bool:
    if (
        not record.title
        or record.is_component
        or matching.similarity(entry.text("title"), foreign.plain(record.title)) < 1
    ):
        return False
    people = matching.compare_people(entry.names("author"), record.authors)
    return people is not None and people.first


def _where(project: Project, entry: Entry) -> str:
    places = [
        f"section {section.slug!r}, position {placed.position}"
        for section, placed in project.pages.of(entry.key)
    ]
    listed = " and ".join(places) or "placed in no section"
    return f"it is there already as {entry.key!r} ({entry.file}:{entry.line}; {listed})"
