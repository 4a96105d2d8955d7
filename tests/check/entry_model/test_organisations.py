"""Organisations: how they are spelled."""

from __future__ import annotations

import pytest
from tests.check.conftest import PAPER, Check, codes


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
