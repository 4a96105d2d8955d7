"""Prerequisites: works that an annotation asks to read first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from refkit.check.listing.example import GOOD, project, source
from refkit.check.listing.findings import at_placement
from refkit.check.model import rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding
    from refkit.pages.model import Inline, Placement


@rule(
    "prerequisite-order",
    "error",
    needs="pages",
    bad=project(
        source("lee2024", "Defines the kernel; read :cite:t:`poe2023` first for its wheels.")
        + source("poe2023", "Measures wheels; read :cite:t:`lee2024` first for the kernel.")
    ),
    good=GOOD,
)
def prerequisite_order(library: Library) -> Iterator[Finding]:
    """Annotations that ask to read each other first; in the section to start with, one that asks for a later
    work first.

    "Read X first" and "after X" make X a prerequisite. What a page only points to is none.
    """
    edges: dict[str, dict[str, Placement]] = {}
    for section, placed in library.placements:
        for key in _read_first(placed.annotation):
            edges.setdefault(placed.key, {}).setdefault(key, placed)
            later = [
                other for other in section.placements if other.key == key and other.position > placed.position
            ]
            if later and section.slug == library.settings.start:
                yield at_placement(
                    library,
                    placed,
                    f"asks to read {key!r} first, which stands later in this section: change the order "
                    f"or the words",
                )
    for key in edges:
        loop = _loop(edges, key)
        if loop and key == min(loop):
            placed = edges[key][loop[1] if len(loop) > 1 else key]
            yield at_placement(
                library, placed, f"the works ask to be read before each other: {' → '.join((*loop, key))}"
            )


def _read_first(nodes: tuple[Inline, ...]) -> Iterator[str]:
    """The keys that an annotation asks to read before its own work."""
    for at, node in enumerate(nodes):
        if node[0] != "cite":
            continue
        before = nodes[at - 1][1] if at and nodes[at - 1][0] == "text" else ""
        after = nodes[at + 1][1] if at + 1 < len(nodes) and nodes[at + 1][0] == "text" else ""
        if re.search(r"\b[Rr]ead(?: [\w-]+){0,3} ?$", before) and re.match(r" first\b", after):
            yield from node[2]


def _loop(edges: Mapping[str, Mapping[str, Placement]], start: str) -> list[str]:
    """A way from a key back to itself, without the last step; empty if there is none."""
    stack: list[tuple[str, list[str]]] = [(start, [start])]
    seen: set[str] = set()
    while stack:
        key, path = stack.pop()
        for following in edges.get(key, ()):
            if following == start:
                return path
            if following not in seen:
                seen.add(following)
                stack.append((following, [*path, following]))
    return []
