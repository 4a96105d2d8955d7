"""Foreign text made ours: entities, HTML, JATS and MathML elements out, invisible characters out, TeX in.

Services deliver titles with whatever the depositor typed: ``&amp;amp;``, ``<i>in vitro</i>``,
``<mml:math>``, line breaks. Only elements that are known are elements; any other ``<`` is text.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from refkit.values import tex

if TYPE_CHECKING:
    from collections.abc import Callable

    from refkit.enrich.records import Text

#: Longer texts are cut here, in characters: no title is, and every step below is linear, but TeX is not
#: patient.
LONGEST = 4000

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"<(/?)(?:[a-z]{2,5}:)?([a-z][a-z0-9-]{0,24})((?:\s[^<>]{0,500})?)/?>", re.IGNORECASE)
#: Elements that say how their text looks, and the TeX for it.
_LOOKS = {
    "i": "\\emph",
    "em": "\\emph",
    "italic": "\\emph",
    "b": "\\textbf",
    "strong": "\\textbf",
    "bold": "\\textbf",
    "sub": "\\textsubscript",
    "inf": "\\textsubscript",
    "sup": "\\textsuperscript",
    "scp": "\\textsc",
    "sc": "\\textsc",
    "tt": "\\texttt",
    "code": "\\texttt",
    "monospace": "\\texttt",
}
#: Elements that leave their text as it is; MathML's are read for their text.
_PLAIN = frozenset(
    """
    span p br div font u title jats-title sec small underline strike named-content styled-content ext-link a
    alternatives inline-formula disp-formula formula math mi mn mo ms mtext mrow mstyle mspace msqrt semantics
    mfenced mfrac msub msup msubsup mover munder munderover mtable mtr mtd mpadded mphantom inline-graphic
    tex-math annotation
    """.split()
)
_DROPPED = frozenset(("tex-math", "annotation", "inline-graphic"))
_BLANK_AROUND = frozenset(("br", "p", "div", "title", "sec"))


def plain(text: Text) -> str:
    """The text as plain Unicode (NFC), on one line, without anything invisible."""
    if text.markup == "tex":
        return tex.decode(text.raw[:LONGEST])
    return tex.clean(_convert(text.raw, lambda piece: piece, {}))


def to_tex(text: Text) -> str:
    """The text as a BibTeX value in UTF-8: specials escaped once, emphasis as commands, formulas kept."""
    if text.markup == "tex":
        return _from_arxiv(text.raw[:LONGEST])
    value = " ".join(_convert(text.raw, _encoded, _LOOKS).split())
    # Text is encoded piece by piece, which does not see braces that pair up over two pieces.
    return value if _balanced(value) else tex.encode(plain(text))


def _encoded(piece: str) -> str:
    """A piece of text as TeX; blanks at its ends stay, because they stand between pieces."""
    head = piece[: len(piece) - len(piece.lstrip())] and " "
    tail = piece[len(piece.rstrip()) :] and " "
    core = tex.encode(piece)
    return f"{head}{core}{tail}" if core else head or tail


def _convert(raw: str, write: Callable[[str], str], looks: dict[str, str]) -> str:
    """The text with its elements replaced: known looks become commands, all else goes."""
    raw = unescaped(raw[:LONGEST])
    out: list[str] = []
    at = 0
    opened: list[str] = []
    skipping = 0
    for tag in _TAG.finditer(raw):
        name = tag[2].lower()
        if name not in _LOOKS and name not in _PLAIN:
            continue
        if not skipping:
            out.append(write(raw[at : tag.start()]))
        at = tag.end()
        closes, empty = bool(tag[1]), tag[0].endswith("/>")
        if name in _DROPPED and not empty:
            skipping = max(0, skipping + (-1 if closes else 1))
        elif name in looks and not empty and not skipping:
            out.append(_look(name, looks, opened, closes=closes))
        elif name in _BLANK_AROUND:
            out.append(" ")
    if not skipping:
        out.append(write(raw[at:]))
    out.extend("}" for _ in opened)
    return "".join(out)


def _look(name: str, looks: dict[str, str], opened: list[str], *, closes: bool) -> str:
    if not closes:
        opened.append(name)
        return looks[name] + "{"
    if name not in opened:
        return ""
    closing = ""
    while True:  # elements that are not closed end with what they stand in
        closing += "}"
        if opened.pop() == name:
            return closing


def unescaped(text: str) -> str:
    """Entities decoded, also those that a depositor or a service escaped a second or third time."""
    for _ in range(3):
        if not _ENTITY.search(text):
            break
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    return text


# -- arXiv's TeX -----------------------------------------------------------------------------------------


def _from_arxiv(raw: str) -> str:
    """arXiv's titles are TeX where people wrote formulas or accents, plain text where they wrote ``%``."""
    value = tex.encode_tex_like(raw)
    return value if _balanced(value) else tex.encode(tex.decode(raw))


def _balanced(value: str) -> bool:
    from refkit.bibtex.edit import brace_problem

    return not brace_problem(value)
