"""Placements: every work has one, of a known key, once in a section."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.listing.example import BOTH, GOOD, LEE, POE, project, source
from refkit.check.listing.findings import at_placement
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry


@rule(
    "unknown-key",
    "error",
    needs="pages",
    bad=project(source("lee2024", LEE) + source("poe2032", POE)),
    good=GOOD,
)
def unknown_key(library: Library) -> Iterator[Finding]:
    """A page places or cites a key that no .bib file has. A key among an entry's ``ids`` counts as there."""
    known = {
        *library.by_key,
        *(key.strip() for _, value in library.column("ids") for key in value.split(",")),
    }
    for _, placed in library.placements:
        if placed.key not in known:
            yield at_placement(
                library, placed, f"no .bib file has the key {placed.key!r}: correct it, or add the entry"
            )
    for key, places in (library.pages.cited if library.pages else {}).items():
        if key not in known:
            for file, line in places:
                yield Finding(
                    f"no .bib file has the key {key!r}, which is cited here: correct it",
                    key=key,
                    file=library.pages_prefix + file,
                    line=line,
                )


@rule("unplaced-work", "error", needs="pages", bad=project(source("lee2024", LEE)), good=GOOD)
def unplaced_work(library: Library) -> Iterator[Finding]:
    """A work that no page places, so that no reader finds it."""
    placed = {placement.key for _, placement in library.placements}
    for entry in library.entries:
        if (
            entry.key
            and entry.key not in placed
            and entry.type not in ("set", "xdata")
            and not _is_parent(library, entry)
        ):
            yield Finding("no page places this work: place it with a source block, or remove it", entry)


def _is_parent(library: Library, entry: Entry) -> bool:
    """Whether other entries take values from this one."""
    return any(value == entry.key for _, value in library.column("crossref"))


@rule(
    "placed-twice",
    "error",
    needs="pages",
    bad=project(
        BOTH + source("lee2024", "Read it a second time after the wheels, for the proof in its appendix.")
    ),
    good=GOOD,
)
def placed_twice(library: Library) -> Iterator[Finding]:
    """A work twice in one section. In two sections it has two annotations, each for its place."""
    seen: dict[tuple[str, str], int] = {}
    for section, placed in library.placements:
        first = seen.setdefault((section.slug, placed.key), placed.line)
        if first != placed.line:
            yield at_placement(
                library,
                placed,
                f"{placed.key!r} stands in this section at line {first} already: keep one place",
            )
