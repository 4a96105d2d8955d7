"""Classic BibTeX: what the old styles can set, in ASCII."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from refkit.bibtex.reader import read_text
from refkit.formats import FORMATS
from refkit.formats.bibtex import classic_type, to_ascii
from refkit.formats.bibtex import one as written
from refkit.hub import Context, Item, item

if TYPE_CHECKING:
    from tests.formats.conftest import ReadItem

    from refkit.model import Entry

CLASSIC = set(
    "article book booklet inbook incollection inproceedings manual mastersthesis misc phdthesis proceedings "
    "techreport unpublished".split()
)


def back(found: Item) -> Entry:
    """What is read from the text of one item."""
    document = read_text(written(found))
    assert not document.diagnostics
    (entry,) = document.entries
    return entry


def test_every_kind_gets_a_type_of_plain_bst(kinds: dict[str, Item]) -> None:
    types = {key: classic_type(found) for key, found in kinds.items()}

    assert set(types.values()) <= CLASSIC
    assert types["preprint"] == types["documentation"] == types["blog"] == types["software"] == "misc"
    assert types["report"] == types["standard"] == "techreport"
    assert types["thesis"] == "phdthesis"


def test_the_file_is_ascii(listed: dict[str, Item], one: ReadItem) -> None:
    text = FORMATS["bibtex"].dumps(
        [*listed.values(), one("@misc{a, author={Gordić, Aleksa and {Łódź}}, title={Ω—“x”}}")]
    )

    assert text.isascii()


@pytest.mark.parametrize(
    ("raw", "ascii"),
    [
        ("Gordić", r"Gordi{\'c}"),
        (r"Gordi{\'c}", r"Gordi{\'c}"),
        ("{Łukasz} \\emph{é}", "{{\\L}ukasz} \\emph{{\\'e}}"),
        ("a — b’s", "a --- b's"),
        ("x\u030c", r"{\v x}"),
        ("a\u00a0b", "a b"),
    ],
)
def test_only_characters_beyond_ascii_change(raw: str, ascii: str) -> None:
    assert to_ascii(raw) == ascii


def test_a_date_becomes_year_and_month_macro(kinds: dict[str, Item]) -> None:
    text = written(kinds["preprint"])

    assert "  year = {2022},\n" in text
    assert "  month = may,\n" in text
    assert "  date = {2022-05-27},\n" in text
    assert str(back(kinds["preprint"]).date.iso) == "2022-05-27"


def test_an_undated_work_says_so(one: ReadItem, kinds: dict[str, Item]) -> None:
    (entry,) = read_text("@book{a, title={T}}").entries

    assert "  year = {n.d.},\n" in written(kinds["documentation"])
    assert "  year = {n.d.},\n" in written(item(entry, Context()))
    assert "year" not in written(one("@book{a, title={T}}")), "nobody has said that it has no date"


def test_a_misc_prints_its_address(kinds: dict[str, Item]) -> None:
    entry = back(kinds["blog"])

    assert entry.fields["howpublished"] == r"\url{https://ann.ex.org/worklog}"
    assert "url" not in entry
    assert entry.url == "https://ann.ex.org/worklog"


def test_words_on_how_it_was_published_stay(kinds: dict[str, Item]) -> None:
    assert back(kinds["misc"]).fields["howpublished"] == "Slides"


def test_addresses_and_dois_are_never_escaped(kinds: dict[str, Item]) -> None:
    text = written(kinds["paper"])

    assert "  url = {https://ex.org/a_b%20c#d~e&f},\n" in text
    assert "  doi = {10.5555/3600006.AB},\n" in text


def test_arxiv_is_named_as_old_and_new_readers_look_for_it(kinds: dict[str, Item]) -> None:
    fields = back(kinds["preprint"]).fields

    assert fields["eprint"] == "2205.14135v2"
    assert fields["archiveprefix"] == "arXiv"
    assert fields["eprinttype"] == "arxiv"
    assert fields["primaryclass"] == "cs.LG"


def test_a_report_has_an_institution_and_a_thesis_a_school(kinds: dict[str, Item], one: ReadItem) -> None:
    assert back(kinds["report"]).fields["institution"] == "University of Oslo"
    assert back(kinds["thesis"]).fields["school"] == "University of Oslo"
    assert back(one("@standard{a, title={T}, organization={Forum}}")).fields["institution"] == "Forum"


def test_a_masters_thesis_is_one(one: ReadItem) -> None:
    assert back(one("@thesis{a, title={T}, type={mathesis}, institution={U}}")).type == "mastersthesis"


def test_another_thesis_says_what_it_is(one: ReadItem) -> None:
    entry = back(one("@thesis{a, title={T}, type={bathesis}, institution={U}}"))

    assert (entry.type, entry.fields["type"]) == ("phdthesis", "Bachelor's thesis")


def test_a_subtitle_is_joined_to_its_title(kinds: dict[str, Item]) -> None:
    assert back(kinds["book"]).fields["title"] == "Programming: A Hands-on Approach"
    assert "subtitle" not in back(kinds["book"])


def test_an_edition_is_a_word(kinds: dict[str, Item]) -> None:
    assert back(kinds["book"]).fields["edition"] == "Fourth"


def test_the_place_of_the_publisher_is_the_address_and_that_of_the_event_the_location(
    kinds: dict[str, Item],
) -> None:
    assert back(kinds["book"]).fields["address"] == "Oslo"
    paper = back(kinds["paper"])
    assert paper.fields["location"] == "Oslo, Norway"
    assert item(paper).csl["event-place"] == "Oslo, Norway"
    assert "publisher-place" not in item(paper).csl


def test_what_a_misc_has_no_field_for_is_in_its_note(kinds: dict[str, Item]) -> None:
    note = back(kinds["documentation"]).fields["note"]

    assert note == "{Programming Guide}, Section 2.1. Version 13.4. Accessed 2026-08-23"


def test_a_body_that_is_the_author_is_not_printed_twice(kinds: dict[str, Item]) -> None:
    assert "organization" not in back(kinds["documentation"])
    assert back(kinds["software"]).fields["organization"] == "Example Project"


def test_people_are_family_and_given(one: ReadItem) -> None:
    raw = "Izzat {El Hajj} and Ann Roe and {Example, Inc.} and van der Berg, Anna and others"
    clear = "El Hajj, Izzat and Roe, Ann and {Example, Inc.} and van der Berg, Anna and others"

    assert back(one(f"@misc{{a, title={{T}}, author={{{raw}}}}}")).fields["author"] == clear


def test_the_braces_of_titles_stay(kinds: dict[str, Item]) -> None:
    assert back(kinds["paper"]).fields["title"] == "Tiling on {GPUs}"


def test_annotations_stand_under_their_sections(listed: dict[str, Item]) -> None:
    annote = back(listed["blog"]).fields["annote"]

    assert annote.startswith(r"Attention, tiling, and more: Reads a < b \& C++; see 100\%.")
    assert annote.endswith("Serving: Pages memory.")


def test_a_tag_holds_no_comma(listed: dict[str, Item]) -> None:
    assert back(listed["blog"]).fields["keywords"] == (
        "gpu, section: Attention tiling and more, section: Serving, kind: blog"
    )


def test_a_work_without_people_can_be_sorted(one: ReadItem) -> None:
    assert back(one("@misc{a, title={Zeta}, year={2020}}")).fields["key"] == "Zeta"


@pytest.mark.parametrize(
    ("raw", "mended"),
    [
        ("R&D", r"R\&D"),
        (r"R\&D", r"R\&D"),
        ("100% of #1", r"100\% of \#1"),
        ("snake_case", r"snake\_case"),
        ("$x_1$", "$x_1$"),
        (r"see \url{https://ex.org/a_b%20c}", r"see \url{https://ex.org/a_b%20c}"),
    ],
)
def test_what_would_stop_latex_is_escaped_once(raw: str, mended: str, one: ReadItem) -> None:
    assert back(one(f"@misc{{a, title={{T}}, note={{{raw}}}}}")).fields["note"] == mended


def test_parents_and_files_are_left_out_and_reported(one: ReadItem) -> None:
    found = one("@misc{a, title={T}, file={x.pdf}, url={javascript:alert(1)}}")

    assert set(back(found).fields) == {"title", "key"}
    assert FORMATS["bibtex"].writer.lost(found) == ["file", "url"]


def test_the_language_and_the_class_of_an_archive_keep_a_field(one: ReadItem) -> None:
    found = one(
        "@misc{a, title={T}, langid={german}, eprint={1}, eprinttype={hal}, eprintclass={phys}, ids={b, c}}"
    )

    fields = back(found).fields
    assert (fields["language"], fields["archiveprefix"], fields["primaryclass"]) == ("german", "hal", "phys")
    assert FORMATS["bibtex"].writer.lost(found) == FORMATS["biblatex"].writer.lost(found) == []
    assert back(one("@misc{a, title={T}, langid={german}, language={latin}}")).fields["language"] == "latin"


@pytest.mark.parametrize("type", ["inbook", "bookinbook", "suppbook"])
def test_a_part_of_a_book_keeps_the_title_of_the_book(type: str, one: ReadItem) -> None:
    """plain.bst prints no ``booktitle`` of @inbook, whose ``title`` is the book's."""
    part = back(one(f"@{type}{{a, author={{Lee, A}}, title={{Part}}, booktitle={{Book}}, pages={{1--3}}}}"))
    whole = back(one("@inbook{a, author={Lee, A}, title={Book}, chapter={3}}"))

    assert (part.type, part.fields["booktitle"], whole.type) == ("incollection", "Book", "inbook")


