"""RIS: bytes, types and tags as Zotero, EndNote and rispy read them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.formats.conftest import DATA

from refkit.formats import FORMATS
from refkit.formats.ris import one as written
from refkit.formats.ris import read, split_pages
from refkit.hub import Item, item

if TYPE_CHECKING:
    from tests.formats.conftest import ReadItem

    from refkit.model import Entry


def record(found: Item) -> dict[str, list[str]]:
    """A record's values by tag."""
    out: dict[str, list[str]] = {}
    for line in written(found).split("\r\n"):
        if line:
            tag, value = line[:2], line[6:]
            out.setdefault(tag, []).append(value)
    return out


def test_bytes_are_those_of_the_specification(listed: dict[str, Item], hostile: dict[str, Item]) -> None:
    text = FORMATS["ris"].dumps([*listed.values(), *hostile.values()])

    assert text.startswith("TY  - ")
    assert text.endswith("ER  - \r\n")
    assert not re.search(r"(?<!\r)\n", text)
    assert all(re.fullmatch(r"([A-Z][A-Z0-9]  - .*)?", line) for line in text.split("\r\n"))
    assert text.count("TY  - ") == text.count("ER  - \r\n") == len(listed) + len(hostile)


def test_every_kind_has_the_type_that_zotero_reads_as_it(kinds: dict[str, Item]) -> None:
    assert {key: record(found)["TY"][0] for key, found in kinds.items()} == {
        "paper": "CONF",
        "preprint": "UNPB",
        "article": "JOUR",
        "book": "BOOK",
        "chapter": "CHAP",
        "thesis": "THES",
        "report": "RPRT",
        "standard": "STAND",
        "documentation": "ELEC",
        "blog": "BLOG",
        "software": "COMP",
        "software-without-version": "COMP",
        "dataset": "DATA",
        "misc": "GEN",
    }
    assert "Type: preprint" in record(kinds["preprint"])["M2"]
    assert "Type: standard" in record(kinds["standard"])["M2"]
    assert "Type: document" in record(kinds["misc"])["M2"]


def test_a_paper_names_the_event_and_the_proceedings(kinds: dict[str, Item], one: ReadItem) -> None:
    paper = record(kinds["paper"])

    assert (paper["T2"], paper["C3"]) == (["SYMP 2023"], ["Proceedings of the 7th Symposium"])
    assert (paper["SP"], paper["EP"]) == (["611"], ["626"])
    assert "Event Place: Oslo, Norway" in paper["M2"]
    without = record(one("@inproceedings{a, title={T}, booktitle={P}}"))
    assert without["T2"] == without["C3"] == ["P"]


def test_numbers_and_versions_go_where_the_type_has_a_place(kinds: dict[str, Item]) -> None:
    assert record(kinds["report"])["SN"] == ["TR-2008-134"]
    assert record(kinds["software"])["ET"] == ["4.2"]
    assert record(kinds["software"])["CR"] == ["MIT"]
    assert record(kinds["book"])["ET"] == ["4"]
    assert record(kinds["book"])["SP"] == ["580"]
    assert (record(kinds["book"])["T2"], record(kinds["book"])["M1"]) == (["Blue Series"], ["9"])
    assert record(kinds["article"])["IS"] == ["4"]
    documentation = record(kinds["documentation"])
    assert {"Version: 13.4", "Number: Section 2.1"} <= set(documentation["M2"])
    assert "ET" not in documentation


def test_a_standard_names_its_body_for_every_reader(kinds: dict[str, Item]) -> None:
    standard = record(kinds["standard"])

    assert standard["PB"] == ["Open Format Forum"]
    assert {"Publisher: Open Format Forum", "Organization: Open Format Forum", "Version: 1.0"} <= set(
        standard["M2"]
    )


def test_a_preprint_says_where_and_under_which_number(kinds: dict[str, Item]) -> None:
    preprint = record(kinds["preprint"])

    assert preprint["PB"] == ["arXiv"]
    assert {"Archive ID: 2205.14135", "arXiv: 2205.14135"} <= set(preprint["M2"])


def test_dates_have_their_empty_places(kinds: dict[str, Item]) -> None:
    assert (record(kinds["preprint"])["DA"], record(kinds["preprint"])["PY"]) == (["2022/05/27"], ["2022"])
    assert record(kinds["paper"])["DA"] == ["2023/10/"]
    assert record(kinds["book"])["DA"] == ["2022//"]
    assert "DA" not in record(kinds["documentation"])
    assert record(kinds["documentation"])["Y2"] == ["2026/08/23"]


def test_an_organisation_has_no_comma(kinds: dict[str, Item]) -> None:
    assert record(kinds["documentation"])["AU"] == ["Example Inc."]
    assert record(kinds["article"])["AU"] == ["van der Berg, Anna", "King, Martin, Jr."]


