"""Drawing for pages that are looked at rather than read: SVG as text, and what text needs in room.

A figure is inline SVG made when the site is built. Its colours are style sheet variables, so that it follows
the theme; everything in it that leads somewhere is a link with a name; the same content stands below it as a
table. Nothing in it needs a script.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape
from sphinx.util.osutil import relative_uri

from refkit.pages import parts_of
from refkit.sphinxext import sites

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.pages import Placement, Section
    from refkit.sphinxext.index import Index

#: The style sheet of pages with figures.
STYLE = "refkit-figures.css"
#: How many colours the style sheet has for parts.
COLOURS = 8

# Widths in parts of the size of the type: those of DejaVu Sans on average, the widest of the faces that
# systems use for sans-serif, so that nothing is cut off in any of them.
_NARROW = frozenset("iIjlft.,:;'|!()[]{}/\\ r-")
_WIDE = frozenset("mwMW@%&—…")
_WIDTHS = ((_NARROW, 0.38), (_WIDE, 0.95))


class Work(NamedTuple):
    """A work as figures show it."""

    key: str
    #: The name shown at its place.
    name: str
    #: Its page, else its place on the section's page.
    address: str
    section: Section
    #: The number of its part, from 0.
    part: int


class Lane(NamedTuple):
    """A part of the list, and the class that gives it its colour."""

    title: str
    style: str


def lanes_of(index: Index) -> list[Lane]:
    """The parts with titles and colours."""
    return [Lane(part.title, colour(number)) for number, part in enumerate(parts_of(index.pages.sections))]


def colour(part: int) -> str:
    """The class of a part's colour."""
    return f"rk-part-{part % COLOURS}"


class Links:
    """Addresses as a generated page needs them."""

    def __init__(self, builder: StandaloneHTMLBuilder, index: Index, page: str) -> None:
        self._builder = builder
        self._index = index
        self._own = builder.get_target_uri(page)
        self._works = sites.has_work_pages(builder)
        self._pages = {section.slug: docname for docname, section in index.sections.items()}
        self._parts = {
            section.slug: number
            for number, part in enumerate(parts_of(index.pages.sections))
            for section in part.sections
        }

    def part(self, section: Section) -> int:
        """The number of a section's part, from 0."""
        return self._parts[section.slug]

    def section(self, section: Section) -> str:
        """The page of a section."""
        return relative_uri(self._own, self._builder.get_target_uri(self._pages[section.slug]))

    def work(self, section: Section, placed: Placement) -> Work:
        """A placed work and where it leads."""
        entry = self._index.collection.entries.get(placed.key)
        name = placed.title or (entry.text("shorttitle", "title") if entry else "") or placed.key
        address = self._address(section, placed)
        return Work(placed.key, name, address, section, self.part(section))

    def _address(self, section: Section, placed: Placement) -> str:
        if self._works and placed.key in self._index.works:
            return relative_uri(self._own, f"{self._index.works[placed.key]}.html")
        docname = self._pages[section.slug]
        anchors = [one.id for page, one in self._index.places.get(placed.key, ()) if page == docname]
        return f"{self.section(section)}#{anchors[0]}" if anchors else self.section(section)


# text ---------------------------------------------------------------------------------


def text_width(text: str, size: float) -> float:
    """About the width of a text, in the unit of its size; rather too much than too little."""
    return size * sum(_character_width(character) for character in text)


def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    for characters, width in _WIDTHS:
        if character in characters:
            return width
    return 0.7 if character.isupper() else 0.6


def fit(text: str, width: float, size: float, lines: int = 1) -> list[str]:
    """A text in at most so many lines of this width; what does not fit ends with an ellipsis."""
    out: list[str] = []
    rest = " ".join(text.split())
    while rest:
        if text_width(rest, size) <= width:
            return [*out, rest]
        if len(out) == lines - 1:
            return [*out, _cut(rest, width - text_width("…", size), size).rstrip(" ,;:-–—(") + "…"]
        head = _cut(rest, width, size)
        at = max(head.rfind(" "), head.rfind("-") + 1)
        at = at if at > 0 else len(head)
        out.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    return out or [""]


def _cut(text: str, width: float, size: float) -> str:
    """As much of a text as has room; at least one character."""
    room = width / size
    for number, character in enumerate(text):
        room -= _character_width(character)
        if room < 0:
            return text[: max(number, 1)]
    return text


# elements --------------------------------------------------------------------------------


def element(name: str, *children: str, **attributes: object) -> Markup:
    """An element; names of attributes with ``_`` for ``-``, and one at the end for reserved words.

    Children are elements or text, which is escaped.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"'
        for key, value in attributes.items()
        if value not in (None, "")
    )
    inner = "".join(map(escape, children))
    text = f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"
    return Markup(text)  # noqa: S704 - all that came in is escaped


def group(elements: Iterable[Markup]) -> Markup:
    """Elements beside each other."""
    return Markup().join(elements)


def number(value: object) -> str:
    """A value as attributes have it: floats with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def text_lines(lines: Sequence[str], x: float, y: float, leading: float, style: str = "") -> Markup:
    """A text of one or more lines, the first with its baseline at ``y``."""
    spans = [line if not at else element("tspan", line, x=x, dy=leading) for at, line in enumerate(lines)]
    return element("text", *spans, x=x, y=y, class_=style)


def link(address: str, name: str, style: str, *children: str) -> Markup:
    """A link of a figure; its name is that which is heard and shown when the pointer rests."""
    title = element("title", name)
    return element("a", title, *children, href=address, class_=style)


def svg(width: float, height: float, title: str, description: str, id: str, parts: Iterable[str]) -> Markup:
    """The figure; it keeps its size, and the box that holds it scrolls where there is less room."""
    names = (element("title", title, id=f"{id}-title"), element("desc", description, id=f"{id}-desc"))
    return element(
        "svg", *names, *parts, xmlns="http://www.w3.org/2000/svg", class_="rk-svg", role="group",
        width=width, height=height, viewBox=f"0 0 {number(width)} {number(height)}",
        aria_labelledby=f"{id}-title", aria_describedby=f"{id}-desc",
    )  # fmt: skip
