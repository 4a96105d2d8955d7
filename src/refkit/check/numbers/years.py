"""Years: plausible, and in agreement with the rest of the entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from refkit.check.identity.arxiv import NEW_ID
from refkit.check.model import Finding, rule
from refkit.values import dates

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry

_YEAR = re.compile(r"\{?(\d{4})(?:[/-]\d{2,4}|--\d{4})?\}?[a-z]?").fullmatch


@rule("invalid-year", "error")
def invalid_year(library: Library) -> Iterator[Finding]:
    """A year that is not four digits, lies in the future, or before printing.

    ``in press`` and the like belong into ``pubstate``. A year before 1900 is a warning, as is next year,
    which publishers print on what has appeared already. An old year is believed where the key names it too,
    where the date is approximate, or where a book, an article or a law has nothing that only new works have:
    an ISBN, an arXiv identifier, a DOI, an address. Known to JabRef, biblint.
    """
    for entry, value in library.column("year"):
        if _YEAR(value):
            yield from _plausible(library, entry, "year", int(value.strip("{}")[:4]))
        elif _is_no_year(value, classic=library.is_classic):
            yield Finding(f"the year {value!r} is not four digits", entry, "year", value)
    for entry, value in library.column("date"):
        if value[:4].isdecimal():
            yield from _plausible(library, entry, "date", int(value[:4]))


def _is_no_year(value: str, *, classic: bool) -> bool:
    bare = value.strip("{} ").lower()
    return bool(bare) and not (bare == "n.d." and classic) and dates.parse(value) is None


def _plausible(library: Library, entry: Entry, field: str, year: int) -> Iterator[Finding]:
    now = library.today.year
    if 1900 <= year <= now or (year < 1900 and _is_old(entry, field, year)):
        return
    if year > now + 1 or year < 1450:
        yield Finding(f"the year {year} cannot be: compare it with the source", entry, field, str(year))
    else:
        when = "lies in the future" if year > now else "is before 1900"
        yield Finding(
            f"the year {year} {when}: compare it with the source", entry, field, str(year), severity="warning"
        )


def _is_old(entry: Entry, field: str, year: int) -> bool:
    """Whether more than the year speaks for a work from before 1900."""
    if str(year) in entry.key or entry.fields[field].rstrip("}")[-1:] in ("~", "%", "?"):
        return True
    return year >= 1450 and entry.type in _OLD_TYPES and not any(map(entry.fields.get, _NEW_FIELDS))


_OLD_TYPES = frozenset(
    "article book mvbook inbook bookinbook incollection collection booklet letter misc unpublished patent "
    "legislation jurisdiction legal artwork image periodical reference thesis phdthesis".split()
)
#: What a reprint or a digital edition may have, but then its own year, too.
_NEW_FIELDS = ("isbn", "eprint", "doi", "url", "urldate", "howpublished")


@rule("year-conflict", "error")
def year_conflict(library: Library) -> Iterator[Finding]:
    """The year contradicts another value of the entry: ``date`` or ``year``, the event, the DOI, the arXiv
    identifier.

    Years only are compared. Proceedings that appear in the year after the event are a warning. A preprint is
    of the year of its identifier, or of a month next to it; what was published elsewhere may have been posted
    later, but hardly more than a year earlier than its date says.
    """
    for entry in library.entries:
        fields = entry.fields
        value = fields.get("date") or fields.get("year") or ""
        if not value[:4].isdecimal() or len(value) < 4:
            value = value.strip("{}")
            if not value[:4].isdecimal() or len(value) < 4:
                continue
        year, field = int(value[:4]), "date" if fields.get("date") else "year"
        if field == "date" and "year" in fields:
            yield from _against_year(entry, year)
        if entry.type in _PAPERS:
            yield from _against_event(entry, field, year)
        if "doi" in fields:
            yield from _against_doi(entry, field, year)
        if "eprint" in fields:
            yield from _against_arxiv(entry, field, year)


_PAPERS = frozenset(("inproceedings", "conference", "proceedings"))


def _against_year(entry: Entry, year: int) -> Iterator[Finding]:
    other = entry.fields.get("year", "") if "date" in entry.fields else ""
    if other and other.strip("{}")[:4] != str(year):
        yield Finding(f"date says {year}, year says {other}: keep one of them", entry, "year", other)


_EVENT_YEAR = re.compile(r"(?<![\d–-])((?:19|20)\d\d)(?![\d–-])|(?:[A-Za-z] ?['’]|[A-Z] )(\d\d)(?=\)|:|$)")


def _event_years(entry: Entry) -> Iterator[tuple[str, int]]:
    """The years that an event's names carry: ``ICLR 2024``, ``OSDI 24``, ``SC '08``, ``2020 IEEE …``,
    eventdate.
    """
    for field in ("booktitle", "eventtitle", "series"):
        value = entry.fields.get(field, "")
        if value:
            for event in _years_in(value):
                yield field, event
    value = entry.fields.get("eventdate", "")
    if value[:4].isdecimal():
        yield "eventdate", int(value[:4])


@lru_cache(maxsize=4096)
def _years_in(value: str) -> tuple[int, ...]:
    """The years in an event's name, those of two digits in full."""
    return tuple(
        int(full) if full else (2000 if int(short) < 70 else 1900) + int(short)
        for full, short in _EVENT_YEAR.findall(value)
    )


