"""Reading RIS: records to CSL variables, and from there to entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from refkit import identifiers
from refkit.formats.csl_entry import entry, unique_keys
from refkit.formats.ris import TYPES
from refkit.model import Diagnostic, Entry
from refkit.values import dates

_TAG = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: (.*))?")
#: As it is written besides: indented, with tabs, without the blank. Only of tags that are read.
_LOOSE_TAG = re.compile(r"[ \t]*+([A-Z][A-Z0-9])(?:[ \t]{2,4}-|[ \t]-(?=[ \t]|\Z))[ \t]*+(.*)")

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
    "JF": "container-title", "BT": "container-title", "C3": "container-title",
    "J2": "container-title-short", "JA": "container-title-short",
    "T3": "collection-title",
    "PB": "publisher",
    "CY": "publisher-place", "PP": "publisher-place",
    "VL": "volume", "IS": "issue", "CP": "issue", "NV": "number-of-volumes", "ET": "edition",
    "DO": "DOI", "UR": "URL", "LA": "language", "AB": "abstract", "N2": "abstract",
    "M3": "genre", "CN": "call-number", "CR": "license", "ID": "citation-key",
}  # fmt: skip
_NAMES: Mapping[str, str] = {
    "AU": "author", "A1": "author", "A2": "editor", "ED": "editor", "A3": "editor", "A4": "translator",
}  # fmt: skip
_LISTS = frozenset((*_NAMES, "C2", "KW", "M2", "N1"))
#: Tags that hold one value; what else stands under them is left out and named.
_SINGLE = (
    *(tag for tag in _TEXTS if tag not in ("AB", "N2")),
    "T2", "JO", "PY", "Y1", "DA", "Y2", "SP", "EP", "SN", "M1", "L3",
)  # fmt: skip
#: Tags of which EndNote gives several values as lines under one tag.
_LINES = frozenset(("KW", "UR"))
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
    "event date": "event-date",
    "original date": "original-date",
    "pmid": "PMID",
    "pmcid": "PMCID",
    "citation key": "citation-key",
    "archive id": "",
    "publisher": "",
    "organization": "authority",
}
#: Item types that Zotero tells in Extra.
_TOLD = {"preprint": "article", "standard": "standard", "document": "document"}


class _Record(NamedTuple):
    """A record as it stands: its first line, and the values by tag; no ``TY`` where that is missing."""

    line: int
    values: dict[str, list[str]]


def read(text: str, file: str = "") -> tuple[list[Entry], list[Diagnostic]]:
    """The entries of a RIS file, and what could not be read or kept.

    Raises:
        ValueError: There is no record in it.
    """
    found: list[Entry] = []
    diagnostics: list[Diagnostic] = []
    has_type = False

    def warn(code: str, message: str, key: str, line: int) -> None:
        diagnostics.append(Diagnostic("warning", code, message, key, file or None, line))

    for record in _records(text):
        if isinstance(record, int):
            warn("parse-error", "this stands in no record (TY to ER) and is not read", "", record)
            continue
        csl = variables(record.values)
        one, unknown = entry(csl)
        one.file, one.line = file, record.line
        if lost := [*_unread(record.values, csl), *unknown]:
            message = f"no field holds the value of {', '.join(lost)}; it is left out"
            warn("not-carried", message, one.key, record.line)
        has_type = has_type or "TY" in record.values
        if "TY" not in record.values:
            message = "the record has no type: begin it with a line like 'TY  - JOUR'"
            warn("parse-error", message, one.key, record.line)
        found.append(one)
    if not has_type and text.strip("\ufeff \r\n"):
        raise ValueError("no RIS record: no line begins with 'TY  - '")
    return unique_keys(found), diagnostics


_READ = frozenset((*_SINGLE, *_LISTS, "AB", "N2", "C1", "TY", "ER"))


def _unread(record: Mapping[str, list[str]], csl: Mapping[str, Any]) -> list[str]:
    """The tags of a record whose values went nowhere."""
    unread = {tag for tag in record if tag not in _READ}
    unread |= {f"the second {tag}" for tag in _SINGLE if len({*record.get(tag, ())} - {""}) > 1}
    if _first(record, "C1") and csl["type"] != "paper-conference":
        unread.add("C1")
    if any(record.get("C2", ())) and not {"container-author", "PMCID"} & csl.keys():
        unread.add("C2")
    if _is_date_of_journal(record, csl["type"]):
        unread.add("ET")
    if "literal" not in csl.get("issued", ()) and not _says_when(_first(record, "DA"), record):
        unread.add("DA")
    return sorted(unread)


def _records(text: str) -> Iterator[_Record | int]:
    """The records; between them the numbers of lines that belong to none.

    A line without a tag goes on with the value before it. A record that has lost its ``TY`` begins with the
    first tag that is read, one that has lost its ``ER`` ends where the next begins.
    """
    record: _Record | None = None
    last = ""
    astray = False
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        tag, value = _tag(line)
        if record is None and tag not in _READ - {"ER"}:
            if line.strip() and not astray and tag != "ER":
                astray = True
                yield number
            continue
        if not tag and record is not None:
            if last and line.strip():
                _go_on(record.values[last], last, line.strip())
            continue
        if tag == "TY" or record is None:
            if record is not None:
                yield record
            record, astray = _Record(number, {}), False
        if tag == "ER":
            yield record
            record, last = None, ""
        else:
            last = tag
            record.values.setdefault(tag, []).append(value)
    if record is not None:
        yield record


def _tag(line: str) -> tuple[str, str]:
    """A line's tag and value; of a line without one, nothing."""
    line = line.rstrip()
    found = _TAG.fullmatch(line)
    if found is None:
        found = _LOOSE_TAG.fullmatch(line)
        if found is None or found[1] not in _READ:
            return "", ""
    return found[1], (found[2] or "").strip()


