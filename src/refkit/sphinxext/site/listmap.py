"""``map.html``: the parts and sections of the list on the path on which they are read, with their works.

A section is a box: its place on the path, its title, and a mark for each of its works. The section to start
with shows its works as numbered steps with their names. Two drawings of the same, one for wide windows and
one for narrow ones; the style sheet shows one of them, to ears and keyboards as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from sphinx.locale import _

from refkit.sphinxext.library import digest
from refkit.sphinxext.site import figures
from refkit.sphinxext.site.extras import Page
from refkit.sphinxext.site.figures import Links, Work

if TYPE_CHECKING:
    from markupsafe import Markup
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.pages import Section
    from refkit.sphinxext.index import Index

NAME = "map"

#: (class, width of the drawing, boxes in a row); the narrow one fits a window of 360 px.
_SHAPES = (("rk-wide", 1040.0, 4), ("rk-narrow", 320.0, 1))
_MARGIN, _GAP = 22.0, 26.0
_PAD = 12.0
#: Bold type is wider than what it is measured as.
_PART_SIZE, _PART_LEADING = 17.0, 19.0
_TITLE_SIZE, _TITLE_LEADING = 14.5, 17.0
_STEP_SIZE = 12.0
_MARK, _STEP = 24.0, 26.0


class Stop(NamedTuple):
    """A section on the path."""

    number: int
    #: The number of its part, from 0.
    part: int
    section: Section
    address: str
    works: tuple[Work, ...]
    #: Whether its works are steps to be taken in order.
    is_path: bool


class _Box(NamedTuple):
    stop: Stop
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Where the path enters and leaves."""
        return self.y + 24


def is_there(index: Index) -> bool:
    """Whether the list has such a page: one section is no path."""
    return len(index.pages.sections) > 1


