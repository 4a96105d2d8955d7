"""Each mutated copy of the project is caught by the rule meant for it, and the project itself by none."""

from __future__ import annotations

from pathlib import Path

import pytest

from refkit.pages import Pages

from .conftest import check_edited, check_project
from .mutations import MUTATIONS, Mutation


def test_the_project_itself_gives_no_finding(copy: Path) -> None:
    result = check_project(copy)
    assert [str(diagnostic) for diagnostic in result.diagnostics] == []


def test_every_suppression_of_the_project_answers_something(copy: Path, root: Path) -> None:
    import tomllib

    table = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["refkit"].get("suppress", {})
    assert check_project(copy).suppressed == len(table)


def test_there_are_at_least_sixty_mutations() -> None:
    assert len({(one.file, one.old, one.new) for one in MUTATIONS}) == len(MUTATIONS) >= 60


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.what)
def test_a_mutated_copy_is_caught_by_the_rule_meant_for_it(
    mutation: Mutation, copy: Path, pages: Pages
) -> None:
    text = (copy / mutation.file).read_text("utf-8")
    start = text.find(mutation.key) if mutation.file.endswith(".bib") and mutation.key in text else 0
    at = text.find(mutation.old, start)
    at = at if at >= 0 else text.find(mutation.old)
    assert at >= 0, "the mutation fits the file no more"
    found = check_edited(copy, pages, mutation.file, at, mutation.old, mutation.new)
    assert (mutation.rule, mutation.key) in {(diagnostic.code, diagnostic.key) for diagnostic in found}, found
