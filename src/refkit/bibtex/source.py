"""The text that is being read, what was found wrong in it, and searches that are linear over all calls."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left

from refkit.bibtex.grammar import NAME, OPENED_KEY, Fault, Severity

_BRACES = re.compile(r"\{++|\}++")  # runs of one kind
_LONE_CR = re.compile(r"\r(?!\n)")
# Where a new entry surely begins: at the beginning of a line or behind a closing delimiter, with a key and
# what must follow it, or with a field where the key should be.
_NEXT_ENTRY = re.compile(
    rf"(?:\n[ \t]*+|(?<=[}})])[ \t]*+)(?=@\s*+(?:(?i:comment|preamble)\s*+[{{(]"
    rf"|{NAME}\s*+(?:{OPENED_KEY}\s*+[,=]|[{{(]\s*+,\s*+{NAME}\s*+=)))"
)
# Where a new field surely begins: at the beginning of a line, or behind a comma with a delimited value.
_NEXT_FIELD = re.compile(
    rf"(?:\n[ \t]*+{NAME}[ \t]*+=[ \t]*+(?=[{{\"\w])|,[ \t]*+{NAME}[ \t]*+=[ \t]*+(?=[{{\"\d]))"
)


def plain(text: str) -> str:
    """The text with byte order marks as blanks, lone carriage returns as line feeds; no character moves."""
    if "\ufeff" in text:
        text = text.replace("\ufeff", " ")
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        text = _LONE_CR.sub("\n", text)
    return text


class Source:
    """A text and what was found wrong in it."""

    def __init__(self, text: str) -> None:
        """A text before reading; ``text`` is as it stands in the file."""
        self.text = plain(text)
        self.faults: list[Fault] = []
        self.braces = Braces(self.text)
        #: Finds the line break before the next entry.
        self.next_entry = Finder(_NEXT_ENTRY, self.text)
        #: Finds the line break or comma before the next field.
        self.next_field = Finder(_NEXT_FIELD, self.text)

    def report(self, severity: Severity, code: str, message: str, at: int, key: str = "") -> None:
        """Note that something is wrong."""
        self.faults.append(Fault(severity, code, message, at, key))


class Finder:
    """Searches a text for a pattern from places that mostly move forward; remembers the last answer."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        """Nothing is searched yet."""
        self._pattern = pattern
        self._text = text
        self._asked = 0
        self._found = -2

    def find(self, at: int, end: int) -> int:
        """Where the first match at or behind ``at`` begins, if before ``end``; else ``end``."""
        if not (self._asked <= at and (self._found == -1 or at <= self._found)):
            match = self._pattern.search(self._text, at)
            self._asked, self._found = at, match.start() if match else -1
        return self._found if 0 <= self._found < end else end


class Braces:
    """Finds the partner of a brace, counting blindly.

    Counting from a brace costs its distance to its partner. Broken texts may ask for the same far distances
    again and again; when that has cost a few times the text's length, one pass pairs all braces.
    """

    def __init__(self, text: str) -> None:
        """Nothing is counted yet."""
        self._text = text
        self._budget = 4 * len(text) + 10_000
        self._pairs: tuple[array[int], array[int]] | None = None

    def close(self, at: int, end: int) -> int:
        """Position of the brace that closes the one at this place, if before ``end``; else -1."""
        if self._budget <= 0:
            return self._look_up(at, end)
        found = self._count(at, end)
        self._budget -= (end if found < 0 else found) - at
        return found

    def _count(self, at: int, end: int) -> int:
        depth = 0
        for match in _BRACES.finditer(self._text, at, end):
            first, last = match.span()
            if self._text[first] == "{":
                depth += last - first
            elif last - first < depth:
                depth -= last - first
            else:
                return first + depth - 1
        return -1

    def _look_up(self, at: int, end: int) -> int:
        if self._pairs is None:
            self._pairs = self._pair()
        opening, closing = self._pairs
        index = bisect_left(opening, at)
        found = closing[index] if index < len(opening) and opening[index] == at else -1
        return found if found < end else -1

    def _pair(self) -> tuple[array[int], array[int]]:
        """Positions of all opening braces, and beside them those of their partners (-1: none)."""
        opening: array[int] = array("q")
        closing: array[int] = array("q")
        waiting: array[int] = array("q")  # indexes into `opening`
        for match in _BRACES.finditer(self._text):
            first, last = match.span()
            if self._text[first] == "{":
                waiting.extend(range(len(opening), len(opening) + last - first))
                opening.extend(range(first, last))
                closing.extend(array("q", (-1,)) * (last - first))
                continue
            for place in range(first, min(last, first + len(waiting))):
                closing[waiting.pop()] = place
        return opening, closing


def nesting(text: str) -> int:
    """How deep the braces of a text nest at most."""
    depth = deepest = 0
    for match in _BRACES.finditer(text):
        run = match[0]
        depth += len(run) if run[0] == "{" else -len(run)
        deepest = max(deepest, depth)
    return deepest


def balanced(text: str) -> str:
    """The text without the braces that have no partner."""
    waiting: list[int] = []
    lone: set[int] = set()
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            waiting.append(match.start())
        elif waiting:
            waiting.pop()
        else:
            lone.add(match.start())
    lone.update(waiting)
    return "".join(char for at, char in enumerate(text) if at not in lone) if lone else text
