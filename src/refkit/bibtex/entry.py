"""Reads one entry of any form, and recovers from what is wrong in it.

The common form of an entry never comes here (`scan`). What comes is read token by token; at the first sign
that the braces or quotes cannot be trusted, the beginnings of lines tell where fields and entries begin.
"""

from __future__ import annotations

import re

from refkit.bibtex.grammar import MAX_DEPTH, NAME, OPENED_KEY, Block, Field, Piece, Spans
from refkit.bibtex.source import Source, balanced, nesting

HEAD = re.compile(rf"@\s*+({NAME})?+\s*+([{{(])")
_FIELD = rf"{NAME}\s*+=\s*+[{{\"\w]"
#: A head with a key and what follows it, or with a field where the key should be.
FULL_HEAD = re.compile(
    rf"@\s*+{NAME}\s*+(?:{OPENED_KEY}(?:\s*+,|[ \t]*+\r?\n\s*+{_FIELD})|\{{\s*+,?+\s*+{_FIELD})"
)

_SPACE = re.compile(r"\s*+")
_COMMAS = re.compile(r"[\s,]++")
_LINE = re.compile(r"[^\n]*+")
_KEY = {"}": re.compile(r"[^\s,={}]*+"), ")": re.compile(r"[^\s,={})]*+")}
_KEY_WITH_EQUALS = re.compile(r"[^\s,{}]*+")
_KEY_WITH_BLANKS = re.compile(r"[^\n,={}\"]++(?=,)")
_EQUALS = re.compile(r"=\s*+(.?)")
_NAMED = re.compile(rf"({NAME})\s*+(=?+)")
_BARE = re.compile(NAME)
_JOIN = re.compile(r"\s*+#\s*+")
_QUOTE_OR_BRACE = re.compile(r'["{}]')
_CLOSERS = re.compile(r"[\s})]*+")
_MORE_FIELDS = re.compile(rf"\s*+,?+\s*+(?={NAME}\s*+=\s*+[{{\"\w])")
# A line that closes the entry.
_CLOSING_LINE = re.compile(r"\n[ \t]*+[})]++\s*+(?=\Z|@|\n)")
# Where reading can go on behind garbage: at a field, or at what closes the entry.
_RESUME = re.compile(
    rf"(?:\n[ \t]*+|,\s*+)(?={NAME}[ \t]*+=[ \t]*+[{{\"\w])|\n(?=[ \t]*+[}})])|(?=[}})]\s*+(?:@|\Z))"
)
# ``@misc{year=2000}`` has no key, ``@misc{a=b, …}`` has one (BibTeX takes both as keys).
_NUMERIC_FIELDS = frozenset("year month volume number pages day date chapter edition".split())


def parse(source: Source, at: int, head: re.Match[str]) -> Spans:
    """Read the entry or ``@string`` block at this place, whose head is given."""
    return _Parser(source, at, head).parse()


def saved(raw: str) -> str:
    """What a broken value most probably was: the text without its outer delimiters, braces balanced."""
    raw = raw.strip().rstrip(",").rstrip()
    if raw[:1] == '"':
        raw = raw[1:-1] if len(raw) > 1 and raw[-1] == '"' else raw[1:]
    elif raw[:1] == "{":
        raw = raw[1:]
    elif raw[-1:] == '"' and raw.count('"') == 1:
        raw = raw[:-1]
    return balanced(raw).strip().rstrip(",").rstrip()


