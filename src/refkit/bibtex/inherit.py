"""Fields that an entry takes from its parents: ``xdata`` first, then ``crossref``.

The rules are biblatex's defaults (``biblatex.def``, DeclareDataInheritance; manual, appendix B), with two
differences. A value of the entry itself is never replaced; biber lets xdata replace it. And a parent's date
is taken whole or not at all; biber adds the parent's month to the child's year.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from refkit.bibtex.grammar import Fault, Severity

if TYPE_CHECKING:
    from refkit.model import Entry

_TYPE_ALIASES = {"conference": "inproceedings"}
_MULTIVOLUME = (("title", "maintitle"), ("subtitle", "mainsubtitle"), ("titleaddon", "maintitleaddon"))
_VOLUME = (("title", "booktitle"), ("subtitle", "booksubtitle"), ("titleaddon", "booktitleaddon"))
_JOURNAL = (("title", "journaltitle"), ("subtitle", "journalsubtitle"), ("titleaddon", "journaltitleaddon"))
_AUTHOR = (("author", "author"), ("author", "bookauthor"))
_IN_BOOK = ("inbook", "bookinbook", "suppbook")
_IN_COLLECTION = ("incollection", "inreference", "suppcollection")

#: (types of the parent, types of the child, fields that change their name).
_RULES = (
    (("mvbook", "book"), _IN_BOOK, _AUTHOR),
    (("mvbook",), ("book", *_IN_BOOK), _MULTIVOLUME),
    (("mvcollection", "mvreference"), ("collection", "reference", *_IN_COLLECTION), _MULTIVOLUME),
    (("mvproceedings",), ("proceedings", "inproceedings"), _MULTIVOLUME),
    (("book",), _IN_BOOK, _VOLUME),
    (("collection", "reference"), _IN_COLLECTION, _VOLUME),
    (("proceedings",), ("inproceedings",), _VOLUME),
    (("periodical",), ("article", "suppperiodical"), _JOURNAL),
)
#: Never taken where a field changes its name.
_NOT_WITH_RENAMING = frozenset(("shorttitle", "sorttitle", "indextitle", "indexsorttitle"))
#: Never taken.
_NEVER = frozenset(
    "ids crossref xref xdata entryset entrysubtype execute label options presort related relatedoptions "
    "relatedstring relatedtype shorthand shorthandintro sortkey".split()
)
#: Two names of one field (manual, 2.2.5), and the parts of one date.
_SAME = (
    ("journal", "journaltitle"), ("address", "location"), ("school", "institution"), ("annote", "annotation"),
    ("archiveprefix", "eprinttype"), ("primaryclass", "eprintclass"), ("key", "sortkey"), ("pdf", "file"),
    ("date", "year", "month", "day"),
)  # fmt: skip
_ALIASES: Mapping[str, tuple[str, ...]] = {name: group for group in _SAME for name in group}
#: Fields whose value is a list of keys, and how bad it is if one of them does not exist.
_KEY_FIELDS: Mapping[str, Severity] = {
    "crossref": "error",
    "xdata": "error",
    "xref": "warning",
    "related": "warning",
    "entryset": "warning",
}
# One value from a container (manual, 3.13.6): ``location = {xdata=KEY-FIELD}``, with a position for lists.
_XDATA_VALUE = re.compile(r"xdata\s*=\s*(\S+?)-([A-Za-z]+)(?:-(\d+))?\s*")


def keys_of(value: str) -> list[str]:
    """The keys in the value of a field like ``xdata`` or ``ids``."""
    return [key for key in (part.strip() for part in value.split(",")) if key]


def resolve(entries: Iterable[Entry], known: Mapping[str, Entry]) -> Iterator[tuple[Entry, str, Fault]]:
    """Fill in what entries inherit. ``known`` finds parents by key, ``xdata`` containers among them.

    Yields:
        An entry, a field of it, and what is wrong with it (`Fault.at` has no meaning).
    """
    return _Resolver(known).resolve(entries)


class _Resolver:
    def __init__(self, known: Mapping[str, Entry]) -> None:
        self._known = known
        self._folded: dict[str, Entry] | None = None
        self._done: set[int] = set()

    def resolve(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, str, Fault]]:
        containers = any(entry.type == "xdata" for entry in self._known.values())
        for entry in entries:
            fields = entry.fields
            if containers:
                yield from self._single_values(entry)
            if id(entry) in self._done:
                continue
            if "crossref" in fields or "xdata" in fields:
                yield from self._chain(entry)
            elif "xref" in fields or "related" in fields or "entryset" in fields:
                yield from self._references(entry)

    def _single_values(self, entry: Entry) -> Iterator[tuple[Entry, str, Fault]]:
        """Put in the values that are taken from a container one by one."""
        for name, value in entry.fields.items():
            match = _XDATA_VALUE.fullmatch(value) if value.startswith("xdata") else None
            if match is None:
                continue
            parent = self._find(match[1])
            found = parent.fields.get(match[2].lower(), "") if parent is not None else ""
            if found and match[3]:
                members = found.split(" and ")
                position = int(match[3])
                found = members[position - 1] if 1 <= position <= len(members) else ""
            if parent is None or not found:
                message = f"{name!r} names {value!r}, and there is no such value: correct it or add the entry"
                yield entry, name, Fault("error", "dangling-crossref", message, 0, entry.key)
                continue
            entry.fields[name] = found
            entry.inherited = {**entry.inherited, name: parent.key}

    def _chain(self, entry: Entry) -> Iterator[tuple[Entry, str, Fault]]:
        """Resolve an entry and its ancestors, the oldest first; iterative, so that no chain is too long."""
        stack: list[tuple[Entry, bool]] = [(entry, False)]
        active: dict[int, Entry] = {}
        while stack:
            current, parents_done = stack.pop()
            if parents_done:
                active.pop(id(current), None)
                self._done.add(id(current))
                yield from self._fill(current)
                yield from self._references(current)
                continue
            if id(current) in self._done or id(current) in active:
                continue
            active[id(current)] = current
            stack.append((current, True))
            for field, parent in self._parents(current):
                if id(parent) in active:
                    yield current, field, _circular(current, field, parent)
                elif id(parent) not in self._done:
                    stack.append((parent, False))

    def _parents(self, entry: Entry) -> Iterator[tuple[str, Entry]]:
        for field in ("xdata", "crossref"):
            for key in keys_of(entry.fields.get(field, "")):
                parent = self._find(key)
                if parent is not None:
                    yield field, parent

    def _find(self, key: str) -> Entry | None:
        found = self._known.get(key)
        if found is not None:
            return found
        if self._folded is None:
            self._folded = {}
            for name, entry in self._known.items():
                self._folded.setdefault(name.casefold(), entry)
        return self._folded.get(key.casefold())

    def _references(self, entry: Entry) -> Iterator[tuple[Entry, str, Fault]]:
        """Keys that lead nowhere, or only if case is disregarded."""
        for field, severity in _KEY_FIELDS.items():
            for key in keys_of(entry.fields.get(field, "")):
                if field in entry.inherited or key in self._known:
                    continue
                found = self._find(key)
                if found is None:
                    message = (
                        f"{field} names {key!r}, and there is no such entry: correct the key or add the entry"
                    )
                    yield entry, field, Fault(severity, "dangling-crossref", message, 0, entry.key)
                else:
                    message = f"{field} names {key!r} where the key is {found.key!r}: biber tells case apart"
                    yield entry, field, Fault("warning", "case-collision", message, 0, entry.key)

    def _fill(self, entry: Entry) -> Iterator[tuple[Entry, str, Fault]]:
        inherited = dict(entry.inherited)
        own = frozenset(entry.fields)
        for field, parent in list(self._parents(entry)):
            if id(parent) not in self._done:  # part of a circle
                continue
            if field == "xdata":
                yield from _conflicts(entry, parent, own)
                renamed: list[tuple[str, str]] = []
            else:
                renamed = _renamed(entry, parent)
            for target, source in _taken(entry, parent, renamed).items():
                entry.fields[target] = parent.fields[source]
                inherited[target] = parent.inherited.get(source, parent.key)
        if inherited:
            entry.inherited = inherited


def _conflicts(entry: Entry, parent: Entry, own: frozenset[str]) -> Iterator[tuple[Entry, str, Fault]]:
    if parent.type != "xdata":
        message = f"xdata names {parent.key!r}, which is of type {parent.type!r}: biber takes @xdata only"
        yield entry, "xdata", Fault("warning", "dangling-crossref", message, 0, entry.key)
    for name, value in parent.fields.items():
        if name in own and name not in _NEVER and entry.fields[name] != value:
            message = (
                f"{name!r} stands here and in {parent.key!r}: refkit keeps this one, biber takes the other"
            )
            yield entry, name, Fault("warning", "xdata-conflict", message, 0, entry.key)


def _circular(entry: Entry, field: str, parent: Entry) -> Fault:
    message = (
        f"{field} leads from {entry.key!r} to {parent.key!r} and back again: remove one of the references"
    )
    return Fault("error", "circular-crossref", message, 0, entry.key)


def _renamed(entry: Entry, parent: Entry) -> list[tuple[str, str]]:
    """The fields that change their name between these types."""
    type = _TYPE_ALIASES.get(entry.type, entry.type)
    return [
        pair
        for parents, children, pairs in _RULES
        if parent.type in parents and type in children
        for pair in pairs
    ]


def _taken(entry: Entry, parent: Entry, renamed: list[tuple[str, str]]) -> dict[str, str]:
    """What an entry takes from a parent: its new field and the parent's. Fields of the entry stay."""
    taken: dict[str, str] = {}
    for source, target in renamed:
        if source in parent.fields and target not in taken and not _has(entry, target):
            taken[target] = source
    skipped = {source for source, _ in renamed}
    if renamed:
        skipped |= _NOT_WITH_RENAMING
    for name in parent.fields:
        if name not in _NEVER and name not in skipped and name not in taken and not _has(entry, name):
            taken[name] = name
    return taken


def _has(entry: Entry, name: str) -> bool:
    """Whether an entry has a field, under this or another name."""
    return name in entry.fields or any(other in entry.fields for other in _ALIASES.get(name, ()))
