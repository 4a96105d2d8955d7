"""Titles and text: TeX that does not read, capitals that styles would lower, punctuation, foreign characters."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import partial
from unicodedata import category, is_normalized, name, normalize

from refkit.check import vocabulary
from refkit.check.library import PEOPLE_FIELDS, TEXT_FIELDS, TITLE_FIELDS, Column, Hit, Library
from refkit.check.model import Finding, reported, rule
from refkit.model import VERBATIM_FIELDS, Entry
from refkit.values.tex.terms import TERMS

_TITLE = "@misc{{lee2024, author = {{Lee, Ada}}, title = {{{}}}, year = {{2024}}}}".format
_BOOK = "@inproceedings{{lee2024, author = {{Lee, Ada}}, title = {{Title}}, booktitle = {{{}}}, year = {{2024}}}}".format

ENCODING = reported(
    "encoding", "warning", "Bytes that are not the file's encoding, or an encoding that had to be guessed.",
    bad=_TITLE("Caf\udce9"), good=_TITLE("Café"),
)  # fmt: skip

# -- TeX

#: Pieces of a value in which the special characters of TeX are meant, or are no TeX at all.
_EXEMPT = re.compile(
    r"\$(?:[^$\\]|\\.)*+\$|\\\((?:[^\\]|\\[^)])*+\\\)|\\(?:url|path|nolinkurl|ensuremath|ce|si|num)\*? *\{(?:[^{}]|\{[^{}]*\})*+\}"
    r"|\\href *\{[^{}]*\}|\\."
)
_SPECIAL = re.compile(r"[&%#_^]")


@rule(
    "unescaped-special", "error", fixable=True,
    bad=_TITLE("Cats & dogs: 50% of snake_case"), good=_TITLE(r"Cats \& dogs: 50\% of snake\_case"),
)  # fmt: skip
def unescaped_special(library: Library) -> Iterator[Finding]:
    r"""``& % # _`` or ``^`` in a field that TeX reads, without a backslash and outside formulas and addresses.

    LaTeX stops at them, or (``%``) drops the rest of the line. Known to JabRef, biblint, bibcop.
    """
    for column in library.some(TEXT_FIELDS):
        for hit in column.hits(_MAYBE_SPECIAL, "&", "%", "#", "_", "^"):
            found = list(_special_places(hit.value))
            if not found or _is_address(hit.value):
                continue
            signs = "".join(dict.fromkeys(hit.value[at] for at in found))
            fix = (
                None
                if "^" in signs or _ENTITY.search(hit.value)
                else {column.name: _escaped(hit.value, found)}
            )
            yield Finding(
                f"{' '.join(signs)} in {column.name} without a backslash: LaTeX cannot set it",
                hit.entry, column.name, hit.value[found[0]], fix,
            )  # fmt: skip


_MAYBE_SPECIAL = re.compile(r"(?<!\\)[&%#_^]")


def _special_places(value: str) -> Iterator[int]:
    masked = _EXEMPT.sub(lambda match: "x" * len(match[0]), value) if "$" in value or "\\" in value else value
    return (match.start() for match in _SPECIAL.finditer(masked))


def _is_address(value: str) -> bool:
    return "://" in value and " " not in value


def _escaped(value: str, places: list[int]) -> str:
    at = set(places)
    return "".join(f"\\{char}" if place in at else char for place, char in enumerate(value))


@rule(
    "bad-tex", "error",
    bad=_TITLE(r"The cost of $n log n and \frac{1}"), good=_TITLE(r"The cost of $n \log n$ and $\frac{1}{2}$"),
)  # fmt: skip
def bad_tex(library: Library) -> Iterator[Finding]:
    r"""TeX that does not parse: a formula that is never closed, ``\left`` without ``\right``, a backslash at the end.

    Whether a command is defined only LaTeX knows; what the reader would lose is looked at by ``unknown-command``.
    Known to JabRef.
    """
    for column in library.some(TEXT_FIELDS):
        if not column.has(*_TEX_SIGNS) and not column.text.endswith("\\"):
            continue
        for hit in column.hits(_MATH_OR_END):
            problem = _tex_problem(hit.value)
            if problem:
                yield Finding(
                    f"{problem} in {column.name}: LaTeX cannot set it", hit.entry, column.name, hit.part
                )


_TEX_SIGNS = ("$", "\\begin", "\\end", "\\left", "\\right", "\\(", "\\)", "\\[", "\\]", "\\\n")
_MATH_OR_END = re.compile(r"(?m)(?<!\\)\$|\\(?:begin|end|left|right|[()\[\]])|\\$")
_COMMANDS = re.compile(r"\\(begin|end|left|right)(?![A-Za-z])|\\([()\[\]])")


def _tex_problem(value: str) -> str:
    if value.endswith("\\") and not value.endswith("\\\\"):
        return "a backslash at the end"
    bare = value.replace("\\\\", "").replace("\\$", "")
    if bare.count("$") % 2:
        return "a $ that is never closed"
    counts: dict[str, int] = {}
    for match in _COMMANDS.finditer(bare):
        counts[match[1] or match[2]] = counts.get(match[1] or match[2], 0) + 1
    for opening, closing in (("begin", "end"), ("left", "right"), ("(", ")"), ("[", "]")):
        if counts.get(opening, 0) != counts.get(closing, 0):
            return f"\\{opening} without \\{closing}, or the other way round,"
    return ""


@rule(
    "unbalanced-braces", "error",
    bad='@misc{lee2024, author = {Lee, Ada}, title = {A set \\{1, 2}}, year = {2024}}',
    good='@misc{lee2024, author = {Lee, Ada}, title = {A set \\{1, 2\\}}, year = {2024}}',
)  # fmt: skip
def unbalanced_braces(library: Library) -> Iterator[Finding]:
    r"""Braces that do not balance once ``\{`` and ``\}`` are taken as the characters that TeX sees.

    BibTeX counts every brace, TeX only those that are not escaped; a value must balance for both. Known to JabRef,
    biblint.
    """
    for column in library.some(TEXT_FIELDS):
        for hit in column.hits(_ESCAPED_BRACE, "\\{", "\\}"):
            bare = _ESCAPED_BRACE.sub("", hit.value.replace("\\\\", ""))
            if bare.count("{") != bare.count("}"):
                yield Finding(
                    f"the braces of {column.name} do not balance for TeX: escape both of a pair, or neither",
                    hit.entry,
                    column.name,
                )


_ESCAPED_BRACE = re.compile(r"\\[{}]")


@rule(
    "unknown-command", "info",
    bad=_TITLE(r"A study of \mycommand{attention}"), good=_TITLE(r"A study of \emph{attention}"),
)  # fmt: skip
def unknown_command(library: Library) -> Iterator[Finding]:
    """A TeX command that no export knows: its name is dropped, its arguments stay as text."""
    for column in library.some((*TITLE_FIELDS, *PEOPLE_FIELDS)):
        for hit in column.hits(_COMMAND_WORD):
            text = _EXEMPT_MATH.sub("", hit.value)
            for command in dict.fromkeys(_COMMAND_WORD.findall(text)):
                if not _is_known_command(command):
                    yield Finding(
                        f"\\{command} is no command that exports know: write it in another way",
                        hit.entry,
                        column.name,
                        f"\\{command}",
                    )


_COMMAND_WORD = re.compile(r"\\([A-Za-z]{2,})")
_EXEMPT_MATH = re.compile(r"\$(?:[^$\\]|\\.)*+\$|\\ensuremath *\{(?:[^{}]|\{[^{}]*\})*+\}")
#: Commands that style text or stand for nothing: known though they give no character.
_STYLING = frozenset(
    "emph textit textbf textsc texttt textrm textsf textsl textup textmd textnormal textsuperscript textsubscript "
    "mkbibemph mkbibquote mkbibbold enquote bibinfo bibstring url href path nolinkurl noopsort mbox hbox text mathrm "
    "mathbb mathcal mathsf mathbf mathit bf it sc tt em rm sf sl small large tiny relax protect nocase textcolor "
    "uppercase lowercase underline nobreak allowbreak hyphenation newline linebreak xspace par bibsc hspace vspace".split()
)


def _is_known_command(command: str) -> bool:
    from refkit.values import tex

    if command in _STYLING:
        return True
    return tex.decode(f"\\{command}{{}}").strip() != ""


# -- capitals


@rule(
    "unprotected-capitals", "warning", fixable=True,
    bad=_TITLE("A Study of FlashAttention on NVIDIA GPUs"), good=_TITLE("A Study of {FlashAttention} on {NVIDIA} {GPUs}"),
)  # fmt: skip
def unprotected_capitals(library: Library) -> Iterator[Finding]:
    """A word of a title that must keep its capitals and stands without braces.

    Styles that set titles in sentence case lower it: plain, IEEEtran, APA. Words with a capital behind their first
    letter, with capitals and digits, and the names of a term list need braces; a whole title does not. Known to
    JabRef, biblint, bibcop.
    """
    from refkit.values import tex

    for column in library.some(("title", "subtitle")):
        bare = _GROUP.sub("", column.text).split("\n")
        for value, line in zip(column.distinct.values, bare, strict=True):
            if _may_need_braces(value, line) and not (value[0] == "{" and value[-1] == "}" and _closes_at_end(value)):
                protected = tex.protect(value)
                if protected != value:
                    yield from _unprotected(column, value, protected)


def _may_need_braces(value: str, bare: str) -> bool:
    """Whether a title has capitals outside of groups that are more than the first letters of ordinary words."""
    if not _CAPITALS.search(bare, 1):
        return False
    return "\\" in value or _INNER_CAPITALS.search(bare) is not None or not TERMS.isdisjoint(_NAMES.findall(bare))


def _unprotected(column: Column, value: str, protected: str) -> Iterator[Finding]:
    words = _newly_braced(value, protected)
    shown = ", ".join(words[:3]) + (", …" if len(words) > 3 else "")
    for entry in column.with_value(value):
        yield Finding(
            f"sentence-case styles lower {shown}: put braces around", entry, column.name, words[0] if words else "",
            {column.name: protected},
        )  # fmt: skip


#: Innermost groups, whose capitals are protected.
_GROUP = re.compile(r"\{[^{}\n]*+\}")
_CAPITALS = re.compile(r"[A-Z]|\$")
_INNER_CAPITALS = re.compile(r"[A-Za-z0-9][A-Z]|[A-Z][^\W_]*\d|\b[A-Z]\b|\$|[^\x00-\x7f]|['’]")
_NAMES = re.compile(r"[A-Z][a-z]+")


def _newly_braced(old: str, new: str) -> list[str]:
    """The words that got braces."""
    return [word for word in re.findall(r"\{([^{}]*)\}", new) if f"{{{word}}}" not in old]


@rule(
    "braced-title", "warning", fixable=True,
    bad=_TITLE("{A Study of {GPU} Kernels}"), good=_TITLE("A Study of {GPU} Kernels"),
)  # fmt: skip
def braced_title(library: Library) -> Iterator[Finding]:
    """Braces around a whole title, so that no style can set it as it sets others.

    A title of one word, which is a name, may be braced. The fix takes the outer braces off and braces the words that
    need it. Known to JabRef, biblint, bibcop.
    """
    for column in library.some(("title", "booktitle", "journaltitle", "journal", "subtitle")):
        for hit in column.hits(_WHOLE):
            value = hit.value
            if " " in value.strip("{} ") and _closes_at_end(value):
                fix = partial(_unbraced, column.name, value)
                yield Finding("braces around the whole title: brace single words", hit.entry, column.name, value, fix)


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


_MINOR = frozenset("a an and as at but by for from in nor of on or the to via with".split())
_WORDS = re.compile(r"[^\W\d_][^\s:;,.?!()—–]*")


@rule(
    "title-case", "info",
    bad=_TITLE("Fast Kernels For The Attention Of Large Models"), good=_TITLE("Fast Kernels for the Attention of Large Models"),
)  # fmt: skip
def title_case(library: Library) -> Iterator[Finding]:
    """A minor word with a capital in a title set in title case, or a major one without.

    A title is in title case when nearly all its major words have capitals. Articles, short conjunctions and
    prepositions are minor; words behind a colon, a hyphen or in braces do not count. A title all in capitals is a
    warning. Known to bibcop, Linter for Zotero.
    """
    for hit in library.column("title").hits(_SHOUTED):
        yield Finding(
            "the title is in capitals throughout: write it as running text has it", hit.entry, "title", severity="warning"
        )
    for hit in library.column("title").hits(_LOWER_START):
        if hit.match[0].lower() not in library.terms:
            yield Finding("the title begins in lower case: compare it with the source", hit.entry, "title", hit.match[0])
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
    major = [match for match in inner if match[0].lower() not in _MINOR and match[0][:2] != "XX"]
    capitals = [match for match in major if match[0][0].isupper()]
    if len(capitals) < 3:
        return
    if len(capitals) == len(major):
        for match in inner:
            if match[0][0].isupper() and match[0].lower() in _MINOR:
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


@rule(
    "odd-capitals", "info",
    bad=_TITLE("{FLashAttention} in Pytorch"), good=_TITLE("{FlashAttention} in {PyTorch}"),
)  # fmt: skip
def odd_capitals(library: Library) -> Iterator[Finding]:
    """A word with a strange mix of capitals, or a term of the field spelled otherwise than it is.

    The term list lies beside the rules; ``terms`` in the configuration adds to it. Known to biblint.
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
                yield from _with_word(
                    column.hits(_whole_word(word)),
                    column.name,
                    word,
                    f"{word!r} has a strange mix of capitals: compare it with the source",
                )


