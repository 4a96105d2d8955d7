"""Reading RIS: records to CSL variables, and from there to entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from refkit.formats.csl_entry import entry, unique_keys
from refkit.formats.ris import TYPES
from refkit.model import Diagnostic, Entry

_TAG = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: (.*))?")

#: Reference type -> CSL type; what we write, and what others do.
_CSL_TYPES: Mapping[str, str] = {
    **{tag: type for type, tag in TYPES.items()},
    "CPAPER": "paper-conference",
    "EJOUR": "article-journal",
    "ABST": "article-journal",
    "JFULL": "article-journal",
    "INPR": "article-journal",
    "EBOOK": "book",
    "EDBOOK": "book",
    "SER": "book",
    "ECHAP": "chapter",
    "WEB": "webpage",
    "ICOMM": "webpage",
    "DBASE": "dataset",
    "AGGR": "dataset",
    "GOVDOC": "report",
    "UNPD": "manuscript",
    "VIDEO": "motion_picture",
    "SOUND": "song",
    "PREPRINT": "article",
}

#: Tag -> variable that takes one text.
_TEXTS: Mapping[str, str] = {
    "TI": "title", "T1": "title", "CT": "title",
    "ST": "title-short",
    "JF": "container-title", "JO": "container-title", "BT": "container-title", "C3": "container-title",
    "J2": "container-title-short", "JA": "container-title-short",
    "T3": "collection-title",
    "PB": "publisher",
    "CY": "publisher-place", "C1": "publisher-place", "PP": "publisher-place",
    "VL": "volume", "IS": "issue", "CP": "issue", "NV": "number-of-volumes", "ET": "edition",
    "DO": "DOI", "UR": "URL", "LA": "language", "AB": "abstract", "N2": "abstract",
    "M3": "genre", "CN": "call-number", "CR": "license", "ID": "citation-key",
}  # fmt: skip
_NAMES: Mapping[str, str] = {
    "AU": "author", "A1": "author", "A2": "editor", "ED": "editor", "A3": "editor", "A4": "translator",
    "C2": "container-author",
}  # fmt: skip
_LISTS = frozenset((*_NAMES, "KW", "M2", "N1"))
#: Labels of lines of ``M2`` that give a variable of their own.
_EXTRA: Mapping[str, str] = {
    "event place": "event-place",
    "event title": "event-title",
    "container title": "container-title",
    "series": "collection-title",
    "series number": "collection-number",
    "number": "number",
    "version": "version",
    "genre": "genre",
    "isbn": "ISBN",
    "issn": "ISSN",
    "number of pages": "number-of-pages",
    "chapter number": "chapter-number",
    "part number": "part",
    "medium": "medium",
    "language": "language",
    "status": "status",
    "edition": "edition",
    "original title": "original-title",
    "original publisher": "original-publisher",
    "original publisher place": "original-publisher-place",
    "citation key": "citation-key",
    "archive id": "",
    "publisher": "",
    "organization": "authority",
}
#: Item types that Zotero tells in Extra.
_TOLD = {"preprint": "article", "standard": "standard", "document": "document"}


def read(text: str, file: str = "") -> tuple[list[Entry], list[Diagnostic]]:
    """The entries of a RIS file, and what could not be read or kept.

    Raises:
        ValueError: There is no record in it.
    """
    found: list[Entry] = []
    diagnostics: list[Diagnostic] = []
    for line, record in _records(text):
        one, unknown = entry(variables(record))
        one.file, one.line = file, line
        unread = sorted(tag for tag in record if tag not in _READ)
        if unread or unknown:
            lost = ", ".join([*unread, *unknown])
            message = f"no field holds the value of {lost}; it is left out"
            diagnostics.append(Diagnostic("warning", "not-carried", message, one.key, file or None, line))
        found.append(one)
    if not found and text.strip("\ufeff \r\n"):
        raise ValueError("no RIS record: no line begins with 'TY  - '")
    return unique_keys(found), diagnostics


_READ = frozenset((*_TEXTS, *_LISTS, "TY", "T2", "PY", "Y1", "DA", "Y2", "SP", "EP", "SN", "M1", "ER"))


def _records(text: str) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """(line of ``TY``, values by tag). A line without a tag goes on with the value before it."""
    record: dict[str, list[str]] | None = None
    start = 0
    last: list[str] | None = None
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        found = _TAG.fullmatch(line.rstrip())
        if found is None:
            if last is not None and line.strip():
                last[-1] = f"{last[-1]} {line.strip()}".strip()
            continue
        tag, value = found[1], (found[2] or "").strip()
        if tag == "TY":
            if record is not None:
                yield start, record
            record, start = {}, number
        if record is None:
            continue
        if tag == "ER":
            yield start, record
            record = last = None
        else:
            last = record.setdefault(tag, [])
            last.append(value)
    if record is not None:
        yield start, record


def variables(record: Mapping[str, list[str]]) -> dict[str, Any]:
    """The CSL variables of a record."""
    csl: dict[str, Any] = {"type": _CSL_TYPES.get(_first(record, "TY").upper(), "document")}
    rest = _read_extra(csl, record.get("M2", ()))
    type = csl["type"]
    for tag, variable in _TEXTS.items():
        if value := _first(record, tag):
            csl.setdefault(variable, value)
    _add_titles(csl, record, type)
    _add_numbers(csl, record, type)
    for tag, variable in _NAMES.items():
        people = [_person(value) for value in record.get(tag, ()) if value]
        if people:
            csl.setdefault(variable, []).extend(people)
    _add_dates(csl, record)
    if tags := [tag for tag in record.get("KW", ()) if tag]:
        csl["keyword"] = "; ".join(tags)
    _add_notes(csl, record, rest)
    return csl


def _read_extra(csl: dict[str, Any], lines: Iterable[str]) -> list[str]:
    """Puts what labelled lines say into variables; gives the other lines."""
    rest = []
    for line in lines:
        label, colon, value = line.partition(":")
        label, value = label.strip().lower(), value.strip()
        if colon and label == "type":
            csl["type"] = _TOLD.get(value.lower(), csl["type"])
        elif colon and label in _EXTRA:
            if _EXTRA[label] and value:
                csl.setdefault(_EXTRA[label], value)
        else:
            rest.append(line)
    return rest


def _add_dates(csl: dict[str, Any], record: Mapping[str, list[str]]) -> None:
    tags_of: tuple[tuple[str, tuple[str, ...]], ...] = (("issued", ("DA", "PY", "Y1")), ("accessed", ("Y2",)))
    for variable, tags in tags_of:
        for tag in tags:
            if date := _date(_first(record, tag)):
                csl[variable] = date
                break


def _first(record: Mapping[str, list[str]], tag: str) -> str:
    return next((value for value in record.get(tag, ()) if value), "")


def _add_titles(csl: dict[str, Any], record: Mapping[str, list[str]], type: str) -> None:
    second = _first(record, "T2")
    if not second:
        return
    if type == "paper-conference" and "container-title" in csl:
        if second != csl["container-title"]:
            csl.setdefault("event-title", second)
    elif type in ("book", "report", "software"):
        csl.setdefault("collection-title", second)
    else:
        csl.setdefault("container-title", second)


def _add_numbers(csl: dict[str, Any], record: Mapping[str, list[str]], type: str) -> None:
    first, last = _first(record, "SP"), _first(record, "EP")
    if first and type in ("book", "thesis") and not last:
        csl.setdefault("number-of-pages", first)
    elif first or last:
        csl["page"] = "-".join(part for part in (first, last) if part)
    number = _first(record, "SN")
    if number:
        names = {"report": "number", "patent": "number"}
        journal = type.startswith("article-")
        csl.setdefault(names.get(type, "ISSN" if journal else "ISBN"), number)
    if number := _first(record, "M1"):
        csl.setdefault("collection-number" if type == "book" else "number", number)
    if type == "software" and "edition" in csl:
        csl.setdefault("version", csl.pop("edition"))


def _person(value: str) -> dict[str, str]:
    """``Family, Given, Suffix``; a name without a comma is an organisation or of one word."""
    family, *rest = (part.strip() for part in value.split(",", 2))
    if not any(rest):
        return {"literal": family}
    name = {"family": family, "given": rest[0]}
    if len(rest) == 2:
        name["suffix"] = rest[1]
    return name


def _date(value: str) -> dict[str, Any] | None:
    """``YYYY/MM/DD/other``, each part but the year may be empty; ISO is read, too."""
    if not value:
        return None
    parts = re.split(r"[/-]", value)[:3]
    numbers = []
    for part in parts:
        if not part.strip().isdigit():
            break
        numbers.append(int(part))
    return {"date-parts": [numbers]} if numbers and numbers[0] else {"literal": value.strip("/ ")}


def _add_notes(csl: dict[str, Any], record: Mapping[str, list[str]], rest: list[str]) -> None:
    """The first note that says "Annotation" is one; what else stands in notes stays a note."""
    for value in record.get("N1", ()):
        text = plain(value)
        if text.startswith("Annotation:") and "annote" not in csl:
            csl["annote"] = text.removeprefix("Annotation:").strip()
        elif text:
            rest.append(text.removeprefix("Annotation:").strip())
    if rest:
        csl["note"] = "\n".join(rest)


def plain(html: str) -> str:
    """The text of an HTML note."""
    if "<" not in html and "&" not in html:
        return html
    text = re.sub(r"<[^<>]{0,500}>", " ", html)
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&nbsp;", " ")):
        text = text.replace(entity, char)
    return " ".join(text.replace("&amp;", "&").split())
