from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refkit.bibtex.edit import Bare, EditError, Editor, key_problem
from refkit.bibtex.reader import read_bytes, read_text

DATA = Path(__file__).resolve().parent.parent / "data" / "edit"


def edited(text: str, *steps: tuple[Any, ...]) -> str:
    """The text after some edits, each a method's name and its arguments."""
    editor = Editor(read_text(text, "refs.bib"))
    for name, *arguments in steps:
        getattr(editor, name)(*arguments)
    return editor.text()


ONE_LINE = "@misc{a, title={A}, year=2000}\n"
TABS = '@misc{a,\n\ttitle\t= "A",\n\tyear\t= 2000\n}\n'
ALIGNED = "@misc{a,\n  title    = {A},\n  year     = 2000,\n}\n"
LEADING_COMMAS = "@misc{a\n  , title = {A}\n  , year = 2000\n}\n"
COMMENTED = "@misc{a,\n  title = {A}, % mine\n  year = 2000 % last\n}\n"


# -- a new field


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        (ONE_LINE, "author", "@misc{a, author={V}, title={A}, year=2000}\n"),
        (ONE_LINE, "subtitle", "@misc{a, title={A}, subtitle={V}, year=2000}\n"),
        (ONE_LINE, "url", "@misc{a, title={A}, year=2000, url={V}}\n"),
        (TABS, "author", '@misc{a,\n\tauthor\t= {V},\n\ttitle\t= "A",\n\tyear\t= 2000\n}\n'),
        (TABS, "url", '@misc{a,\n\ttitle\t= "A",\n\tyear\t= 2000,\n\turl\t= {V}\n}\n'),
        (ALIGNED, "doi", "@misc{a,\n  title    = {A},\n  year     = 2000,\n  doi      = {V},\n}\n"),
        (
            ALIGNED,
            "archiveprefix",
            "@misc{a,\n  title    = {A},\n  year     = 2000,\n  archiveprefix = {V},\n}\n",
        ),
        (LEADING_COMMAS, "author", "@misc{a\n  , author = {V}\n  , title = {A}\n  , year = 2000\n}\n"),
        (LEADING_COMMAS, "url", "@misc{a\n  , title = {A}\n  , year = 2000\n  , url = {V}\n}\n"),
        ("@misc(a, title = {A})", "url", "@misc(a, title = {A}, url = {V})"),
        ("@misc{a}", "url", "@misc{a,\n  url = {V},\n}"),
        ("@misc{a,\n}\n", "url", "@misc{a,\n  url = {V},\n}\n"),
        ("@MISC{a,\n  TITLE = {A}}\n", "url", "@MISC{a,\n  TITLE = {A},\n  URL = {V}}\n"),
        (
            "@Misc{a,\n  Title = {A},\n  Year = 2000}\n",
            "url",
            "@Misc{a,\n  Title = {A},\n  Year = 2000,\n  Url = {V}}\n",
        ),
        (
            COMMENTED,
            "subtitle",
            "@misc{a,\n  title = {A}, % mine\n  subtitle = {V},\n  year = 2000 % last\n}\n",
        ),
        (COMMENTED, "url", "@misc{a,\n  title = {A}, % mine\n  year = 2000, % last\n  url = {V},\n}\n"),
        (
            "@misc{a,\n  author =       {A},\n}\n",
            "year",
            "@misc{a,\n  author =       {A},\n  year =       {V},\n}\n",
        ),
        (
            "@misc{a,\n  author =       {A},\n  title =        {T},\n}\n",
            "year",
            "@misc{a,\n  author =       {A},\n  title =        {T},\n  year =         {V},\n}\n",
        ),
        (
            "@misc{a,\n\n  title = {A},\n\n\n  year = 1\n}",
            "url",
            "@misc{a,\n\n  title = {A},\n\n\n  year = 1,\n\n  url = {V}\n}",
        ),
    ],
)
def test_a_new_field_stands_at_its_place_in_the_style_of_its_neighbours(
    text: str, field: str, expected: str
) -> None:
    assert edited(text, ("set", "a", field, "V")) == expected


