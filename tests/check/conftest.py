"""Libraries from small projects written as texts."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest
from tests.enrich.conftest import server, session, settings

from refkit import config
from refkit.check import load, registry, runner, suppress
from refkit.check.library import Library
from refkit.check.runner import Result
from refkit.model import Diagnostic
from refkit.pages import Pages
from refkit.pages.reader import read_pages
from refkit.project import Project

#: Services on the loopback are those of the tests of enrichment.
__all__ = ("server", "session", "settings")

TODAY = date(2026, 11, 30)
#: Who wrote what, in entries that are about something else.
PAPER = "author = {Lee, Ada}, title = {Title}, "
Check = Callable[..., Result]


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a small project."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def check_project(folder: Path, select: tuple[str, ...] = (), pages: Pages | None = None) -> Result:
    """All findings of the rules selected (default: all that run by default) in a project, on a fixed day.

    The pages are read, or those that were read before are taken.
    """
    loaded = config.load(start=folder, environ={})
    project = Project(loaded)
    if pages is not None:
        project.__dict__["pages"] = pages
    library = load.of_project(project)
    library.today = TODAY
    return runner.run(
        library,
        registry.chosen(select),
        reported=[*project.bibliography.diagnostics, *project.pages.diagnostics],
        answers=suppress.answers(loaded.suppress),
    )


@pytest.fixture(scope="module")
def copy(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project's bibliography, pages and configuration."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(root / "pyproject.toml", folder)
    for name in ("bib", "docs"):
        shutil.copytree(root / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def pages(copy: Path) -> Pages:
    """The pages of the copy, read once."""
    return read_pages(copy / "docs")


def check_edited(copy: Path, pages: Pages, file: str, at: int, old: str, new: str) -> list[Diagnostic]:
    """All findings while one piece of one file of the copy is another; the pages are read anew where they
    may differ.
    """
    path = copy / file
    before = path.read_bytes()
    text = before.decode("utf-8")
    changed = text[:at] + new + text[at + len(old) :]
    path.write_bytes(changed.encode("utf-8", "surrogateescape"))
    try:
        return check_project(copy, pages=pages if file.startswith("bib") else None).diagnostics
    finally:
        path.write_bytes(before)


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Checks a project given as path -> text, or a .bib file given as text."""

    def run(files: Mapping[str, str] | str, *select: str) -> Result:
        given = {"bib/refs.bib": files} if isinstance(files, str) else dict(files)
        given.setdefault("pyproject.toml", "[tool.refkit]\n")
        write(tmp_path, given)
        return check_project(tmp_path, select)

    return run


@pytest.fixture
def library() -> Callable[[str], Library]:
    """A library of one .bib text, without files."""

    def make(text: str) -> Library:
        from refkit.bibtex.reader import read_text

        document = read_text(text, "refs.bib")
        return Library(document.entries, [document], today=TODAY)

    return make


def codes(check: Check, *entries: str) -> set[str]:
    """The rules that find fault with entries."""
    return {one.code for one in check("\n".join(entries)).diagnostics}
