"""Numbers and dates: years, EDTF, months, pages, volumes, editions."""

from __future__ import annotations

from refkit.check.numbers import dates, pages, volumes, years

#: In the order of the manual.
RULES = (
    years.invalid_year,
    years.year_conflict,
    dates.invalid_date,
    dates.date_order,
    dates.month_form,
    pages.page_range,
    pages.page_overlap,
    volumes.number_form,
    volumes.not_integer,
)
