"""Edits of the configuration's tables of names, by spans: comments, order and layout of the rest survive.

A line is changed, added or taken out; then the text is read again, and an edit that did not give the data
that it was to give is refused. So no form of TOML is ever damaged; the rare ones are left to a person.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from refkit.config import ConfigError

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")
_HEADER = re.compile(r"\s*\[[^\[\]]+\]\s*(?:#.*)?$")
_NEWLINE = re.compile(r"\r\n|\n")

Names = tuple[str, ...]


class _Item(NamedTuple):
    """A line of the form ``key = value``."""

    line: int
    #: Position of ``=`` in it.
    equals: int
    #: Names of the tables, then of the key.
    path: Names
    value: Any


def renamed(file: Path, text: str, old: str, new: str) -> str:
    """The configuration after a key was renamed: the old key is an alias, older aliases and answers follow.

    Raises:
        ConfigError: the file is written in a form that is not edited; it says what to write by hand.
    """
    data, prefix = _read(file, text)
    table = _table(data, prefix, "aliases")
    wanted = {key: new if value == old else value for key, value in table.items() if key != new}
    wanted[old] = new
    text = _with_table(text, prefix, "aliases", wanted)
    answers = _table(data, prefix, "suppress")
    text = _with_keys(text, prefix, {key: _of_key(key, old, new) for key in answers})
    expected = _expected(
        data, prefix, wanted, {_of_key(key, old, new): value for key, value in answers.items()}
    )
    by_hand = f"add {_key(old)} = {json.dumps(new)} to its aliases"
    return _checked(file, text, expected, by_hand)


def forgotten(file: Path, text: str, key: str) -> str:
    """The configuration after a work was removed: its aliases and the answers to findings about it go.

    Raises:
        ConfigError: the file is written in a form that is not edited; it says what to delete by hand.
    """
    data, prefix = _read(file, text)
    table, answers = _table(data, prefix, "aliases"), _table(data, prefix, "suppress")
    wanted = {name: value for name, value in table.items() if value != key}
    kept = {name: value for name, value in answers.items() if not name.endswith(f":{key}")}
    text = _with_table(text, prefix, "aliases", wanted)
    text = _with_table(text, prefix, "suppress", kept)
    return _checked(file, text, _expected(data, prefix, wanted, kept), f"delete what names {key!r}")


# -- data ----------------------------------------------------------------------------------------------------


def _read(file: Path, text: str) -> tuple[dict[str, Any], Names]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is not TOML: {error}") from error
    return data, ("tool", "refkit") if file.name == "pyproject.toml" or "tool" in data else ()


def _table(data: Mapping[str, Any], prefix: Names, name: str) -> dict[str, Any]:
    for part in (*prefix, name):
        data = data.get(part, {})
    return dict(data)


def _expected(data: dict[str, Any], prefix: Names, aliases: Any, answers: Any) -> dict[str, Any]:
    """The data with these tables; empty ones may be there or not (see `_without_empty`)."""
    if prefix:
        return {**data, prefix[0]: _expected(data.get(prefix[0], {}), prefix[1:], aliases, answers)}
    return {**data, "aliases": aliases, "suppress": answers}


def _without_empty(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    return {key: _without_empty(value) for key, value in data.items() if value != {}}


def _checked(file: Path, text: str, expected: dict[str, Any], by_hand: str) -> str:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        found = {}
    if _without_empty(found) != _without_empty(expected):
        raise ConfigError(f"{file}: is written in a form that refkit does not edit; {by_hand} and try again")
    return text


def _of_key(name: str, old: str, new: str) -> str:
    """The name of an answer, ``code:key``, under the new key."""
    code, colon, key = name.partition(":")
    return f"{code}:{new}" if colon and key == old else name


# -- lines ---------------------------------------------------------------------------------------------------


def _items(lines: list[str]) -> Iterator[_Item]:
    """The lines that set one key, with the table that they stand in."""
    table: Names = ()
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if _HEADER.match(line):
            table = _path(line) or table
            continue
        for match in re.finditer("=", line):
            path = _path(line[: match.start()] + "= 0")
            if path:
                value = _value(line, path)
                if value is not None:
                    yield _Item(number, match.start(), (*table, *path), value)
                break


def _path(line: str) -> Names:
    """The names that a header, or a line with a plain value, sets; empty for what is neither."""
    try:
        data: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path: Names = ()
    while isinstance(data, dict) and data:
        ((name, data),) = data.items()
        path = (*path, name)
    return path


def _value(line: str, path: Names) -> Any:
    """The value of a line; None where it goes on in the next."""
    try:
        data: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    for name in path:
        data = data[name]
    return data


def _with_table(text: str, prefix: Names, name: str, wanted: Mapping[str, Any]) -> str:
    """The text with lines of a table changed, taken out and added so that it holds what is wanted."""
    lines = text.splitlines(keepends=True)
    missing = dict(wanted)
    last: _Item | None = None
    for item in list(_items(lines)):
        if item.path[: len(prefix) + 1] != (*prefix, name):
            continue
        key = item.path[-1]
        if len(item.path) != len(prefix) + 2:
            return _with_inline_table(lines, item, wanted)
        if key not in wanted:
            lines[item.line] = ""
            continue
        if item.value != wanted[key]:
            lines[item.line] = _with_value(lines[item.line], item.equals, item.value, wanted[key])
        missing.pop(key, None)
        last = item
    if missing:
        _add(lines, prefix, name, missing, last, _newline_of(text))
    return "".join(lines)


def _with_inline_table(lines: list[str], item: _Item, wanted: Mapping[str, Any]) -> str:
    line = lines[item.line]
    start, end = line.find("{", item.equals), line.rfind("}", item.equals)
    if start < end:
        rows = (f"{_key(key)} = {json.dumps(value, ensure_ascii=False)}" for key, value in wanted.items())
        members = ", ".join(rows)
        lines[item.line] = line[:start] + (f"{{ {members} }}" if members else "{}") + line[end + 1 :]
    return "".join(lines)


def _with_value(line: str, equals: int, old: Any, new: Any) -> str:
    """The line with another text as its value, in the quotes that it has."""
    for quote in "\"'":
        at = line.find(f"{quote}{old}{quote}", equals)
        if at >= 0 and not line[equals + 1 : at].strip():
            return line[: at + 1] + str(new) + line[at + 1 + len(str(old)) :]
    return line


def _with_keys(text: str, prefix: Names, names: Mapping[str, str]) -> str:
    """The text with keys of the table of answers renamed."""
    lines = text.splitlines(keepends=True)
    for item in list(_items(lines)):
        new = names.get(item.path[-1], item.path[-1])
        if item.path[:-1] == (*prefix, "suppress") and new != item.path[-1]:
            lines[item.line] = lines[item.line].replace(item.path[-1], new, 1)
    return "".join(lines)


def _add(
    lines: list[str], prefix: Names, name: str, missing: Mapping[str, Any], last: _Item | None, newline: str
) -> None:
    """Add lines behind the last of the table, behind its header, or with a table of their own."""
    rows = [
        f"{_key(key)} = {json.dumps(value, ensure_ascii=False)}{newline}" for key, value in missing.items()
    ]
    if last is not None:
        line = lines[last.line]
        start = line[: len(line) - len(line.lstrip())]
        dotted = re.match(rf"\s*((?:[\w-]+\s*\.\s*)*{re.escape(name)}\s*\.\s*)", line)
        lines[last.line] = _ended(line, newline) + "".join(
            start + (dotted[1] if dotted else "") + row for row in rows
        )
        return
    table = (*prefix, name)
    headers = [(number, path) for number, path in _headers(lines)]
    own = next((number for number, path in headers if path == table), None)
    if own is not None:
        lines[own] = _ended(lines[own], newline) + "".join(rows)
        return
    at = _end_of(lines, headers, prefix)
    before = [_ended(lines[at - 1], newline)] if at else []
    header = f"[{'.'.join(table)}]{newline}"
    gap = [newline] if before and before[0].strip() else []
    behind = [newline] if at < len(lines) and lines[at].strip() else []
    lines[max(at - 1, 0) : at] = [*before, *gap, header, *rows, *behind]


def _headers(lines: list[str]) -> Iterator[tuple[int, Names]]:
    for number, line in enumerate(lines):
        path = _path(line) if _HEADER.match(line) else ()
        if path:
            yield number, path


def _end_of(lines: list[str], headers: list[tuple[int, Names]], prefix: Names) -> int:
    """Behind the last table of the prefix, before the blank lines and comments that follow it."""
    own = [index for index, (_, path) in enumerate(headers) if prefix and path[: len(prefix)] == prefix]
    end = headers[own[-1] + 1][0] if own and own[-1] + 1 < len(headers) else len(lines)
    while end and (
        not lines[end - 1].strip() or (end < len(lines) and lines[end - 1].lstrip().startswith("#"))
    ):
        end -= 1
    return end


def _ended(line: str, newline: str) -> str:
    return line if line.endswith("\n") else line + newline


def _newline_of(text: str) -> str:
    match = _NEWLINE.search(text)
    return match[0] if match else "\n"


def _key(name: str) -> str:
    return name if _BARE_KEY.match(name) else json.dumps(name, ensure_ascii=False)
