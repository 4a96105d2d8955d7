"""Spans around the words whose capitals a citation style must keep."""

from __future__ import annotations

from refkit.values.patterns import pattern
from refkit.values.tex.read import PROTECTED, UNPROTECTED

_SPAN = ('<span class="nocase">', "</span>")
_PIECES = rf"{PROTECTED}|{UNPROTECTED}|\w+|[^\w{PROTECTED}{UNPROTECTED}]+"


def spans(text: str) -> str:
    """Turns the marks of protected groups into ``<span class="nocase">`` around whole words.

    A word of which a part is protected is protected as a whole, for a style changes words. Where everything
    is protected and it is more than a word, somebody braced the whole value to keep BibTeX's hands off: no
    span.
    """
    if PROTECTED not in text:
        return text
    pieces, marked = _pieces(text)
    if all(marked) and any(" " in piece for piece in pieces):
        return "".join(pieces)
    _spread(pieces, marked)
    out: list[str] = []
    inside = False
    for piece, mark in zip(pieces, marked, strict=True):
        if mark != inside:
            out.append(_SPAN[inside])
            inside = mark
        out.append(piece)
    if inside:
        out.append(_SPAN[1])
    return "".join(out)


def _pieces(text: str) -> tuple[list[str], list[bool]]:
    """Words and what stands between them, and which of them are protected."""
    pieces: list[str] = []
    marked: list[bool] = []
    depth = 0
    for piece in pattern(_PIECES).findall(text):
        if piece == PROTECTED:
            depth += 1
        elif piece == UNPROTECTED:
            depth -= 1
        else:
            pieces.append(piece)
            marked.append(depth > 0)
    return pieces, marked


def _spread(pieces: list[str], marked: list[bool]) -> None:
    words = [piece[0].isalnum() or piece[0] == "_" for piece in pieces]
    for indexes, step in ((range(1, len(pieces)), -1), (range(len(pieces) - 2, -1, -1), 1)):
        for at in indexes:
            if words[at] and words[at + step] and marked[at + step]:
                marked[at] = True
