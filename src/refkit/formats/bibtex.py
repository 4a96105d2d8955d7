"""Classic BibTeX, for any LaTeX: ASCII, the types and fields of plain.bst, so that the old styles compile.

BibLaTeX is lowered to it: types that the styles lack become @misc or @techreport, ``date`` gives ``year``
and ``month``, ``journaltitle`` and ``location`` take their old names ("BibTeXing", Oren Patashnik, 1988;
the manuals of natbib and IEEEtran.bst; acmart).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from refkit.formats import bib_text
from refkit.values import dates, tex

if TYPE_CHECKING:
    from refkit.hub import Item
    from refkit.model import Entry

HEAD = ""
SEPARATOR = "\n"
TAIL = ""

#: BibLaTeX type -> the classic one; classic types are their own, all others become @misc.
_TYPES: Mapping[str, str] = {
    **{type: type for type in (
        "article book booklet inbook incollection inproceedings manual mastersthesis misc phdthesis "
        "proceedings techreport unpublished"
    ).split()},
    "conference": "inproceedings",
    "mvbook": "book",
    "collection": "book",
    "mvcollection": "book",
    "reference": "book",
    "mvreference": "book",
    "mvproceedings": "proceedings",
    "bookinbook": "inbook",
    "suppbook": "inbook",
    "suppcollection": "incollection",
    "inreference": "incollection",
    "suppperiodical": "article",
    "review": "article",
    "report": "techreport",
    "standard": "techreport",
    "thesis": "phdthesis",
}  # fmt: skip
_THESES = {"mathesis": "mastersthesis", "phdthesis": "phdthesis"}
#: Types whose kind would be lost with the type: ``entrysubtype`` keeps it.
_SUBTYPES = frozenset(("preprint", "software", "dataset", "standard"))

#: Types of works that often have no date; of others a missing date is a missing fact, and stays one.
_UNDATED = frozenset(("webpage", "post-weblog", "software", "dataset"))

_RENAMED: Mapping[str, str] = {
    "journaltitle": "journal",
    "location": "address",
    "annotation": "annote",
    "langid": "language",
}
_LEFT_OUT = bib_text.LEFT_OUT | frozenset(
    "annote month year day eprint eprinttype archiveprefix eprintclass primaryclass subtitle booksubtitle "
    "journalsubtitle langidopts options related relatedtype relatedstring".split()
)
_ORDINALS = "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth".split()
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
#: The same with the letter that combining marks belong to.
_MARKED = re.compile(r"[A-Za-z]?[\u0300-\u036f][^\x00-\x7f]*|[^\x00-\x7f]+")
_MARK = re.compile(r"[\u0300-\u036f]")
_PAGES = re.compile(r"(?<=[\w.])\s*(?:–|—|(?<!-)-(?!-))\s*(?=\w)")
_FORMULA = re.compile(r"(\$(?:[^$\\]|\\.)*\$)")
#: But for the letters that BibTeX knows, and commands with an argument.
_CAPITAL_COMMAND = re.compile(
    r"(?<![{\\])\\(?!(?:AA|AE|OE|O|L)(?![A-Za-z]))[a-z]*[A-Z][A-Za-z]*(?![A-Za-z]|\s*\{[^}]|\*)"
)
_VERSION = re.compile(r"v?\d")


def one(item: Item) -> str:
    """One entry."""
    if item.entry.is_settings:
        return bib_text.layout(item.entry.type, item.key, item.entry.fields)
    type = classic_type(item)
    fields = _fields(item, type)
    return bib_text.layout(type, item.key, fields, ("month",))


def classic_type(item: Item) -> str:
    """The type of plain.bst that an item is written as."""
    entry = item.entry
    if item.kind == "standard":
        return "techreport"
    if entry.type in ("inbook", "bookinbook", "suppbook") and "booktitle" in entry:
        return "incollection"  # BibLaTeX's sense: classic @inbook prints ``title`` as that of the book
    if entry.type == "thesis":
        return _THESES.get(entry.get("type").lower(), "phdthesis")
    return _TYPES.get(entry.type, "misc")


def to_ascii(raw: str) -> str:
    r"""A TeX value with every character beyond ASCII as a command: ``Gordić`` becomes ``Gordi{\'c}``."""
    if raw.isascii():
        return raw
    raw = tex.clean(raw)
    return (_MARKED if _MARK.search(raw) else _NOT_ASCII).sub(lambda found: _command(found[0]), raw)


@lru_cache(maxsize=2048)
def _command(characters: str) -> str:
    return tex.encode_ascii(characters)


def _text(raw: str) -> str:
    return to_ascii(bib_text.mended(raw))


def _fields(item: Item, type: str) -> dict[str, str]:
    entry = item.entry
    fields = entry.fields
    out: dict[str, str] = {}
    for name, raw in fields.items():
        target = _RENAMED.get(name, name)
        if not raw or target in _LEFT_OUT or (target != name and fields.get(target)):
            continue
        out[target] = to_ascii(bib_text.people(entry, name)) if name in bib_text.PEOPLE else _text(raw)
    _lower_titles(out, entry)
    if "\\" in out.get("title", ""):
        out["title"] = _with_commands_braced(out["title"])
    _lower_date(out, item)
    _lower_bodies(out, item, type)
    _lower_numbers(out, entry)
    _add_identifiers(out, item, type)
    if note := _note(item, type, out):
        out["note"] = note
    if item.kind in _SUBTYPES:
        out["entrysubtype"] = item.kind
    if "author" not in out and "editor" not in out and not (type == "manual" and "organization" in out):
        out.setdefault("key", out.get("organization") or out.get("institution") or out.get("title", item.key))
    if annotation := bib_text.annotation(item):
        out["annote"] = to_ascii(bib_text.mended(annotation))
    if tags := bib_text.keywords(item):
        out["keywords"] = to_ascii(tags)
    return out


def _with_commands_braced(title: str) -> str:
    r"""A title whose commands with capitals (``\LaTeX``) no style lowers to ones that do not exist."""
    parts = _FORMULA.split(title)
    parts[::2] = [_CAPITAL_COMMAND.sub(r"{\g<0>}", part) for part in parts[::2]]
    return "".join(parts)


def _lower_titles(out: dict[str, str], entry: Entry) -> None:
    """Subtitles joined to their titles: the styles know none."""
    for title, subtitle in (
        ("title", "subtitle"),
        ("booktitle", "booksubtitle"),
        ("journal", "journalsubtitle"),
    ):
        if raw := entry.get(subtitle):
            main = out.get(title, "")
            out[title] = (
                f"{main}{' ' if main[-1:] in ('?', '!', ':') else ': '}{_text(raw)}" if main else _text(raw)
            )


def _lower_date(out: dict[str, str], item: Item) -> None:
    """``year`` and ``month`` from the date; ``date`` stays beside them for readers that know it."""
    entry = item.entry
    date = item.date
    if date is None:
        if entry.get("year"):
            out["year"] = _text(entry.get("year"))
        elif item.listed or item.type in _UNDATED:
            out["year"] = "n.d."
        return
    out["year"] = str(date.year)
    if date.month:
        out["month"] = dates.MACROS[date.month - 1]
    if date.day or date.is_range or date.season or date.circa:
        out["date"] = date.iso
    else:
        out.pop("date", None)


def _lower_bodies(out: dict[str, str], item: Item, type: str) -> None:
    """Who published it, in the field that the type's style prints; where an event took place."""
    if type in ("phdthesis", "mastersthesis"):
        _move(out, ("institution", "organization", "publisher"), "school")
        genre = item.csl.get("genre", "")
        out.pop("type", None)
        if genre and genre not in ("PhD thesis", "Master's thesis"):  # which the styles say by themselves
            out["type"] = to_ascii(tex.encode(genre))
    elif type == "techreport":
        _move(out, ("organization", "publisher", "school"), "institution")
        if "genre" in item.csl:
            out["type"] = to_ascii(tex.encode(item.csl["genre"]))
    elif type == "book":
        _move(out, ("organization", "institution"), "publisher")
    elif type == "inproceedings" and "venue" in out and "location" not in item.entry:
        out["location"] = out["venue"]
    elif type == "misc":
        _lower_misc(out, item)


def _lower_misc(out: dict[str, str], item: Item) -> None:
    """A body that is the author already would be printed twice; numbers have no place of their own."""
    out.pop("number", None)
    _move(out, ("publisher", "institution"), "organization")
    author = item.csl.get("author", ())
    if (
        len(author) == 1
        and author[0].get("literal", "").casefold() == item.csl.get("publisher", "").casefold()
    ):
        out["publisher"] = out.pop("organization", "")
        if not out["publisher"]:
            del out["publisher"]


def _move(out: dict[str, str], sources: tuple[str, ...], target: str) -> None:
    """The first of the fields as ``target``, unless that is there."""
    for name in sources:
        if target in out:
            return
        if name in out:
            out[target] = out.pop(name)


def _lower_numbers(out: dict[str, str], entry: Entry) -> None:
    if pages := entry.get("pages"):
        out["pages"] = to_ascii(pages if "--" in pages else _PAGES.sub("--", pages))
    edition = entry.get("edition")
    if edition.isdigit():
        number = int(edition)
        out["edition"] = (
            _ORDINALS[number - 1] if 1 <= number <= len(_ORDINALS) else f"{number}{_suffix(number)}"
        )


def _suffix(number: int) -> str:
    if 10 <= number % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _add_identifiers(out: dict[str, str], item: Item, type: str) -> None:
    """DOI, arXiv identifier and address; @misc prints its address as ``howpublished``."""
    entry = item.entry
    if item.doi:
        out["doi"] = bib_text.address(item.doi)
    if item.arxiv:
        out["eprint"] = bib_text.arxiv(item)
        out["archiveprefix"] = "arXiv"
        out["eprinttype"] = "arxiv"
        if item.arxiv_class:
            out["primaryclass"] = item.arxiv_class
    elif eprint := entry.get("eprint"):
        out["eprint"] = to_ascii(eprint)
        if prefix := entry.get("archiveprefix", "eprinttype"):
            out["archiveprefix"] = to_ascii(prefix)
        if section := entry.get("primaryclass", "eprintclass"):
            out["primaryclass"] = to_ascii(section)
    medium = "medium" in item.csl
    if medium:
        out["howpublished"] = _text(entry.get("howpublished"))
    if item.url:
        url = bib_text.address(item.url)
        if type == "misc" and not medium:
            out["howpublished"] = f"\\url{{{url}}}"
        else:
            out["url"] = url


def _note(item: Item, type: str, out: dict[str, str]) -> str:
    """What the type's style has no field for, in words: the site, the version, when it was seen."""
    entry = item.entry
    parts = [out.get("note", ""), _text(entry.get("addendum"))]
    if type == "misc" and item.kind != "preprint":
        site = entry.get("titleaddon", "journaltitle", "journal", "booktitle")
        # In braces, or a style that goes on with a small letter would print "cUDA Programming Guide".
        place = [f"{{{_text(site)}}}" if site else "", _text(entry.get("number"))]
        parts.append(", ".join(part for part in place if part))
    version = _text(entry.get("version"))
    if version and item.kind != "preprint":
        parts.append(f"Version {version}" if _VERSION.match(version) else version)
    if type == "misc" and item.kind != "preprint" and (seen := entry.get("urldate")) and item.url:
        parts.append(f"Accessed {seen}")
    return ". ".join(part.rstrip(".") for part in parts if part)


def lost(item: Item) -> list[str]:
    """The fields of the entry that are left out, and those with letters that TeX has no command for."""
    left_out = bib_text.lost(item)
    return [
        name
        for name, raw in item.entry.fields.items()
        if name in left_out or (not raw.isascii() and name not in _LEFT_OUT and tex.unencodable(raw))
    ]


#: Letters of other scripts than Latin: ``?`` stands for most of them, a transliteration for some.
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1dff\u2c00-\ua71f\ua800-\ud7ff\uf900-\ufaff\U00010000-\U0003ffff]")


def is_beyond_tex(entry: Entry) -> bool:
    """Whether the entry has a field in another script, which ASCII cannot hold."""
    return any(
        not raw.isascii()
        and name not in _LEFT_OUT
        and _OTHER_SCRIPT.search(raw) is not None
        and bool(tex.unencodable(raw))
        for name, raw in entry.fields.items()
    )
