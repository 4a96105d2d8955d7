"""Punctuation of titles: stops that belong to them."""

from __future__ import annotations

import pytest
from tests.check.conftest import PAPER, Check, codes


@pytest.mark.parametrize(
    "journal", ["Phys. Rev. Lett.", "Proc. London Math. Soc.", "Biometr.", "J.~Stat. Mech."]
)
def test_the_stop_of_an_abbreviated_journal_is_part_of_it(check: Check, journal: str) -> None:
    entry = f"@article{{a, {PAPER} journal = {{{journal}}}, year = {{2019}}}}"
    assert codes(check, entry) <= {"number-form"}
    assert "final-stop" in codes(check, entry.replace(journal, "The Journal of Loops."))


@pytest.mark.parametrize(
    "journal", ["Nature Commun.", r"Ann{\'{e}}e Sociol.", "Physics Lett.", "Lecture Notes Math."]
)
def test_a_journal_of_which_the_last_word_is_shortened_keeps_its_stop(check: Check, journal: str) -> None:
    entry = f"@article{{a, {PAPER} journal = {{{journal}}}, year = {{2019}}}}"
    assert "final-stop" not in codes(check, entry)
