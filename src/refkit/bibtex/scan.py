"""Cuts the text of a .bib file into blocks and fields, with exact spans.

Nothing is ever lost: the blocks of a text, joined, are the text. A broken entry costs itself only: what is
wrong becomes a fault, what can be read is read (`entry`), and scanning goes on at the next entry. Time is
linear in the size of the text, for every input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from refkit.bibtex import entry
from refkit.bibtex.grammar import (
    KEYWORDS,
    NAME,
    NESTED,
    OPENED_KEY,
    Block,
    Fault,
    Field,
    Macro,
    Piece,
    Spans,
    Value,
)
from refkit.bibtex.source import Source

# The common form of things, each in one step.
_VALUE = (
    rf"""(?:\{{((?:[^{{}}]++|{NESTED})*+)\}}|"((?:[^"{{}}]++|{NESTED})*+)"|({NAME}))\s*+(,?+)\s*+([}})#]?+)"""
)
_QUICK_HEAD = re.compile(r"""@\s*+([A-Za-z]++)\s*+(\{)\s*+([^\s,={}()"#%@\\]++)\s*+,""")
_QUICK_FIELD = re.compile(rf"\s*+({NAME})\s*+=\s*+{_VALUE}")
_QUICK_OPERAND = re.compile(rf"\s*+{_VALUE}")
# What may stand behind an entry only where a brace too many has closed it.
_LEFTOVER = re.compile(rf"[ \t]*+[^\s@%]|\s*+(?:[}})]|,\s*+{NAME}\s*+=)")

_GLUED_HEAD = re.compile(rf"@\s*+{NAME}\s*+{OPENED_KEY}\s*+,\s*+{NAME}\s*+=")
# What was surely meant to be an entry.
_BROKEN_HEAD = re.compile(
    rf"@[^\n,={{}}]{{1,200}}+,(?:\s*+{NAME}\s*+=\s*+[{{\"]|[ \t]*+\n\s*+{NAME}\s*+=\s*+[{{\"\w])"
)
_ENTRY_WITHOUT_AT = re.compile(
    rf"(?:\A|(?<=\n))[ \t]*+([A-Za-z]++)[ \t]*+[{{(][ \t]*+([^\s,={{}}()]++)[ \t]*+,"
    rf"\s*+{NAME}\s*+=\s*+[{{\"\w]"
)
_COMMENTED = re.compile(r"[ \t]*+%")
_PARENTHESIS_OR_BRACE = re.compile(r"[){]")
# How far back an "@" looks for the beginning of its line: more blanks than that are no indentation.
_INDENT = 200


class Part(NamedTuple):
    """A block and what was read in it: fields of an entry, definitions of a ``@string`` block."""

    block: Block
    fields: list[tuple[str, Value]]


def scan(text: str) -> list[Block]:
    """The blocks of a text in order; joined they are the text."""
    return [part.block for part in Scanner(text).parts()]


def spans_of(text: str, block: Block) -> Spans:
    """Where the parts of an entry or ``@string`` block stand in the text that it was scanned from.

    Raises:
        ValueError: the block is none of these.
    """
    source = Source(text[block.start : block.end])
    head = entry.HEAD.match(source.text)
    if head is None or block.kind not in ("entry", "string"):
        msg = f"a block of kind {block.kind!r} has no fields"
        raise ValueError(msg)
    return _moved(entry.parse(source, 0, head), block)


def fields_of(text: str, block: Block) -> tuple[Field, ...]:
    """The fields of an entry, or the definitions of a ``@string`` block, with their spans in the text.

    Raises:
        ValueError: the block is none of these.
    """
    return spans_of(text, block).fields


def _moved(spans: Spans, block: Block) -> Spans:
    by = block.start
    fields = tuple(
        Field(
            field.name,
            field.start + by,
            field.value_start + by,
            field.value_end + by,
            field.end + by,
            tuple(Piece(piece.kind, piece.start + by, piece.end + by) for piece in field.pieces),
        )
        for field in spans.fields
    )
    head = (spans.type_start + by, spans.type_end + by, spans.key_start + by, spans.key_end + by)
    return Spans(block, *head, fields, spans.close + by if spans.close >= 0 else -1)


