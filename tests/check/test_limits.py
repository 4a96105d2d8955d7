"""No input makes a rule slow or crash."""

from __future__ import annotations

from datetime import date

import pytest
from tests import effort

from refkit.check import runner
from refkit.check.library import Library
from refkit.check.registry import rules
from refkit.model import Entry

FIELDS = (
    "title author booktitle journal pages url doi note howpublished date year month volume number edition "
    "isbn eprint eventtitle publisher organization file pagetotal entrysubtype shorttitle primaryclass "
    "series crossref"
).split()
# fmt: off
PIECES = [
    "a", "A", "Aa", "aA", "1", "1.", "-", "--", "$", "\\", "\\a", "&", "&a", "<", "<i", "(", "[", "`", '"',
    "*", "**a", ":", ".", ";", "{", "{a", "}", "{}", "é", "Ã", "ж", "aж", "—", "http:", "10.", "/", "%",
    "_", "^", "#", "\\{", "\\}", "\\(", "~", "$\\", "a;", "A{", "(a", "\\url{", "\\href{a", "\\left", "I'",
    "…", "²", " a", " and ", "a, ", "<i ", " - ", "https://a ", "A. ", ", ", "et al ", "Proc. ", "Jan 1",
    ", A", "A B ", " A{B} ", "2024 ", " of ", "\u200b", "a\u0301", "´", "a- ", "?utm_a=", "&utm_a=b",
    "A, B, ", "1--2",
]
# fmt: on
LONG = 12_000
RULES = [rule for rule in rules().values() if rule.check is not None and rule.needs == "entries"]


@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_long_run_of_anything_is_checked_in_time(piece: str) -> None:
    value = piece * (LONG // len(piece))
    entries = [
        Entry(field, "misc", {"title": "T", "author": "Lee, Ada", "archiveprefix": "arXiv", field: value})
        for field in FIELDS
    ]
    for rule in RULES:
        assert rule.check is not None
        with effort.ends(20):
            list(rule.check(Library(entries, today=date(2026, 1, 1))))


def test_digits_that_are_no_decimals_are_no_numbers() -> None:
    entry = Entry(
        "k",
        "article",
        {
            "title": "T",
            "year": "²²²²",
            "date": "²²²²",
            "volume": "²",
            "pages": "²--²",
            "edition": "²",
            "month": "²",
            "issue": "²",
        },
    )
    runner.run(Library([entry], today=date(2026, 1, 1)), set(rules()))
