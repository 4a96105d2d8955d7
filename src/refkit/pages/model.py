"""The types of the list: placements on sections, sections in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from refkit.model import Diagnostic

#: A node of an annotation, one of
#: ``("text", str)``, ``("em", children)``, ``("strong", children)``, ``("code", str)``,
#: ``("link", children, url)``, ``("cite", style, keys)``; children and annotations are tuples of nodes.
#: ``style`` is ``"p"`` (parenthetical) or ``"t"`` (textual), ``keys`` a tuple of citation keys.
Inline: TypeAlias = tuple[Any, ...]

#: The options of the directive ``source``, each with the function of docutils' ``directives`` that reads it.
SOURCE_OPTIONS = {
    "title": "unchanged",
    "waits-for": "unchanged",
    "review": "unchanged",
    "class": "class_option",
    "name": "unchanged",
}


class Toctree(NamedTuple):
    """A table of contents as it is written."""

    caption: str
    #: One a line: ``page``, ``Title <page>`` or, with ``glob``, a pattern.
    entries: tuple[str, ...]
    glob: bool = False
    backwards: bool = False


class Source(NamedTuple):
    """A ``source`` directive of a page."""

    key: str
    #: 1-based line of the directive.
    line: int
    title: str
    annotation: tuple[Inline, ...]
    #: Names of docutils' nodes that do not belong into an annotation.
    refused: tuple[str, ...] = ()
    waits_for: str = ""
    review: str = ""


class Citation(NamedTuple):
    """A key that a page cites, and the 1-based line of the paragraph that does."""

    key: str
    line: int


class Page(NamedTuple):
    """What matters of a page."""

    #: The first title as plain text; empty where there is none.
    title: str
    #: The paragraphs before the first source, plain.
    intro: str = ""
    sources: tuple[Source, ...] = ()
    toctrees: tuple[Toctree, ...] = ()
    citations: tuple[Citation, ...] = ()
    #: Whether it lists the whole bibliography.
    lists_all: bool = False


class Placement(NamedTuple):
    """A work on a section's page."""

    key: str
    #: Slug of the section.
    section: str
    #: Position in the section, from 1.
    position: int
    #: The name shown at this place; empty where the page gives none (then the work's own title is shown).
    title: str
    annotation: tuple[Inline, ...]
    #: The page, relative to the folder of pages, and the 1-based line of the directive.
    file: str
    line: int
    #: Watchlist: what the source waits for, and the date (ISO) of its next review.
    waits_for: str = ""
    review: str = ""


class Section(NamedTuple):
    """A page with at least one placement."""

    slug: str
    title: str
    #: The folder of the page (``""`` at the top), and what the table of contents calls it.
    part: str
    part_title: str
    #: The page, relative to the folder of pages.
    file: str
    #: The text before the first source, plain.
    intro: str
    placements: tuple[Placement, ...]


class Part(NamedTuple):
    """Sections under one title."""

    #: The folder of its first section; its title where that is the top or another part has that folder.
    slug: str
    title: str
    sections: tuple[Section, ...]


def parts_of(sections: Iterable[Section]) -> list[Part]:
    """The parts of a list in reading order.

    The title is what readers see: sections under the same title are one part in whatever folders their pages
    lie, and sections of one folder under two titles are two.
    """
    groups: dict[str, list[Section]] = {}
    for section in sections:
        groups.setdefault(section.part_title, []).append(section)
    slugs: set[str] = set()
    parts = []
    for title, group in groups.items():
        names = chain((group[0].part, title), (f"{title}-{number}" for number in count(2)))
        slug = next(name for name in names if name not in slugs and (name or not title))
        slugs.add(slug)
        parts.append(Part(slug, title, tuple(group)))
    return parts


class Pages(NamedTuple):
    """All sections in reading order, and what the pages cite."""

    sections: tuple[Section, ...] = ()
    #: Cited key -> places (file, line) of its citations.
    cited: Mapping[str, tuple[tuple[str, int], ...]] = {}
    #: Whether some page lists the whole bibliography.
    lists_all: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()

    def placements(self) -> Iterator[Placement]:
        """All placements in reading order."""
        for section in self.sections:
            yield from section.placements

    def section(self, slug: str) -> Section | None:
        """The section of this slug, or ``None``."""
        return next((section for section in self.sections if section.slug == slug), None)

    def of(self, key: str) -> list[tuple[Section, Placement]]:
        """Where a work stands, in reading order."""
        return [
            (section, placed)
            for section in self.sections
            for placed in section.placements
            if placed.key == key
        ]
