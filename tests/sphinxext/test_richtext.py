"""Text with markup: read from escaped HTML, joined, and written in four ways that say the same."""

from __future__ import annotations

import pytest

from refkit.sphinxext import richtext


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("plain &amp; simple", "plain &amp; simple"),
        ("H<sub>2</sub>O", "H<sub>2</sub>O"),
        ("<i>a <b>b</b></i>", "<em>a <strong>b</strong></em>"),
        ('<span class="nocase">GPU</span>s', "GPUs"),
        ("<i>never closed", "<em>never closed</em>"),
        ("never opened</i> <u>and unknown", "never opened &lt;u&gt;and unknown"),
    ],
)
def test_markup_is_read_and_what_does_not_match_is_passed_over(markup: str, expected: str) -> None:
    assert richtext.to_html(richtext.of_markup(markup)) == expected


@pytest.mark.parametrize("markup", ["a <i>b <sup>c</sup></i> d", "", "&lt;script&gt;", "<b></b>x"])
def test_all_ways_of_writing_say_the_same(markup: str) -> None:
    found = (*richtext.of_markup(markup), ("link", richtext.of_text("here"), "https://example.org/?a=1&b=2"))
    said = richtext.plain(found)
    assert str(richtext.to_pybtex(found)) == said
    assert "".join(node.astext() for node in richtext.to_nodes(found)) == said
    assert 'href="https://example.org/?a=1&amp;b=2"' in richtext.to_html(found)


def test_items_are_joined_without_the_empty_ones() -> None:
    items = [richtext.of_text("a"), richtext.of_text(""), richtext.of_text("b")]
    assert richtext.plain(richtext.comma(*items)) == "a, b"


def test_a_sentence_gets_its_full_stop_once() -> None:
    items = [richtext.of_text(text) for text in ("One", "", "Two?", "“Three.”", "Four!")]
    link = (("link", richtext.of_text("five"), "https://example.org"),)
    assert richtext.plain(richtext.in_sentences([*items, link])) == "One. Two? “Three.” Four! five"
