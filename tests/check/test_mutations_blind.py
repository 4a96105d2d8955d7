"""Slips thought of without knowledge of the rules: each gives a new finding that says what is wrong."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from refkit.model import Diagnostic
from refkit.pages import Pages

from .conftest import check_edited, check_project
from .mutations_blind import SLIPS, Slip

_SEVERITIES = ("info", "warning", "error")


def _identity(diagnostic: Diagnostic) -> tuple[str, str | None, str]:
    return diagnostic.code, diagnostic.key, diagnostic.message


def _fits(slip: Slip, diagnostic: Diagnostic) -> bool:
    """Whether a finding says what is wrong; that a value was changed since it was checked does not say it."""
    if diagnostic.code.startswith("changed"):
        return False
    if _SEVERITIES.index(diagnostic.severity) < _SEVERITIES.index(slip.least):
        return False
    on_page = slip.file.startswith("docs/") and (diagnostic.file or "").endswith(slip.file)
    if slip.key and slip.key != diagnostic.key and slip.key not in diagnostic.message and not on_page:
        return False
    return re.search(slip.says, f"{diagnostic.code}: {diagnostic.message}", re.IGNORECASE) is not None


@pytest.fixture(scope="module")
def before(copy: Path, pages: Pages) -> Counter[tuple[str, str | None, str]]:
    """What is said about the project as it is."""
    return Counter(_identity(diagnostic) for diagnostic in check_project(copy, pages=pages).diagnostics)


def test_there_are_forty_slips() -> None:
    assert len({slip.what for slip in SLIPS}) == len(SLIPS) == 40


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.what)
def test_a_slip_gives_a_new_finding_that_says_what_is_wrong(
    slip: Slip, copy: Path, pages: Pages, before: Counter[tuple[str, str | None, str]]
) -> None:
    text = (copy / slip.file).read_text("utf-8")
    start = text.find(slip.after)
    at = text.find(slip.old, start)
    assert min(start, at) >= 0, "the slip fits the file no more"
    found = check_edited(copy, pages, slip.file, at, slip.old, slip.new)
    known = before.copy()
    new: list[Diagnostic] = []
    for diagnostic in found:
        if known[_identity(diagnostic)] > 0:
            known[_identity(diagnostic)] -= 1
        else:
            new.append(diagnostic)
    assert [diagnostic for diagnostic in new if _fits(slip, diagnostic)], [
        str(diagnostic) for diagnostic in new
    ]