_LETTERS = re.compile(r"[A-Za-z][A-Za-z0-9]*+")
_TWO_CAPITALS = re.compile(r"(?:[A-Z]{2}[a-z]{3,}|[a-z]+[A-Z]{2,}[a-z]+|[A-Z][a-z]+[A-Z])\Z")


def _whole_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])")


def _with_word(hits: Iterator[Hit], field: str, word: str, message: str) -> Iterator[Finding]:
    for hit in hits:
        yield Finding(message, hit.entry, field, word)


# -- punctuation


@rule(
    "final-stop", "warning", fixable=True,
    bad=_TITLE("A Study of Kernels."), good=_TITLE("A Study of Kernels, Inc."),
)  # fmt: skip
def final_stop(library: Library) -> Iterator[Finding]:
    """A full stop, comma, colon or semicolon at the end of a title; styles set their own. Known to biblint, bibcop."""
    for column in library.some(TITLE_FIELDS):
        for hit in column.hits(_FINAL):
            if _ABBREVIATION_END.search(hit.value):
                continue
            yield Finding(
                f"{column.name} ends in {hit.part!r}: take it away", hit.entry, column.name, hit.value,
                {column.name: hit.value[:-1]},
            )  # fmt: skip


_FINAL = re.compile(r"(?m)(?<=[^.,;: \n])[.,;:]$")
_ABBREVIATION_END = re.compile(
    r"(?:\b(?:Inc|Ltd|Co|Corp|Jr|Sr|etc|al|vs|[A-Z])|\.[A-Za-z]+|[A-Za-z]\.[A-Za-z])\.$"
)


