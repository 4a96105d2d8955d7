"""Edits of section pages in which only the characters that an edit is about change.

What is a placement or a citation is what docutils reads as one (`refkit.pages.rst`): a key in a literal
block, a comment or a note of a citation is left alone. Every edit is read again before it counts.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple

from docutils import nodes

from refkit.pages import inline
from refkit.pages.rst import parse, pending_xref, source_node

#: Width to which a new annotation is wrapped, its indent included.
WIDTH = 88
#: Indent of options and annotation below the directive.
INDENT = "   "

_NEWLINE = re.compile(r"\r\n|\n|\r")
_DIRECTIVE = re.compile(r"(?P<indent>[ \t]*)\.\.[ \t]+source::[ \t]+(?P<key>\S+)")
# Characters that go on with a key: a key that stands between two of them is part of a longer one.
_KEY_CHARACTER = re.compile(r"[\w:.+/-]")


class PageError(ValueError):
    """An edit of a page that is refused; the message says what and where, and what to do."""


class Block(NamedTuple):
    """A ``source`` directive of a page with its options and its annotation."""

    key: str
    #: Span in the text: whole lines, without the blank lines behind.
    start: int
    end: int
    #: White space before the directive.
    indent: str
    #: 1-based line of the directive.
    line: int


class References(NamedTuple):
    """Where a page names a key: positions in its text."""

    placements: tuple[int, ...]
    citations: tuple[int, ...]


def blocks(text: str) -> list[Block]:
    """The placements of a page, in order.

    Raises:
        PageError: docutils reads a placement where the text shows none (in an included file, say).
    """
    lines = _lines(text)
    starts = _starts(lines)
    out = []
    for node in _parse(text).findall(source_node):
        number = node["line"] - 1
        match = _DIRECTIVE.match(lines[number]) if number < len(lines) else None
        if match is None or match["key"] != node["key"]:
            raise PageError(
                f"line {number + 1}: {node['key']!r} stands in an included file; edit that by hand"
            )
        last = _last_line(lines, number, len(match["indent"].expandtabs(8)))
        out.append(Block(node["key"], starts[number], starts[last + 1], match["indent"], number + 1))
    return out


def insert(text: str, key: str, title: str, annotation: str = "", after: str | None = None) -> str:
    """The page with one more placement.

    Args:
        text: the page.
        key: the work's key.
        title: the name shown; none is written where it is empty.
        annotation: reStructuredText of one paragraph, inline markup only; wrapped here.
        after: the key of the source to stand behind; by default the last one of the page.

    Raises:
        PageError: there is no such source, the key is placed already, title or annotation cannot be written.
    """
    return place(text, source(key, title, annotation), after)


def source(key: str, title: str, annotation: str = "") -> str:
    """A ``source`` directive, with line feeds and without a final one.

    Raises:
        PageError: the title has several lines, or the annotation is more than inline markup.
    """
    title = title.strip()
    if _NEWLINE.search(title):
        raise PageError(f"{key}: the title {title!r} must be one line")
    lines = [f".. source:: {key}"]
    if title:
        lines.append(f"{INDENT}:title: {title}")
    words = " ".join(annotation.split())
    if words:
        lines += ["", *_wrapped(words)]
    result = "\n".join(lines)
    _check_source(key, result, title, bool(words))
    return result


def place(text: str, block: str, after: str | None = None) -> str:
    """The page with this ``source`` directive behind that of ``after``, or behind the last.

    Raises:
        PageError: there is no such source, or its key is placed on this page already.
    """
    newline = _newline_of(text)
    there = blocks(text)
    key = _key_of(block)
    if any(other.key == key for other in there):
        raise PageError(f"{key!r} is placed on this page already")
    behind = _behind(there, after)
    lines = _NEWLINE.split(block)
    indent = behind.indent if behind else ""
    shown = newline.join(indent + line if line.strip() else "" for line in lines)
    if behind is not None:
        at = behind.end
        head, tail = text[:at], text[at:]
        head += "" if head.endswith(("\n", "\r")) else newline
        result = head + newline + shown + newline + tail
    else:
        head = text.rstrip()
        result = (head + 2 * newline if head else "") + shown + newline
    keys = [other.key for other in there]
    keys.insert(there.index(behind) + 1 if behind else 0, key)
    if [other.key for other in blocks(result)] != keys:
        raise PageError(f"{key!r} cannot be placed there; write its source directive by hand")
    return result


def take(text: str, key: str) -> tuple[str, str]:
    """The page without a source, and the directive that was taken out, not indented.

    Raises:
        PageError: the key is not placed on this page, or more than once.
    """
    there = blocks(text)
    found = [block for block in there if block.key == key]
    if len(found) != 1:
        how = "is not placed on this page" if not found else "is placed on this page more than once"
        raise PageError(f"{key!r} {how}")
    (block,) = found
    lines = _NEWLINE.split(text[block.start : block.end].rstrip())
    taken = "\n".join(line.removeprefix(block.indent) for line in lines)
    return _cut(text, block), taken


def without(text: str, key: str) -> str:
    """The page without any placement of a work."""
    for block in reversed(blocks(text)):
        if block.key == key:
            text = _cut(text, block)
    return text


def _cut(text: str, block: Block) -> str:
    """The text without a directive and the blank lines behind it, or before it where it was the last."""
    head, rest = text[: block.start], _without_blank_lines(text[block.end :])
    if rest:
        return head + rest
    stripped = head.rstrip()
    return stripped + _newline_of(text) if stripped else ""


def find(text: str, key: str) -> References:
    """Where a page places and cites a work."""
    places = list(_occurrences(text, key))
    if not places:
        return References((), ())
    marks = dict(zip(_marks(text, key), places, strict=False))
    document = _parse(_replaced(text, key, {place: mark for mark, place in marks.items()}))
    placements = [marks[node["key"]] for node in document.findall(source_node) if node["key"] in marks]
    cited = [
        marks[name]
        for node in document.findall(pending_xref)
        for name in inline.cite_keys(node["reftarget"])
        if name in marks
    ]
    return References(tuple(placements), tuple(cited))


def rename(text: str, old: str, new: str) -> str:
    """The page with every placement and citation of a key under another one.

    Raises:
        PageError: after the change docutils would not read the page as before (a citation in a table, say).
    """
    found = find(text, old)
    places = dict.fromkeys((*found.placements, *found.citations), new)
    result = _replaced(text, old, places)
    expected = [[new if key == old else key for key in keys] for keys in _named(text)]
    if _named(result) != expected:
        raise PageError(
            f"{old!r} stands where it cannot be exchanged (a table, an included file); do it by hand"
        )
    return result


def title_of(text: str) -> str:
    """The page's title; empty where it has none."""
    title = next(iter(_parse(text).findall(nodes.title)), None)
    return title.astext() if title is not None else ""


