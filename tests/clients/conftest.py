"""The real programs that read refkit's exports, each as a fixture; a missing one skips the test and is named.

With ``REFKIT_REQUIRE_CLIENTS=1`` a missing program is a failure (tests/conftest.py).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from types import ModuleType

    from tests.conftest import FindProgram, Missing

NODE_FOLDER = Path(__file__).parent / "node"
#: The oldest Node.js that citation-js runs on (its package.json, "engines").
NODE_VERSION = (20, 19)
TIMEOUT = 300


def run(command: Sequence[str | Path], folder: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end in a folder; what it prints is text, undecodable bytes replaced."""
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=TIMEOUT,
        check=False,
        **options,
    )


def must(command: Sequence[str | Path], folder: Path, **options: Any) -> str:
    """Standard output of a program that is expected to succeed; its messages are the failure's text."""
    done = run(command, folder, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


# pandoc


@pytest.fixture(scope="session")
def pandoc_path(missing_client: Missing) -> Path:
    """Pandoc 3, as the package pypandoc_binary brings it."""
    try:
        import pypandoc

        return Path(pypandoc.get_pandoc_path())
    except (ImportError, OSError):
        missing_client("pandoc", "pip install pypandoc_binary")


@pytest.fixture
def pandoc(pandoc_path: Path, tmp_path: Path) -> Callable[..., str]:
    """``pandoc("-f", "biblatex", "-t", "csljson", text=...)`` gives what pandoc prints."""

    def convert(*options: str | Path, text: str = "") -> str:
        return must([pandoc_path, *options], tmp_path, input=text)

    return convert


# LaTeX


class Latex(NamedTuple):
    """What running LaTeX and BibTeX or biber on a document gave."""

    #: The sorted list of references as BibTeX or biber wrote it.
    bbl: str
    #: Messages of BibTeX or biber.
    bibliography_log: str
    #: LaTeX's log of the last run, lines joined as far as LaTeX broke them.
    log: str
    pdf: Path

    @property
    def bibliography_errors(self) -> list[str]:
        """Errors and warnings that BibTeX or biber reported."""
        pattern = r"^(?:ERROR|WARN|Warning|I (?:was|found|couldn't)|.*---line).*"
        return re.findall(pattern, self.bibliography_log, re.M)

    @property
    def errors(self) -> list[str]:
        """LaTeX's errors."""
        return re.findall(r"^! .*", self.log, re.M)

    @property
    def undefined(self) -> list[str]:
        """Keys that were cited and not found."""
        return re.findall(r"Citation [`']([^']+)'.*undefined", self.log)


LatexRunner = Callable[[str, Mapping[str, str | bytes]], Latex]


@pytest.fixture
def latex(program: FindProgram, tmp_path: Path) -> LatexRunner:
    """``latex(document, {"refs.bib": text})`` runs pdfLaTeX and, as the document needs, biber or BibTeX."""
    packages = "texlive-latex-extra texlive-bibtex-extra texlive-publishers biber"
    pdflatex, bibtex = program("pdflatex", packages), program("bibtex", packages)
    biber = program("biber", packages)
    assert pdflatex

    def compile_document(document: str, files: Mapping[str, str | bytes]) -> Latex:
        for name, content in {"main.tex": document, **files}.items():
            (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
        typeset = [pdflatex, "-interaction=nonstopmode", "-no-shell-escape", "main"]
        # LaTeX breaks the lines of its log at 79 bytes unless it is told otherwise.
        environment = {**os.environ, "max_print_line": "10000", "openin_any": "p", "openout_any": "p"}
        run(typeset, tmp_path, env=environment)
        backend = biber if (tmp_path / "main.bcf").is_file() else bibtex
        reported = run([backend, "main"], tmp_path, env=environment)
        for _ in range(2):
            run(typeset, tmp_path, env=environment)
        bbl = tmp_path / "main.bbl"
        return Latex(
            bbl.read_text("utf-8", errors="replace") if bbl.is_file() else "",
            reported.stdout + reported.stderr,
            (tmp_path / "main.log").read_text("utf-8", errors="replace"),
            tmp_path / "main.pdf",
        )

    return compile_document


# Typst


@pytest.fixture
def typst(missing_client: Missing, tmp_path: Path) -> Callable[[str, Mapping[str, str]], bytes]:
    """``typst(document, {"refs.bib": text})`` gives the PDF, or the exception that the compiler raised."""
    try:
        import typst as compiler
    except ImportError:
        missing_client("typst", "pip install typst")

    def compile_document(document: str, files: Mapping[str, str]) -> bytes:
        for name, content in {"main.typ": document, **files}.items():
            (tmp_path / name).write_text(content, "utf-8", newline="")
        pdf: bytes = compiler.compile(tmp_path / "main.typ")
        return pdf

    return compile_document


# citation-js


def _node() -> Path | None:
    """A Node.js that is new enough: on the path, or the one inside the package playwright."""
    found = shutil.which("node")
    if found and _node_version(found) >= NODE_VERSION:
        return Path(found)
    try:
        import playwright
    except ImportError:
        return None
    bundled = Path(playwright.__file__).parent / "driver" / "node"
    return bundled if bundled.is_file() and _node_version(bundled) >= NODE_VERSION else None


def _node_version(node: str | Path) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", run([node, "--version"], NODE_FOLDER).stdout)[:2])


@pytest.fixture(scope="session")
def node(missing_client: Missing) -> Path:
    """Node.js, with the packages of tests/clients/node installed."""
    found = _node()
    if found is None:
        missing_client("node", f"install Node.js {'.'.join(map(str, NODE_VERSION))} or newer")
    if not (NODE_FOLDER / "node_modules" / "@citation-js" / "core").is_dir():
        missing_client("citation-js", "npm ci --prefix tests/clients/node")
    return found


@pytest.fixture
def citation_js(node: Path, tmp_path: Path) -> Callable[[str | bytes, str], list[dict[str, Any]]]:
    """``citation_js(text, "refs.ris")`` gives the CSL-JSON items that citation-js reads from the text."""

    def read(text: str | bytes, name: str) -> list[dict[str, Any]]:
        file = tmp_path / name
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        items: list[dict[str, Any]] = json.loads(must([node, NODE_FOLDER / "read.mjs", file], tmp_path))
        return items

    return read


# Python readers


@pytest.fixture(scope="session")
def rispy(missing_client: Missing) -> ModuleType:
    """The RIS reader rispy."""
    try:
        import rispy as module
    except ImportError:
        missing_client("rispy", "pip install rispy")
    return module


# What they read


@pytest.fixture(scope="session")
def bundles(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own files to take away, as ``refkit export`` writes them."""
    out = tmp_path_factory.mktemp("exports")
    must([sys.executable, "-m", "refkit", "export", "--out", out], root)
    return out


@pytest.fixture(scope="session")
def keys(root: Path) -> set[str]:
    """The keys of all placed works."""
    listed = json.loads(must([sys.executable, "-m", "refkit", "list", "--json"], root))
    return {place["key"] for place in listed}


@pytest.fixture(scope="session")
def works(bundles: Path) -> dict[str, dict[str, Any]]:
    """refkit's own view of all placed works, by key."""
    found: dict[str, dict[str, Any]] = json.loads((bundles / "all.refkit.json").read_text("utf-8"))["works"]
    return found
