"""Files for hosts, and the site as one file."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.sphinxext.conftest import Build, MakeBuild, MakeProject

HOSTING = {"_headers", "exports/.htaccess", ".nojekyll"}


def names(build: Build) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(build.files["offline.zip"])).namelist()


def test_hosts_are_told_the_types_that_the_connector_catches(built: MakeBuild) -> None:
    build = built("list")
    rules = build.text("_headers")
    assert "/exports/*.bib\n  Content-Type: application/x-bibtex; charset=utf-8\n" in rules
    assert "/exports/*.ris\n  Content-Type: application/x-research-info-systems; charset=utf-8\n" in rules
    assert "AddType application/x-bibtex .bib\n" in build.text("exports/.htaccess")
    assert (build.outdir / ".nojekyll").is_file()


def test_without_bundles_or_sections_there_are_none(project: MakeProject, built: MakeBuild) -> None:
    one = project("list")
    one.build()
    assert not HOSTING & one.build(refkit_bundles=False).files.keys()
    assert not HOSTING & built("bibliographies").files.keys()


def test_the_site_is_one_file_on_request(project: MakeProject) -> None:
    one = project("list")
    assert "offline.zip" not in one.build().files
    build = one.build(refkit_offline_zip=True)
    held = set(names(build))
    assert {"site/index.html", "site/exports/all.bib", "site/searchindex.js", "site/timeline.html"} <= held
    assert not {f"site/{name}" for name in (*HOSTING, "offline.zip", ".buildinfo")} & held
    archive = zipfile.ZipFile(io.BytesIO(build.files["offline.zip"]))
    assert archive.read("site/index.html") == build.files["index.html"]
    assert "offline.zip" not in one.build().files


def test_equal_pages_give_an_equal_file(project: MakeProject) -> None:
    one = project("list")
    first = one.build(refkit_offline_zip=True).files["offline.zip"]
    again = one.build(refkit_offline_zip=True)
    assert again.files["offline.zip"] == first
    assert "offline.zip" not in again.written
    assert one.build(out="clean", refkit_offline_zip=True).files["offline.zip"] == first


def test_it_holds_what_a_build_changed_and_nothing_that_is_gone(project: MakeProject) -> None:
    one = project("list")
    one.build(refkit_offline_zip=True)
    one.path("kernels/models.rst").write_text("Models\n======\n\nNothing any more.\n", "utf-8")
    build = one.build(refkit_offline_zip=True)
    assert "site/exports/models.bib" not in names(build)
    assert "site/map.html" not in names(build)
    assert "site/kernels/models.html" in names(build)
