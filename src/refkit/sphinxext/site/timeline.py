"""``timeline.html``: every work by the year of its date and the part of the list that places it first.

Years go down the page, parts across; works without a date stand in a row of their own. Up to
:data:`MOST_NAMES` works show their names; more are marks, each with its name for pointer and listener.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sphinx.locale import _

from refkit.sphinxext.library import digest
from refkit.sphinxext.site import figures
from refkit.sphinxext.site.extras import Page
from refkit.sphinxext.site.figures import Lane, Links, Work

if TYPE_CHECKING:
    from markupsafe import Markup
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.sphinxext.index import Index

NAME = "timeline"
MOST_NAMES = 400

_WIDTH = 1040.0
_YEAR = 76.0
_NARROWEST, _WIDEST = 132.0, 300.0
_SIZE, _LEADING = 12.0, 14.0
#: Bold type is wider than what it is measured as.
_HEAD_SIZE = 14.0
#: Room of a name of one line; further lines add their leading. Targets are at least 24 px high.
_PITCH = 24.0
_MARK = 18.0
_PAD = 8.0


class Dated(NamedTuple):
    """A work and its year; ``None`` without a date."""

    work: Work
    year: int | None


def is_there(index: Index) -> bool:
    """Whether the list has such a page: it must have works, and one of them a date."""
    entries = index.collection.entries
    return any(placed.key in entries and entries[placed.key].date for placed in index.pages.placements())


def extras(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[Page]:
    """The page."""
    if not is_there(index):
        return
    pages = [
        (section.slug, section.title, section.part, section.part_title) for section in index.pages.sections
    ]
    works = [
        (placed.key, placed.title, placed.section, index.digests.get(placed.key), index.works.get(placed.key))
        for placed in index.pages.placements()
    ]
    yield Page(
        NAME,
        _("Timeline"),
        "refkit/timeline.html",
        digest((pages, works, list(index.sections), str(builder.config.refkit_work_pages))),
        lambda: context(builder, index),
        styles=(figures.STYLE,),
        description=_("All works of the list by year and part, each with a link."),
    )


def context(builder: StandaloneHTMLBuilder, index: Index) -> dict[str, Any]:
    """What the template shows."""
    lanes, works = figures.lanes_of(index), list(dated(builder, index))
    years = sorted({one.year for one in works if one.year is not None})
    groups = [(str(year), [one for one in works if one.year == year]) for year in years]
    undated = [one for one in works if one.year is None]
    if undated:
        groups.append((_("undated"), undated))
    return {
        "figure": draw(groups, lanes),
        "rows": [(label, [one.work for one in found]) for label, found in groups],
        "lanes": lanes,
        "count": len(works),
        "undated": len(undated),
        "first": years[0],
        "last": years[-1],
    }


def dated(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[Dated]:
    """Each work at its first place, by date, those of the same date in reading order."""
    links, seen = Links(builder, index, NAME), set()
    found = []
    for section in index.pages.sections:
        for placed in section.placements:
            entry = index.collection.entries.get(placed.key)
            if entry is None or placed.key in seen:
                continue
            seen.add(placed.key)
            date = entry.date
            order = (date.year, date.month or 0, date.day or 0) if date else (0, 0, 0)
            found.append((order, Dated(links.work(section, placed), date.year if date else None)))
    yield from (one for _order, one in sorted(found, key=lambda pair: pair[0]))


# drawing ---------------------------------------------------------------------------------


class _Cell(NamedTuple):
    """What one year has of one part: its marks, and the height that they need."""

    marks: tuple[tuple[Work, tuple[str, ...]], ...]
    height: float


def draw(groups: Sequence[tuple[str, Sequence[Dated]]], lanes: Sequence[Lane]) -> Markup:
    """The figure."""
    column = min(max((_WIDTH - _YEAR) / len(lanes), _NARROWEST), _WIDEST)
    named = sum(len(found) for _label, found in groups) <= MOST_NAMES
    width = _YEAR + column * len(lanes)
    head, y = _head(lanes, column)
    body = []
    before: int | None = None
    for label, found in groups:
        year = found[0].year
        if before is not None and year is not None and year > before + 1:
            body.append(_gap(y))
            y += _MARK
        text, height = _row(label, found, len(lanes), column, y, width, named)
        body.append(text)
        y += height
        before = year
    rules = [
        figures.element("line", x1=x, x2=x, y1=y0, y2=y, class_="rk-rule")
        for x, y0 in ((_YEAR + column * number, 0) for number in range(len(lanes)))
    ]
    title = _("Works by year and part")
    description = _("Years from top to bottom, parts from left to right. The table below says the same.")
    return figures.svg(width, y + 1, title, description, "rk-timeline", [*rules, head, *body])


def _head(lanes: Sequence[Lane], column: float) -> tuple[Markup, float]:
    """The titles of the parts, and where the rows begin."""
    titles = [figures.fit(lane.title, column - 2 * _PAD, _HEAD_SIZE, 3) for lane in lanes]
    height = 16.0 * max(map(len, titles)) + 14
    out = []
    for number, (lane, lines) in enumerate(zip(lanes, titles, strict=True)):
        x = _YEAR + number * column
        out.append(figures.text_lines(lines, x + _PAD, 15.0, 16.0, "rk-head"))
        out.append(
            figures.element(
                "rect",
                x=x + _PAD,
                y=height - 6,
                width=column - 2 * _PAD,
                height=3,
                class_=f"rk-bar {lane.style}",
            )
        )
    return figures.group(out), height


def _gap(y: float) -> Markup:
    """A mark for years without works, which take little room."""
    return figures.element("text", "⋮", x=4, y=y + 13, class_="rk-gap", aria_hidden="true")


def _row(
    label: str, found: Sequence[Dated], lanes: int, column: float, y: float, width: float, named: bool
) -> tuple[Markup, float]:
    cells = [
        _cell([one.work for one in found if one.work.part == lane], column, named) for lane in range(lanes)
    ]
    height = max(cell.height for cell in cells) + 2 * _PAD
    style = "rk-year" if found[0].year is not None else "rk-undated"
    out = [
        figures.element("line", x1=0, x2=width, y1=y, y2=y, class_="rk-rule"),
        figures.element("text", label, x=0, y=y + _PAD + 16, class_=style),
    ]
    for lane, cell in enumerate(cells):
        x = _YEAR + lane * column + _PAD
        out.append(
            _names(cell, x, y + _PAD, column, label) if named else _marks(cell, x, y + _PAD, column, label)
        )
    return figures.element("g", *out), height


def _cell(works: Sequence[Work], column: float, named: bool) -> _Cell:
    if not named:
        lines = -(-len(works) // _per_line(column))
        return _Cell(tuple((work, ()) for work in works), lines * _MARK)
    room = column - 2 * _PAD - 14
    marks = tuple((work, tuple(figures.fit(work.name, room, _SIZE, 3))) for work in works)
    return _Cell(marks, sum(_PITCH + _LEADING * (len(lines) - 1) for _work, lines in marks))


def _per_line(column: float) -> int:
    return max(int((column - 2 * _PAD) // _MARK), 1)


def _names(cell: _Cell, x: float, y: float, column: float, label: str) -> Markup:
    out = []
    for work, lines in cell.marks:
        height = _PITCH + _LEADING * (len(lines) - 1)
        out.append(
            figures.link(
                work.address, f"{work.name}, {label}", f"rk-mark {figures.colour(work.part)}",
                figures.element("rect", x=x - 4, y=y, width=column - 2 * _PAD + 8, height=height, rx=3),
                figures.element("circle", cx=x + 5, cy=y + 12, r=4),
                figures.text_lines(lines, x + 14, y + 16, _LEADING),
            )
        )  # fmt: skip
        y += height
    return figures.group(out)


def _marks(cell: _Cell, x: float, y: float, column: float, label: str) -> Markup:
    per_line = _per_line(column)
    return figures.group(
        figures.link(
            work.address, f"{work.name}, {label}", f"rk-mark {figures.colour(work.part)}",
            figures.element(
                "circle", cx=x + _MARK * (at % per_line) + 7, cy=y + _MARK * (at // per_line) + 9, r=6
            ),
        )
        for at, (work, _lines) in enumerate(cell.marks)
    )  # fmt: skip
