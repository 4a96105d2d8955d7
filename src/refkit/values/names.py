"""Splits name lists as BibTeX and biber do.

Sources: ``bibtex.web`` (the sections on names), "Tame the BeaST" (N. Markey, section 11), the biblatex manual
(3.6, extended name format). Where these differ, or do what nobody can want:

* of several lower-case words only the first run of them is the particle (biber), and before a comma only
  one at the beginning: "García de la Cruz, Juan" has the family name "García de la Cruz";
* the case of a word is that of its first letter, apostrophes passed over (BibTeX), so that
  "'t Hooft" has a particle;
* a word that begins with a command outside of braces, as in ``\\v{S}imek``, has the case of the letter that
  is printed (biber), not that of the command's name;
* a hyphen does not separate words (biber, pybtex);
* letters of any alphabet have a case; those without one, as in Chinese names, count as upper case;
* ``Last, First, Jr`` is read as it was meant where the third part can be nothing but a suffix;
* a name with more than two commas is kept whole (BibTeX drops what is too much).
"""

from __future__ import annotations

import re
from functools import lru_cache

from refkit.model import NameList, Person
from refkit.values import tex

_AND = re.compile(r"(?:^|\s)and(?=\s|$)", re.IGNORECASE)
# Characters that keep a name from being read by blanks and commas alone.
_SPECIAL = re.compile(r"[{}\\~=]")
_TOKEN = re.compile(r"[{}, ~]|\\[^{}]")
_BRACE = re.compile(r"[{}]")
_COMMAND = re.compile(r"\\([A-Za-z]+|.?)", re.DOTALL)
#: Names up to this length, in characters, are kept once they are read.
_SHORT = 100
_OTHERS = frozenset(("others", "et al.", "et al"))
_SUFFIX = re.compile(r"(?:jr|sr|jnr|snr|junior|senior|i{1,3}|iv|vi{0,3}|\d(?:st|nd|rd|th))\.?", re.IGNORECASE)
# A name in biber's extended format; a style may define further parts (``title=``), which may come first.
_EXTENDED = re.compile(r"[\"\s]*+[a-z]++(?:-i)?\s*+=", re.IGNORECASE)
_PART = re.compile(r"\b(?:family|given|prefix|suffix)(?:-i)?\s*+=", re.IGNORECASE)
# Letters that are commands: whether they are lower case (bibtex.web, "control sequences"; and newer ones).
_LETTERS = {
    "i": True, "j": True, "aa": True, "ae": True, "l": True, "o": True, "oe": True, "ss": True, "dh": True,
    "dj": True, "ng": True, "th": True, "AA": False, "AE": False, "L": False, "O": False, "OE": False,
    "DH": False, "DJ": False, "NG": False, "SS": False, "TH": False,
}  # fmt: skip


def parse(raw: str) -> NameList:
    """The people of a raw BibTeX value. Empty names are left out; nothing is ever an error.

    A name that is nothing but an unknown command (``\\Thanh``, which a style or document defines) is kept as
    it is written: the person must not vanish from the list.
    """
    people = []
    others = False
    for name in split(raw):
        if name.lower() in _OTHERS:
            others = True
            continue
        person = _known(name) if len(name) <= _SHORT else parse_one(name)
        if person.family or person.given or person.literal or person.prefix or person.suffix:
            people.append(person)
        elif any(char.isalnum() for char in name):
            people.append(Person(literal=name.strip("{} ")))
    return NameList(tuple(people), others)


def split(raw: str) -> list[str]:
    """The names of a list, still raw, cut at each "and" outside of braces; empty ones are left out."""
    pieces = _AND.split(" ".join(raw.split()))
    if len(pieces) > 1 and "{" in raw:
        pieces = _outside_of_braces(" ".join(raw.split()))
    return [name for name in (piece.strip() for piece in pieces) if name]


def _outside_of_braces(raw: str) -> list[str]:
    names = []
    start = counted = depth = 0
    for match in _AND.finditer(raw):
        at = match.start()
        # A closing brace too many closes nothing.
        depth = max(0, depth + raw.count("{", counted, at) - raw.count("}", counted, at))
        counted = at
        if depth == 0:
            names.append(raw[start:at])
            start = match.end()
    names.append(raw[start:])
    return names


@lru_cache(maxsize=1 << 14)
def _known(name: str) -> Person:
    """One raw name, kept: the same people stand in many entries."""
    return parse_one(name)


def forget() -> None:
    """Forgets the names that were met so far; for measurements."""
    _known.cache_clear()


def parse_one(name: str) -> Person:
    """One raw name, as `split` gives it."""
    if _SPECIAL.search(name) is None:
        family, _, given = name.partition(",")
        if given and " " not in family and "," not in given:  # the most common form
            return Person(_text([family]), _text([given.strip()]))
        return _of_parts([part.split() for part in name.split(",")])
    if name[0] == "{" and name[-1] == "}" and _group_end(name) == len(name):
        return Person(literal=tex.decode(name[1:-1]))
    if _EXTENDED.match(name) and _PART.search(name):
        return _extended(name)
    return _of_parts(_words(name))


