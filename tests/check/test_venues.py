"""Venues: shortened names beside whole ones."""

from __future__ import annotations

from .conftest import PAPER, Check, codes


def test_a_library_of_one_shortened_name_is_not_said_to_write_others_in_full(check: Check) -> None:
    entry = f"@article{{a, {PAPER} journal = {{Phys. Lett. B}}, year = {{2019}}}}"
    assert "abbreviated-venue" not in codes(check, entry)


def test_a_library_that_shortens_names_by_any_words_is_not_said_to_write_others_in_full(check: Check) -> None:
    journals = ("Phys. Rev. Lett.", "Nucl. Phys. B", "Izv. Akad. Nauk", "Annalen der Physik", "Astron. J.")
    entries = [
        f"@article{{a{at}, {PAPER} journal = {{{name}}}, year = {{2019}}}}"
        for at, name in enumerate(journals)
    ]
    assert "abbreviated-venue" not in codes(check, *entries)
