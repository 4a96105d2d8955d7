"""Reading real, broken .bib files: what is right is read, what is wrong is told, nothing is lost."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refkit.bibtex import UnreadableError, read_bytes, read_file, read_files, read_sources, read_text
from refkit.bibtex.encoding import MAX_BYTES, decode
from refkit.bibtex.macros import MAX_VALUE

if TYPE_CHECKING:
    from refkit.model import Diagnostic

DATA = Path(__file__).resolve().parent.parent / "data" / "bibtex"


def told(diagnostics: list[Diagnostic]) -> list[tuple[str, str, str | None, int | None]]:
    return [(found.severity, found.code, found.key, found.line) for found in diagnostics]


def test_prose_and_comments_begin_no_entries() -> None:
    document = read_file(DATA / "prose-and-comments.bib")

    assert [entry.key for entry in document.entries] == ["first", "second"]
    assert document.entries[0].fields["title"].endswith("see @article, or @book, or write to me@example.org")
    assert told(document.diagnostics) == [("info", "commented-entry", None, 7)]


def test_delimiters_and_blanks_may_be_of_any_legal_form() -> None:
    document = read_file(DATA / "delimiters.bib")

    assert {entry.key: entry.fields for entry in document.entries} == {
        "inparentheses": {
            "author": "Tan, Wei (Grace)",
            "title": "On (x, y) pairs and ) alone",
            "journal": "Journal of (Odd) Brackets",
        },
        "spaced": {"title": "Spaces", "year": "2006"},
        "tight": {"title": "tight", "year": "2007"},
        "sameline": {"title": "same line"},
        "quoted": {
            "title": r"{Must we all be {\textbackslashStoic{\}}? A {\{}set{\}} reply}",
            "note": r"""{\"O}zg{\"u}r {"}said{"}""",
        },
        "last": {"title": "no newline at the end"},
    }
    assert document.diagnostics == []


def test_white_space_runs_are_one_blank_and_a_no_break_space_is_text() -> None:
    (entry,) = read_text("@misc{a, title = {\n  One\t two\r\n three\u00a0 four  }}").entries

    assert entry.fields["title"] == "One two three\u00a0 four"


# --------------------------------------------------------------------------- faults


@pytest.mark.parametrize(
    "between", [" trailing text ", " and ", ") or = ", " x = y, @, ", " mail a@b.org, see "]
)
@pytest.mark.parametrize(
    "second", ["@misc{b, title={B}}", "@article(b,title = {B})", "@misc {b,\n  title={B}\n}"]
)
def test_text_between_two_entries_on_a_line_costs_neither(between: str, second: str) -> None:
    document = read_text(f"@misc{{a, title={{A}}}}{between}{second}\n@misc{{c, title={{C}}}}\n")

    assert [(entry.key, entry.fields) for entry in document.entries] == [
        ("a", {"title": "A"}), ("b", {"title": "B"}), ("c", {"title": "C"}),
    ]  # fmt: skip


