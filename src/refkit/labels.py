"""Citation labels: how a work is named where it is cited.

"Dao et al. 2022"; two people with "&". A work by an organisation, without people or without a date is cited
by its short title, so that labels do not move when a work is added; one without by its title, cut to a
label's length. Letters only where two labels would be equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from refkit.model import Entry


class Label(NamedTuple):
    """A citation label in its two parts; one of them is empty for a short title."""

    #: ``Dao et al.``, or the short title.
    name: str
    #: ``2022``, with a letter where needed; empty for a short title.
    year: str = ""

    @property
    def text(self) -> str:
        """As it stands in brackets: ``Dao et al. 2022``."""
        return f"{self.name} {self.year}" if self.year else self.name

    @property
    def textual(self) -> str:
        """As it stands in a sentence: ``Dao et al. (2022)``."""
        return f"{self.name} ({self.year})" if self.year else self.name


def labels(entries: Iterable[Entry]) -> dict[str, Label]:
    """The label of each entry by key; equal labels are told apart by letters, in the order of date and
    key."""
    plain = [(entry, label(entry)) for entry in entries]
    groups: dict[str, list[tuple[Entry, Label]]] = {}
    for entry, found in plain:
        groups.setdefault(found.text.casefold(), []).append((entry, found))
    result = {entry.key: found for entry, found in plain}
    for group in groups.values():
        if len(group) > 1:
            group.sort(key=lambda pair: (_sortable_date(pair[0]), pair[0].key))
            for number, (entry, found) in enumerate(group):
                result[entry.key] = _lettered(found, _letters(number))
    return result


def label(entry: Entry) -> Label:
    """The label of one entry, without regard to others."""
    people = (entry.names("author").people and entry.names("author")) or entry.names("editor")
    date = entry.date
    if people.people and date is not None and date.start is not None and not people.people[0].literal:
        names = tuple(person.short for person in people.people)
        return Label(_cut(_people(names, people.others)), str(date.start[0]))
    return Label(_cut(entry.text("shorttitle", "title") or entry.key))


#: The longest name in a label, in characters: builders of plain text indent what is labelled by the label.
_LONGEST = 48


def _cut(name: str) -> str:
    """A long title up to its colon, else as many of its words as a label holds."""
    if len(name) <= _LONGEST:
        return name
    main = name.partition(": ")[0]
    if len(main) <= _LONGEST:
        return main
    room = name[:_LONGEST]
    words = room.rpartition(" ")[0] if name[_LONGEST] != " " else room
    return (words or room[:-1]).rstrip(" ,;.:-–—") + "…"


def _people(names: tuple[str, ...], others: bool) -> str:
    if len(names) == 1 and not others:
        return names[0]
    if len(names) == 2 and not others:
        return f"{names[0]} & {names[1]}"
    return f"{names[0]} et al."


def _lettered(found: Label, letters: str) -> Label:
    return Label(found.name, found.year + letters) if found.year else Label(f"{found.name} ({letters})")


def _letters(number: int) -> str:
    """0 -> a, 25 -> z, 26 -> aa."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _sortable_date(entry: Entry) -> str:
    date = entry.date
    return date.iso if date else "~"
