"""From a record to the fields of an entry: what the entry has a place for, and how it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from refkit import hub, identifiers
from refkit.enrich import crossref, foreign, people
from refkit.enrich.matching import describes_preprint
from refkit.values import tex

if TYPE_CHECKING:
    from refkit.enrich.records import Record
    from refkit.model import Entry, Person

#: Fields that hold the same fact under several names, in the order in which they are looked for.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "title": ("title",),
    "author": ("author",),
    "editor": ("editor",),
    "date": ("date", "year"),
    "journal": ("journaltitle", "journal"),
    "booktitle": ("booktitle",),
    "volume": ("volume",),
    "number": ("number", "issue"),
    "pages": ("pages", "eid"),
    "publisher": ("publisher", "institution", "organization", "school", "howpublished"),
    "isbn": ("isbn",),
    "version": ("version",),
    "doi": ("doi",),
    "eprint": ("eprint",),
    "eprinttype": ("eprinttype", "archiveprefix"),
    "primaryclass": ("primaryclass", "eprintclass"),
}

#: Facts that an entry of a type has a place for, beside title, author and date.
_PLACES: Mapping[str, tuple[str, ...]] = {
    "article": ("journal", "volume", "number", "pages"),
    "paper": ("booktitle", "volume", "pages", "publisher", "isbn"),
    "chapter": ("booktitle", "editor", "volume", "pages", "publisher", "isbn"),
    "book": ("editor", "publisher", "isbn"),
    "thesis": ("publisher",),
    "report": ("publisher",),
    "standard": ("publisher",),
    "software": ("publisher", "version"),
    "dataset": ("publisher", "version"),
    "misc": ("publisher", "version"),
}
#: Types of record whose container is a journal or a book: what is in a journal has no ``booktitle``.
_IN_JOURNALS = frozenset("journal-article article-journal article journal-issue journalarticle".split())
_IN_BOOKS = frozenset(
    "proceedings-article paper-conference conferencepaper chapter book-chapter book-section book-part".split()
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_BIBLATEX_TYPES = frozenset("online software dataset report thesis collection mvbook".split())


class Value(NamedTuple):
    """A fact as it would stand in an entry: one field, or two for a date of BibTeX."""

    #: Field -> BibTeX value without delimiters.
    fields: Mapping[str, str]
    #: The fact as plain text, for comparing and for provenance.
    text: str
    #: Fields whose value is a macro and stands without braces.
    bare: frozenset[str] = frozenset()


class Flavour(NamedTuple):
    """How a file writes what BibTeX and BibLaTeX write differently."""

    #: ``date`` rather than ``year`` and ``month``.
    date: bool = False
    journal: str = "journal"
    #: The fields that say that the eprint is of arXiv's.
    archive: tuple[str, ...] = ("archiveprefix",)
    primaryclass: str = "primaryclass"
    #: The organisation behind a report or a thesis: ``institution`` rather than BibTeX's ``school``.
    biblatex: bool = False


def flavour(entries: Iterable[Entry]) -> Flavour:
    """The flavour of a file, by what most of its entries do; BibTeX's where they say nothing."""
    count: Counter[str] = Counter()
    for entry in entries:
        count.update(entry.fields.keys() - entry.inherited.keys())
        count["type"] += entry.type in _BIBLATEX_TYPES
        count["eprints"] += "eprint" in entry.fields
    biblatex = count["date"] > count["year"] or (not count["date"] + count["year"] and count["type"] > 0)
    usual = [name for name in ("eprinttype", "archiveprefix") if 2 * count[name] > count["eprints"] > 0]
    return Flavour(
        date=biblatex,
        journal="journaltitle" if count["journaltitle"] > count["journal"] else "journal",
        archive=tuple(usual) or (("eprinttype",) if biblatex else ("archiveprefix",)),
        primaryclass="eprintclass" if count["eprintclass"] > count["primaryclass"] else "primaryclass",
        biblatex=biblatex,
    )


def values(entry: Entry, record: Record, style: Flavour) -> dict[str, Value]:
    """The facts of a record that the entry has a place for, under the names of ``SYNONYMS``.

    Never an abstract, never a type. A record of the preprint says nothing of where and when the work was
    published, and the other way round: then only identifiers are taken.
    """
    found: dict[str, Value] = {}
    preprint = describes_preprint(entry)
    if record.service == "arxiv":
        found.update(_arxiv(entry, record, style))
    elif preprint and entry.arxiv:
        return found
    kind = hub.classify(entry.type, entry.text("entrysubtype"))[0]
    if record.service == "arxiv" and kind in ("software", "dataset", "documentation"):
        return found  # the paper about a software is another work
    if record.title:
        found["title"] = _text(
            "title", tex.protect(foreign.to_tex(record.title)), foreign.plain(record.title)
        )
    if record.authors:
        found["author"] = _text("author", people.to_bibtex(record.authors), listed(record.authors))
    if record.date and (record.service != "arxiv" or preprint):
        found["date"] = _date(entry, record, style)
    if record.service != "arxiv":
        found.update(_publication(entry, record, style, kind))
    return found


