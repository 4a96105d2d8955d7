"""The watchlist: what each of its sources waits for, and until when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.listing.example import LEE, POE, project, setting, source
from refkit.check.listing.findings import at_placement, no_section
from refkit.check.model import rule
from refkit.values import dates

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding

_WATCH = setting('watchlist = "loops"')
_WAITS = "   :waits-for: a measurement by others\n   :review: 2999-01-01\n"


@rule(
    "watchlist-entry",
    "warning",
    needs="pages",
    bad=project(
        source("lee2024", LEE)
        + source("poe2023", POE, "   :waits-for: a measurement\n   :review: 2020-01-01\n"),
        _WATCH,
    ),
    good=project(source("lee2024", LEE, _WAITS) + source("poe2023", POE, _WAITS), _WATCH),
)
def watchlist_entry(library: Library) -> Iterator[Finding]:
    """A source of the watchlist (``watchlist``) that does not say what it waits for, or when it is looked at
    again.

    Also one whose review is over, or with a date that is none; anywhere, one of the two without the other.
    """
    for section, placed in library.placements:
        watched = section.slug == library.settings.watchlist
        if not watched and not placed.waits_for and not placed.review:
            continue
        if not placed.waits_for.strip():
            yield at_placement(library, placed, "does not say what it waits for: add :waits-for:")
        if not placed.review.strip():
            yield at_placement(library, placed, "does not say when it is reviewed: add :review: YYYY-MM-DD")
        elif dates.parse(placed.review) is None or len(placed.review) != 10:
            yield at_placement(
                library, placed, f"the review date {placed.review!r} is none: write YYYY-MM-DD"
            )
        elif placed.review < library.today.isoformat():
            yield at_placement(
                library,
                placed,
                f"its review was due on {placed.review}: move it, drop it, or set another date",
            )
    yield from no_section(library, "watchlist", library.settings.watchlist)