def line_of(text: str, at: int) -> int:
    """The 1-based line of a position."""
    return len(_NEWLINE.findall(text[:at])) + 1


def _parse(text: str) -> nodes.document:
    return parse(text.removeprefix("\ufeff"), "")


# -- lines ---------------------------------------------------------------------------------------------------


def _lines(text: str) -> list[str]:
    """The lines as docutils counts them, with their ends; no character moves."""
    return text.replace("\v", " ").replace("\f", " ").splitlines(keepends=True)


def _starts(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts


def _last_line(lines: list[str], number: int, indent: int) -> int:
    """The last line of the directive that begins on this line: what is indented deeper belongs to it."""
    last = number
    for at in range(number + 1, len(lines)):
        line = lines[at].expandtabs(8)
        if line.strip():
            if len(line) - len(line.lstrip()) <= indent:
                break
            last = at
    return last


def _newline_of(text: str) -> str:
    crlf = text.count("\r\n")
    return "\r\n" if crlf > text.count("\n") - crlf else "\n"


def _without_blank_lines(text: str) -> str:
    match = re.match(r"(?:[ \t]*+(?:\r\n|\n|\r))*+", text)
    return text[match.end() :] if match else text


# -- directives ----------------------------------------------------------------------------------------------


def _wrapped(words: str) -> list[str]:
    return textwrap.wrap(
        words,
        WIDTH,
        initial_indent=INDENT,
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _check_source(key: str, block: str, title: str, annotated: bool) -> None:
    """Refuse a directive that docutils would not read as it was meant."""
    found = list(_parse(block + "\n").findall(source_node))
    if len(found) != 1 or found[0]["key"] != key or found[0].get("title", "") != title:
        raise PageError(f"{key}: docutils does not read the title {title!r} as it stands")
    tree, refused = inline.from_nodes(found[0].children)
    if refused or (annotated and not tree) or len(found[0].children) > 1:
        what = ", ".join(sorted(set(refused))) or "more than one paragraph"
        raise PageError(f"{key}: the annotation holds {what}; only {inline.ALLOWED} are kept")


def _key_of(block: str) -> str:
    match = _DIRECTIVE.match(block)
    if match is None:
        raise PageError(f"no source directive: {block[:40]!r}")
    return match["key"]


def _behind(there: list[Block], after: str | None) -> Block | None:
    if after is None:
        return there[-1] if there else None
    for block in there:
        if block.key == after:
            return block
    raise PageError(f"there is no source {after!r} on this page")


# -- keys ----------------------------------------------------------------------------------------------------


def _occurrences(text: str, key: str) -> Iterator[int]:
    """Where a key stands by itself."""
    at = text.find(key)
    while at >= 0:
        end = at + len(key)
        before, behind = text[at - 1 : at], text[end : end + 1]
        if not _KEY_CHARACTER.match(before) and not (behind and _KEY_CHARACTER.match(behind)):
            yield at
        at = text.find(key, end)


def _marks(text: str, key: str) -> Iterator[str]:
    """Keys that the text does not have, as long as this one if that is possible: tables count columns."""
    width = max(len(key), 4)
    for number in count():
        mark = f"q{number:0{width - 1}x}"
        if mark not in text:
            yield mark


def _replaced(text: str, key: str, new: Mapping[int, str]) -> str:
    out = []
    done = 0
    for place in sorted(new):
        out += [text[done:place], new[place]]
        done = place + len(key)
    return "".join([*out, text[done:]])


def _named(text: str) -> list[list[str]]:
    """All keys that a page names, in the order of docutils."""
    keys: list[list[str]] = []
    for node in _parse(text).findall(nodes.Element):
        if isinstance(node, source_node):
            keys.append([node["key"]])
        elif isinstance(node, pending_xref):
            keys.append(list(inline.cite_keys(node["reftarget"])))
    return keys


# -- files ---------------------------------------------------------------------------------------------------


def decode(data: bytes) -> str:
    """The text of a page; bytes that are not UTF-8, and a byte order mark, survive `encode`."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of a page."""
    return text.encode("utf-8", "surrogateescape")


def files(root: Path) -> list[Path]:
    """The pages below a folder, as the reader finds them."""
    return [
        path
        for path in sorted(root.rglob("*.rst"))
        if not any(part.startswith((".", "_")) for part in path.relative_to(root).parts[:-1])
    ]
