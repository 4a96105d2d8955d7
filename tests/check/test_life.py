"""What comes and goes: linked files."""

from __future__ import annotations

from .conftest import Check


def test_a_path_of_windows_is_shown_as_it_is(check: Check) -> None:
    entry = r"@misc{a, title = {T}, year = {2020}, file = {PDF:C\:\\Users\\x\\a.pdf:application/pdf}}"
    (found,) = check(entry, "missing-file").diagnostics
    assert r"'C:\Users\x\a.pdf'" in found.message