def extras(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[Page]:
    """The page."""
    if not is_there(index):
        return
    sections = [
        (*section[:4], index.is_path(section), [(placed.key, placed.title) for placed in section.placements])
        for section in index.pages.sections
    ]
    keys = {placed.key for placed in index.pages.placements()}
    works = [(key, index.digests.get(key), index.works.get(key)) for key in sorted(keys)]
    yield Page(
        NAME,
        _("Map"),
        "refkit/map.html",
        digest((sections, works, list(index.sections), str(builder.config.refkit_work_pages))),
        lambda: context(builder, index),
        styles=(figures.STYLE,),
        description=_("The parts and sections of the list in reading order, with all their works."),
    )


def context(builder: StandaloneHTMLBuilder, index: Index) -> dict[str, Any]:
    """What the template shows."""
    stops = list(path(builder, index))
    lanes = figures.lanes_of(index)
    groups = [(lane, [stop for stop in stops if stop.part == at]) for at, lane in enumerate(lanes)]
    drawings = [(style, draw(groups, style, width, columns)) for style, width, columns in _SHAPES]
    return {
        "drawings": drawings,
        "groups": groups,
        "sections": len(stops),
        "parts": len(groups),
        "works": len({work.key for stop in stops for work in stop.works}),
        "path": next((stop for stop in stops if stop.is_path), None),
    }


def path(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[Stop]:
    """The sections in reading order."""
    links, entries = Links(builder, index, NAME), index.collection.entries
    for number, section in enumerate(index.pages.sections, 1):
        works = tuple(links.work(section, placed) for placed in section.placements if placed.key in entries)
        yield Stop(
            number, links.part(section), section, links.section(section), works, index.is_path(section)
        )


# drawing ---------------------------------------------------------------------------------


def draw(
    groups: Sequence[tuple[figures.Lane, Sequence[Stop]]], style: str, width: float, columns: int
) -> Markup:
    """The figure, so wide and with so many boxes in a row."""
    boxes: list[_Box] = []
    out: list[Markup] = []
    y = 0.0
    for lane, stops in groups:
        title = figures.fit(lane.title, width - _MARGIN, _PART_SIZE, 3)
        out.append(figures.text_lines(title, _MARGIN, y + 18, _PART_LEADING, "rk-part"))
        y += 32 + _PART_LEADING * (len(title) - 1)
        for row in _rows(stops, columns):
            placed = _row(row, y, width, columns)
            boxes += placed
            y += placed[0].height + _GAP
        y += 8
    out += [_drawn(box) for box in boxes]
    way = [
        figures.element("path", d=one, class_="rk-way", marker_end=f"url(#{style}-arrow)")
        for one in _way(boxes)
    ]
    name = _("Parts and sections in reading order")
    description = _("The path leads from section to section; the table below says the same.")
    return figures.svg(width, y - _GAP, name, description, style, [_arrow(style), *way, *out])


def _rows(stops: Sequence[Stop], columns: int) -> Iterator[Sequence[Stop]]:
    """A section to start with has a row for itself."""
    row: list[Stop] = []
    for stop in stops:
        if row and (len(row) == columns or stop.is_path or row[0].is_path):
            yield row
            row = []
        row.append(stop)
    yield row


def _row(stops: Sequence[Stop], y: float, width: float, columns: int) -> list[_Box]:
    room = (width - _MARGIN - _GAP * (columns - 1)) / columns
    if stops[0].is_path:
        room = width - _MARGIN
    height = max(_height(stop, room) for stop in stops)
    return [_Box(stop, _MARGIN + at * (room + _GAP), y, room, height) for at, stop in enumerate(stops)]


def _title(stop: Stop, width: float) -> list[str]:
    return figures.fit(f"{stop.number} {stop.section.title}", width - 2 * _PAD, _TITLE_SIZE, 3)


def _height(stop: Stop, width: float) -> float:
    title = _TITLE_LEADING * len(_title(stop, width)) + 2 * _PAD + 4
    if stop.is_path:
        return title + _STEP * -(-len(stop.works) // _step_columns(width)) + 4
    return title + _MARK * -(-len(stop.works) // _per_line(width))


def _per_line(width: float) -> int:
    return max(int((width - 2 * _PAD) // _MARK), 1)


def _step_columns(width: float) -> int:
    return max(int((width - 2 * _PAD) // 300), 1)


def _drawn(box: _Box) -> Markup:
    stop, x, y = box.stop, box.x, box.y
    colour = figures.colour(stop.part)
    lines = _title(stop, box.width)
    height = _TITLE_LEADING * len(lines)
    title = figures.link(
        stop.address, f"{stop.section.title} ({len(stop.works)})", "rk-section",
        figures.element("rect", x=x + 4, y=y + 6, width=box.width - 8, height=height + 12, rx=3),
        figures.text_lines(lines, x + _PAD, y + _PAD + 14, _TITLE_LEADING),
    )  # fmt: skip
    top = y + height + 2 * _PAD
    marks = _steps if stop.is_path else _marks
    return figures.element(
        "g",
        figures.element("rect", x=x, y=y, width=box.width, height=box.height, rx=6),
        figures.element("rect", x=x, y=y + 6, width=4, height=box.height - 12, rx=2, class_="rk-edge"),
        title,
        marks(box, top),
        class_=f"rk-box {colour}",
    )


def _marks(box: _Box, top: float) -> Markup:
    per_line = _per_line(box.width)
    out = []
    for at, work in enumerate(box.stop.works):
        x, y = box.x + _PAD + _MARK * (at % per_line), top + _MARK * (at // per_line)
        hit = figures.element("rect", x=x - 3, y=y - 3, width=_MARK, height=_MARK, rx=4)
        dot = figures.element("circle", cx=x + 9, cy=y + 9, r=6)
        out.append(figures.link(work.address, work.name, "rk-mark", hit, dot))
    return figures.group(out)


def _steps(box: _Box, top: float) -> Markup:
    """The works of the section to start with, in order, column by column."""
    columns = _step_columns(box.width)
    rows, room = -(-len(box.stop.works) // columns), (box.width - 2 * _PAD) / columns
    out = []
    for at, work in enumerate(box.stop.works):
        x, y = box.x + _PAD + room * (at // rows), top + _STEP * (at % rows)
        (name,) = figures.fit(work.name, room - 40, _STEP_SIZE)
        out.append(
            figures.link(
                work.address, f"{at + 1}. {work.name}", "rk-mark rk-step",
                figures.element("rect", x=x - 3, y=y - 3, width=room - 6, height=_MARK, rx=4),
                figures.element("circle", cx=x + 9, cy=y + 9, r=9),
                figures.element("text", str(at + 1), x=x + 9, y=y + 13, class_="rk-digit"),
                figures.text_lines([name], x + 25, y + 13.5, 0),
            )
        )  # fmt: skip
    return figures.group(out)


def _arrow(style: str) -> Markup:
    shape = figures.element("path", d="M0 0 8 4 0 8z", fill="context-stroke")
    marker = figures.element(
        "marker", shape, id=f"{style}-arrow", markerWidth=8, markerHeight=8, refX=7, refY=4,
        orient="auto", markerUnits="userSpaceOnUse",
    )  # fmt: skip
    return figures.element("defs", marker)


def _way(boxes: Sequence[_Box]) -> Iterator[str]:
    """From box to box: across to the next of a row; down the left side to the next row."""
    number = figures.number
    for one, other in pairwise(boxes):
        start, side = number(one.middle), _MARGIN / 2
        end = f"V{number(other.middle - 6)}q0 6 6 6H{number(other.x)}"
        if one.y == other.y:
            yield f"M{number(one.x + one.width)} {start}H{number(other.x)}"
        elif one.x == _MARGIN:
            yield f"M{number(one.x)} {start}H{number(side + 6)}q-6 0 -6 6{end}"
        else:
            below = one.y + one.height + _GAP / 2 - 2
            down = f"M{number(one.x + one.width / 2)} {number(one.y + one.height)}V{number(below - 6)}"
            yield f"{down}q0 6 -6 6H{number(side + 6)}q-6 0 -6 6{end}"
