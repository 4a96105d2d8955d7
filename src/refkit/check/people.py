"""The people of all entries: each spelling of a name once, with where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from refkit.check.columns import Lines

if TYPE_CHECKING:
    from refkit.model import Entry


class People:
    """The names of all lists of people, each spelling once, with where it stands."""

    def __init__(
        self, places: Mapping[str, Sequence[tuple[Entry, str]]], lists: Sequence[tuple[Entry, str, list[str]]]
    ) -> None:
        #: A name as written -> entries and fields that have it.
        self.places = places
        #: Entry and field -> its names as written.
        self.lists = lists
        #: All spellings, one a line.
        self.spelled = Lines(list(places))
        self._by_place = {(id(entry), field): names for entry, field, names in lists}
        self._beside: dict[str, frozenset[str]] = {}

    def beside(self, name: str) -> frozenset[str]:
        """The names in all lists that a name stands in."""
        found = self._beside.get(name)
        if found is None:
            by_place = self._by_place
            lists = [by_place[id(entry), field] for entry, field in self.places[name][:50]]
            found = self._beside[name] = frozenset().union(*lists)
        return found

    def of(self, entry: Entry, field: str) -> list[str]:
        """The names of a field as written."""
        return self._by_place.get((id(entry), field), [])

    def hits(self, pattern: re.Pattern[str]) -> Iterator[str]:
        """The names that a pattern is found in. The pattern must not match across line feeds."""
        for row, _, _ in self.spelled.hits(pattern):
            yield self.spelled.values[row]


_AND = re.compile(r" and ", re.IGNORECASE)
#: Lists that must be split with care: an "and" inside braces, or in capitals.
NOT_PLAIN_LIST = re.compile(r"\{(?:[^{}\n]|\{[^{}\n]*+\})*? [Aa][Nn][Dd] | AND | And ")


def split_names(value: str) -> list[str]:
    """The names of a list as written, split at each ``and`` outside braces; ``others`` is one of them."""
    names = _AND.split(value)
    out: list[str] = []
    depth = 0
    for name in names:
        if depth > 0:
            out[-1] += " and " + name
        else:
            out.append(name)
        depth += name.count("{") - name.count("}")
    return out