def test_a_field_without_a_place_in_the_canonical_order_goes_last() -> None:
    assert edited(ONE_LINE, ("set", "a", "x-rating", "5")) == "@misc{a, title={A}, year=2000, x-rating={5}}\n"


def test_fields_of_an_entry_in_another_order_stay_where_they_are() -> None:
    text = "@misc{a,\n  year = 2000,\n  author = {X},\n}\n"
    assert (
        edited(text, ("set", "a", "title", "T"))
        == "@misc{a,\n  year = 2000,\n  author = {X},\n  title = {T},\n}\n"
    )


def test_a_new_line_ends_as_the_lines_of_the_file_do() -> None:
    text = "@misc{a,\r\n  title = {A}\r\n}\r\n"
    result = edited(text, ("set", "a", "url", "U"), ("add_entry", "book", "b", {"title": "B"}))
    assert (
        result == "@misc{a,\r\n  title = {A},\r\n  url = {U}\r\n}\r\n\r\n@book{b,\r\n  title = {B},\r\n}\r\n"
    )


# -- a new value


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ("{Old}", "New", "{New}"),
        ('"Old"', "New", '"New"'),
        ('"Old"', 'the "new"', '{the "new"}'),
        ("2000", "2001", "{2001}"),
        ('"A" # mac # {B}', "New", "{New}"),
        ("jan", "New", "{New}"),
        ("{Old}", Bare("feb"), "feb"),
        ('"Old"', Bare('"7~" # oct'), '"7~" # oct'),
        ("{a { b } c}", "{N}ew", "{{N}ew}"),
    ],
)
def test_a_new_value_replaces_the_old_with_its_delimiters(old: str, value: str, new: str) -> None:
    text = "@misc{{k,\n  note  =   {} ,\n  year = 1 }}\n"
    assert edited(text.format(old), ("set", "k", "NOTE", value)) == text.format(new)


@pytest.mark.parametrize("old", ["{V}", '"V"', "7"])
def test_the_value_that_is_there_changes_nothing(old: str) -> None:
    text = f"@misc{{k, note = {old}}}\n"
    assert edited(text, ("set", "k", "note", old.strip('{}"'))) == text


def test_of_repeated_fields_the_first_is_set_because_it_counts() -> None:
    text = "@misc{k, note={1}, note={2}}"
    result = edited(text, ("set", "k", "note", "3"))
    assert result == "@misc{k, note={3}, note={2}}"
    assert read_text(result).entries[0].get("note") == "3"


def test_of_repeated_keys_the_first_is_edited() -> None:
    text = "@misc{k, note={1}}\n@misc{k, note={2}}\n"
    assert edited(text, ("set", "k", "note", "3")) == "@misc{k, note={3}}\n@misc{k, note={2}}\n"


@pytest.mark.parametrize("value", ["a}", "}{", "{", r"\{", "a\0"])
def test_a_value_that_would_break_the_file_is_refused(value: str) -> None:
    editor = Editor(read_text(ONE_LINE, "refs.bib"))
    with pytest.raises(EditError, match=r"refs\.bib:1: a: the value .* cannot be written to 'note'"):
        editor.set("a", "note", value)
    assert editor.text() == ONE_LINE


@pytest.mark.parametrize(
    "value", [Bare(""), Bare("a b"), Bare("a, note = b"), Bare('"a'), Bare("a }, @misc{z")]
)
def test_a_bare_value_that_is_no_value_is_refused(value: Bare) -> None:
    editor = Editor(read_text(ONE_LINE))
    with pytest.raises(EditError):
        editor.set("a", "note", value)
    assert editor.text() == ONE_LINE


@pytest.mark.parametrize("name", ["", "1st", "a b", "a=b", "a,b", "a}"])
def test_a_text_that_cannot_name_a_field_is_refused(name: str) -> None:
    with pytest.raises(EditError, match="cannot name a field"):
        edited(ONE_LINE, ("set", "a", name, "V"))


