"""Years: which are believed."""

from __future__ import annotations

import pytest
from tests.check.conftest import PAPER, Check, codes


@pytest.mark.parametrize(
    "entry",
    [
        "@book{a, author = {Kant, Immanuel}, title = {Critik}, publisher = {Hartknoch}, year = {1781}}",
        f"@article{{a1890, {PAPER} journal = {{Journal}}, year = {{1890}}, doi = {{10.2307/1321160}}}}",
        "@misc{a, author = {Lee, Ada}, title = {Title}, date = {1215~}}",
        "@legislation{magna1215, title = {Magna Carta}, date = {1215}}",
    ],
)
def test_an_old_year_is_believed_where_more_speaks_for_it(check: Check, entry: str) -> None:
    assert "invalid-year" not in codes(check, entry)


@pytest.mark.parametrize(
    "entry",
    [
        f"@article{{a, {PAPER} journal = {{Journal}}, year = {{1823}}, doi = {{10.1000/1}}}}",
        f"@book{{lee2020, {PAPER} publisher = {{P}}, year = {{1820}}, isbn = {{978-3-16-148410-0}}}}",
        f"@inproceedings{{a, {PAPER} booktitle = {{Proceedings}}, year = {{1820}}}}",
        f"@misc{{a, {PAPER} year = {{1023}}}}",
        f"@book{{a, {PAPER} publisher = {{P}}, year = {{3020}}}}",
    ],
)
def test_an_old_year_of_a_new_work_is_not(check: Check, entry: str) -> None:
    assert "invalid-year" in codes(check, entry)
