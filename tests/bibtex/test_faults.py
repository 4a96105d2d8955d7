"""Every fault of one character, at each place of a file: it costs its own entry only, and is never silent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from refkit.bibtex import Document, read_text

TEXT = (Path(__file__).resolve().parent.parent / "data" / "bibtex" / "forms.bib").read_text(encoding="utf-8")
#: Characters that have a meaning outside of values or end them.
SYNTAX = '{}",=@#()'


def entries(document: Document) -> dict[str, tuple[str, dict[str, str]]]:
    return {entry.key: (entry.type, entry.fields) for entry in (*document.entries, *document.xdata)}


def faults(change: str) -> Iterator[tuple[str, int]]:
    """Texts with one character left out or doubled, and where."""
    for at, char in enumerate(TEXT):
        if char in SYNTAX:
            yield TEXT[:at] + char * (2 if change == "doubled" else 0) + TEXT[at + 1 :], at


def owner(at: int) -> str:
    """The key of the entry at a position, ``""`` where there is none; "seven" stands for its heir too."""
    for entry in (*GOOD.entries, *GOOD.xdata):
        if entry.start <= at < entry.end:
            return entry.key
    return ""


GOOD = read_text(TEXT)


def test_the_file_itself_has_no_fault() -> None:
    assert len(GOOD.entries) == 7
    assert GOOD.diagnostics == []


@pytest.mark.parametrize("change", ["left out", "doubled"])
def test_no_other_entry_is_touched(change: str) -> None:
    good = entries(GOOD)
    for text, at in faults(change):
        found = entries(read_text(text))
        key = owner(at)
        if key:
            others = good.keys() - ({key, "eight"} if key == "seven" else {key})
            assert {name: found.get(name) for name in others} == {name: good[name] for name in others}, text[
                at:
            ][:40]
            assert len(found.keys() - good.keys()) <= 1, text[at:][:40]


@pytest.mark.parametrize("change", ["left out", "doubled"])
def test_no_change_of_structure_is_silent(change: str) -> None:
    good = entries(GOOD)
    for text, at in faults(change):
        document = read_text(text)
        found = entries(document)
        shape = {key: (type, list(fields)) for key, (type, fields) in found.items()}
        if shape != {key: (type, list(fields)) for key, (type, fields) in good.items()}:
            assert [d for d in document.diagnostics if d.severity != "info"], text[max(0, at - 20) : at + 40]


@pytest.mark.parametrize("change", ["left out", "doubled"])
def test_nothing_is_lost(change: str) -> None:
    for text, _ in faults(change):
        document = read_text(text)
        assert "".join(text[block.start : block.end] for block in document.blocks) == text
