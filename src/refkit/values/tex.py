r"""TeX to Unicode and back.

Reading: :func:`decode` gives the plain text of a BibTeX value, :func:`decode_html` the same with CSL's few
elements, :func:`verbatim` the text of a field that is no TeX (url, doi, file). Each is total (any string
gives a result, none raises), takes time linear in the length of the value, and keeps its own stack, so that
no nesting is too deep for it.

Writing: :func:`encode` makes text safe for a TeX that reads UTF-8, :func:`encode_ascii` for classic BibTeX;
:func:`protect` braces what a sentence-casing style would lower.

What becomes of what the tables do not know: of an unknown command only its name is lost, its arguments stay
as text, which is what pandoc and biber's readers expect of ``\foo{bar}``; ``%`` is no comment inside a value
(BibTeX copies it through); an unescaped ``&``, ``#``, ``_`` or ``^`` stands for itself; ``'`` stays the
straight apostrophe unless it closes a quotation that a backquote opened. Every blank, ``~`` and ``\,``
included, becomes one ordinary blank.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import category, combining, is_normalized, name, normalize

from refkit.values import tex_tables as tables
from refkit.values.tex_math import math, over
from refkit.values.tex_protect import protect

if TYPE_CHECKING:
    from collections.abc import Callable

    Action = Callable[[str], str]

# Control characters, white space other than the blank, and the invisible characters that change nothing but
# the direction or the breaking of lines. Joiners (U+200C, U+200D) carry meaning in Persian, Hindi and emoji
# and stay.
_INVISIBLE = (
    "\x00-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f"
    "\u3000\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
)
_ODD = re.compile(f"[{_INVISIBLE}]")
_REMOVED = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")

#: A value without any of these, doubled hyphens, quotes or blanks is its own text.
_SPECIAL = re.compile(rf"[\\{{}}$~`{_INVISIBLE}]")

# Every alternative begins with a literal, which lets the matcher skip from one to the next without trying in
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
    | \$(?:[^$\\]|\\.){1,400}+\$ | \$\$? | ~ | --+ | ``? | '' | \?` | !`
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
_SINGLE_QUOTE = re.compile(r"‘([^‘’'\s](?:[^‘’']|'(?=\w)){0,400}+)'(?!\w)")
_DEEPEST = 100

__all__ = ["clean", "decode", "decode_html", "encode", "encode_ascii", "protect", "unencodable", "verbatim"]


def clean(text: str) -> str:
    """The normal form of plain text: NFC, each run of white space one blank, no invisible control characters.

    Lone surrogates, which no encoding can write, become U+FFFD.
    """
    if _ODD.search(text) is not None:
        text = _SURROGATE.sub("\ufffd", _REMOVED.sub("", text))
        text = " ".join(text.split())
    elif "  " in text or text[:1] == " " or text[-1:] == " ":
        text = " ".join(text.split())
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def decode(raw: str) -> str:
    """The plain text of a TeX value: Unicode, NFC, white space collapsed. Total; never raises."""
    if _SPECIAL.search(raw) is None and "--" not in raw and "''" not in raw:
        return clean(raw)
    if _ODD.search(raw) is not None:
        raw = clean(raw)
    parts = _TOKEN.split(raw)
    pieces: list[str | None] = list(map(_simple, parts[1::2]))
    if None in pieces:
        text = _Reader(html=False).read(parts)
    else:
        parts[1::2] = pieces
        text = "".join(parts)
    if "`" in raw:
        text = _SINGLE_QUOTE.sub("‘\\1’", text)
    return clean(text)


@lru_cache(maxsize=8192)
def _simple(token: str) -> str | None:
    """The text of a token that stands alone; ``None`` for what needs its argument or its group."""
    if token[0] == "\\":
        return _command(token)
    if token[0] == "$" and len(token) > 2:
        return math(token[1:-1])
    return _PUNCTUATION.get(token, token)


def _command(token: str) -> str | None:
    second = token[1:2]
    if second == "(" and len(token) > 2:
        return math(token[2:-2])
    if token[-1] == "}" and len(token) > 2:
        return _with_braces(token)
    if not second.isascii() or not second.isalpha():
        if second in tables.ACCENTS:
            return _accented(token) if len(token) > 2 else None
        return _symbol(second) or ("" if len(token) > 1 else "\\")
    command = token[1:].rstrip(" ")
    if command.startswith("char") and command[4:]:
        return _char(command[4:]) or ""
    if " " in token and token[-1] != " ":
        return _accented(token)
    return _word(command.rstrip("*"))


def _with_braces(token: str) -> str | None:
    r"""A command with its argument: ``\url{…}``, ``\'{e}``, ``\c{c}``."""
    command, _, argument = token[1:-1].partition("{")
    command = command.rstrip(" ")
    if command in ("url", "path", "nolinkurl"):
        return verbatim(argument)
    if command == "href":
        return ""
    if command == "ensuremath":
        return math(argument)
    return _accented(token) if command in tables.ACCENTS else _symbol(token[1])