class Scanner:
    """Reads a text from front to back: `parts` once, then `faults`."""

    def __init__(self, text: str) -> None:
        """Nothing is read yet."""
        self.source = Source(text)
        self.text = self.source.text
        self._patience = 4 * len(text) + 10_000  # characters that may be searched for closing parentheses

    @property
    def faults(self) -> list[Fault]:
        """All that was found wrong so far."""
        return self.source.faults

    def parts(self) -> Iterator[Part]:
        """The blocks in order, with what was read in them."""
        text = self.text
        done = at = 0
        line = 0  # where the line of `at` begins, or where on it the last block ends
        while True:
            previous = at
            at = text.find("@", at)
            if at < 0:
                break
            line = max(line, text.rfind("\n", previous, at) + 1)
            if line < at and _COMMENTED.match(text, line, min(at, line + _INDENT)):
                at = self._end_of_comment(at)
                continue
            part = self._quick(at) or self._part(at, line)
            if part is None:
                at += 1
                continue
            if at > done:
                yield self._free(done, at)
            yield part
            done = at = line = part.block.end
        if done < len(text):
            yield self._free(done, len(text))

    def _free(self, start: int, end: int) -> Part:
        """Free text."""
        if self.text.find("=", start, end) >= 0:
            for match in _ENTRY_WITHOUT_AT.finditer(self.text, start, end):
                message = "an entry without its @ is passed over: write one, or put it in @comment{…}"
                self.source.report("warning", "parse-error", message, match.start(1), match[2])
        return Part(Block("text", start, end), [])

    # ------------------------------------------------------------------ the common form

    def _quick(self, at: int) -> Part | None:
        """An entry of the common form, without a fault; None where `_part` has to look closer."""
        text = self.text
        head = _QUICK_HEAD.match(text, at)
        if head is None:
            return None
        type, closer, key = head.groups()
        type = type.lower()
        if type in KEYWORDS:
            return None
        pos = head.end()
        fields: list[tuple[str, Value]] = []
        match_field = _QUICK_FIELD.match
        closer = ""
        while not closer:
            match = match_field(text, pos)
            if match is None:
                return None
            name, braced, quoted, bare, comma, closer = match.groups()
            pos = match.end()
            literal = braced if quoted is None else quoted
            first = _bare(bare) if literal is None else literal
            value: Value | None = first
            if closer == "#":
                value, comma, closer, pos = self._quick_join(first, comma, pos)
            if value is None or (not comma and not closer):
                return None
            fields.append((name.lower(), value))
        if closer != "}" or _LEFTOVER.match(text, pos) or self._glued(at):
            return None
        return Part(Block("entry", at, pos, type, key), fields)

    def _quick_join(self, first: str | None, comma: str, pos: int) -> tuple[Value | None, str, str, int]:
        """A value of several pieces, of which the first has been read; and what follows it."""
        operands: list[str | None] = [first]
        closer = "#"
        while closer == "#":
            match = None if comma else _QUICK_OPERAND.match(self.text, pos)
            if match is None:
                return None, "", "", pos
            braced, quoted, bare, comma, closer = match.groups()
            pos = match.end()
            operands.append(_bare(bare) if bare is not None else braced if quoted is None else quoted)
        pieces = [operand for operand in operands if operand is not None]
        return pieces if len(pieces) == len(operands) else None, comma, closer, pos

    def _glued(self, at: int) -> bool:
        """Whether a word stands right before the ``@``, as in an address."""
        before = self.text[at - 1] if at else "\n"
        return not (before.isspace() or before in "})")

    # ------------------------------------------------------------------ any form

    def _part(self, at: int, line: int) -> Part | None:
        """The block at this ``@``, or None where none begins."""
        first = at - line <= _INDENT and not self.text[line:at].strip()
        head = entry.HEAD.match(self.text, at)
        type = (head[1] or "").lower() if head else ""
        if head is None or not type or not self._opens(at, head[2], type in KEYWORDS, first):
            if first and head and not type:
                self._passed_over(
                    "an entry without a type is passed over: write one behind the @, as in @misc", at
                )
            elif first and _BROKEN_HEAD.match(self.text, at):
                self._passed_over(
                    "an entry is passed over: behind its type must stand {, its key and a comma", at
                )
            return None
        if type in ("comment", "preamble"):
            return self._skipped(at, head, type)
        spans = entry.parse(self.source, at, head)
        return Part(spans.block, [(field.name, self._value(field)) for field in spans.fields if field.pieces])

    def _passed_over(self, message: str, at: int) -> None:
        self.source.report("error", "parse-error", message, at)

    def _opens(self, at: int, opening: str, keyword: bool, first: bool) -> bool:
        """Whether an ``@word{`` begins a block or is prose: an address, a mention, an ``@`` at large."""
        if self._glued(at):
            return _GLUED_HEAD.match(self.text, at) is not None
        return keyword or (first and opening == "{") or entry.FULL_HEAD.match(self.text, at) is not None

    def _end_of_comment(self, at: int) -> int:
        """The end of a line that begins with ``%`` and holds this ``@``."""
        if entry.FULL_HEAD.match(self.text, at):
            message = "this line begins with %, so that biber and refkit skip it; BibTeX reads an entry here"
            self.source.report("info", "commented-entry", message, at)
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def _skipped(self, at: int, head: re.Match[str], type: str) -> Part | None:
        """A ``@comment`` or ``@preamble`` block."""
        end = self._closing(head.end() - 1, head[2])
        if end < 0:
            message = f"this @{type} is never closed, so that only its word is passed over: close it"
            self.source.report("error", "parse-error", message, at)
            return None
        return Part(Block("comment" if type == "comment" else "preamble", at, end + 1, type), [])

    def _closing(self, at: int, opening: str) -> int:
        """Position of the delimiter that closes the one at this place, -1 where there is none."""
        if opening == "{":
            return self.source.braces.close(at, len(self.text))
        pos = at + 1
        while self._patience > 0:
            before = pos
            match = _PARENTHESIS_OR_BRACE.search(self.text, pos)
            if match is None:
                self._patience -= len(self.text) - before
                return -1
            if match[0] == ")":
                return match.start()
            pos = self.source.braces.close(match.start(), len(self.text)) + 1
            if not pos:
                return -1
            self._patience -= pos - before
        return -1

    def _value(self, field: Field) -> Value:
        pieces = [self._content(piece) for piece in field.pieces]
        return pieces[0] if len(pieces) == 1 else pieces

    def _content(self, piece: Piece) -> str:
        raw = self.text[piece.start : piece.end]
        if piece.kind == "a":
            return Macro(raw)
        if piece.kind == "?":
            return entry.saved(raw)
        return raw if piece.kind == "0" else raw[1:-1]


def _bare(word: str) -> str | None:
    """A bare word as a number or a macro; None where it is neither."""
    if word.isdigit():
        return word
    return None if word[0] in "0123456789-" else Macro(word)
