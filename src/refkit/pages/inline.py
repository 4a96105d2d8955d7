"""Annotations as small inline trees: made from docutils nodes, written as text, HTML or TeX.

Both the command line (docutils alone) and the Sphinx extension make the tree with :func:`from_nodes`, before
any transform has touched the nodes, so that both write the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from refkit import identifiers

if TYPE_CHECKING:
    from refkit.pages.model import Inline

#: What is allowed inside an annotation, said in a diagnostic.
ALLOWED = "emphasis, strong, literal, links and :cite: roles"

_WRAPPERS = {"emphasis": "em", "strong": "strong"}
_HTML_TAGS = {"em": "em", "strong": "strong"}
_TEX_COMMANDS = {"em": "emph", "strong": "textbf"}
#: Pre- and post-notes of sphinxcontrib-bibtex: ``:cite:p:`{see}key{p. 3}```.
_CITE_NOTE = re.compile(r"\{[^{}]*\}")


class CiteLabel(Protocol):
    """How a citation of a work reads; ``refkit.labels.Label`` is one."""

    @property
    def text(self) -> str:
        """In brackets: ``Dao et al. 2022``."""
        ...

    @property
    def textual(self) -> str:
        """In a sentence: ``Dao et al. (2022)``."""
        ...


#: From a key to its label; ``None`` for a key that is unknown (then the key itself is shown).
LabelOf = Callable[[str], CiteLabel | None]


def from_nodes(nodes: Iterable[Any]) -> tuple[tuple[Inline, ...], tuple[str, ...]]:
    """The inline tree of docutils nodes, and the names of nodes that do not belong into an annotation.

    Paragraphs are joined by a blank. What is not allowed is left out, but for its text.
    """
    refused: list[str] = []
    return tidied(_nodes(nodes, refused)), tuple(refused)


def tidied(tree: Iterable[Inline]) -> tuple[Inline, ...]:
    """Neighbouring texts made one, blanks at both ends and what is empty left out."""
    return _strip(_join(tree))


def text_node(text: str) -> Inline:
    """A text, each run of white space one blank."""
    return ("text", " ".join(_pieces(text)))


def cite_node(role: str, target: str) -> Inline:
    """A citation by a role (``p``, ``t``, ``ps`` …) with its text."""
    return ("cite", "t" if "t" in role else "p", cite_keys(target))


def cite_keys(target: str) -> tuple[str, ...]:
    """The keys in the text of a citation role, without pre- and post-notes."""
    return tuple(key for part in _CITE_NOTE.sub("", target).split(",") if (key := part.strip()))


def _nodes(nodes: Iterable[Any], refused: list[str]) -> list[Inline]:
    out: list[Inline] = []
    for node in nodes:
        out.extend(_node(node, refused))
    return out


def _node(node: Any, refused: list[str]) -> list[Inline]:
    name = node.tagname
    if name == "#text":
        return [text_node(str(node))]
    if name == "paragraph":
        return [*_nodes(node.children, refused), ("text", " ")]
    if name in _WRAPPERS:
        return [(_WRAPPERS[name], _join(_nodes(node.children, refused)))]
    if name == "literal":
        return [("code", node.astext())]
    if name == "reference" and node.get("refuri"):
        return [("link", _join(_nodes(node.children, refused)), node["refuri"])]
    if name == "pending_xref" and node.get("refdomain") == "cite":
        return [cite_node(node.get("reftype", "p"), node["reftarget"])]
    if name in ("comment", "target", "index", "substitution_definition"):
        return []
    refused.append(name)
    return [text_node(node.astext())]


def _pieces(text: str) -> list[str]:
    """Words of a text, with empty pieces at the ends where it begins or ends with white space."""
    words = text.split()
    if not words:
        return ["", ""] if text else [""]
    return [*([""] if text[0].isspace() else []), *words, *([""] if text[-1].isspace() else [])]


def _join(nodes: Iterable[Inline]) -> tuple[Inline, ...]:
    """Neighbouring texts made one."""
    out: list[Inline] = []
    for node in nodes:
        if node[0] == "text" and out and out[-1][0] == "text":
            out[-1] = ("text", out[-1][1] + node[1])
        elif node != ("text", ""):
            out.append(node)
    return tuple(out)


def _strip(nodes: tuple[Inline, ...]) -> tuple[Inline, ...]:
    out = list(nodes)
    if out and out[0][0] == "text":
        out[0] = ("text", out[0][1].lstrip())
    if out and out[-1][0] == "text":
        out[-1] = ("text", out[-1][1].rstrip())
    return tuple(node for node in out if node != ("text", ""))


def introduction(nodes: Iterable[Any], is_source: Callable[[Any], bool]) -> str:
    """The paragraphs before the first source as plain text, of a page's paragraphs and sources in order."""
    out = []
    for node in nodes:
        if is_source(node):
            break
        tree, _ = from_nodes([node])
        out.append(to_text(tree, lambda _: None))
    return "\n\n".join(out)