def listed(names: Iterable[Person]) -> str:
    """People in one line of plain text, as provenance keeps them."""
    return "; ".join(
        person.literal
        or ", ".join(filter(None, (f"{person.prefix} {person.family}".strip(), person.suffix, person.given)))
        for person in names
    )


def _text(field: str, value: str, text: str) -> Value:
    return Value({field: value}, text)


def _plain(field: str, text: str) -> Value:
    text = tex.clean(text)
    return Value({field: tex.encode(text)}, text)


def _date(entry: Entry, record: Record, style: Flavour) -> Value:
    date = record.date
    assert date is not None  # noqa: S101 - the caller has looked
    if "date" in entry or (style.date and "year" not in entry):
        return Value({"date": date.iso}, date.iso)
    month = date.month
    if month is None:
        return Value({"year": str(date.year)}, date.iso)
    return Value({"year": str(date.year), "month": _MONTHS[month - 1]}, date.iso, frozenset(("month",)))


def _arxiv(entry: Entry, record: Record, style: Flavour) -> dict[str, Value]:
    written = identifiers.arxiv_id_of(entry.fields)
    id = str(written) if written and not entry.get("eprint") else record.id
    found = {"eprint": Value({"eprint": id}, id)}
    found["eprinttype"] = Value(
        {name: "arXiv" if name == "archiveprefix" else "arxiv" for name in style.archive}, "arXiv"
    )
    if record.arxiv_class:
        found["primaryclass"] = _plain(style.primaryclass, record.arxiv_class)
    kind = hub.classify(entry.type, entry.text("entrysubtype"))[0]
    if record.published_dois and kind not in ("software", "dataset"):
        found["doi"] = _doi(record.published_dois[0])
    return found


def _doi(doi: str) -> Value:
    """A DOI may hold what TeX and BibTeX choke on; braces that do not pair up are percent-encoded."""
    from refkit.bibtex.edit import brace_problem

    return Value({"doi": identifiers.doi_path(doi) if brace_problem(doi) else doi}, doi)


def _publication(entry: Entry, record: Record, style: Flavour, kind: str) -> dict[str, Value]:
    places = _PLACES.get(kind, ())
    found: dict[str, Value] = {}
    container = _container(places, record)
    if container:
        name = style.journal if container == "journal" else container
        found[container] = _text(name, foreign.to_tex(record.container), foreign.plain(record.container))
    for fact, text in (("volume", record.volume), ("number", record.number), ("version", record.version)):
        if fact in places and text:
            found[fact] = _plain(fact, text)
    if "pages" in places and record.pages:
        found["pages"] = _pages(record.pages)
    if "publisher" in places and record.publisher:
        name = _publisher_field(entry.type, style)
        found["publisher"] = _text(name, foreign.to_tex(record.publisher), foreign.plain(record.publisher))
    if "editor" in places and record.editors:
        found["editor"] = _text("editor", people.to_bibtex(record.editors), listed(record.editors))
    if "isbn" in places and record.isbn:
        found["isbn"] = _plain("isbn", record.isbn[0])
    return found


def _container(places: tuple[str, ...], record: Record) -> str:
    """``journal`` or ``booktitle``, if the entry has a place for it and the record is of something in one."""
    if not record.container:
        return ""
    if "journal" in places and record.type not in _IN_BOOKS:
        return "journal"
    if "booktitle" in places and record.type not in _IN_JOURNALS:
        return "booktitle"
    return ""


def _publisher_field(type: str, style: Flavour) -> str:
    if type in ("thesis", "phdthesis", "mastersthesis"):
        return "institution" if style.biblatex else "school"
    if type in ("report", "techreport"):
        return "institution"
    if type in ("online", "software", "manual") and style.biblatex:
        return "organization"
    return "publisher"


def _pages(text: str) -> Value:
    """A range with an en dash in TeX's spelling; numbers of articles and other texts as they are."""
    text = tex.clean(text)
    first, sign, last = text.replace("–", "-").replace("—", "-").partition("-")
    simple = sign and first.strip().isalnum() and last.strip().isalnum()
    return Value({"pages": f"{first.strip()}--{last.strip()}" if simple else tex.encode(text)}, text)


def order_is_trusted(record: Record) -> bool:
    """Whether the order of the record's authors is that of the work."""
    return record.service == "arxiv" or crossref.order_is_trusted(identifiers.doi_key(record.id))
