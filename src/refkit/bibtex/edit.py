"""Edits of a .bib file in which only the characters that an edit is about change.

All else survives to the byte: comments, ``@string``, odd spacing, line endings, broken neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from refkit.bibtex import layout, splice
from refkit.bibtex.encoding import decode
from refkit.bibtex.grammar import KEYWORDS, Block, Field, Spans
from refkit.bibtex.scan import Scanner
from refkit.model import VERBATIM_FIELDS

if TYPE_CHECKING:
    from refkit.bibtex.reader import Document

#: Fields that hold the key of another entry, or a list of them (BibLaTeX manual, 2.2.3).
REFERENCE_FIELDS = frozenset(("crossref", "xref", "xdata", "related", "entryset", "ids"))

_NAME = re.compile(r"""[^\W\d][^\s"#%'(),={}@\\]*\Z""")
_KEY = re.compile(r"""[^\s"#%'(),={}~\\@`<>\x00-\x1f\x7f]+\Z""")
_NEWLINE = re.compile(r"\r\n|\n|\r")
_BLANK_LINE = re.compile(r"[ \t\f\v]*+(?:\r\n|\n|\r)")
_BLANK_LINE_BEFORE = re.compile(r"(?:\r\n|\n|\r)[ \t\f\v]*+(?:\r\n|\n|\r)")
_SURROGATE = re.compile("[\udc80-\udcff]")
_ITEM = re.compile(r"[^,]++")
#: Kinds of pieces that are text, not the name of a macro and not saved from a broken value.
_LITERAL = frozenset('{"0')


class EditError(ValueError):
    """An edit that is refused; the message says which entry, where it stands, why, and what to do."""


class Bare(str):
    """A value written as it is, without braces: a macro (``sep``), a number, pieces joined by ``#``."""

    __slots__ = ()


class Reference(NamedTuple):
    """A field that names another entry's key."""

    key: str
    field: str
    #: 1-based line of the entry that has the field.
    line: int