def _accented(token: str) -> str:
    """An accent and the letter that it stands on, in any bracing."""
    letter = token[2:].strip(" {}").lstrip("\\")
    return _accent(token[1], letter)


def _accent(command: str, letter: str) -> str:
    """Puts an accent on the first character of a text; on nothing it stands alone."""
    letter = letter.strip(" ")
    if not letter:
        return tables.SPACING_ACCENTS.get(command, "")
    return over(letter, tables.ACCENTS[command])


def _char(number: str) -> str:
    base = {'"': 16, "'": 8}.get(number[0], 10)
    code = int(number.lstrip("\"'"), base)
    return chr(code) if code < 0x110000 else "\ufffd"


def _word(command: str) -> str | None:
    """The text of a command that is a word."""
    if command in tables.ACCENTS or command in tables.DROPPED_ARGUMENTS or command in tables.QUOTES:
        return None
    style = tables.STYLES.get(command)
    if style is not None:
        return None if style in ("sup", "sub") else ""
    return _symbol(command) or ""


def _symbol(command: str) -> str:
    for table in (
        tables.READ_ONLY_SYMBOLS,
        tables.LETTERS,
        tables.TEXT_SYMBOLS,
        tables.MATH_SYMBOLS,
        tables.MATH_OPERATORS,
        tables.READ_ONLY_MATH,
        tables.READ_ONLY_OPERATORS,
    ):
        text = table.get(command)
        if text is not None:
            return text
    return command if command in tables.FUNCTIONS else ""


# -- arguments, groups and HTML ------------------------------------------------------------------------------

_ELEMENTS = {
    "i": ("<i>", "</i>"),
    "b": ("<b>", "</b>"),
    "sup": ("<sup>", "</sup>"),
    "sub": ("<sub>", "</sub>"),
    "sc": ('<span style="font-variant:small-caps;">', "</span>"),
}
_NOCASE = ('<span class="nocase">', "</span>")
_PROTECTED, _UNPROTECTED = "\x01", "\x02"
_WORDS = re.compile(r"\x01|\x02|\w+|[^\w\x01\x02]+")
_CSL_TAG = re.compile(r"<(?=/?(?:i|b|sup|sub|sc|span)[\s>])", re.IGNORECASE)


def decode_html(raw: str, *, nocase: bool = False, escape: bool = True) -> str:
    """The text of a TeX value with the elements that CSL-JSON knows: i, b, sup, sub, small capitals.

    :param nocase: put ``<span class="nocase">`` around words whose capitals braces protect (``{DNA}``,
        ``{B}ayes``), unless the braces are around the whole of a value of several words.
    :param escape: write ``&``, ``<`` and ``>`` as HTML does. Without it they stand as they are, as CSL-JSON
        wants them, but for a ``<`` that would begin one of CSL's own elements.
    """
    raw = clean(raw)
    reader = _Reader(html=True, nocase=nocase, escape=escape)
    text = reader.read(_TOKEN.split(raw))
    if "`" in raw:
        text = _SINGLE_QUOTE.sub("‘\\1’", text)
    if _PROTECTED in text:
        text = _spans(text)
    return clean(text)


