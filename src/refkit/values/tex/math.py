r"""Formulas of TeX as readable Unicode: ``\alpha_s`` → ``αₛ``, ``10^{-3}`` → ``10⁻³``, ``\mathcal{O}(N)`` →
``O(N)``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import combining

from refkit.values.tex import tables

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN = re.compile(r"\\[A-Za-z]+ *|\\.|[{}^_~&']|\\|[^\\{}^_~&']+", re.DOTALL)
_DEEPEST = 40
_DROPPED = frozenset("color label tag hspace vspace phantom hphantom vphantom begin end".split())
_BLANKS = frozenset((",", ";", ":", " ", ">", "quad", "qquad", "\\", "enspace", "thinspace", "space"))
_SIGNS = {"{": "{", "}": "}", "|": "‖", "%": "%", "$": "$", "&": "&", "#": "#", "_": "_"}


def over(text: str, mark: str) -> str:
    """Puts a combining character on the first character of a text, behind the marks that are there."""
    first = text[0]
    if combining(mark) in (230, 234):
        first = {"ı": "i", "ȷ": "j"}.get(first, first)
    at = 1
    while at < len(text) and combining(text[at]):
        at += 1
    return first + text[1:at] + mark + text[at:]


def math(source: str, *, html: bool = False, escape: Callable[[str], str] | None = None) -> str:
    """A formula as text.

    :param html: write scripts as ``<sup>`` and ``<sub>``; else as Unicode where each of their characters has
        a raised or lowered form, and with ``^`` and ``_`` where not.
    :param escape: what to do with literal text, for HTML.
    """
    return _Formula(source, html, escape).read()


class _Formula:
    """A recursive reader; nesting beyond a bound is read flat."""

    __slots__ = ("at", "depth", "escape", "html", "tokens")

    def __init__(self, source: str, html: bool, escape: Callable[[str], str] | None) -> None:
        self.tokens = _TOKEN.findall(source)
        self.at = 0
        self.depth = 0
        self.html = html
        self.escape = escape

    def read(self) -> str:
        out: list[str] = []
        while self.at < len(self.tokens):
            out.append(self.until_brace())
        return "".join(out)

    def until_brace(self) -> str:
        """Everything up to the closing brace of the group, which is passed over."""
        out: list[str] = []
        while self.at < len(self.tokens):
            part = self.tokens[self.at]
            self.at += 1
            if part == "}":
                break
            self.item(part, out)
        return "".join(out)

    def item(self, part: str, out: list[str]) -> None:
        if part == "{":
            out.append(self.group())
        elif part in "^_":
            out.append(self.script(part))
        elif part == "'":
            out.append("′")
        elif part in "~&":
            out.append(" ")
        elif part[0] == "\\":
            self.command(part, out)
        else:
            out.append(self.literal(part))

    def group(self) -> str:
        if self.depth >= _DEEPEST:
            return ""
        self.depth += 1
        text = self.until_brace()
        self.depth -= 1
        return text

    def literal(self, text: str) -> str:
        return self.escape(text) if self.escape is not None else text

    def argument(self) -> str:
        """The next group, character or command with its arguments; font commands are passed over."""
        while self.at < len(self.tokens) and self.tokens[self.at] != "}":
            part = self.tokens[self.at]
            self.at += 1
            if part[0] in "\\{^_~&'":
                text = self.nested(part)
                if text or part[0] != "\\":
                    return text
            elif part := part.lstrip(" "):
                if len(part) > 1:
                    self.at -= 1
                    self.tokens[self.at] = part[1:]
                return self.literal(part[0])
        return ""

    def nested(self, part: str) -> str:
        """One item by itself; nothing where the nesting is too deep."""
        if self.depth >= _DEEPEST:
            return ""
        self.depth += 1
        out: list[str] = []
        self.item(part, out)
        self.depth -= 1
        return "".join(out)

    def script(self, sign: str) -> str:
        text = self.argument().strip(" ")
        if text in ("′", "″", "∘", "∗", "*", "†", "‡"):
            return {"∘": "°", "∗": "*"}.get(text, text) if sign == "^" else f"_{text}"
        if not text:
            return ""
        if self.html:
            element = "sup" if sign == "^" else "sub"
            return f"<{element}>{text}</{element}>"
        table = tables.SUPERSCRIPTS if sign == "^" else tables.SUBSCRIPTS
        if all(char in table for char in text):
            return "".join(table[char] for char in text)
        return sign + fenced(text)

    def command(self, part: str, out: list[str]) -> None:
        name = part[1:].rstrip(" ") or part[1:2]
        if name in _BLANKS:
            out.append(" ")
        elif name in tables.MATH_OPERATORS or name in tables.READ_ONLY_OPERATORS:
            out.append(self.operator(name, part, out))
        elif name in tables.FUNCTIONS:
            out.append(self.function(name, part, out))
        elif name in ("left", "right"):
            self.skip_dot()
        elif name in _ARGUMENTS:
            out.append(_ARGUMENTS[name](self))
        elif name in tables.MATH_ACCENTS:
            out.append(self.accented(tables.MATH_ACCENTS[name]))
        elif name in tables.ACCENTS:
            out.append(self.accented(tables.ACCENTS[name]))
        elif name in _DROPPED:
            self.argument()
        else:
            out.append(self.literal(_SIGNS.get(name) or symbol(name)))

    def skip_dot(self) -> None:
        r"""``\left.`` is a delimiter that is not there."""
        if self.at < len(self.tokens) and self.tokens[self.at][0] == ".":
            self.tokens[self.at] = self.tokens[self.at][1:] or " "

    def operator(self, name: str, part: str, out: list[str]) -> str:
        sign = tables.MATH_OPERATORS.get(name) or tables.READ_ONLY_OPERATORS[name]
        spaced = bool(out) and out[-1][-1:] == " " and part[-1] == " "
        return self.literal(sign) + (" " if spaced else "")

    def function(self, name: str, part: str, out: list[str]) -> str:
        before = " " if out and out[-1][-1:].isalnum() else ""
        command_follows = self.at < len(self.tokens) and self.tokens[self.at][0] == "\\"
        return before + name + (" " if part[-1] == " " or command_follows else "")

    def accented(self, mark: str) -> str:
        text = self.argument()
        if not text or text[0] in "<&":
            return text
        if mark in ("\u0305", "\u0332") and text.isalnum():
            return "".join(char + mark for char in text)
        return over(text, mark)

    def root(self) -> str:
        sign = "√"
        if self.at < len(self.tokens) and self.tokens[self.at].startswith("["):
            degree, closed, rest = self.tokens[self.at][1:].partition("]")
            if closed:
                sign = {"3": "∛", "4": "∜"}.get(degree, f"{degree}√")
                self.tokens[self.at] = rest or " "
        return sign + fenced(self.argument())

    def fraction(self) -> str:
        above, below = self.argument(), self.argument()
        return f"{fenced(above)}/{fenced(below)}"

    def choose(self) -> str:
        return f"({self.argument()} {self.argument()})"

    def second(self) -> str:
        self.argument()
        return self.argument()

    def double_struck(self) -> str:
        return "".join(tables.DOUBLE_STRUCK.get(char, char) for char in self.argument())

    def negated(self) -> str:
        text = self.argument()
        return over(text, "\u0338") if text and text[0] not in "<&" else text


_ARGUMENTS: dict[str, Callable[[_Formula], str]] = {
    "sqrt": _Formula.root,
    "frac": _Formula.fraction,
    "tfrac": _Formula.fraction,
    "dfrac": _Formula.fraction,
    "nicefrac": _Formula.fraction,
    "binom": _Formula.choose,
    "stackrel": _Formula.second,
    "overset": _Formula.second,
    "underset": _Formula.second,
    "mathbb": _Formula.double_struck,
    "not": _Formula.negated,
}


def fenced(text: str) -> str:
    """The text, in parentheses if it is more than one thing."""
    text = text.strip(" ")
    return text if not text or text.isalnum() or len(text) == 1 else f"({text})"


def symbol(name: str) -> str:
    """The character that a command stands for; of a function its name; ``""`` if unknown."""
    for table in _SYMBOLS:
        text = table.get(name)
        if text is not None:
            return text
    return name if name in tables.FUNCTIONS else ""


_SYMBOLS = (
    tables.READ_ONLY_SYMBOLS,
    tables.LETTERS,
    tables.TEXT_SYMBOLS,
    tables.MATH_SYMBOLS,
    tables.MATH_OPERATORS,
    tables.READ_ONLY_MATH,
    tables.READ_ONLY_OPERATORS,
)
