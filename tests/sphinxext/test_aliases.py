"""Old keys: links to them keep working."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sphinx.util.inventory import InventoryFile

if TYPE_CHECKING:
    from tests.sphinxext.conftest import MakeProject, Project


@pytest.fixture
def renamed(project: MakeProject) -> Project:
    one = project("list")
    one.build()
    one.write("pyproject.toml", '[tool.refkit.aliases]\ncudaguide = "older"\nolder = "nvidia2026guide"\n')
    one.edit("bib/models.bib", "cudaguide", "nvidia2026guide")
    one.edit(
        "bib/models.bib", "@article{williams2009roofline,", "@article{williams2009roofline,\n  ids = {roof},"
    )
    one.edit("kernels/models.rst", ".. source:: williams2009roofline", ".. source:: roof")
    return one


def test_an_old_key_cites_places_and_warns_nobody(renamed: Project) -> None:
    build = renamed.build()
    assert build.warnings == []
    assert build.page("notes").citations()[1] == (
        "CUDA Programming Guide",
        "works/nvidia2026guide/index.html",
    )
    assert build.page("kernels/models").source("williams2009roofline")


def test_the_old_address_of_a_work_leads_to_the_new_one(renamed: Project) -> None:
    build = renamed.build()
    assert build.page("works/cudaguide/index").root.links == ["../nvidia2026guide/index.html"]
    assert 'url=../nvidia2026guide/index.html"' in build.text("works/cudaguide/index.html")
    assert build.files == renamed.build(out="clean").files


def test_the_old_anchor_of_a_source_leads_to_it(renamed: Project) -> None:
    page = renamed.build().page("kernels/models")
    assert page.main.one(id="roof")
    assert page.main.one(id="williams2009roofline").tag == "article"


def test_scripts_find_the_old_keys_of_a_work(renamed: Project) -> None:
    build = renamed.build()
    source = build.page("kernels/models").source("williams2009roofline")
    assert source.attributes["data-refkit-aliases"] == "roof"
    work = build.page("works/nvidia2026guide/index").main.one("article", cls="rk-work")
    assert work.attributes["data-refkit-aliases"] == "cudaguide older"
    assert len(work.all("div", cls="rk-tools")) == 1


def test_other_projects_find_a_source_by_its_old_key(renamed: Project) -> None:
    data = InventoryFile.loads((renamed.build().outdir / "objects.inv").read_bytes(), uri="")
    assert data.data["refkit:source"]["roof"].uri == "kernels/models.html#williams2009roofline"


def test_an_alias_that_is_withdrawn_is_noticed(renamed: Project) -> None:
    renamed.build()
    renamed.write("pyproject.toml", "[tool.refkit]\n")
    build = renamed.build()
    assert any("no .bib file has the key 'cudaguide'" in line for line in build.warnings)
    assert not (build.outdir / "works/cudaguide").exists()


def test_a_page_that_leads_on_says_its_language_and_suits_dark_windows(renamed: Project) -> None:
    text = renamed.path("pyproject.toml").read_text("utf-8")
    renamed.write("pyproject.toml", f'{text}attn = "attention"\n')
    build = renamed.build(language="de")
    for name in ("works/cudaguide/index", "kernels/attn"):
        assert build.text(f"{name}.html").startswith('<!doctype html>\n<html lang="de">')
        assert any(one.attributes.get("content") == "light dark" for one in build.page(name).root.all("meta"))