FAULTS = sorted(path.stem for path in (DATA / "faults").glob("*.bib"))
#: Line of the fault, where it is not the one of the entry's ``@`` (4).
LINES = {
    "brace-too-many": 5,
    "garbage": 6,
    "missing-comma": 5,
    "missing-comma-behind-key": 5,
    "missing-equals": 5,
    "missing-quote": 6,
    "missing-quote-before-quotes": 6,
    "missing-value-brace": 6,
    "quotes-in-quotes": 7,
    "two-missing-braces": 6,
    "umlaut-in-quotes": 7,
    "value-without-delimiters": 7,
    "wrong-closer": 8,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_its_own_value_at_most(fault: str) -> None:
    document = read_file(DATA / "faults" / f"{fault}.bib")

    before, bad, behind = document.entries
    assert (before.key, before.fields) == ("before", {"title": "Good Before"})
    assert (behind.key, behind.fields) == ("behind", {"author": "Costa, Rui", "title": "Good Behind"})
    wanted = {"author": "Baker, Sam", "title": "Broken", "year": "1981"}
    assert bad.key == "bad"
    assert {name: value for name, value in bad.fields.items() if name in wanted} == wanted


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_once_with_its_line_and_key(fault: str) -> None:
    document = read_file(DATA / "faults" / f"{fault}.bib")

    errors = [found for found in document.diagnostics if found.severity == "error"]
    assert told(errors) == [("error", "parse-error", "bad", LINES.get(fault, 4))]
    assert document.block_of(document.entries[1]).broken


def test_what_a_broken_value_held_is_kept() -> None:
    assert read_file(DATA / "faults" / "quotes-in-quotes.bib").entries[1].fields["note"] == 'the "best" one'
    assert read_file(DATA / "faults" / "umlaut-in-quotes.bib").entries[1].fields["editor"] == r"M\"uller, J"
    found = read_file(DATA / "faults" / "value-without-delimiters.bib").entries[1].fields
    assert found["publisher"] == "The Press"


@pytest.mark.parametrize(
    "bad",
    [
        "@misc{a, title = {x, year = {1}}",
        "@misc{a, title = {{x, year = {1}}",
        "@misc{a, title = {x}, year = {1}",
        '@misc{a, title = "x, year = {1}}',
        "@misc{a, title = {x} year = {1}}",
        '@misc{a, title = x", year = {1}}',
        "@misc{a, title = x}, year = {1}}",
    ],
)
@pytest.mark.parametrize("between", ["", " ", "\n", "\n\n  ", "\n% note\n", "\nsome notes\n"])
def test_a_fault_in_one_line_ends_where_the_next_entry_begins(bad: str, between: str) -> None:
    good = "@misc{b(1), title = {y}}"
    document = read_text(
        f"{good}{between}{bad}{between}{good.replace('b(1)', 'c')}{between}@misc{{d,year=2}}"
    )

    assert [entry.key for entry in document.entries] == ["b(1)", "a", "c", "d"]
    assert document.entries[1].fields == {"title": "x", "year": "1"}
    assert document.entries[2].fields == {"title": "y"}
    assert {found.key for found in document.diagnostics if found.severity == "error"} == {"a"}


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("@misc{title = {T}, year = 2000}", {"title": "T", "year": "2000"}),
        ("@misc{\n  title = {T},\n}", {"title": "T"}),
        ("@misc{, title = {T}}", {"title": "T"}),
        ("@misc{year=2000, title = {T}}", {"year": "2000", "title": "T"}),
    ],
)
def test_an_entry_without_a_key_is_kept_and_told(text: str, fields: dict[str, str]) -> None:
    document = read_text(text)

    assert [(entry.key, entry.fields) for entry in document.entries] == [("", fields)]
    assert [(found.severity, found.code) for found in document.diagnostics] == [("error", "missing-key")]


def test_a_key_may_hold_an_equals_sign() -> None:
    assert [entry.key for entry in read_text("@misc{a=b, title = {T}}").entries] == ["a=b"]


def test_a_key_with_a_blank_is_kept_and_told() -> None:
    document = read_text("@misc{Smith 2020, title = {T}}")

    assert document.entries[0].key == "Smith 2020"
    assert told(document.diagnostics) == [("error", "parse-error", "Smith 2020", 1)]


def test_an_entry_without_its_at_sign_is_told() -> None:
    document = read_text("\n  article{a,\n  title = {T}\n}\n@misc{b, title = {U}}\n")

    assert [entry.key for entry in document.entries] == ["b"]
    assert told(document.diagnostics) == [("warning", "parse-error", "a", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "@articlesmith2020,\n  title = {T}\n}\n",
        "@misc smith2020,\n  title = {T}\n}\n",
        "@{smith2020, title = {T}}\n",
        "@preamble{ {x\n",
    ],
)
def test_what_cannot_be_an_entry_is_told(text: str) -> None:
    document = read_text(text + "@misc{next, title = {T}}\n")

    assert [entry.key for entry in document.entries] == ["next"]
    assert told(document.diagnostics) == [("error", "parse-error", None, 1)]