@rule(
    "spacing", "warning", fixable=True,
    bad=_TITLE("A Study of Kernels , Large and  Small"), good=_TITLE("A Study of Kernels, Large and Small"),
)  # fmt: skip
def spacing(library: Library) -> Iterator[Finding]:
    """A blank before punctuation, none behind a comma or colon, doubled punctuation, or a doubled blank in a title.

    French leaves a blank before ``: ; ! ?``; entries with a French ``langid`` are left alone. Readers take a run of
    blanks as one, so a doubled one is harmless and still a slip. Known to biblint, bibcop, Linter for Zotero.
    """
    for column in library.some((*TITLE_FIELDS, "titleaddon", *PEOPLE_FIELDS)):
        text = column.text
        if not any(sign in text for sign in _SPACED) and _NO_SPACE.search(text) is None:
            continue
        for hit in column.hits(_BAD_SPACE):
            if hit.entry.get("langid", "language").lower().startswith(("fr", "acadian")):
                continue
            if _ENTITY.search(hit.value):
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
            near = start is not None and _DOUBLE_BLANK.search(document.text, start, min(start + 2 * len(value) + 200, entry.end))
            written = library.written(entry, column.name) if near else ""
            found = _DOUBLE_BLANK.search(written)
            if found and written[0] in '{"':
                yield Finding("a doubled blank: write one", entry, column.name, found[0], {column.name: value})


