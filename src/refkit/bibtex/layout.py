"""The canonical layout of .bib files: one field a line, in one order, in braces.

Layout changes no value, no key, no comment and no order of blocks. A broken entry is left as it is, to the
byte, and so is whatever could not be laid out without a doubt: the result is read again and compared with the
original.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from refkit.bibtex.scan import Scanner, spans_of

if TYPE_CHECKING:
    from refkit.bibtex.grammar import Block, Field, Spans, Value
    from refkit.bibtex.reader import Document
    from refkit.bibtex.scan import Part

#: Indent of a field.
INDENT = "  "

#: Fields in canonical order: who, what, in what, which part of it, by whom, when, where to find it, the rest.
#: Fields that are not named here stand behind these, in the order in which they were written.
FIELD_ORDER = tuple(
    """
    ids crossref xref xdata entryset
    author authortype shortauthor
    editor editortype editora editoratype editorb editorbtype editorc editorctype shorteditor
    translator annotator commentator introduction foreword afterword holder bookauthor
    title subtitle shorttitle reprinttitle origtitle titleaddon
    maintitle mainsubtitle maintitleaddon booktitle booksubtitle booktitleaddon
    journal journaltitle shortjournal journalsubtitle journaltitleaddon
    issuetitle issuesubtitle issuetitleaddon
    edition volume volumes part chapter number issue series shortseries
    organization institution school type eventtitle eventtitleaddon eventdate venue
    publisher location address origlocation origpublisher howpublished version
    date year month day origdate pubstate
    pages pagetotal bookpagination pagination eid numpages
    isbn issn isan ismn iswc isrn doi eprint eprinttype archiveprefix eprintclass primaryclass
    url urldate lastchecked addendum note abstract annotation annote keywords language langid origlanguage
    related relatedtype relatedstring options file pdf entrysubtype
    """.split()
)
_RANKS: Mapping[str, int] = {name: number for number, name in enumerate(FIELD_ORDER)}

# What may stand between two fields.
_BETWEEN = re.compile(r"\s++|,|%[^\n]*+")
# White space to BibTeX; byte order marks are read as blanks.
_SPACE = " \t\n\r\f\v"
_BLANK = _SPACE + "\ufeff"
_NEWLINE = re.compile(r"\r\n|\n|\r")


class Layout(NamedTuple):
    """A text in canonical layout."""

    text: str
    #: Blocks of the original text that were left as they stand, because they are broken or in doubt.
    left: tuple[Block, ...]


def rank(name: str) -> int:
    """The place of a field in canonical order; unknown names share the last."""
    return _RANKS.get(name, len(_RANKS))


def entry(type: str, key: str, fields: Iterable[tuple[str, str]], newline: str = "\n") -> str:
    """An entry in canonical layout, without a final newline.

    Args:
        type: entry type, without ``@``.
        key: citation key.
        fields: names and values; values are complete, with their delimiters.
        newline: line ending to use.
    """
    rows = sorted(fields, key=lambda field: rank(field[0]))
    lines = [f"@{type.lower()}{{{key},", *(f"{INDENT}{name} = {value}," for name, value in rows), "}"]
    return newline.join(lines)


def layout(text: str, newline: str = "\n") -> Layout:
    """A .bib file's text in canonical layout.

    Idempotent: the layout of a layout is itself. New lines end in ``newline``; line endings inside of values,
    comments and blocks that are left alone stay as they are.
    """
    parts = list(Scanner(text).parts())
    blocks = [part.block for part in parts]
    before = _content(text, parts)
    for entries_only in (False, True):
        pieces = _pieces(text, blocks, newline, entries_only=entries_only)
        result = "".join(piece for piece, _ in pieces)
        if _content(result, Scanner(result).parts()) == before:
            return Layout(
                result, tuple(block for (_, left), block in zip(pieces, blocks, strict=True) if left)
            )
    return Layout(text, tuple(block for block in blocks if block.kind == "entry"))


def of_document(document: Document) -> tuple[bytes, tuple[Block, ...]]:
    """A document's bytes in canonical layout, and its blocks that were left as they stand.

    Encoding, byte order mark, line endings and stray bytes are those of the document.
    """
    text = document.encode().decode(document.encoding, "surrogateescape")  # stray bytes as surrogates
    found = layout(text, document.newline)
    return found.text.encode(document.encoding, "surrogateescape"), found.left


def _content(text: str, parts: Iterable[Part]) -> list[object]:
    """What a layout keeps: blocks, keys, fields in any order, values, free text but for blanks."""
    out: list[object] = []
    for block, fields in parts:
        inside = text[block.start : block.end]
        if block.kind == "text":
            words = inside.replace("\ufeff", " ").split()
            out += ["text", *words] if words else []
        elif block.broken or block.kind in ("comment", "preamble"):
            out.append((block.kind, inside[len("@preamble") :] if block.kind == "preamble" else inside))
        else:
            ordered = sorted(
                ((name, number, _typed(value)) for number, (name, value) in enumerate(fields)), key=_by_name
            )
            out.append((block.kind, block.type, block.key, [(name, value) for name, _, value in ordered]))
    return out


def _by_name(field: tuple[str, int, object]) -> tuple[str, int]:
    return field[:2]


def _typed(value: Value) -> object:
    """A value that compares equal only where macros are macros on both sides."""
    if isinstance(value, list):
        return [_typed(piece) for piece in value]
    return (type(value).__name__, str(value))


# -- blocks --------------------------------------------------------------------------------------------------


def _pieces(text: str, blocks: list[Block], newline: str, *, entries_only: bool) -> list[tuple[str, bool]]:
    """The new text of each block, and whether it was left alone although it should not have been."""
    out: list[tuple[str, bool]] = []
    for number, block in enumerate(blocks):
        if block.kind == "text" and not entries_only:
            out.append((_between(text, blocks, number, newline), False))
        else:
            laid = _laid_out(text, block, newline)
            out.append((text[block.start : block.end] if laid is None else laid, laid is None))
    if not entries_only:
        _separate(out, blocks, newline)
    return out


def _separate(out: list[tuple[str, bool]], blocks: list[Block], newline: str) -> None:
    """Blocks that touch get a blank line between them; the last one gets its line ending."""
    for number in range(len(blocks) - 1):
        if blocks[number].kind != "text" and blocks[number + 1].kind != "text":
            out[number] = (out[number][0] + 2 * newline, out[number][1])
    if blocks and blocks[-1].kind != "text":
        out[-1] = (out[-1][0] + newline, out[-1][1])


def _laid_out(text: str, block: Block, newline: str) -> str | None:
    """A block in canonical layout; ``None`` where it must be left as it is."""
    inside = text[block.start : block.end]
    if block.kind in ("text", "comment"):
        return inside
    if block.broken:
        return None
    if block.kind == "preamble":
        return "@preamble" + re.sub(r"\A@\s*+\w++\s*+", "", inside)
    spans = spans_of(text, block)
    return _string(text, spans) if block.kind == "string" else _entry(text, spans, newline)


def _between(text: str, blocks: list[Block], number: int, newline: str) -> str:
    """The text between two blocks: its lines as they are, one blank line where there was at least one."""
    block = blocks[number]
    first, last = number == 0, number == len(blocks) - 1
    inside = text[block.start : block.end]
    mark = ""
    if first:
        blank = inside[: len(inside) - len(inside.lstrip(_BLANK))]
        mark = "\ufeff" if "\ufeff" in blank else ""
        inside = _last_line(blank).replace("\ufeff", "") + inside[len(blank) :]
    content = inside.strip(_SPACE)
    if not content:
        if first:
            return mark
        return newline if last else newline * (1 if _together(blocks, number) and _lines(inside) == 1 else 2)
    start = inside.index(content)
    before, after = inside[:start], inside[start + len(content) :]
    head = _gap(before, newline) + (_last_line(before) if _lines(before) else before)
    tail = newline if last else (_gap(after, newline) or newline)
    return mark + head + content + tail


def _together(blocks: list[Block], number: int) -> bool:
    """Whether the blocks around a text are both definitions of macros, which may stand line by line."""
    return all(0 <= at < len(blocks) and blocks[at].kind == "string" for at in (number - 1, number + 1))


def _gap(blank: str, newline: str) -> str:
    """As many line ends as there are, but two at most."""
    return newline * min(_lines(blank), 2)


def _lines(blank: str) -> int:
    return len(_NEWLINE.findall(blank))


def _last_line(blank: str) -> str:
    """The indent of the first word behind these blanks."""
    return _NEWLINE.split(blank)[-1]


# -- one block -----------------------------------------------------------------------------------------------


class _Row(NamedTuple):
    """A field with the comments that go with it."""

    field: Field
    #: Whole lines above it.
    above: tuple[str, ...]
    #: On its line, behind it.
    behind: str


def _string(text: str, spans: Spans) -> str | None:
    rows = []
    for field in spans.fields:
        value = _value(text, field)
        if value is None:
            return None
        rows.append(f"{text[field.start : field.start + len(field.name)]} = {value}")
    gaps = _gaps(text, spans, spans.type_end)
    if not rows or any(piece.startswith("%") for gap in gaps or () for piece in gap) or gaps is None:
        return None
    return "@string{" + ", ".join(rows) + "}"


def _entry(text: str, spans: Spans, newline: str) -> str | None:
    if text[spans.type_end : spans.key_start].strip() not in ("{", "("):
        return None
    found = _rows(text, spans)
    if found is None:
        return None
    rows, last = found
    lines = [f"@{spans.block.type}{{{text[spans.key_start : spans.key_end]},"]
    for row in sorted(rows, key=lambda row: rank(row.field.name)):
        value = _value(text, row.field)
        if value is None:
            return None
        lines += [INDENT + comment for comment in row.above]
        lines.append(f"{INDENT}{row.field.name} = {value}," + (f" {row.behind}" if row.behind else ""))
    return newline.join([*lines, *(INDENT + comment for comment in last), "}"])


def _rows(text: str, spans: Spans) -> tuple[list[_Row], list[str]] | None:
    """The fields with their comments, and the comments behind the last; ``None`` where more is there."""
    gaps = _gaps(text, spans, spans.key_end)
    if gaps is None:
        return None
    rows: list[_Row] = []
    above: list[str] = []
    for number, gap in enumerate(gaps):
        same_line = number > 0
        for piece in gap:
            if piece.startswith("%"):
                if same_line:
                    rows[-1] = rows[-1]._replace(behind=piece.rstrip())
                else:
                    above.append(piece.rstrip())
                same_line = False
            elif _NEWLINE.search(piece):
                same_line = False
        if number < len(spans.fields):
            rows.append(_Row(spans.fields[number], tuple(above), ""))
            above = []
    return rows, above


def _gaps(text: str, spans: Spans, start: int) -> list[list[str]] | None:
    """What stands before the first field, between fields and behind the last: blanks, commas, comments."""
    out = []
    starts = [field.start for field in spans.fields]
    ends = [field.value_end for field in spans.fields]
    for begin, end in zip([start, *ends], [*starts, spans.close], strict=True):
        gap = text[begin:end]
        if begin == start and spans.block.kind == "string":
            gap = gap.lstrip()[1:]
        pieces = _BETWEEN.findall(gap)
        if "".join(pieces) != gap:
            return None
        out.append(pieces)
    return out


def _value(text: str, field: Field) -> str | None:
    """A value with every literal in braces; ``None`` where more stands between its parts than ``#``."""
    if not field.pieces or text[field.start + len(field.name) : field.value_start].strip() != "=":
        return None
    joined = []
    end = field.value_start
    for piece in field.pieces:
        if text[end : piece.start].strip() not in ("", "#"):
            return None
        inside = text[piece.start : piece.end]
        if piece.kind == '"':
            inside = inside[1:-1]
        joined.append(inside if piece.kind in ("a", "{") else f"{{{inside}}}")
        end = piece.end
    return " # ".join(joined)
