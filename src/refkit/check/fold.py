"""Forms in which texts are compared: without accents, case, TeX and punctuation."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

_TEX = re.compile(
    r"\\(aa|ae|oe|ss|o|l|i|j|dh|th|dj|ng)(?![A-Za-z])|\\[A-Za-z]+\*?|\\.|[{}$~]", re.IGNORECASE | re.DOTALL
)
_PLAIN = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "ħ": "h",
        "ə": "e",
    }
)
_WORD = re.compile(r"[^\W_]+")


def fold(raw: str) -> str:
    r"""A raw value in lower case, accents and TeX off: ``Schr{\"o}dinger`` and ``Schrödinger`` give ``schrodinger``."""
    if "\\" in raw or "{" in raw or "~" in raw or "$" in raw:
        raw = _TEX.sub(_letter, raw)
    raw = raw.lower()
    if raw.isascii():
        return raw
    return "".join(char for char in normalize("NFKD", raw) if not combining(char)).translate(_PLAIN)


def _letter(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    return " " if match[0] == "~" else ""


def words(raw: str) -> list[str]:
    """The words of a raw value, folded."""
    return _WORD.findall(fold(raw))


def family(name: str) -> str:
    """The family name of a name as written, folded, roughly: what stands before the comma, or the last word."""
    before, comma, _ = name.partition(",")
    if comma:
        found = words(before)
        return found[-1] if found else ""
    found = words(name)
    if name[:1] == "{" and name[-1:] == "}":
        return " ".join(found)
    return found[-1] if found else ""
