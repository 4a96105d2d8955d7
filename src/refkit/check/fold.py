"""Forms in which texts are compared: without accents, case, TeX and punctuation."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import combining, normalize

_TEX = re.compile(
    r"\\(aa|ae|oe|ss|o|l|i|j|dh|th|dj|ng)(?![A-Za-z])|\\[A-Za-z]+\*?|\\.|[{}$~]", re.IGNORECASE | re.DOTALL
)
_LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss",
    "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ə": "e",
}  # fmt: skip
_WORD = re.compile(r"[^\W_]+")


def _base(char: str) -> str:
    """A lower-case letter without its accents."""
    plain = "".join(part for part in normalize("NFKD", char) if not combining(part))
    return "".join(_LETTERS.get(part, part) for part in plain)


#: The accented letters of European languages, so that most names need no look at each character.
_PLAIN = {code: _base(chr(code)) for code in (*range(0xDF, 0x250), *range(0x1E00, 0x1F00))}


def fold(raw: str) -> str:
    r"""A raw value in lower case, accents and TeX off: ``Schr{\"o}dinger`` and ``Schrödinger`` give
    ``schrodinger``.
    """
    if "\\" in raw:
        raw = _TEX.sub(_letter, raw)
    elif "{" in raw or "~" in raw or "$" in raw:
        raw = raw.replace("{", "").replace("}", "").replace("$", "").replace("~", " ")
    raw = raw.lower()
    if raw.isascii():
        return raw
    raw = raw.translate(_PLAIN)
    return raw if raw.isascii() else "".join(_base(char) for char in raw)


#: The same for names, of which many occur again and again.
fold_name = lru_cache(maxsize=16384)(fold)


def _letter(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    return " " if match[0] == "~" else ""


def words(raw: str) -> list[str]:
    """The words of a raw value, folded."""
    return _WORD.findall(fold(raw))


def family(name: str) -> str:
    """The family name of a name as written, folded, roughly: what stands before the comma, or the last
    word.
    """
    before, comma, _ = name.partition(",")
    if comma:
        return fold_name(before)
    found = words(name)
    if name[:1] == "{" and name[-1:] == "}":
        return " ".join(found)
    return found[-1] if found else ""