class Editor:
    """Edits of one document. Nothing touches the disk: `text` and `bytes` give the result.

    Where a key occurs more than once, the first entry of that key is meant, as for BibTeX.
    """

    def __init__(self, document: Document) -> None:
        """Start from a document as it was read."""
        self._document = document
        # As the document's text, but for stray bytes, which stand as surrogates so that they survive.
        text = document.encode().decode(document.encoding, "surrogateescape")
        self._pieces = [_Piece(block, text[block.start : block.end]) for block in document.blocks]
        self._by_key: dict[str, _Piece] = {}
        self._folded: dict[str, str] = {}
        for piece in self._pieces:
            if piece.block.kind == "entry" and piece.block.key:
                self._add_key(piece.block.key, piece)

    # -- what is there

    def __contains__(self, key: str) -> bool:
        """Whether there is an entry of this key."""
        return key in self._by_key

    def keys(self) -> list[str]:
        """The keys of all entries in file order, ``@xdata`` and ``@set`` included, repeated ones once."""
        return list(
            dict.fromkeys(piece.block.key for piece in self._pieces if piece.block.key and _is_entry(piece))
        )

    def clash(self, key: str) -> str | None:
        """The key that is equal to this one but for case, if there is one."""
        return self._folded.get(key.casefold())

    def entry_text(self, key: str) -> str:
        """The entry as it stands now.

        Raises:
            EditError: there is no such entry.
        """
        return self._piece(key).text

    def line(self, key: str) -> int:
        """The 1-based line of an entry in the original text; 0 for an added one."""
        piece = self._piece(key)
        return 0 if piece.added else self._document.place(piece.block.start)[0]

    def references(self, key: str) -> list[Reference]:
        """The fields that name this key."""
        return [
            Reference(piece.block.key, field.name, self.line(piece.block.key))
            for piece, field in self._naming(key, exact=self._has_twin(key))
            if piece.block.key != key
        ]

    def expanded_text(self, key: str, macros: Mapping[str, str]) -> str:
        """The entry as it stands now, with the text of these macros (by lower-case name) in their place."""
        text = self._sound(key).text
        pieces = [
            piece for field in self._sound(key).spans.fields for piece in field.pieces if piece.kind == "a"
        ]
        for piece in reversed(pieces):
            value = macros.get(text[piece.start : piece.end].lower())
            if value is not None:
                text = f"{text[: piece.start]}{{{value}}}{text[piece.end :]}"
        return text

    # -- fields

    def set(self, key: str, field: str, value: str) -> None:
        """Give a field a value: that of the field's span is replaced, or the field is added at its place.

        Args:
            key: the entry's key.
            field: the field's name; case does not count.
            value: the BibTeX value without delimiters, braces are added; a `Bare` value is written as it is.
                Characters that the document's encoding lacks are written as TeX.

        Raises:
            EditError: there is no such entry, it is broken, or the value would break it.
        """
        piece = self._sound(key)
        name = field.lower()
        if not _NAME.match(name):
            raise self._error(key, f"{field!r} cannot name a field")
        value = self._checked(key, name, value)
        found = piece.field(name)
        if found is None:
            text = splice.with_field(piece.text, piece.spans, name, _delimited(value), self._document.newline)
        elif _inside(piece.text, found) == value and not isinstance(value, Bare):
            return
        else:
            quoted = not isinstance(value, Bare) and _is_quoted(piece.text, found) and '"' not in value
            text = splice.with_value(piece.text, found, f'"{value}"' if quoted else _delimited(value))
        self._change(piece, text, name)

    def remove_field(self, key: str, field: str) -> None:
        """Take a field out; nothing happens where the entry has none of that name. Repeated fields all go.

        Raises:
            EditError: there is no such entry, or it is broken.
        """
        piece = self._sound(key)
        name = field.lower()
        while (found := piece.field(name)) is not None:
            piece.text = splice.without_field(piece.text, piece.spans, found)

    # -- entries

    def add_entry(
        self,
        type: str,
        key: str,
        fields: Mapping[str, str],
        after: str | None = None,
        before: str | None = None,
    ) -> None:
        """Add an entry in canonical layout: behind ``after``, in front of ``before``, or at the end.

        Args:
            type: the entry's type, without ``@``.
            key: its key.
            fields: names and values, as for `set`.
            after: the key of an entry of this document.
            before: the same; used where ``after`` is not given.

        Raises:
            EditError: the key is taken or cannot be one, a value would break the file, there is no ``after``.
        """
        if not _NAME.match(type) or type.lower() in KEYWORDS:
            raise self._error(key, f"{type!r} cannot be an entry's type")
        self._check_new_key(key)
        rows = []
        for name, value in fields.items():
            if not _NAME.match(name):
                raise self._error(key, f"{name!r} cannot name a field")
            rows.append((name.lower(), _delimited(self._checked(key, name.lower(), value))))
        text = layout.entry(type, key, rows, self._document.newline)
        self._check_text(key, text)
        self._insert(text, key, after, before)

    def add_text(self, text: str, after: str | None = None, before: str | None = None) -> None:
        """Add an entry as another document has it; its line endings become those of this one.

        Raises:
            EditError: the text is not one sound entry, its key is taken, or ``after`` is not there.
        """
        text = self._encodable("", _NEWLINE.sub(self._document.newline, text))
        parts = list(Scanner(text).parts())
        key = parts[0].block.key if parts else ""
        self._check_text(key, text)
        self._check_new_key(key)
        self._insert(text, key, after, before)

    def remove_entry(self, key: str) -> None:
        """Take an entry out, with the blank lines that set it apart; comments around it stay.

        Raises:
            EditError: there is no such entry.
        """
        piece = self._piece(key)
        at = self._pieces.index(piece)
        del self._pieces[at]
        self._forget(key)
        self._close_gap(at)

    def rename(self, old: str, new: str, *, exact: bool = False) -> None:
        """Give an entry another key; the fields of this document that name it follow (`rename_references`).

        Raises:
            EditError: there is no such entry, its key is not unique, the new key is taken or cannot be one.
        """
        piece = self._piece(old)
        if sum(other.block.kind == "entry" and other.block.key == old for other in self._pieces) > 1:
            raise self._error(old, "several entries have this key; give all but one another key by hand")
        self._check_new_key(new, own=old)
        self.rename_references(old, new, exact=exact or self._has_twin(old))
        piece.text = splice.with_key(piece.text, piece.spans, new)
        piece.block = piece.block._replace(key=new)
        self._forget(old)
        self._add_key(new, piece)

    def rename_references(self, old: str, new: str, *, exact: bool = False) -> int:
        """Let ``crossref``, ``xref``, ``xdata``, ``related``, ``entryset`` and ``ids`` name a new key.

        A name in another case follows, too, because BibTeX takes it for the same key.

        Args:
            old: the key so far.
            new: the key from now on.
            exact: only names in the case of ``old``; for where another key differs in case alone.

        Returns:
            The number of fields that changed.
        """
        count = 0
        for piece, field in reversed(
            list(self._naming(old, exact=exact))
        ):  # from behind: places in front stay as they are
            for part in reversed(field.pieces):
                if part.kind in _LITERAL:
                    renamed = _renamed(piece.text[part.start : part.end], old, new, exact=exact)
                    piece.text = piece.text[: part.start] + renamed + piece.text[part.end :]
            count += 1
        return count

    # -- the result

    def text(self) -> str:
        """The edited text, as it will be read again."""
        text = "".join(piece.text for piece in self._pieces)
        return decode(self.bytes()).text if _SURROGATE.search(text) else text

    def bytes(self) -> bytes:
        """The edited text in the document's encoding, with its byte order mark if it has one."""
        text = "".join(piece.text for piece in self._pieces)
        return text.encode(self._document.encoding, "surrogateescape")

    # -- inner parts

    def _error(self, key: str, message: str) -> EditError:
        place = self._document.file or "the file"
        piece = self._by_key.get(key)
        if piece is not None and not piece.added:
            place += f":{self.line(key)}"
        return EditError(f"{place}: {key}: {message}" if key else f"{place}: {message}")

    def _piece(self, key: str) -> _Piece:
        piece = self._by_key.get(key)
        if piece is None:
            other = self.clash(key)
            hint = f"; did you mean {other!r}?" if other else ""
            raise EditError(f"{self._document.file or 'the file'}: there is no entry {key!r}{hint}")
        return piece

    def _sound(self, key: str) -> _Piece:
        piece = self._piece(key)
        if piece.block.broken:
            raise self._error(key, "this entry is broken; repair it first (refkit check says what is wrong)")
        return piece

    def _has_twin(self, key: str) -> bool:
        """Whether another entry's key differs from this one in case alone."""
        return sum(other.casefold() == key.casefold() for other in self._by_key) > 1

    def _naming(self, key: str, *, exact: bool) -> Iterator[tuple[_Piece, Field]]:
        folded = key.casefold()
        for piece in self._pieces:
            if piece.block.kind != "entry" or folded not in piece.text.casefold():
                continue
            for field in piece.spans.fields:
                literals = (
                    piece.text[part.start : part.end] for part in field.pieces if part.kind in _LITERAL
                )
                if field.name in REFERENCE_FIELDS and any(
                    _renamed(raw, key, "", exact=exact) != raw for raw in literals
                ):
                    yield piece, field

    def _checked(self, key: str, name: str, value: str) -> str:
        """The value as the document can hold it."""
        bare = isinstance(value, Bare)
        problem = "it is empty" if bare and not value.strip() else brace_problem(value)
        if problem:
            raise self._error(key, f"the value {_shown(value)} cannot be written to {name!r}: {problem}")
        value = self._encodable(name, _NEWLINE.sub(self._document.newline, value))
        return Bare(value) if bare else value

    def _encodable(self, name: str, text: str) -> str:
        encoding = self._document.encoding
        if _encodes(text, encoding):
            return text
        import unicodedata

        instead = _replacement(name)
        characters = unicodedata.normalize("NFC", text)
        return "".join(char if _encodes(char, encoding) else instead(char) for char in characters)

    def _check_new_key(self, key: str, own: str | None = None) -> None:
        problem = key_problem(key)
        if problem:
            raise self._error("", problem)
        taken = self.clash(key)
        if taken is not None and taken != own:
            case = "" if taken == key else f", as {taken!r} (BibTeX does not tell case)"
            raise self._error("", f"the key {key!r} is taken{case}")
        if not _encodes(key, self._document.encoding):
            raise self._error("", f"the key {key!r} cannot be written in {self._document.encoding}")

    def _check_text(self, key: str, text: str) -> list[str]:
        """Refuse what does not read back as one sound entry of this key; returns the names of its fields."""
        parts = list(Scanner(text).parts())
        sound = len(parts) == 1 and parts[0].block.kind == "entry" and not parts[0].block.broken
        if not sound or parts[0].block.key != key:
            raise self._error(key, "written so, the entry could not be read again; nothing was changed")
        return [name for name, _ in parts[0].fields]

    def _change(self, piece: _Piece, text: str, name: str) -> None:
        """Take a new text for an entry, if it has the fields that it had and the one that was set."""
        key = piece.block.key
        names = self._check_text(key, text)
        kept = [field.name for field in piece.spans.fields]
        if sorted(names) != sorted(kept if name in kept else [*kept, name]):
            raise self._error(key, f"written so, {name!r} would change other fields; nothing was changed")
        piece.text = text

    def _add_key(self, key: str, piece: _Piece) -> None:
        self._by_key.setdefault(key, piece)
        self._folded.setdefault(key.casefold(), key)

    def _forget(self, key: str) -> None:
        del self._by_key[key]
        if self._folded.get(key.casefold()) == key:
            del self._folded[key.casefold()]
        for (
            piece
        ) in self._pieces:  # another entry of the same key, or of one that differs by case, comes to light
            if (
                piece.block.kind == "entry"
                and piece.block.key.casefold() == key.casefold()
                and piece.block.key
            ):
                self._add_key(piece.block.key, piece)

    def _close_gap(self, at: int) -> None:
        """Make one gap of the blank lines before and behind an entry that stood here and is gone."""
        before = self._pieces[at - 1].text if at else ""
        behind = self._pieces[at].text if at < len(self._pieces) else ""
        head = behind[: len(behind) - len(behind.lstrip())]
        tail = before[len(before.rstrip()) :]
        line_before = before.removeprefix("\ufeff") == "" or _NEWLINE.search(tail)
        if not line_before or (behind and not _NEWLINE.search(head)):
            return  # it shared its line with other things
        if behind.strip() or at + 1 < len(self._pieces):
            self._pieces[at].text = _without_lines(behind, len(_NEWLINE.findall(tail)) if tail else -1)
            return
        if tail:
            self._pieces[at - 1].text = before.rstrip()
        first = _NEWLINE.search(head or tail)
        self._pieces[at:] = [_blank(first[0])] if first and before.strip("\ufeff") else []

    def _insert(self, text: str, key: str, after: str | None, before: str | None) -> None:
        newline = self._document.newline
        added = _Piece(Block("entry", 0, len(text), key=key), text, added=True)
        if after is not None:
            at = self._behind_line(self._pieces.index(self._piece(after)) + 1)
            follows = self._pieces[at].text if at < len(self._pieces) else ""
            touches = follows and not _NEWLINE.match(follows.lstrip(" \t"))
            tail = 2 * newline if touches else "" if follows else newline
            self._pieces[at:at] = [_blank(2 * newline), added, _blank(tail)]
        elif before is not None:
            at = self._before_comment(self._pieces.index(self._piece(before)))
            lead = _blank_line_behind(
                "".join(piece.text for piece in self._pieces[max(at - 3, 0) : at]), newline
            )
            self._pieces[at:at] = [_blank(lead), added, _blank(2 * newline)]
        else:
            lead = _blank_line_behind("".join(piece.text for piece in self._pieces[-3:]), newline)
            self._pieces += [_blank(lead), added, _blank(newline)]
        self._add_key(key, added)

    def _before_comment(self, at: int) -> int:
        """Where to insert in front of an entry: the comment right above it stays with it."""
        if not at or self._pieces[at - 1].block.kind != "text":
            return at
        text = self._pieces[at - 1].text
        lines = [match.end() for match in _BLANK_LINE_BEFORE.finditer(text)]
        if not lines or not text[lines[-1] :].strip():
            return at
        self._pieces[at - 1 : at] = [_blank(text[: lines[-1]]), _blank(text[lines[-1] :])]
        return at

    def _behind_line(self, at: int) -> int:
        """Where to insert behind an entry: a comment on its last line stays there."""
        if at == len(self._pieces) or self._pieces[at].block.kind != "text":
            return at
        piece = self._pieces[at]
        match = _NEWLINE.search(piece.text)
        end = match.start() if match else len(piece.text)
        if not piece.text[:end].strip() or (match is None and at + 1 < len(self._pieces)):
            return at
        self._pieces[at : at + 1] = [_blank(piece.text[:end]), _blank(piece.text[end:])]
        return at + 1


