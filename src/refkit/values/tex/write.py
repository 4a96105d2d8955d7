"""Writing TeX."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import combining, name, normalize

from refkit.values.patterns import pattern
from refkit.values.tex import tables
from refkit.values.tex.clean import clean
from refkit.values.tex.read import decode

_ESCAPES = {
    "#": "\\#",
    "$": "\\$",
    "%": "\\%",
    "&": "\\&",
    "_": "\\_",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "\\": "\\textbackslash{}",
    "`": "\\textasciigrave{}",
    "{": "\\textbraceleft{}",
    "}": "\\textbraceright{}",
}
_TO_ESCAPE = r"[#$%&_~^\\`{}]"
_LIGATURE = r"-(?=-)|'(?=')"


def encode(text: str) -> str:
    r"""Plain text as TeX for a program that reads UTF-8 (biber, XeLaTeX, a LaTeX of today).

    Characters that TeX reserves are escaped, each once; what TeX would join (``--``, ``''``) is kept apart by
    ``{}``. Braces in equal pairs become ``\{ \}``, others a command, because BibTeX counts ``\}`` as a
    closing brace. ``decode(encode(text)) == clean(text)``.
    """
    return _escaped(clean(text))


def _escaped(text: str) -> str:
    if pattern(_TO_ESCAPE).search(text) is not None:
        paired = _paired_braces(text)
        text = pattern(_TO_ESCAPE).sub(
            lambda found: "\\" + found[0] if found.start() in paired else _ESCAPES[found[0]], text
        )
    if "--" in text or "''" in text:
        text = pattern(_LIGATURE).sub(r"\g<0>{}", text)
    return text


def _paired_braces(text: str) -> set[int]:
    """Positions of the braces that open and close each other."""
    opened: list[int] = []
    paired: set[int] = set()
    for found in pattern("[{}]").finditer(text):
        if found[0] == "{":
            opened.append(found.start())
        elif opened:
            paired.update((opened.pop(), found.start()))
    return paired


# -- text that is half TeX -----------------------------------------------------------------------------------

_FORMULA = r"\\.|(\$(?!\s)(?:[^$\\]|\\.){1,400}+\$(?!\d))"
_COMMAND = r"\\([A-Za-z]+|.)"
#: Signs that mean themselves: a dollar that begins no formula, a tilde before a number.
_MEANT = rf"{_FORMULA}|(?P<dollar>\$)|(?P<about>~(?=\s?[\d.<>$]))"


def encode_tex_like(text: str) -> str:
    r"""Foreign text that may hold TeX, as arXiv's titles and abstracts do, as TeX that is safe.

    A formula stays as it is if every command in it is one that all LaTeX know and that only sets formulas.
    Everything else is read as TeX and written anew: accents become letters, what TeX reserves is escaped
    once, whether or not it was, and no other command survives. ``~`` before a number means "about", and a
    ``$`` before a digit that ends no formula is money.
    """
    text = clean(text)
    out: list[str] = []
    at = 0
    for found in pattern(_FORMULA).finditer(text):
        formula = found[1]
        if formula and _is_harmless(formula):
            out += (_rewritten(text[at : found.start()]), formula)
            at = found.end()
    out.append(_rewritten(text[at:]))
    return "".join(out)


def _rewritten(text: str) -> str:
    """A piece of text; the blanks at its ends stay, because they stand between pieces."""
    plain = decode(pattern(_MEANT).sub(lambda m: _ESCAPES[m[0]] if m["dollar"] or m["about"] else m[0], text))
    if not plain:
        return " " if text.isspace() else ""
    return f"{' ' if text[0] == ' ' else ''}{_escaped(plain)}{' ' if text[-1] == ' ' else ''}"


def _is_harmless(formula: str) -> bool:
    """Whether every LaTeX knows all its commands, and its braces are in pairs."""
    commands = pattern(_COMMAND).findall(formula)
    known = all(not name.isalpha() or any(name in table for table in _MATH) for name in commands)
    balanced = len(_paired_braces(formula)) == formula.count("{") + formula.count("}")
    return known and balanced and "^^" not in formula


_MATH = (
    tables.MATH_COMMANDS,
    tables.MATH_SYMBOLS,
    tables.MATH_OPERATORS,
    tables.FUNCTIONS - tables.NOT_IN_LATEX,
)


# -- ASCII ---------------------------------------------------------------------------------------------------

_ASCII = {
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "…": "{\\ldots}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
}
_MARKS = "\u0300-\u036f\u20d7"
#: What is not plain ASCII: a character with the marks on it, or one that older font encodings print as
#: another.
_CLUSTER = f"([^\x00-\x7f][{_MARKS}]*|[\x00-\x7f][{_MARKS}]+|[<>|])"
#: Signs and digits take no accent.
_MARKED_SIGN = f"([\x00-@\\[-`{{-\x7f])[{_MARKS}]+"


def encode_ascii(text: str) -> str:
    r"""Plain text as ASCII TeX for classic BibTeX and any LaTeX (T1 encoding).

    Accents are written ``{\'e}``: to BibTeX that is one letter, in names and in titles. A typographic
    apostrophe becomes ``'``, which TeX prints as one; reading it back gives the straight one. What TeX has no
    command for is transliterated as well as can be; see :func:`unencodable`.
    """
    text = pattern(_MARKED_SIGN).sub(r"\1", clean(text))
    return _ascii_clusters(_escaped(text))


#: Parts of a TeX value that are no text: formulas and addresses.
_NO_TEXT = r"(\$(?:[^$\\]|\\.){1,400}+\$|\\(?:url|path|href)\s*\{[^{}]*\})"
_BEYOND_ASCII = f"[^\x00-\x7f][{_MARKS}]*"


def ascii_tex(raw: str) -> str:
    r"""A TeX value as ASCII: what is TeX stays, every other character becomes a command.

    In a formula a character becomes the command alone (``$α^2$`` gives ``$\alpha^2$``).
    """
    if raw.isascii() and not pattern("[<>|]").search(raw):
        return raw
    parts = pattern(_NO_TEXT).split(clean(raw))
    for at, part in enumerate(parts):
        if at % 2 == 0:
            parts[at] = _ascii_clusters(part)
        elif not part.isascii():
            parts[at] = pattern(_BEYOND_ASCII).sub(_ascii_in_formula, part)
    return "".join(parts)


def _ascii_in_formula(found: re.Match[str]) -> str:
    written = _ascii(found[0])
    if written[:1] == "$":
        inside = written[1:-1]
        follows = found.string[found.end() : found.end() + 1]
        return inside + (" " if inside[-1:].isalpha() and "\\" in inside and follows.isalpha() else "")
    return f"\\mbox{{{written}}}"


def _ascii_clusters(text: str) -> str:
    """Text whose specials are escaped already, with each character beyond ASCII as TeX."""
    parts = pattern(_CLUSTER).split(text)
    if len(parts) == 1:
        return text
    out: list[str] = []
    for at, part in enumerate(parts):
        piece = _ascii(part) if at % 2 else part
        if piece:
            _append(out, piece, formula=bool(at % 2))
    return "".join(out)


def unencodable(text: str) -> list[str]:
    """The characters that :func:`encode_ascii` can only transliterate, each once, in order."""
    clusters = pattern(_CLUSTER).findall(clean(text))
    return [cluster for cluster in dict.fromkeys(clusters) if _known(cluster) is None]


def _append(out: list[str], piece: str, *, formula: bool) -> None:
    """Adds a piece. Neighbouring formulas become one; what TeX would join to a ligature is kept apart."""
    last = out[-1] if out else ""
    if formula and piece[0] == "$" and last[:1] == "$" == last[-1:] and len(last) > 2:
        blank = " " if last[-2].isalpha() and piece[1].isalpha() and "\\" in last else ""
        out[-1] = f"{last[:-1]}{blank}{piece[1:]}"
        return
    if piece[0] in "-'`" and last[-1:] == piece[0]:
        piece = "{}" + piece
    out.append(piece)


@lru_cache(maxsize=4096)
def _ascii(cluster: str) -> str:
    return _known(cluster) or _transliterated(cluster)


def _known(cluster: str) -> str | None:
    """The TeX of a character and the marks on it; ``None`` if there is none."""
    whole = _ascii_table().get(cluster)
    if whole is not None or (cluster.isascii() and len(cluster) == 1):
        return whole or cluster
    decomposed = normalize("NFD", cluster)
    base, marks = decomposed[0], decomposed[1:]
    if not marks or not all(map(combining, marks)):
        return None
    if base.isascii():
        return (_marked(base, marks) or _marked_in_math(base, marks)) if base.isalpha() else None
    inner = _ascii_table().get(base)
    if inner is None:
        return None
    return _marked_in_math(inner[1:-1], marks) if inner[0] == "$" else _marked(inner, marks)


def _marked(inner: str, marks: str) -> str | None:
    r"""Accents of text, from the innermost out: ``{\'{\^e}}``."""
    if inner in ("i", "j") and combining(marks[0]) == 230:
        inner = "\\" + inner
    for mark in marks:
        command = _accent_commands().get(mark)
        if command is None:
            return None
        inner = _accent_group(command, inner)
    return inner


def _accent_group(command: str, inner: str) -> str:
    if inner.startswith("{\\"):  # a letter or an accent in braces of its own
        return f"{{\\{command}{inner}}}"
    blank = " " if command.isalpha() and inner.isalpha() else ""
    return f"{{\\{command}{blank}{inner}}}"


def _marked_in_math(inner: str, marks: str) -> str | None:
    for mark in marks:
        command = tables.WRITTEN_MATH_ACCENTS.get(mark)
        if command is None:
            return None
        inner = f"\\{command}{{{inner}}}"
    return f"${inner}$"


@lru_cache(maxsize=1)
def _accent_commands() -> dict[str, str]:
    """The combining characters and the accents that LaTeX's T1 encoding has a command for."""
    written = "`'^~=u.\"rHvdckbt"
    return {mark: command for command, mark in tables.ACCENTS.items() if command in written}


@lru_cache(maxsize=1)
def _ascii_table() -> dict[str, str]:
    """Characters and the ASCII TeX that prints them."""
    table: dict[str, str] = {}
    for command, char in (*tables.MATH_SYMBOLS.items(), *tables.MATH_OPERATORS.items()):
        table.setdefault(char, f"$\\{command}$")
    for sign, shifted in (("^", tables.SUPERSCRIPTS), ("_", tables.SUBSCRIPTS)):
        for char, small in shifted.items():
            if small != char and (char.isascii() or char in table):
                table.setdefault(small, f"${sign}{{{table.get(char, char).strip('$')}}}$")
    for command, char in tables.TEXT_SYMBOLS.items():
        if not char.isascii():
            table[char] = f"{{\\{command}}}"
    for command, char in tables.LETTERS.items():
        table[char] = f"{{\\{command}}}"
    return table | _ASCII


_LETTER = r"(?:LATIN|CYRILLIC|GREEK|ARMENIAN|GEORGIAN) (SMALL|CAPITAL)? ?(?:LIGATURE|LETTER) (\w+)"


def _transliterated(cluster: str) -> str:
    """The nearest ASCII: without marks, decomposed for compatibility, or by its Unicode name."""
    out: list[str] = []
    for char in normalize("NFKD", cluster):
        if combining(char):
            continue
        if char.isascii():
            out.append(_escaped(char))
        else:
            out.append(_ascii_table().get(char) or _by_name(char))
    return "".join(out)


def _by_name(char: str) -> str:
    short = tables.TRANSLITERATIONS.get(char.lower())
    if short is not None:
        return short.capitalize() if char != char.lower() else short
    found = pattern(_LETTER).match(name(char, ""))
    if found is None:
        return "?"
    return found[2].capitalize() if found[1] == "CAPITAL" else found[2].lower()