def _against_event(entry: Entry, field: str, year: int) -> Iterator[Finding]:
    for where, event in _event_years(entry):
        if event != year:
            later = year == event + 1
            why = (
                "proceedings may appear a year later; compare with the source"
                if later
                else "one of them is wrong"
            )
            yield Finding(
                f"{field} says {year}, {where} says {event}: {why}",
                entry,
                field,
                str(year),
                severity="warning" if later else None,
            )
            return


_DOI_YEAR = re.compile(
    r"(?i)10\.(?:1109/[a-z-]+\d*\.((?:19|20)\d\d)\.|18653/v1/((?:19|20)\d\d)\."
    r"|1016/[a-z]\.[a-z]+\.((?:19|20)\d\d)\.)"
)


def _against_doi(entry: Entry, field: str, year: int) -> Iterator[Finding]:
    doi = entry.fields.get("doi", "")
    found = _DOI_YEAR.match(doi) if doi else None
    if found:
        of_doi = int(found[1] or found[2] or found[3])
        if abs(of_doi - year) > (1 if found[3] else 0):
            yield Finding(
                f"{field} says {year}, the DOI is one of {of_doi}: one of them is wrong",
                entry,
                field,
                str(year),
            )


def _against_arxiv(entry: Entry, field: str, year: int) -> Iterator[Finding]:
    eprint = entry.fields.get("eprint", "")
    found = NEW_ID.match(eprint) if eprint else None
    if not found:
        return
    posted, month = 2000 + int(found[1]), int(found[2])
    if _is_preprint(entry):
        near = {posted, posted - 1 if month == 1 else posted, posted + 1 if month == 12 else posted}
        if year not in near:
            yield Finding(
                f"{field} says {year}, arXiv {eprint} was first posted in {posted}: a preprint is of "
                f"the date of its first version",
                entry,
                field,
                str(year),
            )
    elif year < posted - (month == 1):
        late = posted - year
        yield Finding(
            f"{field} says {year}, arXiv {eprint} was posted in {posted}: was it published before?",
            entry,
            field,
            str(year),
            severity="error" if late == 1 and not entry.get("doi") and entry.type == "misc" else "warning",
        )


def _is_preprint(entry: Entry) -> bool:
    if entry.get("entrysubtype").lower() == "preprint":
        return True
    return entry.type in ("misc", "unpublished", "online") and not entry.get(
        "booktitle", "journal", "journaltitle", "doi", "note", "howpublished"
    )
