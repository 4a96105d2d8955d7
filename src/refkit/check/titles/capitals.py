"""Capitals of titles: those that a style would lower, and those that are odd."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from refkit.check.library import TITLE_FIELDS, Library
from refkit.check.model import Finding, rule
from refkit.values.tex.terms import TERMS

if TYPE_CHECKING:
    from refkit.check.columns import Column, Hit
    from refkit.model import Entry


@rule("unprotected-capitals", "warning", fixable=True)
def unprotected_capitals(library: Library) -> Iterator[Finding]:
    """A word of a title that must keep its capitals and stands without braces.

    Styles that set titles in sentence case lower it: plain, IEEEtran, APA. Words with a capital behind their
    first letter, with capitals and digits, and the names of a term list need braces; a whole title does not.
    Braces that an export escaped, so that they are printed, are to be braces again. Known to JabRef, biblint,
    bibcop.
    """
    from refkit.values import tex

    yield from _escaped_braces(library)
    for column in library.some(("title", "subtitle")):
        bare = _GROUP.sub("", column.text).split("\n")
        for value, line in zip(column.distinct.values, bare, strict=True):
            if _ESCAPED_BRACES.search(value):
                continue
            if _may_need_braces(value, line) and not (
                value[0] == "{" and value[-1] == "}" and _closes_at_end(value)
            ):
                protected = tex.protect(value)
                if protected != value:
                    yield from _unprotected(column, value, protected)


def _escaped_braces(library: Library) -> Iterator[Finding]:
    r"""Braces that an export took for text: ``$\{$TensorFlow$\}$``, as Google Scholar writes them."""
    for column in library.some(TITLE_FIELDS):
        for hit in column.hits(_ESCAPED_BRACES):
            yield Finding(
                f"'{hit.part}' prints its braces: write {{{hit.match[1]}}}",
                hit.entry,
                column.name,
                hit.part,
                {column.name: _ESCAPED_BRACES.sub(r"{\1}", hit.value)},
            )


_ESCAPED_BRACES = re.compile(r"\$\\\{\$([^{}$\\\n]{1,80})\$\\\}\$")


def _may_need_braces(value: str, bare: str) -> bool:
    """Whether a title has capitals outside of groups that are more than the first letters of ordinary
    words.
    """
    if not _CAPITALS.search(bare, 1):
        return False
    return (
        "\\" in value
        or _INNER_CAPITALS.search(bare) is not None
        or not TERMS.isdisjoint(_NAMES.findall(bare))
    )


def _unprotected(column: Column, value: str, protected: str) -> Iterator[Finding]:
    words = _newly_braced(value, protected)
    shown = ", ".join(words[:3]) + (", …" if len(words) > 3 else "")
    for entry in column.with_value(value):
        yield Finding(
            f"sentence-case styles lower {shown}: put braces around",
            entry,
            column.name,
            words[0] if words else "",
            {column.name: protected},
        )


#: Innermost groups, whose capitals are protected.
_GROUP = re.compile(r"\{[^{}\n]*+\}")
_CAPITALS = re.compile(r"[A-Z]|\$")
_INNER_CAPITALS = re.compile(r"[A-Za-z0-9][A-Z]|[A-Z][^\W_]*\d|\b[A-Z]\b|\$|[^\x00-\x7f]|['’]")
_NAMES = re.compile(r"[A-Z][a-z]+")


def _newly_braced(old: str, new: str) -> list[str]:
    """The words that got braces; ``new`` is ``old`` with braces added."""
    words: list[str] = []
    at = depth = start = 0
    for char in new:
        if at < len(old) and char == old[at]:
            at += 1
        elif char == "{":
            start = start if depth else at
            depth += 1
        else:
            depth -= 1
            words += [old[start:at]] if depth == 0 else []
    return words


@rule("braced-title", "warning", fixable=True)
def braced_title(library: Library) -> Iterator[Finding]:
    """Braces around a whole title, so that no style can set it as it sets others.

    A title of one word, which is a name, may be braced. The fix takes the outer braces off and braces the
    words that need it: in a title in sentence case all that have a capital, for they are names. Known to
    JabRef, biblint, bibcop.
    """
    for column in library.some(("title", "booktitle", "journaltitle", "journal", "subtitle")):
        for hit in column.hits(_WHOLE):
            value = hit.value
            if " " in value.strip("{} ") and _closes_at_end(value):
                fix = partial(_unbraced, column.name, value)
                yield Finding(
                    "braces around the whole title: brace single words", hit.entry, column.name, value, fix
                )


def _unbraced(field: str, value: str) -> dict[str, str | None]:
    """A title without its outer braces, with braces around the words that need them."""
    from refkit.values import tex

    inner = value[1:-1].strip()
    return {field: tex.protect(_with_names_braced(inner)) if field == "title" else inner}


def _with_names_braced(title: str) -> str:
    """A title with braces around the words with a capital, unless nearly all have one, as in title case."""
    parts = _NO_WORDS.split(title)
    words = [word for part in parts[::2] for word in _WORDS.findall(part)][1:]
    telling = [word for word in words if len(word) > 3 and not word.isupper() and word not in MINOR_WORDS]
    if 3 * sum(word[0].islower() for word in telling) <= len(telling):
        return title
    out = ""
    for number, part in enumerate(parts):
        if number % 2:
            out += part
            continue
        at = 0
        for found in _NAME.finditer(part):
            out += part[at : found.start()]
            out += found[0] if _begins_sentence(out) else f"{{{found[0]}}}"
            at = found.end()
        out += part[at:]
    return out


def _begins_sentence(before: str) -> bool:
    before = before.rstrip()
    return not before or before[-1] in ":.?!"


#: What no word is looked for in: groups, formulas and commands.
_NO_WORDS = re.compile(r"(\{(?:[^{}]|\{[^{}]*\})*\}|\$[^$]*\$|\\[A-Za-z]+ *|\\.)")
#: A word with a capital: ``Higgs``, ``Yang-Mills``, ``O'Neill``.
_NAME = re.compile(r"(?<![\w'’-])[A-Z][\w'’]+(?:-[A-Z][\w'’]+)*")
_WHOLE = re.compile(r"(?m)^\{[^\n]*\}$")


def _closes_at_end(value: str) -> bool:
    """Whether the first brace is closed by the last."""
    depth = 0
    for match in re.finditer(r"\\.|[{}]", value):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0 and match[0] == "}":
            return match.end() == len(value)
    return False


#: Words that title case leaves in lower case.
MINOR_WORDS = frozenset("a an and as at but by for from in nor of on or the to via with".split())
_WORDS = re.compile(r"[^\W\d_][^\s:;,.?!()—–]*")


@rule("title-case", "info")
def title_case(library: Library) -> Iterator[Finding]:
    """A minor word with a capital in a title set in title case, or a major one without.

    A title is in title case when nearly all its major words have capitals. Articles, short conjunctions and
    prepositions are minor; words behind a colon, a hyphen or in braces do not count. A title all in capitals
    is a warning. Known to bibcop, Linter for Zotero.
    """
    for hit in library.column("title").hits(_SHOUTED):
        yield Finding(
            "the title is in capitals throughout: write it as running text has it",
            hit.entry,
            "title",
            severity="warning",
        )
    lower = list(library.column("title").hits(_LOWER_START))
    for hit in lower if len(lower) <= max(1, len(library.entries) // 10) else ():
        if hit.match[0].lower() not in library.terms:
            yield Finding(
                "the title begins in lower case: compare it with the source", hit.entry, "title", hit.match[0]
            )
    for entry, value in library.column("title"):
        if len(_CAPITAL.findall(value)) >= 3 and (_CAPITAL_MINOR.search(value) or _LOWER_MAJOR.search(value)):
            yield from _case_findings(entry, value)


_SHOUTED = re.compile(r"(?m)^(?=(?:[^a-z\n]*[A-Z]{3}[^a-z\n]* ){2})[^a-z\n\\]+$")
_LOWER_START = re.compile(r"(?m)^[a-z]{3,}(?= )")
_CAPITAL = re.compile(r" [A-Z]")
_CAPITAL_MINOR = re.compile(
    r"[^:.?!–—-] (?:A|An|And|As|At|But|By|For|From|In|Nor|Of|On|Or|The|To|Via|With) (?!\()"
)
_LOWER_MAJOR = re.compile(r"[^:.?!–—-] [a-z]{5,}(?= |$)")


def _case_findings(entry: Entry, value: str) -> Iterator[Finding]:
    bare = re.sub(r"\{[^{}]*\}", lambda match: "X" * len(match[0]), value)
    inner = [
        match
        for match in _WORDS.finditer(bare)
        if match.start() and bare[match.start() - 1] == " " and bare[match.start() - 2] not in ":.?!–—-"
    ]
    major = [match for match in inner if match[0].lower() not in MINOR_WORDS and match[0][:2] != "XX"]
    capitals = [match for match in major if match[0][0].isupper()]
    if len(capitals) < 3:
        return
    if len(capitals) == len(major):
        for match in inner:
            if match[0][0].isupper() and match[0].lower() in MINOR_WORDS:
                yield Finding(
                    f"{match[0]!r} has a capital in a title set in title case: compare it with the source",
                    entry,
                    "title",
                    match[0],
                )
    elif len(major) - len(capitals) == 1 and len(capitals) >= 4:
        odd = next(match for match in major if not match[0][0].isupper())
        if len(odd[0]) > 4 and "-" not in odd[0]:
            yield Finding(
                f"{odd[0]!r} has no capital in a title set in title case: compare it with the source",
                entry,
                "title",
                odd[0],
            )


@rule("odd-capitals", "info")
def odd_capitals(library: Library) -> Iterator[Finding]:
    """A word with a strange mix of capitals, or a term of the field spelled otherwise than it is.

    The term list lies beside the rules; ``terms`` in the configuration adds to it. A word that three titles
    have is a name. Known to biblint.
    """
    terms = library.terms
    for column in library.some(("title", "subtitle", "shorttitle", "booktitle", "titleaddon")):
        for word in dict.fromkeys(_LETTERS.findall(column.text)):
            if word.islower() or len(word) > 40:
                continue
            known = terms.get(word.lower())
            if known == word:
                continue
            if known and not word.isupper() and not (word.istitle() and known.isupper() and len(word) < 4):
                yield from _with_word(
                    column.hits(_whole_word(word)),
                    column.name,
                    word,
                    f"{word!r} is spelled {known!r}: correct it, unless the source has it so",
                )
            elif not known and _TWO_CAPITALS.match(word) and word.lower().rstrip("s") not in terms:
                hits = list(islice(column.hits(_whole_word(word)), 3))
                if len(hits) < 3:
                    message = f"{word!r} has a strange mix of capitals: compare it with the source"
                    yield from _with_word(iter(hits), column.name, word, message)


_LETTERS = re.compile(r"[A-Za-z][A-Za-z0-9]*+")
_TWO_CAPITALS = re.compile(r"(?:[A-Z]{2}[a-z]{3,}|[a-z]+[A-Z]{2,}[a-z]+|[A-Z][a-z]+[A-Z])\Z")


def _whole_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])")


def _with_word(hits: Iterator[Hit], field: str, word: str, message: str) -> Iterator[Finding]:
    for hit in hits:
        yield Finding(message, hit.entry, field, word)
