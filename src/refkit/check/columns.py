"""The values of all entries by field.

Most rules look at one field of all entries. Its values, joined by line feeds, are one text, which a pattern
searches in one go; only where it hits does Python look closer. So the cost of a rule that finds nothing is
that of one search.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from refkit.model import Entry


class Hit(NamedTuple):
    """A value that a pattern was found in."""

    entry: Entry
    value: str
    #: What the pattern matched; its groups and positions are those of the match.
    match: re.Match[str]
    #: Where the match begins and ends in the value.
    start: int
    end: int

    @property
    def part(self) -> str:
        """The piece of the value that the pattern matched."""
        return self.value[self.start : self.end]


class Column:
    """The values of one field, in the order of entries. Inherited values are not among them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries: list[Entry] = []
        self.values: list[str] = []

    def __iter__(self) -> Iterator[tuple[Entry, str]]:
        return zip(self.entries, self.values, strict=True)

    @property
    def text(self) -> str:
        """The values that differ, one a line."""
        return self.distinct.text

    @cached_property
    def is_ascii(self) -> bool:
        """Whether all values are ASCII."""
        return self.text.isascii()

    @cached_property
    def by_value(self) -> dict[str, list[int]]:
        """Value -> the rows that have it."""
        rows: dict[str, list[int]] = {}
        for row, value in enumerate(self.values):
            rows.setdefault(value, []).append(row)
        return rows

    def with_value(self, value: str) -> list[Entry]:
        """The entries that have a value."""
        return [self.entries[row] for row in self.by_value[value]]

    @cached_property
    def _repeats(self) -> bool:
        """Whether most values stand more than once, as venues and publishers do."""
        return len(set(self.values)) * 2 <= len(self.values)

    @cached_property
    def distinct(self) -> Lines:
        """The values, one a line; where most stand more than once, each once."""
        return Lines(list(self.by_value) if self._repeats else self.values)

    def has(self, *signs: str) -> bool:
        """Whether any of these texts stands in any value: the cheapest question of all."""
        text = self.text
        return any(sign in text for sign in signs)

    def hits(self, pattern: re.Pattern[str], *signs: str) -> Iterator[Hit]:
        """The values that a pattern is found in, each once.

        Args:
            pattern: it must not match across line feeds.
            signs: without any of these texts there is no match, so that the pattern need not search.
        """
        if signs and not self.has(*signs):
            return
        for row, match, begin in self.distinct.hits(pattern):
            for place in self.by_value[self.distinct.values[row]] if self._repeats else [row]:
                yield Hit(
                    self.entries[place], self.values[place], match, match.start() - begin, match.end() - begin
                )


class Lines:
    """Values as the lines of one text, which a pattern searches in one go."""

    def __init__(self, values: list[str]) -> None:
        self.values = values

    @cached_property
    def text(self) -> str:
        """All values, one a line."""
        text = "\n".join(self.values)
        if text.count("\n") != max(len(self.values) - 1, 0):
            text = "\n".join(value.replace("\n", " ") for value in self.values)
        return text

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(value) + 1 for value in self.values), initial=0))

    def hits(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str], int]]:
        """Number of each value that a pattern is found in, the first match in it, and where the value
        begins.
        """
        if not self.values:
            return
        text = self.text
        found = pattern.search(text)
        if found is None:
            return
        starts = self._starts
        while found is not None:
            row = min(bisect_right(starts, found.start()) - 1, len(self.values) - 1)
            yield row, found, starts[row]
            if starts[row + 1] > len(text):
                return
            found = pattern.search(text, starts[row + 1])
