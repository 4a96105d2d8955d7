"""Makes the entry and its provenance of what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from refkit import identifiers, provenance
from refkit.bibtex.layout import FIELD_ORDER
from refkit.enrich import foreign, keys, merge
from refkit.enrich.add.model import AddError, Draft, Found, Request
from refkit.enrich.values import Flavour, flavour
from refkit.model import Diagnostic, Entry

if TYPE_CHECKING:
    from refkit.enrich.records import Record
    from refkit.project import Project

#: The service's type -> entry type and subtype, as this project's files are written.
_TYPES: Mapping[str, tuple[str, str]] = {
    "preprint": ("misc", "preprint"),
    "posted-content": ("misc", "preprint"),
    "journal-article": ("article", ""),
    "article-journal": ("article", ""),
    "journalarticle": ("article", ""),
    "proceedings-article": ("inproceedings", ""),
    "paper-conference": ("inproceedings", ""),
    "conferencepaper": ("inproceedings", ""),
    "book-chapter": ("incollection", ""),
    "book-section": ("incollection", ""),
    "chapter": ("incollection", ""),
    "bookchapter": ("incollection", ""),
    "book": ("book", ""),
    "monograph": ("book", ""),
    "reference-book": ("book", ""),
    "edited-book": ("collection", ""),
    "proceedings": ("proceedings", ""),
    "report": ("report", ""),
    "report-component": ("report", ""),
    "standard": ("report", "standard"),
    "dissertation": ("thesis", ""),
    "thesis": ("thesis", ""),
    "software": ("software", ""),
    "computationalnotebook": ("software", ""),
    "dataset": ("software", "dataset"),
    "documentation": ("online", "documentation"),
    "blog": ("online", "blog"),
    "webpage": ("online", ""),
}


def style_of(project: Project) -> Flavour:
    """How the project's files write things."""
    return flavour(project.bibliography.entries)


def draft(found: Found, style: Flavour, key: str, taken: Callable[[str], bool], today: str) -> Draft:
    """The entry for what was found.

    Raises:
        AddError: nothing was found, or it is no work; the message says what the services said.
    """
    records = found.records
    if not records:
        raise AddError("; ".join(f"{found.request.text}: {answer.message}" for answer in found.answers))
    main = next((record for record in records if record.service != "arxiv"), records[0])
    if main.is_component:
        raise AddError(
            f"{found.request.text}: the DOI names a component (a figure or another part), not a work"
        )
    type, subtype = _TYPES.get(main.type.lower(), ("misc", ""))
    fields = _own_fields(main)
    gained: dict[str, Any] = {}
    diagnostics: list[Diagnostic] = []
    bare: set[str] = set()
    # The publication's record first, while the entry names no preprint; then arXiv's.
    for record in sorted(records, key=lambda record: record.service == "arxiv"):
        entry = Entry(key, type, fields | ({"entrysubtype": subtype} if subtype else {}))
        answer = next(answer for answer in found.answers if answer.record is record)
        merged = merge.merge(entry, [answer], style, provenance.Work())
        for change in merged.changes:
            fields.setdefault(change.field, change.new)
            bare |= {change.field} if change.bare else set()
        _join(gained, merged.provenance)
        diagnostics += [one for one in merged.diagnostics if one.code not in ("incomplete", "published")]
    _finish(fields, main, records, found.request, subtype, today)
    entry = Entry(key, type, _ordered(fields))
    if not key:
        entry = Entry(keys.propose(entry, taken), type, entry.fields)
    missing = tuple(
        word
        for word, names in _NEEDED.items()
        if not entry.get(*names) and not (word == "author" and entry.get("editor"))
    )
    work = _provenance(gained, records, missing, today)
    told = tuple(one._replace(key=entry.key) for one in diagnostics)
    return Draft(entry, frozenset(bare), work, told, missing)


_NEEDED = {"title": ("title",), "author": ("author",), "date": ("date", "year")}


def _own_fields(main: Record) -> dict[str, str]:
    """The DOI that the record is of."""
    doi = "" if main.service in ("arxiv", "page") else identifiers.doi(main.id) or ""
    if main.service == "page" and main.type in ("software", "dataset"):
        doi = next(iter(main.published_dois), "")
    return {"doi": doi.lower()} if doi else {}


def _finish(
    fields: dict[str, str], main: Record, records: Sequence[Record], one: Request, subtype: str, today: str
) -> None:
    """What is not a record's to say: short title, address, the day on which it was seen."""
    from refkit.values import tex

    if subtype:
        fields["entrysubtype"] = subtype
    if main.service == "page":
        site, publisher = (tex.encode(foreign.plain(text)) for text in (main.container, main.publisher))
        if site and site != fields.get("title"):
            fields.setdefault("titleaddon", site)
        if publisher:
            fields.setdefault("organization", publisher)
    head, colon, _ = tex.decode(fields.get("title", "")).partition(":")
    if colon and 0 < len(head.split()) <= 4:
        fields["shorttitle"] = tex.encode(head)
    arxiv = next((record for record in records if record.service == "arxiv"), None)
    url = identifiers.arxiv(arxiv.id) if arxiv else None
    address = (
        url.url
        if url
        else main.url or (one.text if identifiers.url(one.text) and one.scheme == "doi" else "")
    )
    if address and not identifiers.doi(address):
        fields["url"] = identifiers.url(address) or address
        fields["urldate"] = today


def _ordered(fields: Mapping[str, str]) -> dict[str, str]:
    order = {name: number for number, name in enumerate(FIELD_ORDER)}
    return dict(sorted(fields.items(), key=lambda item: order.get(item[0], len(order))))


def _join(gained: dict[str, Any], more: Mapping[str, Any]) -> None:
    for field, record in more.get("fields", {}).items():
        gained.setdefault("fields", {}).setdefault(field, record)
    status = more.get("status")
    if status and "status" in gained:
        gained["status"]["sources"] = sorted({*gained["status"]["sources"], *status["sources"]})
    elif status:
        gained["status"] = dict(status)


def _provenance(
    gained: Mapping[str, Any], records: Sequence[Record], missing: Sequence[str], today: str
) -> dict[str, Any]:
    arxiv = next((record for record in records if record.service == "arxiv"), None)
    work: dict[str, Any] = {
        **gained,
        "added": today,
        "checked": {"on": today, "against": [record.source for record in records]},
    }
    if missing:
        work["unverified"] = dict.fromkeys(missing, "missing; to be filled in by hand")
    if arxiv and len(records) > 1 and arxiv.date:
        id = identifiers.arxiv(arxiv.id)
        version = {
            "what": "preprint",
            "date": arxiv.date.iso,
            "eprint": arxiv.id,
            "url": id.url if id else "",
        }
        work["versions"] = [{name: value for name, value in version.items() if value}]
    return work
