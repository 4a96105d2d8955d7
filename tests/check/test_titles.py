"""Titles: stops that belong to them, and words that lack braces."""

from __future__ import annotations

import pytest

from .conftest import PAPER, Check, codes


@pytest.mark.parametrize(
    "journal", ["Phys. Rev. Lett.", "Proc. London Math. Soc.", "Biometr.", "J.~Stat. Mech."]
)
def test_the_stop_of_an_abbreviated_journal_is_part_of_it(check: Check, journal: str) -> None:
    entry = f"@article{{a, {PAPER} journal = {{{journal}}}, year = {{2019}}}}"
    assert codes(check, entry) <= {"number-form"}
    assert "final-stop" in codes(check, entry.replace(journal, "The Journal of Loops."))


@pytest.mark.parametrize("word", [r"H\textsubscript{2}O", r"$SU(2)$", "GPU-SIMT"])
def test_the_word_that_lacks_braces_is_named_with_all_that_is_in_it(check: Check, word: str) -> None:
    entry = f"@misc{{a, author = {{Lee, Ada}}, title = {{Kernels of {word} and others}}, year = {{2020}}}}"
    (found,) = check({"bib/refs.bib": entry}, "unprotected-capitals").diagnostics
    assert f"lower {word}:" in found.message


@pytest.mark.parametrize(
    "journal", ["Nature Commun.", r"Ann{\'{e}}e Sociol.", "Physics Lett.", "Lecture Notes Math."]
)
def test_a_journal_of_which_the_last_word_is_shortened_keeps_its_stop(check: Check, journal: str) -> None:
    entry = f"@article{{a, {PAPER} journal = {{{journal}}}, year = {{2019}}}}"
    assert "final-stop" not in codes(check, entry)


def test_braces_that_an_export_escaped_are_to_be_braces(check: Check) -> None:
    entry = r"@misc{a, author = {Lee, Ada}, title = {$\{$TensorFlow$\}$: a system}, year = {2020}}"
    (found,) = check(entry).diagnostics
    assert (found.code, found.fixable) == ("unprotected-capitals", True)
    assert "write {TensorFlow}" in found.message