def _go_on(values: list[str], tag: str, text: str) -> None:
    """A line without a tag: another value where the tag's lines are values, else more of the last one."""
    if tag in _LINES:
        values.append(text)
    else:
        values[-1] = f"{values[-1]} {text}".strip()


def variables(record: Mapping[str, list[str]]) -> dict[str, Any]:
    """The CSL variables of a record."""
    csl: dict[str, Any] = {"type": _CSL_TYPES.get(_first(record, "TY").upper(), "document")}
    rest = _read_extra(csl, record.get("M2", ()))
    type = csl["type"]
    for tag, variable in _TEXTS.items():
        if value := _first(record, tag):
            csl.setdefault(variable, value)
    if _is_date_of_journal(record, type):
        del csl["edition"]
    _add_doi(csl, record)
    _add_custom(csl, record, type)
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
                variable = _EXTRA[label]
                csl.setdefault(variable, {"raw": value} if variable.endswith("-date") else value)
        else:
            rest.append(line)
    return rest


def _is_date_of_journal(record: Mapping[str, list[str]], type: str) -> bool:
    """Whether ``ET`` is the day on which an article appeared online: EndNote's use of it for journals."""
    edition = _first(record, "ET")
    return type.startswith("article-") and edition[:4].isdigit() and _read_date(edition, "") is not None


def _add_doi(csl: dict[str, Any], record: Mapping[str, list[str]]) -> None:
    """A DOI that stands alone where older programs put it: ``M3``, ``L3``, a note."""
    for tag in ("M3", "L3", "N1"):
        for value in record.get(tag, ()):
            if " " not in value.removeprefix("doi: ").strip() and (doi := identifiers.doi(value)):
                csl.setdefault("DOI", doi)
                if csl.get("genre") == value:
                    del csl["genre"]


def _add_custom(csl: dict[str, Any], record: Mapping[str, list[str]], type: str) -> None:
    """``C1`` and ``C2``, which mean something else for each type."""
    if type == "paper-conference" and (place := _first(record, "C1")):
        csl.setdefault("publisher-place", place)
    custom = [value for value in record.get("C2", ()) if value]
    if custom and _PMCID.fullmatch(custom[0]):
        csl["PMCID"] = custom[0]
    elif custom and not type.startswith("article"):
        csl["container-author"] = [_person(value) for value in custom]


_PMCID = re.compile(r"PMC\d{1,12}")


def _add_dates(csl: dict[str, Any], record: Mapping[str, list[str]]) -> None:
    """``issued``: the fullest of the dates that agree in the year; ``DA`` may be without one."""
    texts = [text for tag in ("DA", "PY", "Y1") if (text := _first(record, tag))]
    found = [date for text in texts if (date := _dated(text, record)) is not None]
    same = [date for date in found if date.year == found[0].year]
    if same:
        csl["issued"] = {"raw": max(same, key=_fullness).iso}
    elif texts:
        csl["issued"] = {"literal": texts[0].strip("/ ")}
    if text := _first(record, "Y2"):
        seen = _read_date(text, "")
        csl["accessed"] = {"raw": seen.iso} if seen else {"literal": text.strip("/ ")}


def _dated(text: str, record: Mapping[str, list[str]]) -> dates.Date | None:
    return _read_date(text, _first(record, "PY") or _first(record, "Y1"))


def _says_when(text: str, record: Mapping[str, list[str]]) -> bool:
    """Whether a date is empty, or is one by itself or together with the year."""
    date = _dated(text, record)
    return not text or _read_date(text, "") is not None or (date is not None and _fullness(date) > 0)


def _fullness(date: dates.Date) -> int:
    return bool(date.month or date.season) + bool(date.day)


def _read_date(text: str, year: str) -> dates.Date | None:
    """``YYYY/MM/DD/other`` (each part but the year may be empty, the month a name), else ISO or words.

    A text without a year (``Mar 5``) takes the other one.
    """
    found = _SLASHED.fullmatch(text.strip())
    if found:
        month, day, other = (part or "" for part in found.group(2, 3, 4))
        return dates.of("", found[1].zfill(4), month if month.strip(" 0") else other, day)
    return dates.of(text, "", "", "") or (dates.of("", year.partition("/")[0], text, "") if year else None)


_SLASHED = re.compile(r"(-?\d{1,4})(?:/([^/]{0,40}))?(?:/([^/]{0,40}))?(?:/(.{0,80}))?", re.ASCII)


def _first(record: Mapping[str, list[str]], tag: str) -> str:
    return next((value for value in record.get(tag, ()) if value), "")


def _add_titles(csl: dict[str, Any], record: Mapping[str, list[str]], type: str) -> None:
    second, journal = _first(record, "T2"), _first(record, "JO")
    if not second:
        second, journal = journal, ""
    if journal and journal not in (second, csl.get("container-title")):  # beside the whole name, a short one
        csl.setdefault("container-title-short", journal)
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


def _add_notes(csl: dict[str, Any], record: Mapping[str, list[str]], rest: list[str]) -> None:
    """The first note that says "Annotation" is one; what else stands in notes stays a note."""
    for value in record.get("N1", ()):
        text = plain(value)
        if text and identifiers.doi(text) == csl.get("DOI") and " " not in text.removeprefix("doi: "):
            continue
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
