"""What is wrong is said with file, line, key and remedy; the rest is built."""

from __future__ import annotations

import pytest
from tests.sphinxext.conftest import Build, MakeBuild, MakeProject


@pytest.fixture
def build(built: MakeBuild) -> Build:
    return built("bad-input")


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("index.rst:4", "no .bib file has the key 'nokey'"),
        ("index.rst:4", "citation ',' cannot be read"),
        ("index.rst:10", "no .bib file has the key 'absent'"),
        ("index.rst:19", "only emphasis, strong, literal, links and :cite: roles are kept"),
        ("index.rst:25", "'other.bib' is not one of the project's .bib files (refs.bib"),
        ("index.rst:27", "this :filter: cannot be used"),
        ("refs.bib:2", "the key 'good' stands in refs.bib:1 already"),
        ("refs.bib:4", "differs only in case from 'Twin'"),
        ("refs.bib:5", "broken"),
        ("refs.bib:6", "no page places, lists or cites 'lonely'"),
        ("missing.bib:1", "cannot be opened"),
        ("binary.bib:1", "is not text"),
    ],
)
def test_a_fault_is_reported_where_it_is(build: Build, place: str, what: str) -> None:
    assert [
        line for line in build.warnings if f"{place}: WARNING" in line and what in line and "[refkit." in line
    ], build.warnings


def test_the_rest_is_built(build: Build) -> None:
    page = build.page("index")
    assert page.source("good").one("h2", cls="rk-name").text.startswith("Good")
    assert "Kept all the same." in page.source("absent").text
    assert page.source("absent").one("h2", cls="rk-name").text.startswith("Not there")
    assert (build.outdir / "works/good/index.html").is_file()
    assert (build.outdir / "exports/index.bib").is_file()


def test_each_fault_is_reported_once(build: Build) -> None:
    assert len(build.warnings) == len(set(build.warnings))


def test_a_project_without_sources_is_not_told_about_uncited_works(project: MakeProject) -> None:
    one = project("bibliographies")
    for name in ("refs", "filtered", "lists"):
        one.path(f"{name}.rst").unlink()
        one.edit("index.rst", f"   {name}\n", "")
    assert one.build().warnings == []


def test_a_section_that_cannot_name_its_bundles_is_reported(project: MakeProject) -> None:
    one = project("list")
    one.path("kernels/models.rst").rename(one.path("kernels/all.rst"))
    one.edit("index.rst", "kernels/models", "kernels/all")
    build = one.build()
    assert [line for line in build.warnings if "kernels/all" in line and "[refkit.bad-slug]" in line]
    assert build.page("kernels/all").source("williams2009roofline")
    assert not (build.outdir / "exports/all.unapi.xml").exists()


def test_a_provenance_file_that_cannot_be_read_costs_only_itself(project: MakeProject) -> None:
    one = project("list")
    one.write("bib/provenance.json", "{")
    build = one.build()
    assert [line for line in build.warnings if "provenance.json" in line and "[refkit.provenance]" in line]
    assert build.page("kernels/attention").source("dao2022flashattention")


def test_a_configuration_that_cannot_be_read_is_reported(project: MakeProject) -> None:
    one = project("list")
    one.write("pyproject.toml", "[tool.refkit]\nbib = 3\n")
    assert [line for line in one.build().warnings if "'bib' must be" in line and "[refkit.config]" in line]