def test_a_repeated_field_keeps_the_first_and_is_told() -> None:
    document = read_text(
        "@misc{a,\n note = {first},\n note = {second},\n url = {u},\n URL = {u}}\n", file="refs.bib"
    )

    assert document.entries[0].fields == {"note": "first", "url": "u"}
    assert told(document.diagnostics) == [
        ("error", "duplicate-field", "a", 3),
        ("warning", "duplicate-field", "a", 5),
    ]
    assert "'note'" in document.diagnostics[0].message


def test_repeated_keys_are_kept_and_told_with_the_line_of_the_later() -> None:
    bibliography = read_sources(
        [("a.bib", b"@misc{K, x={1}}\n@misc{k, x={2}}\n"), ("b.bib", b"\n@misc{K, x={3}}")]
    )

    assert [entry.fields["x"] for entry in bibliography] == ["1", "2", "3"]
    assert bibliography.by_key["K"].fields["x"] == "1"
    assert [(found.code, found.key, found.file, found.line) for found in bibliography.diagnostics] == [
        ("case-collision", "k", "a.bib", 2),
        ("duplicate-key", "K", "b.bib", 2),
    ]
    assert "a.bib:1" in bibliography.diagnostics[1].message


def test_lines_and_columns_are_counted_with_any_line_ending() -> None:
    for newline in ("\n", "\r\n", "\r"):
        document = read_text(newline.join(["", "@misc{a,", "  x = {1},", "  x = {2},", "}"]))

        assert document.newline == newline
        assert document.entries[0].line == 2
        assert [(found.line, found.column) for found in document.diagnostics] == [(4, 3)]


# --------------------------------------------------------------------------- macros


def test_macros_are_expanded_as_bibtex_does() -> None:
    entries = {entry.key: entry.fields for entry in read_file(DATA / "macros.bib").entries}

    assert entries["joined"] == {
        "title": "A {B}ridge Too Far",
        "journal": "ACM Trans. on Graph.",
        "year": "1999",
        "month": "15~March",
    }
    assert entries["redefined"]["journal"] == "Other"


def test_undefined_macros_are_told_and_lose_nothing() -> None:
    document = read_file(DATA / "macros.bib")
    entries = {entry.key: entry.fields for entry in document.entries}

    assert entries["undefined"] == {"title": "T", "note": "text", "series": "Alone"}
    assert entries["early"]["journal"] == "Defined Later"
    assert entries["classic"]["journal"] == "Communications of the ACM"
    assert told(document.diagnostics) == [
        ("warning", "undefined-string", "undefined", 5),
        ("warning", "undefined-string", "undefined", 5),
        ("warning", "undefined-string", "early", 6),
        ("warning", "undefined-string", "classic", 8),
        ("warning", "duplicate-string", None, 9),
    ]
    assert "nosuch" in document.diagnostics[0].message


def test_macros_of_one_file_hold_in_the_next() -> None:
    bibliography = read_sources(
        [("strings.bib", b"@string{p = {North Press}}"), ("refs.bib", b"@book{a, publisher = P}")]
    )

    assert bibliography.by_key["a"].fields["publisher"] == "North Press"
    assert bibliography.diagnostics == []


def test_a_bomb_of_macros_is_left_out_and_told() -> None:
    lines = ["@string{a0 = {xxxxxxxxxx}}"]
    lines += [f"@string{{a{i} = {' # '.join([f'a{i - 1}'] * 10)}}}" for i in range(1, 10)]
    document = read_text("\n".join([*lines, "@misc{d, title = a9, note = a5}", "@misc{e, title = {ok}}"]))

    d, e = document.entries
    assert len(d.fields["note"]) == 10**6 == MAX_VALUE
    assert d.fields["title"] == ""
    assert e.fields["title"] == "ok"
    assert ("error", "limit", "d", 11) in told(document.diagnostics)


