"""Capitals of titles: the words that lack braces."""

from __future__ import annotations

import pytest
from tests.check.conftest import Check


@pytest.mark.parametrize("word", [r"H\textsubscript{2}O", r"$SU(2)$", "GPU-SIMT"])
def test_the_word_that_lacks_braces_is_named_with_all_that_is_in_it(check: Check, word: str) -> None:
    entry = f"@misc{{a, author = {{Lee, Ada}}, title = {{Kernels of {word} and others}}, year = {{2020}}}}"
    (found,) = check({"bib/refs.bib": entry}, "unprotected-capitals").diagnostics
    assert f"lower {word}:" in found.message


def test_braces_that_an_export_escaped_are_to_be_braces(check: Check) -> None:
    entry = r"@misc{a, author = {Lee, Ada}, title = {$\{$TensorFlow$\}$: a system}, year = {2020}}"
    (found,) = check(entry).diagnostics
    assert (found.code, found.fixable) == ("unprotected-capitals", True)
    assert "write {TensorFlow}" in found.message


@pytest.mark.parametrize(
    ("title", "fixed"),
    [
        (
            "{Search for the Standard Model Higgs boson with the ATLAS detector}",
            "Search for the {Standard} {Model} {Higgs} boson with the {ATLAS} detector",
        ),
        ("{Anti-de Sitter space and holography}", "Anti-de {Sitter} space and holography"),
        (
            "{On the large $N$ limit: A theory of Yang-Mills fields}",
            "On the large {$N$} limit: A theory of {Yang-Mills} fields",
        ),
        ("{Dynamical Breaking of Global Symmetries}", "Dynamical Breaking of Global Symmetries"),
    ],
)
def test_a_title_that_loses_its_braces_keeps_its_names(check: Check, title: str, fixed: str) -> None:
    entry = f"@misc{{a, author = {{Lee, Ada}}, title = {{{title}}}, year = {{2020}}}}"
    ((_, finding),) = check(entry, "braced-title").found
    assert finding
    assert callable(finding.fix)
    assert finding.fix() == {"title": fixed}