def test_inherited_values_stand_in_the_entry_and_the_parent_is_not_needed() -> None:
    document = read_text(
        "@inproceedings{child, title={T}, crossref={parent}}\n@proceedings{parent, title={Proc}, year={2020}}"
    )
    text = written(item(document.entries[0]))

    assert "booktitle = {Proc}" in text
    assert "crossref" not in text


def test_the_same_item_gives_the_same_bytes(listed: dict[str, Item]) -> None:
    again = {key: item(found.entry, found.context) for key, found in listed.items()}

    for format in FORMATS.values():
        assert format.dumps(again.values()) == format.dumps(listed.values())


def test_every_value_closes_its_braces(hostile: dict[str, Item]) -> None:
    text = FORMATS["bibtex"].dumps(hostile.values())

    assert text.count("{") == text.count("}")
    assert [entry.key for entry in read_text(text).entries] == list(hostile)
    assert not re.search("javascript", text)


def test_context_without_sections_adds_the_kind_alone() -> None:
    (entry,) = read_text("@misc{a, title={T}}").entries

    assert "keywords = {kind: misc}" in written(item(entry, Context()))


def test_what_ascii_cannot_hold_is_lost(one: ReadItem) -> None:
    item = one("@book{a, title={深度学习}, author={Müller, Ö}, publisher={Наука}, note={α}, year={2014}}")
    assert FORMATS["bibtex"].writer.lost(item) == ["title", "publisher"]
    assert FORMATS["biblatex"].writer.lost(item) == []


@pytest.mark.parametrize("format", ["bibtex", "biblatex"])
def test_a_journal_that_only_styles_of_astronomy_know_is_named(format: str, one: ReadItem) -> None:
    item = one("@article{a, title={T}, author={Müller, Ö}, journal={\\memsai}, year={2014}}")
    text = FORMATS[format].dumps([item])
    assert "Memorie della Societ" in text
    assert "\\memsai" not in text


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        (r"Die \LaTeX-Reise mit \TeX{} und {\LaTeX}", r"Die {\LaTeX}-Reise mit {\TeX}{} und {\LaTeX}"),
        (
            r"\AA ngström, $\Lambda$ and \MakeUppercase{x}",
            r"\AA ngstr{\"o}m, $\Lambda$ and \MakeUppercase{x}",
        ),
    ],
)
def test_a_command_with_capitals_is_not_lowered_by_a_style(raw: str, title: str, one: ReadItem) -> None:
    assert f"title = {{{title}}}" in FORMATS["bibtex"].dumps([one(f"@misc{{a, title={{{raw}}}}}")])