def test_many_values_that_macros_make_are_bounded_together() -> None:
    lines = ["@string{a0 = {" + "x" * 1000 + "}}", "@string{a1 = " + " # ".join(["a0"] * 1000) + "}"]
    lines += [f"@misc{{k{i}, note = a1 # {{}}}}" for i in range(200)]

    document = read_text("\n".join(lines))

    assert sum(len(entry.fields["note"]) for entry in document.entries) < 10**8
    assert any(found.code == "limit" for found in document.diagnostics)


# --------------------------------------------------------------------------- encodings


def test_byte_order_marks_are_no_content() -> None:
    document = read_file(DATA / "byte-order-marks.bib")

    assert [entry.key for entry in document.entries] == ["first", "second"]
    assert document.entries[0].fields["title"] == "One line"
    assert [(found.severity, found.code) for found in document.diagnostics] == [("info", "encoding")]
    assert document.newline == "\r\n"


@pytest.mark.parametrize(
    ("name", "encoding", "field", "value"),
    [
        ("latin1.bib", "iso8859-1", "author", "Müller, Jürgen"),
        ("cp1252.bib", "cp1252", "title", "“Quoted” – 5 €"),
        ("declared-latin2.bib", "iso8859-2", "author", "Łoś, Żaneta"),
    ],
)
def test_other_encodings_are_recognised_and_told(name: str, encoding: str, field: str, value: str) -> None:
    document = read_file(DATA / name)

    assert document.encoding == encoding
    assert document.entries[0].fields[field] == value
    assert [(found.severity, found.code) for found in document.diagnostics] == [("warning", "encoding")]


def test_stray_bytes_in_a_utf8_file_are_read_where_they_stand() -> None:
    document = read_file(DATA / "mixed-encodings.bib")

    assert [entry.fields["author"] for entry in document.entries] == ["Łoś, Zoë", "Müller, Jürgen"]
    assert told(document.diagnostics) == [("error", "encoding", None, 2)]


@pytest.mark.parametrize("mark", ["utf-16", "utf-32"])
def test_utf16_and_utf32_are_read_and_told(mark: str) -> None:
    data = "@misc{a, title = {Zwölf}}".encode(mark)

    document = read_bytes(data)

    assert document.entries[0].fields["title"] == "Zwölf"
    assert [found.code for found in document.diagnostics] == ["encoding"]
    assert document.encode() == data


@pytest.mark.parametrize("path", sorted(DATA.rglob("*.bib")), ids=lambda path: path.name)
def test_a_document_gives_its_bytes_back(path: Path) -> None:
    assert read_file(path).encode() == path.read_bytes()


@given(st.binary(max_size=200))
def test_any_bytes_are_given_back_or_refused(data: bytes) -> None:
    try:
        decoded = decode(data)
    except UnreadableError:
        return
    assert decoded.encode() == data
    middle = len(decoded.text) // 2
    assert decoded.encode(0, middle) + decoded.encode(middle) == data


def test_what_is_no_text_is_refused_by_name() -> None:
    with pytest.raises(UnreadableError, match=r"picture\.png is not text"):
        read_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "picture.png")


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refkit.bibtex.encoding.MAX_BYTES", 10)

    with pytest.raises(UnreadableError, match=r"refs\.bib has 25 bytes.*: split it"):
        read_bytes(b"@misc{a, title = {Title}}", "refs.bib")
    assert MAX_BYTES >= 2**30


# --------------------------------------------------------------------------- inheritance


