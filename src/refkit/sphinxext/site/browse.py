"""The page over all works: searched, filtered and sorted by a script, a plain list without one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sphinx.locale import _

from refkit.pages import parts_of
from refkit.sphinxext import reference, sites
from refkit.sphinxext.library import digest
from refkit.sphinxext.site import reading
from refkit.sphinxext.site.extras import File, Page
from refkit.sphinxext.site.scripts import BROWSE, FOLDER

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.hub import Item
    from refkit.model import Entry
    from refkit.pages import Section
    from refkit.sphinxext.facts import Placed
    from refkit.sphinxext.index import Index

#: What the script reads besides the texts of the site.
DATA = (f"{FOLDER}/works.js",)
#: Kinds of a work's own addresses that everybody may open and read.
_OPEN = frozenset(("arXiv", "code", "docs"))
_YEAR_AT_END = re.compile(r"[\s,]+(?:\d{4}|’\d\d|'\d\d)\Z")
_UNDATED = "undated"


def extras(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[Page | File]:
    """The page, what it searches, and what all scripts of the site need."""
    if not reading.has_sections(index):
        return
    mark = _mark(builder, index)
    yield Page(
        name=BROWSE,
        title=_("Browse all works"),
        template="refkit/browse.html",
        digest=mark,
        context=lambda: _Browse(builder, index).context(),
        scripts=("refkit-browse.js",),
        styles=("refkit-browse.css",),
        description=_("All works of the list, to search, filter and take away."),
    )
    yield File(DATA[0], mark, lambda: reading.data("works", _Browse(builder, index).data()))
    yield from reading.extras_of(builder, index, mark)


def _mark(builder: StandaloneHTMLBuilder, index: Index) -> str:
    """All that the page and the texts of works are made from."""
    collection = index.collection
    works = [(key, index.digests[key], index.works.get(key), collection.links(key)) for key in index.used]
    places = [
        (docname, section.slug, section.title, section.part, section.part_title,
         index.placements.placed.get(docname))
        for docname, section in index.sections.items()
    ]  # fmt: skip
    labels = [collection.labels[key] for key in index.used if key in collection.labels]
    settings = builder.name, sites.has_work_pages(builder), sites.has_bundles(builder)
    return digest((works, places, labels, sorted(index.aliases.items()), settings))


class Place(NamedTuple):
    """Where a work stands."""

    docname: str
    section: Section
    placed: Placed


class Work(NamedTuple):
    """A work as the page shows and searches it."""

    key: str
    #: The name at its first place.
    name: str
    #: Names at other places.
    names: list[str]
    title: str
    #: From the root of the site, or absolute; empty where the work has none.
    address: str
    byline: str
    people: str
    #: Its numbers in the registries.
    ids: str
    kind: str
    #: 0 for works without a date.
    year: int
    venue: str
    organisations: list[str]
    has_code: bool
    is_open: bool
    places: list[Place]
    #: Its annotations.
    text: str


class _Browse:
    """Everything that the page shows, in reading order."""

    def __init__(self, builder: StandaloneHTMLBuilder, index: Index) -> None:
        self._builder = builder
        self._index = index
        self._works = {work.key: work for work in self._all_works()}
        self._parts = _parts(index.pages.sections)
        self._facets = _facets(self._works.values(), index.pages.sections, self._parts)

    def _all_works(self) -> Iterator[Work]:
        entries = self._index.collection.entries
        places: dict[str, list[Place]] = {}
        for docname, section in self._index.sections.items():
            for one in self._index.placements.placed[docname]:
                if one.key in entries:
                    places.setdefault(one.key, []).append(Place(docname, section, one))
        for key in dict.fromkeys([*places, *self._index.used]):
            yield self._work(entries[key], places.get(key, []))

    def _work(self, entry: Entry, places: list[Place]) -> Work:
        item = self._index.collection.one(entry.key)
        people, venue, year_said = reference.byline(entry)
        title = item.title or entry.key
        shown = list(dict.fromkeys(place.placed.shown for place in places))
        name, *others = shown or [entry.text("shorttitle") or title]
        links = self._index.collection.links(entry.key)
        own_kinds = {address.kind for address in reference.addresses(entry)}
        return Work(
            key=entry.key,
            name=name,
            names=[one for one in others if one != title],
            title=title,
            address=self._address(entry, places),
            byline=" · ".join(part for part in (people, venue, year_said) if part),
            people=_people(entry),
            ids=" / ".join(_ids(item)),
            kind=item.kind,
            year=entry.date.year if entry.date is not None else 0,
            venue=_venue(entry, item.kind, venue),
            organisations=_organisations(entry),
            has_code="code" in own_kinds or any(link.kind == "code" for link in links),
            is_open=bool(own_kinds & _OPEN),
            places=places,
            text=" ".join(note.text for note in item.context.notes),
        )

    def _address(self, entry: Entry, places: list[Place]) -> str:
        if sites.has_work_pages(self._builder):
            return f"{self._index.works[entry.key]}.html"
        if places:
            return f"{self._builder.get_target_uri(places[0].docname)}#{places[0].placed.id}"
        return reference.home(entry)

    # the page ----------------------------------------------------------------------

    def context(self) -> Mapping[str, Any]:
        """What the template shows: the names of facets and, for readers without scripts, everything."""
        return {
            "facets": [(name, label) for name, label, _values in self._facets],
            "hits": reading.texts()["hits"].format(count=len(self._works), all=len(self._works)),
            "sections": [self._listed(docname, section) for docname, section in self._index.sections.items()],
            "others": [self._line(work) for work in self._works.values() if not work.places],
            "has_basket": sites.has_bundles(self._builder),
        }

    def _listed(self, docname: str, section: Section) -> Mapping[str, Any]:
        placed = self._index.placements.placed[docname]
        return {
            "part": section.part_title,
            "title": section.title,
            "docname": docname,
            "works": [
                self._line(self._works[one.key], one.shown) for one in placed if one.key in self._works
            ],
        }

    def _line(self, work: Work, name: str = "") -> Mapping[str, str]:
        return {"name": name or work.name, "address": work.address, "byline": work.byline}

    # what is searched ------------------------------------------------------------------

    def data(self) -> Mapping[str, Any]:
        """The works with what they are searched by; values of facets are numbers of those listed."""
        facets = self._facets
        numbers = [
            {value: number for number, (value, _label) in enumerate(values)} for _n, _l, values in facets[:-1]
        ]
        sections = {section.slug: number for number, section in enumerate(self._index.sections.values())}
        return {
            "facets": [(name, values) for name, _label, values in facets],
            "sections": [
                (self._builder.get_target_uri(docname), section.title)
                for docname, section in self._index.sections.items()
            ],
            "aliases": sorted(self._index.aliases.items()),
            "list": [
                {
                    "key": work.key,
                    "name": work.name,
                    "names": work.names,
                    "address": work.address,
                    "title": work.title if work.title != work.name else "",
                    "byline": work.byline,
                    "people": work.people,
                    "ids": work.ids,
                    "venue": " / ".join([work.venue, *work.organisations]),
                    "year": work.year,
                    "places": [(sections[one.section.slug], f"#{one.placed.id}") for one in work.places],
                    "text": work.text,
                    "facets": [
                        [known[value] for value, _label in found]
                        for known, found in zip(numbers, _values(work, self._parts), strict=True)
                    ],
                }
                for work in self._works.values()
            ],
        }


#: A value of a facet, as addresses have it, and its label.
_Value = tuple[str, str]
_Facet = tuple[str, str, list[_Value]]


def _facets(works: Iterable[Work], sections: Sequence[Section], parts: Mapping[str, _Value]) -> list[_Facet]:
    """Name, label and values of each facet: parts and sections in reading order, years from the latest, the
    others by how many works have them. The progress is the reader's own, so it comes last.
    """
    labels = (
        ("part", _("Part")),
        ("section", _("Section")),
        ("kind", _("Kind")),
        ("year", _("Year")),
        ("venue", _("Venue")),
        ("organisation", _("Organisation")),
        ("code", _("Code")),
        ("open", _("Access")),
    )
    counts: list[dict[_Value, int]] = [{} for _one in labels]
    for section in sections:
        for found, value in zip(counts, (parts[section.slug], (section.slug, section.title)), strict=False):
            found[value] = 0
    for work in works:
        for found, values in zip(counts, _values(work, parts), strict=True):
            for value in values:
                found[value] = found.get(value, 0) + 1
    return [
        *((name, label, _in_order(name, found)) for (name, label), found in zip(labels, counts, strict=True)),
        ("progress", _("My progress"), list(reading.states().items())),
    ]


def _in_order(name: str, counts: Mapping[_Value, int]) -> list[_Value]:
    values = [value for value, count in counts.items() if count]
    if name == "year":
        return sorted(values, key=lambda value: -1 if value[0] == _UNDATED else int(value[0]), reverse=True)
    if name in ("part", "section"):
        return values
    return sorted(values, key=lambda value: (-counts[value], value[1].casefold()))


def _parts(sections: Iterable[Section]) -> dict[str, _Value]:
    """The part of each section, by the section's slug."""
    return {
        section.slug: (part.slug or "other", part.title or _("Other"))
        for part in parts_of(sections)
        for section in part.sections
    }