_SPACED = (" ,", " ;", " :", " !", " ?", ",,", ";;", "::", ",:", ":,")
_DOUBLED = re.compile(r"([,;:])[,;:]+(?= |$)")
_BAD_SPACE = re.compile(r"(?<=[^\s({\[–—-]) +[,;:!?](?= |$|\n)|(?<=[A-Za-z]{2})[,;:](?=[A-Za-z]{2})(?!//)|[,;:]{2,}+(?= |$|\n)")
_SPACE_BEFORE = re.compile(r"(?<=[^\s({\[–—-]) +([,;:!?])(?= |$)")
_NO_SPACE = re.compile(r"([,;:])(?<=[A-Za-z]{2}.)((?=[A-Za-z]{2}))(?!//)")
_DOUBLE_BLANK = re.compile(r"[^ \t\r\n={\"] {2,}+[^ \t\r\n=][^ \t\r\n]{0,40}")


@rule(
    "repeated-word", "warning", fixable=True,
    bad=_TITLE("A Study of of Kernels"), good=_TITLE("A Study of Kernels That That Compiler Made"),
)  # fmt: skip
def repeated_word(library: Library) -> Iterator[Finding]:
    """A small word twice in a row in a title: "of of", "the the"."""
    for column in library.some(("title", "subtitle", "booktitle")):
        for hit in column.hits(_REPEATED):
            fix = {column.name: _REPEATED.sub(r"\1", hit.value)}
            yield Finding(f"{hit.match[1]!r} stands twice in a row: delete one", hit.entry, column.name, hit.part, fix)


