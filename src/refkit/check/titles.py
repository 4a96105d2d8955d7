"""Titles: capitals, braces, words, punctuation, what does not belong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from operator import eq
from typing import TYPE_CHECKING
from unicodedata import name

from refkit.check.characters import ENTITY
from refkit.check.library import PEOPLE_FIELDS, TITLE_FIELDS, Library
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
    words that need it. Known to JabRef, biblint, bibcop.
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
    return {field: tex.protect(inner) if field == "title" else inner}


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


@rule("final-stop", "warning", fixable=True)
def final_stop(library: Library) -> Iterator[Finding]:
    """A full stop, comma, colon or semicolon at the end of a title; styles set their own. Known to biblint,
    bibcop.
    """
    for column in library.some(TITLE_FIELDS):
        for hit in column.hits(_FINAL):
            if _ABBREVIATION_END.search(hit.value) or (column.name in _VENUES and _SHORT_NAME(hit.value)):
                continue
            yield Finding(
                f"{column.name} ends in {hit.part!r}: take it away",
                hit.entry,
                column.name,
                hit.value,
                {column.name: hit.value[:-1]},
            )


#: Fields in which names of containers stand; of ``Phys. Rev. Lett.`` the last full stop is a part.
_VENUES = frozenset(("journal", "journaltitle", "shortjournal", "booktitle", "series", "eventtitle"))
_SHORT_NAME = re.compile(
    r"(?s).*\w\.(?:[ ~}-]|$).*\.\Z|[A-Z]\w{0,8}\.\Z"
    r"|.*\b(?:Abh|Acad|Adv|Anal|Ann|Annu|Anthropol|Appl|Archaeol|Archit|Assoc|Astron|Astrophys|Behav|Ber|Biochem"
    r"|Biol|Biomed|Biophys|Bull|Chem|Clin|Commun|Comput|Conf|Distrib|Ecol|Econ|Educ|Electron|Eng|Engrg|Environ"
    r"|Exp|Forsch|Genet|Geogr|Geol|Geophys|Gesch|Hist|Immunol|Ind|Inf|Inform|Ing|Int|Intell|Jahrb|Lett|Ling"
    r"|Linguist|Lit|Mach|Mag|Manag|Mater|Math|Mech|Med|Meteorol|Microbiol|Mitt|Mol|Musicol|Nachr|Neurosci|Nucl"
    r"|Opt|Pharmacol|Philol|Philos|Phys|Physiol|Polit|Proc|Psychiatr|Psychol|Publ|Quart|Rech|Relat|Rep|Res|Rev"
    r"|Robot|Sci|Ser|Soc|Sociol|Softw|Sost|Stat|Stud|Surv|Symp|Syst|Technol|Theol|Theor|Trans|Univ|Vestn|Wiss"
    r"|Yearb|Zool|Ztg)\.\Z"
).match
_FINAL = re.compile(r"(?m)(?<=[^.,;: \n])[.,;:]$")
_ABBREVIATION_END = re.compile(
    r"(?:\b(?:Inc|Ltd|Co|Corp|Jr|Sr|etc|al|vs|[A-Z])|\.[A-Za-z]+|[A-Za-z]\.[A-Za-z])\.$"
)


@rule("spacing", "warning", fixable=True)
def spacing(library: Library) -> Iterator[Finding]:
    """A blank before punctuation, none behind a comma or colon, doubled punctuation, or a doubled blank in a
    title.

    French leaves a blank before ``: ; ! ?``; entries with a French ``langid`` are left alone. Readers take a
    run of blanks as one, so a doubled one is harmless and still a slip. Known to biblint, bibcop, Linter for
    Zotero.
    """
    for column in library.some((*TITLE_FIELDS, "titleaddon", *PEOPLE_FIELDS)):
        text = column.text
        if not any(sign in text for sign in _SPACED) and _NO_SPACE.search(text) is None:
            continue
        for hit in column.hits(_BAD_SPACE):
            if hit.entry.get("langid", "language").lower().startswith(("fr", "acadian")):
                continue
            if ENTITY.search(hit.value):
                continue
            fixed = _NO_SPACE.sub(r"\1 \2", _SPACE_BEFORE.sub(r"\1", _DOUBLED.sub(r"\1", hit.value)))
            yield Finding(
                f"a blank is missing or too many at {hit.part!r}",
                hit.entry,
                column.name,
                hit.part,
                {column.name: fixed},
            )
    yield from _doubled_blanks(library)


def _doubled_blanks(library: Library) -> Iterator[Finding]:
    """Blanks that the reader has made one. A value that stands in the file as it was read has none."""
    for column in library.some(("title", "booktitle", "shorttitle")):
        for entry, value in column:
            document = library.documents.get(entry.file)
            if document is None or document.text.find(value, entry.start, entry.end) >= 0 or entry.inherited:
                continue
            start = library.value_at(entry, column.name)
            near = start is not None and _DOUBLE_BLANK.search(
                document.text, start, min(start + 2 * len(value) + 200, entry.end)
            )
            written = library.written(entry, column.name) if near else ""
            found = _DOUBLE_BLANK.search(written)
            if found and written[0] in '{"':
                yield Finding(
                    "a doubled blank: write one", entry, column.name, found[0], {column.name: value}
                )


_SPACED = (" ,", " ;", " :", " !", " ?", ",,", ";;", "::", ",:", ":,")
_DOUBLED = re.compile(r"([,;:])[,;:]+(?= |$)")
_BAD_SPACE = re.compile(
    r"(?<=[^\s({\[–—-]) +[,;:!?](?= |$|\n)|(?<=[A-Za-z]{2})[,;:](?=[A-Za-z]{2})(?!//)|[,;:]{2,}+(?= |$|\n)"
)
_SPACE_BEFORE = re.compile(r"(?<=[^\s({\[–—-]) +([,;:!?])(?= |$)")
_NO_SPACE = re.compile(r"([,;:])(?<=[A-Za-z]{2}.)((?=[A-Za-z]{2}))(?!//)")
_DOUBLE_BLANK = re.compile(r"[^ \t\r\n={\"] {2,}+[^ \t\r\n=][^ \t\r\n]{0,40}")


@rule("line-break-hyphen", "warning")
def line_break_hyphen(library: Library) -> Iterator[Finding]:
    """A hyphen and a blank inside a word, as the end of a line leaves them in what is copied from a page.

    A hyphen that stands for a part of a later word ("pre- and post-training") is left alone.
    """
    for column in library.some((*TITLE_FIELDS, "titleaddon")):
        for hit in column.hits(_BROKEN_WORD, "- "):
            yield Finding(
                f"{hit.part!r} is broken as at the end of a line: join it, or take the blank away",
                hit.entry,
                column.name,
                hit.part,
            )


_BROKEN_WORD = re.compile(
    r"(?<![^\W_])[^\W\d_]{2,}- (?!(?:and|or|to|und|oder|bis|et|y|versus|vs|but|nor|as) )[a-z]{2,}"
)


@rule("repeated-word", "warning", fixable=True)
def repeated_word(library: Library) -> Iterator[Finding]:
    """A small word twice in a row in a title: "of of", "the the"."""
    for column in library.some(("title", "subtitle", "booktitle")):
        for value in dict.fromkeys(column.values):
            pieces = value.lower().split(" ")
            found = _REPEATED.search(value) if any(map(eq, pieces, pieces[1:])) else None
            if found:
                fix = {column.name: _REPEATED.sub(r"\1", value)}
                message = f"{found[1]!r} stands twice in a row: delete one"
                for entry in column.with_value(value):
                    yield Finding(message, entry, column.name, found[0], fix)


_REPEATED = re.compile(
    r"\b(an?|and|as|at|by|for|from|in|is|of|on|or|the|to|via|with|[A-Z]?[a-z]{5,}) \1\b", re.IGNORECASE
)


@rule("odd-dash", "warning", fixable=True)
def odd_dash(library: Library) -> Iterator[Finding]:
    """A hyphen that stands for a dash, or a dash, minus or hyphen of another kind that stands for a hyphen.

    Dashes written as themselves (– and —) and curly quotes are right in UTF-8. Known to biblint, bibcop.
    """
    for column in library.some((*TITLE_FIELDS, "titleaddon", *PEOPLE_FIELDS)):
        if column.is_ascii and not column.has(" - "):
            continue
        for hit in column.hits(_HYPHEN):
            if hit.match[0] == " - ":
                yield Finding(
                    "a hyphen stands for a dash: write -- or ---",
                    hit.entry,
                    column.name,
                    hit.part,
                    {column.name: hit.value.replace(" - ", " -- ")},
                )
            else:
                fixed = _ODD_HYPHEN.sub("-", hit.value)
                yield Finding(
                    f"{hit.part!r} is {name(hit.match[0]).lower()}: write a hyphen",
                    hit.entry,
                    column.name,
                    hit.part,
                    {column.name: fixed},
                )


_ODD_HYPHEN = re.compile("[\u2010-\u2012\u2015\u2212\ufe58\ufe63\uff0d]")
_HYPHEN = re.compile(" - |[\u2010-\u2012\u2015\u2212\ufe58\ufe63\uff0d]")


@rule("straight-quotes", "warning", fixable=True)
def straight_quotes(library: Library) -> Iterator[Finding]:
    """Straight double quotes in a title, which TeX sets as closing ones on both sides."""
    for column in library.some(TITLE_FIELDS):
        for hit in column.hits(_QUOTE, '"'):
            bare = re.sub(r'\\"', "  ", hit.value)
            if '"' not in bare:
                continue
            pairs = bare.count('"') % 2 == 0 and '\\"' not in hit.value
            fixed = re.sub(r'"([^"]*)"', r"``\1''", hit.value)
            yield Finding(
                "straight quotes, which TeX sets as closing ones: write ``…''",
                hit.entry,
                column.name,
                '"',
                {column.name: fixed} if pairs else None,
            )


_QUOTE = re.compile(r'(?<!\\)"')


@rule("cut-text", "warning")
def cut_text(library: Library) -> Iterator[Finding]:
    """A title or a container's name that ends in a word that cannot be its last, or in dots: it was cut.

    Whether a container's name begins with "Proceedings of the" is left to the proceedings: many do not. Known
    to JabRef, bibcop.
    """
    for column in library.some(
        (*TITLE_FIELDS, "publisher", "institution", "organization", "series", "eventtitle")
    ):
        for value in dict.fromkeys(column.values):
            if value.rstrip("}").endswith(_CUT):
                last = value.rstrip("}").rpartition(" ")[2]
                for entry in column.with_value(value):
                    yield Finding(f"{column.name} ends in {last!r}: it seems cut", entry, column.name, last)


_CUT = (
    " a",
    " an",
    " and",
    " for",
    " from",
    " in",
    " of",
    " on",
    " or",
    " the",
    " to",
    " via",
    " with",
    "...",
    "…",
    "-",
    "–",
    "—",
)


RULES = (
    unprotected_capitals,
    braced_title,
    title_case,
    odd_capitals,
    final_stop,
    spacing,
    line_break_hyphen,
    repeated_word,
    odd_dash,
    straight_quotes,
    cut_text,
)
