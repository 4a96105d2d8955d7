from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refkit.bibtex import layout
from refkit.bibtex.reader import read_bytes, read_text

DATA = Path(__file__).resolve().parent.parent / "data" / "edit"


def laid_out(text: str) -> str:
    return layout.layout(text).text


def test_an_entry_gets_one_field_a_line_in_order_in_braces() -> None:
    text = '@ARTICLE ( k ,Year=1999, TITLE = "A {B} c",author={X} )'
    assert laid_out(text) == "@article{k,\n  author = {X},\n  title = {A {B} c},\n  year = {1999},\n}\n"


def test_macros_and_joins_stay() -> None:
    text = '@misc{k, month = "7~" # oct, note = Foo # {a} # 12, publisher = pub}'
    expected = "@misc{k,\n  publisher = pub,\n  month = {7~} # oct,\n  note = Foo # {a} # {12},\n}\n"
    assert laid_out(text) == expected


def test_fields_that_are_not_known_stand_last_in_their_order() -> None:
    text = "@misc{k, x-b={1}, url={u}, x-a={2}, author={A}}"
    assert laid_out(text) == "@misc{k,\n  author = {A},\n  url = {u},\n  x-b = {1},\n  x-a = {2},\n}\n"


def test_repeated_fields_keep_their_order_for_it_decides_which_counts() -> None:
    text = "@misc{k, note={b}, title={T}, note={a}}"
    assert laid_out(text) == "@misc{k,\n  title = {T},\n  note = {b},\n  note = {a},\n}\n"


def test_an_entry_without_fields_is_laid_out_too() -> None:
    assert laid_out("@misc{ k }") == "@misc{k,\n}\n"


def test_the_inside_of_a_value_is_not_touched() -> None:
    value = "{ An\n     abstract\n\n  of { two }  paragraphs\t}"
    assert value in laid_out(f"@misc{{k, abstract = {value}}}")


def test_strings_preambles_and_comments_stay_where_they_are() -> None:
    text = (
        '@STRING( a = "x" )\n@string{b={y}}\n\n\n\n@Preamble{ "\\x" # b }\n@comment{ keep   this }\n'
        "% a note\n@misc{k, note = a}\n\n\n% the end"
    )
    expected = (
        '@string{a = {x}}\n@string{b = {y}}\n\n@preamble{ "\\x" # b }\n\n@comment{ keep   this }\n'
        "% a note\n@misc{k,\n  note = a,\n}\n\n% the end\n"
    )
    assert laid_out(text) == expected


def test_comments_inside_an_entry_go_with_their_field() -> None:
    text = "@misc{k, % of k\n  title = {T}, % of t\n  % of author\n  author = {A},\n  % last\n}\n"
    expected = "@misc{k,\n  % of author\n  author = {A},\n  % of k\n  title = {T}, % of t\n  % last\n}\n"
    assert laid_out(text) == expected


def test_a_comment_on_the_line_of_an_entry_stays_there() -> None:
    assert laid_out("@misc{k, note={N}}   % why\n\n\n\n@misc{l, note={N}} % what") == (
        "@misc{k,\n  note = {N},\n}   % why\n\n@misc{l,\n  note = {N},\n} % what\n"
    )


def test_one_blank_line_stands_between_entries() -> None:
    text = "\n\n@misc{a, x={A}} @misc{b, x={B}}@misc{c, x={C}}\n@misc{d, x={D}}\n\n\n\n@misc{e, x={E}}\n\n"
    result = laid_out(text)
    assert result.startswith("@misc{a,")
    assert result.count("}\n\n@misc") == 4
    assert result.endswith("}\n")
    assert not result.endswith("\n\n")


@pytest.mark.parametrize("text", ["", "\n", "  \n\n", "\ufeff", "% only a comment\n"])
def test_a_file_without_entries_has_no_layout_to_speak_of(text: str) -> None:
    assert laid_out(text).split() == text.split()


def test_line_endings_are_those_asked_for() -> None:
    found = layout.layout("@misc{a, note={A}}\r\n@misc{b, note={B}}\r\n", "\r\n").text
    assert found == "@misc{a,\r\n  note = {A},\r\n}\r\n\r\n@misc{b,\r\n  note = {B},\r\n}\r\n"


def test_a_broken_entry_is_left_to_the_byte_and_named() -> None:
    broken = "@misc{ b,title  =  {B\n   year=2000\n"
    text = f"@misc{{a, note={{A}}}}\n{broken}\n@misc{{c, note={{C}}}}\n"
    found = layout.layout(text)
    assert broken in found.text
    assert found.text.startswith("@misc{a,\n  note = {A},\n}\n")
    assert found.text.endswith("@misc{c,\n  note = {C},\n}\n")
    assert [block.key for block in found.left] == ["b"]


@pytest.mark.parametrize("text", ["@misc{k, month % c\n = jan}", "@misc{k, note = {a} % c\n # {b}}"])
def test_an_entry_with_a_comment_inside_a_field_is_not_damaged(text: str) -> None:
    assert layout.layout(text).text.strip() == text


@pytest.mark.parametrize("path", sorted(DATA.glob("*.bib")), ids=lambda path: path.name)
def test_odd_files_keep_all_their_facts(path: Path) -> None:
    document = read_bytes(path.read_bytes())
    result = layout.layout(document.text, document.newline).text
    again = read_text(result)
    assert [(e.key, e.type, dict(e.fields)) for e in again.entries] == [
        (
            e.key,
            e.type,
            dict(sorted(e.fields.items(), key=lambda f: [*again_fields(again, e.key)].index(f[0]))),
        )
        for e in document.entries
    ]
    assert again.strings == document.strings
    assert layout.layout(result, document.newline).text == result


def again_fields(document: Any, key: str) -> dict[str, str]:
    return next(dict(entry.fields) for entry in document.entries if entry.key == key)


@given(st.data())
def test_layout_keeps_every_value_and_is_idempotent(generated: Any, data: st.DataObject) -> None:
    text = data.draw(generated.files)
    found = layout.layout(text)
    assert not found.left
    before, after = read_text(text), read_text(found.text)
    assert [(e.key, e.type, dict(e.fields)) for e in after.entries] == [
        (e.key, e.type, dict(e.fields)) for e in before.entries
    ]
    assert after.strings == before.strings
    assert layout.layout(found.text).text == found.text
    own = read_text(found.text).entries
    for entry in own:
        lines = found.text[entry.start : entry.end].split("\n")
        assert lines[0] == f"@{entry.type}{{{entry.key},"
        assert lines[-1] == "}"


@given(st.text(st.sampled_from('@{}()",=#% \n\ra1'), max_size=80))
def test_any_text_at_all_is_laid_out_without_loss(text: str) -> None:
    found = layout.layout(text)
    before, after = read_text(text), read_text(found.text)
    assert [(e.key, e.type, dict(e.fields)) for e in after.entries] == [
        (e.key, e.type, dict(e.fields)) for e in before.entries
    ]
    assert layout.layout(found.text).text == found.text


def test_the_projects_own_files_are_laid_out(root: Path) -> None:
    for path in sorted((root / "bib").glob("*.bib")):
        text = path.read_text(encoding="utf-8")
        assert laid_out(text) == text, f"{path.name}: run refkit fmt"


def test_every_field_has_one_place() -> None:
    assert len(set(layout.FIELD_ORDER)) == len(layout.FIELD_ORDER)
