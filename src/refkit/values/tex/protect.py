r"""Braces around the words of a title whose capitals a sentence-casing style would lower.

BibTeX's ``change.case$`` with ``"t"`` (plain, alpha, abbrv, and pybtex's styles) and BibLaTeX's
``\MakeSentenceCase`` lower every letter at brace depth 0 but the first. Only what must keep its capitals is
braced, never a whole title.
"""

from __future__ import annotations

import re

from refkit.values.patterns import pattern

_PIECES = r"""
    (?P<open>\{) | (?P<close>\}) | (?P<math>\$(?:[^$\\]|\\.){1,400}+\$) | (?P<command>\\[A-Za-z]+\*?[ ]*)
  | (?P<accent>\\[`'^"~=.]) | (?P<sign>\\\#|\++) | (?P<joiner>\\&|[.'’]) | (?P<escape>\\.?)
  | (?P<word>[^\W_]+) | (?P<blank>\s+) | (?P<other>.)
"""
#: What BibTeX calls a special character, as far as it is a letter: ``{\\"o}``, ``{\\o}``, ``{\\v s}``.
_LETTER_GROUP = r"""
    \{\\(?: [`'^"~=.][^{}]{0,8}(?:\{[^{}]{0,8}\})?
         | [bcdGhHkrtuUv](?:[ ][^{}]{1,8}|\{[^{}]{0,8}\})
         | (?:aa|AA|ae|AE|oe|OE|ss|o|O|l|L|i|j|dh|DH|th|TH|ng|NG|dj|DJ)[ ]? )\}
"""


class _Piece:
    """A part of a title: its kind and its span."""

    __slots__ = ("end", "kind", "start")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end


def protect(tex: str) -> str:
    r"""A title in TeX with braces around the words that must keep their capitals.

    These are words with a capital after their first letter (FlashAttention, vLLM, GPUs), capitals mixed with
    digits (H100), single capital letters but the article, names of the term list, formulas and commands with
    capitals (BibTeX lowers ``$\Lambda$`` too). What braces hold already stays as it is, so the function is
    idempotent. A title that is all in capitals is left alone: it gives no hint which of them are meant.
    """
    if tex == tex.lower() or _shouts(tex):
        return tex
    out: list[str] = []
    at = 0
    for start, end in _spans(tex):
        # A brace and a backslash begin what BibTeX calls a special character, whose letters it changes.
        opening, closing = ("{{", "}}") if tex[start] == "\\" else ("{", "}")
        out += [tex[at:start], opening, tex[start:end], closing]
        at = end
    out.append(tex[at:])
    return "".join(out)


def _spans(tex: str) -> list[tuple[int, int]]:
    """Where the words are that need braces; two with a hyphen or slash between are one: ``TensorRT-LLM``."""
    spans: list[tuple[int, int]] = []
    for number, word in enumerate(_words(_pieces(tex))):
        start, end = word[0].start, word[-1].end
        first = number == 0 and not tex[:start].strip()
        article = tex[end : end + 1] == " " and tex[start - 1 : start] not in ("-", "/")
        if _needs_braces(tex, word, first=first, article=article):
            if spans and tex[spans[-1][1] : start] in ("-", "/"):
                start = spans.pop()[0]
            spans.append((start, end))
    return spans


def _shouts(tex: str) -> bool:
    """Whether a title of several words is in capitals throughout."""
    words = pattern(r"[^\W\d_]{3,}").findall(tex)
    cased = [word for word in words if word.upper() != word.lower()]
    return len(cased) > 2 and all(word == word.upper() for word in cased)


def _pieces(tex: str) -> list[_Piece]:
    """The title cut into words, formulas, commands, groups and what stands between."""
    pieces: list[_Piece] = []
    depth = start = 0
    for found in pattern(_PIECES, re.VERBOSE | re.DOTALL).finditer(tex):
        kind = str(found.lastgroup)
        if kind == "open":
            if depth == 0:
                start = found.start()
            depth += 1
        elif kind == "close" and depth:
            depth -= 1
            if depth == 0:
                pieces.append(_group(tex, pieces, start, found.end()))
        elif depth == 0:
            pieces.append(_Piece(kind, found.start(), found.end()))
    return pieces


def _group(tex: str, pieces: list[_Piece], start: int, end: int) -> _Piece:
    """A group; that of a command or an accent belongs to it."""
    last = pieces[-1] if pieces else None
    if last is not None and last.end == start and last.kind in ("command", "accent"):
        pieces.pop()
        return _Piece("accent" if last.kind == "accent" else "command", last.start, end)
    return _Piece(
        "letter" if pattern(_LETTER_GROUP, re.VERBOSE).fullmatch(tex, start, end) else "group", start, end
    )


def _words(pieces: list[_Piece]) -> list[list[_Piece]]:
    """Runs of pieces that make a word: ``AT\\&T``, ``Schr{\\"o}dinger``, ``$\\Lambda$CDM``."""
    words: list[list[_Piece]] = []
    current: list[_Piece] = []
    for piece in pieces:
        if piece.kind in ("word", "math", "letter", "accent", "command") or (
            piece.kind in ("joiner", "sign") and current
        ):
            current.append(piece)
        elif current:
            words.append(_trimmed(current))
            current = []
    if current:
        words.append(_trimmed(current))
    return words


def _trimmed(word: list[_Piece]) -> list[_Piece]:
    """Without the full stop, apostrophe or ampersand at its end; ``C++`` and ``C\\#`` keep theirs."""
    while len(word) > 1 and word[-1].kind == "joiner":
        word = word[:-1]
    return word


def _needs_braces(tex: str, word: list[_Piece], *, first: bool, article: bool) -> bool:
    for piece in word:
        text = tex[piece.start : piece.end]
        if piece.kind in ("math", "command") and text != text.lower():
            return True
    text = "".join(tex[piece.start : piece.end] for piece in word if piece.kind != "command")
    letters = [char for char in text if char.isalpha()]
    if not letters:
        return False
    if any(char.isupper() for char in letters[1:]):
        return True
    if first or not letters[0].isupper():
        return False
    if len(letters) == 1:
        return not (text == "A" and article)
    return text.startswith("I'") or any(char.isdigit() for char in text) or _is_term(text)


def _is_term(text: str) -> bool:
    from refkit.values.tex.read import decode
    from refkit.values.tex.terms import TERMS

    plain = decode(text) if "\\" in text else text
    return (
        plain.removesuffix("'s").removesuffix("’s").rstrip("s") in TERMS or plain.removesuffix("'s") in TERMS
    )
