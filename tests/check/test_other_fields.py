"""Good entries of physics, law and the humanities, in many languages, are in order."""

from __future__ import annotations

from pathlib import Path

from .conftest import Check

GOOD = Path(__file__).parents[1] / "data" / "check" / "other_fields.bib"


def test_good_entries_are_in_order(check: Check) -> None:
    assert [str(one) for one in check(GOOD.read_text("utf-8")).diagnostics] == []
