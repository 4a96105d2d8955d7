"""Section pages read with docutils alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from refkit.pages import Pages, Section, parts_of
from refkit.pages.reader import read_pages, slug_problem

BASIC = Path(__file__).parent.parent / "data" / "pages" / "basic"


@pytest.fixture(scope="module")
def pages() -> Pages:
    return read_pages(BASIC)


def test_sections_come_in_the_order_of_the_tables_of_contents(pages: Pages) -> None:
    assert [section.slug for section in pages.sections] == ["second", "first", "loose"]


def test_a_section_knows_its_part_by_folder_and_caption(pages: Pages) -> None:
    assert [(section.part, section.part_title) for section in pages.sections] == [
        ("part", "The part"),
        ("part", "The part"),
        ("other", "other"),
    ]


def test_placements_are_found_inside_other_directives_but_not_in_code(pages: Pages) -> None:
    first = pages.section("first")
    assert first is not None
    assert [(placed.key, placed.position) for placed in first.placements] == [
        ("alpha2020", 1),
        ("beta2021", 2),
        ("gamma-guide", 3),
    ]


def test_a_placement_knows_its_shown_name_and_its_place(pages: Pages) -> None:
    first = pages.section("first")
    assert first is not None
    alpha = first.placements[0]
    assert (alpha.title, alpha.file, alpha.line) == ("Alpha", "part/first.rst", 9)


def test_the_watchlist_options_are_read(pages: Pages) -> None:
    first = pages.section("first")
    assert first is not None
    assert (first.placements[2].waits_for, first.placements[2].review) == ("a release", "2027-01-31")


def test_an_annotation_becomes_a_small_inline_tree(pages: Pages) -> None:
    first = pages.section("first")
    assert first is not None
    assert first.placements[0].annotation == (
        ("text", "Shows "),
        ("code", "code"),
        ("text", ", "),
        ("em", (("text", "emphasis"),)),
        ("text", ", "),
        ("strong", (("text", "strong"),)),
        ("text", " and a "),
        ("link", (("text", "link"),), "https://example.org/?a=1&b=2"),
        ("text", "; read "),
        ("cite", "p", ("beta2021", "gamma-guide")),
        ("text", " after it."),
    )


def test_the_introduction_is_the_text_before_the_first_source(pages: Pages) -> None:
    first = pages.section("first")
    assert first is not None
    assert first.intro == "An introduction with alpha2020 over two lines.\n\nA second paragraph."


def test_block_markup_in_an_annotation_is_reported_with_its_place(pages: Pages) -> None:
    found = [(d.code, d.key, d.file, d.line) for d in pages.diagnostics if d.key == "beta2021"]
    assert found == [("annotation-markup", "beta2021", "part/second.rst", 4)]


def test_citations_are_collected_with_their_places(pages: Pages) -> None:
    assert pages.cited["cited2020"] == (("index.rst", 4),)
    assert set(pages.cited) == {"cited2020", "alpha2020", "beta2021", "gamma-guide"}


def test_docutils_is_as_it_was_after_reading() -> None:
    from docutils.parsers.rst import directives, roles

    before = directives.directive, roles.role
    read_pages(BASIC)
    assert (directives.directive, roles.role) == before


@pytest.mark.parametrize("slug", ["all", "ALL", "", "..", ".hidden", "a/b", "-x", "con x"])
def test_a_page_whose_name_cannot_name_a_file_is_refused(slug: str) -> None:
    assert slug_problem(slug, None)


def test_two_pages_of_one_name_are_told_apart_by_a_finding_not_by_losing_one(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        name = "Same.rst" if folder == "a" else "same.rst"
        (tmp_path / folder / name).write_text("T\n=\n\n.. source:: k\n\n   Text.\n", encoding="utf-8")
    pages = read_pages(tmp_path)
    assert [section.file for section in pages.sections] == ["a/Same.rst"]
    assert [(d.code, d.file) for d in pages.diagnostics] == [("bad-slug", "b/same.rst")]
    assert "a/Same.rst" in pages.diagnostics[0].message


def section(slug: str, part: str, part_title: str) -> Section:
    return Section(slug, slug, part, part_title, f"{slug}.rst", "", ())


def test_parts_are_the_titles_that_readers_see() -> None:
    sections = [
        section("one", "gpu", "One GPU"),
        section("two", "gpu", "Models"),
        section("three", "other", "One GPU"),
        section("four", "", "Top"),
        section("five", "", ""),
    ]
    assert [(part.slug, part.title, [one.slug for one in part.sections]) for part in parts_of(sections)] == [
        ("gpu", "One GPU", ["one", "three"]),
        ("Models", "Models", ["two"]),
        ("Top", "Top", ["four"]),
        ("", "", ["five"]),
    ]
