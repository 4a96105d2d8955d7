"""Venues: shortened names beside whole ones."""

from __future__ import annotations

from .conftest import PAPER, Check, codes


def test_a_library_of_one_shortened_name_is_not_said_to_write_others_in_full(check: Check) -> None:
    entry = f"@article{{a, {PAPER} journal = {{Phys. Lett. B}}, year = {{2019}}}}"
    assert "abbreviated-venue" not in codes(check, entry)
