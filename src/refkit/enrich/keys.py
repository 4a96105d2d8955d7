"""Citation keys for new entries: ``dao2022flashattention``, ``nvidia-ptx-isa``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from refkit import hub

if TYPE_CHECKING:
    from refkit.model import Entry

_WORD = re.compile(r"[a-z0-9]+")
_ARTICLES = frozenset("a an the on der die das le la les un une".split())
_FOLDED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"}
)
#: Words of a title in the key of an organisation's document.
_WORDS = 4
_DOCUMENTS = frozenset("documentation software dataset blog standard misc".split())


def propose(entry: Entry, taken: Callable[[str], bool]) -> str:
    """A key for an entry that is not taken.

    Family name of the first author, year and first word of the short title; for an organisation's document
    the organisation and the short title. On a collision a letter is added.

    Args:
        entry: the entry, with all its fields.
        taken: whether a key is in use, in any case.
    """
    base = _base(entry)
    if not taken(base):
        return base
    for number in range(26 * 27):
        first, second = divmod(number, 26)
        letters = (chr(96 + first) if first else "") + chr(97 + second)
        if not taken(base + letters):
            return base + letters
    return f"{base}-{sum(map(ord, entry.text('title')))}"


def _base(entry: Entry) -> str:
    people = entry.names("author").people or entry.names("editor").people
    title = entry.text("shorttitle") or entry.text("title").partition(":")[0]
    words = [word for word in map(_ascii, title.split()) if word]
    kind = hub.classify(entry.type, entry.text("entrysubtype"))[0]
    organisation = people[0].literal if people else entry.text("organization", "institution", "publisher")
    if kind in _DOCUMENTS and (organisation or not people):
        parts = [*_WORD.findall(_folded(organisation))[:2], *_WORD.findall(_folded(title))[:_WORDS]]
        return "-".join(dict.fromkeys(parts)) or "untitled"
    who = _ascii(people[0].literal or f"{people[0].prefix} {people[0].family}") if people else ""
    year = str(entry.date.year) if entry.date else ""
    what = next((word for word in words if word not in _ARTICLES), "")
    # A name in another script has no ASCII: a key begins with a letter all the same.
    return f"{who}{year}{what}" if who else f"{what or 'untitled'}{year}"


def _folded(text: str) -> str:
    plain = normalize("NFKD", text.lower().translate(_FOLDED))
    return "".join(char for char in plain if not combining(char))


def _ascii(text: str) -> str:
    """A text in ASCII letters and digits, lower case."""
    return "".join(_WORD.findall(_folded(text)))
