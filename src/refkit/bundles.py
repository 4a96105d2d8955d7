"""Bundles: the files a reader takes away, one per section and format, and one over all sections.

``refkit export`` and the Sphinx build both take them from here, so that they are equal to the byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit import provenance
from refkit.formats import FORMATS
from refkit.hub import Context, Item, Link, Note, item
from refkit.pages import parts_of
from refkit.pages.inline import to_html, to_tex, to_text

if TYPE_CHECKING:
    from refkit.labels import Label
    from refkit.model import Entry
    from refkit.pages import Pages, Placement, Section
    from refkit.project import Project

#: The stem of the bundles over all sections.
ALL = "all"


class Bundle(NamedTuple):
    """One file: its name below the folder of exports and its text."""

    name: str
    text: str


class Collection:
    """What bundles are made from: the entries by key, the pages, provenance and labels, read already.

    Each note and each item is made once: bundles of sections, bundles of all, pages and listings ask for the
    same.
    """

    def __init__(
        self,
        entries: Mapping[str, Entry],
        pages: Pages,
        provenance: Mapping[str, Any],
        labels: Mapping[str, Label],
        title: str = "Bibliography",
    ) -> None:
        self.entries = entries
        self.pages = pages
        self.provenance = provenance
        self.labels = labels
        #: The title of the list, for the collection that holds all sections.
        self.title = title
        self._notes: dict[tuple[str, int], Note] = {}
        self._links: dict[str, tuple[Link, ...]] = {}
        self._items: dict[tuple[str, tuple[tuple[str, int], ...]], Item] = {}
        self._places: dict[str, list[tuple[Section, Placement]]] | None = None

    def note(self, section: Section, placement: Placement) -> Note:
        """The annotation of one placement in the three forms that formats take."""
        name = (section.slug, placement.position)
        note = self._notes.get(name)
        if note is None:
            tree, label = placement.annotation, self.labels.get
            texts = to_text(tree, label), to_html(tree, label), to_tex(tree, label)
            note = self._notes[name] = Note(section.title, section.slug, *texts)
        return note

    def links(self, key: str) -> tuple[Link, ...]:
        """Related addresses of a work."""
        links = self._links.get(key)
        if links is None:
            related = provenance.work(self.provenance, key).related
            links = self._links[key] = tuple(Link(link.kind, link.url, link.label) for link in related)
        return links

    def items(self, section: Section) -> list[Item]:
        """The works of a section in order, each once, with the annotation of this place."""
        out: dict[str, Item] = {}
        for placement in section.placements:
            entry = self.entries.get(placement.key)
            if entry is not None and placement.key not in out:
                out[placement.key] = self._item(entry, [(section, placement)])
        return list(out.values())

    def all_items(self) -> list[Item]:
        """Every placed work once, at its first place in reading order, with all its annotations."""
        found = self.places.items()
        return [self._item(self.entries[key], places) for key, places in found if key in self.entries]

    def one(self, key: str) -> Item:
        """A work with all its placements; works that no section places have none."""
        return self._item(self.entries[key], self.places.get(key, []))

    @property
    def places(self) -> dict[str, list[tuple[Section, Placement]]]:
        """Placements of each work, both in reading order."""
        if self._places is None:
            self._places = places_by_key(self.pages)
        return self._places

    def _item(self, entry: Entry, places: Sequence[tuple[Section, Placement]]) -> Item:
        name = (entry.key, tuple((section.slug, placed.position) for section, placed in places))
        found = self._items.get(name)
        if found is None:
            notes = tuple(self.note(section, placed) for section, placed in places if placed.annotation)
            sections = tuple(dict.fromkeys((section.slug, section.title) for section, _ in places))
            context = Context(notes=notes, sections=sections, links=self.links(entry.key))
            found = self._items[name] = item(entry, context)
        return found


def collection(project: Project) -> Collection:
    """What a project's bundles are made from."""
    entries = project.bibliography.by_key
    return Collection(entries, project.pages, project.provenance, project.labels)


def listing(data: Collection) -> Bundle:
    """``all.refkit.json``: a program's view of the whole list, with parts, sections, annotations and
    works.

    A part and a work stand on a line each, so that two versions can be compared by line.
    """
    import json

    from refkit.formats.json import view

    works = {
        one.key: view(one.entry) | {"related": [link._asdict() for link in data.links(one.key)]}
        for one in data.all_items()
    }
    parts = [
        {
            "slug": part.slug,
            "title": part.title,
            "sections": [
                {
                    "slug": section.slug,
                    "title": section.title,
                    "intro": section.intro,
                    "sources": [_source(data, section, placed) for placed in section.placements],
                }
                for section in part.sections
            ],
        }
        for part in parts_of(data.pages.sections)
    ]
    text = json.JSONEncoder(ensure_ascii=False).encode
    lines = [f"{text(key)}: {text(work)}" for key, work in works.items()]
    return Bundle(
        f"{ALL}.refkit.json",
        '{"version": 1, "parts": [\n'
        + ",\n".join(map(text, parts))
        + '\n],\n"works": {\n'
        + ",\n".join(lines)
        + "\n}}\n",
    )


def _source(data: Collection, section: Section, placed: Placement) -> dict[str, Any]:
    note = data.note(section, placed)
    entry = data.entries.get(placed.key)
    return {
        "key": placed.key,
        "position": placed.position,
        "title": placed.title or (entry.text("title") if entry else ""),
        "annotation": {"text": note.text, "html": note.html},
        **({"waits-for": placed.waits_for} if placed.waits_for else {}),
        **({"review": placed.review} if placed.review else {}),
    }


def places_by_key(pages: Pages) -> dict[str, list[tuple[Section, Placement]]]:
    """Placements of each work, both in reading order."""
    out: dict[str, list[tuple[Section, Placement]]] = {}
    for section in pages.sections:
        for placement in section.placements:
            out.setdefault(placement.key, []).append((section, placement))
    return out


def section_bundles(data: Collection, section: Section, formats: Iterable[str]) -> Iterator[Bundle]:
    """The bundles of one section."""
    yield from _render(data.items(section), section.slug, formats, [section], section.title)


def all_bundles(data: Collection, formats: Iterable[str]) -> Iterator[Bundle]:
    """The bundles over all sections."""
    yield from _render(data.all_items(), ALL, formats, data.pages.sections, data.title)


def _render(
    items: list[Item], stem: str, formats: Iterable[str], sections: Sequence[Section], title: str
) -> Iterator[Bundle]:
    present = {one.key for one in items}
    groups = [
        (
            section.title,
            list(dict.fromkeys(placed.key for placed in section.placements if placed.key in present)),
        )
        for section in sections
    ]
    for name in formats:
        format = FORMATS[name]
        yield Bundle(stem + format.ending, format.dumps(items, groups=groups, title=title))
