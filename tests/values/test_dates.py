"""Dates: EDTF as BibLaTeX reads it, and years and months in words."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refkit.values import dates
from refkit.values.dates import Date


def iso(date: Date | None) -> str | None:
    return date.iso if date else None


@pytest.mark.parametrize(
    "text",
    """
    2024 2024-05 2024-05-17 2024-02-29 0000 -0876 Y-17000002 Y17000 199X 19XX 1XXX 2024~ 2024? 2024% 2024-05~
    2024-05-17?
    2024-21 2024-24 2024/2025 2024-05/2024-06 2024-05-17/2024-05-19 2024~/2025? 2024/.. 2024/ ../2024 /2024
    2004-01-01T10:10:10 2004-01-01T10:10:10Z 2004-01-01T10:10:10+05:00
    """.split(),
)
def test_parse_reads_edtf_and_iso_writes_it_back(text: str) -> None:
    assert iso(dates.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *"""
        24 024 2024-5 2024-13 2024-00 2024-05-00 2023-02-29 2024-04-31 2024-25 2024-21-01 20240517 2024/05/17
        2024--05 199X-05 X024 Y2024 2024-05-17T25:00:00 2024-05T10:00:00 / ../.. 2024/2025/2026 in-press
        """.split(),
        "",
        "May 2024",
        "2024 05",
        "١٩٩٩",
    ],
)
def test_parse_refuses_what_is_no_date(text: str) -> None:
    assert dates.parse(text) is None


def test_parse_passes_over_blanks_and_unspecified_parts() -> None:
    assert dates.parse(" 2024-05 / 2024-06 ") == Date(2024, 5, until=Date(2024, 6))
    assert dates.parse("2024-XX") == Date(2024)
    assert dates.parse("2024-07-XX") == Date(2024, 7)


def test_marks_say_how_sure_a_date_is() -> None:
    assert dates.parse("1723~") == Date(1723, circa=True)
    assert dates.parse("1723?") == Date(1723, uncertain=True)
    assert dates.parse("1723%") == Date(1723, circa=True, uncertain=True)


def test_ranges_know_their_ends() -> None:
    date = dates.parse("2024-05/2025")
    assert date is not None
    assert (date.start, date.end) == (Date(2024, 5), Date(2025))
    since = dates.parse("2024/..")
    assert since is not None
    assert (since.start, since.end, since.year) == (Date(2024), None, 2024)
    before = dates.parse("../2024")
    assert before is not None
    assert (before.start, before.end, before.year) == (None, Date(2024), 2024)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("2024", [[2024]]),
        ("2024-05-17", [[2024, 5, 17]]),
        ("2024-05/2024-06-01", [[2024, 5], [2024, 6, 1]]),
        ("2024-21", [[2024]]),
        ("2024/..", [[2024]]),
        ("199X", [[1990], [1999]]),
        ("19XX", [[1900], [1999]]),
        ("-0044-03-15", [[-44, 3, 15]]),
    ],
)
def test_date_parts_are_those_of_csl(text: str, parts: list[list[int]]) -> None:
    date = dates.parse(text)
    assert date is not None
    assert date.date_parts() == parts


def test_ris_leaves_unknown_places_empty() -> None:
    assert Date(2024).ris == "2024///"
    assert Date(2024, 5).ris == "2024/05//"
    assert Date(2024, 5, 7).ris == "2024/05/07/"
    assert Date(800).ris == "0800///"


@given(st.dates(), st.sampled_from(["", "~", "?", "%"]), st.sampled_from([4, 7, 10]))
def test_every_day_of_the_calendar_is_read(day: datetime.date, mark: str, length: int) -> None:
    text = day.isoformat()[:length] + mark
    assert iso(dates.parse(text)) == text


@given(st.text())
def test_any_text_gives_a_date_or_none(text: str) -> None:
    for found in (dates.parse(text), dates.of(text, "", "", ""), dates.of("", text, text, text)):
        if found is not None:
            assert dates.parse(found.iso) is not None


# Years and months in words


@pytest.mark.parametrize(
    ("month", "expected"),
    [
        ("sep", "2013-09"),
        ("Sep.", "2013-09"),
        ("Sept.", "2013-09"),
        ("September", "2013-09"),
        ("SEPTEMBER", "2013-09"),
        ("9", "2013-09"),
        (" 09 ", "2013-09"),
        ("{September}", "2013-09"),
        ("sep~15", "2013-09-15"),
        ("15~sep", "2013-09-15"),
        ("September 15", "2013-09-15"),
        ("15 September", "2013-09-15"),
        ("15th~September", "2013-09-15"),
        ("September 15th, ", "2013-09-15"),
        ("15. September", "2013-09-15"),
        ("", "2013"),
        ("unknown", "2013"),
        ("13", "2013"),
        ("31 September", "2013-09"),
    ],
)
def test_a_month_is_read_in_any_usual_spelling(month: str, expected: str) -> None:
    assert iso(dates.of("", "2013", month, "")) == expected


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("8--9", "2013-10-08"),
        ("8–9", "2013-10-08"),
        ("8.", "2013-10-08"),
        ("99", "2013-10"),
        ("8 9", "2013-10"),
    ],
)
def test_of_a_range_in_the_day_field_the_first_is_taken(day: str, expected: str) -> None:
    assert iso(dates.of("", "2013", "oct", day)) == expected


@pytest.mark.parametrize(
    ("month", "expected"),
    [
        ("Sep--Oct", "2013-09"),
        ("September\\slash October", "2013-09"),
        ("May/June", "2013-05"),
        ("May and June", "2013-05"),
        ("10--12 June", "2013-06-10"),
        ("June 10--12", "2013-06-10"),
        ("June 30--July 2", "2013-06-30"),
        ("30 June -- 2 July", "2013-06-30"),
        ("Spring", "2013-21"),
        ("Fall", "2013-23"),
    ],
)
def test_of_a_range_of_months_or_days_the_first_is_taken(month: str, expected: str) -> None:
    assert iso(dates.of("", "2013", month, "")) == expected


@pytest.mark.parametrize(
    ("names", "number"),
    [
        ("Jan januar janvier enero gennaio janeiro januari styczeń leden ocak январь Jän.", 1),
        ("mars März Mrz. marzo março maart mrt mar. marzec březen март mart μάρτιος", 3),
        ("Mai mayo maggio maio mei maj máj май mayıs", 5),
        ("juin junio giugno junho juni jun. czerwiec červen июнь haziran", 6),
        ("juil. juillet julio luglio julho juli lipiec červenec июль temmuz", 7),
        ("Août agosto augustus srpen sierpień Ağustos", 8),
        ("Dez. Dezember déc. décembre dic. diciembre dicembre dezembro prosinec grudzień aralık", 12),
    ],
)
def test_months_are_known_in_many_languages(names: str, number: int) -> None:
    for name in names.split():
        assert dates.month_number(name) == number, name


def test_an_abbreviation_that_could_be_two_months_is_none() -> None:
    assert dates.month_number("jui") is None
    assert dates.month_number("ju") is None
    assert dates.month_number("0") is None
    assert dates.month_number("Spring") is None


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        ("2013", "2013"),
        ("800", "0800"),
        ("2020a", "2020"),
        ("c. 1999", "1999~"),
        ("circa 1999", "1999~"),
        ("[1999]", "1999"),
        ("1999?", "1999?"),
        ("[1999?]", "1999?"),
        ("1999--2000", "1999/2000"),
        ("1999–2000", "1999/2000"),
        ("1999/2000", "1999/2000"),
        ("2013-05", "2013-05"),
        ("to appear, 2024", "2024"),
        ("2024 (1999)", None),
        ("in press", None),
        ("forthcoming", None),
        ("n.d.", None),
        ("", None),
        ("1999-00", "1999/2000"),
        ("2003/04", "2003"),
        ("2003--04", "2003/2004"),
        ("1986--87", "1986/1987"),
        ("1999–2", "1999/2002"),
        ("1992-95", "1992/1995"),
        ("1992-13-01", None),
        ("c. 1914–18", "1914~/1918"),
        ("1992--", "1992/.."),
        ("1992 –", "1992/.."),
        ("0", None),
        ("20245", None),
        ("ISBN 978-1234-5", None),
    ],
)
def test_a_year_is_taken_only_where_it_is_certain(year: str, expected: str | None) -> None:
    assert iso(dates.of("", year, "", "")) == expected


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("17 May 2024", "2024-05-17"),
        ("May 17, 2024", "2024-05-17"),
        ("May 2024", "2024-05"),
        ("Spring 2024", "2024-21"),
        ("2024/05/17", "2024-05-17"),
        ("2024-5-7", "2024-05-07"),
        ("2024.05", "2024-05"),
        ("2024/13", None),
        ("soon", None),
    ],
)
def test_a_date_that_is_no_edtf_is_read_in_words(date: str, expected: str | None) -> None:
    assert iso(dates.of(date, "", "", "")) == expected


def test_date_comes_before_year_and_year_before_nothing() -> None:
    assert iso(dates.of("2024-05-17", "1999", "jan", "")) == "2024-05-17"
    assert iso(dates.of("forthcoming", "1999", "jan", "3")) == "1999-01-03"
    assert iso(dates.of("", "", "jan", "3")) is None


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([[2018, 7, 9]], "2018-07-09"),
        ([["2018", "07", "09"]], "2018-07-09"),
        ([[2019, 5, 1, 12, 30]], "2019-05-01"),
        ([[2019, 5], [2019, 6]], "2019-05/2019-06"),
        ([[None]], None),
        ([[]], None),
        ([], None),
        ([[0]], None),
        ([["soon"]], None),
        ([[2019, 13, 1]], "2019"),
        ([[2019, 2, 30]], "2019-02"),
        ([[2019, None, 3]], "2019"),
    ],
)
def test_date_parts_of_services_are_read_with_care(parts: list[list[object]], expected: str | None) -> None:
    assert iso(dates.of_parts(parts)) == expected
