"""The bibliography of a Sphinx project: read once in a build by refkit's own reader, never by pybtex.

sphinxcontrib-bibtex and pybtex's styles see it through :class:`PybtexEntry` and :meth:`Library.bibdata`,
which make what they ask for when they ask for it. Nothing of this is stored in Sphinx's environment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pybtex.database import BibliographyData
from pybtex.database import Entry as BaseEntry
from pybtex.database import Person as PybtexPerson
from pybtex.utils import OrderedCaseInsensitiveDict
from sphinxcontrib.bibtex.bibfile import BibData, BibFile, get_mtime

from refkit.bibtex import UnreadableError, read_bytes, read_sources
from refkit.bibtex.inherit import keys_of
from refkit.labels import Label, labels
from refkit.model import Diagnostic, Entry, Person
from refkit.sphinxext import reference

if TYPE_CHECKING:
    from refkit.bibtex import Bibliography

#: The fields whose names pybtex splits.
PYBTEX_PERSONS = ("author", "editor")


class Library:
    """All entries of a project's .bib files, with what a build derives from them."""

    def __init__(
        self,
        files: Sequence[Path],
        root: Path,
        provenance: Mapping[str, Any] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        #: The .bib files, absolute, in the order in which they are configured.
        self.files = tuple(files)
        self._root = root
        #: What was wrong in the files.
        self.diagnostics: list[Diagnostic] = []
        self.bibliography: Bibliography = self._read(root)
        #: Entries by key, exact: keys that differ by case are different works here.
        self.entries: Mapping[str, Entry] = self.bibliography.by_key
        #: The content of provenance.json.
        self.provenance: Mapping[str, Any] = provenance or {}
        #: Old keys and the keys that they stand for, those of the field ``ids`` after those of the project.
        self.aliases: Mapping[str, str] = self._aliases(aliases or {})
        self._pybtex: dict[str, PybtexEntry] = {}
        self._plain: dict[str, str] = {}

    def _aliases(self, configured: Mapping[str, str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for old in configured:
            key, seen = old, {old}
            while key not in self.entries and (new := configured.get(key)) and new not in seen:
                key = new
                seen.add(key)
            if key != old and key in self.entries:
                found[old] = key
        for key, entry in self.entries.items():
            for old in keys_of(entry.fields.get("ids", "")):
                if old not in self.entries:
                    found.setdefault(old, key)
        return found

    def key(self, key: str) -> str:
        """The key under which a work is known now: the one given, unless that is an old one."""
        return key if key in self.entries else self.aliases.get(key, key)

    def old_keys(self, key: str) -> list[str]:
        """The old keys of a work."""
        return [old for old, new in self.aliases.items() if new == key] if self.aliases else []

    def mark(self, key: str) -> str:
        """What changes when that changes which a page shows for a key."""
        now = self.key(key)
        return self.digests.get(now, "") if now == key else f"{now} {self.digests[now]}"

    def _read(self, root: Path) -> Bibliography:
        """Read all files; one that cannot be read is reported and costs only itself."""
        contents: dict[str, bytes] = {}
        for path in self.files:
            name = file_name(path, root)
            try:
                contents[name] = path.read_bytes()
            except OSError as error:
                self._unreadable(
                    name, f"cannot be opened ({error.strerror or error}); correct bibtex_bibfiles or the file"
                )
        try:
            bibliography = read_sources(contents.items())
        except UnreadableError:
            bibliography = read_sources(self._readable(contents))
        self.diagnostics += bibliography.diagnostics
        return bibliography

    def _readable(self, contents: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
        for name, data in contents.items():
            try:
                read_bytes(data, name)
            except UnreadableError as error:
                self._unreadable(name, f"cannot be read: {error}")
            else:
                yield name, data

    def _unreadable(self, name: str, why: str) -> None:
        self.diagnostics.append(Diagnostic("error", "bib-file", f"this .bib file {why}", file=name))

    @cached_property
    def labels(self) -> dict[str, Label]:
        """Citation labels by key, computed once for all pages."""
        return labels(self.entries.values())

    @cached_property
    def digests(self) -> dict[str, str]:
        """For each work a digest of all that a page can show of it: the entry and its label."""
        return {
            key: digest((entry.type, entry.fields, self.labels[key])) for key, entry in self.entries.items()
        }

    @cached_property
    def digest(self) -> str:
        """A digest of all works; files, order and layout do not count."""
        return digest(sorted(self.digests.items()))

    @cached_property
    def keys_of(self) -> dict[Path, tuple[str, ...]]:
        """The keys of each file, in its order."""
        found: dict[str, list[str]] = {}
        for key, entry in self.entries.items():
            found.setdefault(entry.file, []).append(key)
        return {path: tuple(found.get(file_name(path, self._root), ())) for path in self.files}

    @cached_property
    def sort_keys(self) -> dict[str, tuple[str, str, str, str]]:
        """By key what bibliographies are sorted by: people or title as in the label, date, title, key."""
        out = {}
        for key, entry in self.entries.items():
            date = entry.date
            title = entry.text("title").casefold()
            out[key] = (self.labels[key].name.casefold(), date.iso if date else "", title, key)
        return out

    def plain_reference(self, key: str) -> str:
        """The reference as plain text, for tooltips."""
        found = self._plain.get(key)
        if found is None:
            found = self._plain[key] = reference.plain(reference.reference(self.entries[key]))
        return found

    def pybtex_entry(self, key: str) -> PybtexEntry:
        """The entry as pybtex's styles want it, made once.

        Raises:
            KeyError: there is no such work.
        """
        found = self._pybtex.get(key)
        if found is None:
            found = self._pybtex[key] = PybtexEntry(self.entries[key])
        return found

    def bibdata(self, encoding: str) -> BibData:
        """The library in the shape that sphinxcontrib-bibtex keeps, up to date by its own test."""
        data = BibliographyData()
        data.entries = PybtexEntries(self)
        files = {
            path: BibFile(mtime=get_mtime(path), keys=dict.fromkeys(self.keys_of[path]))
            for path in self.files
        }
        return BibData(encoding=encoding, bibfiles=files, data=data)


def file_name(path: Path, root: Path) -> str:
    """A file as messages name it: relative to the project's folder where it lies in it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def digest(value: object) -> str:
    """A short digest of plain data: strings, numbers, tuples, lists and dictionaries of them."""
    return hashlib.blake2b(repr(value).encode(), digest_size=12).hexdigest()


class PybtexEntry(BaseEntry):  # type: ignore[misc] # pybtex has no types
    """An entry for pybtex; its people are split only when a style asks for them."""

    def __init__(self, source: Entry) -> None:
        #: The entry that this stands for.
        self.source = source
        self.key = source.key
        self.type = source.type
        self.original_type = source.type
        self.fields = OrderedCaseInsensitiveDict(
            (name, value) for name, value in source.fields.items() if name not in PYBTEX_PERSONS
        )

    @cached_property
    def persons(self) -> Mapping[str, list[Any]]:
        """People by role, as pybtex's persons."""
        roles = (role for role in PYBTEX_PERSONS if role in self.source)
        people: Mapping[str, list[Any]] = OrderedCaseInsensitiveDict(
            (role, pybtex_people(self.source, role)) for role in roles
        )
        return people


def pybtex_people(entry: Entry, role: str) -> list[Any]:
    """The people of a field as pybtex's persons, "and others" as the person of that name."""
    found = entry.names(role)
    people = [_pybtex_person(person) for person in found.people]
    return [*people, PybtexPerson(last="others")] if found.others else people


def _pybtex_person(person: Person) -> Any:
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
        return iter(self._library.entries)

    def __len__(self) -> int:
        return len(self._library.entries)
