"""Characters and markup that do not belong into text, and values that say nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from unicodedata import category, is_normalized, name, normalize

from refkit.check.library import PEOPLE_FIELDS, TEXT_FIELDS, TITLE_FIELDS, Library
from refkit.check.model import Finding, reported, rule
from refkit.model import VERBATIM_FIELDS, Entry

_TITLE = "@misc{{lee2024, author = {{Lee, Ada}}, title = {{{}}}, year = {{2024}}}}".format

ENCODING = reported(
    "encoding",
    "warning",
    "Bytes that are not the file's encoding, or an encoding that had to be guessed.",
    bad=_TITLE("Caf\udce9"),
    good=_TITLE("Café"),
)


@rule("markup", "error", fixable=True)
def markup(library: Library) -> Iterator[Finding]:
    """HTML or JATS: an entity or a tag that a service or a web page left in the text. Known to JabRef,
    papis.
    """
    for column in library.some(TEXT_FIELDS):
        for hit in column.hits(_HTML, "&", "<"):
            fixed = _without_markup(hit.value)
            shown = _HTML.search(hit.value)
            yield Finding(
                f"{shown[0] if shown else hit.part!r} is HTML: write TeX or plain text",
                hit.entry,
                column.name,
                hit.part,
                {column.name: fixed} if not _HTML.search(fixed) else None,
            )


#: An entity of HTML, with TeX's backslash before it or without.
ENTITY = re.compile(r"\\?&(?:amp|lt|gt|quot|apos|nbsp|[A-Za-z]{2,8}|#\d{1,6}|#x[0-9A-Fa-f]{1,5});")
_TAG = re.compile(
    r"</?(?:i|b|u|em|strong|sub|sup|sc|scp|p|br|span|div|a|tt|code|jats:[a-z-]+|mml:[a-z]+|math|mi|mo"
    r"|mn|inf|title)(?: [^<>\n]{0,200})?/?>",
    re.IGNORECASE,
)
_HTML = re.compile(f"{ENTITY.pattern}|{_TAG.pattern}", re.IGNORECASE)
_TAG_COMMANDS = {
    "i": "emph",
    "em": "emph",
    "italic": "emph",
    "bold": "textbf",
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
            lambda match: f"\\{_TAG_COMMANDS[match[1].lower()]}{{{match[2]}}}",
            value,
        )
    value = re.sub(
        r"<br ?/?>|</?(?:jats:)?(?:p|title|span|div)(?: [^<>]{0,200})?>", " ", value, flags=re.IGNORECASE
    )
    value = ENTITY.sub(lambda match: tex.encode(html.unescape(html.unescape(match[0].lstrip("\\")))), value)
    return " ".join(value.split())


@rule("invisible-character", "error", fixable=True)
def invisible_character(library: Library) -> Iterator[Finding]:
    """A character that nobody sees: control, zero-width, directional, a soft hyphen, or a blank of another
    kind.

    Joiners between letters of scripts that need them are left alone; abstracts are not looked at. Known to
    JabRef, bibcop.
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
            f"{field} holds {named}: take it out",
            entry,
            field,
            odd[0],
            {field: " ".join(fixed.split())},
            "warning" if blank else None,
        )


def _is_invisible(char: str, value: str) -> bool:
    if char in "\u200c\u200d":  # joiners: meant between letters of Arabic and Indic scripts, and in emoji
        return all(ord(other) < 0x590 or other in "\u200c\u200d" for other in value)
    if "\udc80" <= char <= "\udcff":  # a stray byte: the reader reports it
        return False
    return category(char) in ("Cc", "Cf", "Zl", "Zp", "Co", "Cn", "Cs") or (
        category(char) == "Zs" and char != " "
    )


@rule("not-nfc", "warning", fixable=True)
def not_nfc(library: Library) -> Iterator[Finding]:
    """Text that is not in Unicode's composed normal form, so that searches and sorting miss it. Known to
    JabRef.
    """
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


