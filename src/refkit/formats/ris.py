"""RIS, as Zotero, EndNote, Mendeley and rispy read it.

Bytes: UTF-8 without a mark, CRLF, ``TY  - `` first, ``ER  - `` last, one value a line (RIS format
specification, Research Information Systems, 2001 and 2011). Which tag a variable goes to depends on the type;
the tables follow what Zotero's translator reads. ``M2`` lines are its field "Extra", whose ``Label: value``
lines move into fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from refkit import hub
from refkit.formats import zotero
from refkit.formats.zotero_rdf import escape

if TYPE_CHECKING:
    from refkit.hub import Item
    from refkit.model import Diagnostic, Entry

HEAD = ""
SEPARATOR = "\r\n"
TAIL = ""

#: CSL type -> reference type.
TYPES: Mapping[str, str] = {
    "article": "UNPB",
    "article-journal": "JOUR",
    "article-magazine": "MGZN",
    "article-newspaper": "NEWS",
    "book": "BOOK",
    "chapter": "CHAP",
    "dataset": "DATA",
    "document": "GEN",
    "entry-encyclopedia": "ENCYC",
    "graphic": "ART",
    "legal_case": "CASE",
    "legislation": "STAT",
    "manuscript": "MANSCPT",
    "motion_picture": "MPCT",
    "paper-conference": "CONF",
    "patent": "PAT",
    "personal_communication": "PCOMM",
    "post-weblog": "BLOG",
    "report": "RPRT",
    "software": "COMP",
    "song": "MUSIC",
    "speech": "SLIDE",
    "standard": "STAND",
    "thesis": "THES",
    "webpage": "ELEC",
}

#: Types that Zotero would take for another: what tells it, in its field "Extra".
_TOLD = {"article": "preprint", "standard": "standard", "document": "document"}

_Tags = tuple[tuple[str, str], ...]

#: CSL variable -> tag, for all types; then what differs, by type. A variable without a tag goes to Extra.
_TAGS: Mapping[str, str] = {
    "title-short": "ST",
    "container-title": "T2",
    "container-title-short": "J2",
    "publisher": "PB",
    "publisher-place": "CY",
    "collection-title": "T3",
    "volume": "VL",
    "number-of-volumes": "NV",
    "issue": "IS",
    "edition": "ET",
    "ISBN": "SN",
    "ISSN": "SN",
    "genre": "M3",
    "call-number": "CN",
    "DOI": "DO",
    "URL": "UR",
    "accessed": "Y2",
    "language": "LA",
    "abstract": "AB",
}
_BY_TYPE: Mapping[str, Mapping[str, str]] = {
    "article": {"genre": ""},
    "article-journal": {"genre": ""},
    "article-magazine": {"genre": ""},
    "article-newspaper": {"genre": ""},
    "book": {
        "collection-title": "T2",
        "collection-number": "M1",
        "number-of-pages": "SP",
        "container-title": "",
        "genre": "",
    },
    "chapter": {"genre": ""},
    "paper-conference": {"container-title": "C3", "event-title": "T2", "publisher-place": "C1", "genre": ""},
    "report": {
        "number": "SN",
        "collection-title": "T2",
        "container-title": "",
        "edition": "",
        "ISBN": "",
        "ISSN": "",
    },
    "software": {
        "version": "ET",
        "collection-title": "T2",
        "container-title": "",
        "edition": "",
        "language": "",
        "genre": "",
    },
    "standard": {"genre": "", "ISBN": "", "ISSN": "", "edition": ""},
    "thesis": {"number-of-pages": "SP"},
    "patent": {"number": "SN", "ISBN": "", "ISSN": "", "genre": ""},
    "webpage": {"edition": ""},
    "post-weblog": {"edition": ""},
    "dataset": {"genre": ""},
    "document": {"genre": ""},
    "manuscript": {"number-of-pages": "SP"},
}
_TAGS_OF = {type: {**_TAGS, **own} for type, own in _BY_TYPE.items()}
#: The order of tags in a record; readers do not mind, people do.
_ORDER = "ST T2 C3 PB CY C1 T3 VL NV IS M1 SP EP ET SN CN J2 DO UR Y2 LA CR M3".split()

#: Variable -> label of the line of Extra, for variables without a tag.
_LABELS: Mapping[str, str] = {
    **zotero.LABELS,
    **zotero.DATE_LABELS,
    "authority": "Organization",
    "edition": "Edition",
    "ISBN": "ISBN",
    "ISSN": "ISSN",
    "number-of-pages": "Number of Pages",
    "language": "Language",
    "status": "Status",
}
#: Role -> tag of people besides authors; by type where it differs.
_ROLES = (("editor", "A2"), ("translator", "A4"), ("container-author", "C2"), ("contributor", "A3"))
_BOOK_ROLES = (("editor", "A3"), ("translator", "A4"), ("contributor", "A2"))


def one(item: Item) -> str:
    """One record."""
    return "".join([f"{tag}  - {value}\r\n" for tag, value in _record(item)]) + "ER  - \r\n"


def _record(item: Item) -> list[tuple[str, str]]:
    csl = item.csl
    lines = [("TY", TYPES[item.type]), ("TI", item.title)]
    lines += [("AU", _name(name)) for name in csl.get("author", ())]
    for role, tag in _BOOK_ROLES if item.type == "book" else _ROLES:
        lines += [(tag, _name(name)) for name in csl.get(role, ())]
    for role in ("compiler", "director", "organizer"):
        lines += [("A2", _name(name)) for name in csl.get(role, ())]
    lines += _issued(csl.get("issued"))
    tagged, untagged = _tagged(item)
    lines += [(tag, tagged[tag]) for tag in _ORDER if tag in tagged]
    lines += [("M2", line) for line in _extra(item, untagged)]
    lines += [("KW", tag) for tag in _keywords(item)]
    lines += [("N1", note) for note in _notes(item)]
    if "AB" in tagged:
        lines.append(("AB", tagged["AB"]))
    lines.append(("ID", _line(item.key)))
    return [(tag, value) for tag, value in lines if value]


def _line(text: str) -> str:
    """A value on one line, so that none can imitate a tag. Texts of an entry are on one line already."""
    return text if text.isprintable() else " ".join(text.split())


def _name(name: Mapping[str, str]) -> str:
    """``Family, Given, Suffix``; an organisation has no comma, or a reader would split it."""
    text = name.get("literal")
    if text is None:
        particle = name.get("non-dropping-particle") or name.get("dropping-particle")
        text = f"{particle} {name['family']}" if particle else name["family"]
    if "," in text:
        text = text.replace(",", " ")
    if "given" in name:
        text = f"{text}, {name['given']}"
    if "suffix" in name:
        text = f"{text}, {name['suffix']}"
    return text if "  " not in text else " ".join(text.split())


def _issued(date: Any) -> list[tuple[str, str]]:
    if not date:
        return []
    if "date-parts" not in date:
        return [("DA", _line(date.get("literal", "")))]
    first = date["date-parts"][0]
    return [("PY", _year(first[0])), ("DA", slashed(first))]


def _year(year: int) -> str:
    """Four digits, behind a sign before the year 0."""
    return f"{year:04d}" if year >= 0 else f"-{-year:04d}"


def slashed(parts: list[int]) -> str:
    """Date parts as RIS has them: ``2022/05/27``, ``2022/07/``, ``2022//``."""
    year, month, day = (*parts, 0, 0)[:3]
    return f"{_year(year)}/{f'{month:02d}' if month else ''}/{f'{day:02d}' if day else ''}"