def test_a_broken_entry_is_not_edited_and_its_line_is_told() -> None:
    text = "@misc{a, title = {A}}\n@misc{b,\n  title = {B\n}\n\n@misc{c, title = {C}}\n"
    with pytest.raises(EditError, match=r"refs\.bib:2: b: this entry is broken"):
        edited(text, ("set", "b", "note", "N"))
    assert edited(text, ("set", "c", "note", "N")) == text[:-2] + ", note = {N}}\n"


def test_a_missing_entry_is_told_with_the_key_that_differs_by_case() -> None:
    with pytest.raises(EditError, match="no entry 'A'; did you mean 'a'"):
        edited(ONE_LINE, ("set", "A", "note", "V"))


# -- encodings


def test_what_latin_1_lacks_is_written_as_tex() -> None:
    data = "@misc{a,\n  title = {Füße},\n}\n".encode("latin-1")
    editor = Editor(read_bytes(data))
    editor.set("a", "author", "Łukasz Müller")
    assert editor.bytes() == "@misc{a,\n  author = {{\\L}ukasz Müller},\n  title = {Füße},\n}\n".encode(
        "latin-1"
    )
    assert read_bytes(editor.bytes()).entries[0].text("author") == "Łukasz Müller"


def test_what_latin_1_lacks_is_percent_encoded_in_an_address() -> None:
    editor = Editor(read_bytes("@misc{a, title = {Füße}}\n".encode("latin-1")))
    editor.set("a", "url", "https://example.org/Ł")
    assert b"url = {https://example.org/%C5%81}" in editor.bytes()


def test_bytes_that_are_not_utf_8_survive_an_edit_of_their_own_entry() -> None:
    data = b"@misc{a, title = {caf\xe9}, author = {\xc5\x81, \xc3\xa9}, note = {x}}\n"
    editor = Editor(read_bytes(data))
    editor.set("a", "note", "y")
    assert editor.bytes() == data.replace(b"{x}", b"{y}")
    assert "café" in editor.text()


# -- fields taken out


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        (ONE_LINE, "title", "@misc{a, year=2000}\n"),
        (ONE_LINE, "year", "@misc{a, title={A}}\n"),
        (TABS, "year", '@misc{a,\n\ttitle\t= "A"\n}\n'),
        (ALIGNED, "year", "@misc{a,\n  title    = {A},\n}\n"),
        (LEADING_COMMAS, "title", "@misc{a\n  , year = 2000\n}\n"),
        ("@misc{a,\n  title = {A}\n}\n", "title", "@misc{a,\n}\n"),
        ("@misc{a, title = {A}}", "title", "@misc{a,}"),
        ("@misc{k, note={1}, title={T}, note={2}}", "note", "@misc{k, title={T}}"),
        (ONE_LINE, "doi", ONE_LINE),
    ],
)
def test_a_field_goes_with_what_set_it_apart(text: str, field: str, expected: str) -> None:
    key = read_text(text).entries[0].key
    assert edited(text, ("remove_field", key, field)) == expected


def test_a_comment_stays_when_the_field_on_its_line_goes() -> None:
    for field in ("title", "year"):
        result = edited(COMMENTED, ("remove_field", "a", field))
        assert "% mine" in result
        assert "% last" in result
        assert [*read_text(result).entries[0].fields] == ["year" if field == "title" else "title"]


# -- entries


TWO = "% head\n\n@misc{a, title={A}} % of a\n\n% of b\n@misc{b, title={B}}\n"


def test_an_entry_is_added_at_the_end_behind_a_blank_line() -> None:
    added = "@book{c,\n  author = {X},\n  title = {C},\n  month = jan,\n}\n"
    fields = {"month": Bare("jan"), "title": "C", "author": "X"}
    for text, gap in [(TWO, "\n"), (TWO.rstrip(), "\n\n"), (TWO + "\n", ""), ("", ""), ("\ufeff", "")]:
        assert edited(text, ("add_entry", "Book", "c", fields)) == text + gap + added