@rule("mojibake", "error", fixable=True)
def mojibake(library: Library) -> Iterator[Finding]:
    """UTF-8 that was read as another encoding, or a replacement character where a letter was lost. Known to
    bibcop.
    """
    for column in library.some((*TEXT_FIELDS, "keywords")):
        if column.is_ascii:
            continue
        for hit in column.hits(MOJIBAKE):
            fixed = _reread(hit.value)
            yield Finding(
                f"{hit.part!r} in {column.name} was read in the wrong encoding"
                + (f": write {fixed}" if fixed else ": restore the letter"),
                hit.entry,
                column.name,
                hit.part,
                {column.name: fixed} if fixed else None,
            )


#: What UTF-8 looks like that was read as Latin-1 or cp1252, and the character for what could not be read.
MOJIBAKE = re.compile(
    "[\u00c2-\u00c5][\u0080-\u00bf\u0152-\u0178\u02c6\u2013-\u203a\u20ac\u2122]|â€[\u0080-\u2122]|\ufffd"
)


def _reread(value: str) -> str:
    for codec in ("cp1252", "latin-1"):
        try:
            return value.encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    return ""


@rule("loose-accent", "warning")
def loose_accent(library: Library) -> Iterator[Finding]:
    """An accent apart from its letter, as what is copied from a PDF has it: ``Gordi´c`` for Gordić."""
    for column in library.some((*TITLE_FIELDS, *PEOPLE_FIELDS, "publisher", "venue", "organization")):
        if column.is_ascii:
            continue
        for hit in column.hits(_ACCENT):
            loose = _LOOSE_ACCENT.search(hit.value)
            if loose:
                message = f"{loose[0]!r} has an accent apart from its letter: write one character"
                yield Finding(message, hit.entry, column.name, loose[0])


_ACCENT = re.compile("[\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd]")
_LOOSE_ACCENT = re.compile(
    "[^\\W\\d_]?[\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd][^\\W\\d_]"
    "|[^\\W\\d_][\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd]"
)


@rule("mixed-scripts", "warning")
def mixed_scripts(library: Library) -> Iterator[Finding]:
    """A word of Latin letters with a Cyrillic or Greek one among them that looks the same."""
    for column in library.some((*TITLE_FIELDS, *PEOPLE_FIELDS, "doi", "url", "eprint")):
        if column.is_ascii:
            continue
        for hit in column.hits(_OTHER_SCRIPT):
            mixed = _MIXED.search(hit.value)
            if mixed:
                yield Finding(
                    f"{mixed[0]!r} mixes Latin with Cyrillic or Greek letters: type it anew",
                    hit.entry,
                    column.name,
                    mixed[0],
                )


_OTHER_SCRIPT = re.compile("[\u0370-\u052f]")
_MIXED = re.compile(
    "(?<![A-Za-z])[A-Za-z]++[\u0370-\u052f]++[A-Za-z]++|(?<![A-Za-z])[A-Za-z]{2,}+[\u0400-\u052f]|(?<![\u0400-\u052f])[\u0400-\u052f][A-Za-z]{2,}+"
)


@rule("non-ascii", "warning", default=False)
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


@rule("emoji", "info")
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
    "[\u2600-\u27bf\u2b50\u2b55\ufe0f\U0001f000-\U0001faff]|\\*\\*[^*\n]+\\*\\*|(?<![`\\\\])`[^`'\n\\\\{}]+`(?!`)|\\[[^\\[\\]\n]+\\]\\(https?:[^()\n]+\\)"
)


@rule("null-value", "error", fixable=True)
def null_value(library: Library) -> Iterator[Finding]:
    """A field that says nothing: empty, ``n/a``, ``null``, ``unknown``, ``n.d.``, ``TBD``, ``???``.

    Leave the field out. ``year = {n.d.}`` is allowed in a library for classic BibTeX, whose styles complain
    about a missing year. Known to Linter for Zotero, papis.
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
    r"(?i)[{ ]*(?:n/?a|n\.a\.|null|none|nil|nan|unknown|undefined|n\.? ?d\.?|no date|s\.d\.|tbd|tba"
    r"|todo|fixme|xxx+|\?+|-+|\.+)?[} ]*"
)


RULES = (
    markup,
    invisible_character,
    not_nfc,
    mojibake,
    loose_accent,
    mixed_scripts,
    non_ascii,
    emoji,
    null_value,
    ENCODING,
)
