"""Fixes change only the spans of their fields, and what they leave is clean."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from refkit.bibtex.reader import read_text
from refkit.check.fix import fixed
from refkit.check.library import Library
from refkit.check.model import BIB, Rule
from refkit.check.registry import chosen, rules
from refkit.check.runner import run

from .conftest import TODAY

FIXABLE = [rule for rule in rules().values() if rule.fixable and list(rule.bad.files) == [BIB]]
Make = Callable[[str], Library]


def fix(text: str, *select: str) -> str:
    """The text after one round of fixes."""
    document = read_text(text, "refs.bib")
    library = Library(document.entries, [document], today=TODAY)
    found = run(library, chosen(select), reported=document.diagnostics).found
    editors = fixed(library, (finding for _, finding in found if finding is not None))
    return editors["refs.bib"].text() if editors else text


def left(text: str, code: str) -> list[str]:
    document = read_text(text, "refs.bib")
    library = Library(document.entries, [document], today=TODAY)
    return [
        one.message
        for one, finding in run(library, {code}).found
        if finding is not None and finding.fix is not None
    ]


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.code)
def test_the_failing_example_is_clean_when_fixed(rule: Rule) -> None:
    text = rule.bad.files[BIB]
    for _ in range(3):
        text = fix(text, rule.code)
    assert text != rule.bad.files[BIB]
    assert left(text, rule.code) == []


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.code)
def test_a_fixed_example_still_reads(rule: Rule) -> None:
    document = read_text(fix(rule.bad.files[BIB], rule.code), "refs.bib")
    assert [one for one in document.diagnostics if one.severity == "error"] == []


def test_only_the_value_changes() -> None:
    text = (
        "% kept\n@Misc{lee2024,\n\tAuthor = {Lee, Ada},  % kept\n\tTitle  =  {A Title.} ,\n\tYear = 2024\n}\n"
    )
    assert fix(text, "final-stop") == text.replace("{A Title.}", "{A Title}")


def test_a_value_that_a_macro_gives_is_left() -> None:
    text = "@string{t = {A Title.}}\n@misc{lee2024, author = {Lee, Ada}, title = t, year = {2024}}\n"
    assert fix(text, "final-stop") == text


def test_a_joined_value_is_left() -> None:
    text = '@string{t = "A"}\n@misc{lee2024, author = {Lee, Ada}, title = t # { Title.}, year = {2024}}\n'
    assert fix(text, "final-stop") == text


def test_an_inherited_value_is_fixed_where_it_stands() -> None:
    text = "@misc{a, title = {T}, year = {2024}, author = {Lee, Ada}, xdata = {x}}\n@xdata{x, note = {n/a}}\n"
    assert fix(text, "null-value") == text


def test_two_rules_of_one_field_take_two_rounds() -> None:
    text = "@misc{lee2024, author = {Lee, Ada}, title = {A Study of GPUs.}, year = {2024}}\n"
    once = fix(text)
    assert fix(once) == "@misc{lee2024, author = {Lee, Ada}, title = {A Study of {GPUs}}, year = {2024}}\n"


def test_an_entry_whose_key_is_not_unique_is_fixed_in_its_first_place_only() -> None:
    entry = "@misc{{k, author = {{Lee, Ada}}, title = {{{}.}}, year = {{2024}}}}\n".format
    text = entry("One") + entry("Two")
    assert fix(text, "final-stop") == text.replace("One.", "One")


def test_names_are_fixed_each_in_its_list() -> None:
    text = "@misc{lee2024, author = {Lee, Ada L and POE, Bo and Lee, Ada L}, title = {T}, year = {2024}}\n"
    assert "{Lee, Ada L. and POE, Bo and Lee, Ada L.}" in fix(text, "initial-without-dot")


def test_a_month_in_words_becomes_a_macro() -> None:
    assert "month = aug" in fix('@misc{k, title = {T}, year = {2024}, month = "August"}', "month-form")
