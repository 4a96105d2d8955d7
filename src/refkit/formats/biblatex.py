"""BibLaTeX in UTF-8, for biber; also the file for Zotero, Better BibTeX and JabRef.

The entry's own fields, and beside them what those readers look for: Zotero drops whole entries of some
types (``@standard``, ``@dataset``, ``@www``), knows a site's name as ``journaltitle``, an annotation as
``annote``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from refkit.formats import bib_text
from refkit.values.patterns import pattern

if TYPE_CHECKING:
    import re

    from refkit.formats import Groups
    from refkit.hub import Item

HEAD = ""
SEPARATOR = "\n"
TAIL = ""

#: Types that Zotero does not know, and biblatex only as another name of these.
_TYPES: Mapping[str, str] = {
    "preprint": "misc",
    "standard": "report",
    "dataset": "misc",
    "www": "online",
    "electronic": "online",
    "conference": "inproceedings",
}
#: Their ``entrysubtype``, so that the kind is not lost.
_SUBTYPES = frozenset(("preprint", "standard", "dataset"))
_RENAMED = {
    "journal": "journaltitle",
    "address": "location",
    "primaryclass": "eprintclass",
    "annotation": "annote",
}
_LEFT_OUT = (
    bib_text.LEFT_OUT | {"archiveprefix", "eprinttype", "eprint", "annote", "month", "year", "day"}
) - {"ids"}
#: An accent on a dotless letter. Biber reads that as two characters, which LaTeX cannot print; on the letter
#: with its dot, which TeX takes away itself, as one.
_DOTLESS = r"\\([`'^\"~=.uvH])\s*(?:\\([ij])(?![A-Za-z])(?:\{\}|\s+)?|\{\s*\\([ij])\s*\})"


def grouped(groups: Groups, _title: str) -> str:
    """Sections as groups, where there are several."""
    return bib_text.jabref_groups(groups)


def one(item: Item) -> str:
    """One entry."""
    entry = item.entry
    if entry.is_settings:
        return bib_text.layout(entry.type, entry.key, entry.fields)
    type = _TYPES.get(entry.type, entry.type)
    fields = _fields(item, type)
    for name, raw in fields.items():
        if "\\i" in raw or "\\j" in raw:
            fields[name] = pattern(_DOTLESS).sub(_dotted, raw)
    return bib_text.layout(type, entry.key, fields)


def _dotted(found: re.Match[str]) -> str:
    return f"\\{found[1]}{{{found[2] or found[3]}}}"


def _fields(item: Item, type: str) -> dict[str, str]:
    entry = item.entry
    fields = entry.fields
    out: dict[str, str] = {}
    for name, raw in fields.items():
        target = _RENAMED.get(name, name)
        if raw and target not in _LEFT_OUT and not (target != name and fields.get(target)):
            out[target] = bib_text.people(entry, name) if name in bib_text.PEOPLE else bib_text.mended(raw)
    _add_date(out, item)
    _add_identifiers(out, item)
    if type == "online":
        _add_site(out)
    if item.kind == "preprint" and item.arxiv and "organization" not in out:
        out.setdefault("publisher", "arXiv")
    genre = item.csl.get("genre", "")
    if genre and item.kind in ("preprint", "documentation", "blog") and type in ("misc", "online"):
        out.setdefault("type", genre)
    if type == "report" and "institution" not in out and (body := entry.get("organization", "publisher")):
        out["institution"] = bib_text.mended(body)
    if entry.type in _SUBTYPES:
        out.setdefault("entrysubtype", entry.type)
    _add_notes(out, item)
    return out


def _add_date(out: dict[str, str], item: Item) -> None:
    """``date`` alone, in place of ``year`` and ``month``; a year in words stays one."""
    entry = item.entry
    date = item.date
    if date is not None:
        out["date"] = date.iso
    elif year := entry.get("year"):
        out["year"] = bib_text.mended(year)


def _add_identifiers(out: dict[str, str], item: Item) -> None:
    entry = item.entry
    if item.doi:
        out["doi"] = item.doi
    if item.arxiv:
        out["eprint"] = bib_text.arxiv(item)
        out["eprinttype"] = "arxiv"
    elif eprint := entry.get("eprint"):
        out["eprint"] = eprint
        if type := entry.get("eprinttype", "archiveprefix"):
            out["eprinttype"] = type
    if item.own_url:
        out["url"] = bib_text.address(item.own_url)
    if "medium" in item.csl:
        out["howpublished"] = bib_text.mended(entry.get("howpublished"))


def _add_site(out: dict[str, str]) -> None:
    """The site's name where each reader takes it for one.

    biblatex prints no ``journaltitle`` and no number of a page, so they are said again in ``addendum``.
    Pandoc would print ``titleaddon`` as part of the title, and Zotero passes over it.
    """
    site = out.pop("titleaddon", "") or out.get("journaltitle", "")
    if not site:
        return
    number = out.pop("number", "")
    place = f"{site}, {number}" if number else site
    out["addendum"] = f"{out['addendum']}. {place}" if "addendum" in out else place
    out.setdefault("journaltitle", site)


def _add_notes(out: dict[str, str], item: Item) -> None:
    if annotation := bib_text.annotation(item):
        out["annote"] = bib_text.mended(annotation)
    if tags := bib_text.keywords(item):
        out["keywords"] = tags


def lost(item: Item) -> list[str]:
    """The fields of the entry that the format leaves out: the machinery of files and other entries."""
    return bib_text.lost(item)