def _group_end(text: str, start: int = 0) -> int:
    """Behind the brace that closes the one at this place; the text's end if none does."""
    depth = 0
    for match in _BRACE.finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _words(name: str) -> list[list[str]]:
    """The words of a name, cut at blanks and ties outside of braces, in parts cut at commas there."""
    parts: list[list[str]] = [[]]
    start = depth = 0
    for match in _TOKEN.finditer(name):
        char, at = match[0], match.start()
        if char == "{":
            depth += 1
        elif char == "}":
            depth = max(0, depth - 1)
        elif depth or (char[0] == "\\" and char != "\\ "):
            continue
        elif char != " " or not _ends_in_command(name, start, at):
            if at > start:
                parts[-1].append(name[start:at])
            start = match.end()
            if char == ",":
                parts.append([])
    if start < len(name):
        parts[-1].append(name[start:])
    return parts


def _ends_in_command(name: str, start: int, end: int) -> bool:
    """Whether a word ends in a command's name: TeX takes the blank behind it as the command's end."""
    at = name.rfind("\\", start, end)
    return at >= 0 and name[at + 1 : end].isalpha()


def _of_parts(parts: list[list[str]]) -> Person:
    """A person from the words between commas."""
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    if len(parts) == 1:
        return _reading_order(parts[0])
    if len(parts) > 3:
        return Person(literal=tex.decode(", ".join(" ".join(part) for part in parts)))
    suffix, given = (parts[1], parts[2]) if len(parts) == 3 else ([], parts[1])
    if _SUFFIX.fullmatch(" ".join(given)) and suffix and not _SUFFIX.fullmatch(" ".join(suffix)):
        suffix, given = given, suffix
    last = parts[0]
    # The particle never takes the last word.
    end = _run_of_lower(last, 0, len(last) - 1)
    return _person(last[end:], given, last[:end], suffix)


def _reading_order(words: list[str]) -> Person:
    """A person from "First von Last"."""
    last = len(words) - 1
    start = next((index for index in range(last) if _is_lower(words[index])), last)
    end = _run_of_lower(words, start, last)
    return _person(words[end:], words[:start], words[start:end], [])


def _run_of_lower(words: list[str], start: int, end: int) -> int:
    while start < end and _is_lower(words[start]):
        start += 1
    return start


def _person(family: list[str], given: list[str], prefix: list[str], suffix: list[str]) -> Person:
    return Person(_text(family), _text(given), _text(prefix), _text(suffix))


def _text(words: list[str]) -> str:
    """The plain text of some words."""
    text = " ".join(words)
    return text if text.isascii() and text.isalpha() else tex.decode(text) if text else ""


def _is_lower(word: str) -> bool:
    """Whether a word is a particle: by the case of its first letter outside of braces or in ``{\\…}``."""
    if word[0].isalpha():
        return word[0].islower()
    pos = 0
    while pos < len(word):
        char = word[pos]
        if char.isalpha():
            return char.islower()
        if char == "\\" or word.startswith("{\\", pos):
            return _prints_lower(word, pos)
        pos = _group_end(word, pos) if char == "{" else pos + 1
    return False


def _prints_lower(word: str, pos: int) -> bool:
    """The case of the letter that the commands at this place print: their own, or one that they accent."""
    while pos < len(word):
        char = word[pos]
        if char == "\\":
            match = _COMMAND.match(word, pos)
            lower = _LETTERS.get(match[1]) if match else None
            if lower is not None:
                return lower
            pos = match.end() if match else pos + 1
        elif char.isalpha():
            return char.islower()
        else:
            pos += 1
    return False


def _extended(name: str) -> Person:
    """A name in biber's extended format: ``family=…, given=…, prefix=…, suffix=…, useprefix=true``."""
    values: dict[str, str] = {}
    for part in _fields(name):
        key, _, value = part.strip(' "').partition("=")
        value = value.strip(' "')
        if value[:1] == "{" and value[-1] == "}" and _group_end(value) == len(value):
            value = value[1:-1]
        values[key.strip().lower()] = tex.decode(value)
    wanted = values.get("useprefix", "").lower()
    return Person(
        values.get("family", ""),
        values.get("given", ""),
        values.get("prefix", ""),
        values.get("suffix", ""),
        useprefix={"true": True, "1": True, "false": False, "0": False}.get(wanted),
    )


def _fields(name: str) -> list[str]:
    """The text between commas, braces and quotes respected."""
    fields = []
    start = depth = 0
    quoted = False
    for match in re.finditer(r'[{},"]', name):
        char = match[0]
        if char == '"':
            quoted ^= depth == 0
        elif char == ",":
            if depth == 0 and not quoted:
                fields.append(name[start : match.start()])
                start = match.end()
        else:
            depth = max(0, depth + (1 if char == "{" else -1))
    fields.append(name[start:])
    return fields