_REPEATED = re.compile(
    r"\b(an?|and|as|at|by|for|from|in|is|of|on|or|the|to|via|with|[A-Z]?[a-z]{5,}) \1\b", re.IGNORECASE
)


@rule(
    "odd-dash", "warning", fixable=True,
    bad=_TITLE("Fast Kernels - a Study"), good=_TITLE("Fast Kernels -- a Study"),
)  # fmt: skip
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


@rule(
    "straight-quotes", "warning", fixable=True,
    bad=_TITLE('The "Fast" Kernel'), good=_TITLE("The ``Fast'' Kernel"),
)  # fmt: skip
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


# -- foreign markup and characters


@rule(
    "markup", "error", fixable=True,
    bad=_TITLE("Cats &amp; <i>dogs</i>"), good=_TITLE(r"Cats \& \emph{dogs}"),
)  # fmt: skip
def markup(library: Library) -> Iterator[Finding]:
    """HTML or JATS: an entity or a tag that a service or a web page left in the text. Known to JabRef, papis."""
    for column in library.some(TEXT_FIELDS):
        for hit in column.hits(_HTML, "&", "<"):
            fixed = _without_markup(hit.value)
            shown = _HTML.search(hit.value)
            yield Finding(
                f"{shown[0] if shown else hit.part!r} is HTML: write TeX or plain text", hit.entry, column.name, hit.part,
                {column.name: fixed} if not _HTML.search(fixed) else None,
            )  # fmt: skip


_ENTITY = re.compile(r"\\?&(?:amp|lt|gt|quot|apos|nbsp|[A-Za-z]{2,8}|#\d{1,6}|#x[0-9A-Fa-f]{1,5});")
_TAG = re.compile(
    r"</?(?:i|b|u|em|strong|sub|sup|sc|scp|p|br|span|div|a|tt|code|jats:[a-z-]+|mml:[a-z]+|math|mi|mo|mn|inf|title)(?: [^<>\n]{0,200})?/?>",
    re.IGNORECASE,
)
_HTML = re.compile(f"{_ENTITY.pattern}|{_TAG.pattern}", re.IGNORECASE)
_TAG_COMMANDS = {
    "i": "emph",
    "em": "emph",
    "b": "textbf",
    "strong": "textbf",
    "sub": "textsubscript",
    "inf": "textsubscript",
    "sup": "textsuperscript",
    "sc": "textsc",
    "scp": "textsc",
    "tt": "texttt",
    "code": "texttt",
}
_PAIR = re.compile(
    r"<(?:jats:)?(i|em|italic|b|bold|strong|sub|inf|sup|sc|scp|tt|code)>([^<>]*)</(?:jats:)?\1>",
    re.IGNORECASE,
)


def _without_markup(value: str) -> str:
    from refkit.values import tex

    for _ in range(3):
        value = _PAIR.sub(
            lambda match: (
                f"\\{_TAG_COMMANDS.get(match[1].lower().replace('italic', 'i').replace('bold', 'b'), 'emph')}{{{match[2]}}}"
            ),
            value,
        )
    value = re.sub(
        r"<br ?/?>|</?(?:jats:)?(?:p|title|span|div)(?: [^<>]{0,200})?>", " ", value, flags=re.IGNORECASE
    )
    value = _ENTITY.sub(lambda match: tex.encode(html.unescape(html.unescape(match[0].lstrip("\\")))), value)
    return " ".join(value.split())


@rule(
    "invisible-character", "error", fixable=True,
    bad=_TITLE("Flash\u200bAttention"), good=_TITLE("{FlashAttention}"),
)  # fmt: skip
def invisible_character(library: Library) -> Iterator[Finding]:
    """A character that nobody sees: control, zero-width, directional, a soft hyphen, or a blank of another kind.

    Joiners between letters of scripts that need them are left alone; abstracts are not looked at. Known to JabRef, bibcop.
    """
    for column in library.columns.values():
        if column.name in _UNSEEN:
            continue
        for entry, value in column:
            if not value.isprintable():
                yield from _invisible(entry, column.name, value)


#: Long texts that no export has.
_UNSEEN = frozenset(("abstract", "annote", "annotation", "file"))


def _invisible(entry: Entry, field: str, value: str) -> Iterator[Finding]:
    odd = [char for char in value if _is_invisible(char, value)]
    if odd:
        fixed = "".join(
            " " if category(char) == "Zs" else "" if _is_invisible(char, value) else char for char in value
        )
        named = ", ".join(
            dict.fromkeys(f"U+{ord(char):04X} {name(char, 'control character').lower()}" for char in odd)
        )
        blank = all(category(char) == "Zs" for char in odd)
        yield Finding(
            f"{field} holds {named}: take it out", entry, field, odd[0], {field: " ".join(fixed.split())},
            "warning" if blank else None,
        )  # fmt: skip