def cited(nodes: Iterable[Inline]) -> list[str]:
    """The keys that a tree cites, in order."""
    keys: list[str] = []
    for node in nodes:
        if node[0] == "cite":
            keys.extend(node[2])
        elif node[0] in ("em", "strong", "link"):
            keys.extend(cited(node[1]))
    return keys


def citation(style: str, keys: Iterable[str], label_of: LabelOf) -> str:
    """A citation as plain text: ``[Dao et al. 2022; CUDA Programming Guide]``, or textual."""
    labels = [(label_of(key), key) for key in keys]
    if style == "t":
        return ", ".join(label.textual if label else key for label, key in labels)
    return "[" + "; ".join(label.text if label else key for label, key in labels) + "]"


def to_text(nodes: Iterable[Inline], label_of: LabelOf) -> str:
    """The tree as plain text."""
    out = []
    for node in nodes:
        kind = node[0]
        if kind in ("text", "code"):
            out.append(node[1])
        elif kind == "cite":
            out.append(citation(node[1], node[2], label_of))
        else:
            out.append(to_text(node[1], label_of))
    return "".join(out)


def to_html(nodes: Iterable[Inline], label_of: LabelOf) -> str:
    """The tree as escaped inline HTML; unsafe addresses lose their link."""
    out = []
    for node in nodes:
        kind = node[0]
        if kind == "text":
            out.append(escape(node[1]))
        elif kind == "code":
            out.append(f"<code>{escape(node[1])}</code>")
        elif kind == "cite":
            out.append(escape(citation(node[1], node[2], label_of)))
        elif kind == "link":
            url, inner = identifiers.url(node[2]), to_html(node[1], label_of)
            out.append(f'<a href="{escape(url)}">{inner}</a>' if url else inner)
        else:
            tag = _HTML_TAGS[kind]
            out.append(f"<{tag}>{to_html(node[1], label_of)}</{tag}>")
    return "".join(out)


def to_tex(nodes: Iterable[Inline], label_of: LabelOf) -> str:
    """The tree as TeX for a UTF-8 document: specials escaped, emphasis kept, citations as their labels."""
    out = []
    for node in nodes:
        kind = node[0]
        if kind == "text":
            out.append(_tex(node[1]))
        elif kind == "code":
            out.append(f"\\texttt{{{_tex(node[1])}}}")
        elif kind == "cite":
            out.append(_tex(citation(node[1], node[2], label_of)))
        elif kind == "link":
            out.append(to_tex(node[1], label_of))
        else:
            out.append(f"\\{_TEX_COMMANDS[kind]}{{{to_tex(node[1], label_of)}}}")
    return "".join(out)


def _tex(text: str) -> str:
    """Text as TeX, with the blanks at its ends, which separate it from its neighbours."""
    from refkit.values import tex

    inner = text.strip()
    if not inner:
        return text
    start = text.index(inner)
    return text[:start] + tex.encode(inner) + text[start + len(inner) :]


def escape(text: str) -> str:
    """Text as HTML, safe in content and in double-quoted attributes."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
