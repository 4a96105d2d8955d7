"""The manual of the rules: current, complete, and honest about what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from refkit.check.coverage import LEFT_OUT, TOPICS
from refkit.check.manual import body, explanation, page
from refkit.check.registry import rules


def test_the_manual_is_that_of_the_registry(root: Path) -> None:
    folder = root / "docs" / "refkit"
    current = [(folder / name).read_text("utf-8") for name in ("rules.rst", "rules.inc")]
    assert current == [page(), body()], "run: python -m refkit.check.manual docs/refkit"


def test_readers_of_pages_need_not_parse_the_examples() -> None:
    assert "source::" not in page()


def test_every_rule_is_in_the_manual() -> None:
    text = body()
    assert [code for code in rules() if f".. _rule-{code}:" not in text] == []


def test_every_rule_belongs_to_something_that_checkers_look_for() -> None:
    looked_for = {code for _, codes in TOPICS for code in codes}
    beside = {"bad-slug", "comment-in-entry", "commented-entry", "duplicate-field", "xdata-conflict", "limit"}
    beside |= {"arxiv-unreachable", "arxiv-bad-answer", "doi-bad-answer", "published"}
    assert set(rules()) - looked_for == beside
    assert looked_for <= set(rules())


def test_all_seventy_topics_have_a_rule() -> None:
    assert len(TOPICS) == 70
    assert [what for what, codes in TOPICS if not codes] == []


def test_nothing_of_the_list_is_left_out_but_the_pin() -> None:
    assert set(LEFT_OUT) & set(range(60, 71)) == {69}
    assert len(LEFT_OUT) <= 15


@pytest.mark.parametrize("code", rules())
def test_a_rule_explains_itself_in_lines_that_fit(code: str) -> None:
    text = explanation(rules()[code])
    assert text.startswith(code)
    assert rules()[code].title.replace("``", "").split()[0] in text
    assert all(line.isprintable() for line in text.split("\n"))