def test_editors_have_the_tag_of_their_type(kinds: dict[str, Item], one: ReadItem) -> None:
    assert record(kinds["paper"])["A2"] == ["Poe, Cy"]
    assert record(one("@book{a, title={T}, editor={Poe, Cy}}"))["A3"] == ["Poe, Cy"]


def test_notes_are_escaped_html_on_one_line(listed: dict[str, Item]) -> None:
    (note,) = record(listed["blog"])["N1"]

    assert note == (
        "<p>Annotation: <strong>Attention, tiling, and more.</strong> "
        "Reads a &lt; b &amp; C++; <em>see</em> 100%.</p><p><strong>Serving.</strong> Pages memory.</p>"
    )


def test_a_remark_is_not_taken_apart(hostile: dict[str, Item]) -> None:
    """Readers split notes that begin with the label of a field."""
    assert record(hostile["tags"])["N1"] == ["<p>Annotation: Language: x</p>"]


def test_a_value_cannot_imitate_a_tag(hostile: dict[str, Item]) -> None:
    tags = record(hostile["tags"])

    assert tags["TI"] == ["Evil ER -"]
    assert tags["AB"] == ["One. TY - BOOK TI - Evil"]


def test_tags_are_one_a_line_and_not_split_again(listed: dict[str, Item], one: ReadItem) -> None:
    assert record(listed["blog"])["KW"] == [
        "gpu", "section: Attention, tiling, and more", "section: Serving", "kind: blog",
    ]  # fmt: skip
    assert "KW" not in record(one("@misc{a, title={T}}"))


def test_key_is_there_for_zotero_and_for_others(kinds: dict[str, Item]) -> None:
    assert record(kinds["blog"])["ID"] == ["blog"]
    assert "Citation Key: blog" in record(kinds["blog"])["M2"]


def test_an_unsafe_address_is_left_out(hostile: dict[str, Item]) -> None:
    assert "UR" not in record(hostile["script"])
    assert "javascript" not in FORMATS["ris"].dumps(hostile.values())


@pytest.mark.parametrize(
    ("pages", "ends"),
    [
        ("S1-S10", ("S1", "S10")),
        ("e102", ("e102", "")),
        ("045109-1–045109-8", ("045109-1", "045109-8")),
        ("1,3,5-7", ("1,3,5-7", "")),
        ("77+", ("77+", "")),
        ("-5", ("-5", "")),
    ],
)
def test_pages_are_split_at_what_separates(pages: str, ends: tuple[str, str]) -> None:
    assert split_pages(pages) == ends


# reading


def test_what_was_written_is_read_back(kinds: dict[str, Item]) -> None:
    entries, diagnostics = read(FORMATS["ris"].dumps(kinds.values()), "x.ris")
    ignored = {"genre", "medium", "note"}

    assert not diagnostics
    assert [entry.key for entry in entries] == list(kinds)
    for entry in entries:
        before, after = kinds[entry.key], item(entry)
        if entry.key == "documentation":
            continue  # the comma in the organisation's name is lost
        assert after.type == before.type, entry.key
        want = {name: value for name, value in before.csl.items() if name not in ignored}
        assert {name: value for name, value in after.csl.items() if name not in ignored} == want, entry.key


def test_annotations_are_read_back(listed: dict[str, Item]) -> None:
    (entry,) = FORMATS["ris"].loads(written(listed["book"]))

    assert entry.text("annotation") == (
        "Attention, tiling, and more. Reads a < b & C++; see 100%. Serving. Pages memory."
    )


def test_other_programs_files_are_read() -> None:
    """With a byte order mark, one blank before the hyphen, values on two lines, the last record open."""
    text = (DATA / "foreign.ris").read_text("utf-8")
    (article, book), (diagnostic,) = read(text, "foreign.ris")

    assert article.type == "article"
    assert article.text("title") == "Waves and more"
    assert article.text("journaltitle") == "Journal"
    assert article.fields["pages"] == "1--9"
    assert article.fields["issn"] == "1234-5679"
    assert article.fields["date"] == "2003-04"
    assert article.fields["keywords"] == "a, b"
    assert article.key == "roe2003waves"
    assert [person.full for person in article.names("author").people] == ["Ann Roe", "Example Group"]
    assert (book.type, book.text("title"), book.line) == ("book", "Last", 18)
    assert "U1" in diagnostic.message


def test_what_is_no_ris_is_refused() -> None:
    with pytest.raises(ValueError, match="TY  - "):
        read("@book{a, title={T}}")


def test_an_empty_file_has_no_records() -> None:
    assert read("") == ([], [])


def the_one(*lines: str) -> tuple[Entry, str]:
    """The entry of one record, and what is said about it."""
    (entry,), diagnostics = read("\n".join(["TY  - JOUR", *lines, "ER  - "]))
    return entry, " ".join(diagnostic.message for diagnostic in diagnostics)


