"""Words of titles that are broken, twice there, or cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import eq

from refkit.check.library import TITLE_FIELDS, Library
from refkit.check.model import Finding, rule


@rule("line-break-hyphen", "warning")
def line_break_hyphen(library: Library) -> Iterator[Finding]:
    """A hyphen and a blank inside a word, as the end of a line leaves them in what is copied from a page.

    A hyphen that stands for a part of a later word ("pre- and post-training") is left alone.
    """
    for column in library.some((*TITLE_FIELDS, "titleaddon")):
        for hit in column.hits(_BROKEN_WORD, "- "):
            yield Finding(
                f"{hit.part!r} is broken as at the end of a line: join it, or take the blank away",
                hit.entry,
                column.name,
                hit.part,
            )


_BROKEN_WORD = re.compile(
    r"(?<![^\W_])[^\W\d_]{2,}- (?!(?:and|or|to|und|oder|bis|et|y|versus|vs|but|nor|as) )[a-z]{2,}"
)


@rule("repeated-word", "warning", fixable=True)
def repeated_word(library: Library) -> Iterator[Finding]:
    """A small word twice in a row in a title: "of of", "the the"."""
    for column in library.some(("title", "subtitle", "booktitle")):
        for value in dict.fromkeys(column.values):
            pieces = value.lower().split(" ")
            found = _REPEATED.search(value) if any(map(eq, pieces, pieces[1:])) else None
            if found:
                fix = {column.name: _REPEATED.sub(r"\1", value)}
                message = f"{found[1]!r} stands twice in a row: delete one"
                for entry in column.with_value(value):
                    yield Finding(message, entry, column.name, found[0], fix)


_REPEATED = re.compile(
    r"\b(an?|and|as|at|by|for|from|in|is|of|on|or|the|to|via|with|[A-Z]?[a-z]{5,}) \1\b", re.IGNORECASE
)


@rule("cut-text", "warning")
def cut_text(library: Library) -> Iterator[Finding]:
    """A title or a container's name that ends in a word that cannot be its last, or in dots: it was cut.

    Whether a container's name begins with "Proceedings of the" is left to the proceedings: many do not. Known
    to JabRef, bibcop.
    """
    for column in library.some(
        (*TITLE_FIELDS, "publisher", "institution", "organization", "series", "eventtitle")
    ):
        for value in dict.fromkeys(column.values):
            if value.rstrip("}").endswith(_CUT):
                last = value.rstrip("}").rpartition(" ")[2]
                for entry in column.with_value(value):
                    yield Finding(f"{column.name} ends in {last!r}: it seems cut", entry, column.name, last)


_CUT = (
    " a",
    " an",
    " and",
    " for",
    " from",
    " in",
    " of",
    " on",
    " or",
    " the",
    " to",
    " via",
    " with",
    "...",
    "…",
    "-",
    "–",
    "—",
)