def _tagged(item: Item) -> tuple[dict[str, str], list[str]]:
    """Values by tag, and the variables that the type has no tag for."""
    csl, tags = item.csl, _TAGS_OF.get(item.type, _TAGS)
    tagged: dict[str, str] = {}
    untagged = []
    for variable, value in csl.items():
        tag = tags.get(variable)
        if not tag or tag in tagged:  # ISBN beside ISSN
            untagged.append(variable)
        elif variable == "accessed":
            tagged[tag] = (
                slashed(value["date-parts"][0]) if "date-parts" in value else _line(value["literal"])
            )
        else:
            tagged[tag] = _plain(item, variable, value)
    if item.type == "paper-conference" and "T2" not in tagged and "C3" in tagged:
        tagged["T2"] = tagged["C3"]  # the container for readers that know no C3
    pages = csl.get("page", "")
    if pages and "SP" not in tagged:
        first, last = split_pages(pages)
        tagged["SP"] = first
        if last:
            tagged["EP"] = last
    if licence := item.licence:
        tagged["CR"] = licence
    return tagged, untagged


def _plain(item: Item, variable: str, value: Any) -> str:
    """A variable's value without markup: readers drop what looks like an element."""
    return item.container if variable == "container-title" else str(value)


def split_pages(pages: str) -> tuple[str, str]:
    """First and last page. An en dash separates, else a hyphen that stands alone; a list stays whole."""
    separator = "–" if "–" in pages else "-"
    if pages.count(separator) != 1 or "," in pages:
        return pages, ""
    first, _, last = pages.partition(separator)
    return (first, last) if first and last else (pages, "")


