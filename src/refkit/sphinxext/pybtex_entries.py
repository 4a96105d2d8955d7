"""Entries as pybtex's styles and sphinxcontrib-bibtex want them, made when they ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pybtex.database import Entry as BaseEntry
from pybtex.database import Person as PybtexPerson
from pybtex.utils import OrderedCaseInsensitiveDict

if TYPE_CHECKING:
    from refkit.model import Entry, Person
    from refkit.sphinxext.library import Library

#: The fields whose names pybtex splits.
PERSONS = ("author", "editor")


class PybtexEntry(BaseEntry):  # type: ignore[misc] # pybtex has no types
    """An entry for pybtex; its people are split only when a style asks for them."""

    def __init__(self, source: Entry) -> None:
        #: The entry that this stands for.
        self.source = source
        self.key = source.key
        self.type = source.type
        self.original_type = source.type
        self.fields = OrderedCaseInsensitiveDict(
            (name, value) for name, value in source.fields.items() if name not in PERSONS
        )

    @cached_property
    def persons(self) -> Mapping[str, list[Any]]:
        """People by role, as pybtex's persons."""
        roles = (role for role in PERSONS if role in self.source)
        found: Mapping[str, list[Any]] = OrderedCaseInsensitiveDict(
            (role, people(self.source, role)) for role in roles
        )
        return found


def people(entry: Entry, role: str) -> list[Any]:
    """The people of a field as pybtex's persons, "and others" as the person of that name."""
    found = entry.names(role)
    persons = [_person(person) for person in found.people]
    return [*persons, PybtexPerson(last="others")] if found.others else persons


def _person(person: Person) -> Any:
    if person.literal:
        return PybtexPerson(last="{" + _unbraced(person.literal) + "}")
    return PybtexPerson(
        first=_unbraced(person.given), prelast=_unbraced(person.prefix),
        last=_unbraced(person.family), lineage=_unbraced(person.suffix),
    )  # fmt: skip


def _unbraced(text: str) -> str:
    """pybtex reads names as TeX: what it would take for a group or a command must not be there."""
    return text.translate({ord("{"): "(", ord("}"): ")", ord("\\"): "/"})


class PybtexEntries(Mapping[str, PybtexEntry]):
    """The library's entries for pybtex, made when asked for."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def __getitem__(self, key: str) -> PybtexEntry:
        return self._library.pybtex_entry(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._library.digests)

    def __len__(self) -> int:
        return len(self._library.digests)
