"""Pages of works."""

from __future__ import annotations

import json

import pytest
from tests.sphinxext.conftest import Build, MakeBuild, MakeProject, Page


@pytest.fixture
def build(built: MakeBuild) -> Build:
    return built("list")


@pytest.fixture
def page(build: Build) -> Page:
    return build.page("works/dao2022flashattention/index")


def form(page: Page, id: str) -> str:
    """One of the texts to copy."""
    found = [one for one in page.main.all("div", cls="rk-form") if one.attributes["data-refkit-form"] == id]
    assert len(found) == 1, id
    return found[0].one(cls="rk-form-text").text


def test_it_has_the_full_reference_and_one_bibtex(page: Page) -> None:
    assert (
        page.main.one("h1").text
        == "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness"
    )
    assert page.main.one("p", cls="rk-reference").text.startswith(
        "Tri Dao, Daniel Y. Fu, and Christopher Ré. FlashAttention: Fast"
    )
    assert page.main.all("code")[0].text == "tiling"
    assert form(page, "bibtex").startswith("@inproceedings{dao2022flashattention, ")


def test_it_names_everybody(project: MakeProject) -> None:
    one = project("list")
    many = " and ".join(f"Family{number}, Given" for number in range(12))
    one.edit("bib/models.bib", "Williams, Samuel and Waterman, Andrew", many)
    build = one.build()
    assert "Family11" in build.page("works/williams2009roofline/index").main.one("p", cls="rk-reference").text
    byline = build.page("kernels/models").source("williams2009roofline").one("p", cls="rk-byline").text
    assert byline.startswith("Given Family0, Given Family1, Given Family2 et al. ·")


def test_it_shows_each_placement_with_its_annotation(page: Page) -> None:
    places = page.main.all("div", cls="rk-place")
    assert [place.all("a")[0].attributes["href"] for place in places] == [
        "../../kernels/attention.html#dao2022flashattention",
        "../../kernels/models.html#dao2022flashattention",
    ]
    assert (
        "Keeps the score matrix on chip; read it before [Dao 2024], and tiling in CUDA Programming Guide."
        in places[0].text
    )
    assert places[0].links[1:] == ["../dao2024flashattention2/index.html", "../cudaguide/index.html"]
    assert "Waits for: a second measurement." in places[1].text


def test_it_shows_what_the_facts_were_checked_against(page: Page) -> None:
    text = page.main.one("section", cls="rk-provenance").text
    assert "The facts were checked on 2026-08-23 against:" in text
    assert "DBLP" in text
    assert "only DBLP gives them" in text
    assert "The linked address is the arXiv page." in text


def test_it_shows_other_versions_and_how_the_authors_ask_to_be_cited(page: Page) -> None:
    versions = page.main.one("section", cls="rk-versions")
    assert versions.text.startswith("Other versions preprint: An earlier <title>, 2022-05-27.")
    assert versions.links[0] == "https://arxiv.org/abs/2205.14135"
    wishes = [code.text for code in page.main.all("code") if "friends" in code.text]
    wish = "author = {Dao, Tri}, title = {FlashAttention \\& friends}, year = {2022}, }"
    assert wishes == [f"@inproceedings{{dao2022flashattention, {wish}"]


def test_zotero_finds_the_one_work(build: Build, page: Page) -> None:
    assert len(page.root.all("abbr", cls="unapi-id")) == 1
    server = [link for link in page.root.all("link") if link.attributes.get("rel") == "unapi-server"]
    assert [link.attributes["href"] for link in server] == ["unapi.xml"]
    assert "dao2022flashattention" in build.text("works/dao2022flashattention/unapi.xml")
    meta = {tag.attributes.get("name"): tag.attributes.get("content") for tag in page.root.all("meta")}
    assert meta["z:itemType"] == "conferencePaper"
    assert meta["citation_doi"] == "10.5555/068431-1189"


def test_works_that_are_only_cited_have_a_page_and_unused_ones_have_none(project: MakeProject) -> None:
    one = project("bibliographies")
    for name in ("refs", "filtered", "lists"):
        one.path(f"{name}.rst").unlink()
        one.edit("index.rst", f"   {name}\n", "")
    build = one.build()
    assert (build.outdir / "works/beta/index.html").is_file()
    assert not (build.outdir / "works/uncited").exists()


def test_all_links_of_the_site_lead_somewhere(build: Build) -> None:
    for file in build.outdir.rglob("*.html"):
        page = Page(file.read_text("utf-8"))
        for link in page.root.links:
            where, _, anchor = link.partition("#")
            if ":" in where:
                continue
            target = (file.parent / where).resolve() if where else file
            assert target.is_file(), f"{file}: {link}"
            if anchor and target.suffix == ".html":
                assert Page(target.read_text("utf-8")).root.all(id=anchor), f"{file}: {link}"


def test_dirhtml_has_them_at_the_same_place(built: MakeBuild) -> None:
    build = built("list", "dirhtml")
    assert (build.outdir / "works/cudaguide/index.html").is_file()
    assert build.page("index").citations()[0][1] == "works/dao2022flashattention/index.html"
    assert build.page("notes/index").citations()[0][1] == "../works/williams2009roofline/index.html"


def test_other_builders_have_none(project: MakeProject) -> None:
    one = project("list")
    for builder in ("singlehtml", "epub", "text", "json"):
        build = one.build(builder, version="1")
        assert not (build.outdir / "works").exists(), builder
        assert not (build.outdir / "exports").exists(), builder


def test_a_project_can_replace_the_template(project: MakeProject) -> None:
    one = project("list")
    one.write("_templates/refkit/work.html", "<p>Mine: {{ key }}</p>")
    build = one.build(templates_path=["_templates"])
    assert "<p>Mine: cudaguide</p>" in build.text("works/cudaguide/index.html")


def test_a_page_of_the_project_keeps_its_name(project: MakeProject) -> None:
    one = project("list")
    one.write("works/cudaguide/index.rst", ":orphan:\n\nMy own page\n===========\n")
    build = one.build()
    assert "My own page" in build.page("works/cudaguide/index").main.text
    assert [line for line in build.warnings if "[refkit.work-page]" in line]


def test_it_shows_where_values_come_from_and_which_ones_lost(project: MakeProject) -> None:
    one = project("list")
    name = next(path.relative_to(one.folder).as_posix() for path in one.folder.rglob("provenance.json"))
    data = json.loads((one.folder / name).read_text("utf-8"))
    lost = [{"value": "Flash <Attention>", "source": "arXiv 2205.14135v2", "date": "2026-01-02"}]
    record = {"source": "Crossref 10.5555/x", "date": "2026-01-03", "lost": lost}
    data["works"]["dao2022flashattention"] |= {
        "fields": {"title": record},
        "status": {"state": "no notice", "on": "2026-01-03", "sources": ["Crossref 10.5555/x"]},
    }
    one.write(name, json.dumps(data))

    section = one.build().page("works/dao2022flashattention/index").main.one("section", cls="rk-provenance")

    assert "No notice of retraction, correction or withdrawal found on 2026-01-03" in section.text
    assert "not taken: Flash <Attention> (arXiv 2205.14135v2)" in section.text
    assert "https://doi.org/10.5555/x" in section.links
    assert "https://arxiv.org/abs/2205.14135v2" in section.links
