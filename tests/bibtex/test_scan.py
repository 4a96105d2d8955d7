"""Scanning: blocks and fields with exact spans, whatever the text is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import effort

from refkit.bibtex import Block, fields_of, scan, spans_of
from refkit.bibtex.grammar import MAX_DEPTH, Macro
from refkit.bibtex.scan import Scanner
from refkit.bibtex.source import plain

#: Pieces that texts like .bib files, broken in any way, are made of.
PIECES = st.sampled_from(
    [
        *(
            "@",
            "@misc{",
            "@misc(",
            "@string{",
            "@comment{",
            "@preamble{",
            "@ article { ",
            "key",
            "k2,",
            "title",
        ),
        *(" = ", "=", "{", "}", '"', "(", ")", ",", "#", "%", "\\", "\n", "\r", "\r\n", " ", "\ufeff", "jan"),
        *("x = {y},\n", 'z = "w",\n', "}\n@misc{next, a = {b}}\n", "2020", "1--2", "é", "\u00a0", "me@x.org"),
    ]
)
BROKEN = st.lists(PIECES, max_size=40).map("".join)
TEXTS = st.one_of(BROKEN, st.text(max_size=80))


def kinds(text: str) -> list[str]:
    return [block.kind for block in scan(text)]


def fields(text: str) -> dict[str, object]:
    return {name: value for part in Scanner(text).parts() for name, value in part.fields}


@given(TEXTS)
def test_blocks_joined_are_the_text(text: str) -> None:
    assert "".join(text[block.start : block.end] for block in scan(text)) == text


@given(TEXTS)
def test_a_block_read_alone_gives_the_fields_it_gave_in_its_file(text: str) -> None:
    for part in Scanner(text).parts():
        if part.block.kind in ("entry", "string"):
            spans = [field.name for field in fields_of(text, part.block) if field.pieces]
            assert spans == [name for name, _ in part.fields]


@given(TEXTS)
def test_spans_lie_in_their_block_and_in_order(text: str) -> None:
    for block in scan(text):
        if block.kind in ("entry", "string"):
            spans = spans_of(text, block)
            key = plain(text)[spans.key_start : spans.key_end]
            assert key == block.key or block.kind == "string"
            at = max(spans.type_end, spans.key_end)
            for field in spans.fields:
                assert at <= field.start < field.value_start <= field.value_end <= field.end <= block.end
                assert text[field.start : field.start + len(field.name)].lower() == field.name
                at = field.end


@given(TEXTS)
def test_an_entry_without_a_fault_is_read_the_same_by_the_quick_and_the_careful_way(text: str) -> None:
    careful = Scanner(text)
    careful._quick = lambda at: None  # type: ignore[method-assign]  # leaves all entries to the careful way

    quick = Scanner(text)

    assert list(quick.parts()) == list(careful.parts())
    assert quick.faults == careful.faults


def test_fields_have_exact_spans() -> None:
    text = '% head\n@Article{key ,\n  Title = {A {B} c} ,\n  month = 7 # "~" # oct\n}\n'
    block = scan(text)[1]

    spans = spans_of(text, block)

    title, month = spans.fields
    assert text[spans.type_start : spans.type_end] == "Article"
    assert text[spans.key_start : spans.key_end] == "key"
    assert text[title.start : title.end] == "Title = {A {B} c} ,"
    assert text[title.value_start : title.value_end] == "{A {B} c}"
    assert text[month.start : month.end] == 'month = 7 # "~" # oct'
    assert [(piece.kind, text[piece.start : piece.end]) for piece in month.pieces] == [
        ("0", "7"),
        ('"', '"~"'),
        ("a", "oct"),
    ]
    assert spans.close == block.end - 1


def test_a_string_block_has_its_definitions_as_fields() -> None:
    text = "@STRING{JHEP = {J. High Energy Phys.}}"
    (block,) = scan(text)

    assert (block.kind, block.key) == ("string", "JHEP")
    assert [field.name for field in fields_of(text, block)] == ["jhep"]


def test_free_text_has_no_fields() -> None:
    with pytest.raises(ValueError, match="no fields"):
        fields_of("just words", Block("text", 0, 10))


@pytest.mark.parametrize(
    "prose",
    [
        "write to someone@example.org please",
        "write to someone@example.org (Room 3)",
        "an @ at large",
        "as @smith (2020) said",
        "as @smith {2020} said",
        "the type @article is for journals",
        "at the end of a line @",
    ],
)
def test_an_at_sign_in_prose_begins_nothing(prose: str) -> None:
    assert kinds(f"{prose}\n@misc{{a, title = {{T}}}}\n") == ["text", "entry", "text"]


@pytest.mark.parametrize(
    "entry",
    [
        "@misc{a}",
        "@misc{a,}",
        "@misc{a, title={T}}",
        "@misc(a, title={T (1)})",
        "@ MISC {\na\n,\ntitle\n=\n{T}\n}",
        "@misc{a:b/c+d.e_f-g, title={T}}",
        "@misc{müller:2019/α, title={T}}",
        "@misc{2001, title={T}}",
        "@misc{a, title={" + "{" * 20 + "T" + "}" * 20 + "}}",
        "@misc{a, date-added = {T}, bdsk-url-1 = {U}}",
        "@misc{a, note={line\n@article inside}}",
        "@misc{a, note={line\n@article{inside, title={x}} of it}}",
        '@misc{a, note="a {"} b"}',
        '@misc{a, note={a " b}}',
    ],
)
def test_an_entry_of_any_legal_form_is_one_block_without_a_fault(entry: str) -> None:
    scanner = Scanner(f"before\n{entry} @misc{{z, year = 2000}}\n")

    blocks = [part.block for part in scanner.parts()]

    assert [block.kind for block in blocks] == ["text", "entry", "text", "entry", "text"]
    assert not any(block.broken for block in blocks)
    assert scanner.faults == []


def test_braces_are_counted_blindly() -> None:
    assert fields(r'@misc{a, title = "{a {\textbackslash{\}} b {\{}c{\}}}"}') == {
        "title": r"{a {\textbackslash{\}} b {\{}c{\}}}"
    }


def test_pieces_are_told_apart() -> None:
    found = fields('@misc{a, x = "lit" # Mac # 12, y = mac, z = 12}')

    assert found == {"x": ["lit", "Mac", "12"], "y": "mac", "z": "12"}
    assert [type(piece) for piece in found["x"]] == [str, Macro, str]  # type: ignore[attr-defined]  # a list
    assert isinstance(found["y"], Macro)


def test_a_comment_hides_all_that_it_holds() -> None:
    assert kinds("@comment{ old\n@misc{a, title={x}}\n}@Comment(b {)} c)@misc{d, e={f}}") == [
        "comment",
        "comment",
        "entry",
    ]


def test_a_comment_that_never_closes_hides_only_its_word() -> None:
    scanner = Scanner("@comment{ old\n@misc{a, title={x}}\n")

    assert [part.block.key for part in scanner.parts() if part.block.kind == "entry"] == ["a"]
    assert [(fault.severity, fault.code, fault.at) for fault in scanner.faults] == [
        ("error", "parse-error", 0)
    ]


def test_an_entry_on_a_line_of_comment_is_skipped_and_told() -> None:
    scanner = Scanner("% @misc{a, title={x}}\n  %@misc{b,\n@misc{c, d={e}}")

    assert [part.block.key for part in scanner.parts() if part.block.kind == "entry"] == ["c"]
    assert [(fault.severity, fault.code) for fault in scanner.faults] == [("info", "commented-entry")] * 2


def test_a_value_that_nests_too_deep_is_left_out_and_told() -> None:
    deep = "{" * (MAX_DEPTH + 1) + "}" * (MAX_DEPTH + 1)
    scanner = Scanner(f"@misc{{a, x = {deep}, y = {{z}}}}")

    (part,) = scanner.parts()

    assert part.fields == [("y", "z")]
    assert [fault.code for fault in scanner.faults] == ["limit"]


#: What has been seen, or can be thought, to make readers slow: text of about so many characters.
HOSTILE: dict[str, Callable[[int], str]] = {
    "braces that never close": lambda n: "@misc{a, t=" + "{" * n,
    "entries that never close": lambda n: "@a{x, t={\n" * (n // 10),
    "entries that never close, with groups": lambda n: ("@a{x, t={\n" + "{} " * 50 + "\n") * (n // 160),
    "quotes that never close": lambda n: '@a{x, t="\n' * (n // 10),
    "values that close far away": lambda n: "@a{x,t={\n" * (n // 12) + "}!" * (n // 6),
    "quotes that close far away": lambda n: '@a(x,t="{\n' * (n // 20) + '}"!\n' * (n // 20),
    "faults on one line": lambda n: "@misc{a, !, x={}}" * (n // 18),
    "at signs": lambda n: "@" * n,
    "at signs and blanks": lambda n: " " * (n // 2) + "@ " * (n // 4),
    "heads": lambda n: "\n@a{" * (n // 4),
    "heads in parentheses": lambda n: "@a(" * (n // 3),
    "comments that never close": lambda n: "@comment{" * (n // 9),
    "comments in parentheses over groups": lambda n: "@comment( " * (n // 20) + "{}" * (n // 4),
    "fields of a broken entry": lambda n: "@a{x, t={\n" + ",a=b" * (n // 4),
    "broken fields": lambda n: "@a{x,\n" + "t={\n" * (n // 4),
    "garbage": lambda n: "@a{x,\n" + "?? \n" * (n // 4),
    "commas": lambda n: "@a{x" + "," * n,
    "closing braces": lambda n: "@a{x, t={a}" + "}" * n,
    "fields behind the closing brace": lambda n: "@a{x" + ",t={}}" * (n // 6),
    "an endless key": lambda n: "@a{" + "a=" * (n // 2),
    "blanks": lambda n: "@a{x,t={}" + " " * n,
    "quotes in braces": lambda n: '@a{x,t="' + '{"' * (n // 4) + '"}' * (n // 4) + '"}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_scanning_takes_linear_time(name: str) -> None:
    # Eight times the text may take eight times as many steps; quadratic is 64 times.
    assert effort.lines(lambda: scan(HOSTILE[name](80_000))) < 10 * effort.lines(
        lambda: scan(HOSTILE[name](10_000))
    )
    with effort.ends():
        scan(HOSTILE[name](400_000))
