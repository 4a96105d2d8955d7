"""Numbers and dates: years, EDTF, months, pages, volumes, editions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from refkit.check.model import Finding, rule
from refkit.values import dates

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry

_YEAR = re.compile(r"\{?(\d{4})(?:[/-]\d{2,4}|--\d{4})?\}?[a-z]?").fullmatch
_ISO = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?").fullmatch


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


_ID_MONTH = re.compile(r"(\d\d)(0[1-9]|1[0-2])\.\d{4,5}\Z").match


def _against_arxiv(entry: Entry, field: str, year: int) -> Iterator[Finding]:
    eprint = entry.fields.get("eprint", "")
    found = _ID_MONTH(eprint) if eprint else None
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


@rule("invalid-date", "error")
def invalid_date(library: Library) -> Iterator[Finding]:
    """``date``, ``urldate``, ``eventdate`` or ``origdate`` is no date that BibLaTeX reads (EDTF). Known to
    JabRef, biber.
    """
    for column in library.some(("date", "urldate", "eventdate", "origdate")):
        sound: dict[str, bool] = {}
        for entry, value in column:
            known = sound.get(value)
            if known is None:
                known = sound[value] = not value.strip("{} ") or _is_edtf(value)
            if not known:
                yield Finding(
                    f"{column.name} {value!r} is not a date: write YYYY, YYYY-MM or YYYY-MM-DD",
                    entry,
                    column.name,
                    value,
                )


def _is_edtf(value: str) -> bool:
    if not re.match(r"[0-9Y/.-]", value) or re.search(
        r"[A-Wa-su-z ]", value.replace("T", "").replace("Z", "")
    ):
        return False
    return dates.parse(value) is not None


@rule("date-order", "warning")
def date_order(library: Library) -> Iterator[Finding]:
    """An address visited before the work was there, or a day that has not come yet."""
    today = library.today.isoformat()
    for field in ("urldate", "eventdate", "date"):
        for entry, value in library.column(field):
            if not _ISO(value) or (len(value) < 10 and field != "urldate"):
                continue
            if value[:10] > today and field != "eventdate":
                yield Finding(f"{field} {value} has not come yet", entry, field, value)
            elif field == "urldate":
                date = entry.fields.get("date", "")
                if date and _ISO(date) and value < date[: len(value)]:
                    yield Finding(
                        f"urldate {value} is before the date {date}: correct one of them", entry, field, value
                    )


@rule("month-form", "warning", fixable=True)
def month_form(library: Library) -> Iterator[Finding]:
    """A month in words: styles know the macros ``jan`` to ``dec``, BibLaTeX numbers too. Known to JabRef,
    bibcop.
    """
    from refkit.bibtex.edit import Bare

    column = library.column("month")
    for value in column.by_value:
        if (
            value.lower() in _MACROS
            or value in _MONTH_NUMBERS
            or _WITH_DAY.fullmatch(value)
            or _SEVERAL.fullmatch(value)
        ):
            continue
        number = dates.month_number(value.strip("{} "))
        for entry in column.with_value(value):
            at = library.value_at(entry, "month")
            if number is None:
                yield Finding(f"the month {value!r} is none: write jan to dec", entry, "month", value)
            elif at is None or library.documents[entry.file].text[at] in '{"':
                macro = Bare(_MACROS[number - 1])
                yield Finding(
                    f"the month is in words: write {macro}, without braces",
                    entry,
                    "month",
                    value,
                    {"month": macro},
                )


#: Seasons, several months, nothing: what many journals have in place of a month.
_SEVERAL = re.compile(
    r"(?i)[{ ]*(?:spring|summer|autumn|fall|winter|\?+"
    r"|[a-z]{3,9}\.?(?: ?(?:/|--?|–|and|,) ?[a-z]{3,9}\.?)+)[} ]*"
)
_MONTH_NUMBERS = frozenset(f"{number:0{width}}" for number in range(1, 13) for width in (1, 2))
_MACROS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_WITH_DAY = re.compile(
    r"\d{1,2}(?:[~ ]|\\ )*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:jan|feb|mar|apr|may"
    r"|jun|jul|aug|sep|oct|nov|dec)\w*(?:[~ ]|\\ )+\d{1,2}",
    re.IGNORECASE,
)


# -- pages


@rule("page-range", "warning", fixable=True)
def page_range(library: Library) -> Iterator[Finding]:
    """Pages that run backwards, are empty or the same twice, are cut, or use another dash than ``--``.

    ``82:1--82:14`` and ``e12--e19`` are ranges too. A paper in proceedings that begins on page 1 is a
    placeholder only if another paper of the same proceedings does so too. Known to JabRef, biblint, bibcop.
    """
    for column in library.some(("pages", "bookpages")):
        for hit in column.hits(_NOT_PLAIN):
            yield from _odd_range(hit.entry, column.name, hit.value)
        for entry, value in column:
            first, dash, last = value.partition("--")
            if (
                dash
                and first.isdecimal()
                and last.isdecimal()
                and len(first) < 12
                and len(last) < 12
                and int(first) >= int(last)
            ):
                fix = {column.name: first} if first == last else None
                yield Finding(_backwards(first, last), entry, column.name, value, fix)
    yield from _placeholders(library)


_NOT_PLAIN = re.compile(r"(?m)^(?!\d+(?:--\d+)?$)[^\n]+$|^(?=\n)")
_HYPHENATED = re.compile(r"([A-Za-z]?\d+(?:[:.]\d+)?) ?(-|–|—|−|---|~) ?([A-Za-z]?\d+(?:[:.]\d+)?)")
_LABELLED = re.compile(r"(?i)(?:pp?\.?|pages?|S\.) ?")


def _odd_range(entry: Entry, field: str, value: str) -> Iterator[Finding]:
    if _LABELLED.match(value):
        yield Finding(
            f"the pages {value!r} carry a label, which styles add: take it off",
            entry,
            field,
            value,
            {field: _LABELLED.sub("", value, count=1)},
        )
        return
    if re.search(r"(?:^|[, ])--|--(?:$|,)|^-|-$", value):
        yield Finding(f"the pages {value!r} lack an end: give both, or one page", entry, field, value)
        return
    parts = [part.strip() for part in value.split(",")]
    fixed = [_HYPHENATED.sub(r"\1--\3", part) if _HYPHENATED.fullmatch(part) else part for part in parts]
    if fixed != parts:
        ends = [end for part in fixed for end in part.split("--")]
        right = ", ".join(fixed)
        sound = len(ends) != 2 or _number(ends[0]) < _number(ends[1])
        yield Finding(
            f"the pages {value!r} use another dash than --: write {right}",
            entry,
            field,
            value,
            {field: right} if sound else None,
        )
    for part in fixed:
        first, dash, last = part.partition("--")
        if (
            dash
            and _number(first) >= _number(last) >= 0
            and _prefix(first) == _prefix(last)
            and not (first.isdecimal() and last.isdecimal() and fixed == parts and len(parts) == 1)
        ):
            yield Finding(_backwards(first, last), entry, field, part)


def _number(text: str) -> int:
    digits = re.findall(r"\d+", text)
    return int(digits[-1][:12]) if digits else -1


def _prefix(text: str) -> str:
    return re.sub(r"\d+$", "", text)


def _backwards(first: str, last: str) -> str:
    if _number(first) == _number(last):
        return f"the pages {first}--{last} name one page twice: write {first}"
    if len(last) < len(first):
        return f"the pages {first}--{last} are cut or run backwards: write both ends in full"
    return f"the pages {first}--{last} run backwards: compare them with the source"


def _placeholders(library: Library) -> Iterator[Finding]:
    starts: dict[tuple[str, str], list[Entry]] = {}
    for hit in library.column("pages").hits(_FROM_ONE):
        entry = hit.entry
        if entry.type in ("inproceedings", "conference") and entry.get("booktitle"):
            starts.setdefault((entry.get("booktitle"), entry.get("volume")), []).append(entry)
    for entries in starts.values():
        if len(entries) > 1:
            for entry in entries:
                others = ", ".join(repr(other.key) for other in entries if other is not entry)
                yield Finding(
                    f"the pages begin at 1, as those of {others} in the same proceedings: they are "
                    f"placeholders",
                    entry,
                    "pages",
                )


_FROM_ONE = re.compile(r"(?m)^1--?\d+$")


@rule("page-overlap", "warning")
def page_overlap(library: Library) -> Iterator[Finding]:
    """Pages that overlap those of another work of the same volume: one of them has another work's.

    Ranges of numbers are compared, of works with the same container, year, volume, number and publisher;
    articles need volume and number for it. The last page of one may be the first of the next.
    """
    volumes: dict[tuple[str, ...], list[tuple[int, int, Entry]]] = {}
    for hit in library.column("pages").hits(_PLAIN_RANGE):
        entry = hit.entry
        container = entry.get("booktitle", "journaltitle", "journal")
        first, last = int(hit.match[1]), int(hit.match[2])
        numbered = entry.get("booktitle") or (entry.get("volume") and entry.get("number"))
        if container and first < last and numbered:
            year = entry.get("date", "year")[:4]
            volume = (container, year, *(entry.get(name) for name in ("volume", "number", "publisher")))
            volumes.setdefault(volume, []).append((first, last, entry))
    for ranges in volumes.values():
        ranges.sort(key=lambda item: item[:2])
        for (first, last, one), (begin, end, other) in pairwise(ranges):
            if begin < last:
                for entry, twin, pages in ((one, other, f"{begin}--{end}"), (other, one, f"{first}--{last}")):
                    yield Finding(
                        f"the pages overlap those of {twin.key!r} ({pages}) in the same volume: one of "
                        f"them is wrong",
                        entry,
                        "pages",
                    )


_PLAIN_RANGE = re.compile(r"(?m)^(\d{1,7})--(\d{1,7})$")


@rule("number-form", "warning", fixable=True)
def number_form(library: Library) -> Iterator[Finding]:
    """A volume, number or edition with a label, leading zeros or an ordinal; a first edition; ``issue`` for
    ``number``.

    BibLaTeX counts editions by integers and names no first one; BibTeX's styles expect ``Second``. Known to
    JabRef, bibcop, Linter for Zotero, papis.
    """
    for field, label in _LABELS.items():
        for hit in library.column(field).hits(label):
            fixed = label.sub("", hit.value).strip()
            yield Finding(
                f"{field} {hit.value!r} carries its own label, which styles add: write {fixed}",
                hit.entry,
                field,
                hit.value,
                {field: fixed},
            )
    for field in ("volume", "number"):
        for hit in library.column(field).hits(_ZEROS):
            yield Finding(
                f"{field} {hit.value!r} has leading zeros",
                hit.entry,
                field,
                hit.value,
                {field: hit.value.lstrip("0")},
            )
    for entry, value in library.column("edition"):
        yield from _edition(entry, value)
    for entry, value in library.column("issue"):
        if value.isdecimal() and not entry.get("number") and entry.type == "article":
            yield Finding(
                "the number of an issue belongs into number; issue is for names such as 'Spring'",
                entry,
                "issue",
                value,
                {"issue": None, "number": value},
            )


_LABELS: Mapping[str, re.Pattern[str]] = {
    "volume": re.compile(r"(?mi)^(?:vol(?:ume)?\.?|v\.|bd\.|band) +(?=\d)"),
    "number": re.compile(r"(?mi)^(?:no\.?|nr\.?|num(?:ber)?\.?|issue|n°|№) *(?=\d)"),
}
_ZEROS = re.compile(r"(?m)^0+[1-9]\d*$")
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()


def _edition(entry: Entry, value: str) -> Iterator[Finding]:
    bare = re.sub(r"(?i)(?:^|(?<=[^A-Za-z]))[ ~]*(?:ed\.?|edn\.?|edition)$", "", value.strip("{} "))
    number = re.fullmatch(r"(?i)(\d+)(?:st|nd|rd|th|\.)?", bare)
    count = (
        int(number[1][:6])
        if number
        else _ORDINALS.index(bare.lower()) + 1
        if bare.lower() in _ORDINALS
        else 0
    )
    if count == 1:
        yield Finding(
            "a first edition is not named: leave edition out", entry, "edition", value, {"edition": None}
        )
    elif count and "date" in entry.fields and value != str(count):
        yield Finding(
            f"BibLaTeX counts editions: write {count}", entry, "edition", value, {"edition": str(count)}
        )
    elif bare != value.strip("{} "):
        yield Finding(
            f"the edition {value!r} carries its own label, which styles add: write {bare}",
            entry,
            "edition",
            value,
            {"edition": bare},
        )


@rule("not-integer", "warning")
def not_integer(library: Library) -> Iterator[Finding]:
    """``pagetotal``, ``numpages``, ``volumes``, ``part`` or ``chapter`` is no number or range of numbers.
    Known to biber.
    """
    for column in library.some(("pagetotal", "numpages", "volumes", "part")):
        for hit in column.hits(_NO_NUMBER):
            yield Finding(f"{column.name} {hit.value!r} is no number", hit.entry, column.name, hit.value)


_NO_NUMBER = re.compile(
    r"(?mi)^(?!(?:[ivxlcdm]+|\d+[a-z]?)(?: ?(?:[-–+,]|--) ?(?:[ivxlcdm]+|\d+[a-z]?))* ?(?:pp?\.?"
    r"|pages)?$)[^\n]+$"
)

RULES = (
    invalid_year,
    year_conflict,
    invalid_date,
    date_order,
    month_form,
    page_range,
    page_overlap,
    number_form,
    not_integer,
)
