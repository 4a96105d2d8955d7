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