def test_an_entry_is_added_behind_another_whose_comment_stays_with_it() -> None:
    result = edited(TWO, ("add_entry", "misc", "c", {"title": "C"}, "a"))
    assert result == TWO.replace("% of a\n", "% of a\n\n@misc{c,\n  title = {C},\n}\n")


def test_an_entry_is_added_between_two_that_share_a_line() -> None:
    result = edited("@misc{a, note={A}} @misc{b, note={B}}", ("add_entry", "misc", "c", {}, "a"))
    assert [entry.key for entry in read_text(result).entries] == ["a", "c", "b"]
    assert result.startswith("@misc{a, note={A}}\n\n@misc{c,\n}\n\n")
    assert result.endswith("@misc{b, note={B}}")


def test_added_entries_can_be_edited_and_stood_behind() -> None:
    result = edited(
        ONE_LINE,
        ("add_entry", "misc", "b", {"title": "B"}, "a"),
        ("add_entry", "misc", "c", {"title": "C"}, "b"),
        ("set", "b", "note", "N"),
        ("rename", "c", "d"),
    )
    assert [entry.key for entry in read_text(result).entries] == ["a", "b", "d"]
    assert "  title = {B},\n  note = {N},\n" in result


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (("add_entry", "misc", "a", {}), "the key 'a' is taken"),
        (("add_entry", "misc", "A", {}), "the key 'A' is taken, as 'a'"),
        (("add_entry", "misc", "b c", {}), "cannot be a key"),
        (("add_entry", "misc", "", {}), "needs a key"),
        (("add_entry", "mi sc", "b", {}), "cannot be an entry's type"),
        (("add_entry", "comment", "b", {}), "cannot be an entry's type"),
        (("add_entry", "misc", "b", {"note": "{"}), "never closed"),
        (("add_entry", "misc", "b", {}, "z"), "no entry 'z'"),
        (("add_text", "@misc{b, note = {x}"), "could not be read again"),
        (("add_text", "@misc{b, note = {x}} @misc{c, note = {x}}"), "could not be read again"),
        (("rename", "a", "x y"), "cannot be a key"),
        (("rename", "z", "y"), "no entry 'z'"),
        (("remove_entry", "z"), "no entry 'z'"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(step: tuple[Any, ...], message: str) -> None:
    editor = Editor(read_text(ONE_LINE))
    with pytest.raises(EditError, match=message):
        getattr(editor, step[0])(*step[1:])
    assert editor.text() == ONE_LINE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "@misc{a, note={A}}\n\n@misc{x, note={X}}\n\n@misc{b, note={B}}\n",
            "@misc{a, note={A}}\n\n@misc{b, note={B}}\n",
        ),
        ("@misc{a, note={A}}\n\n@misc{x, note={X}}\n", "@misc{a, note={A}}\n"),
        ("@misc{x, note={X}}\n\n@misc{a, note={A}}\n", "@misc{a, note={A}}\n"),
        ("@misc{x, note={X}}\n", ""),
        ("@misc{x, note={X}}", ""),
        ("% c\n\n@misc{x, note={X}}\n", "% c\n"),
        (
            "@misc{a, note={A}} @misc{x, note={X}} @misc{b, note={B}}",
            "@misc{a, note={A}}  @misc{b, note={B}}",
        ),
        ("@misc{x, note={X}} % c\n@misc{b, note={B}}", " % c\n@misc{b, note={B}}"),
        ("% c\n@misc{x, note={X\n}\n\n@misc{b, note={B}}", "% c\n\n@misc{b, note={B}}"),
        ("@misc{a, note={A}}\n\n@misc{x, note={X}}", "@misc{a, note={A}}\n"),
        (
            "@misc{a, note={A}}\n@misc{x, note={X}}\n@misc{b, note={B}}",
            "@misc{a, note={A}}\n@misc{b, note={B}}",
        ),
    ],
)
def test_an_entry_goes_with_the_blank_lines_that_set_it_apart(text: str, expected: str) -> None:
    assert edited(text, ("remove_entry", "x")) == expected


