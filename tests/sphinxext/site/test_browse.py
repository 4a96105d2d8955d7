"""The page over all works, and the data of the scripts: what they hold, when they are made."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.sphinxext.conftest import Build, MakeBuild, MakeProject, Page

from refkit import bundles, config
from refkit import project as projects
from refkit.formats import BUNDLES, FORMATS
from refkit.sphinxext.site import assets

FLASH = "dao2022flashattention"
DATA = "_static/refkit-data"


def data(build: Build, name: str) -> Any:
    """What a script of data holds."""
    found = re.fullmatch(
        r'\(window\.refkitData \?\?= \{\}\)\["([a-z-]+)"\] = (.*);\n', build.text(f"{DATA}/{name}.js")
    )
    assert found
    assert found[1] == name
    return json.loads(found[2])


def works(build: Build) -> dict[str, dict[str, Any]]:
    return {work["key"]: work for work in data(build, "works")["list"]}


def facet(build: Build, key: str, name: str) -> list[str]:
    """The values of a facet that a work has, as the page shows them."""
    found = data(build, "works")
    names = [one for one, _values in found["facets"]]
    at = names.index(name)
    return [found["facets"][at][1][value][1] for value in works(build)[key]["facets"][at]]


@pytest.fixture
def build(built: MakeBuild) -> Build:
    return built("list")


# without scripts


def test_the_page_lists_every_work_by_section_and_leads_to_work_and_section(build: Build) -> None:
    page = build.page("browse").main
    plain = page.one(id="rk-all")
    assert [heading.text for heading in plain.all("h2")] == [
        "Kernels",
        "Cited works without a place of their own",
    ]
    assert [heading.text for heading in plain.all("h3")] == ["Attention", "Models"]
    assert {"kernels/attention.html", "kernels/models.html"} <= set(plain.links)
    missing = {f"{name}.html" for name in (f"works/{key}/index" for key in works(build))} - set(plain.links)
    assert not missing
    assert "FlashAttention, once more" in plain.text


def test_each_page_has_a_link_to_it_in_the_table_of_contents(built: MakeBuild) -> None:
    build = built("list", html_theme="furo")
    for name, address in (
        ("index", "browse.html"),
        ("notes", "browse.html"),
        ("kernels/attention", "../browse.html"),
        (f"works/{FLASH}/index", "../../browse.html"),
        ("browse", "#"),
    ):
        sidebar = build.page(name).root.all("aside", cls="sidebar-drawer")[0]
        assert sidebar.links.count(address) == 1, name


def test_every_address_in_the_data_is_a_file_of_the_site(build: Build) -> None:
    found = data(build, "works")
    for work in found["list"]:
        assert (build.outdir / work["address"]).is_file()
        for section, anchor in work["places"]:
            address = found["sections"][section][0]
            assert f'id="{anchor[1:]}"' in build.text(address)
    site = data(build, "site")
    assert (build.outdir / DATA / site["browse"]).resolve().is_file()
    for address, _keys in data(build, "sections")["list"]:
        assert (build.outdir / DATA / address).resolve().is_file()


# what is known of a work


def test_works_stand_in_reading_order_and_those_only_cited_last(build: Build) -> None:
    assert list(works(build)) == [FLASH, "dao2024flashattention2", "williams2009roofline", "cudaguide"]


def test_a_work_is_found_by_all_its_names_people_and_annotations(build: Build) -> None:
    work = works(build)[FLASH]
    assert work["name"] == "FlashAttention"
    assert work["names"] == ["FlashAttention, once more"]
    assert "Tri Dao" in work["people"]
    assert "Keeps the score matrix on chip" in work["text"]
    assert "The cost model, seen from here." in work["text"]


def test_facets_are_what_is_known(build: Build) -> None:
    assert facet(build, FLASH, "section") == ["Attention", "Models"]
    assert facet(build, FLASH, "part") == ["Kernels"]
    assert facet(build, FLASH, "year") == ["2022"]
    assert facet(build, "cudaguide", "kind") == ["documentation"]
    assert facet(build, "cudaguide", "organisation") == ["NVIDIA"]


def test_a_work_without_a_date_is_undated_and_comes_last_of_the_years(project: MakeProject) -> None:
    one = project("list")
    bib = one.path("bib/models.bib").read_text("utf-8")
    one.write("bib/models.bib", bib + "@misc{undated, title = {No Day}, author = {Someone, Ann}}\n")
    one.write("notes.rst", one.path("notes.rst").read_text("utf-8") + "\n:cite:p:`undated`\n")
    build = one.build()
    assert facet(build, "undated", "year") == ["undated"]
    assert dict(data(build, "works")["facets"])["year"][-1] == ["undated", "undated"]


def test_people_are_found_as_their_names_are_shown(project: MakeProject) -> None:
    one = project("list")
    bib = one.path("bib/models.bib").read_text("utf-8")
    one.write("bib/models.bib", bib + "@book{natsume, title={Kokoro}, author={夏目, 漱石 and Lee, Ann}}\n")
    one.write("notes.rst", one.path("notes.rst").read_text("utf-8") + "\n:cite:p:`natsume`\n")
    found = works(one.build())["natsume"]
    assert found["people"] == "夏目漱石; Ann Lee"
    assert found["byline"].startswith("夏目漱石 and Ann Lee")


@pytest.mark.parametrize(
    ("fields", "is_open"),
    [
        ("eprint = {2205.14135}, eprinttype = {arxiv}", True),
        ("url = {https://publisher.example/paper}, doi = {10.1000/1}", False),
        ("url = {https://docs.example/guide}, entrysubtype = {documentation}", True),
        ("url = {javascript:alert(1)}, entrysubtype = {documentation}", False),
    ],
)
def test_open_to_read_is_only_what_everybody_may_open(
    fields: str, is_open: bool, project: MakeProject
) -> None:
    one = project("list")
    bib = one.path("bib/models.bib").read_text("utf-8")
    one.write("bib/models.bib", bib + f"@online{{new, title = {{New}}, {fields}}}\n")
    one.write("notes.rst", one.path("notes.rst").read_text("utf-8") + "\n:cite:p:`new`\n")
    assert facet(one.build(), "new", "open") == ["open to read"] * is_open


@pytest.mark.parametrize(
    ("venue", "series"),
    [
        ("ICML 2023", "ICML"),
        ("SC’23", "SC’23"),
        ("SOSP '23", "SOSP"),
        ("Journal of 1984", "Journal of"),
        ("", ""),
    ],
)
def test_a_venue_is_known_without_its_year(venue: str, series: str) -> None:
    from refkit.model import Entry
    from refkit.sphinxext.site import browse

    assert browse._venue(Entry("k", "inproceedings", {"eventtitle": venue}), "paper", venue) == series


# the basket


@pytest.mark.parametrize("format", BUNDLES)
def test_the_pieces_of_a_basket_make_the_file_that_export_would_write(format: str, build: Build) -> None:
    folder = build.app.srcdir
    collection = bundles.collection(projects.Project(config.load(start=folder)))
    pieces = data(build, format)
    texts = dict(pieces["texts"])
    keys = ["williams2009roofline", FLASH, "cudaguide"]
    basket = pieces["head"] + pieces["separator"].join(texts[key] for key in keys) + pieces["tail"]
    assert basket == FORMATS[format].dumps([collection.one(key) for key in keys])


@pytest.mark.parametrize("format", ["bibtex", "biblatex"])
def test_an_entry_in_a_basket_needs_no_other_entry_and_no_macro(format: str, project: MakeProject) -> None:
    one = project("list")
    bib = one.path("bib/models.bib").read_text("utf-8")
    macro = '@string{inst = "Institute of Parents"}\n'
    parent = "@proceedings{parent, title = {Proceedings of Parents}, year = 2001, publisher = inst}\n"
    child = (
        "@inproceedings{child, title = {A Child}, author = {Kid, A.}, crossref = {parent}, pages = {1--2}}\n"
    )
    one.write("bib/models.bib", macro + bib + child + parent)
    one.write("notes.rst", one.path("notes.rst").read_text("utf-8") + "\n:cite:p:`child`\n")
    text = dict(data(one.build(), format)["texts"])["child"]
    assert "Proceedings of Parents" in text
    assert "Institute of Parents" in text
    assert "crossref" not in text


# when there is nothing to show


def test_a_project_without_a_list_has_neither_the_page_nor_scripts(built: MakeBuild) -> None:
    build = built("bibliographies")
    assert not (build.outdir / "browse.html").exists()
    assert not (build.outdir / DATA).exists()
    assert not any(b"refkit-reading" in text for name, text in build.files.items() if name.endswith(".html"))


def test_without_bundles_there_is_no_basket(built: MakeBuild) -> None:
    build = built("list", refkit_bundles=False)
    assert not build.page("browse").main.all(id="rk-basket")
    assert data(build, "site")["formats"] == []
    assert not (build.outdir / DATA / "ris.js").exists()


def test_without_work_pages_names_lead_to_the_first_place_else_to_the_work(built: MakeBuild) -> None:
    build = built("list", refkit_work_pages=False)
    assert works(build)[FLASH]["address"] == f"kernels/attention.html#{FLASH}"
    assert works(build)["cudaguide"]["address"].startswith("https://")
    assert works(build)["cudaguide"]["address"] in build.page("browse").main.links


def test_a_page_of_the_project_with_the_same_name_wins(project: MakeProject) -> None:
    one = project("list")
    one.write("browse.rst", ":orphan:\n\nMine\n====\n")
    build = one.build()
    assert build.page("browse").main.one("h1").text.startswith("Mine")
    assert data(build, "site")["browse"] == ""
    assert any("'browse'" in line for line in build.warnings)


def test_dirhtml_leads_to_folders(built: MakeBuild) -> None:
    build = built("list", "dirhtml")
    assert data(build, "site")["browse"] == "../../browse/"
    assert data(build, "works")["sections"][0][0] == "kernels/attention/"
    page = Page(build.text("browse/index.html"))
    assert "../kernels/attention/" in page.main.links
    assert "../_static/refkit-data/works.js" in [one.attributes.get("src") for one in page.root.all("script")]


def test_builders_that_make_no_site_get_none_of_it(built: MakeBuild) -> None:
    for builder in ("singlehtml", "epub"):
        pages = {name: text for name, text in built("list", builder).files.items() if name.endswith("html")}
        assert pages
        assert not any(b"refkit-reading" in text or b"refkit-data" in text for text in pages.values())


# hostile input


def test_titles_and_names_cannot_end_a_script_or_become_markup(built: MakeBuild) -> None:
    build = built("unsafe")
    for path in (build.outdir / DATA).iterdir():
        assert "<" not in path.read_text("utf-8")
    page = build.page("browse")
    assert not any("alert" in script.text for script in page.root.all("script"))
    assert "<script>alert(1)</script>" in page.main.text


def test_no_work_has_an_unsafe_address(built: MakeBuild) -> None:
    found = works(built("unsafe", refkit_work_pages=False))
    assert found
    assert not any(
        re.match(r"(?i)\s*(javascript|data|vbscript):", work["address"]) for work in found.values()
    )


# when it is made again


def test_unchanged_input_writes_neither_page_nor_data(project: MakeProject) -> None:
    one = project("list")
    one.build()
    assert not {name for name in one.build().written if "browse" in name or "refkit-data" in name}


def test_an_annotation_changes_what_holds_it_and_nothing_else(project: MakeProject) -> None:
    one = project("list")
    one.build()
    one.edit("kernels/models.rst", "seen from here", "seen from afar")
    again = one.build()
    ours = {name.removeprefix(f"{DATA}/") for name in again.written if DATA in name}
    assert ours == {"works.js", *(f"{format}.js" for format in BUNDLES)}
    assert "seen from afar" in works(again)[FLASH]["text"]
    clean = one.build(out="clean").files
    assert {name for name, text in again.files.items() if clean.get(name) != text} == set()


def test_what_vanishes_is_deleted(project: MakeProject) -> None:
    one = project("list")
    one.build()
    assert not (one.build(refkit_bundles=False).outdir / DATA / "bibtex.js").exists()
    for page in ("attention", "models"):
        text = one.path(f"kernels/{page}.rst").read_text("utf-8")
        one.write(f"kernels/{page}.rst", text.split(".. source::")[0])
    build = one.build(refkit_bundles=False)
    assert not (build.outdir / "browse.html").exists()
    assert not (build.outdir / DATA).exists()


def test_a_parallel_build_gives_the_same(project: MakeProject) -> None:
    one = project("list")
    first = one.build().files
    second = one.build(out="parallel", parallel=2).files
    assert {name for name in first if first[name] != second.get(name)} == set()


def test_old_keys_are_known_to_the_scripts(project: MakeProject) -> None:
    one = project("list")
    one.write("pyproject.toml", f'[tool.refkit.aliases]\nold = "{FLASH}"\n')
    build = one.build()
    assert data(build, "works")["aliases"] == [["old", FLASH]]
    assert data(build, "sections")["aliases"] == [["old", FLASH]]


# what is served


def test_scripts_are_served_without_comments_and_stay_small(build: Build) -> None:
    sizes = {path.name: path.stat().st_size for path in (build.outdir / "_static").glob("refkit*.js")}
    assert sum(sizes.values()) <= 30_000
    for name in sizes:
        text = build.text(f"_static/{name}")
        assert not re.search(r"^\s", text, re.M)
        assert not text.startswith("//")


def test_lean_scripts_keep_what_is_no_comment() -> None:
    text = (
        '// a comment\n\n/** One. */\n  const a = "// no comment"; // kept\n  /* two\n   lines */\n  b();\n'
    )
    assert assets.lean(text, ".js") == 'const a = "// no comment"; // kept\nb();\n'


def test_lean_style_sheets_keep_what_is_no_comment() -> None:
    assert (
        assets.lean("/* all */\n\na {\n  b: url(//c); /* kept */\n}\n", ".css")
        == "a {\nb: url(//c); /* kept */\n}\n"
    )


def test_parts_of_one_folder_are_values_of_their_own(project: MakeProject) -> None:
    one = project("list")
    one.write("attention.rst", "Attention\n=========\n\n.. source:: dao2022flashattention\n")
    one.write("models.rst", "Models\n======\n\n.. source:: williams2009roofline\n")
    tables = [f".. toctree::\n   :caption: {name}\n\n   {name.lower()}\n" for name in ("Attention", "Models")]
    one.write("index.rst", "A list\n======\n\n" + "\n".join(tables))
    for name in ("kernels/attention.rst", "kernels/models.rst"):
        one.path(name).unlink()
    build = one.build()
    found = dict(data(build, "works")["facets"])
    assert found["part"] == [["Attention", "Attention"], ["Models", "Models"]]
    assert facet(build, "williams2009roofline", "part") == ["Models"]