def _is_invisible(char: str, value: str) -> bool:
    if char in "\u200c\u200d":  # joiners: meant between letters of Arabic and Indic scripts, and in emoji
        return all(ord(other) < 0x590 or other in "\u200c\u200d" for other in value)
    if "\udc80" <= char <= "\udcff":  # a stray byte: the reader reports it
        return False
    return category(char) in ("Cc", "Cf", "Zl", "Zp", "Co", "Cn", "Cs") or (
        category(char) == "Zs" and char != " "
    )


@rule(
    "not-nfc", "warning", fixable=True,
    bad=_TITLE("Cafe\u0301"), good=_TITLE("Café"),
)  # fmt: skip
def not_nfc(library: Library) -> Iterator[Finding]:
    """Text that is not in Unicode's composed normal form, so that searches and sorting miss it. Known to JabRef."""
    for column in library.columns.values():
        if column.is_ascii or column.name in _UNSEEN:
            continue
        for entry, value in column:
            if not value.isascii() and not is_normalized("NFC", value):
                yield Finding(
                    f"{column.name} is not in Unicode's normal form (NFC)",
                    entry,
                    column.name,
                    "",
                    {column.name: normalize("NFC", value)},
                )


@rule(
    "mojibake", "error", fixable=True,
    bad=_TITLE("CafÃ© du Nord"), good=_TITLE("Café du Nord"),
)  # fmt: skip
def mojibake(library: Library) -> Iterator[Finding]:
    """UTF-8 that was read as another encoding, or a replacement character where a letter was lost. Known to bibcop."""
    for column in library.some((*TEXT_FIELDS, "keywords")):
        if column.is_ascii:
            continue
        for hit in column.hits(_MOJIBAKE):
            fixed = _reread(hit.value)
            yield Finding(
                f"{hit.part!r} in {column.name} was read in the wrong encoding" + (f": write {fixed}" if fixed else ": restore the letter"),
                hit.entry, column.name, hit.part, {column.name: fixed} if fixed else None,
            )  # fmt: skip


_MOJIBAKE = re.compile(
    "[\u00c2-\u00c5][\u0080-\u00bf\u0152-\u0178\u02c6\u2013-\u203a\u20ac\u2122]|â€[\u0080-\u2122]|\ufffd"
)


def _reread(value: str) -> str:
    for codec in ("cp1252", "latin-1"):
        try:
            return value.encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    return ""


@rule(
    "mixed-scripts", "warning",
    bad=_TITLE("Fl\u0430shAttention"), good=_TITLE("{FlashAttention} and Внимание"),
)  # fmt: skip
def mixed_scripts(library: Library) -> Iterator[Finding]:
    """A word of Latin letters with a Cyrillic or Greek one among them that looks the same."""
    for column in library.some((*TITLE_FIELDS, *PEOPLE_FIELDS, "doi", "url", "eprint")):
        if column.is_ascii:
            continue
        for hit in column.hits(_OTHER_SCRIPT):
            mixed = _MIXED.search(hit.value)
            if mixed:
                yield Finding(
                    f"{mixed[0]!r} mixes Latin with Cyrillic or Greek letters: type it anew", hit.entry, column.name, mixed[0]
                )  # fmt: skip


_OTHER_SCRIPT = re.compile("[\u0370-\u052f]")
_MIXED = re.compile(
    "(?<![A-Za-z])[A-Za-z]++[\u0370-\u052f]++[A-Za-z]++|(?<![A-Za-z])[A-Za-z]{2,}+[\u0400-\u052f]|(?<![\u0400-\u052f])[\u0400-\u052f][A-Za-z]{2,}+"
)


@rule(
    "non-ascii", "warning", default=False,
    bad=_TITLE("Café"), good=_TITLE(r"Caf{\'e}"),
)  # fmt: skip
def non_ascii(library: Library) -> Iterator[Finding]:
    """Characters beyond ASCII, for libraries that must work with classic BibTeX.

    The ``bibtex`` export writes ASCII whatever the library holds. Known to JabRef, biblint.
    """
    for column in library.columns.values():
        if column.is_ascii or column.name in VERBATIM_FIELDS:
            continue
        for entry, value in column:
            if not value.isascii():
                part = next(char for char in value if not char.isascii())
                yield Finding(
                    f"{column.name} holds {part!r}, which is not ASCII: write it in TeX",
                    entry,
                    column.name,
                    part,
                )