def test_when_an_entry_goes_another_of_its_key_comes_to_light() -> None:
    text = "@misc{k, note={1}}\n@misc{k, note={2}}\n"
    assert edited(text, ("remove_entry", "k"), ("set", "k", "note", "3")) == "@misc{k, note={3}}\n"


def test_references_follow_a_new_key() -> None:
    text = (
        "@Proceedings ( old , title={P}, ids={older})\n"
        '@misc{a, crossref = "old", related = {x, old ,old2,old}}\n'
        "@misc{b, xdata={old}, entryset={old}, xref = old, note = {old}, title={old}}\n"
        "% old\n@misc{c, related = {Old}}\n"
    )
    expected = (
        "@Proceedings ( new , title={P}, ids={older})\n"
        '@misc{a, crossref = "new", related = {x, new ,old2,new}}\n'
        "@misc{b, xdata={new}, entryset={new}, xref = old, note = {old}, title={old}}\n"
        "% old\n@misc{c, related = {new}}\n"
    )
    assert edited(text, ("rename", "old", "new")) == expected


def test_references_in_another_case_stay_with_the_entry_of_that_case() -> None:
    text = "@misc{old, note={1}}\n@misc{Old, note={2}}\n@misc{a, crossref={Old}}\n@misc{b, crossref={old}}\n"
    assert edited(text, ("rename", "old", "fresh")) == text.replace("{old", "{fresh")
    assert [found.key for found in Editor(read_text(text)).references("old")] == ["b"]


def test_a_reference_in_another_case_is_one() -> None:
    editor = Editor(read_text("@book{Foo, title={1}}\n@inbook{b, crossref={foo}}\n"))
    assert [tuple(found) for found in editor.references("Foo")] == [("b", "crossref", 2)]


def test_a_key_may_change_its_case() -> None:
    assert edited(ONE_LINE, ("rename", "a", "A")) == ONE_LINE.replace("{a,", "{A,")


def test_a_key_that_several_entries_have_is_not_changed() -> None:
    with pytest.raises(EditError, match="several entries"):
        edited("@misc{k, note={1}}\n@misc{k, note={2}}\n", ("rename", "k", "l"))


def test_references_tell_who_names_a_key() -> None:
    editor = Editor(read_text("@misc{a, note={1}}\n\n@misc{b, crossref={a}, related={z,a}}\n"))
    assert [tuple(found) for found in editor.references("a")] == [("b", "crossref", 3), ("b", "related", 3)]


def test_an_entry_takes_the_text_of_macros_with_it() -> None:
    text = '@misc{a, month = JAN, publisher = Pub # " Press", note = {pub}, series = other}'
    editor = Editor(read_text(text))
    assert editor.expanded_text("a", {"pub": "The {P}"}) == text.replace("Pub #", "{The {P}} #")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("% head\n\n@misc{b, note={B}}\n", "% head\n\n@misc{n,\n}\n\n@misc{b, note={B}}\n"),
        ("@misc{b, note={B}}", "@misc{n,\n}\n\n@misc{b, note={B}}"),
        (
            "@misc{a}\n\n% of b\n@misc{b, note={B}}\n",
            "@misc{a}\n\n@misc{n,\n}\n\n% of b\n@misc{b, note={B}}\n",
        ),
        ("@misc{a} @misc{b, note={B}}", "@misc{a} \n\n@misc{n,\n}\n\n@misc{b, note={B}}"),
    ],
)
def test_an_entry_is_added_in_front_of_another_and_its_comment(text: str, expected: str) -> None:
    assert edited(text, ("add_entry", "misc", "n", {}, None, "b")) == expected


@pytest.mark.parametrize("key", ["dao2022", "DBLP:conf/nips/X", "a+b", "a.b-c_d", "Müller2020"])
def test_keys_that_real_files_have_are_keys(key: str) -> None:
    assert not key_problem(key)


# -- only the characters of the change differ


NASTY = sorted(DATA.glob("*.bib"))


