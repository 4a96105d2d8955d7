"""Metadata is foreign input."""

from __future__ import annotations

import json
import re

from tests.sphinxext.conftest import MakeBuild, MakeProject, Page


def test_markup_in_fields_is_shown_not_run(built: MakeBuild) -> None:
    build = built("unsafe")
    for name, content in build.files.items():
        if name.endswith(".html") and not name.startswith("_static"):
            for element in Page(content.decode()).root.walk():
                if element.attributes.get("type") == "application/ld+json":
                    json.loads(element.text)
                    continue
                assert not (element.tag == "script" and "alert" in element.text), name
                assert not any(attribute.startswith("on") for attribute in element.attributes), name
                assert (
                    not element.attributes.get("href", "")
                    .lower()
                    .startswith(("javascript", "data", "vbscript"))
                ), name
    assert (
        "Safe <script>alert(1)</script> & <img src=x onerror=alert(2)> title"
        in build.page("index").source("inj").text
    )


def test_an_unsafe_address_is_no_link_in_a_footnote_or_in_a_style_of_pybtex(project: MakeProject) -> None:
    one = project("footnotes")
    one.edit(
        "other.rst",
        ".. footbibliography::",
        ".. footbibliography::\n\n.. bibliography::\n   :all:\n   :style: plain",
    )
    build = one.build()
    for name in ("index", "other"):
        assert not any(link.startswith("javascript") for link in build.page(name).main.links)
    assert "Bad link" in build.page("index").main.text


def test_keys_never_climb_out_of_the_folder_of_works(built: MakeBuild) -> None:
    build = built("unsafe")
    folders = sorted(path.name for path in (build.outdir / "works").iterdir())
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,98}[A-Za-z0-9_+-]", name) for name in folders), (
        folders
    )
    assert not {"con", "aux", ".."} & {name.casefold() for name in folders}
    assert len(folders) == len({name.casefold() for name in folders}) == 9
    outside = [
        path for path in build.outdir.parent.parent.rglob("*pwned*") if build.outdir not in path.parents
    ]
    assert outside == []


def test_every_work_has_a_page_whatever_its_key(built: MakeBuild) -> None:
    build = built("unsafe")
    pages = [path.read_text("utf-8") for path in (build.outdir / "works").rglob("index.html")]
    for title in ("Climbs", "Slash", "Dots", "Device", "Dot at the end", "Upper", "Japan"):
        assert sum(f">{title}</h1>" in page for page in pages) == 1, title


def test_anchors_are_unique_whatever_the_keys(built: MakeBuild) -> None:
    page = built("unsafe").page("index")
    ids = [element.attributes["id"] for element in page.root.walk() if element.attributes.get("id")]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[\w.-]+", name) for name in ids), ids