@rule(
    "emoji", "info",
    bad=_TITLE("Kernels 🚀 with **bold** words"), good=_TITLE("Kernels with bold words"),
)  # fmt: skip
def emoji(library: Library) -> Iterator[Finding]:
    """An emoji or Markdown in a field. Known to Linter for Zotero."""
    for column in library.some((*TEXT_FIELDS, "keywords")):
        text = column.text
        if column.is_ascii and "**" not in text and "`" not in text and "](http" not in text:
            continue
        for hit in column.hits(_EMOJI):
            yield Finding(
                f"{hit.part!r} is an emoji or Markdown: write plain text", hit.entry, column.name, hit.part
            )


_EMOJI = re.compile(
    "[\u2600-\u27bf\u2b50\u2b55\ufe0f\U0001f000-\U0001faff]|\\*\\*[^*\n]+\\*\\*|(?<!`)`[^`'\n]+`(?!`)|\\[[^\\[\\]\n]+\\]\\(https?:[^()\n]+\\)"
)


@rule(
    "null-value", "error", fixable=True,
    bad="@misc{lee2024, author = {Lee, Ada}, title = {Title}, date = {n.d.}, note = {}}",
    good="@misc{lee2024, author = {Lee, Ada}, title = {Title}, date = {2024}}",
)  # fmt: skip
def null_value(library: Library) -> Iterator[Finding]:
    """A field that says nothing: empty, ``n/a``, ``null``, ``unknown``, ``n.d.``, ``TBD``, ``???``.

    Leave the field out. ``year = {n.d.}`` is allowed in a library for classic BibTeX, whose styles complain about a
    missing year. Known to Linter for Zotero, papis.
    """
    for column in library.columns.values():
        if column.name in ("abstract", "keywords", "file"):
            continue
        for given in dict.fromkeys(value for value in column.values if len(value) < 16):
            if not _NULL.fullmatch(given):
                continue
            value = given.strip("{} ")
            if column.name == "year" and value.lower() == "n.d." and library.is_classic:
                continue
            if (
                column.name in ("title", "shorttitle")
                and value.lower() in ("none", "unknown", "null")
                and given[:1] == "{"
            ):
                continue
            shown = f"is {value!r}" if value else "is empty"
            for entry in column.with_value(given):
                yield Finding(
                    f"{column.name} {shown} and says nothing: leave the field out",
                    entry,
                    column.name,
                    value,
                    {column.name: None},
                )


_NULL = re.compile(
    r"(?i)[{ ]*(?:n/?a|n\.a\.|null|none|nil|nan|unknown|undefined|n\.? ?d\.?|no date|s\.d\.|tbd|tba|todo|fixme|xxx+|\?+|-+|\.+)?[} ]*"
)


# -- venues


@rule(
    "abbreviated-venue", "warning",
    bad=_BOOK("Proc. Int. Conf. on Machine Learning") + "\n" + _BOOK("Proceedings of the 40th Conference on Loops").replace("lee2024", "lee2023") + "\n" + _BOOK("Advances in Loops").replace("lee2024", "lee2022"),
    good=_BOOK("Proceedings of the International Conference on Machine Learning"),
)  # fmt: skip
def abbreviated_venue(library: Library) -> Iterator[Finding]:
    """Shortened words (Proc., Conf., Trans., Int.) in a container's name, in a library that writes names in full.

    A library is taken to write names in full when more of them are full than shortened. Known to bibcop, JabRef.
    """
    found = [(column, hit) for column in library.some(_VENUES) for hit in column.hits(_SHORTENED)]
    total = sum(len(column.values) for column in library.some(_VENUES))
    if not found or (2 * len(found) >= total and len(found) > 1):
        return
    for column, hit in found:
        yield Finding(
            f"{hit.match[0]!r} is shortened where others are in full: write the name in full",
            hit.entry,
            column.name,
            hit.match[0],
        )


_VENUES = ("booktitle", "journaltitle", "journal", "eventtitle")
_SHORTENED = re.compile(
    r"\b(?:Proc|Procs|Conf|Trans|Symp|Int|Intl|Int'l|Adv|Ann|Annu|Lett|Rev|Comput|Commun|Sci|Eng|Technol|Assoc|Soc|Sys|Syst|Mach|Learn|Neural Inf|Softw|Wkshp|Wksp|Jour|Archit|Distrib)\b\.|\b(?:Intl|Symp|Conf|Procs?|Wkshp)\b(?= (?:of|on|for|Conf|Symp|Workshop))"
)


