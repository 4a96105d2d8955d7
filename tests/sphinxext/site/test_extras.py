"""Pages and files of features: made when they change, deleted when nothing wants them, never over the
project's own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from tests.sphinxext.conftest import MakeProject, Project

from refkit.sphinxext.site import extras
from refkit.sphinxext.site.extras import File, Page

TEMPLATE = '<h1>{{ title }}</h1><p>{{ text }}</p><a href="{{ link("notes") }}">x</a>'


class Feature:
    """A feature whose wishes a test sets; it notes what it was asked to make."""

    def __init__(self) -> None:
        self.pages = {"look": "one"}
        self.files = {"data/a.txt": b"a"}
        self.made: list[str] = []

    def __call__(self, builder: Any, index: Any) -> Iterator[Page | File]:
        for name, text in self.pages.items():
            yield Page(name, f"<{name}>", "refkit/look.html", text, self._context(name, text))
        for path, data in self.files.items():
            yield File(path, repr(data), self._data(path, data))

    def _context(self, name: str, text: str) -> Callable[[], dict[str, str]]:
        return lambda: self.made.append(name) or {"text": text}  # type: ignore[func-returns-value] # notes it

    def _data(self, path: str, data: bytes) -> Callable[[], bytes]:
        return lambda: self.made.append(path) or data  # type: ignore[func-returns-value] # notes it


@pytest.fixture
def feature(monkeypatch: pytest.MonkeyPatch) -> Feature:
    """The only feature of the build."""
    module, made = ModuleType("refkit_test_feature"), Feature()
    module.extras = made  # type: ignore[attr-defined] # a module made by hand
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(extras, "FEATURES", (module.__name__,))
    return made


@pytest.fixture
def one(project: MakeProject) -> Project:
    """A project with the feature's template, all of whose builds find it."""
    made = project("list")
    made.write("_templates/refkit/look.html", TEMPLATE)
    made.write("conf.py", made.path("conf.py").read_text("utf-8") + '\ntemplates_path = ["_templates"]\n')
    return made


def touch(one: Project) -> None:
    """A change of input that the feature does not depend on."""
    one.edit("bib/attention.bib", "Fu, Daniel Y.", "Fu, Dan")


def test_pages_and_files_are_made_and_escaped(one: Project, feature: Feature) -> None:
    feature.pages["look"] = "<script>"
    build = one.build()
    assert build.page("look").main.one("h1").text == "<look>"
    assert "<p>&lt;script&gt;</p>" in build.text("look.html")
    assert build.page("look").main.links[-1] == "notes.html"
    assert build.text("data/a.txt") == "a"
    assert not build.warnings


def test_dirhtml_has_them_in_folders(one: Project, feature: Feature) -> None:
    build = one.build("dirhtml")
    assert build.page("look/index").main.links[-1] == "../notes/"


def test_nothing_is_made_again_while_it_is_as_it_was(one: Project, feature: Feature) -> None:
    one.build()
    feature.made.clear()
    one.build()
    touch(one)
    again = one.build()
    assert feature.made == []
    assert not {"look.html", "data/a.txt"} & again.written


def test_what_changes_is_made_again(one: Project, feature: Feature) -> None:
    one.build()
    feature.made.clear()
    feature.pages["look"] = "two"
    feature.files["data/b.txt"] = b"b"
    touch(one)
    again = one.build()
    assert feature.made == ["look", "data/b.txt"]
    assert "<p>two</p>" in again.text("look.html")


def test_a_changed_template_makes_its_page_again(one: Project, feature: Feature) -> None:
    one.build()
    one.write("_templates/refkit/look.html", "<h1>Another template</h1>")
    again = one.build()
    assert "Another template" in again.text("look.html")
    assert feature.made.count("data/a.txt") == 1


@pytest.mark.parametrize("name", ["look.html", "data/a.txt"])
def test_a_missing_output_file_is_made_again(one: Project, feature: Feature, name: str) -> None:
    (one.build().outdir / name).unlink()
    assert (one.build().outdir / name).is_file()


def test_what_is_no_longer_wanted_is_deleted_and_nothing_else(one: Project, feature: Feature) -> None:
    first = one.build()
    (first.outdir / "data/theirs.txt").write_text("theirs", "utf-8")
    feature.files["other/c.txt"] = b"c"
    touch(one)
    one.build()
    feature.pages.clear()
    feature.files.clear()
    one.edit("bib/attention.bib", "Fu, Dan", "Fu, Daniel")
    again = one.build()
    assert not (again.outdir / "look.html").exists()
    assert not (again.outdir / "other").exists()
    assert [path.name for path in (again.outdir / "data").iterdir()] == ["theirs.txt"]


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_a_page_of_the_project_wins(one: Project, feature: Feature, builder: str) -> None:
    one.build(builder)
    one.write("look.rst", ":orphan:\n\nMy own look\n===========\n")
    build = one.build(builder)
    name = "look/index" if builder == "dirhtml" else "look"
    assert "My own look" in build.page(name).main.text
    assert [line for line in build.warnings if "[refkit.page]" in line]


def test_a_folder_of_the_project_wins_with_dirhtml(one: Project, feature: Feature) -> None:
    one.write("look/index.rst", ":orphan:\n\nMy own look\n===========\n")
    assert "My own look" in one.build("dirhtml").page("look/index").main.text


def test_a_file_of_the_project_wins(one: Project, feature: Feature) -> None:
    feature.files = {"robots.txt": b"ours", "_static/x.js": b"ours"}
    one.build()
    one.write("extra/robots.txt", "theirs")
    one.write("static/x.js", "theirs")
    settings = {"html_extra_path": ["extra"], "html_static_path": ["static"]}
    for _ in range(2):
        build = one.build(**settings)
        assert build.text("robots.txt") == build.text("_static/x.js") == "theirs"
        assert not build.warnings


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "a\\b", "./x"])
def test_a_path_outside_the_output_is_an_error(one: Project, feature: Feature, path: str) -> None:
    feature.files = {path: b""}
    with pytest.raises(ValueError, match="below the output folder"):
        one.build()
