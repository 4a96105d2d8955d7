"""What a placed work shows on its page."""

from __future__ import annotations

import re

from sphinx.util.inventory import InventoryFile
from tests.sphinxext.conftest import MakeBuild


def test_a_source_shows_name_people_venue_annotation_and_links(built: MakeBuild) -> None:
    page = built("list").page("kernels/attention")
    block = page.source("dao2022flashattention")
    name = block.one("h2", cls="rk-name")
    assert name.all("a")[0].text == "FlashAttention"
    assert name.all("a")[0].attributes["href"] == "https://arxiv.org/abs/2205.14135"
    assert block.one("p", cls="rk-byline").text == "Tri Dao, Daniel Y. Fu, and Christopher Ré · NeurIPS 2022"
    assert "Keeps the score matrix on chip; read it before [Dao 2024], and tiling in" in block.text
    links = [(link.text, link.attributes["href"]) for link in block.one("ul", cls="rk-links").all("a")]
    assert links[:3] == [
        ("arXiv", "https://arxiv.org/abs/2205.14135"),
        ("DOI", "https://doi.org/10.5555/068431-1189"),
        ("code", "https://github.com/example/flash"),
    ]


def test_a_source_without_a_name_of_its_own_takes_the_works(built: MakeBuild) -> None:
    page = built("list").page("kernels/models")
    assert page.source("williams2009roofline").one("h2", cls="rk-name").all("a")[0].text == (
        "Roofline: An Insightful Visual Performance Model"
    )


def test_each_source_offers_its_bibtex_without_scripts(built: MakeBuild) -> None:
    block = built("list").page("kernels/attention").source("dao2022flashattention")
    cite = block.one("details", cls="rk-cite")
    text = cite.one("code").text
    assert text.startswith("@inproceedings{dao2022flashattention,")
    assert r"R{\'e}" in text
    assert "on chip" not in text, "what one cites with has no annotation"
    assert block.one("li", cls="rk-about").links == ["../works/dao2022flashattention/index.html"]


def test_sources_stand_in_the_table_of_contents_of_their_page(built: MakeBuild) -> None:
    for theme, name in (("basic", "sphinxsidebarwrapper"), ("furo", "toc-tree")):
        side = built("list", html_theme=theme).page("kernels/models").root.one("div", cls=name)
        found = [link for link in side.links if link.startswith("#")]
        assert found == ["#", "#williams2009roofline", "#watched", "#dao2022flashattention"]


def test_the_sidebar_of_other_pages_is_not_made_longer_by_sources(built: MakeBuild) -> None:
    build = built("list")
    assert "Roofline" not in "".join(toc.astext() for toc in build.app.env.tocs.values())


def test_a_source_is_a_heading_below_the_section_that_holds_it(built: MakeBuild) -> None:
    page = built("list").page("kernels/models")
    assert page.source("williams2009roofline").one(cls="rk-name").tag == "h2"
    assert page.source("dao2022flashattention").one(cls="rk-name").tag == "h3"


def test_a_watched_source_says_what_it_waits_for(built: MakeBuild) -> None:
    page = built("list").page("kernels/models")
    waits = page.source("dao2022flashattention").one("p", cls="rk-waits").text
    assert waits == "Waits for: a second measurement. Next review: 2027-02-01."


def test_placements_are_objects_in_the_inventory_and_the_search(built: MakeBuild) -> None:
    build = built("list")
    data = InventoryFile.loads((build.outdir / "objects.inv").read_bytes(), uri="")
    found = data.data["refkit:source"]
    assert found["dao2022flashattention"].uri == "kernels/attention.html#dao2022flashattention"
    assert found["dao2022flashattention"].display_name == "FlashAttention"
    assert len(found) == 4, "each placement is an object of its own"
    index = build.text("searchindex.js")
    assert '"refkit:source"' in index
    assert "FlashAttention, once more" in index


def test_the_text_of_a_source_is_searched_but_not_its_bibtex(built: MakeBuild) -> None:
    index = built("list").text("searchindex.js")
    assert '"neurip' in index
    assert '"primaryclass"' not in index
    assert '"eprinttyp' not in index


def test_a_reference_to_a_source_leads_to_its_first_placement(built: MakeBuild) -> None:
    page = built("list").page("notes")
    assert "kernels/attention.html#dao2022flashattention" in page.main.links


def test_a_section_page_offers_its_bundles_zotero_first(built: MakeBuild) -> None:
    build = built("list")
    bundles = build.page("kernels/attention").main.one("div", cls="rk-bundles")
    assert [item.one("a").text for item in bundles.all("li")] == [
        "Zotero RDF",
        "LaTeX BibTeX",
        "biber, Typst BibLaTeX",
        "EndNote, Mendeley RIS",
        "Pandoc CSL-JSON",
    ]
    for link in bundles.links:
        assert (build.outdir / "kernels" / link).resolve().is_file(), link


def test_a_page_is_detected_by_zotero_as_one_unapi_server_with_one_identifier(built: MakeBuild) -> None:
    build = built("list")
    page = build.page("kernels/attention")
    assert [mark.attributes["title"] for mark in page.root.all("abbr", cls="unapi-id")] == ["attention"]
    server = [link for link in page.root.all("link") if link.attributes.get("rel") == "unapi-server"]
    assert [link.attributes["href"] for link in server] == ["../exports/attention.unapi.xml"]
    assert (build.outdir / "exports/attention.unapi.xml").is_file()
    assert len(page.root.all("span", cls="Z3988")) == 2, "COinS of each work, for readers that know no unAPI"


def test_style_and_script_are_loaded_only_where_they_are_needed(built: MakeBuild) -> None:
    build = built("list")
    for name, wanted in (
        ("kernels/attention", True),
        ("works/cudaguide/index", True),
        ("notes", True),  # it cites
        ("index", True),  # it names sections
        ("genindex", False),
    ):
        html = build.text(f"{name}.html")
        assert ("refkit.css" in html, "refkit.js" in html) == (wanted, wanted), name


def test_no_page_asks_another_host_for_anything(built: MakeBuild) -> None:
    for name, content in built("list", html_theme="furo").files.items():
        if name.endswith(".html"):
            html = content.decode()
            assert not re.search(r"<(?:script|img|iframe)[^>]*\ssrc=[\"']?(?:https?:)?//", html), name
            assert not re.search(
                r"<link[^>]*rel=[\"']?(?:stylesheet|preload|icon)[^>]*href=[\"']?(?:https?:)?//", html
            ), name


def test_work_pages_and_bundles_can_be_left_out(built: MakeBuild) -> None:
    build = built("list", refkit_work_pages=False, refkit_bundles=False)
    assert not (build.outdir / "works").exists()
    assert not (build.outdir / "exports").exists()
    page = build.page("kernels/attention")
    assert not page.root.all("abbr", cls="unapi-id")
    assert page.main.one("div", cls="rk-bundles").text == "This section 2 sources · 2022–2024"
    assert not any("works/" in link for link in page.main.links)
