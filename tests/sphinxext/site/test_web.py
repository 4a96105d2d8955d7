"""What the web asks of a site: heads, structured data, feeds, a sitemap, redirects; with an address and
without.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from tests.sphinxext.conftest import Build, MakeBuild, MakeProject, Page, Project

SITE = "https://example.org/list/"
ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
WORK = "works/dao2022flashattention/index"


@pytest.fixture
def build(built: MakeBuild) -> Build:
    return built("list", html_baseurl=SITE)


def metas(page: Page) -> dict[str, str]:
    found = [tag.attributes for tag in page.root.all("meta")]
    return {one.get("name") or one.get("property") or "": one.get("content", "") for one in found}


def data(page: Page) -> list[dict[str, Any]]:
    scripts = [
        script.text
        for script in page.root.all("script")
        if script.attributes.get("type") == "application/ld+json"
    ]
    return [json.loads(script) for script in scripts]


def alternates(page: Page) -> list[str]:
    links = [link.attributes for link in page.root.all("link")]
    return [link["href"] for link in links if link.get("type") == "application/atom+xml"]


def feed(build: Build, name: str) -> ET.Element:
    return ET.fromstring(build.text(f"feeds/{name}.xml"))


def set_added(one: Project, days: dict[str, str]) -> None:
    found = json.loads(one.path("bib/provenance.json").read_text("utf-8"))
    for key, day in days.items():
        found["works"].setdefault(key, {})["added"] = day
    one.write("bib/provenance.json", json.dumps(found))


@pytest.fixture
def dated(project: MakeProject) -> Project:
    """A list with an address, two of whose works have a day."""
    one = project("list")
    set_added(one, {"dao2022flashattention": "2026-01-02", "williams2009roofline": "2026-03-04"})
    one.write("pyproject.toml", f'{one.path("pyproject.toml").read_text("utf-8")}site-url = "{SITE}"\n')
    return one


# heads


def test_descriptions_are_introduction_annotation_and_first_paragraph(build: Build) -> None:
    assert (
        metas(build.page("kernels/attention"))["description"]
        == 'What is exact, and fast. Read it "in order".'
    )
    assert metas(build.page(WORK))["description"].startswith("Keeps the score matrix on chip; read it before")
    assert metas(build.page("index"))["description"].startswith("Begin with")


def test_a_description_of_the_page_itself_wins(project: MakeProject) -> None:
    one = project("list")
    one.write("notes.rst", ".. meta::\n   :description: Mine.\n\nNotes\n=====\n\nOther words.\n")
    page = one.build().page("notes")
    found = [tag for tag in page.root.all("meta") if tag.attributes.get("name") == "description"]
    assert [tag.attributes["content"] for tag in found] == ["Mine."]


def test_a_long_description_ends_with_a_sentence_or_a_word(project: MakeProject) -> None:
    one = project("list")
    one.edit("kernels/models.rst", "Bounds first.", f"{'A sentence of words. ' * 6}{'word ' * 40}end.")
    text = metas(one.build().page("kernels/models"))["description"]
    assert text == "A sentence of words. " * 5 + "A sentence of words."
    one.edit("kernels/models.rst", "A sentence of words. " * 6, "")
    text = metas(one.build().page("kernels/models"))["description"]
    assert len(text) <= 160
    assert text.endswith("word…")


def test_every_page_has_open_graph_tags_and_none_is_an_article(build: Build) -> None:
    for name in ("index", "kernels/attention", WORK, "notes"):
        found = metas(build.page(name))
        assert found["og:type"] == "website", name
        assert found["og:title"], name
        assert found["og:site_name"] == "A list", name
        assert found["og:url"] == f"{SITE}{name}.html", name


def test_only_pages_of_works_have_citation_tags(build: Build) -> None:
    for name in ("index", "kernels/attention", "notes"):
        names = metas(build.page(name))
        assert not [tag for tag in names if tag.startswith(("citation_", "z:", "dc", "DC"))], name
    assert metas(build.page(WORK))["z:itemType"] == "conferencePaper"


def test_there_is_one_canonical_address(build: Build) -> None:
    for name in ("index", "kernels/attention", WORK):
        links = [link.attributes for link in build.page(name).root.all("link")]
        found = [link["href"] for link in links if link.get("rel") == "canonical"]
        assert found == [f"{SITE}{name}.html"]


def test_the_address_comes_from_the_projects_configuration_unless_conf_py_has_one(dated: Project) -> None:
    assert metas(dated.build().page("index"))["og:url"] == f"{SITE}index.html"
    other = dated.build(html_baseurl="https://example.net/")
    assert metas(other.page("index"))["og:url"] == "https://example.net/index.html"


def test_without_an_address_what_needs_one_is_left_out(project: MakeProject) -> None:
    one = project("list")
    set_added(one, {"dao2022flashattention": "2026-01-02"})
    build = one.build()
    assert not build.warnings
    assert not [
        name for name in build.files if name.startswith("feeds/") or name in ("sitemap.xml", "robots.txt")
    ]
    page = build.page("kernels/attention")
    assert "og:url" not in metas(page)
    assert metas(page)["og:title"] == "Attention"
    assert alternates(page) == []
    assert data(page)
    assert build.app.status.getvalue().count("without site-url") == 1


def test_a_project_without_a_list_gets_none_of_it(built: MakeBuild) -> None:
    build = built("bibliographies", html_baseurl=SITE)
    assert not {"sitemap.xml", "robots.txt", "feeds/all.xml"} & build.files.keys()
    assert "og:title" not in build.text("index.html")


# structured data


def test_a_works_data_are_its_facts(build: Build) -> None:
    (found,) = data(build.page(WORK))
    assert found["@type"] == "WebPage"
    work = found["mainEntity"]
    assert work["@type"] == "ScholarlyArticle"
    assert work["name"].startswith("FlashAttention: Fast and Memory-Efficient")
    assert work["author"][0] == {
        "@type": "Person", "name": "Tri Dao", "givenName": "Tri", "familyName": "Dao",
    }  # fmt: skip
    assert {"@type": "PropertyValue", "propertyID": "DOI", "value": "10.5555/068431-1189"} in work[
        "identifier"
    ]
    assert work["datePublished"].startswith("2022")
    assert "abstract" not in work


def test_a_sections_data_list_its_works_in_order(build: Build) -> None:
    (found,) = data(build.page("kernels/attention"))
    assert found["@type"] == "CollectionPage"
    assert found["url"] == f"{SITE}kernels/attention.html"
    items = found["mainEntity"]["itemListElement"]
    assert [item["item"]["name"] for item in items] == [
        "FlashAttention",
        "FlashAttention-2: Faster Attention with Better Parallelism",
    ]


def test_hostile_titles_stay_text_everywhere(dated: Project) -> None:
    title = "</script><script>alert(1)</script> ``<!--''"
    dated.edit("bib/models.bib", "Roofline: An Insightful", f"{title} Roofline: An Insightful")
    dated.edit("kernels/models.rst", "Bounds first.", '</script><script>alert(2)</script> "quoted"')
    build = dated.build()
    for name in ("works/williams2009roofline/index", "kernels/models"):
        page = build.page(name)
        assert data(page), name
        assert "alert(" not in "".join(
            script.text
            for script in page.root.all("script")
            if script.attributes.get("type") != "application/ld+json"
        )
    names = [entry.findtext(f"{ATOM}title") or "" for entry in feed(build, "models").iter(f"{ATOM}entry")]
    assert any("</script><script>alert(1)" in name for name in names)


# feeds


def test_feeds_are_valid_atom_with_days_from_provenance(dated: Project) -> None:
    build = dated.build()
    assert not build.warnings
    found = feed(build, "all")
    assert found.findtext(f"{ATOM}id") == f"{SITE}feeds/all.xml"
    assert found.findtext(f"{ATOM}updated") == "2026-03-04T00:00:00Z"
    assert found.findtext(f"{ATOM}author/{ATOM}name")
    links = {link.get("rel"): link.get("href") for link in found.findall(f"{ATOM}link")}
    assert links == {"self": f"{SITE}feeds/all.xml", "alternate": f"{SITE}index.html"}
    entries = found.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}updated") for entry in entries] == [
        "2026-03-04T00:00:00Z",
        "2026-01-02T00:00:00Z",
    ]
    for entry in entries:
        for name in ("title", "id", "updated", "published", "content"):
            assert entry.findtext(f"{ATOM}{name}"), name
        assert all((link.get("href") or "").startswith("http") for link in entry.findall(f"{ATOM}link"))
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries)


def test_an_entry_has_our_annotations_and_leads_to_the_work(dated: Project) -> None:
    entry = feed(dated.build(), "all").findall(f"{ATOM}entry")[1]
    content = entry.find(f"{ATOM}content")
    assert content is not None
    assert content.get("type") == "html"
    text = content.text or ""
    assert "Keeps the score matrix on chip; <em>read it</em>" in text or "<i>read it</i>" in text
    assert "Waits for: a second measurement. Next review: 2027-02-01." in text
    links = {link.get("rel"): link.get("href") for link in entry.findall(f"{ATOM}link")}
    assert links["alternate"] == f"{SITE}{WORK}.html"


def test_each_section_has_a_feed_that_its_page_names(dated: Project) -> None:
    build = dated.build()
    found = feed(build, "attention")
    assert found.findtext(f"{ATOM}title") == "Attention · A list"
    (entry,) = found.findall(f"{ATOM}entry")
    links = {link.get("rel"): link.get("href") for link in entry.findall(f"{ATOM}link")}
    assert links["alternate"] == f"{SITE}kernels/attention.html#dao2022flashattention"
    assert alternates(build.page("kernels/attention")) == ["../feeds/all.xml", "../feeds/attention.xml"]
    assert alternates(build.page(WORK)) == ["../../feeds/all.xml"]


def test_what_is_watched_has_a_feed(dated: Project) -> None:
    found = feed(dated.build(), "watched")
    assert [entry.findtext(f"{ATOM}title") for entry in found.findall(f"{ATOM}entry")] == [
        "FlashAttention, once more"
    ]


@pytest.mark.parametrize("day", ["", "soon", "2026-13-01", "20260102"])
def test_a_work_without_a_day_stands_in_no_feed(dated: Project, day: str) -> None:
    set_added(dated, {"dao2022flashattention": day})
    build = dated.build()
    assert len(feed(build, "all").findall(f"{ATOM}entry")) == 1
    assert not (build.outdir / "feeds/attention.xml").exists()
    assert alternates(build.page("kernels/attention")) == ["../feeds/all.xml"]


def test_feeds_and_their_links_follow_provenance(dated: Project) -> None:
    dated.build()
    set_added(dated, {"dao2022flashattention": ""})
    again = dated.build()
    assert not (again.outdir / "feeds/attention.xml").exists()
    assert alternates(again.page("kernels/attention")) == ["../feeds/all.xml"]
    clean = dated.build(out="clean")
    assert again.files == clean.files


# sitemap


def test_the_sitemap_names_each_page_once(dated: Project) -> None:
    build = dated.build()
    found = [one.text or "" for one in ET.fromstring(build.text("sitemap.xml")).iter(f"{MAP}loc")]
    assert len(found) == len(set(found))
    assert f"{SITE}kernels/attention.html" in found
    assert f"{SITE}{WORK}.html" in found
    for address in found:
        assert (build.outdir / address.removeprefix(SITE)).is_file(), address
    assert f"Sitemap: {SITE}sitemap.xml" in build.text("robots.txt")


def test_dirhtml_has_addresses_of_folders(dated: Project) -> None:
    build = dated.build("dirhtml")
    text = build.text("sitemap.xml")
    assert f"<loc>{SITE}</loc>" in text
    assert f"<loc>{SITE}kernels/attention/</loc>" in text
    assert f'href="{SITE}works/dao2022flashattention/"' in build.text(
        "works/dao2022flashattention/index.html"
    )


# redirects


def add_aliases(one: Project, **aliases: str) -> None:
    lines = "".join(f"{json.dumps(old)} = {json.dumps(new)}\n" for old, new in aliases.items())
    one.write(
        "pyproject.toml", f"{one.path('pyproject.toml').read_text('utf-8')}[tool.refkit.aliases]\n{lines}"
    )


def target(build: Build, name: str) -> str:
    found = re.search(r'http-equiv="refresh" content="0; url=([^"]*)"', build.text(name))
    assert found, name
    return found[1]


def test_an_old_slug_leads_to_the_section(project: MakeProject) -> None:
    one = project("list")
    add_aliases(one, attn="attention", **{"old/place": "attn"})
    build = one.build()
    assert not build.warnings
    assert target(build, "kernels/attn.html") == "attention.html"
    assert target(build, "old/place.html") == "../kernels/attention.html"
    assert 'location.replace("attention.html" + location.hash)' in build.text("kernels/attn.html")


def test_bundles_stay_at_their_old_names(project: MakeProject) -> None:
    one = project("list")
    add_aliases(one, attn="attention")
    build = one.build()
    for ending in (".bib", ".biblatex.bib", ".ris", ".json", ".rdf"):
        assert build.text(f"exports/attn{ending}") == build.text(f"exports/attention{ending}")
    one.edit("bib/attention.bib", "Fu, Daniel Y.", "Fu, Dan")
    again = one.build()
    assert again.text("exports/attn.bib") == again.text("exports/attention.bib")
    assert "Fu, Dan}" in again.text("exports/attn.biblatex.bib") or "Fu, Dan" in again.text(
        "exports/attn.bib"
    )
    one.edit("pyproject.toml", '"attn"', '"atn"')
    last = one.build()
    assert not list((last.outdir / "exports").glob("attn.*"))
    assert not (last.outdir / "kernels/attn.html").exists()


def test_redirects_of_folders_with_dirhtml(project: MakeProject) -> None:
    one = project("list")
    add_aliases(one, attn="attention")
    assert target(one.build("dirhtml"), "kernels/attn/index.html") == "../attention/"


@pytest.mark.parametrize("old", ["../../etc/x", "notes", "/x", "a b", "models", "con"])
def test_an_old_slug_that_names_something_else_makes_no_page(project: MakeProject, old: str) -> None:
    one = project("list")
    before = one.build(out="before").files
    add_aliases(one, **{old: "attention"})
    after = one.build(out="after").files
    assert {
        name
        for name in after.keys() - before.keys()
        if name.endswith(".html") and name != "kernels/notes.html"
    } == set()
    assert after["notes.html"] == before["notes.html"]


def test_all_of_it_is_the_same_in_parallel_and_stays_as_it_is(dated: Project) -> None:
    first = dated.build(parallel=2)
    again = dated.build()
    assert not {
        name for name in again.written if not name.startswith(("_static", "genindex", "search", "objects"))
    }
    assert first.files == dated.build(out="clean").files
