"""Reading TeX: plain text, and text with CSL's elements."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from refkit.values.patterns import pattern
from refkit.values.tex import tables
from refkit.values.tex.clean import clean
from refkit.values.tex.math import math, over, symbol

if TYPE_CHECKING:
    from collections.abc import Callable

    Action = Callable[[str], str]

#: A clean value without any of these, doubled hyphens or quotes is its own text.
_SPECIAL = re.compile(r"[\\{}$~`]")

# Every alternative begins with a literal: that lets the matcher skip from one to the next without trying in
# between.
_TOKEN = re.compile(
    r"""(
      \\(?: (?:url|path|nolinkurl|href|ensuremath)\ *\{[^{}]*\}
        | char(?:"[0-9A-Fa-f]{1,6}|'[0-7]{1,7}|[0-9]{1,7})\ ?
        | [`'^"~=.]\ ?(?:[A-Za-z]|\\[ij](?![A-Za-z])|\{\ ?(?:[A-Za-z]|\\[ij])?\ ?\})
        | [bcdfGhHkrtuUv](?:\ +[A-Za-z]|\ *\{\ ?(?:[A-Za-z]|\\[ij])?\ ?\})
        | [A-Za-z]+\*?\ *
        | \\(?:\*|\[[^\]\\{}$]{0,20}\])?
        | \([^\\]{0,200}(?:\\[^()][^\\]{0,200}){0,40}\\\)
        | .
        )?
    | \{ | \}
    | \$\$(?:[^$\\]|\\.){1,400}+\$\$ | \$(?:[^$\\]|\\.){1,400}+\$ | \$\$? | ~ | --+ | ``? | '' | \?` | !`
    )""",
    re.VERBOSE | re.DOTALL,
)
_PUNCTUATION = {
    "{": "",
    "}": "",
    "~": " ",
    "--": "–",
    "---": "—",
    "``": "“",
    "''": "”",
    "`": "‘",
    "?`": "¿",
    "!`": "¡",
    "$": None,
    "$$": None,
}
_SINGLE_QUOTES = r"‘([^‘’'\s](?:[^‘’']|'(?=\w)){0,400}+)'(?!\w)"
_OPENING, _CLOSING = "{", "}"
#: Groups within groups: beyond this depth they are read, and no longer set in another way than what is around
#: them.
_DEEPEST = 100


def decode(raw: str) -> str:
    """The plain text of a TeX value: Unicode, NFC, white space collapsed. Total; never raises."""
    raw = clean(raw)
    if _SPECIAL.search(raw) is None and "--" not in raw and "''" not in raw:
        return raw
    parts = _TOKEN.split(raw)
    pieces = list(map(_simple, parts[1::2]))
    if None in pieces:
        text = _Reader().read(parts)
    else:
        parts[1::2] = pieces
        text = "".join(parts)
    return clean(_with_single_quotes(text) if "`" in raw else text)


def decode_html(raw: str, *, nocase: bool = False, escape: bool = True) -> str:
    """The text of a TeX value with the elements that CSL-JSON knows: i, b, sup, sub, small capitals.

    :param nocase: put ``<span class="nocase">`` around words whose capitals braces protect (``{DNA}``,
        ``{B}ayes``), unless the braces are around the whole of a value of several words.
    :param escape: write ``&``, ``<`` and ``>`` as HTML does. Without it they stand as they are, as CSL-JSON
        wants them, but for a ``<`` that would begin one of CSL's own elements.
    """
    raw = clean(raw)
    text = _HtmlReader(nocase=nocase, escape=escape).read(_TOKEN.split(raw))
    if "`" in raw:
        text = _with_single_quotes(text)
    if nocase:
        from refkit.values.tex.nocase import spans

        text = spans(text)
    return clean(text)


def _with_single_quotes(text: str) -> str:
    """Closes the quotations that a backquote opened; the apostrophes in them stay."""
    return pattern(_SINGLE_QUOTES).sub("‘\\1’", text)


# -- tokens that stand alone ---------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def _simple(token: str) -> str | None:
    """The text of a token that stands alone; ``None`` for what needs its argument or its group."""
    formula = _formula(token)
    if formula:
        return math(formula)
    if token[0] == "\\":
        return _command(token)
    return _PUNCTUATION.get(token, token)


def forget() -> None:
    """Forgets the commands that were met so far; for measurements."""
    _simple.cache_clear()


def _formula(token: str) -> str:
    """What stands between the delimiters of a formula; ``""`` for any other token."""
    if token[0] == "$":
        width = 2 if token.startswith("$$") else 1
        return token[width:-width]
    return token[2:-2] if token.startswith("\\(") else ""


def _command(token: str) -> str | None:
    if token[-1] == "}" and len(token) > 2:
        return _with_argument(token)
    first = token[1:2]
    if not (first.isascii() and first.isalpha()):
        if first in tables.ACCENTS:
            return _accented(token) if len(token) > 2 else None
        return symbol(first) if first else "\\"
    command = token[1:].rstrip(" ")
    if command.startswith("char") and command[4:5] in tuple("\"'0123456789"):
        return _char(command[4:])
    if " " in command:
        return _accented(token)
    return _word(command.rstrip("*"))


def _with_argument(token: str) -> str | None:
    r"""A command with its argument: ``\url{…}``, ``\'{e}``, ``\c{c}``."""
    command, _, argument = token[1:-1].partition("{")
    command = command.rstrip(" ")
    if command in ("url", "path", "nolinkurl"):
        from refkit.values.tex.verbatim import verbatim

        return verbatim(argument)
    if command == "href":
        return ""
    if command == "ensuremath":
        return math(argument)
    return _accented(token) if command in tables.ACCENTS else symbol(token[1])


def _accented(token: str) -> str:
    """An accent and the letter that it stands on, in any bracing."""
    return _accent(token[1], token[2:].strip(" {}").lstrip("\\"), dotless="\\" in token[2:])


def _accent(command: str, text: str, *, dotless: bool = False) -> str:
    """Puts an accent on the first character of a text; on nothing it stands alone."""
    text = text.strip(" ")
    if not text:
        return tables.SPACING_ACCENTS.get(command, "")
    if dotless:
        text = {"i": "ı", "j": "ȷ"}[text]
    return over(text, tables.ACCENTS[command])


def _char(number: str) -> str:
    base = {'"': 16, "'": 8}.get(number[0], 10)
    code = int(number.lstrip("\"'"), base)
    return chr(code) if code < 0x110000 else "\ufffd"


_WITH_ARGUMENTS = (tables.ACCENTS, tables.DROPPED_ARGUMENTS, tables.QUOTES, tables.FENCES)


def _word(command: str) -> str | None:
    """The text of a command that is a word."""
    if any(command in table for table in _WITH_ARGUMENTS):
        return None
    style = tables.STYLES.get(command)
    if style is not None:
        return None if style in ("sup", "sub") else ""
    return symbol(command) or tables.JOURNALS.get(command, "")


# -- arguments and groups ------------------------------------------------------------------------------------


class _Frame:
    """An open group: where its text begins, and what is to be done with it when it ends."""

    __slots__ = ("action", "implicit", "start", "then")

    def __init__(
        self, start: int, action: Action | None, then: tuple[Action, ...] = (), *, implicit: bool = False
    ) -> None:
        self.start = start
        self.action = action
        #: Actions for the arguments that follow this one.
        self.then = then
        #: Whether a switch opened it, so that it ends with the group around it.
        self.implicit = implicit


class _Reader:
    """Reads tokens into plain text, with a stack of its own for arguments and groups."""

    __slots__ = ("out", "stack", "waiting")

    def __init__(self) -> None:
        self.out: list[str] = []
        self.stack: list[_Frame] = []
        #: Actions for the arguments that a command is waiting for.
        self.waiting: tuple[Action, ...] = ()

    def read(self, parts: list[str]) -> str:
        """The text of a value that was split at its tokens."""
        self.text(parts[0])
        for at in range(1, len(parts), 2):
            self.token(parts[at], parts[at + 1] or (parts[at + 2] if at + 2 < len(parts) else ""))
            self.text(parts[at + 1])
        self.end_argument()
        while self.stack:
            self.close()
        return "".join(self.out)

    def text(self, text: str) -> None:
        while self.waiting and text:
            text = text.lstrip(" ")
            if text:
                self.argument(self.literal(text[0]))
                text = text[1:]
        if text:
            self.out.append(self.literal(text))

    def token(self, token: str, following: str) -> None:
        """Reads a token; ``following`` is the text or, where there is none, the token behind it."""
        if token in _OPENING:
            self.open(following)
        elif token in _CLOSING:
            self.end_argument()
            self.close()
        elif token in ("$", "$$"):
            self.argument(token)
        elif not (token[0] == "\\" and self.begins(token[1:].rstrip(" *") or token[1:2])):
            value = self.value(token)
            if value or not self.waiting:
                self.argument(value)

    def begins(self, command: str) -> bool:
        """Whether the command waits for arguments, or changes the rest of its group."""
        if command in tables.ACCENTS:
            self.waiting = (lambda text: self.accent(command, text),)
        elif command in tables.DROPPED_ARGUMENTS:
            self.waiting = (_nothing,) * tables.DROPPED_ARGUMENTS[command]
        elif command in tables.QUOTES:
            self.waiting = (self.quoted,)
        elif command in tables.FENCES:
            opening, closing = tables.FENCES[command]
            self.waiting = (lambda text: f"{opening}{text}{closing}",)
        elif command in tables.STYLES:
            action = self.style(tables.STYLES[command])
            self.waiting = (action,) if action else self.waiting
        else:
            return False
        return True

    def argument(self, text: str) -> None:
        if self.waiting:
            action, *then = self.waiting
            self.waiting = tuple(then)
            text = action(text)
        self.out.append(text)

    def end_argument(self) -> None:
        """A group or the value ends while a command still waits: it gets nothing."""
        while self.waiting:
            self.argument("")

    def open(self, following: str) -> None:
        action = self.group_action(following)
        then = self.waiting[1:]
        if self.waiting:
            action = self.waiting[0]
            self.waiting = ()
        if len(self.stack) > _DEEPEST:
            action = None
        self.stack.append(_Frame(len(self.out), action, then))

    def close(self) -> None:
        """Ends a group and the switches in it; a brace that closes nothing is passed over."""
        while self.stack:
            frame = self.stack.pop()
            if frame.action is not None:
                text = "".join(self.out[frame.start :])
                self.out[frame.start :] = [frame.action(text)]
            self.waiting = frame.then
            if not frame.implicit:
                return

    def quoted(self, text: str) -> str:
        depth = sum(1 for frame in self.stack if frame.action == self.quoted)
        return f"‘{text}’" if depth % 2 else f"“{text}”"

    # What HTML does otherwise:

    def accent(self, command: str, text: str) -> str:
        """An accent on the first character of its argument."""
        return _accent(command, text)

    def literal(self, text: str) -> str:
        return text

    def value(self, token: str) -> str:
        """The text of a token that stands alone."""
        return _simple(token) or ""

    def style(self, element: str) -> Action | None:
        """What is done with the argument of a font command."""
        return {"sup": _raised, "sub": _lowered}.get(element)

    def group_action(self, following: str) -> Action | None:  # noqa: ARG002  # HTML asks what follows
        """What is done with a group that is no argument."""
        return None


def _nothing(_text: str) -> str:
    return ""


def _raised(text: str) -> str:
    """Superscript digits and signs; letters stay (``2nd``), for that is how such text is read and
    searched."""
    return _shifted(text, tables.SUPERSCRIPTS)


def _lowered(text: str) -> str:
    return _shifted(text, tables.SUBSCRIPTS)


def _shifted(text: str, table: dict[str, str]) -> str:
    if all(char in table and not char.isalpha() for char in text):
        return "".join(table[char] for char in text)
    return text


# -- HTML ----------------------------------------------------------------------------------------------------

_ELEMENTS = {
    "i": ("<i>", "</i>"),
    "b": ("<b>", "</b>"),
    "sup": ("<sup>", "</sup>"),
    "sub": ("<sub>", "</sub>"),
    "sc": ('<span style="font-variant:small-caps;">', "</span>"),
}
#: Elements, marks and a written-out character at the beginning of HTML.
_LEAD = r"^(?:<[^<>]*>|[\x01\x02 ])*(?:&[a-z]+;)?"
_CSL_TAG = r"<(?=/?(?:i|b|sup|sub|sc|span)[\s>])"


class _HtmlReader(_Reader):
    """Reads tokens into escaped HTML."""

    __slots__ = ("escape", "nocase")

    def __init__(self, *, nocase: bool, escape: bool) -> None:
        super().__init__()
        self.nocase = nocase
        self.escape = escape

    def literal(self, text: str) -> str:
        if self.escape:
            return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return pattern(_CSL_TAG, re.IGNORECASE).sub("&lt;", text) if "<" in text else text

    def value(self, token: str) -> str:
        formula = _formula(token)
        if formula:
            return math(formula, html=True, escape=self.literal)
        return self.literal(super().value(token))

    def accent(self, command: str, text: str) -> str:
        lead = text[: len(text) - len(pattern(_LEAD).sub("", text, count=1))]
        if lead.endswith(";"):
            return lead + tables.ACCENTS[command] + text[len(lead) :]
        return lead + super().accent(command, text[len(lead) :])

    def begins(self, command: str) -> bool:
        if command in tables.SWITCHES:
            if len(self.stack) <= _DEEPEST:
                action = self.style(tables.SWITCHES[command])
                self.stack.append(_Frame(len(self.out), action, implicit=True))
            return True
        return super().begins(command)

    def style(self, element: str) -> Action | None:
        start, end = _ELEMENTS[element]
        return lambda text: f"{start}{text}{end}" if text.strip() else text

    def group_action(self, following: str) -> Action | None:
        # A group that begins with a command is no protection: BibTeX takes {\"o} as a letter like any other.
        return _protected if self.nocase and following[:1] not in ("\\", "}", "") else None


#: Marks around protected text; no value holds them, for :func:`clean` removes control characters.
PROTECTED, UNPROTECTED = "\x01", "\x02"


def _protected(text: str) -> str:
    return f"{PROTECTED}{text}{UNPROTECTED}" if text != text.lower() else text
