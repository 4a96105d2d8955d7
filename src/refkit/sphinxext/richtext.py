"""Text with markup, as a tree of inline parts, and how it is written: docutils nodes, HTML, pybtex, plain.

Nothing raises: markup that does not match is passed over.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from docutils import nodes
    from pybtex.richtext import BaseText

#: ``("text", str)``, or ``(tag, children)`` with the tags em, strong, sup, sub, or ``("link", children,
#: address)``.
Part: TypeAlias = tuple[Any, ...]
Parts: TypeAlias = tuple[Part, ...]

_TAG = re.compile(r"<(/?)(i|b|sup|sub|span)(?: [^<>]*)?>")
_TAGS = {"i": "em", "b": "strong", "sup": "sup", "sub": "sub", "span": "span"}

# assembling ------------------------------------------------------------------


def of_text(text: str) -> Parts:
    """A text without markup; no parts where it is empty."""
    return (("text", text),) if text else ()


def of_markup(text: str) -> Parts:
    """Escaped HTML with CSL's few tags, as parts; tags that do not match are passed over."""
    if "<" not in text:
        return of_text(html.unescape(text))
    stack: list[tuple[str, list[Part]]] = [("", [])]
    position = 0
    for match in _TAG.finditer(text):
        stack[-1][1].extend(of_text(html.unescape(text[position : match.start()])))
        position = match.end()
        if not match[1]:
            stack.append((match[2], []))
        elif len(stack) > 1 and stack[-1][0] == match[2]:
            _close(stack)
    stack[-1][1].extend(of_text(html.unescape(text[position:])))
    while len(stack) > 1:
        _close(stack)
    return tuple(stack[0][1])


def _close(stack: list[tuple[str, list[Part]]]) -> None:
    name, children = stack.pop()
    tag = _TAGS[name]
    if tag == "span":
        stack[-1][1].extend(children)
    else:
        stack[-1][1].append((tag, tuple(children)))


def comma(*items: Parts) -> Parts:
    """The items that are not empty, with commas between them."""
    out: list[Part] = []
    for item in items:
        if item:
            out += [("text", ", ")] if out else []
            out += item
    return tuple(out)


def in_sentences(items: Iterable[Parts]) -> Parts:
    """The items that are not empty, each ended with a full stop where it needs one."""
    out: list[Part] = []
    for sentence in items:
        if not sentence:
            continue
        if out:
            out.append(("text", " "))
        out += sentence
        if not _ends(sentence) and not (len(sentence) == 1 and sentence[0][0] == "link"):
            out.append(("text", "."))
    return _merged(out)


def _ends(sentence: Parts) -> bool:
    return plain(sentence).rstrip("\"'”’»)")[-1:] in (".", "?", "!", "…")


def _merged(parts: Iterable[Part]) -> Parts:
    out: list[Part] = []
    for part in parts:
        if part[0] == "text" and out and out[-1][0] == "text":
            out[-1] = ("text", out[-1][1] + part[1])
        else:
            out.append(part)
    return tuple(out)


# writing ---------------------------------------------------------------------


def plain(parts: Parts) -> str:
    """The parts as plain text."""
    return "".join(part[1] if part[0] == "text" else plain(part[1]) for part in parts)


def to_html(parts: Parts) -> str:
    """The parts as escaped HTML."""
    out = []
    for part in parts:
        tag = part[0]
        if tag == "text":
            out.append(html.escape(part[1]))
        elif tag == "link":
            out.append(f'<a class="reference external" href="{html.escape(part[2])}">{to_html(part[1])}</a>')
        else:
            out.append(f"<{tag}>{to_html(part[1])}</{tag}>")
    return "".join(out)


def to_nodes(parts: Parts) -> list[nodes.Node]:
    """The parts as docutils nodes."""
    from docutils import nodes

    tags: dict[str, Any] = {
        "em": nodes.emphasis, "strong": nodes.strong, "sup": nodes.superscript, "sub": nodes.subscript,
    }  # fmt: skip
    out: list[nodes.Node] = []
    for part in parts:
        if part[0] == "text":
            out.append(nodes.Text(part[1]))
        elif part[0] == "link":
            out.append(nodes.reference("", "", *to_nodes(part[1]), refuri=part[2], internal=False))
        else:
            out.append(tags[part[0]]("", "", *to_nodes(part[1])))
    return out


def to_pybtex(parts: Parts) -> BaseText:
    """The parts as pybtex's rich text."""
    from pybtex.richtext import HRef, Tag, Text

    out: list[Any] = []
    for part in parts:
        if part[0] == "text":
            out.append(part[1])
        elif part[0] == "link":
            out.append(HRef(part[2], to_pybtex(part[1])))
        else:
            out.append(Tag(part[0], to_pybtex(part[1])))
    return Text(*out)
