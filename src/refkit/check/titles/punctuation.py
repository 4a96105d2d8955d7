"""Punctuation of titles: stops, blanks, dashes, quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import name

from refkit.check.characters import ENTITY
from refkit.check.library import PEOPLE_FIELDS, TITLE_FIELDS, Library
from refkit.check.model import Finding, rule


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
_HYPHEN = re.compile(f" - |{_ODD_HYPHEN.pattern}")


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
