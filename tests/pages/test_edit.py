from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refkit.pages.edit import (
    PageError,
    blocks,
    decode,
    encode,
    find,
    insert,
    line_of,
    place,
    rename,
    source,
    take,
    title_of,
    without,
)
from refkit.pages.reader import read_pages

PAGE = """\
Title
=====

An introduction citing :cite:p:`b`.

.. source:: a
   :title: The A

   Of A, with :cite:t:`b`
   over two lines.

.. source:: b

   Of B.

An end.
"""


# -- renaming


@pytest.mark.parametrize(
    "text",
    [
        ":cite:p:`key`",
        ":cite:`key`",
        ":footcite:t:`key`",
        "`key`:cite:",
        ":cite:p:`a, key ,b`",
        ":cite:p:`{see key}key{p. 3}`",
        ":cite:p:`a,\nkey`",
        "* a list, :cite:p:`key`",
        ".. note:: :cite:p:`key`",
        ".. source:: key\n\n   Text.",
        ".. source::   key\n   :title: About key\n\n   Text, ``key``, *key*.",
        ".. only:: html\n\n   .. source:: key\n\n      :cite:t:`key`",
        "Title\n=====\n\n:cite:p:`key`\r\n\r\n.. source:: key\r\n",
        "\ufeff.. source:: key\n",
        "\t.. source:: key\n",
        "a\fb \x0b :cite:p:`key`",
    ],
)
def test_a_key_is_renamed_where_it_is_placed_or_cited(text: str) -> None:
    renamed = rename(text, "key", "other")
    assert renamed != text
    assert [*find(renamed, "key").citations, *find(renamed, "key").placements] == []
    assert rename(renamed, "other", "key") == text


@pytest.mark.parametrize(
    "text",
    [
        "key",
        "``:cite:p:`key```",
        "::\n\n   :cite:p:`key`",
        ".. :cite:p:`key`",
        ".. code-block:: rst\n\n   .. source:: key",
        ":cite:p:`keys`, :cite:p:`a-key`, :cite:p:`key:1`, :cite:p:`x/key`",
        ":cite:p:`{key}other`",
        ":ref:`key`",
        "`key`_\n\n.. _key: https://example.org/key",
        ".. source:: a\n   :title: key",
        r"\:cite:p:`key`",
    ],
)
def test_a_key_that_is_not_cited_stays(text: str) -> None:
    assert rename(text, "key", "other") == text


def test_a_citation_in_a_table_is_renamed_where_the_columns_allow_it() -> None:
    rule = "=======================  ===\n"
    table = f"{rule}A                        B\n{rule}:cite:p:`key`            x\n{rule}"
    assert rename(table, "key", "kex") == table.replace("key", "kex")
    with pytest.raises(PageError, match="a table"):
        rename("+---------------+\n| :cite:p:`key` |\n+---------------+\n", "key", "longer")


def test_a_key_may_hold_what_patterns_know() -> None:
    text = ":cite:p:`a.b+c` :cite:p:`axb+c`"
    assert rename(text, "a.b+c", "d") == ":cite:p:`d` :cite:p:`axb+c`"


# -- placing


def test_a_source_stands_behind_the_one_that_is_named() -> None:
    text = insert(PAGE, "c", "The C", "Of *C*.", after="a")
    assert text == PAGE.replace(
        "two lines.\n\n", "two lines.\n\n.. source:: c\n   :title: The C\n\n   Of *C*.\n\n"
    )
    assert [block.key for block in blocks(text)] == ["a", "c", "b"]


def test_a_source_stands_behind_the_last_by_default() -> None:
    assert insert(PAGE, "c", "") == PAGE.replace("   Of B.\n", "   Of B.\n\n.. source:: c\n")


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_the_first_source_of_a_page_stands_at_its_end(end: str) -> None:
    assert insert("Title\n=====" + end, "a", "A") == "Title\n=====\n\n.. source:: a\n   :title: A\n"


def test_an_annotation_is_wrapped_between_words() -> None:
    long = (
        "Of ``a b`` and :cite:p:`one-long-key` at https://example.org/"
        + "x" * 90
        + " and"
        + " more" * 20
        + "."
    )
    text = insert(PAGE, "c", "C", long)
    lines = text.split(".. source:: c\n")[1].split("An end")[0].splitlines()
    assert all(len(line) <= 88 or "example.org" in line for line in lines)
    assert " ".join(" ".join(lines[2:]).split()) == long


def test_a_page_keeps_its_line_endings_and_indent() -> None:
    page = ".. only:: html\r\n\r\n   .. source:: a\r\n\r\n      Of A.\r\n"
    assert insert(page, "c", "C", "Of C.") == page + (
        "\r\n   .. source:: c\r\n      :title: C\r\n\r\n      Of C.\r\n"
    )


