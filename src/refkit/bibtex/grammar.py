"""What a .bib file is made of: blocks, fields, faults; and the patterns for its tokens.

The grammar is that of BibTeX (Patashnik, "BibTeXing"; ``bibtex.web``): braces are counted blindly, ``\\{``
and ``\\}`` included; a quote inside braces ends nothing; blanks are free around every token; an entry may
stand in parentheses. From biber come comments: a line that begins with ``%`` outside of values, and a
balanced ``@comment{…}`` with all that it holds.

All patterns are possessive: none can backtrack.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["text", "comment", "string", "preamble", "entry"]
Severity = Literal["error", "warning", "info"]

#: Values that nest deeper are not read (a title full of TeX nests some five deep).
MAX_DEPTH = 1000

#: Blocks whose word is no entry type.
KEYWORDS = frozenset(("comment", "preamble", "string"))


class Block(NamedTuple):
    """A piece of a .bib file: ``text[start:end]``."""

    kind: Kind
    start: int
    end: int
    #: Entry type in lower case, without ``@``; for other blocks their word, ``""`` for free text.
    type: str = ""
    #: Citation key as written; for ``@string`` the name of its first macro.
    key: str = ""
    #: Whether the block has a fault, so that its end or its values had to be guessed: not to be edited.
    broken: bool = False


class Macro(str):
    """A bare word of a value: the name of a macro, as written."""

    __slots__ = ()


#: A value as it stands between its delimiters: a literal, a `Macro`, or the pieces that ``#`` joins.
Value = str | list[str]


class Piece(NamedTuple):
    """One operand of ``#``."""

    #: ``{`` or ``"`` for delimited text, ``0`` a number, ``a`` a macro, ``?`` text saved from a broken value.
    kind: str
    #: Span with delimiters.
    start: int
    end: int


class Field(NamedTuple):
    """A field of an entry, or a definition of a ``@string`` block."""

    #: In lower case; as written it is ``text[start : start + len(name)]``.
    name: str
    #: Where the name begins.
    start: int
    #: Span of the value: all its pieces with their delimiters.
    value_start: int
    value_end: int
    #: Behind the comma that ends the field; ``value_end`` where there is none.
    end: int
    #: Empty where the value is not read, see `MAX_DEPTH`.
    pieces: tuple[Piece, ...]


class Spans(NamedTuple):
    """Where the parts of an entry or ``@string`` block stand."""

    block: Block
    #: Span of the type's name, without ``@``.
    type_start: int
    type_end: int
    #: Span of the key; empty, where it should be, if there is none.
    key_start: int
    key_end: int
    fields: tuple[Field, ...]
    #: Position of the closing delimiter, -1 where it is missing.
    close: int


class Fault(NamedTuple):
    """Something wrong in the text."""

    severity: Severity
    code: str
    #: What is wrong and what to do.
    message: str
    #: Position in the text.
    at: int
    #: Key of the entry it is in.
    key: str = ""


#: A name of a type, field or macro: BibTeX's identifiers without ``@`` and backslash, which only noise has.
NAME = r"""[^\s"#%'(),={}@\\]++"""
#: An opening delimiter and a key. In parentheses none hold parentheses: prose is full of them.
OPENED_KEY = r"(?:\{\s*+[^\s,={}]++|\(\s*+[^\s,={}()]++)"
#: Braces with up to four levels inside.
NESTED = r"\{(?:[^{}]++|\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+\})*+\}"
