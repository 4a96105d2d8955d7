"""The timeline and the map: every work once, each a link with a name, the same below as a table."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from refkit.sphinxext.site import figures

if TYPE_CHECKING:
    from tests.sphinxext.conftest import Build, MakeBuild, MakeProject

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def build(built: MakeBuild) -> Build:
    return built("list")


def drawings(build: Build, name: str) -> list[ET.Element]:
    """The figures of a page, each well-formed by itself."""
    return [
        ET.fromstring(one)
        for one in re.findall(r"<svg [^>]*rk-svg.*?</svg>", build.text(f"{name}.html"), re.S)
    ]


def links(figure: ET.Element, style: str) -> dict[str, str]:
    """Name and address of each link of a class."""
    found = [one for one in figure.iter(f"{SVG}a") if style in (one.get("class") or "").split()]
    return {one.findtext(f"{SVG}title") or "": one.get("href") or "" for one in found}


def table(build: Build, name: str) -> dict[str, str]:
    """Text and address of each link of the table."""
    element = build.page(name).main.one("table", id="rk-table")
    return {link.text: link.attributes["href"] for link in element.all("a")}


@pytest.mark.parametrize("name", ["timeline", "map"])
def test_a_figure_has_a_name_and_a_description(build: Build, name: str) -> None:
    for figure in drawings(build, name):
        ids = {one.get("id"): one.text for one in figure}
        assert figure.get("role") == "group"
        assert ids[figure.get("aria-labelledby")]
        assert ids[figure.get("aria-describedby")]


def test_the_timeline_shows_each_work_once_at_its_year(build: Build) -> None:
    (figure,) = drawings(build, "timeline")
    assert links(figure, "rk-mark") == {
        "Roofline: An Insightful Visual Performance Model, 2009": "works/williams2009roofline/index.html",
        "FlashAttention, 2022": "works/dao2022flashattention/index.html",
        "FlashAttention-2, 2024": "works/dao2024flashattention2/index.html",
    }
    years = [one.text for one in figure.iter(f"{SVG}text") if one.get("class") == "rk-year"]
    assert years == ["2009", "2022", "2024"]


def test_the_table_has_the_links_of_the_timeline(build: Build) -> None:
    (figure,) = drawings(build, "timeline")
    assert set(table(build, "timeline").values()) == set(links(figure, "rk-mark").values())


def test_works_without_a_date_have_a_row_of_their_own(project: MakeProject) -> None:
    one = project("list")
    text = one.path("kernels/models.rst").read_text("utf-8")
    one.write("kernels/models.rst", f"{text}\n.. source:: cudaguide\n\n   Undated.\n")
    build = one.build()
    (figure,) = drawings(build, "timeline")
    labels = [one.text for one in figure.iter(f"{SVG}text") if one.get("class") == "rk-undated"]
    assert labels == ["undated"]
    assert any(name.endswith(", undated") for name in links(figure, "rk-mark"))
    assert "undated" in build.page("timeline").main.one("table").text


def test_the_map_shows_sections_in_reading_order_and_their_works(build: Build) -> None:
    for figure in drawings(build, "map"):
        assert links(figure, "rk-section") == {
            "Attention (2)": "kernels/attention.html",
            "Models (2)": "kernels/models.html",
        }
        assert len(links(figure, "rk-mark")) == 4
    assert next(iter(table(build, "map").values())) == "kernels/attention.html"


def test_the_section_to_start_with_has_numbered_steps(project: MakeProject) -> None:
    one = project("list")
    text = one.path("pyproject.toml").read_text("utf-8")
    one.write("pyproject.toml", f'{text}[tool.refkit.check]\nstart = "attention"\n')
    for figure in drawings(one.build(), "map"):
        assert next(iter(links(figure, "rk-step"))) == "1. FlashAttention"
        assert [one.text for one in figure.iter(f"{SVG}text") if one.get("class") == "rk-digit"] == ["1", "2"]


@pytest.mark.parametrize("name", ["timeline", "map"])
def test_without_work_pages_links_lead_to_the_places(built: MakeBuild, name: str) -> None:
    build = built("list", refkit_work_pages=False)
    for figure in drawings(build, name):
        assert "kernels/attention.html#dao2022flashattention" in links(figure, "rk-mark").values()


@pytest.mark.parametrize("name", ["timeline", "map"])
def test_dirhtml_links_from_its_folder(built: MakeBuild, name: str) -> None:
    build = built("list", "dirhtml")
    for figure in drawings(build, f"{name}/index"):
        assert "../works/dao2022flashattention/index.html" in links(figure, "rk-mark").values()


def test_hostile_names_are_text(project: MakeProject) -> None:
    one = project("list")
    one.edit(
        "kernels/attention.rst", ":title: FlashAttention", ':title: </title></svg><script>alert("1")</script>'
    )
    build = one.build()
    for name in ("timeline", "map"):
        assert drawings(build, name)
        assert "<script>alert" not in build.text(f"{name}.html")


def test_a_project_without_sections_has_neither(built: MakeBuild) -> None:
    build = built("bibliographies")
    assert not (build.outdir / "timeline.html").exists()
    assert not (build.outdir / "map.html").exists()


def test_a_list_without_dates_has_no_timeline(project: MakeProject) -> None:
    one = project("list")
    for name in ("attention", "models"):
        path = f"bib/{name}.bib"
        text = re.sub(r"(?m)^\s*(date|year|month|day)\s*=.*\n", "", one.path(path).read_text("utf-8"))
        one.write(path, text)
    build = one.build()
    assert not (build.outdir / "timeline.html").exists()
    assert (build.outdir / "map.html").exists()


def test_they_follow_what_changes_and_only_that(project: MakeProject) -> None:
    one = project("list")
    one.build()
    one.edit("kernels/attention.rst", "Keeps the score matrix", "Holds the score matrix")
    again = one.build()
    assert not {"timeline.html", "map.html"} & again.written
    one.edit("kernels/attention.rst", ":title: FlashAttention", ":title: Flash")
    again = one.build()
    assert {"timeline.html", "map.html"} <= again.written
    clean = one.build(out="clean")
    assert all(again.text(name) == clean.text(name) for name in ("timeline.html", "map.html"))


def test_two_thousand_works_are_drawn_as_marks_in_time(project: MakeProject) -> None:
    one = project("list")
    entries = "".join(
        f"@misc{{w{n}, title = {{Work number {n} with a rather long title}}, year = {1990 + n % 35}}}\n"
        for n in range(2000)
    )
    one.write("bib/many.bib", entries)
    for page in range(100):
        sources = "".join(f".. source:: w{n}\n\n" for n in range(page * 20, page * 20 + 20))
        one.write(f"part{page % 10}/page{page}.rst", f"Page {page}\n{'=' * 8}\n\n{sources}")
    tree = "".join(f"   part{page % 10}/page{page}\n" for page in sorted(range(100), key=lambda n: n % 10))
    one.write(
        "index.rst",
        f"A list\n======\n\n.. toctree::\n\n{tree}\n   kernels/attention\n   kernels/models\n   notes\n",
    )
    settings = {"refkit_work_pages": False, "refkit_bundles": False}
    build = one.build(**settings)
    (figure,) = drawings(build, "timeline")
    assert len(links(figure, "rk-mark")) > 1900
    assert not [text for text in figure.iter(f"{SVG}text") if text.get("class") is None]
    from refkit.sphinxext.domain import cite_domain
    from refkit.sphinxext.site import listmap, timeline

    for module in (timeline, listmap):
        began = time.process_time()
        module.context(build.app.builder, cite_domain(build.app.env).index)
        assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "text", ["short", "a b c d e f g h", "Wörter, die lang sind", "無限に長い題名の作品", "x" * 500, ""]
)
@pytest.mark.parametrize("lines", [1, 2, 3])
def test_text_fits_its_lines(text: str, lines: int) -> None:
    found = figures.fit(text, 80, 12, lines)
    assert 1 <= len(found) <= lines
    assert all(figures.text_width(line, 12) <= 80 for line in found)
    whole = "".join(found).replace(" ", "")
    assert whole.endswith("…") or whole == text.replace(" ", "")


LONG = "Kernels & <b>more</b> of a title that is so long that it has no room in a line of a narrow drawing"
#: Two tables of contents over pages of one folder, and one over a page of another under the first's title.
INDEX = f"""
A list
======