class _Frame:
    """An open group: where its text begins, and what is to be done with it when it ends."""

    __slots__ = ("action", "implicit", "start", "then")

    def __init__(self, start: int, action: Action | None, then: tuple[Action, ...], implicit: bool) -> None:
        self.start = start
        self.action = action
        #: Actions for the arguments that follow this one.
        self.then = then
        #: Whether a switch opened it, so that it ends with the group around it.
        self.implicit = implicit


class _Reader:
    """Reads tokens with a stack of its own: arguments, groups, switches."""

    __slots__ = ("escape", "html", "nocase", "out", "stack", "waiting")

    def __init__(self, *, html: bool, nocase: bool = False, escape: bool = True) -> None:
        self.html = html
        self.nocase = nocase
        self.escape = escape
        self.out: list[str] = []
        self.stack: list[_Frame] = []
        #: Actions for the arguments that a command is waiting for.
        self.waiting: tuple[Action, ...] = ()

    def read(self, parts: list[str]) -> str:
        self.text(parts[0])
        for at in range(1, len(parts), 2):
            self.token(parts[at], parts[at + 1])
            self.text(parts[at + 1])
        self.end_argument()
        while self.stack:
            self.close()
        return "".join(self.out)

    def text(self, text: str) -> None:
        while self.waiting and text:
            text = text.lstrip(" ")
            if not text:
                return
            self.argument(self.escaped(text[0]))
            text = text[1:]
        if text:
            self.out.append(self.escaped(text))

    def token(self, token: str, following: str) -> None:
        if token == "{":
            self.open(following)
        elif token == "}":
            self.end_argument()
            self.close()
        elif token in ("$", "$$"):
            self.argument(token)
        elif token[0] == "\\" and self.starts(token):
            return
        elif token[0] == "$" or (token.startswith("\\(") and len(token) > 2):
            inner = token[1:-1] if token[0] == "$" else token[2:-2]
            self.argument(math(inner, html=self.html, escape=self.escaped))
        else:
            self.argument(self.escaped(_simple(token) or ""))

    def starts(self, token: str) -> bool:
        """Whether the token is a command that waits for arguments or changes the rest of its group."""
        command = token[1:].rstrip(" *") or token[1:2]
        if command in tables.ACCENTS:
            self.waiting = (lambda text: _accent(command, text),)
        elif command in tables.DROPPED_ARGUMENTS:
            self.waiting = (_nothing,) * tables.DROPPED_ARGUMENTS[command]
        elif command in tables.QUOTES:
            self.waiting = (self.quoted,)
        elif command in tables.STYLES:
            element = tables.STYLES[command]
            if self.html or element in ("sup", "sub"):
                self.waiting = (self.styled(element),)
        elif self.html and command in tables.SWITCHES:
            self.stack.append(_Frame(len(self.out), self.styled(tables.SWITCHES[command]), (), implicit=True))
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
        action: Action | None = None
        then: tuple[Action, ...] = ()
        if self.waiting:
            action, *rest = self.waiting
            then = tuple(rest)
            self.waiting = ()
        elif self.nocase and following:
            action = _protected
        if len(self.stack) > _DEEPEST:
            action = None
        self.stack.append(_Frame(len(self.out), action, then, implicit=False))

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

    def escaped(self, text: str) -> str:
        if not self.html or text.isalnum():
            return text
        if not self.escape:
            return _CSL_TAG.sub("&lt;", text)
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def styled(self, element: str) -> Action:
        if not self.html:
            return _raised if element == "sup" else _lowered
        start, end = _ELEMENTS[element]
        return lambda text: f"{start}{text}{end}" if text.strip() else text

    def quoted(self, text: str) -> str:
        depth = sum(1 for frame in self.stack if frame.action == self.quoted)
        return f"‘{text}’" if depth % 2 else f"“{text}”"


def _nothing(text: str) -> str:
    return ""


def _protected(text: str) -> str:
    return f"{_PROTECTED}{text}{_UNPROTECTED}" if text != text.lower() else text