def test_a_paper_inherits_from_its_proceedings() -> None:
    entries = read_text(
        "@inproceedings{paper, title={Paper}, crossref={proc}, pages={1}}\n"
        "@proceedings{proc, title={Proc.}, subtitle={Sub}, booktitle={Other}, editor={E, F}, date={2001-05},"
        " shorttitle={P}, options={skipbib}, keywords={k}}\n"
    ).entries

    paper = entries[0]
    assert paper.fields == {
        "title": "Paper",
        "crossref": "proc",
        "pages": "1",
        "booktitle": "Proc.",
        "booksubtitle": "Sub",
        "editor": "E, F",
        "date": "2001-05",
        "keywords": "k",
    }
    assert set(paper.inherited) == {"booktitle", "booksubtitle", "editor", "date", "keywords"}
    assert set(paper.inherited.values()) == {"proc"}


def test_own_values_stay_under_any_of_their_names() -> None:
    article = read_text(
        "@article{a, title={A}, journal={Mine}, year={2002}, crossref={p}}\n"
        "@periodical{p, title={Theirs}, date={2001-05-06}, issn={1}}\n"
    ).entries[0]

    assert article.fields == {"title": "A", "journal": "Mine", "year": "2002", "crossref": "p", "issn": "1"}


def test_grandparents_and_containers_give_what_is_missing_across_files() -> None:
    bibliography = read_sources(
        [
            ("a.bib", b"@inbook{c, title={C}, crossref={b}}"),
            ("b.bib", b"@book{b, title={B}, author={A, A}, crossref={m}, xdata={pub}}"),
            ("c.bib", b"@mvbook{m, title={M}, note={N}}@xdata{pub, publisher={P}, xdata={place}}"),
            ("d.bib", b"@xdata{place, location={Oslo}}"),
        ]
    )

    chapter = bibliography.by_key["c"]
    assert chapter.fields == {
        "title": "C",
        "crossref": "b",
        "author": "A, A",
        "bookauthor": "A, A",
        "booktitle": "B",
        "publisher": "P",
        "location": "Oslo",
        "maintitle": "M",
        "note": "N",
    }
    assert chapter.inherited["location"] == "place"
    assert chapter.inherited["note"] == "m"
    assert [entry.key for entry in bibliography] == ["c", "b", "m"]
    assert [entry.key for entry in bibliography.xdata] == ["pub", "place"]
    assert bibliography.diagnostics == []


def test_one_value_of_a_container_may_be_taken() -> None:
    entry = read_text(
        "@book{a, publisher={xdata=p-publisher}, author={xdata=p-author-2}, note={xdata=p-nothing}}\n"
        "@xdata{p, publisher={Press}, author={A, B and C, D}}\n"
    ).entries[0]

    assert entry.fields == {"publisher": "Press", "author": "C, D", "note": "xdata=p-nothing"}
    assert entry.inherited == {"publisher": "p", "author": "p"}


def test_a_container_never_replaces_an_own_value_and_says_so() -> None:
    document = read_text("@book{a, title={Own}, xdata={x}}@xdata{x, title={Other}}")

    assert document.entries[0].fields["title"] == "Own"
    assert [(found.severity, found.code) for found in document.diagnostics] == [("warning", "xdata-conflict")]


@pytest.mark.parametrize(
    ("field", "severity"),
    [("crossref", "error"), ("xdata", "error"), ("xref", "warning"), ("related", "warning")],
)
def test_a_reference_to_nothing_is_told(field: str, severity: str) -> None:
    document = read_text(f"@misc{{a,\n {field} = {{nowhere}}}}")

    assert told(document.diagnostics) == [(severity, "dangling-crossref", "a", 2)]
    assert "nowhere" in document.diagnostics[0].message


def test_a_reference_in_other_case_is_followed_and_told() -> None:
    document = read_text("@inbook{a, crossref={Book}}@book{book, title={T}}")

    assert document.entries[0].fields["booktitle"] == "T"
    assert told(document.diagnostics) == [("warning", "case-collision", "a", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "@misc{a, crossref={a}, x={1}}",
        "@misc{a, crossref={b}, x={1}}@misc{b, crossref={a}, y={2}}",
        "@misc{a, xdata={b}}@xdata{b, xdata={c}, x={1}}@xdata{c, xdata={b}, y={2}}",
    ],
)
def test_a_circle_is_told_and_ends(text: str) -> None:
    document = read_text(text)

    assert [(found.severity, found.code) for found in document.diagnostics] == [
        ("error", "circular-crossref")
    ]