.. toctree::
   :caption: {LONG}

   kernels/attention

.. toctree::
   :caption: Models

   kernels/models

.. toctree::
   :caption: {LONG}

   other/third
   notes
"""


@pytest.fixture
def titled(project: MakeProject) -> Build:
    one = project("list")
    one.write("index.rst", INDEX)
    one.write("other/third.rst", "Third\n=====\n\n.. source:: williams2009roofline\n")
    return one.build()


def test_parts_are_what_readers_see_as_such(titled: Build) -> None:
    (figure,) = drawings(titled, "timeline")
    heads = [
        "".join(" ".join(one.itertext()).split())
        for one in figure.iter(f"{SVG}text")
        if one.get("class") == "rk-head"
    ]
    assert len(heads) == 2
    assert heads[1] == "Models"
    rows = titled.page("map").main.one("table", id="rk-table").all("th")
    assert [one.text for one in rows if one.attributes["scope"] == "rowgroup"] == [LONG, "Models"]
    assert "3 sections in 2 parts" in titled.page("map").main.text


def test_titles_of_parts_are_text_that_has_room(titled: Build) -> None:
    for figure in drawings(titled, "map"):
        part = next(one for one in figure.iter(f"{SVG}text") if one.get("class") == "rk-part")
        lines = [line for line in part.itertext() if line.strip()]
        assert lines[0].startswith("Kernels & <b>more</b>")
        width = float(figure.get("width") or 0)
        assert all(figures.text_width(line, 15) <= width for line in lines)
        assert "<b>" not in ET.tostring(figure, "unicode")


def test_an_element_escapes_text_and_keeps_elements() -> None:
    assert figures.element("g", figures.element("a", "<b>"), "&") == "<g><a>&lt;b&gt;</a>&amp;</g>"


def test_one_part_or_one_year_is_not_counted(project: MakeProject) -> None:
    one = project("list")
    for name in ("attention", "models"):
        title = name.capitalize()
        one.write(
            f"kernels/{name}.rst", f"{title}\n{'=' * len(title)}\n\n.. source:: dao2022flashattention\n"
        )
    build = one.build()
    assert build.page("map").main.one("p").text.startswith("2 sections, in the order")
    assert "from 2022 to 2022" not in build.page("timeline").main.one("p").text


@pytest.mark.parametrize("name", ["timeline", "map"])
def test_sentences_stand_apart(name: str, project: MakeProject) -> None:
    one = project("list")
    text = one.path("pyproject.toml").read_text("utf-8")
    one.write("pyproject.toml", f'{text}[tool.refkit.check]\nstart = "attention"\n')
    models = one.path("kernels/models.rst").read_text("utf-8")
    one.write("kernels/models.rst", f"{models}\n.. source:: cudaguide\n\n   Undated.\n")
    assert not re.search(r"\w\.[A-Z]", one.build().page(name).main.one("p").text)
