"""Titles of no work: those that have another work's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.alike import Title, belong_together
from refkit.check.fold import words
from refkit.check.model import Finding, rule
from refkit.check.places import named

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry


@rule("chimeric-title", "warning")
def chimeric_title(library: Library) -> Iterator[Finding]:
    """A title that joins pieces of two works.

    Two works by different first authors do not begin or end in the same rare words, and no two works have the
    same subtitle behind another title: one of the titles was put together. A run of at least five words
    counts, two of which no third title has. Reviews, which have the reviewed title in theirs, are left alone.
    Whether any registry knows the title is asked with ``--online``. Known to bibtexupdater, RefChecker.
    """
    ends: dict[str, list[tuple[Entry, list[str], str]]] = {}
    for row in library.titles:
        found = row[1]
        if len(found) >= 5:
            for piece in {"< " + " ".join(found[:5]), "> " + " ".join(found[-5:])}:
                ends.setdefault(piece, []).append(row)
    counts = library.word_counts
    near = {(one.key, other.key) for one, other in library.near_titles}
    for piece, sharing in ends.items():
        if len(sharing) == 2 and sum(counts[word] <= 2 for word in piece.split()[1:]) >= 2:
            one, other = sharing[0][0], sharing[1][0]
            if (one.key, other.key) not in near and _may_be_joined(piece[0], *sharing):
                for entry, twin in ((one, other), (other, one)):
                    yield Finding(
                        f"the title shares {piece[2:]!r} with {named(twin)}: one of them joins pieces "
                        f"of two works",
                        entry,
                        "title",
                    )


def _may_be_joined(end: str, one: Title, other: Title) -> bool:
    """Whether two titles that share their beginning or end are not two editions, or a work and its review."""
    (entry, title, first), (twin, words_of_twin, second) = one, other
    if belong_together(entry, twin):
        return False
    shorter, longer = sorted((title, words_of_twin), key=len)
    if shorter != longer and f" {' '.join(shorter)} " in f" {' '.join(longer)} ":
        return False
    if first != second:
        return True
    heads = [one.get("title").partition(":") for one in (entry, twin)]
    return end == ">" and all(tail for _, _, tail in heads) and words(heads[0][0]) != words(heads[1][0])


@rule("shorttitle-mismatch", "warning")
def shorttitle_mismatch(library: Library) -> Iterator[Finding]:
    """A short title that is another work's: its title has the words, and this one's has not."""
    column = library.column("shorttitle")
    owners: dict[str, list[Entry]] = {}
    for entry, value in column:
        owners.setdefault(" ".join(words(value)), []).append(entry)
    for short, entries in owners.items():
        if len(entries) < 2:
            continue
        having = [
            entry
            for entry in entries
            if f" {short} " in f" {' '.join(library.title_words.get(entry.key, []))} "
        ]
        for entry in entries:
            if having and entry not in having:
                yield Finding(
                    f"the shorttitle is that of {named(having[0])}, whose title has it: correct it",
                    entry,
                    "shorttitle",
                    entry.fields["shorttitle"],
                )
