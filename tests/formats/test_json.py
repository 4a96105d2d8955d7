"""refkit's own view: complete, and the shape that programs rely on."""

from __future__ import annotations

import json

import pytest

from refkit.bibtex import read_text
from refkit.formats import FORMATS
from refkit.formats.json import loads, view
from refkit.hub import Item

TEXT = r"""
@Article{K+1:a/b,
  author = {van der {\O}st, Jr, Jan and {Some Group} and others},
  editor = {Ma},
  title  = {On {\'E}mile's   50\% \emph{rule}},
  year   = 2013, month = sep # "~15",
  doi    = {https://doi.org/10.1000/AbC_1},
  url    = {https://ex.org/a\_b},
  eprint = {arXiv:2101.00011v2}, archiveprefix = {arXiv}, primaryclass = {cs.LG},
}
"""


def test_the_view_has_raw_and_plain_values_people_and_identifiers() -> None:
    (entry,) = read_text(TEXT, file="refs.bib").entries

    found = view(entry)

    assert {name: found[name] for name in ("key", "type", "file", "line")} == {
        "key": "K+1:a/b",
        "type": "article",
        "file": "refs.bib",
        "line": 2,
    }
    assert found["fields"]["title"] == {
        "raw": r"On {\'E}mile's 50\% \emph{rule}",
        "text": "On Émile's 50% rule",
    }
    assert list(found["fields"]) == list(entry.fields)
    assert found["names"] == {
        "author": [
            {"family": "Øst", "given": "Jan", "prefix": "van der", "suffix": "Jr"},
            {"literal": "Some Group"},
        ],
        "editor": [{"family": "Ma"}],
    }
    assert found["others"] is True
    assert found["doi"].lower() == "10.1000/abc_1"
    assert found["url"] == "https://ex.org/a_b"
    assert found["eprint"] == "2101.00011v2"
    assert found["primaryclass"] == "cs.LG"
    assert found["date"] == "2013-09-15"


def test_what_an_entry_lacks_is_empty() -> None:
    (entry,) = read_text("@misc{a, title = {T}}").entries

    found = view(entry)

    assert [found[name] for name in ("doi", "eprint", "primaryclass", "url", "date")] == [""] * 5
    assert found["names"] == {}
    assert "others" not in found


def test_inherited_values_are_among_the_fields() -> None:
    entry = read_text("@inbook{a, crossref={b}}@book{b, title={T}}").entries[0]

    assert view(entry)["fields"]["booktitle"] == {"raw": "T", "text": "T"}


def test_a_file_is_one_array_in_order_and_read_back_to_the_same_entries() -> None:
    entries = read_text(TEXT + "@misc{b, note = {n}}\n", file="refs.bib").entries

    text = FORMATS["json"].dumps(Item(entry) for entry in entries)

    assert [row["key"] for row in json.loads(text)] == ["K+1:a/b", "b"]
    back = loads(text)
    assert [(e.key, e.type, e.fields, e.file, e.line) for e in back] == [
        (e.key, e.type, e.fields, e.file, e.line) for e in entries
    ]


def test_no_entries_are_an_empty_array() -> None:
    assert json.loads(FORMATS["json"].dumps([])) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("{}", "is not an array"),
        ("[1]", "entry 1 is not of the form"),
        ('[{"key": "a", "type": "misc", "fields": {"x": "y"}}]', "entry 1 is not of the form"),
    ],
)
def test_a_file_that_is_no_view_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        loads(text)
