"""Foreign text made ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refkit.bibtex.edit import brace_problem
from refkit.enrich import foreign
from refkit.enrich.records import Text
from refkit.values import tex


@pytest.mark.parametrize(
    ("raw", "plain", "value"),
    [
        ("Cats &amp; dogs", "Cats & dogs", r"Cats \& dogs"),
        ("Cats &amp;amp; dogs", "Cats & dogs", r"Cats \& dogs"),
        ("R&D: 100% of #1", "R&D: 100% of #1", r"R\&D: 100\% of \#1"),
        ("<i>In vitro</i> tests", "In vitro tests", r"\emph{In vitro} tests"),
        ("&lt;i&gt;In vitro&lt;/i&gt; tests", "In vitro tests", r"\emph{In vitro} tests"),
        ("H<sub>2</sub>O and x<sup>2</sup>", "H2O and x2", r"H\textsubscript{2}O and x\textsuperscript{2}"),
        ("<jats:p>A <jats:italic>b</jats:italic></jats:p>", "A b", r"A \emph{b}"),
        ("Is a < b and b > c?", "Is a < b and b > c?", "Is a < b and b > c?"),
        ("std::vector<int> at scale", "std::vector<int> at scale", "std::vector<int> at scale"),
        ("A\n   title\u00a0on\tlines", "A title on lines", "A title on lines"),
        (
            "Zero\u200bwidth\ufeff and soft\u00adhyphen",
            "Zerowidth and softhyphen",
            "Zerowidth and softhyphen",
        ),
        ("<i>never closed", "never closed", r"\emph{never closed}"),
        ("closed</i> never opened", "closed never opened", "closed never opened"),
        ("<b>one <i>two</b> three", "one two three", r"\textbf{one \emph{two}} three"),
        (
            "On <mml:math><mml:msup><mml:mi>n</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math> things",
            "On n2 things",
            "On n2 things",
        ),
        (
            "<inline-formula><tex-math>$n^2$</tex-math><mml:math>n</mml:math></inline-formula> x",
            "n x",
            "n x",
        ),
        ("<script>alert(1)</script>", "<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a {b} } c", "a {b} } c", None),
        ("", "", ""),
    ],
)
def test_html_becomes_text_and_tex(raw: str, plain: str, value: str | None) -> None:
    assert foreign.plain(Text(raw)) == plain
    if value is not None:
        assert foreign.to_tex(Text(raw)) == value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (r"A 5% test of $\Lambda$CDM & R&D", r"A 5\% test of $\Lambda$CDM \& R\&D"),
        (r"Erd\H{o}s and G\"odel", "Erdős and Gödel"),
        (r"Cats \& dogs, 100\% done", r"Cats \& dogs, 100\% done"),
        (r"$x_1$ and one_more", r"$x_1$ and one\_more"),
        (r"Costs 5$ or 7$", None),
        (r"$\input{/etc/passwd}$ leaks", None),
    ],
)
def test_titles_of_arxiv_keep_formulas_and_are_escaped_once(raw: str, value: str | None) -> None:
    got = foreign.to_tex(Text(raw, "tex"))

    assert value is None or got == value
    assert not brace_problem(got)
    assert r"\input" not in got


@given(
    st.text(alphabet=st.sampled_from('ab <>/&;{}\\$%#_^~"isub ltgamp\n\u00e9'), max_size=60),
    st.sampled_from(["html", "tex"]),
)
def test_whatever_comes_can_be_written(raw: str, markup: str) -> None:
    text = Text(raw, markup)  # type: ignore[arg-type]  # one of the two words

    value = foreign.to_tex(text)

    assert not brace_problem(value)
    assert "\n" not in value


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_plain_text_survives_the_way_into_tex(raw: str) -> None:
    if "<" in raw or "&" in raw:
        return

    assert tex.decode(foreign.to_tex(Text(raw))) == foreign.plain(Text(raw))


def test_a_text_of_megabytes_costs_no_time() -> None:
    foreign.to_tex(Text("<i" * 1_000_000))
    foreign.to_tex(Text("&amp;" * 1_000_000))
    foreign.to_tex(Text("$" * 1_000_000, "tex"))