def _raised(text: str) -> str:
    """Superscript digits and signs; letters stay (``2nd``), for that is how such text is read and searched."""
    return _shifted(text, tables.SUPERSCRIPTS)


def _lowered(text: str) -> str:
    return _shifted(text, tables.SUBSCRIPTS)


def _shifted(text: str, table: dict[str, str]) -> str:
    if all(char in table and not char.isalpha() for char in text):
        return "".join(table[char] for char in text)
    return text


def _spans(text: str) -> str:
    """Turns the marks of protected groups into spans around whole words."""
    pieces: list[str] = []
    marked: list[bool] = []
    depth = 0
    for piece in _WORDS.findall(text):
        if piece == _PROTECTED:
            depth += 1
        elif piece == _UNPROTECTED:
            depth -= 1
        else:
            pieces.append(piece)
            marked.append(depth > 0)
    if all(marked) and any(not piece.isalnum() and " " in piece for piece in pieces):
        return "".join(pieces)
    _spread(pieces, marked)
    out: list[str] = []
    for at, piece in enumerate(pieces):
        if marked[at] and not (at and marked[at - 1]):
            out.append(_NOCASE[0])
        elif not marked[at] and at and marked[at - 1]:
            out.append(_NOCASE[1])
        out.append(piece)
    if marked and marked[-1]:
        out.append(_NOCASE[1])
    return "".join(out)


def _spread(pieces: list[str], marked: list[bool]) -> None:
    """A word of which a part is protected is protected as a whole."""
    words = [_is_word(piece) for piece in pieces]
    for indexes, step in ((range(1, len(pieces)), -1), (range(len(pieces) - 2, -1, -1), 1)):
        for at in indexes:
            if words[at] and words[at + step] and marked[at + step]:
                marked[at] = True


def _is_word(piece: str) -> bool:
    return piece[0].isalnum() or piece[0] == "_"


# -- fields that are no TeX ----------------------------------------------------------------------------------

_VERBATIM = re.compile(
    r"""\\(?:url|path|nolinkurl)\ *\{([^{}]*)\}
      | \\href\ *\{([^{}]*)\}\ *\{[^{}]*\}
      | (\{?\\(?:textasciitilde|textunderscore|textbackslash|textasciicircum|slash|sim|allowbreak|relax)
            (?![A-Za-z])(?:\{\}|\ +)?\}?)
      | (\$\\sim\ *\$)
      | \\char(126|95|37|35|38|'176|'137|"7E|"5F|"25|"23|"26)(?![0-9A-Fa-f])\ ?
      | (\\\\)
      | \\([~^])\{?\ ?\}?
      | (\\[`'"=.][A-Za-z]|\\[`'"=.]\{[A-Za-z]\})
      | \\([-/])
      | \\([_%&\#$~^{} ])
      | [{}]
    """,
    re.VERBOSE,
)
_VERBATIM_WORDS = {
    "textasciitilde": "~",
    "textunderscore": "_",
    "textbackslash": "\\",
    "textasciicircum": "^",
    "slash": "/",
    "sim": "~",
    "allowbreak": "",
    "relax": "",
}


def verbatim(raw: str) -> str:
    r"""The text of a field that BibLaTeX takes as it stands (url, doi, file), as plain text.

    Nothing is typeset: ``% _ # & ~ $ --`` stay. What other programs escaped is undone: ``\_``, ``{\_}``,
    ``\~{}``, ``{\textasciitilde}``, ``$\sim$``; ``\url{…}`` and braces are unwrapped, for no address holds
    them. A backslash that escapes nothing stays (``C:\data``).
    """
    if "\\" in raw or "{" in raw or "}" in raw or "$" in raw:
        raw = _VERBATIM.sub(_verbatim_part, raw)
    raw = raw.strip()
    return _REMOVED.sub("", raw) if _ODD.search(raw) is not None else raw