class _Piece:
    """A block as it stands now."""

    __slots__ = ("_spans", "_text", "added", "block")

    def __init__(self, block: Block, text: str, *, added: bool = False) -> None:
        self.block = block
        self.added = added
        self.text = text

    @property
    def text(self) -> str:
        return self._text

    @text.setter
    def text(self, text: str) -> None:
        self._text = text
        self._spans: Spans | None = None

    @property
    def spans(self) -> Spans:
        """Where the parts of an entry stand in its text."""
        if self._spans is None:
            self._spans = splice.spans(self._text)
        return self._spans

    def field(self, name: str) -> Field | None:
        """The field of this name that counts: the first, as for BibTeX."""
        return next((field for field in self.spans.fields if field.name == name), None)


def _is_entry(piece: _Piece) -> bool:
    return piece.block.kind == "entry"


def _blank(text: str) -> _Piece:
    return _Piece(Block("text", 0, len(text)), text, added=True)


def _without_lines(text: str, count: int) -> str:
    """The text without so many of the blank lines that it begins with; without all of them for -1."""
    while count and (line := _BLANK_LINE.match(text)):
        text = text[line.end() :]
        count -= 1
    return text


def _blank_line_behind(text: str, newline: str) -> str:
    """What must follow this text so that it ends in a blank line; nothing where there is no text."""
    if not text.strip("\ufeff \t\r\n"):
        return ""
    lines = len(_NEWLINE.findall(text[len(text.rstrip()) :]))
    return newline * max(2 - lines, 0)


