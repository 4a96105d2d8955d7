"""A run of rules over a library: how much it says."""

from __future__ import annotations

from datetime import date

from refkit.check import runner
from refkit.check.library import Library
from refkit.check.registry import rules
from refkit.model import Entry


def test_an_entry_gets_so_many_findings_of_a_rule_and_no_more() -> None:
    names = " and ".join(f"Lee, Ada{number} L" for number in range(500))
    library = Library([Entry("k", "misc", {"title": "T", "author": names})], today=date(2026, 1, 1))
    found = runner.run(library, {"initial-without-dot"}).diagnostics
    assert len(found) == 20


def test_a_message_stays_short_whatever_the_value() -> None:
    library = Library([Entry("k", "misc", {"title": "T", "doi": "x" * 100_000})], today=date(2026, 1, 1))
    (found,) = runner.run(library, {"invalid-doi"}).diagnostics
    assert len(found.message) < 500


def test_an_empty_library_gives_no_finding() -> None:
    assert runner.run(Library([], today=date(2026, 1, 1)), set(rules())).diagnostics == []