@pytest.mark.parametrize("path", NASTY, ids=lambda path: path.name)
def test_nothing_changes_without_an_edit(path: Path) -> None:
    data = path.read_bytes()
    assert Editor(read_bytes(data)).bytes() == data


@pytest.mark.parametrize("path", NASTY, ids=lambda path: path.name)
def test_every_edit_of_every_entry_of_nasty_files_leaves_the_others_to_the_byte(path: Path) -> None:
    document = read_bytes(path.read_bytes())
    for entry in document.entries:
        block = document.block_of(entry)
        if (
            block.broken
            or not entry.key
            or next(e for e in document.entries if e.key == entry.key) is not entry
        ):
            continue
        before, behind = document.encode(0, block.start), document.encode(block.end)
        for steps in (
            [("set", "note", "N")],
            [("set", "title", "T"), ("set", "x-new", "X")],
            [("remove_field", "title")],
        ):
            editor = Editor(document)
            for name, *arguments in steps:
                getattr(editor, name)(entry.key, *arguments)
            data = editor.bytes()
            assert data.startswith(before)
            assert data.endswith(behind)
            again = next(e for e in read_bytes(data).entries if e.key == entry.key)
            expected = {name: value for name, value in entry.fields.items() if name not in entry.inherited}
            for name, field, *value in steps:
                expected.pop(field, None)
                if name == "set":
                    expected[field] = value[0]
            assert {n: v for n, v in again.fields.items() if n not in again.inherited} == expected


KEYS = st.sampled_from(["k1", "k2", "k3"])


def facts(text: str) -> dict[str, dict[str, str]]:
    return {entry.key: dict(entry.fields) for entry in read_text(text).entries}


@given(st.data(), KEYS)
def test_setting_a_field_changes_that_field_and_nothing_else(
    generated: Any, data: st.DataObject, key: str
) -> None:
    text, field, value = data.draw(generated.files), data.draw(generated.names), data.draw(generated.values)
    document = read_text(text)
    entry = next(entry for entry in document.entries if entry.key == key)
    block = document.block_of(entry)
    assert not block.broken
    editor = Editor(document)
    editor.set(key, field, value)
    result = editor.text()
    before, behind = text[: block.start], text[block.end :]
    assert result.startswith(before)
    assert result.endswith(behind)
    expected = facts(text)
    expected[key][field.lower()] = " ".join(value.split())
    assert facts(result) == expected
    middle = result[len(before) : len(result) - len(behind)]
    if field.lower() in entry.fields:  # a replaced value: head and tail of the entry stay
        found = next(f for f in document.fields_of(entry) if f.name == field.lower())
        assert middle.startswith(text[block.start : found.value_start])
        assert middle.endswith(text[found.value_end : block.end])
    elif entry.fields:  # an added field: taken out again, the file is as it was, but for blanks
        editor.remove_field(key, field)
        assert "".join(editor.text().split()) == "".join(text.split())


@given(st.data(), KEYS)
def test_removing_a_field_changes_no_other(generated: Any, data: st.DataObject, key: str) -> None:
    text, field = data.draw(generated.files), data.draw(generated.names)
    expected = facts(text)
    expected[key].pop(field.lower(), None)
    assert facts(edited(text, ("remove_field", key, field))) == expected


@given(st.data(), KEYS)
def test_adding_and_removing_entries_leaves_the_others(generated: Any, data: st.DataObject, key: str) -> None:
    text = data.draw(generated.files)
    document = read_text(text)
    added = edited(text, ("add_entry", "misc", "new", {"title": "T"}, key))
    keys = ["k1", "k2", "k3"]
    assert [*facts(added)] == [*keys[: keys.index(key) + 1], "new", *keys[keys.index(key) + 1 :]]
    removed = edited(text, ("remove_entry", key))
    assert facts(removed) == {k: v for k, v in facts(text).items() if k != key}
    for entry in document.entries:
        own = text[entry.start : entry.end]
        assert own in added
        assert entry.key == key or own in removed
    assert read_text(removed).strings == document.strings