def key_problem(key: str) -> str:
    """Why a text cannot be a citation key; empty where it can.

    The characters refused are those that end a key or begin something else in BibTeX, TeX or a citation role.
    """
    if not key:
        return "an entry needs a key"
    if _KEY.match(key):
        return ""
    return f"{key!r} cannot be a key: use letters, digits and any of - _ : . + /, without blanks"


def brace_problem(value: str) -> str:
    """Why a value would break the file that it is written to; empty where it would not.

    Every brace counts, escaped or not, as BibTeX counts them.
    """
    depth = 0
    for brace in re.findall(r"[{}]", value):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return "it has a } without a { before it; write the brace as \\textbraceright or remove it"
    if depth:
        return "it has a { that is never closed; write the brace as \\textbraceleft or remove it"
    return "it has a character that no text file holds (NUL)" if "\0" in value else ""


def _delimited(value: str) -> str:
    return value if isinstance(value, Bare) else f"{{{value}}}"


def _inside(text: str, field: Field) -> str | None:
    """The value of a field that is one literal, without delimiters."""
    if len(field.pieces) != 1 or field.pieces[0].kind not in _LITERAL:
        return None
    raw = text[field.value_start : field.value_end]
    return raw if field.pieces[0].kind == "0" else raw[1:-1]


def _is_quoted(text: str, field: Field) -> bool:
    return len(field.pieces) == 1 and text[field.value_start] == '"'


def _renamed(raw: str, old: str, new: str, *, exact: bool) -> str:
    """A literal, delimiters included, with one key of its list replaced."""
    if raw[0] in '{"':
        return raw[0] + _renamed(raw[1:-1], old, new, exact=exact) + raw[-1] if len(raw) > 2 else raw

    def one(item: re.Match[str]) -> str:
        key = item[0].strip()
        same = key == old or (not exact and key.casefold() == old.casefold())
        return item[0].replace(key, new) if same else item[0]

    return _ITEM.sub(one, raw)


def _shown(value: str) -> str:
    return repr(value if len(value) <= 60 else value[:57] + "...")


def _encodes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding, "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _replacement(name: str) -> Callable[[str], str]:
    """How a character that the file's encoding lacks is written in a field."""
    if name not in VERBATIM_FIELDS:
        from refkit.values import tex

        return tex.encode_ascii
    from urllib.parse import quote

    return quote
