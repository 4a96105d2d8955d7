"""Reads .bib files: text in, documents and a bibliography out, a diagnostic for all that was passed over.

A broken record costs itself only. Of repeated fields the first counts (BibTeX; biber takes the last), of
repeated keys all entries are kept; both are reported.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path

from refkit.bibtex import inherit
from refkit.bibtex.encoding import Decoded, decode
from refkit.bibtex.grammar import Block, Fault, Field, Macro, Severity, Value
from refkit.bibtex.macros import CLASSIC, MAX_VALUE, Macros, TooLongError
from refkit.bibtex.scan import Part, Scanner, fields_of
from refkit.bibtex.source import plain
from refkit.model import Diagnostic, Entry

_SPACES = re.compile(r"[ \t\r\n\f\v]+")
# White space that is more than that to Python, but text to BibTeX.
_SPECIAL_SPACE = re.compile("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


class Document:
    """One .bib file as it was read. ``encode`` of an unchanged text gives the file's bytes."""

    __slots__ = (
        "_decoded",
        "_lines",
        "blocks",
        "diagnostics",
        "entries",
        "file",
        "newline",
        "strings",
        "xdata",
    )

    def __init__(self, decoded: Decoded, file: str) -> None:
        """A file before reading."""
        self._decoded = decoded
        self._lines: _Lines | None = None
        #: The file's name, as the caller gave it.
        self.file = file
        #: The line ending that the file uses: ``\\n``, ``\\r\\n`` or ``\\r``.
        self.newline = _newline(decoded.text)
        #: All of the text, cut up.
        self.blocks: list[Block] = []
        #: In file order, repeated keys included, without `xdata`.
        self.entries: list[Entry] = []
        #: ``@xdata`` entries: containers of fields for other entries.
        self.xdata: list[Entry] = []
        #: Macros that the file defines: lower-case name to text.
        self.strings: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []

    @property
    def text(self) -> str:
        """The file's text, as exact as its bytes: byte order mark and line endings included."""
        return self._decoded.text

    @property
    def encoding(self) -> str:
        """Codec of the file."""
        return self._decoded.encoding

    def encode(self, start: int = 0, end: int | None = None) -> bytes:
        """The bytes of ``text[start:end]`` as they stand in the file, stray ones included."""
        return self._decoded.encode(start, end)

    def place(self, at: int) -> tuple[int, int]:
        """Line and column, from 1, of a position in the text."""
        if self._lines is None:
            self._lines = _Lines(plain(self.text))
        return self._lines.place(at)

    def block_of(self, entry: Entry) -> Block:
        """The block that an entry was read from.

        Raises:
            KeyError: the entry is not from this document.
        """
        index = bisect_left(self.blocks, entry.start, key=lambda block: block.start)
        if index < len(self.blocks) and self.blocks[index].start == entry.start:
            return self.blocks[index]
        raise KeyError(entry.key)

    def fields_of(self, entry: Entry) -> tuple[Field, ...]:
        """The spans of an entry's own fields.

        Raises:
            KeyError: the entry is not from this document.
        """
        return fields_of(self.text, self.block_of(entry))


class Bibliography:
    """The entries of one or several .bib files, inheritance resolved."""

    __slots__ = ("_aliases", "by_key", "diagnostics", "documents", "entries", "xdata")

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        """Gather documents that were read together."""
        self.documents = tuple(documents)
        #: In the order of files and in them.
        self.entries: list[Entry] = [entry for document in self.documents for entry in document.entries]
        self.xdata: list[Entry] = [entry for document in self.documents for entry in document.xdata]
        #: Exact key to entry; of repeated keys the first.
        self.by_key: dict[str, Entry] = {}
        for entry in self.entries:
            if entry.key:
                self.by_key.setdefault(entry.key, entry)
        self._aliases: dict[str, Entry] | None = None
        self.diagnostics: list[Diagnostic] = [
            diagnostic for document in self.documents for diagnostic in document.diagnostics
        ]

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        """The entries, in the order of files and in them."""
        return iter(self.entries)

    def get(self, key: str) -> Entry | None:
        """The entry with this key, or with this key among its ``ids``."""
        found = self.by_key.get(key)
        if found is not None:
            return found
        if self._aliases is None:
            self._aliases = {}
            for entry in self.entries:
                for alias in inherit.keys_of(entry.fields.get("ids", "")):
                    self._aliases.setdefault(alias, entry)
        return self._aliases.get(key)


