"""Changes of one entry's text, each of them one replaced span: a field set, added or taken out, a new key.

A new field is written as its neighbours are: their indent, their blanks around ``=``, comma and case.
"""

from __future__ import annotations

import re

from refkit.bibtex.grammar import Block, Field, Spans
from refkit.bibtex.layout import INDENT, rank
from refkit.bibtex.scan import spans_of

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_NEWLINE = re.compile(r"\r\n|\n|\r")


def spans(text: str) -> Spans:
    """Where the parts of an entry stand; ``text`` is the entry and nothing else."""
    return spans_of(text, Block("entry", 0, len(text)))


def with_key(text: str, found: Spans, key: str) -> str:
    """The entry under another key."""
    return text[: found.key_start] + key + text[found.key_end :]


def with_value(text: str, field: Field, value: str) -> str:
    """The entry with another value, delimiters included, for a field that it has."""
    return text[: field.value_start] + value + text[field.value_end :]


def with_field(text: str, found: Spans, name: str, value: str, newline: str) -> str:
    """The entry with one more field, at its place in the canonical order; ``value`` has its delimiters."""
    if not found.fields:
        return _with_first_field(text, found, f"{name} = {value}", newline)
    at = _place(found.fields, name)
    neighbour = found.fields[max(at, 0)]
    shown = _cased(text, found.fields, name)
    field = shown + _equals(text, found.fields, neighbour, shown) + value
    separator = _separator(text, found, max(at, 0), newline)
    if at < 0:
        return text[: neighbour.start] + field + separator + text[neighbour.start :]
    line_end = _line_end(text, neighbour.end)
    if text[neighbour.end : line_end].lstrip().startswith("%"):  # the comment stays on its field's line
        comma = "" if neighbour.end > neighbour.value_end else ","
        commented = text[: neighbour.value_end] + comma + text[neighbour.value_end : line_end]
        return commented + newline + _indent(text, neighbour) + field + "," + text[line_end:]
    return text[: neighbour.value_end] + separator + field + text[neighbour.value_end :]


def without_field(text: str, found: Spans, field: Field) -> str:
    """The entry without a field; what separated it from the field before goes with it."""
    number = found.fields.index(field)
    start = found.fields[number - 1].value_end if number else found.key_end
    if len(found.fields) == 1:  # biber wants a comma behind the key, be there fields or not
        return text[:start] + "," + text[_line_rest(text, field.end) :]
    gap = text[start : field.start]
    if gap.strip() == ",":
        return text[:start] + text[field.value_end :]
    start = text.rfind("\n", 0, field.start) + 1
    if text[start : field.start].strip():
        return text[: field.start] + text[field.end :]
    return text[:start] + text[_next_line(text, field.end) :]


def _place(fields: tuple[Field, ...], name: str) -> int:
    """The field that a new one goes behind: the last of the highest rank not above its own; -1 for none."""
    own = rank(name)
    ranks = [rank(field.name) for field in fields]
    below = [found for found in ranks if found <= own]
    if not below:
        return -1
    highest = max(below)
    return max(number for number, found in enumerate(ranks) if found == highest)


def _with_first_field(text: str, found: Spans, field: str, newline: str) -> str:
    between = text[found.key_end : found.close].rstrip()
    return (
        text[: found.key_end]
        + (between or ",")
        + newline
        + INDENT
        + field
        + ","
        + newline
        + text[found.close :]
    )


def _cased(text: str, fields: tuple[Field, ...], name: str) -> str:
    """The name in capitals, or capitalised, where all names of the entry are."""
    names = [text[field.start : field.start + len(field.name)] for field in fields]
    for case in (str.upper, str.capitalize):
        if all(shown == case(shown) != shown.lower() for shown in names):
            return case(name)
    return name


def _equals(text: str, fields: tuple[Field, ...], neighbour: Field, name: str) -> str:
    """What stands between name and value: as the neighbour has it, or aligned as all fields are."""
    own = text[neighbour.start + len(neighbour.name) : neighbour.value_start]
    before, equals, after = own.partition("=")
    if before.strip(" ") or after.strip(" "):  # tabs, line ends
        return own if own.strip() == "=" and "\n" not in own else " = "
    if len({len(field.name) for field in fields}) < 2 and len(before) < 2:
        return own
    signs = {text.index("=", field.start) - field.start for field in fields}
    if len(signs) == 1:
        return " " * max(signs.pop() - len(name), 1 if before else 0) + equals + after
    values = {field.value_start - field.start for field in fields}
    if len(values) == 1 and len(after) > 0:
        return before + equals + " " * max(values.pop() - len(name) - len(before) - 1, 1)
    return own


def _separator(text: str, found: Spans, number: int, newline: str) -> str:
    """What separates a field from the one before: as before this field, else as elsewhere in the entry."""
    ends = [found.key_end, *(field.value_end for field in found.fields)]
    gaps = [text[end : field.start] for end, field in zip(ends, found.fields, strict=False)]
    usable = [gap for gap in (gaps[number], *gaps[1:], gaps[0]) if gap.strip() == ","]
    if usable and _line_ends(usable[0]) < 2:
        return usable[0]
    several = [
        gap for gap in usable if _line_ends(gap)
    ]  # blank lines between groups of fields are not repeated
    if several:
        return min(several, key=_line_ends)
    return "," + newline + _indent(text, found.fields[number])


def _indent(text: str, field: Field) -> str:
    start = text.rfind("\n", 0, field.start) + 1
    indent = text[start : field.start]
    return indent if start and not indent.strip() else INDENT


def _line_end(text: str, at: int) -> int:
    match = _LINE_END.search(text, at)
    return match.start() if match else len(text)


def _line_ends(text: str) -> int:
    return len(_NEWLINE.findall(text))


def _next_line(text: str, at: int) -> int:
    """Behind the line's end, where nothing but blanks stands on the rest of the line."""
    match = _LINE_END.search(text, at)
    return match.end() if match and not text[at : match.start()].strip() else at


def _line_rest(text: str, at: int) -> int:
    """The end of the blanks on this line."""
    end = _line_end(text, at)
    return end if not text[at:end].strip() else at