def test_a_long_chain_is_followed_to_its_end() -> None:
    text = (
        "".join(f"@misc{{k{i}, crossref={{k{i + 1}}}}}\n" for i in range(5000)) + "@misc{k5000, note={end}}"
    )

    assert read_text(text).entries[0].fields["note"] == "end"


def test_an_entry_is_found_by_its_other_keys() -> None:
    bibliography = read_sources([("a.bib", b"@misc{new, ids={old, older}}@misc{b, crossref={older}}")])

    assert bibliography.get("older") is bibliography.by_key["new"]
    assert bibliography.get("none") is None
    assert bibliography.diagnostics == []


def test_another_key_that_is_taken_is_told() -> None:
    document = read_text("@misc{a, ids={b}}\n@misc{b, ids={c}}\n@misc{d, ids={c}}")

    assert told(document.diagnostics) == [
        ("error", "duplicate-key", "a", 1),
        ("error", "duplicate-key", "d", 3),
    ]


def test_files_are_named_relative_to_the_project(tmp_path: Path) -> None:
    (tmp_path / "bib").mkdir()
    (tmp_path / "bib" / "a.bib").write_text("@misc{a, note={n}}")

    bibliography = read_files([tmp_path / "bib" / "a.bib"], relative_to=tmp_path)

    assert bibliography.entries[0].file == "bib/a.bib"


# --------------------------------------------------------------------------- against the references


#: Entries on which biber and refkit agree; the differences are those that `inherit` and `reader` list.
LEGAL = """
@string{x = "Ex"}
@book{par, title={Parent}, subtitle={Sub}, year=2000, publisher={Pub}, author={A, B}, note=x}
@inbook{ch, title={Child}, crossref={par}, pages={1--2}}
@proceedings{pr, title={Proc}, year={2001}, location={Rome}, editor={E, F}}
@inproceedings{ip, title={Paper}, crossref={pr}}
@inproceedings{ip2, title={Paper}, year={2002}, crossref={pr}}
@xdata{xd, publisher={Press}, location={Oslo}}
@book{xb, title={Own}, author={C, D}, year={2001}, xdata={xd}}
@misc{cm, title={T} % comment
 , year=2000}
% @misc{commented, title={No}}
@collection{co, title={Coll}, editor={G, H}, year={1999}}
@incollection{ic, title={In}, author={I, J}, crossref={co}}
"""


def test_biber_resolves_the_same_inheritance(tmp_path: Path) -> None:
    biber = shutil.which("biber")
    if biber is None:
        pytest.skip("biber is not installed: apt install biber")
    (tmp_path / "refs.bib").write_text(LEGAL)
    command = [biber, "--tool", "--quiet", "--output-resolve", "--output-file", "out.bib", "refs.bib"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)

    theirs = {entry.key: entry.fields for entry in read_file(tmp_path / "out.bib").entries}
    ours = {entry.key: entry.fields for entry in read_text(LEGAL).entries}

    # biber writes year as date, and leaves the references out.
    for fields in ours.values():
        fields.pop("crossref", None)
        fields.pop("xdata", None)
        if "year" in fields:
            fields["date"] = fields.pop("year")
    assert ours == theirs


def test_pybtex_reads_the_same_fields() -> None:
    from pybtex.database import parse_string

    text = (DATA / "delimiters.bib").read_text(encoding="utf-8")
    theirs = parse_string(text, "bibtex")

    for entry in read_text(text).entries:
        found = theirs.entries[entry.key]
        assert {name.lower(): " ".join(value.split()) for name, value in found.fields.items()} == {
            name: value for name, value in entry.fields.items() if name not in ("author", "editor")
        }