def read_text(text: str, file: str = "") -> Document:
    """Read a text. ``file`` is its name in diagnostics."""
    return _read([(file, Decoded(text))])[0]


def read_bytes(data: bytes, file: str = "") -> Document:
    """Read the content of a .bib file.

    Raises:
        UnreadableError: it is not text, or too large.
    """
    return _read([(file, decode(data, file))])[0]


def read_file(path: Path | str) -> Document:
    """Read a .bib file.

    Raises:
        UnreadableError: it is not text, or too large.
        OSError: it cannot be opened.
    """
    return read_bytes(Path(path).read_bytes(), str(path))


def read_files(paths: Iterable[Path | str], *, relative_to: Path | None = None) -> Bibliography:
    """Read several .bib files as one bibliography: macros and parents are found across files.

    Files below ``relative_to`` are named relative to it, with ``/``.

    Raises:
        UnreadableError: one is not text, or too large.
        OSError: one cannot be opened.
    """
    named = ((_name(Path(path), relative_to), Path(path)) for path in paths)
    return read_sources((name, path.read_bytes()) for name, path in named)


def read_sources(sources: Iterable[tuple[str, bytes]]) -> Bibliography:
    """Read contents of .bib files, with their names, as one bibliography.

    Raises:
        UnreadableError: one is not text, or too large; the message begins with its name.
    """
    return Bibliography(_read([(file, decode(data, file)) for file, data in sources]))


def _name(path: Path, root: Path | None) -> str:
    if root is not None and path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    return str(path)


def _newline(text: str) -> str:
    end = text.find("\n")
    if end > 0 and text[end - 1] == "\r":
        return "\r\n"
    return "\r" if end < 0 and "\r" in text else "\n"


# --------------------------------------------------------------------------- reading


def _read(sources: list[tuple[str, Decoded]]) -> list[Document]:
    macros = Macros()
    readers = [_Reader(decoded, file, macros) for file, decoded in sources]
    for reader in readers:
        reader.read()
    for reader in readers:
        reader.finish()
    documents = [reader.document for reader in readers]
    _link(documents)
    for document in documents:
        document.diagnostics.sort(key=lambda diagnostic: (diagnostic.line or 0, diagnostic.column or 0))
    return documents


class _Unfinished:
    """A value with macros that were not defined where it stands."""

    __slots__ = ("block", "entry", "name", "value")

    def __init__(self, block: Block, entry: Entry | None, name: str, value: Value) -> None:
        self.block = block
        self.entry = entry
        self.name = name
        self.value = value