class _Parser:
    def __init__(self, source: Source, at: int, head: re.Match[str]) -> None:
        self.source = source
        self.text = source.text
        self.at = at
        self.head = head
        self.type = (head[1] or "").lower()
        self.closer = "}" if head[2] == "{" else ")"
        self.pos = head.end()
        # Behind the last character that may belong to the entry: the next head, once something is wrong.
        self.end = len(self.text)
        self.key = ""
        self.key_span = (self.pos, self.pos)
        self.fields: list[Field] = []
        self.close = -1
        self.broken = False
        # Whether braces and quotes cannot be trusted any more, so that lines tell where fields begin.
        self.lost = False
        self.told_comment = False

    def parse(self) -> Spans:
        if self.type != "string":
            self._read_key()
        while self.close < 0 and self._step():
            pass
        self._drop_deep_values()
        end = self.close + 1 if self.close >= 0 else self._unclosed_end()
        block = Block("entry", self.at, end, self.type, self.key, self.broken)
        if self.type == "string":
            block = block._replace(kind="string", key=self._macro_name())
        return Spans(
            block, self.head.start(1), self.head.end(1), *self.key_span, tuple(self.fields), self.close
        )

    def _macro_name(self) -> str:
        if not self.fields:
            return ""
        first = self.fields[0]
        return self.text[first.start : first.start + len(first.name)]

    def _unclosed_end(self) -> int:
        """The end of an entry that nothing closes: that of its last line."""
        return max(self.head.end(), self.at + len(self.text[self.at : self.end].rstrip()))

    def _error(self, message: str, at: int, code: str = "parse-error") -> None:
        self.broken = True
        self.source.report("error", code, message, at, self.key)

    def _warn(self, message: str, at: int, code: str = "parse-error") -> None:
        self.source.report("warning", code, message, at, self.key)

    def _skip_space(self) -> str:
        """Pass over blanks; returns the next character, ``""`` at the end."""
        self.pos = _end(_SPACE, self.text, self.pos, self.end)
        return self.text[self.pos] if self.pos < self.end else ""

    # ------------------------------------------------------------------ key

    def _read_key(self) -> None:
        after = self._skip_space()
        start = self.pos
        self.pos = _end(_KEY[self.closer], self.text, start, self.end)
        key = self.text[start : self.pos]
        after = self._skip_space()
        if after == "=" and self._is_field(key):
            self.pos = start
            self._no_key(start)
            return
        if after == "=":
            self.pos = _end(_KEY_WITH_EQUALS, self.text, start, self.end)
            key = self.text[start : self.pos]
            after = self._skip_space()
        self.key, self.key_span = key, (start, start + len(key))
        if not key:
            self._no_key(start)
        if after == ",":
            self.pos += 1
        elif after and after not in "})":
            self._key_without_comma(start)

    def _is_field(self, word: str) -> bool:
        """Whether ``word =`` in the key's place is a field, so that the key is missing."""
        match = _EQUALS.match(self.text, self.pos, self.end)
        delimited = match is not None and match[1] in ("{", '"')
        return delimited or self.text[self.pos - 1].isspace() or word.lower() in _NUMERIC_FIELDS

    def _no_key(self, at: int) -> None:
        self._error("this entry has no key, so that it cannot be cited: give it one", at, "missing-key")

    def _key_without_comma(self, start: int) -> None:
        match = _KEY_WITH_BLANKS.match(self.text, start, self.end)
        if match is not None and self.key:
            self.key, self.pos = match[0].rstrip(), match.end() + 1
            self.key_span = (start, start + len(self.key))
            self._error(
                f"the key {self.key!r} holds a blank, so that no TeX can cite it: write it as one word", start
            )
        elif self.key:
            self._error("there is no comma behind the key: write one", self.pos)

    # ------------------------------------------------------------------ fields

    def _step(self) -> bool:
        """Read one field, or what stands in its place; False where the entry ended without being closed."""
        char = self._skip_space()
        if not char:
            return self._not_closed()
        if char in "})":
            return self._close(char)
        if char == ",":
            self._warn("there is a comma too many: delete it", self.pos)
            self.pos = _end(_COMMAS, self.text, self.pos, self.end)
            return True
        if char == "%":
            return self._comment()
        if char == "@" and self._at_entry():
            self.end = self.pos
            return self._not_closed()
        return self._named()

    def _named(self) -> bool:
        match = _NAMED.match(self.text, self.pos, self.end)
        if match is None:
            return self._skip_garbage()
        if not match[2]:
            if self.text[match.end() : match.end() + 1] not in ("{", '"'):
                return self._skip_garbage()
            self._error(f"there is no = behind {match[1]!r}: write one", match.start())
        self.pos = match.end()
        self._field(match[1], match.start())
        return True

    def _comment(self) -> bool:
        if not self.told_comment:
            self.told_comment = True
            message = (
                "a comment inside of an entry, which biber and refkit skip and BibTeX does not: move it out"
            )
            self._warn(message, self.pos, "comment-in-entry")
        self.pos = _end(_LINE, self.text, self.pos, self.end)
        return True

    def _at_entry(self) -> bool:
        """Whether another entry begins here."""
        line = self.text.rfind("\n", max(self.at, self.pos - 200), self.pos) + 1
        head = HEAD if line and not self.text[line : self.pos].strip() else FULL_HEAD
        return head.match(self.text, self.pos) is not None

    def _not_closed(self) -> bool:
        if self.fields and not self.lost and self._reread_last():
            return True
        if not self.lost:
            self._error(
                "this entry is never closed: write the closing delimiter behind its last field", self.at
            )
        return False

    def _close(self, char: str) -> bool:
        if char != self.closer:
            self._error(f"{char!r} where {self.closer!r} should close the entry", self.pos)
            behind = _end(_SPACE, self.text, self.pos + 1, self.end)
            if behind < self.end and self.text[behind] != "@":
                self.pos += 1
                return True
        self.close = self.pos
        self._look_behind()
        return True

    def _look_behind(self) -> None:
        """Find fields behind the closing brace: one brace too many has closed the entry early."""
        behind = _end(_CLOSERS, self.text, self.close + 1, self.end)
        closers = self.text[self.close + 1 : behind]
        more = _MORE_FIELDS.match(self.text, behind, self.end)
        if more and ("," in more[0] or closers.strip()):
            self._error("a brace too many closes this entry before its last field: delete it", self.close)
            self.pos, self.close = more.end(), -1
        elif closers.strip():
            at = self.close + 1 + len(closers) - len(closers.lstrip())
            self._warn("there is a closing delimiter too many behind the entry: delete it", at)
        elif behind < self.end and "\n" not in closers and self.text[behind] not in "@%":
            self._look_further(behind)

    def _look_further(self, behind: int) -> None:
        """Find fields after text on the line of the closing brace: it was no closing brace."""
        limit = self.source.next_entry.find(behind, self.end)
        more = self.source.next_field.find(behind, limit)
        if more < limit and not FULL_HEAD.search(
            self.text, behind, more + 1
        ):  # which would be another entry's
            self._error(
                "this entry is closed before its last field: delete the brace or complete the value",
                self.close,
            )
            self.end, self.lost, self.close = limit, True, -1
            self.pos = more + (self.text[more] == ",")

    def _skip_garbage(self) -> bool:
        start = self.pos
        shown = self.text[start : start + 20].split("\n")[0].strip()
        self._error(f"{shown!r} where a field should begin: expected its name and =", start)
        self._bound(start)
        match = _RESUME.search(self.text, start, self.end)
        if match is None:
            if self.fields and not self.lost and self._reread_last():
                return True
            self.pos, self.lost = self.end, True
            return False
        self.pos = max(match.end(), start + 1)
        return True

    def _bound(self, at: int) -> None:
        """Let the entry end where the next one surely begins."""
        self.end = self.source.next_entry.find(at, self.end)

    # ------------------------------------------------------------------ values

    def _field(self, name: str, start: int) -> None:
        """Read the value behind a name and its ``=``."""
        self._skip_space()
        value_start = self.pos
        end = self.source.next_field.find(value_start, self.end) if self.lost else self.end
        pieces, wrong = self._pieces(end)
        value_end = self.pos
        wrong = wrong or self._wrong_behind(value_start, end)
        if wrong:
            self._save(name, start, value_start, wrong)
            return
        if self._skip_space() == ",":
            self.pos += 1
            self.fields.append(Field(name.lower(), start, value_start, value_end, self.pos, pieces))
        else:
            self.fields.append(Field(name.lower(), start, value_start, value_end, value_end, pieces))

    def _pieces(self, end: int) -> tuple[tuple[Piece, ...], str]:
        """Read a value; returns its pieces and what is wrong with it."""
        pieces: list[Piece] = []
        while True:
            start = self.pos
            kind, self.pos = self._operand(start, end)
            if self.pos < 0:
                self.pos = start
                return tuple(pieces), "is never closed" if kind else "is missing"
            pieces.append(Piece(kind, start, self.pos))
            match = _JOIN.match(self.text, self.pos, end)
            if match is None:
                return tuple(pieces), ""
            self.pos = match.end()

    def _operand(self, start: int, end: int) -> tuple[str, int]:
        """Kind and end of the operand here; the end is -1 where it has none."""
        char = self.text[start] if start < end else ""
        if char == "{":
            return char, self.source.braces.close(start, end) + 1 or -1
        if char == '"':
            return char, self._quote(start, end) + 1 or -1
        match = _BARE.match(self.text, start, end)
        if match is None:
            return "", -1
        if match[0].isdigit():
            return "0", match.end()
        if match[0][0] in "0123456789-":
            self._error(f"the value {match[0]!r} is neither a number nor a name: put it in braces", start)
            return "?", match.end()
        return "a", match.end()

    def _quote(self, start: int, end: int) -> int:
        """Position of the quote that ends the text which begins here; -1 where there is none."""
        pos = start + 1
        while match := _QUOTE_OR_BRACE.search(self.text, pos, end):
            if match[0] == '"':
                return match.start()
            pos = self.source.braces.close(match.start(), end) + 1 if match[0] == "{" else 0
            if not pos:
                return -1
        return -1

    def _wrong_behind(self, start: int, end: int) -> str:
        """What is wrong with the value from ``start`` up to here, as far as what follows it tells."""
        value_end = self.pos
        after = self._skip_space()
        if not after or after in ",})%" or (after == "@" and self._at_entry()):
            return ""
        match = _NAMED.match(self.text, self.pos, self.end)
        if match and match[2]:
            if self.source.next_field.find(start, value_end) == value_end:
                self._error("there is no comma between two fields: write one behind the value", value_end - 1)
                return ""
            return "is closed too late"
        return "is followed by more text" if self._belongs(value_end, end) else ""

    def _belongs(self, value_end: int, end: int) -> bool:
        """Whether the text behind a value is part of it: on the same line, or with a delimiter of its own."""
        if "\n" not in self.text[value_end : self.pos]:
            return self.pos < end
        behind = min(self.source.next_field.find(self.pos, end), self.source.next_entry.find(self.pos, end))
        return _QUOTE_OR_BRACE.search(self.text, self.pos, behind) is not None

    def _save(self, name: str, start: int, value_start: int, wrong: str) -> None:
        """Keep what can be kept of a broken value: the text up to where the next field begins."""
        self._error(f"the value of {name!r} {wrong}: put all of it in one pair of braces", value_start)
        self._bound(value_start)
        self.lost = True
        end = self.source.next_field.find(value_start, self.end)
        if end == self.end:
            end = self._end_of_last(value_start)
        self.pos = end
        if self._skip_space() == ",":
            self.pos += 1
        piece = Piece("?", value_start, end)
        self.fields.append(Field(name.lower(), start, value_start, end, max(end, self.pos), (piece,)))

    def _end_of_last(self, start: int) -> int:
        """The end of the entry's last value: before the line that closes the entry, if there is one."""
        match = _CLOSING_LINE.search(self.text, start, self.end)
        return match.start() if match else start + len(self.text[start : self.end].rstrip())

    def _reread_last(self) -> bool:
        """Whether the last value holds what look like fields: it has swallowed them, and is read anew."""
        last = self.fields[-1]
        if self.source.next_field.find(last.value_start, last.value_end) == last.value_end:
            return False
        self.fields.pop()
        name = self.text[last.start : last.start + len(last.name)]
        self._save(name, last.start, last.value_start, "is closed too late or not at all")
        return True

    def _drop_deep_values(self) -> None:
        for index, field in enumerate(self.fields):
            if self.text.count("{", field.value_start, field.value_end) <= MAX_DEPTH:
                continue
            depth = nesting(self.text[field.value_start : field.value_end])
            if depth > MAX_DEPTH:
                message = (
                    f"the value of {field.name!r} nests {depth} deep and is not read: at most {MAX_DEPTH} are"
                )
                self._error(message, field.value_start, "limit")
                self.fields[index] = field._replace(pieces=())


def _end(pattern: re.Pattern[str], text: str, pos: int, end: int) -> int:
    """The end of what the pattern, which may match nothing, matches here."""
    match = pattern.match(text, pos, end)
    return match.end() if match else pos