@pytest.mark.parametrize(
    ("lines", "date"),
    [
        (["DA  - Mar", "PY  - 2010"], "2010-03"),
        (["DA  - Mar 5", "PY  - 2010"], "2010-03-05"),
        (["DA  - 5 Mar", "Y1  - 2010///"], "2010-03-05"),
        (["DA  - 2010", "PY  - 2010/04/02/"], "2010-04-02"),
        (["DA  - 2010/00/00", "PY  - 2010"], "2010"),
        (["PY  - 1999/May//"], "1999-05"),
        (["PY  - 1999///Spring"], "1999-21"),
        (["PY  - 1999///Mar 3"], "1999-03-03"),
        (["DA  - 12 March 2019"], "2019-03-12"),
        (["DA  - 2019-04-12", "PY  - 2019"], "2019-04-12"),
        (["DA  - 2001/13/45"], "2001"),
        (["DA  - -0044/03/15", "PY  - -0044"], "-0044-03-15"),
        (["DA  - forthcoming", "PY  - 2010"], "2010"),
    ],
)
def test_dates_of_all_programs_are_read(lines: list[str], date: str) -> None:
    assert the_one(*lines)[0].fields["date"] == date


def test_a_date_that_says_nothing_is_named_or_kept() -> None:
    assert "DA" in the_one("DA  - forthcoming", "PY  - 2010")[1]
    entry, said = the_one("DA  - forthcoming")
    assert (entry.fields["year"], said) == ("forthcoming", "")


def test_a_year_before_the_era_is_written_so_that_it_is_read_back(one: ReadItem) -> None:
    found = one("@book{a, title={T}, date={-0044-03-15}}")

    assert (record(found)["PY"], record(found)["DA"]) == (["-0044"], ["-0044/03/15"])
    assert read(written(found))[0][0].fields["date"] == "-0044-03-15"


def test_lines_under_one_tag_are_values_as_endnote_means_them() -> None:
    entry, said = the_one(
        "KW  - Humans", "Mice and Men", "KW  - Rats", "UR  - http://a.org/", "http://b.org/"
    )

    assert entry.fields["keywords"] == "Humans, Mice and Men, Rats"
    assert entry.fields["url"] == "http://a.org/"
    assert "the second UR" in said


@pytest.mark.parametrize("tag", ["TI", "VL", "PB", "DO", "SP"])
def test_a_second_value_is_never_dropped_in_silence(tag: str) -> None:
    assert f"the second {tag}" in the_one(f"{tag}  - 10.1000/1", f"{tag}  - 10.1000/2")[1]
    assert the_one(f"{tag}  - 10.1000/1", f"{tag}  - 10.1000/1")[1] == ""


def test_custom_tags_mean_what_the_type_says() -> None:
    entry, said = the_one("C1  - whatever", "C2  - PMC12345", "ET  - 2010/01/05")
    assert entry.fields == {"pmcid": "PMC12345"}
    assert "C1, ET" in said
    (paper,), _ = read("TY  - CONF\nC1  - Paris\nER  -")
    assert paper.fields == {"location": "Paris"}


@pytest.mark.parametrize("tag", ["M3", "L3", "N1"])
@pytest.mark.parametrize("value", ["10.1000/xyz", "doi: 10.1000/xyz", "https://doi.org/10.1000/xyz"])
def test_a_doi_is_found_where_older_programs_put_it(tag: str, value: str) -> None:
    assert the_one(f"{tag}  - {value}")[0].fields == {"doi": "10.1000/xyz"}


def test_the_name_of_a_journal_and_its_short_form_are_told_apart() -> None:
    entry, _ = the_one("JO  - Nat. Phys.", "T2  - Nature Physics")

    assert (entry.fields["journaltitle"], entry.fields["shortjournal"]) == ("Nature Physics", "Nat. Phys.")
    assert the_one("JO  - Nature")[0].fields == {"journaltitle": "Nature"}


def test_records_without_a_begin_or_an_end_and_strays_are_told() -> None:
    text = "Exported by X\n\nTI  - No type\nER  - \n  TY  - BOOK\n  TI  - Indented\nTY  -JOUR\nTI\t- Tab\n"
    entries, diagnostics = read(text)

    assert [(entry.type, entry.text("title")) for entry in entries] == [
        ("misc", "No type"), ("book", "Indented"), ("article", "Tab"),
    ]  # fmt: skip
    assert [(one.line, one.code) for one in diagnostics] == [(1, "parse-error"), (3, "parse-error")]


def test_old_mac_newlines_are_newlines() -> None:
    entries, _ = read("\ufeffTY  - BOOK\rTI  - One\rER  - \r\rTY  - BOOK\rTI  - Two\rER  - \r")

    assert [entry.text("title") for entry in entries] == ["One", "Two"]


def test_texts_and_addresses_that_are_escaped_for_html_are_read() -> None:
    entry, _ = the_one(
        "TI  - AT&amp;T &#8211; &lt;i&gt;x&lt;/i&gt; R&D; Q", "UR  - https://a.org/?b=1&amp;c=2"
    )

    assert entry.text("title") == "AT&T – x R&D; Q"
    assert entry.fields["url"] == "https://a.org/?b=1&c=2"