class _Reader:
    """Reads one document; macros are shared with the others of a bibliography."""

    def __init__(self, decoded: Decoded, file: str, macros: Macros) -> None:
        self.document = Document(decoded, file)
        self.scanner = Scanner(decoded.text)
        self.macros = macros
        self.unfinished: list[_Unfinished] = []
        self.names: dict[str, str] = {}
        self._placed: tuple[Block, dict[str, tuple[int, int]]] | None = None  # of the block reported on last
        macros.allow(8 * len(decoded.text))

    def read(self) -> None:
        """Read all blocks; values with macros that are not defined yet are left for `finish`."""
        document, text = self.document, self.scanner.text
        line, counted = 1, 0
        for part in self.scanner.parts():
            block = part.block
            document.blocks.append(block)
            if block.kind == "entry":
                line += text.count("\n", counted, block.start)
                counted = block.start
                entry = Entry(
                    block.key,
                    sys.intern(block.type),
                    {},
                    file=document.file,
                    line=line,
                    start=block.start,
                    end=block.end,
                )
                (document.xdata if block.type == "xdata" else document.entries).append(entry)
                self._fill(entry, part)
            elif block.kind == "string":
                for name, value in part.fields:
                    self._define(block, name, value)

    def _fill(self, entry: Entry, part: Part) -> None:
        fields = entry.fields
        names = self.names
        for name, value in part.fields:
            name = names.setdefault(name, name)
            if type(value) is str:
                # The common case, inlined: a literal of ASCII text.
                text = " ".join(value.split()) if value.isascii() else _squeezed(value)
            else:
                text = self._expanded(part.block, entry, name, value)
            if name in fields:
                self._repeated(entry, part.block, name, text)
            else:
                fields[name] = text

    def _expanded(self, block: Block, entry: Entry, name: str, value: Value) -> str:
        if self.macros.unknown(value):
            # What is known now is taken now: a macro may be defined anew further on.
            self.unfinished.append(_Unfinished(block, entry, name, self._partly(value)))
            return ""
        try:
            return _squeezed(self.macros.expand(value))
        except TooLongError:
            self._too_long(block, name)
            return ""

    def _partly(self, value: Value) -> Value:
        if not isinstance(value, list):
            return value
        known = self.macros.values
        return [
            known.get(piece.lower(), piece) or "" if isinstance(piece, Macro) else piece for piece in value
        ]

    def _define(self, block: Block, name: str, value: Value) -> None:
        if self.macros.unknown(value):
            self.unfinished.append(_Unfinished(block, None, name, self._partly(value)))
            return
        self._set(block, name, value)

    def _set(self, block: Block, name: str, value: Value) -> None:
        try:
            text: str | None = _runs(self.macros.expand(value))
        except TooLongError:
            text = None
            self._too_long(block, name)
        before = self.document.strings.get(name)
        if before is not None and before != text:
            message = (
                f"the macro {name!r} is defined twice, from here on with another text: delete one of them"
            )
            self._report("warning", "duplicate-string", message, block, name)
        self.macros.values[name] = text
        self.document.strings[name] = text or ""

    def finish(self) -> None:
        """Expand what macros further on, or in later files, define; report what none does."""
        for late in self.unfinished:
            if late.entry is None:
                self._tell_undefined(late)
                self._set(late.block, late.name, late.value)
        for late in self.unfinished:
            if late.entry is not None:
                self._tell_undefined(late)
                try:
                    late.entry.fields[late.name] = _squeezed(self.macros.expand(late.value))
                except TooLongError:
                    self._too_long(late.block, late.name)
        self._finish_diagnostics()

    def _tell_undefined(self, late: _Unfinished) -> None:
        pieces = late.value if isinstance(late.value, list) else [late.value]
        for piece in dict.fromkeys(piece for piece in pieces if isinstance(piece, Macro)):
            name = piece.lower()
            if name in self.macros.values:
                message = (
                    f"the macro {piece!r} is used before its @string, which only refkit reads: move that up"
                )
            elif name in CLASSIC:
                meant = f"@string{{{name} = {{{CLASSIC[name]}}}}}"
                message = f"the macro {piece!r} is defined by BibTeX's own styles only: add {meant}"
            else:
                message = (
                    f"the macro {piece!r} is not defined: add an @string for it, or braces around the text"
                )
            self._report("warning", "undefined-string", message, late.block, late.name)

    # ------------------------------------------------------------------ diagnostics

    def _repeated(self, entry: Entry, block: Block, name: str, text: str) -> None:
        if entry.fields[name] == text:
            message = f"the field {name!r} stands here twice with the same value: delete one"
            self._report("warning", "duplicate-field", message, block, name, last=True)
        else:
            message = (
                f"the field {name!r} stands here twice (BibTeX reads the first, biber the last): merge them"
            )
            self._report("error", "duplicate-field", message, block, name, last=True)

    def _too_long(self, block: Block, name: str) -> None:
        message = f"macros make the value of {name!r} longer than {MAX_VALUE:,} characters: it is left out"
        self._report("error", "limit", message, block, name)

    def _report(
        self, severity: Severity, code: str, message: str, block: Block, name: str, last: bool = False
    ) -> None:
        first, final = self._places(block).get(name, (block.start, block.start))
        at = final if last else first
        key = block.key if block.kind == "entry" else ""
        self.scanner.source.report(severity, code, message, at, key)

    def _places(self, block: Block) -> dict[str, tuple[int, int]]:
        """Where a field of a block stands, and where it stands last if it is repeated."""
        if self._placed is None or self._placed[0] is not block:
            places: dict[str, tuple[int, int]] = {}
            for field in fields_of(self.scanner.text, block):
                places[field.name] = (places.get(field.name, (field.start, 0))[0], field.start)
            self._placed = block, places
        return self._placed[1]

    def _finish_diagnostics(self) -> None:
        document = self.document
        decoded = document._decoded
        faults = self.scanner.faults
        if decoded.message:
            severity: Severity = "error" if decoded.strays else "warning"
            faults.append(Fault(severity, "encoding", decoded.message, decoded.at))
        mark = decoded.text.find("\ufeff", 1)
        if mark > 0:
            message = "a byte order mark inside of the file, as from joining two files: delete it"
            faults.append(Fault("info", "encoding", message, mark))
        document.diagnostics = [_diagnostic(document, fault, fault.at) for fault in faults]


