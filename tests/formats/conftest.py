"""Items that the tests of formats share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refkit.bibtex.reader import read_text
from refkit.hub import Context, Item, Link, Note, item

DATA = Path(__file__).parent.parent / "data" / "formats"

TILING = Note(
    "Attention, tiling, and more",
    "attention",
    "Reads a < b & C++; see 100%.",
    "Reads a &lt; b &amp; C++; <em>see</em> 100%.",
    r"Reads a < b \& C++; \emph{see} 100\%.",
)
SERVING = Note("Serving", "serving", "Pages memory.", "Pages memory.", "Pages memory.")

ReadItem = Callable[[str], Item]


@pytest.fixture(scope="session")
def kinds() -> dict[str, Item]:
    """One item of every kind, by key; no list places them."""
    return {entry.key: item(entry) for entry in read_text((DATA / "kinds.bib").read_text("utf-8")).entries}


@pytest.fixture(scope="session")
def listed() -> dict[str, Item]:
    """The same items as a list places them: in two sections, with an annotation for each."""
    context = Context(
        notes=(TILING, SERVING),
        sections=(("attention", "Attention, tiling, and more"), ("serving", "Serving")),
        tags=("gpu",),
        links=(Link("code", "https://git.ex.org/x"), Link("slides", "javascript:alert(1)", "talk")),
    )
    entries = read_text((DATA / "kinds.bib").read_text("utf-8")).entries
    return {entry.key: item(entry, context) for entry in entries}


@pytest.fixture(scope="session")
def hostile() -> dict[str, Item]:
    """Items whose values imitate tags, markup and code."""
    return {entry.key: item(entry) for entry in read_text((DATA / "hostile.bib").read_text("utf-8")).entries}


@pytest.fixture
def one() -> ReadItem:
    """The item of the only entry in a BibTeX text."""

    def read(text: str) -> Item:
        (entry,) = read_text(text).entries
        return item(entry)

    return read
