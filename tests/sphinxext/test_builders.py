"""Every builder writes every root without a warning of its own."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from tests.sphinxext.conftest import MakeBuild, MakeProject

BUILDERS = [
    "html",
    "dirhtml",
    "singlehtml",
    "latex",
    "epub",
    "text",
    "man",
    "texinfo",
    "xml",
    "json",
    "gettext",
    "dummy",
]
#: What a book must say of itself.
BOOK = {"version": "1", "copyright": "nobody"}


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("root", ["list", "bibliographies", "footnotes"])
def test_no_builder_warns(project: MakeProject, builder: str, root: str) -> None:
    one = project(root)
    if root == "list":
        one.write("notes.rst", "Notes\n=====\n\n:cite:p:`cudaguide`\n\n.. bibliography::\n   :all:\n")
    assert one.build(builder, **BOOK).warnings == []


@pytest.mark.parametrize("theme", ["furo", "basic", "alabaster", "classic"])
def test_no_theme_warns(built: MakeBuild, theme: str) -> None:
    build = built("list", html_theme=theme)
    assert build.warnings == []
    assert build.page("kernels/attention").source("dao2022flashattention")
    assert build.page("works/cudaguide/index").main.one("h1").text == "CUDA C++ Programming Guide"


def test_text_has_name_reference_and_annotation(built: MakeBuild) -> None:
    text = built("list", "text", refkit_work_pages=True).text("kernels/attention.txt")
    assert "**FlashAttention**" in text
    assert "Tri Dao, Daniel Y. Fu, and Christopher Ré. FlashAttention: Fast and" in text
    assert "Keeps the score matrix on chip; *read it* before [Dao 2024]" in text
    assert "Export" not in text


def test_latex_has_a_target_for_each_placement_and_links_to_it(built: MakeBuild) -> None:
    build = built("list", "latex")
    tex = build.text("alist.tex")
    assert r"\hypertarget{cite.kernels/attention:dao2022flashattention}{}" in tex
    assert r"\hyperlink{cite.kernels/attention:dao2022flashattention}{Dao et al. (2022)}" in tex
    assert r"\label{\detokenize{kernels/attention:dao2022flashattention}}" in tex


def test_latex_compiles_without_an_undefined_target(project: MakeProject) -> None:
    latexmk = shutil.which("latexmk")
    if latexmk is None:
        pytest.skip("latexmk is not installed")
    one = project("list")
    one.write("notes.rst", "Notes\n=====\n\n:cite:p:`cudaguide`\n\n.. bibliography::\n   :all:\n")
    build = one.build("latex", latex_elements={"fontpkg": ""})
    done = subprocess.run(
        [latexmk, "-pdf", "-interaction=nonstopmode", "alist.tex"],
        cwd=build.outdir, capture_output=True, text=True, errors="replace", timeout=300, check=False,
    )  # fmt: skip
    log = (build.outdir / "alist.log").read_text("utf-8", errors="replace")
    assert done.returncode == 0, log[-3000:]
    assert "has been referenced but does not exist" not in log


def test_epub_leads_to_placements(built: MakeBuild) -> None:
    build = built("list", "epub", **BOOK)
    page = build.text("index.xhtml")
    assert 'href="kernels/attention.xhtml#dao2022flashattention"' in page
    assert "rk-cite" not in build.text("kernels/attention.xhtml")


def test_single_html_leads_to_placements_on_its_one_page(built: MakeBuild) -> None:
    page = built("list", "singlehtml").page("index")
    assert page.source("williams2009roofline") is not None
    assert page.citations()[0] == ("Dao et al. (2022)", "#dao2022flashattention")