def _verbatim_part(found: re.Match[str]) -> str:
    if found[1] is not None or found[2] is not None:
        return verbatim(found[1] or found[2] or "")
    if found[3] is not None:
        return _VERBATIM_WORDS[found[3].strip("{}\\ ")]
    if found[4] is not None:
        return "~"
    if found[5] is not None:
        return _char(found[5])
    if found[6] is not None:
        return "\\\\"
    if found[8] is not None:
        return _accented(found[8])
    return found[7] or found[10] or ""


# -- writing -------------------------------------------------------------------------------------------------

_ESCAPES = str.maketrans(
    {
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
)
_TO_ESCAPE = re.compile(r"[#$%&_~^\\`{}]")
_LIGATURE = re.compile(r"-(?=-)|'(?=')")
_BRACE = re.compile(r"[{}]")


def encode(text: str) -> str:
    r"""Plain text as TeX for a program that reads UTF-8 (biber, XeLaTeX, a LaTeX of today).

    Characters that TeX reserves are escaped, each once; what TeX would join (``--``, ``''``) is kept apart by
    ``{}``. Braces in equal pairs become ``\{ \}``, others a command, because BibTeX counts ``\}`` as a
    closing brace. ``decode(encode(text)) == clean(text)``.
    """
    return _escaped(clean(text))


def _escaped(text: str) -> str:
    if _TO_ESCAPE.search(text) is not None:
        paired = _paired_braces(text)
        if paired:
            pieces = [char if at in paired else char.translate(_ESCAPES) for at, char in enumerate(text)]
            for at in paired:
                pieces[at] = "\\" + text[at]
            text = "".join(pieces)
        else:
            text = text.translate(_ESCAPES)
    if "--" in text or "''" in text:
        text = _LIGATURE.sub(r"\g<0>{}", text)
    return text


def _paired_braces(text: str) -> set[int]:
    """Positions of the braces that open and close each other."""
    opened: list[int] = []
    paired: set[int] = set()
    for found in _BRACE.finditer(text):
        if found[0] == "{":
            opened.append(found.start())
        elif opened:
            paired.update((opened.pop(), found.start()))
    return paired


_DASHES_AND_QUOTES = {
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "…": "\\ldots{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "\u00a0": "~",
    "‐": "-",
    "‑": "-",
    "ı": "{\\i}",
    "ȷ": "{\\j}",
}
_ACCENT_COMMANDS = {mark: command for command, mark in reversed(tables.ACCENTS.items()) if len(command) == 1}
_CLUSTER = re.compile("(.)([\u0300-\u036f\u20d7]*)", re.DOTALL)
_ASCII_JOINS = re.compile(r"(?<=-)-|(?<=')'|(?<=`)`")


def encode_ascii(text: str) -> str:
    r"""Plain text as ASCII TeX for classic BibTeX and any LaTeX (T1 encoding).

    Accents are written ``{\'e}``: to BibTeX that is one letter, in names and in titles. A typographic
    apostrophe becomes ``'``, which TeX prints as one. What TeX has no command for is transliterated as well
    as can be; see :func:`unencodable`.
    """
    text = clean(text)
    if text.isascii() and "<" not in text and ">" not in text and "|" not in text:
        return _escaped(text)
    return _assembled(_ascii_pieces(text))


def unencodable(text: str) -> list[str]:
    """The characters that :func:`encode_ascii` can only transliterate, each once, in order."""
    missing: dict[str, None] = {}
    for found in _CLUSTER.finditer(normalize("NFD", clean(text))):
        if _cluster(found[1], found[2]) is None:
            missing[normalize("NFC", found[0])] = None
    return list(missing)


def _ascii_pieces(text: str) -> list[str]:
    paired_text = _escaped(
        text
    )  # escapes first: they are ASCII and hold no character that is looked up below
    pieces: list[str] = []
    for found in _CLUSTER.finditer(normalize("NFD", paired_text)):
        base, marks = found[1], found[2]
        if base.isascii() and not marks and base not in "<>|":
            pieces.append(base)
            continue
        piece = _cluster(base, marks)
        pieces.append(_transliterated(base, marks) if piece is None else piece)
    return pieces


def _assembled(pieces: list[str]) -> str:
    """Joins pieces; neighbouring formulas become one, and what would join to a ligature is kept apart."""
    out: list[str] = []
    for piece in pieces:
        last = out[-1] if out else ""
        if (
            piece[:1] == "$" == piece[-1:]
            and len(piece) > 1
            and last[-1:] == "$" == last[:1]
            and len(last) > 1
        ):
            blank = " " if last[-2].isalpha() and piece[1].isalpha() and "\\" in last else ""
            out[-1] = f"{last[:-1]}{blank}{piece[1:]}"
        else:
            if piece[:1] in "-'`" and piece and last[-1:] == piece[0]:
                out.append("{}")
            out.append(piece)
    return "".join(out)


def _cluster(base: str, marks: str) -> str | None:
    """The TeX of a character and the marks on it; ``None`` if there is none."""
    whole = normalize("NFC", base + marks)
    known = _ascii_table().get(whole)
    if known is not None:
        return known
    if whole.isascii():
        return whole
    if not marks:
        return None
    return _marked(base, marks)


def _marked(base: str, marks: str) -> str | None:
    inner = base if base.isascii() and base.isalpha() else _ascii_table().get(base)
    if inner is None:
        return None
    if inner[:1] == "$":
        return _marked_in_math(inner[1:-1], marks)
    if inner in ("i", "j") and combining(marks[0]) == 230:
        inner = "\\" + inner
    for mark in marks:
        command = _ACCENT_COMMANDS.get(mark)
        if command is None:
            return _marked_in_math(base, marks) if base.isascii() else None
        bare = inner[1:-1] if inner[:1] == "{" else inner
        inner = _accent_group(command, bare)
    return inner


def _accent_group(command: str, inner: str) -> str:
    if len(inner) > 1 and inner not in ("\\i", "\\j"):
        return f"{{\\{command}{{{inner}}}}}"
    blank = " " if command.isalpha() and inner[0] != "\\" else ""
    return f"{{\\{command}{blank}{inner}}}"


def _marked_in_math(inner: str, marks: str) -> str | None:
    for mark in marks:
        command = tables.WRITTEN_MATH_ACCENTS.get(mark)
        if command is None:
            return None
        inner = f"\\{command}{{{inner}}}"
    return f"${inner}$"


@lru_cache(maxsize=1)
def _ascii_table() -> dict[str, str]:
    """Characters and the ASCII TeX that prints them."""
    table: dict[str, str] = {}
    for command, char in (*tables.MATH_SYMBOLS.items(), *tables.MATH_OPERATORS.items()):
        table.setdefault(char, f"$\\{command}$")
    for char, small in tables.SUPERSCRIPTS.items():
        table.setdefault(small, f"$^{{{char}}}$")
    for char, small in tables.SUBSCRIPTS.items():
        table.setdefault(small, f"$_{{{char}}}$")
    for command, char in tables.TEXT_SYMBOLS.items():
        if not char.isascii():
            table[char] = f"{{\\{command}}}"
    for command, char in tables.LETTERS.items():
        table[char] = f"{{\\{command}}}"
    table.update(_DASHES_AND_QUOTES)
    return table


def _transliterated(base: str, marks: str) -> str:
    """The nearest ASCII: without its marks, decomposed for compatibility, or by its Unicode name; else ``?``."""
    if marks:
        plain = _cluster(base, "")
        if plain is not None:
            return plain
    folded = "".join(char for char in normalize("NFKD", base) if char.isascii() and category(char)[0] != "C")
    return _escaped(folded) if folded.strip() else _by_name(base)


_LETTER_NAME = re.compile(
    r"(?:LATIN|CYRILLIC|GREEK|ARMENIAN|GEORGIAN) (SMALL|CAPITAL)? ?(?:LIGATURE|LETTER) (\w+)"
)


def _by_name(char: str) -> str:
    found = _LETTER_NAME.match(name(char, ""))
    if found is None:
        return "?"
    word = found[2]
    return word.capitalize() if found[1] == "CAPITAL" else word.lower()
