"""Good entries of physics, law and the humanities, in many languages, are in order; bad ones are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refkit.check.runner import Result

Check = Callable[..., Result]
GOOD = Path(__file__).parents[1] / "data" / "check" / "other_fields.bib"
PAPER = "author = {Lee, Ada}, title = {Title}, "


def codes(check: Check, *entries: str) -> set[str]:
    """The rules that find fault with entries."""
    return {one.code for one in check({"bib/refs.bib": "\n".join(entries)}).diagnostics}


def test_good_entries_are_in_order(check: Check) -> None:
    assert [str(one) for one in check({"bib/refs.bib": GOOD.read_text("utf-8")}).diagnostics] == []


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


def test_a_report_of_judgements_needs_no_container(check: Check) -> None:
    case = "title = {Brown v. Board of Education}, volume = {347}, pages = {483}, date = {1954}}"
    assert "incomplete-set" not in codes(check, f"@jurisdiction{{a, {case}")
    assert "incomplete-set" in codes(check, f"@misc{{a, {case}")


@pytest.mark.parametrize("name", ["ACM", "AMD", "USENIX"])
def test_a_name_that_is_right_by_itself_is_wrong_beside_the_other_only(check: Check, name: str) -> None:
    whole = {
        "ACM": "Association for Computing Machinery",
        "AMD": "Advanced Micro Devices",
        "USENIX": "USENIX Association",
    }[name]
    short = f"@book{{a, {PAPER} publisher = {{{name}}}, year = {{2020}}}}"
    assert "organisation-spelling" not in codes(check, short)
    assert "organisation-spelling" in codes(check, short, short.replace(name, whole).replace("{a,", "{b,"))


def test_a_misspelt_organisation_is_wrong_alone(check: Check) -> None:
    assert "organisation-spelling" in codes(
        check, f"@book{{a, {PAPER} publisher = {{Association of Computing Machinery}}, year = {{2020}}}}"
    )


@pytest.mark.parametrize("name", ["李, 明", "Толстой, Лев", "Παπαδόπουλος, Γιώργος"])
def test_a_key_is_not_compared_with_a_name_in_another_script(check: Check, name: str) -> None:
    entry = f"@misc{{li2019, author = {{{name}}}, title = {{Title}}, year = {{2019}}}}"
    assert "key-mismatch" not in codes(check, entry)
    assert "key-mismatch" in codes(check, entry.replace(name, "Sørensen, Åse"))


@pytest.mark.parametrize(
    "journal", ["Phys. Rev. Lett.", "Proc. London Math. Soc.", "Biometr.", "J.~Stat. Mech."]
)
def test_the_stop_of_an_abbreviated_journal_is_part_of_it(check: Check, journal: str) -> None:
    entry = f"@article{{a, {PAPER} journal = {{{journal}}}, year = {{2019}}}}"
    assert codes(check, entry) <= {"number-form"}
    assert "final-stop" in codes(check, entry.replace(journal, "The Journal of Loops."))


def test_a_library_of_one_shortened_name_is_not_said_to_write_others_in_full(check: Check) -> None:
    entry = f"@article{{a, {PAPER} journal = {{Phys. Lett. B}}, year = {{2019}}}}"
    assert "abbreviated-venue" not in codes(check, entry)


@pytest.mark.parametrize("word", [r"H\textsubscript{2}O", r"$SU(2)$", "GPU-SIMT"])
def test_the_word_that_lacks_braces_is_named_with_all_that_is_in_it(check: Check, word: str) -> None:
    entry = f"@misc{{a, author = {{Lee, Ada}}, title = {{Kernels of {word} and others}}, year = {{2020}}}}"
    (found,) = check({"bib/refs.bib": entry}, "unprotected-capitals").diagnostics
    assert f"lower {word}:" in found.message
