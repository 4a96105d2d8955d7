"""Annotations: there, of the right length and form, written for their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.fold import words
from refkit.check.listing.example import GOOD, LEE, POE, project, source
from refkit.check.listing.findings import at_placement
from refkit.check.model import reported, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding
    from refkit.pages.model import Placement

ANNOTATION_MARKUP = reported(
    "annotation-markup",
    "error",
    "An annotation with more than inline markup, which exports cannot carry.",
    bad=project(source("lee2024", "* a list\n* of things") + source("poe2023", POE)),
    good=GOOD,
)


@rule(
    "missing-annotation",
    "error",
    needs="pages",
    bad=project(".. source:: lee2024\n\n" + source("poe2023", POE)),
    good=GOOD,
)
def missing_annotation(library: Library) -> Iterator[Finding]:
    """A placement without an annotation: nothing says why the source stands there. Awesome lists are checked
    for it.
    """
    for _, placed in library.placements:
        if not library.annotations.get((placed.section, placed.position)):
            yield at_placement(
                library,
                placed,
                "the placement has no annotation: say what the source establishes, and why here",
            )


@rule(
    "annotation-length",
    "warning",
    needs="pages",
    bad=project(source("lee2024", "On kernels.") + source("poe2023", POE)),
    good=GOOD,
)
def annotation_length(library: Library) -> Iterator[Finding]:
    """An annotation with fewer or more words than the project wants (``annotation-words``); a citation is one
    word.
    """
    fewest, most = library.settings.annotation_words
    for placed, text in annotated(library):
        count = len(text.split())
        if not fewest <= count <= most:
            yield at_placement(
                library,
                placed,
                f"the annotation has {count} words, {'fewer' if count < fewest else 'more'} than the "
                f"{fewest if count < fewest else most} that the project sets",
            )


@rule(
    "annotation-end",
    "warning",
    needs="pages",
    bad=project(source("lee2024", LEE.rstrip(".")) + source("poe2023", POE)),
    good=GOOD,
)
def annotation_end(library: Library) -> Iterator[Finding]:
    """An annotation that does not begin with a capital, or does not end in a full stop. Known to
    awesome-lint.
    """
    for placed, text in annotated(library):
        if not text.rstrip(")”’\"'").endswith((".", "!", "?")):
            yield at_placement(library, placed, "the annotation does not end in a full stop")


@rule(
    "annotation-repeats-title",
    "warning",
    needs="pages",
    bad=project(
        source(
            "lee2024", "Fast Kernels for Small Devices. It defines a kernel and measures it on four machines."
        )
        + source("poe2023", POE)
    ),
    good=GOOD,
)
def annotation_repeats_title(library: Library) -> Iterator[Finding]:
    """An annotation that says the title again, which stands above it."""
    for placed, text in annotated(library):
        entry = library.by_key.get(placed.key)
        said = words(text)
        for title in dict.fromkeys((entry.text("title") if entry else "", placed.title)):
            wanted = words(title)
            if len(wanted) >= 3 and (
                said[: len(wanted)] == wanted or (len(wanted) >= 5 and _has_run(said, wanted))
            ):
                yield at_placement(
                    library,
                    placed,
                    "the annotation repeats the title: say what the source establishes instead",
                )
                break


def _has_run(said: list[str], wanted: list[str]) -> bool:
    return any(said[at : at + len(wanted)] == wanted for at in range(len(said) - len(wanted) + 1))


@rule(
    "annotation-twice",
    "error",
    needs="pages",
    bad=project(source("lee2024", LEE) + source("poe2023", LEE)),
    good=GOOD,
)
def annotation_twice(library: Library) -> Iterator[Finding]:
    """A sentence that another annotation has too: each is written for its place."""
    seen: dict[str, Placement] = {}
    for placed, text in annotated(library):
        for sentence in re.split(r"(?<=[.!?;]) +", text):
            folded = " ".join(words(sentence))
            if folded.count(" ") < 4:
                continue
            first = seen.setdefault(folded, placed)
            if first is not placed:
                yield at_placement(
                    library,
                    placed,
                    f"the annotation of {first.key!r} in {first.section!r} says the same: {sentence!r}; "
                    f"write one for this place",
                )
                break


@rule(
    "annotation-cites-itself",
    "warning",
    needs="pages",
    bad=project(source("lee2024", LEE.replace("poe2023", "lee2024")) + source("poe2023", POE)),
    good=GOOD,
)
def annotation_cites_itself(library: Library) -> Iterator[Finding]:
    """An annotation that points to its own source: another key was meant."""
    from refkit.pages.inline import cited

    for _, placed in library.placements:
        if placed.key in cited(placed.annotation):
            yield at_placement(library, placed, "the annotation cites its own source: another key was meant")


def annotated(library: Library) -> Iterator[tuple[Placement, str]]:
    """The placements that have an annotation, each with it as plain text."""
    for _, placed in library.placements:
        text = library.annotations.get((placed.section, placed.position), "")
        if text:
            yield placed, text
