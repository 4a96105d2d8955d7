"""What a section's page says of the section as a whole, the path, and the pages that name sections."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.sphinxext.conftest import MakeBuild, MakeProject, Project

PATH = '[tool.refkit.check]\nstart = "models"\n'


def test_a_section_says_how_much_it_holds(built: MakeBuild) -> None:
    bar = built("list").page("kernels/attention").main.one("div", cls="rk-bundles")
    assert bar.one(cls="rk-extent").text == "2 sources · 2022–2024"
    assert bar.attributes["role"] == "group"
    label = bar.one("strong")
    assert bar.attributes["aria-labelledby"] == label.attributes["id"]
    assert label.text == "Take this section with you"


def test_undated_works_are_counted_by_themselves(project: MakeProject) -> None:
    one = project("list")
    one.write(
        "kernels/guides.rst", "Guides\n======\n\nIntro.\n\n.. source:: cudaguide\n\n   A guide to read.\n"
    )
    one.edit("index.rst", "   kernels/models\n", "   kernels/models\n   kernels/guides\n")
    bar = one.build().page("kernels/guides").main.one(cls="rk-extent")
    assert bar.text == "1 source · 1 undated"


def test_a_page_that_names_sections_says_what_they_hold(project: MakeProject) -> None:
    one = project("list")
    page = one.build().page("index")
    counts = [count.text for count in page.main.all("span", cls="rk-count")]
    assert counts == ["2 sources · 2022–2024", "2 sources · 2009–2022"]
    one.edit("bib/models.bib", "year = {2009}", "year = {2008}")
    build = one.build()
    assert [count.text for count in build.page("index").main.all("span", cls="rk-count")][1].endswith(
        "2008–2022"
    )
    assert build.files == one.build(out="clean").files


def test_captions_of_tables_of_contents_have_a_level(built: MakeBuild) -> None:
    page = built("list", html_theme="furo").page("index")
    captions = [one for one in page.root.all("p", cls="caption") if one.attributes.get("role") == "heading"]
    assert captions
    assert {one.attributes.get("aria-level") for one in captions} == {"2"}


@pytest.fixture
def path(project: MakeProject) -> Project:
    one = project("list")
    one.build()
    one.write("pyproject.toml", PATH)
    return one


def test_the_section_to_start_with_is_a_numbered_path(path: Project) -> None:
    build = path.build()
    steps = [step.text for step in build.page("kernels/models").main.all("p", cls="rk-step")]
    assert steps == ["Step 1 of 2 · Article · 12 pages", "Step 2 of 2 · Paper · 16 pages"]
    assert not build.page("kernels/attention").main.all(cls="rk-step")


def test_a_path_that_is_withdrawn_is_an_ordinary_section_again(path: Project) -> None:
    path.build()
    path.write("pyproject.toml", "[tool.refkit]\n")
    build = path.build()
    assert not build.page("kernels/models").main.all(cls="rk-step")
    assert build.files == path.build(out="clean").files


def test_previous_and_next_follow_the_reading_order(built: MakeBuild) -> None:
    build = built("list", html_theme="furo")
    pages = ["index", "kernels/attention", "kernels/models", "notes"]
    for before, after in pairwise(pages):
        address = build.page(before).root.one("a", cls="next-page").attributes["href"]
        assert address.removeprefix("../").endswith(after.split("/")[-1] + ".html")
        assert build.page(after).root.one("a", cls="prev-page")


def test_a_made_page_is_linked_by_name_and_is_a_text_where_there_is_none(project: MakeProject) -> None:
    one = project("list")
    one.edit(
        "notes.rst",
        "Only citations",
        "See :refkit:page:`all works <browse>`, :refkit:page:`none <nowhere>`. Only",
    )
    build = one.build()
    assert "browse.html" in build.page("notes").main.links
    assert "See all works, none." in build.page("notes").main.text
    assert "../browse/" in one.build("dirhtml").page("notes/index").main.links
    assert "See all works, none." in one.build("text").text("notes.txt")
    assert build.warnings == []
