"""What rules see: all entries, their values by field, the pages, the provenance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from refkit.check import vocabulary
from refkit.check.alike import near_titles
from refkit.check.columns import Column
from refkit.check.fold import family, words
from refkit.check.people import NOT_PLAIN_LIST, People, split_names
from refkit.check.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from refkit.bibtex.reader import Document
    from refkit.model import Entry
    from refkit.pages import Pages, Placement, Section
    from refkit.provenance import Work

#: Fields that a style sets as text, so that TeX reads them.
TEXT_FIELDS = tuple(
    (
        "title subtitle titleaddon shorttitle booktitle booksubtitle booktitleaddon maintitle journal "
        "journaltitle journalsubtitle issuetitle eventtitle venue series publisher organization institution "
        "school location address note addendum howpublished type version origtitle shortjournal author editor"
    ).split()
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
        provenance_text: str = "",
        page_texts: Mapping[str, str] | None = None,
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
        #: The file as it stands, in which a record may stand twice.
        self.provenance_text = provenance_text
        #: Page, relative to the folder of pages -> its text as written.
        self.page_texts = page_texts or {}
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
            special = {hit.value for hit in column.hits(NOT_PLAIN_LIST)}
            for entry, value in column:
                names = split_names(value) if value in special else value.split(" and ")
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
    def titles(self) -> list[tuple[Entry, list[str], str]]:
        """Entries that have a title, its words and the family name of the first author, folded."""
        authors = self.authors
        rows = []
        for entry in self.column("title").entries:
            names = authors.get(entry.key)
            found = self.title_words[entry.key]
            if found:
                rows.append((entry, found, family(names[0]) if names else ""))
        return rows

    @cached_property
    def near_titles(self) -> list[tuple[Entry, Entry]]:
        """Pairs of entries that may be one work."""
        return list(near_titles(self.titles))

    @cached_property
    def word_counts(self) -> Counter[str]:
        """In how many titles each folded word stands."""
        return Counter(word for title in self.title_words.values() for word in set(title))

    @cached_property
    def organisations(self) -> frozenset[str]:
        """Names of organisations in lower case: those that refkit and the project know, and those that
        entries brace.
        """
        braced = {
            name[1:-1].lower()
            for name in self.people.places
            if name[:1] == "{" and name[-1:] == "}" and (" " in name or name[2:-1] != name[2:-1].lower())
        } - {"anonymous"}
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

    def line(self, file: str, number: int) -> str:
        """A line of a document, numbered from 1; empty where there is none."""
        lines = self._lines.get(file)
        if lines is None:
            from refkit.bibtex.source import plain

            document = self.documents.get(file)
            lines = self._lines[file] = plain(document.text).split("\n") if document else []
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""

    def value_at(self, entry: Entry, field: str) -> int | None:
        """Where a field's value begins in its document's text, delimiter included; ``None`` where it has no
        place.
        """
        document = self.documents.get(entry.file)
        if document is None or field in entry.inherited or field not in entry.fields:
            return None
        text, value = document.text, entry.fields[field][:8]
        at = text.find(field, entry.start, entry.end)
        while at >= 0:
            start = _behind_equals(text, at, at + len(field), entry.end)
            if start is not None and (
                (value and (text.startswith(value, start + 1) or text.startswith(value, start)))
                or _is_macro(text, at, start)
            ):
                return start
            at = text.find(field, at + 1, entry.end)
        found = next((one for one in document.fields_of(entry) if one.name == field), None)
        return found.value_start if found else None

    def written(self, entry: Entry, field: str) -> str:
        """A field's value as it stands in the file, delimiters included; empty where there is no file."""
        document = self.documents.get(entry.file)
        if document is None:
            return ""
        found = next((one for one in document.fields_of(entry) if one.name == field), None)
        return document.text[found.value_start : found.value_end] if found else ""

    @cached_property
    def placements(self) -> list[tuple[Section, Placement]]:
        """All placements with their sections, in reading order."""
        sections = self.pages.sections if self.pages is not None else ()
        return [(section, placed) for section in sections for placed in section.placements]

    @cached_property
    def annotations(self) -> dict[tuple[str, int], str]:
        """(slug, position) of each placement -> its annotation as plain text, citations as their keys."""
        from refkit.pages.inline import to_text

        return {
            (section.slug, placed.position): to_text(placed.annotation, lambda _: None)
            for section, placed in self.placements
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


_BLANKS = re.compile(r"\s*+=\s*+")


def _behind_equals(text: str, at: int, end: int, limit: int) -> int | None:
    """Where the value of the field begins whose name stands here; ``None`` where no field's name does."""
    before = text[at - 1]
    if before.isalnum() or before in "-_:+./":
        return None
    equals = _BLANKS.match(text, end, limit)
    return equals.end() if equals else None


def _is_macro(text: str, at: int, start: int) -> bool:
    """Whether a bare word begins here, in a field that begins its line."""
    return text[start : start + 1].isalpha() and not text[text.rfind("\n", 0, at) + 1 : at].strip()
