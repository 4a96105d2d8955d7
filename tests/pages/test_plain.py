"""Pages read without docutils: what is read says the same as docutils does, and all else is left to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refkit.pages import plain, reader, rst
from refkit.pages.model import Citation, Page, Source, Toctree

PAGE = """\
Attention
=========

What to read, and in
which order :cite:p:`one`.

.. source:: dao2022flashattention
   :title: FlashAttention

   Tiles *the* softmax in ``sram``, see
   :cite:t:`one, two`; **then** more.

   A second paragraph.

.. source:: one
   :waits-for: numbers: of others
   :review: 2027-01-02

.. toctree::
   :caption: More

   a/b
   Name <c>

Later
-----

Term
    Its meaning, see :doc:`that </page>`.
"""
#: Pieces of which a random page is made: what is read without docutils, and what looks much like it.
# fmt: off
PIECES = [
    "Attention\n=========\n", "AB\n==\n", "Long title\n===\n", "Über A\n======\n", "注意力\n======\n",
    "====\nOver\n====\n", "\n", "\n\n", " ", "   ", "\t", "a", "word ", "Words of a text. ", "A. ", "1. ",
    "(a) ", "#. ", "- ", "* ", "*em* ", "*a b*. ", "**strong** ", "*", "**", "``code`` ", "``a\nb`` ", "``",
    "`", ":cite:p:`k1` ", ":cite:t:`k1, k2` ", "(:cite:`k3`) ", ":footcite:p:`k4`. ", "x:cite:p:`k5` ",
    ":cite:p:`k6`x ", ":cite:p:`{see}k7{p. 3}` ", ":cite:p:`k\n8` ", ":cite:p:` k9` ", ":doc:`a </b>` ",
    ":math:`x` ", "`a <b>`_ ", "`a`_ ", "a_ ", "a__ ", "_a ", "a_b ", "|x| ", "| line\n", "[1]_ ",
    "https://example.org ", "a@example.org ", "a:b ", "a: b ", "Note:: ", "::\n", "end::\n", "\\ ", "\\*",
    "\n   ", "\n    ", "\n\n   ", "\n\n", "\n\n", "\n", ".. ", ".. comment\n", ".. _label:\n\n",
    ".. |x| replace:: y\n", "\n.. source:: key\n", "\n\n.. source:: key1\n   :title: T\n\n   ",
    "\n\n.. source:: key2\n\n   Text :cite:p:`k1`.\n\n", "   :title: A *b*\n", "   :class: a\n",
    "   :unknown: a\n", "   :review: 2026-01-01\n", "   :waits-for:\n", "\n.. source:: a b\n",
    "\n.. source::\n", "   .. source:: nested\n", "\n.. toctree::\n\n   a\n   b <c>\n\n",
    "\n.. toctree::\n   :glob:\n\n   a*\n\n", "\n.. note::\n\n   Text.\n\n",
    "\n.. code-block:: rst\n\n   .. source:: x\n\n   :cite:p:`k`\n\n",
    "\n.. only:: html\n\n   .. source:: y\n\n", "\n.. bibliography::\n   :all:\n\n",
    "Term\n   Meaning.\n\n", ":field: body\n\n", "--opt  text\n", ">>> code\n", "+--+\n|  |\n+--+\n",
    "== ==\na  b\n== ==\n", "----\n\n", "(", ")", "“q” ", "\"", "'", "a\n---\n\n", "\u00a0", "\u2028", "\f",
]
# fmt: on


def test_a_page_is_read() -> None:
    words = (
        ("text", "Tiles "),
        ("em", (("text", "the"),)),
        ("text", " softmax in "),
        ("code", "sram"),
        ("text", ", see "),
        ("cite", "t", ("one", "two")),
        ("text", "; "),
        ("strong", (("text", "then"),)),
        ("text", " more. A second paragraph."),
    )
    assert plain.read(PAGE) == Page(
        "Attention",
        "What to read, and in which order [one].",
        (
            Source("dao2022flashattention", 7, "FlashAttention", words),
            Source("one", 15, "", (), (), "numbers: of others", "2027-01-02"),
        ),
        (Toctree("More", ("a/b", "Name <c>")),),
        (Citation("one", 4), Citation("one", 10), Citation("two", 10)),
    )


def test_docutils_says_the_same_of_it() -> None:
    assert plain.read(PAGE) == rst.read(PAGE, "")


def test_the_pages_of_the_project_are_read_without_docutils(root: Path) -> None:
    pages = [path for path in (root / "docs").rglob("*.rst") if ".. source::" in path.read_text("utf-8")]
    given_up = [path.name for path in pages if plain.read(path.read_text("utf-8")) is None]
    assert (len(pages), given_up) == (30, [])


@pytest.mark.parametrize(
    "text", ["", "a", "A\n=", "=", ".. source:: a", "A\n=\n\n.. source:: a", "A\n=\n.. source:: a\n"]
)
def test_small_texts(text: str) -> None:
    _agree(text)


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(PIECES), max_size=14), st.booleans())
def test_a_random_page_says_what_docutils_reads(pieces: list[str], with_title: bool) -> None:
    _agree(("Title\n=====\n\n" if with_title else "") + "".join(pieces))


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(PAGE)), st.integers(0, 12), st.lists(st.sampled_from(PIECES), max_size=3))
def test_a_changed_page_says_what_docutils_reads(at: int, cut: int, pieces: list[str]) -> None:
    _agree(PAGE[:at] + "".join(pieces) + PAGE[at + cut :])


def _agree(text: str) -> None:
    found = plain.read(text)
    if found is None:
        return
    expected = rst.read(text, "")
    if not expected.sources:  # the text of a page without sources is not asked for
        expected = expected._replace(intro="")
        if not expected.toctrees:
            expected = expected._replace(title=found.title)
    assert found == expected


def test_what_is_not_plain_is_read_all_the_same() -> None:
    page = reader.read_page(PAGE + "\n.. note::\n\n   .. source:: nested\n")
    assert [source.key for source in page.sources] == ["dao2022flashattention", "one", "nested"]
