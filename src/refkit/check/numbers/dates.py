"""Dates and months: of a form that programs read, and in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.model import Finding, rule
from refkit.values import dates

if TYPE_CHECKING:
    from refkit.check.library import Library

_ISO = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?").fullmatch


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
