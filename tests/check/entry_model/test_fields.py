"""Fields: which go together."""

from __future__ import annotations

from tests.check.conftest import Check, codes


def test_a_report_of_judgements_needs_no_container(check: Check) -> None:
    case = "title = {Brown v. Board of Education}, volume = {347}, pages = {483}, date = {1954}}"
    assert "incomplete-set" not in codes(check, f"@jurisdiction{{a, {case}")
    assert "incomplete-set" in codes(check, f"@misc{{a, {case}")
