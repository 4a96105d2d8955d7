"""Annotations written as text, HTML and TeX."""

from __future__ import annotations

from refkit.labels import Label
from refkit.pages.inline import cite_keys, cited, to_html, to_tex, to_text

LABELS = {"a": Label("Dao et al.", "2022"), "g": Label("PTX ISA")}
TREE = (
    ("text", "Uses 5 < 6 & "),
    ("em", (("text", "x_1"),)),
    ("text", " "),
    ("code", "std::vector<int>"),
    ("text", " "),
    ("link", (("text", "here"),), "https://example.org/?a=1&b"),
    ("text", " as "),
    ("cite", "t", ("a",)),
    ("text", " says "),
    ("cite", "p", ("a", "g", "unknown")),
)


def test_text_names_cited_works_by_their_labels() -> None:
    assert to_text(TREE, LABELS.get) == (
        "Uses 5 < 6 & x_1 std::vector<int> here as Dao et al. (2022) says [Dao et al. 2022; PTX ISA; unknown]"
    )


def test_html_is_escaped_and_keeps_markup_and_links() -> None:
    assert to_html(TREE[:6], LABELS.get) == (
        "Uses 5 &lt; 6 &amp; <em>x_1</em> <code>std::vector&lt;int&gt;</code> "
        '<a href="https://example.org/?a=1&amp;b">here</a>'
    )


def test_an_unsafe_address_loses_its_link_in_html() -> None:
    assert to_html((("link", (("text", "x"),), "javascript:alert(1)"),), LABELS.get) == "x"


def test_tex_escapes_specials_and_keeps_emphasis() -> None:
    assert to_tex(TREE[:4], LABELS.get) == r"Uses 5 < 6 \& \emph{x\_1} \texttt{std::vector<int>}"


def test_keys_are_cited_in_order_also_inside_other_markup() -> None:
    assert cited((("em", (("cite", "p", ("a", "b")),)), ("cite", "t", ("c",)))) == ["a", "b", "c"]


def test_notes_of_a_citation_are_not_keys() -> None:
    assert cite_keys("{see}key1{p. 3, 4}, key2") == ("key1", "key2")
