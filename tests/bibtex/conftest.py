"""Generated .bib files, odd but without a fault."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import strategies as st

BLANK = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\r\n    ", "  "])
#: What may stand between a comma and the next field.
BEFORE_NAME = st.one_of(
    BLANK, BLANK, st.sampled_from([" % a comment\n", "\n  % one line\n% another\r\n  ", ","])
)
WORDS = st.text(st.sampled_from("aZ09 .,:;-'&%#$_~^@=()\"é€\\"), max_size=12)
BRACED = st.recursive(
    WORDS, lambda inner: st.tuples(WORDS, inner, WORDS).map(lambda t: f"{t[0]}{{{t[1]}}}{t[2]}"), max_leaves=4
)
VALUES = st.one_of(
    BRACED.map(lambda value: f"{{{value}}}"),
    BRACED.filter(lambda value: '"' not in value).map(lambda value: f'"{value}"'),
    st.integers(0, 3000).map(str),
    st.just("jan"),
    st.just('"a" # feb # {b}'),
)
NAMES = st.sampled_from(["author", "title", "Year", "MONTH", "note", "x-y", "url", "doi", "booktitle"])


@st.composite
def entries(draw: st.DrawFn, key: str) -> str:
    opening, closing = draw(st.sampled_from(["{}", "()"]))
    type = draw(st.sampled_from(["misc", "Article", "BOOK"]))
    parts = [f"@{type}{draw(BLANK)}{opening}{draw(BLANK)}{key}{draw(BLANK)}"]
    names = draw(st.lists(NAMES, unique_by=str.lower, max_size=5))
    parts += [
        f",{draw(BEFORE_NAME)}{name}{draw(BLANK)}={draw(BLANK)}{draw(VALUES)}{draw(BLANK)}" for name in names
    ]
    commas = [",", ",\n"] if opening == "(" else ["", ",", ",\n"]  # @misc(k) is taken for prose
    return "".join(parts) + draw(st.sampled_from(commas)) + closing


BETWEEN = st.sampled_from(
    [
        "\n",
        "\n\n",
        "\r\n\r\n",
        "\n% a comment\n",
        "\n\n@string{pub = {P}}\n",
        "\n@comment{ x @y{} }\n",
        "\n\t\n",
    ]
)


@st.composite
def files(draw: st.DrawFn) -> str:
    parts = [draw(st.sampled_from(["", "\ufeff", "% head\n", "junk\n\n"]))]
    for key in ("k1", "k2", "k3"):
        parts += [draw(entries(key)), draw(BETWEEN)]
    return "".join(parts)


class Generated(NamedTuple):
    """Strategies: texts with entries k1, k2 and k3, names of fields, values without delimiters."""

    files: st.SearchStrategy[str] = files()
    names: st.SearchStrategy[str] = NAMES
    values: st.SearchStrategy[str] = BRACED


@pytest.fixture(scope="session")
def generated() -> Generated:
    """Strategies to draw .bib files and edits from."""
    return Generated()
