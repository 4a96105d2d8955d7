"""The language of ``:filter:``."""

from __future__ import annotations

import pytest

from refkit.model import Entry
from refkit.sphinxext.filters import FilterError, Subject, compile_filter

ENTRY = Entry(
    "Doe2020",
    "article",
    {"author": "van Doe, Jr, Jane and {The Team} and others", "title": "On GPUs", "year": "2020"},
)


def ask(expression: str, docname: str = "here", cited_in: tuple[str, ...] = ("here",)) -> object:
    return compile_filter(expression)(Subject(ENTRY, docname, frozenset(cited_in)))


@pytest.mark.parametrize(
    "expression",
    [
        "True",
        "cited",
        "not (not cited)",
        "docname in docnames",
        "type == 'article' and key == 'doe2020'",
        "year >= '2000' and year < '2021'",
        "title % 'gpus' or title % '^x'",
        "author % 'van Doe, Jr, Jane and The Team and others'",
        "editor == '' and nosuchfield == ''",
        "key in {'a', 'doe2020'}",
        "{'here'} <= docnames",
        "docname not in {'there'}",
    ],
)
def test_what_is_true_of_an_entry(expression: str) -> None:
    assert ask(expression)


@pytest.mark.parametrize(
    "expression", ["False", "not cited", "type != 'article'", "'x' in title", "{'a'} == docnames"]
)
def test_what_is_false_of_it(expression: str) -> None:
    assert not ask(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "a b",
        "__import__('os')",
        "title.upper()",
        "[1]",
        "1 < 2 < 3",
        "-1",
        "lambda: 1",
        "title + 'x'",
        "(" * 500,
    ],
)
def test_what_is_no_filter(expression: str) -> None:
    with pytest.raises(FilterError):
        compile_filter(expression)


@pytest.mark.parametrize("expression", ["title % '('", "1 % 'x'", "1 < title", "1 in title"])
def test_what_cannot_be_asked(expression: str) -> None:
    with pytest.raises(FilterError):
        ask(expression)
