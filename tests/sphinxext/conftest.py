"""Small Sphinx projects to build, change and build again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from sphinx.testing.util import SphinxTestApp
from sphinx.util.console import strip_colors

ROOTS = Path(__file__).parent / "roots"
#: Sphinx's own records of a build, which differ between a build in steps and one at once.
RECORDS = {".buildinfo", ".buildinfo.bak", "searchindex.js", "environment.pickle"}


class Build:
    """One build: its messages, and what it read and wrote."""

    def __init__(self, warnings: str, read: list[str], written: set[str], app: SphinxTestApp) -> None:
        self.warnings = [line for line in warnings.splitlines() if line.strip()]
        self.read = read
        #: Files of the output that are new or have another time of change, without Sphinx's records.
        self.written = written
        self.app = app
        self.outdir = Path(app.outdir)

    def text(self, name: str) -> str:
        """A file of the output."""
        return (self.outdir / name).read_text("utf-8")

    def page(self, name: str) -> Page:
        """A page of the output."""
        return Page(self.text(f"{name}.html"))

    @property
    def files(self) -> dict[str, bytes]:
        """All files of the output, without Sphinx's records."""
        found = (path for path in self.outdir.rglob("*") if path.is_file() and path.name not in RECORDS)
        return {path.relative_to(self.outdir).as_posix(): path.read_bytes() for path in found}


class Element:
    """An element of a page."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parts: list[str | Element] = []

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    @property
    def text(self) -> str:
        joined = "".join(part if isinstance(part, str) else part.text for part in self.parts)
        return re.sub(r"\s+", " ", joined).strip()

    def walk(self) -> Iterator[Element]:
        yield self
        for part in self.parts:
            if isinstance(part, Element):
                yield from part.walk()

    def all(self, tag: str = "", *, cls: str = "", id: str = "") -> list[Element]:
        return [
            element
            for element in self.walk()
            if (not tag or element.tag == tag)
            and (not cls or cls in element.classes)
            and (not id or element.attributes.get("id") == id)
        ]

    def one(self, tag: str = "", *, cls: str = "", id: str = "") -> Element:
        found = self.all(tag, cls=cls, id=id)
        assert len(found) == 1, f"{len(found)} elements {tag} .{cls} #{id}"
        return found[0]

    @property
    def links(self) -> list[str]:
        return [element.attributes["href"] for element in self.all("a") if "href" in element.attributes]


class Page(HTMLParser):
    """A page as a tree."""

    VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].parts.append(element)
        if tag not in self.VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        for number in range(len(self._open) - 1, 0, -1):
            if self._open[number].tag == tag:
                del self._open[number:]
                break

    def handle_data(self, data: str) -> None:
        self._open[-1].parts.append(data)

    @property
    def main(self) -> Element:
        """The content of the page."""
        return next(element for element in self.root.walk() if element.attributes.get("role") == "main")

    def source(self, key: str) -> Element:
        """The block of a placed work."""
        found = [
            element
            for element in self.main.all("article")
            if element.attributes.get("data-refkit-key") == key
        ]
        assert len(found) == 1, f"{len(found)} blocks of {key}"
        return found[0]

    def citations(self) -> list[tuple[str, str]]:
        """Text and address of each link of a citation, in order."""
        return [
            (link.text, link.attributes["href"])
            for span in self.main.all("span", cls="bibtex-citation")
            for link in span.all("a")
        ]


class Project:
    """A copy of a root that may be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def build(
        self,
        builder: str = "html",
        *,
        out: str = "",
        parallel: int = 0,
        pages: Sequence[str] = (),
        **overrides: Any,
    ) -> Build:
        """Build it as it is now, or only some pages; ``out`` names other folders for output and doctrees."""
        builddir = self.folder.parent / (out or "build")
        builddir.mkdir(exist_ok=True)
        before = _times(builddir / builder)
        warnings, read = StringIO(), []
        app = SphinxTestApp(
            builder, srcdir=self.folder, builddir=builddir, warning=warnings,
            confoverrides=overrides, parallel=parallel,
        )  # fmt: skip
        app.connect("env-before-read-docs", lambda _app, _env, docnames: read.extend(docnames))
        try:
            app.build(filenames=[self.folder / page for page in pages])
        finally:
            app.cleanup()
        after = _times(Path(app.outdir))
        written = {name for name, time in after.items() if before.get(name) != time}
        return Build(strip_colors(warnings.getvalue()), read, written, app)

    def path(self, name: str) -> Path:
        return self.folder / name

    def write(self, name: str, text: str) -> None:
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        text = self.path(name).read_text("utf-8")
        assert old in text, f"{old!r} is not in {name}"
        self.write(name, text.replace(old, new))


def _times(folder: Path) -> dict[str, int]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in RECORDS)
    return {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in paths}


MakeProject = Callable[[str], Project]


@pytest.fixture
def project(tmp_path: Path) -> MakeProject:
    """To call with the name of a root: a copy of it."""

    def make(name: str) -> Project:
        folder = tmp_path / name
        shutil.copytree(ROOTS / f"test-{name}", folder)
        return Project(folder)

    return make


MakeBuild = Callable[..., Build]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> MakeBuild:
    """To call with the name of a root, a builder and settings: a build of it as it is, made once for all
    tests.
    """
    made: dict[str, Build] = {}

    def build(name: str, builder: str = "html", **overrides: Any) -> Build:
        wanted = repr((name, builder, sorted(overrides.items())))
        if wanted not in made:
            folder = tmp_path_factory.mktemp(name) / name
            shutil.copytree(ROOTS / f"test-{name}", folder)
            made[wanted] = Project(folder).build(builder, **overrides)
        return made[wanted]

    return build
