"""The built site: links inside it, and its bundles."""

from __future__ import annotations

from pathlib import Path

from refkit import config
from refkit.check import load, site
from refkit.check.registry import rules
from refkit.project import Project

from .conftest import write


def dead(files: dict[str, str], *more: str) -> list[str]:
    return [message for _, _, message in site.dead_links(files, [*files, *more])]


def test_the_failing_example_of_anchors_fails_and_the_passing_one_passes() -> None:
    rule = rules()["site-anchor"]
    assert dead(dict(rule.bad.files)) == [
        "the link 'loops/index.html#wheel' leads to no anchor of loops/index.html"
    ]
    assert dead(dict(rule.good.files)) == []


def test_a_link_to_a_folder_leads_to_its_index() -> None:
    assert dead({"a.html": '<a href="works/x/#top">x</a>', "works/x/index.html": '<p id="top">'}) == []


def test_queries_and_percent_encoding_are_read() -> None:
    assert (
        dead(
            {
                "a.html": '<link href="_static/s.css?v=1"/><a href="b%20c.html#d%C3%A9">x</a>',
                "b c.html": '<p id="dé">',
            },
            "_static/s.css",
        )
        == []
    )


def test_links_to_other_sites_and_in_scripts_are_left_alone() -> None:
    text = '<a href="https://example.org/#x">x</a><a href="//example.org/y">y</a>'
    text += "<script>a = '<a href=\"gone.html\">'</script>"
    assert dead({"a.html": text}) == []


def test_a_missing_file_is_found_with_its_line() -> None:
    found = list(site.dead_links({"a.html": "<p>\n\n<a href='gone.html'>x</a>"}, ["a.html"]))
    assert found == [("a.html", 3, "the link 'gone.html' leads to no file of the site")]


def test_a_missing_and_a_changed_bundle_are_found() -> None:
    found = list(
        site.stale_bundles({"a.bib": b"1", "b.bib": b"2", "c.bib": b"3"}, {"a.bib": b"1", "b.bib": b"x"})
    )
    assert [name for name, _ in found] == ["b.bib", "c.bib"]


def test_the_bundles_of_a_site_are_compared_with_the_pages(tmp_path: Path) -> None:
    write(tmp_path, {
        "pyproject.toml": "[tool.refkit]\n",
        "docs/index.rst": "List\n====\n\n.. toctree::\n\n   loops\n",
        "docs/loops.rst": "Loops\n=====\n\nAbout.\n\n.. source:: lee2024\n\n   Says what a loop is.\n",
        "bib/loops.bib": "@misc{lee2024, author = {Lee, Ada}, title = {Title}, date = {2024}}\n",
        "site/index.html": "<p>x</p>",
    })  # fmt: skip
    settings = config.load(start=tmp_path, environ={})
    library = load.of_project(Project(settings))
    for name, data in site._bundles(settings).items():
        path = tmp_path / "site" / "exports" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    assert list(site.findings(settings, library, tmp_path / "site")) == []
    (tmp_path / "site/exports/loops.ris").write_text("TY  - GEN\n", "utf-8")
    assert [(code, one.about) for code, one in site.findings(settings, library, tmp_path / "site")] == [
        ("site-bundle", "loops.ris")
    ]
