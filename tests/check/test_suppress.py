"""Answers to findings: each with a reason, for a time, and for something."""

from __future__ import annotations

from datetime import date

import pytest

from refkit.check.runner import Result
from refkit.check.suppress import answers

from .conftest import Check

ENTRY = "@misc{lee2024, author = {Lee, Ada}, title = {A Title.}, year = {2024}, note = {One}}"


def project(table: str) -> dict[str, str]:
    return {"pyproject.toml": f"[tool.refkit.suppress]\n{table}\n", "bib/refs.bib": ENTRY}


def codes(result: Result) -> list[str]:
    return [diagnostic.code for diagnostic in result.diagnostics]


def test_an_answer_with_a_reason_holds_its_finding_back(check: Check) -> None:
    result = check(project('"final-stop:lee2024" = "the title ends so in print"'))
    assert codes(result) == []
    assert result.suppressed == 1


def test_an_answer_may_name_the_field(check: Check) -> None:
    assert codes(check(project('"final-stop:lee2024.title" = "the title ends so in print"'))) == []
    assert "final-stop" in codes(check(project('"final-stop:lee2024.note" = "the title ends so in print"')))


def test_an_answer_without_a_reason_answers_nothing(check: Check) -> None:
    for reason in ('""', '"ok"', "3", "{ until = 2030-01-01 }"):
        assert codes(check(project(f'"final-stop:lee2024" = {reason}'))) == ["final-stop", "suppression"]


def test_an_answer_past_its_day_brings_the_finding_back(check: Check) -> None:
    table = '"final-stop:lee2024" = {{ reason = "fixed in the next printing", until = {} }}'
    assert codes(check(project(table.format("2026-12-31")))) == []
    assert codes(check(project(table.format("2026-01-31")))) == ["final-stop", "suppression"]


def test_an_answer_to_nothing_is_a_finding(check: Check) -> None:
    assert codes(check(project('"final-stop:poe2023" = "the title ends so in print"'))) == [
        "final-stop",
        "suppression",
    ]


def test_an_answer_to_a_rule_that_does_not_run_is_no_finding(check: Check) -> None:
    assert (
        codes(
            check(
                project('"final-stop:lee2024" = "the title ends so in print"'), "missing-field", "suppression"
            )
        )
        == []
    )


def test_an_answer_must_name_what_it_is_about(check: Check) -> None:
    result = check(project('"final-stop" = "all titles end so in print"'))
    assert codes(result) == ["final-stop", "suppression"]
    assert "'code:key'" in result.diagnostics[-1].message


def test_an_answer_of_an_unknown_code_is_a_finding(check: Check) -> None:
    assert codes(check(project('"final-stops:lee2024" = "the title ends so in print"'))) == [
        "final-stop",
        "suppression",
    ]


@pytest.mark.parametrize("until", ["2027-01-31", date(2027, 1, 31)])
def test_the_day_may_be_a_date_or_a_text(until: object) -> None:
    (answer,) = answers({"final-stop:lee2024": {"reason": "for a while", "until": until}})
    assert answer.until == date(2027, 1, 31)
    assert not answer.problem


def test_a_finding_of_the_reader_can_be_answered_too(check: Check) -> None:
    files = {
        "pyproject.toml": '[tool.refkit.suppress]\n"duplicate-field:lee2024" = "kept for an old program"\n',
        "bib/refs.bib": ENTRY.replace(".}", "}").replace("note =", "note = {Two}, note ="),
    }
    assert codes(check(files)) == []
