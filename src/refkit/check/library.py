"""What rules see: all entries, their values by field, the pages, the provenance.

Most rules look at one field of all entries. Its values, joined by line feeds, are one text, which a pattern searches
in one go; only where it hits does Python look closer. So the cost of a rule that finds nothing is that of one search.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit.check import vocabulary
from refkit.check.fold import words
from refkit.check.settings import Settings
from refkit.model import Entry

if TYPE_CHECKING:
    from pathlib import Path

    from refkit.bibtex.reader import Document
    from refkit.pages import Pages, Section
    from refkit.provenance import Work

#: Fields that a style sets as text, so that TeX reads them.
TEXT_FIELDS = tuple(
    "title subtitle titleaddon shorttitle booktitle booksubtitle booktitleaddon maintitle journal journaltitle "
    "journalsubtitle issuetitle eventtitle venue series publisher organization institution school location address "
    "note addendum howpublished type version origtitle shortjournal author editor".split()
)
#: Fields that name a work or its container.
TITLE_FIELDS = (
    "title",
    "subtitle",
    "booktitle",
    "booksubtitle",
    "maintitle",
    "journaltitle",
    "journal",
    "shorttitle",
)
#: The people of a work.
PEOPLE_FIELDS = ("author", "editor", "translator")
#: Fields that only BibLaTeX has: an entry with one of them is written for it.
BIBLATEX_FIELDS = frozenset(
    ("date", "urldate", "journaltitle", "eventtitle", "location", "eprinttype", "entrysubtype")
)


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

    @cached_property
    def text(self) -> str:
        """All values, one a line."""
        text = "\n".join(self.values)
        if text.count("\n") != max(len(self.values) - 1, 0):
            text = "\n".join(value.replace("\n", " ") for value in self.values)
        return text

    @cached_property
    def is_ascii(self) -> bool:
        """Whether all values are ASCII."""
        return self.text.isascii()

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(value) + 1 for value in self.values), initial=0))

    def hits(self, pattern: re.Pattern[str]) -> Iterator[Hit]:
        """The values that a pattern is found in, each once. The pattern must not match across line feeds."""
        text = self.text
        if not self.values:
            return
        starts = self._starts
        found = pattern.search(text)
        while found is not None:
            row = bisect_right(starts, found.start()) - 1
            if row == len(self.values):  # an empty match at the very end
                row -= 1
            begin = starts[row]
            yield Hit(self.entries[row], self.values[row], found, found.start() - begin, found.end() - begin)
            if starts[row + 1] > len(text):
                return
            found = pattern.search(text, starts[row + 1])


class People(NamedTuple):
    """The names of all lists of people, each spelling once, with where it stands."""

    #: A name as written -> entries and fields that have it.
    places: Mapping[str, Sequence[tuple[Entry, str]]]
    #: Entry and field -> its names as written.
    lists: Sequence[tuple[Entry, str, list[str]]]

    def hits(self, pattern: re.Pattern[str]) -> Iterator[str]:
        """The names that a pattern is found in. The pattern must not match across line feeds."""
        text = "\n".join(self.places)
        names = list(self.places)
        starts = list(accumulate((len(name) + 1 for name in names), initial=0))
        found = pattern.search(text) if names else None
        while found is not None:
            row = min(bisect_right(starts, found.start()) - 1, len(names) - 1)
            yield names[row]
            if starts[row + 1] > len(text):
                return
            found = pattern.search(text, starts[row + 1])


class Library:
    """All that rules look at. Nothing here reads a file or writes one."""

    def __init__(
        self,
        entries: Iterable[Entry],
        documents: Iterable[Document] = (),
        *,
        settings: Settings | None = None,
        today: date | None = None,
        root: Path | None = None,
        pages: Pages | None = None,
        pages_folder: str = "",
        provenance: Mapping[str, Any] | None = None,
        provenance_file: str = "",
        config_file: str = "pyproject.toml",
        whole: bool = True,
    ) -> None:
        self.entries = list(entries)
        #: File name as in the entries -> the document.
        self.documents = {document.file: document for document in documents}
        self.settings = settings or Settings()
        self.today = today or date.today()  # noqa: DTZ011 - the day on the reader's calendar is meant
        #: The folder that the documents' names are relative to.
        self.root = root
        self.pages = pages
        #: What stands before a page's name in findings: the folder of pages, with a slash.
        self.pages_prefix = f"{pages_folder}/" if pages_folder else ""
        self.provenance = provenance
        self.provenance_file = provenance_file
        self.config_file = config_file
        #: Whether these are all entries of the project, so that what is missing among them is missing.
        self.whole = whole
        self._works: dict[str, Work] = {}
        self._lines: dict[str, list[str]] = {}

    @cached_property
    def by_key(self) -> dict[str, Entry]:
        """Entries by key; the first of equal keys."""
        out: dict[str, Entry] = {}
        for entry in self.entries:
            out.setdefault(entry.key, entry)
        return out

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The values of each field that occurs."""
        columns: dict[str, Column] = {}
        for entry in self.entries:
            inherited = entry.inherited
            for name, value in entry.fields.items():
                if inherited and name in inherited:
                    continue
                column = columns.get(name)
                if column is None:
                    column = columns[name] = Column(name)
                column.entries.append(entry)
                column.values.append(value)
        return columns

    def column(self, name: str) -> Column:
        """The values of a field."""
        return self.columns.get(name) or Column(name)

    def some(self, names: Iterable[str]) -> Iterator[Column]:
        """The columns of these fields, those that occur."""
        for name in names:
            column = self.columns.get(name)
            if column is not None:
                yield column

    @cached_property
    def people(self) -> People:
        """The names of ``author``, ``editor`` and ``translator``."""
        places: dict[str, list[tuple[Entry, str]]] = {}
        lists: list[tuple[Entry, str, list[str]]] = []
        for column in self.some(PEOPLE_FIELDS):
            for entry, value in column:
                names = split_names(value)
                lists.append((entry, column.name, names))
                place = (entry, column.name)
                for name in names:
                    found = places.get(name)
                    if found is None:
                        places[name] = [place]
                    else:
                        found.append(place)
        return People(places, lists)

    @cached_property
    def authors(self) -> dict[str, list[str]]:
        """Key -> the names of the author field as written."""
        return {entry.key: names for entry, field, names in self.people.lists if field == "author"}

    @cached_property
    def title_words(self) -> dict[str, list[str]]:
        """Key -> the words of the title, folded."""
        return {entry.key: words(value) for entry, value in self.column("title")}

    @cached_property
    def word_counts(self) -> Counter[str]:
        """In how many titles each folded word stands."""
        return Counter(word for title in self.title_words.values() for word in set(title))

    @cached_property
    def organisations(self) -> frozenset[str]:
        """Names of organisations in lower case: those that refkit and the project know, and those that entries brace."""
        braced = {name[1:-1].lower() for name in self.people.places if name[:1] == "{" and name[-1:] == "}"}
        return (
            vocabulary.organisations().names | braced | {name.lower() for name in self.settings.organisations}
        )

    @cached_property
    def is_classic(self) -> bool:
        """Whether the library is written for BibTeX alone: no field of it is BibLaTeX's."""
        return BIBLATEX_FIELDS.isdisjoint(self.columns)

    @cached_property
    def terms(self) -> Mapping[str, str]:
        """A term in lower case -> how it is spelled."""
        return {**vocabulary.terms(), **{word.lower(): word for word in self.settings.terms}}

    def entry_at(self, file: str, at: int) -> Entry | None:
        """The entry whose block holds a position of a document's text."""
        of_file = self._entries_of_file.get(file, [])
        row = bisect_right(of_file, at, key=lambda entry: entry.start) - 1
        return of_file[row] if row >= 0 and at < of_file[row].end else None

    def line(self, file: str, number: int) -> str:
        """A line of a document, numbered from 1; empty where there is none."""
        lines = self._lines.get(file)
        if lines is None:
            from refkit.bibtex.source import plain

            document = self.documents.get(file)
            lines = self._lines[file] = plain(document.text).split("\n") if document else []
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""

    def written(self, entry: Entry, field: str) -> str:
        """A field's value as it stands in the file, delimiters included; empty where there is no file."""
        document = self.documents.get(entry.file)
        if document is None:
            return ""
        found = next((one for one in document.fields_of(entry) if one.name == field), None)
        return document.text[found.value_start : found.value_end] if found else ""

    @cached_property
    def _entries_of_file(self) -> dict[str, list[Entry]]:
        out: dict[str, list[Entry]] = {}
        for entry in self.entries:
            out.setdefault(entry.file, []).append(entry)
        return out

    @cached_property
    def annotations(self) -> dict[tuple[str, int], str]:
        """(slug, position) of each placement -> its annotation as plain text, citations as their keys."""
        from refkit.pages.inline import to_text

        sections = self.pages.sections if self.pages is not None else ()
        return {
            (section.slug, placed.position): to_text(placed.annotation, lambda _: None)
            for section in sections
            for placed in section.placements
        }

    def work(self, key: str) -> Work:
        """What provenance says of a work."""
        from refkit import provenance

        found = self._works.get(key)
        if found is None:
            found = self._works[key] = provenance.work(self.provenance or {}, key)
        return found

    def section(self, slug: str) -> Section | None:
        """A section of the pages."""
        return self.pages.section(slug) if self.pages is not None else None


_AND = re.compile(r" and ", re.IGNORECASE)


def split_names(value: str) -> list[str]:
    """The names of a list as written, split at each ``and`` outside braces; ``others`` is one of them."""
    names = _AND.split(value) if " AND " in value or " And " in value else value.split(" and ")
    if "{" not in value or len(names) == 1:
        return names
    out: list[str] = []
    depth = 0
    for name in names:
        if depth:
            out[-1] += " and " + name
        else:
            out.append(name)
        depth += name.count("{") - name.count("}")
    return out