@rule(
    "mixed-abbreviations", "info",
    bad="@article{lee2024, author = {Lee, Ada}, title = {One}, journal = {Phys. Rev. Lett.}, year = {2024}}\n@article{poe2023, author = {Poe, Bo}, title = {Two}, journal = {Physical Review Letters}, year = {2023}}",
    good="@article{lee2024, author = {Lee, Ada}, title = {One}, journal = {Physical Review Letters}, year = {2024}}\n@article{poe2023, author = {Poe, Bo}, title = {Two}, journal = {Physical Review Letters}, year = {2023}}",
)  # fmt: skip
def mixed_abbreviations(library: Library) -> Iterator[Finding]:
    """One journal named in full and shortened in one library. Known to JabRef."""
    full: dict[str, str] = {}
    short: dict[str, list[tuple[Entry, str, str]]] = {}
    for column in library.some(("journaltitle", "journal")):
        for value in dict.fromkeys(column.values):
            if "." not in value:
                full.setdefault(value, value)
        for hit in column.hits(_DOTTED):
            short.setdefault(hit.value, []).append((hit.entry, column.name, hit.value))
    for value, places in short.items():
        other = next((name for name in full if _shortens(value, name)), None)
        if other:
            for entry, field, _ in places:
                yield Finding(
                    f"{value!r} is {other!r} elsewhere: write one of them throughout", entry, field, value
                )


_DOTTED = re.compile(r"[A-Za-z]\.(?: |$)", re.MULTILINE)


def _shortens(short: str, full: str) -> bool:
    pieces = [piece.strip(".").lower() for piece in short.replace(".", ". ").split()]
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", full) if word.lower() not in _MINOR]
    return len(pieces) == len(words) and all(
        word.startswith(piece) for piece, word in zip(pieces, words, strict=True)
    )


@rule(
    "venue-detail", "warning",
    bad=_BOOK("Proceedings of the 40th Conference on Loops, Vienna, Austria, July 21--27, 2024, pp. 1--10"),
    good=_BOOK("Proceedings of the 40th Conference on Loops (Loops 2024)"),
)  # fmt: skip
def venue_detail(library: Library) -> Iterator[Finding]:
    """An address, a page range, a date or a country inside a title or a container's name; they have their own fields.

    A year that is part of the proceedings' name is left alone: at the beginning, or in parentheses with the acronym.
    Known to JabRef, bibcop.
    """
    for column in library.some(("title", "booktitle", "journaltitle", "journal")):
        for hit in column.hits(_DETAIL):
            kind = str(hit.match.lastgroup)
            if column.name == "title" and kind in ("year", "place"):
                continue
            if kind == "date" and hit.part.split()[0].strip(".") not in _MONTHS:
                continue
            if kind == "place" and hit.match[0].split()[-1].strip(",") not in vocabulary.countries():
                continue
            yield Finding(
                f"{hit.part!r} in {column.name}: {_DETAIL_FIELD[kind]}", hit.entry, column.name, hit.part
            )


_MONTHS = frozenset(
    "January February March April May June July August September October November December "
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
)
_DETAIL = re.compile(
    r"(?m)(?P<url>https?://[^ \n]+)|(?P<pages>\bp(?:p?\. ?|ages? )\d+)|(?P<date>[JFMASOND][a-z]{2,8}\.? \d{1,2}\b)"
    r"|(?P<year>, (?:19|20)\d\d$)|(?P<place>, [A-Z][A-Za-z]+$)"
)
_DETAIL_FIELD = {
    "url": "it belongs into url", "pages": "they belong into pages", "date": "it belongs into eventdate",
    "year": "it belongs into date", "place": "it belongs into venue",
}  # fmt: skip


@rule(
    "cut-text", "warning",
    bad=_BOOK("Proceedings of the 40th International Conference on"), good=_BOOK("Proceedings of the 40th International Conference on Loops"),
)  # fmt: skip
def cut_text(library: Library) -> Iterator[Finding]:
    """A title or a container's name that ends in a word that cannot be its last, or in dots: it was cut.

    Whether a container's name begins with "Proceedings of the" is left to the proceedings: many do not. Known to
    JabRef, bibcop.
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
    " a", " an", " and", " for", " from", " in", " of", " on", " or", " the", " to", " via", " with", "...", "…", "-", "–", "—",
)  # fmt: skip

RULES = (
    unbalanced_braces, unescaped_special, bad_tex, unknown_command, unprotected_capitals, braced_title, title_case,
    final_stop, spacing, repeated_word, odd_dash, straight_quotes, abbreviated_venue, mixed_abbreviations, markup, ENCODING,
    invisible_character, not_nfc, mojibake, mixed_scripts, non_ascii, venue_detail, cut_text, odd_capitals, null_value,
    emoji,
)  # fmt: skip