def _values(work: Work, parts: Mapping[str, _Value]) -> list[list[_Value]]:
    """The values that a work has of each facet, without its progress."""
    sections = {place.section.slug: place.section for place in work.places}.values()
    return [
        list(dict.fromkeys(parts[section.slug] for section in sections)),
        [(section.slug, section.title) for section in sections],
        [(work.kind, _kind(work.kind))],
        [(str(work.year), str(work.year)) if work.year else (_UNDATED, _("undated"))],
        [(work.venue, work.venue)] if work.venue else [],
        [(name, name) for name in work.organisations],
        [("yes", _("has code"))] if work.has_code else [],
        [("yes", _("open to read"))] if work.is_open else [],
    ]


def _kind(kind: str) -> str:
    words = {
        "paper": _("paper"),
        "preprint": _("preprint"),
        "article": _("article"),
        "book": _("book"),
        "chapter": _("chapter"),
        "thesis": _("thesis"),
        "report": _("report"),
        "standard": _("standard"),
        "documentation": _("documentation"),
        "blog": _("blog post"),
        "software": _("software"),
        "dataset": _("dataset"),
        "misc": _("other"),
    }
    return words.get(kind, kind)


def _people(entry: Entry) -> str:
    """Everybody's whole name, to be found by."""
    people = [*entry.names("author").people, *entry.names("editor").people]
    return "; ".join(dict.fromkeys(map(reference.in_order, people)))


def _ids(item: Item) -> Iterator[str]:
    if item.arxiv:
        yield f"arXiv {item.arxiv}"
    if item.doi:
        yield item.doi


def _venue(entry: Entry, kind: str, venue: str) -> str:
    """The series that a venue belongs to, ``ICML`` for ``ICML 2023``; empty where only a kind is said."""
    said = {kind, entry.text("type").casefold(), entry.type, "technical report"}
    return "" if venue.casefold() in said else _YEAR_AT_END.sub("", venue)


def _organisations(entry: Entry) -> list[str]:
    """Those who stand behind a work by name: as its authors, or as the house that issued it."""
    authors = [person.literal for person in entry.names("author").people if person.literal]
    houses = [entry.text(field) for field in ("organization", "institution", "school")]
    return [name for name in dict.fromkeys([*authors, *houses]) if name]
