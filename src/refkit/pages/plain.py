"""Reading a page that is made of titles, paragraphs and sources and nothing else, without docutils.

Loading docutils and parsing a list's pages with it takes longer than all that a command then does with
them, and most pages need none of its power. Whatever is not plainly one of the few things known here makes
:func:`read` give up, and docutils reads the page; where it does not give up, both give the same (tested on
the pages of this project and on random ones).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import east_asian_width

from refkit.pages import inline
from refkit.pages.model import Citation, Inline, Page, Source, Toctree

#: Characters that docutils expands, ends a line at, or takes for an escape.
_NOT_PLAIN = re.compile("[\\\\\t\r\v\f\x00\x1c-\x1e\x85\u2028\u2029]")
_UNDERLINE = re.compile(r"([=~^*+#-])\1*\Z")
_PUNCTUATION = re.compile(r"([!-/:-@[-`{-~])\1*\Z")
_DIRECTIVE = re.compile(r"\.\. ([a-z][a-z-]*)::(?: (.*))?\Z")
_OPTION = re.compile(r":([a-z-]+):(?: (.*))?\Z")
_KEY = re.compile(r"[^\s|*`]*[^\s|*`_]\Z")
#: How a paragraph may begin: anything else may be a list, a table, a comment, a field, a quotation.
_BEGIN = re.compile(r"[^\W_]|[(“\"]|:(?:foot)?cite[:a-z]*:`|\*[^\W_]|``[^\s`]")
_ENUMERATOR = re.compile(r"\(?(?:\d+|[^\W\d_]|[ivxlcdmIVXLCDM]+|#)[.)](?:\s|\Z)")

#: The markup that an annotation may hold, in its unmistakable forms.
_MARKUP = re.compile(
    r"""(?:(?<=[\s(])|\A)(?:
        :(?:foot)?cite(?::(?P<style>[a-z]+))?:`(?P<keys>[^`<>\s][^`<>]*(?<![\s]))`
      | ``(?P<code>[^`\s](?:[^`\n]*[^`\s])?)``
      | \*\*(?P<strong>[^\W_](?:[^*`|\n]*[^\s*`|])?)\*\*
      | \*(?P<em>[^\W_](?:[^*`|\n]*[^\s*`|])?)\*
    )(?=[\s.,;:!?)\]]|\Z)""",
    re.VERBOSE,
)
#: What may be markup, a reference or an address in the rest of a text.
_DOUBTFUL = re.compile(r"[`*|@]|_(?![^\W_])|::|[^\W\d_][\w.+-]*:\S|\]_")

#: Directives of pages without sources whose content is no part of the page.
_INERT = frozenset(("code-block", "code", "image", "literalinclude", "highlight", "math"))
_LITERAL = re.compile(r"``[^`\n]+``")
_OURS = ("cite:", "source::", "toctree::", "bibliography::", "include::")
#: Those that need nothing of docutils.
_SOURCE_OPTIONS = frozenset(("title", "waits-for", "review"))
_TOCTREE_OPTIONS = frozenset("maxdepth caption glob hidden includehidden titlesonly reversed".split())


class _NotPlainError(Exception):
    """Something on the page needs docutils."""


class _Line(NamedTuple):
    number: int
    text: str


def read(text: str) -> Page | None:
    """What a page says, or ``None`` where docutils must read it."""
    if _NOT_PLAIN.search(text):
        return None
    lines = [_Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]
    try:
        return _with_sources(lines) if _places(lines) else _without_sources(lines)
    except _NotPlainError:
        return None


def _places(lines: list[_Line]) -> bool:
    return any(line.text.startswith(".. source::") for line in lines)


# -- pages with sources --------------------------------------------------------------------------------------


def _with_sources(lines: list[_Line]) -> Page:
    title, rest = _title(lines)
    intro: list[str] = []
    sources: list[Source] = []
    citations: list[Citation] = []
    toctrees: list[Toctree] = []
    loose: list[str] = []  # behind the first source: titles, notes, lists; what they say does not matter
    for block in _blocks(rest):
        head = block[0].text
        if head.startswith(".."):
            match = _DIRECTIVE.match(head)
            if match and match[1] == "source":
                sources.append(_source(match[2] or "", block, citations))
            elif match and match[1] == "toctree" and not match[2]:
                toctrees.append(_toctree(block))
            else:
                raise _NotPlainError
            continue
        if sources:
            if any(line.text.endswith("::") for line in block):
                raise _NotPlainError
            loose += [line.text for line in block]
        else:
            tree = _paragraph(block, citations)
            intro.append(inline.to_text(inline.tidied(tree), lambda _: None))
    _check_loose(loose)
    return Page(title, "\n\n".join(intro), tuple(sources), tuple(toctrees), tuple(citations))


def _title(lines: list[_Line]) -> tuple[str, list[_Line]]:
    """The title that the page begins with, and the lines below it."""
    start = next((index for index, line in enumerate(lines) if line.text), len(lines))
    if start + 1 >= len(lines):
        raise _NotPlainError
    title, line = lines[start].text, lines[start + 1].text
    after = lines[start + 2].text if start + 2 < len(lines) else ""
    if (
        not _UNDERLINE.match(line)
        or len(line) < len(title)
        or any(east_asian_width(char) in "WFA" for char in title)
        or after
        or not _BEGIN.match(title)
        or not title[0].isalnum()
        or _DOUBTFUL.search(title)
    ):
        raise _NotPlainError
    return title, lines[start + 2 :]


def _blocks(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Paragraphs, and directives with all that is indented below them."""
    at, count = 0, len(lines)
    while at < count:
        if not lines[at].text:
            at += 1
            continue
        if lines[at].text[0] == " ":
            raise _NotPlainError
        end = at + 1
        directive = lines[at].text.startswith("..")
        while end < count and (
            not lines[end].text or lines[end].text[0] == " " if directive else lines[end].text
        ):
            end += 1
        if directive and end < count and lines[end - 1].text:
            raise _NotPlainError  # no blank line behind the directive
        block = lines[at:end]
        if any(line.text.startswith("..") for line in block[1:]):
            raise _NotPlainError  # part of the paragraph, for want of a blank line
        yield _trimmed(block)
        at = end


def _inside(block: list[_Line]) -> tuple[dict[str, str], list[_Line]]:
    """The options of a directive, and the lines of its content without their indent."""
    below = block[1:]
    indents = {_indent(line) for line in below if line.text}
    if len(indents) > 1:
        raise _NotPlainError
    indent = indents.pop() if indents else 0
    inside = [_Line(line.number, line.text[indent:]) for line in below]
    options: dict[str, str] = {}
    while inside and inside[0].text:
        match = _OPTION.match(inside[0].text)
        if match is None or match[1] in options:
            raise _NotPlainError
        options[match[1]] = (match[2] or "").strip()
        inside.pop(0)
    return options, inside


def _source(key: str, block: list[_Line], citations: list[Citation]) -> Source:
    options, inside = _inside(block)
    if not _KEY.match(key) or options.keys() - _SOURCE_OPTIONS:
        raise _NotPlainError
    tree: list[Inline] = []
    for paragraph in _blocks(inside):
        tree += [*_paragraph(paragraph, citations), ("text", " ")]
    return Source(
        key, block[0].number, options.get("title", ""), inline.tidied(tree), (),
        options.get("waits-for", ""), options.get("review", ""),
    )  # fmt: skip


def _toctree(block: list[_Line]) -> Toctree:
    options, inside = _inside(block)
    if options.keys() - _TOCTREE_OPTIONS or any(options.get(name) for name in ("glob", "reversed")):
        raise _NotPlainError
    entries = tuple(line.text.strip() for line in inside if line.text)
    return Toctree(options.get("caption", ""), entries, "glob" in options, "reversed" in options)


def _paragraph(block: list[_Line], citations: list[Citation]) -> list[Inline]:
    """The inline tree of a paragraph; the keys that it cites are added to ``citations``."""
    if block[0].text.startswith("..") or not _BEGIN.match(block[0].text) or _ENUMERATOR.match(block[0].text):
        raise _NotPlainError
    if any(line.text[0] == " " or _PUNCTUATION.match(line.text) for line in block):
        raise _NotPlainError  # a list of definitions, a title
    text = "\n".join(line.text for line in block)
    tree: list[Inline] = []
    at = 0
    for match in _MARKUP.finditer(text):
        tree.append(_text(text[at : match.start()]))
        tree.append(_marked(match))
        at = match.end()
        if tree[-1][0] == "cite":
            citations += [Citation(key, block[0].number) for key in tree[-1][2]]
    tree.append(_text(text[at:]))
    return tree


def _text(text: str) -> Inline:
    if _DOUBTFUL.search(text):
        raise _NotPlainError
    return inline.text_node(text)


def _marked(match: re.Match[str]) -> Inline:
    if match["keys"]:
        return inline.cite_node(match["style"] or "p", match["keys"])
    if match["code"]:
        return ("code", match["code"])
    kind = "em" if match["em"] else "strong"
    return (kind, (_text(match[kind]),))


# -- pages without sources -----------------------------------------------------------------------------------


def _without_sources(lines: list[_Line]) -> Page:
    """Of such a page only its title and its tables of contents matter, if it cites nothing."""
    title, rest = _title(lines)
    toctrees: list[Toctree] = []
    outside: list[str] = []
    at = 0
    while at < len(rest):
        text = rest[at].text
        match = _DIRECTIVE.match(text)
        if match and at and rest[at - 1].text:
            raise _NotPlainError
        end = _end_of_indented(rest, at)
        if match and match[1] == "toctree" and not match[2]:
            toctrees.append(_toctree(_trimmed(rest[at:end])))
        elif match and match[1] in _INERT:
            pass
        elif text.endswith("::"):
            if match is None and not _is_literal(rest[at + 1 : end]):
                raise _NotPlainError
            outside += [text] if match is None else [line.text for line in rest[at:end]]
        else:
            outside.append(text)
            end = at + 1
        at = end
    _check_loose(outside)
    return Page(title, toctrees=tuple(toctrees))


def _is_literal(block: list[_Line]) -> bool:
    """Whether these indented lines are a literal block: none is there where the block is quoted instead."""
    return bool(block) and not block[0].text and any(line.text for line in block)


def _check_loose(lines: list[str]) -> None:
    """What is read loosely must hold nothing that matters."""
    words = _LITERAL.sub("", "\n".join(lines))
    if any(word in words for word in _OURS):
        raise _NotPlainError


def _end_of_indented(lines: list[_Line], at: int) -> int:
    """Behind the lines that are indented more than this one."""
    indent = _indent(lines[at])
    end = at + 1
    while end < len(lines) and (not lines[end].text or _indent(lines[end]) > indent):
        end += 1
    return end


def _indent(line: _Line) -> int:
    return len(line.text) - len(line.text.lstrip(" "))


def _trimmed(block: list[_Line]) -> list[_Line]:
    while not block[-1].text:
        block.pop()
    return block