def _diagnostic(document: Document, fault: Fault, at: int) -> Diagnostic:
    line, column = document.place(at)
    return Diagnostic(
        fault.severity,
        fault.code,
        fault.message,
        fault.key or None,
        document.file or None,
        line,
        False,
        column,
    )


def _squeezed(text: str) -> str:
    """The text with each run of white space as one blank, none at its ends."""
    if text.isascii() or not _SPECIAL_SPACE.search(text):
        return " ".join(text.split())
    return _SPACES.sub(" ", text).strip(" ")


def _runs(text: str) -> str:
    """The text with each run of white space as one blank, at its ends too: a macro's ends count."""
    return _SPACES.sub(" ", text)


class _Lines:
    """Where the lines of a text begin."""

    def __init__(self, text: str) -> None:
        self._starts = array("q", (0,))
        self._starts.extend(match.end() for match in re.finditer("\n", text))

    def place(self, at: int) -> tuple[int, int]:
        line = bisect_left(self._starts, at + 1)
        return line, at - self._starts[line - 1] + 1


# --------------------------------------------------------------------------- across entries and files


def _link(documents: list[Document]) -> None:
    """Resolve inheritance, and report what is wrong between entries."""
    of_file = {
        id(entry): document for document in documents for entry in (*document.entries, *document.xdata)
    }
    known: dict[str, Entry] = {}
    folded: dict[str, Entry] = {}
    everything = [entry for document in documents for entry in _in_order(document)]
    for entry in everything:
        if not entry.key:
            continue
        first = known.setdefault(entry.key, entry)
        similar = folded.setdefault(entry.key.casefold(), entry)
        if first is not entry:
            message = (
                f"the key {entry.key!r} stands in {_where(first)} already: give one of the entries another"
            )
            _tell(of_file, entry, "", Fault("error", "duplicate-key", message, 0, entry.key))
        elif similar is not entry:
            message = (
                f"the key {entry.key!r} differs only in case from {similar.key!r} in {_where(similar)}, "
                "which BibTeX and Sphinx take as the same: give one of the entries another"
            )
            _tell(of_file, entry, "", Fault("error", "case-collision", message, 0, entry.key))
    for entry in everything:
        if "ids" in entry.fields:
            _take_aliases(entry, known, of_file)
    containers = any(document.xdata for document in documents)
    if containers or any(_KEY_FIELDS & entry.fields.keys() for entry in everything):
        for entry, name, fault in inherit.resolve(everything, known):
            _tell(of_file, entry, name, fault)


def _take_aliases(entry: Entry, known: dict[str, Entry], of_file: dict[int, Document]) -> None:
    """Let an entry be found by its other keys."""
    for alias in inherit.keys_of(entry.fields["ids"]):
        found = known.setdefault(alias, entry)
        if found is not entry:
            message = f"{alias!r} in ids is a key of {found.key!r} in {_where(found)} already: take it out"
            _tell(of_file, entry, "ids", Fault("error", "duplicate-key", message, 0, entry.key))


_KEY_FIELDS = frozenset(("crossref", "xdata", "xref", "related", "entryset"))


def _in_order(document: Document) -> list[Entry]:
    if not document.xdata:
        return document.entries
    return sorted((*document.entries, *document.xdata), key=lambda entry: entry.start)


def _where(entry: Entry) -> str:
    return f"{entry.file}:{entry.line}" if entry.file else f"line {entry.line}"


def _tell(of_file: dict[int, Document], entry: Entry, name: str, fault: Fault) -> None:
    document = of_file[id(entry)]
    at = entry.start
    if name:
        at = next((field.start for field in document.fields_of(entry) if field.name == name), at)
    document.diagnostics.append(_diagnostic(document, fault, at))
