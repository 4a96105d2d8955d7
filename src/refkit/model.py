"""What a bibliography is made of: persons, entries, diagnostics. No input or output, no format.

The types of this module are small and, but for caches, immutable. They are tuples or have ``__slots__``
because a file of 10,000 entries makes some 200,000 of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from refkit import identifiers
from refkit.values import dates, tex

if TYPE_CHECKING:
    from refkit.values.dates import Date

Severity = Literal["error", "warning", "info"]

#: Fields whose value is a list of names (BibLaTeX manual, 2.2.2).
NAME_FIELDS = frozenset(
    "author editor editora editorb editorc translator annotator commentator introduction foreword "
    "afterword bookauthor holder shortauthor shorteditor namea nameb namec sortname".split()
)

#: Fields whose value is taken as it stands: no TeX is read in them (BibLaTeX manual, 2.2.1 "verbatim",
#: "uri").
VERBATIM_FIELDS = frozenset(
    "date urldate eventdate origdate doi eprint file pdf url urlraw verba verbb verbc "
    "crossref xref xdata ids keywords".split()
)


class Person(NamedTuple):
    """One name of a name list, as plain Unicode text (NFC).

    Either ``literal`` is set (an organisation, or a name nobody may split) or the four parts are.
    """

    #: Family name without its particle: ``Beethoven``.
    family: str = ""
    #: Given names and initials: ``Ludwig``.
    given: str = ""
    #: Particle, called "von" part by BibTeX: ``van``.
    prefix: str = ""
    #: Lineage: ``Jr``, ``III``.
    suffix: str = ""
    #: The whole name where it is not to be split.
    literal: str = ""
    #: Whether the particle belongs to the family name when sorting (extended name format of biber), if said.
    useprefix: bool | None = None

    @property
    def short(self) -> str:
        """The name as a label or a list of people shows it: particle and family name, or the literal."""
        if self.literal:
            return self.literal
        return f"{self.prefix} {self.family}".strip() or self.given

    @property
    def full(self) -> str:
        """The name in reading order: ``Ludwig van Beethoven``, ``John Doe Jr``."""
        if self.literal:
            return self.literal
        return " ".join(part for part in (self.given, self.prefix, self.family, self.suffix) if part)


class NameList(NamedTuple):
    """The people of a field, and whether the list ends in ``and others``."""

    people: tuple[Person, ...] = ()
    others: bool = False


class Diagnostic(NamedTuple):
    """Something that a person should know: what, where, what to do."""

    severity: Severity
    #: A stable word in kebab-case, for example ``duplicate-key``.
    code: str
    #: One sentence: what is wrong and what to do.
    message: str
    key: str | None = None
    file: str | None = None
    #: 1-based; ``None`` where the finding has no place.
    line: int | None = None
    fixable: bool = False
    #: 1-based column and length in characters of what is meant, for a caret under it.
    column: int | None = None
    length: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The members that ``--format json`` prints."""
        return {
            name: getattr(self, name)
            for name in ("severity", "code", "key", "file", "line", "message", "fixable")
        }

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        key = f" [{self.key}]" if self.key else ""
        return f"{place}: {self.severity}: {self.message} ({self.code}){key}".removeprefix(": ")


class Entry:
    """One entry: facts about one work, as they stand in a .bib file.

    ``fields`` maps lower-case field names to raw BibTeX values (outer delimiters off, ``#`` joined, macros
    expanded, runs of white space as one blank), in file order, with inherited values (crossref, xdata)
    resolved at the end. The plain text of a value is computed when asked for, once.
    """

    __slots__ = ("_names", "_text", "end", "fields", "file", "inherited", "key", "line", "start", "type")

    def __init__(
        self,
        key: str,
        type: str,
        fields: dict[str, str],
        *,
        file: str = "",
        line: int = 0,
        start: int = 0,
        end: int = 0,
        inherited: Mapping[str, str] | None = None,
    ) -> None:
        self.key = key
        #: Entry type in lower case, without ``@``.
        self.type = type
        self.fields = fields
        #: The file it was read from as the caller named it, and the 1-based line of its ``@``.
        self.file = file
        self.line = line
        #: Span of the whole block in the file's text, in characters: ``text[start:end]``.
        self.start = start
        self.end = end
        #: Names of inherited fields and the key of the entry that each came from.
        self.inherited: Mapping[str, str] = inherited or {}
        self._text: dict[str, str] | None = None
        self._names: dict[str, NameList] | None = None

    @property
    def is_settings(self) -> bool:
        """Whether it is no work but settings of a style or package: ``@IEEEtranBSTCTL``, ``@Control``."""
        return self.type.endswith(("bstctl", "control"))

    def __repr__(self) -> str:
        return f"Entry({self.key!r}, {self.type!r}, {self.fields!r})"

    def __contains__(self, name: str) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def get(self, *names: str) -> str:
        """The raw value of the first of these fields that is there and not empty, else ``""``."""
        for name in names:
            value = self.fields.get(name)
            if value:
                return value
        return ""

    def text(self, *names: str) -> str:
        """The plain text (Unicode, NFC) of the first of these fields that is there and not empty, else
        ``""``."""
        texts = self._text
        if texts is None:
            texts = self._text = {}
        for name in names:
            if name in texts:
                return texts[name]
            raw = self.fields.get(name)
            if raw:
                text = tex.verbatim(raw) if name in VERBATIM_FIELDS else tex.decode(raw)
                texts[name] = text
                return text
        return ""

    def names(self, name: str) -> NameList:
        """The people of a name field; empty where the field is absent."""
        raw = self.fields.get(name)
        if not raw:
            return NameList()
        if self._names is None:
            self._names = {}
        found = self._names.get(name)
        if found is None:
            from refkit.values import names

            found = self._names[name] = names.parse(raw)
        return found

    @property
    def date(self) -> Date | None:
        """The work's date, from ``date`` or from ``year`` and ``month``; ``None`` where neither gives one."""
        return dates.of(self.text("date"), self.text("year"), self.fields.get("month", ""), self.text("day"))

    @property
    def doi(self) -> str:
        """The normalised DOI (lower case, no resolver address), or ``""``."""
        return identifiers.doi(self.get("doi")) or ""

    @property
    def arxiv(self) -> str:
        """The arXiv identifier without version (``2205.14135``, ``hep-th/9901001``), or ``""``."""
        return identifiers.arxiv_of(self.fields) or ""

    @property
    def url(self) -> str:
        """The address: ``url``, or ``howpublished`` where that is nothing but an address; else ``""``."""
        return identifiers.url_of(self.fields) or ""