def _extra(item: Item, untagged: list[str]) -> list[str]:
    csl = item.csl
    lines = [f"Type: {_TOLD[item.type]}"] if item.type in _TOLD else []
    if item.type == "standard" and "publisher" in csl:
        lines.append(f"Publisher: {csl['publisher']}")  # clears the clutter that PB leaves
    preprint = item.type == "article" and item.arxiv
    if preprint:
        lines.append(f"Archive ID: {item.arxiv}")
    for variable in untagged:
        label = _LABELS.get(variable)
        if label and not (variable == "number" and preprint):
            value = csl[variable]
            lines.append(
                f"{label}: {zotero.iso(value) if isinstance(value, dict) else _plain(item, variable, value)}"
            )
    if item.arxiv:
        lines.append(f"arXiv: {item.arxiv}")
        if item.arxiv_class:
            lines.append(f"arXiv class: {item.arxiv_class}")
    lines.append(f"Citation Key: {item.key}")
    return [_line(line) for line in lines]


def _keywords(item: Item) -> list[str]:
    """One tag a line. A semicolon always splits, a comma where there is only one tag."""
    tags = [_line(tag.replace(";", ",")) for tag in item.tags]
    return [tags[0].replace(",", "")] if len(tags) == 1 else tags


def _notes(item: Item) -> Iterable[str]:
    """Notes as HTML on one line. They begin so that no reader takes ``Language:`` or the like for a field."""
    notes = item.notes
    if notes:
        parts = [
            (f"<strong>{escape(note.section)}.</strong> " if note.section and len(notes) > 1 else "")
            + note.html
            for note in notes
        ]
        yield _line(f"<p>Annotation: {'</p><p>'.join(parts)}</p>")
    for remark in item.remarks:
        yield _line(f"<p>Annotation: {escape(remark)}</p>")


def lost(item: Item) -> list[str]:
    """The fields of the entry that the format cannot carry."""
    return hub.lost(item)


def loads(text: str) -> list[Entry]:
    """The entries of a RIS file; :func:`read` says what of it is lost.

    Raises:
        ValueError: The text is not RIS.
    """
    return read(text)[0]


def read(text: str, file: str = "") -> tuple[list[Entry], list[Diagnostic]]:
    """The entries of a RIS file, and what could not be read or kept.

    Raises:
        ValueError: There is no record in it.
    """
    from refkit.formats import ris_reader

    return ris_reader.read(text, file)
