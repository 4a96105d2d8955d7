"""Citation keys, compared with what the entry says."""

from __future__ import annotations

import pytest
from tests.check.conftest import Check, codes


@pytest.mark.parametrize("name", ["李, 明", "Толстой, Лев", "Παπαδόπουλος, Γιώργος"])
def test_a_key_is_not_compared_with_a_name_in_another_script(check: Check, name: str) -> None:
    entry = f"@misc{{li2019, author = {{{name}}}, title = {{Title}}, year = {{2019}}}}"
    assert "key-mismatch" not in codes(check, entry)
    assert "key-mismatch" in codes(check, entry.replace(name, "Sørensen, Åse"))


def test_a_key_may_begin_with_the_short_title(check: Check) -> None:
    act = "author = {{European Parliament}}, title = {On the Protection of Data}, date = {2016}"
    assert "key-mismatch" not in codes(check, f"@misc{{gdpr2016, shorttitle = {{GDPR}}, {act}}}")
    assert "key-mismatch" in codes(check, f"@misc{{gdpr2016, {act}}}")
