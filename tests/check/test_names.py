"""Names: lists that are in order, and names that are no person's."""

from __future__ import annotations

import pytest

from .conftest import Check, codes


def test_a_name_in_the_extended_format_is_one_name(check: Check) -> None:
    names = (
        "family=Rosnay, given=Patricia, prefix=de, useprefix=true and given=Hans, family=Harman, suffix=Jr"
    )
    assert codes(check, f"@misc{{a, author = {{{names}}}, title = {{Title}}, date = {{2020}}}}") == set()
    assert "name-list" in codes(check, "@misc{a, author = {A, B, C, D, E}, title = {Title}, date = {2020}}")


@pytest.mark.parametrize("name", ["WHO", "ISO", "UNICEF"])
def test_initials_alone_are_an_organisation_and_keep_their_capitals(check: Check, name: str) -> None:
    entry = f"@misc{{a, author = {{{name}}}, title = {{Title}}, year = {{2020}}}}"
    assert codes(check, entry) == {"unbraced-organisation"}
    assert "family-name-case" in codes(check, entry.replace(name, "SMITH, Ada"))


def test_initials_that_stand_last_are_no_family_name(check: Check) -> None:
    entry = "@misc{{a, author = {{{}}}, title = {{Title}}, year = {{2020}}}}".format
    (found,) = check(entry("Smith JA and Doe, Jane")).diagnostics
    assert (found.code, "write 'Smith, J. A.'" in found.message) == ("odd-name", True)
    assert codes(check, entry("Leo XIV and Malcolm X and Smith, J. A.")) <= {"family-name-case"}