@pytest.mark.parametrize(
    ("key", "title", "annotation", "after", "message"),
    [
        ("a", "A", "Of A.", None, "'a' is placed on this page already"),
        ("c", "C", "Of C.", "z", "there is no source 'z'"),
        ("c", "two\nlines", "", None, "must be one line"),
        ("c", "C", "- a\n- list", None, "the annotation holds bullet_list"),
        ("c", "C", ".. image:: x.png", None, "the annotation holds image"),
        ("c", "C", "Text `broken", None, "the annotation holds problematic"),
        ("c", "C", ".. a comment", None, "the annotation holds"),
        ("c d", "C", "Of C.", None, "c d"),
    ],
)
def test_what_would_not_be_read_as_it_was_meant_is_refused(
    key: str, title: str, annotation: str, after: str | None, message: str
) -> None:
    with pytest.raises(PageError, match=message):
        insert(PAGE, key, title, annotation, after)


# -- taking


def test_a_source_is_taken_with_the_blank_lines_behind_it() -> None:
    rest, block = take(PAGE, "a")
    assert block == ".. source:: a\n   :title: The A\n\n   Of A, with :cite:t:`b`\n   over two lines."
    assert rest == PAGE.replace(block + "\n\n", "")
    assert without(PAGE, "a") == rest


def test_the_last_source_of_a_page_is_taken_with_the_blank_lines_before_it() -> None:
    rest, _ = take("T\n=\n\n.. source:: a\n\n   A.\n\n.. source:: b\n\n   B.\n\n\n", "b")
    assert rest == "T\n=\n\n.. source:: a\n\n   A.\n"


def test_a_source_that_is_there_twice_is_not_taken() -> None:
    text = ".. source:: a\n\n.. source:: a\n\n.. source:: b\n"
    with pytest.raises(PageError, match="more than once"):
        take(text, "a")
    with pytest.raises(PageError, match="not placed"):
        take(text, "z")
    assert without(text, "a") == ".. source:: b\n"


def test_a_taken_source_fits_another_indent() -> None:
    _, block = take(PAGE, "a")
    nested = place(".. only:: html\n\n   .. source:: x\n", block)
    assert nested.endswith("      Of A, with :cite:t:`b`\n      over two lines.\n")
    rest, again = take(nested, "a")
    assert again == block
    assert rest == ".. only:: html\n\n   .. source:: x\n"


def test_a_source_of_an_included_file_is_not_edited_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part.txt").write_text("one\n\n.. source:: a\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PageError, match="included file"):
        blocks("Title\n=====\n\n.. include:: part.txt\n")


# -- the rest


def test_blocks_tell_where_sources_stand() -> None:
    assert [(block.key, block.line, PAGE[block.start : block.end]) for block in blocks(PAGE)] == [
        ("a", 6, ".. source:: a\n   :title: The A\n\n   Of A, with :cite:t:`b`\n   over two lines.\n"),
        ("b", 12, ".. source:: b\n\n   Of B.\n"),
    ]


def test_lines_of_citations_are_told() -> None:
    assert [line_of(PAGE, at) for at in find(PAGE, "b").citations] == [4, 9]


def test_the_title_of_a_page_is_its_heading() -> None:
    assert title_of(PAGE) == "Title"
    assert title_of("No heading.") == ""


def test_bytes_that_are_no_text_survive() -> None:
    data = b"\xef\xbb\xbfT\xe9\xff\n\n.. source:: key\r\n"
    assert encode(rename(decode(data), "key", "k")) == data.replace(b"key", b"k")


def test_every_source_of_the_projects_pages_comes_back_to_its_place(root: Path) -> None:
    for path in sorted((root / "docs").rglob("*.rst")):
        text = decode(path.read_bytes())
        keys = [block.key for block in blocks(text)]
        if len(keys) < 2:
            continue
        rest, block = take(text, keys[1])
        assert place(rest, block, keys[0]) == text
        there = rename(text, keys[0], "a-key-of-another-length")
        assert keys[0] not in [block.key for block in blocks(there)]
        assert rename(there, "a-key-of-another-length", keys[0]) == text


WORDS = st.lists(
    st.sampled_from(
        ["word", "*em*", "``a  b``", ":cite:p:`b`", "x-y", "1.", "-", "µ", "a_b", "https://example.org/a"]
    ),
    min_size=1,
    max_size=30,
)


@settings(max_examples=40)
@given(WORDS, st.sampled_from(["a", "b", None]))
def test_an_inserted_source_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], after: str | None
) -> None:
    annotation = "It " + " ".join(words) + " end."
    text = insert(PAGE, "c", "The C", annotation, after)
    rest, block = take(text, "c")
    assert rest == PAGE
    assert block == source("c", "The C", annotation)
    folder = tmp_path_factory.mktemp("pages")
    (folder / "index.rst").write_text(text, encoding="utf-8")
    (section,) = read_pages(folder).sections
    keys = ["a", "b"]
    keys.insert(keys.index(after) + 1 if after else 2, "c")
    assert [placed.key for placed in section.placements] == keys
