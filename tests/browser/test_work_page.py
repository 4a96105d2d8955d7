"""A reader at a work's page: copies each form, compiles what was copied."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from refkit.formats import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Visit
    from tests.conftest import FindProgram

KEY = "dao2022flashattention"
WORK = f"works/{KEY}/index.html"
FORMS = ("ieee", "apa", "latex", "typst", "pandoc", "bibtex", "biblatex", "ris", "csl-json")


@pytest.fixture(params=["http", "file"])
def start(request: pytest.FixtureRequest, address: str, site: Path) -> str:
    return address if request.param == "http" else site.as_uri()


def copied(visit: Visit, form: str) -> str:
    visit.page.evaluate("navigator.clipboard.writeText('')")
    button = visit.page.locator(f"[data-refkit-form={form}] .rk-copy")
    button.click()
    visit.page.wait_for_function("navigator.clipboard.readText().then(text => text.length > 0)")
    assert button.inner_text() == "Copied"
    text: str = visit.page.evaluate("navigator.clipboard.readText()")
    return text


def test_each_form_is_copied_by_one_click(visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/{WORK}")
    got = {form: copied(visit, form) for form in FORMS}

    assert got["ieee"].startswith("T. Dao, D. Y. Fu, S. Ermon, A. Rudra, and C. Ré, “FlashAttention")
    assert got["apa"].startswith("Dao, T., Fu, D. Y., Ermon, S., Rudra, A., & Ré, C. (2022).")
    assert (got["latex"], got["typst"], got["pandoc"]) == (f"\\cite{{{KEY}}}", f"@{KEY}", f"[@{KEY}]")
    assert got["bibtex"].startswith(f"@inproceedings{{{KEY},")
    assert json.loads(got["csl-json"])[0]["id"] == KEY
    assert FORMATS["ris"].loads is not None
    assert got["ris"].startswith("TY  - CONF")
    assert not visit.errors
    assert not visit.foreign


def test_a_form_is_copied_by_a_key(visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}/{WORK}")
    visit.page.locator("[data-refkit-form=biblatex] .rk-copy").focus()
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_function("navigator.clipboard.readText().then(text => text.startsWith('@'))")
    assert visit.page.get_by_role("status").first.inner_text() == "BibLaTeX copied"


@pytest.mark.parametrize("key", [KEY, "hwu2022programming", "nvidia-cuda-guide", "triton-lang"])
def test_the_copied_bibtex_and_cite_compile(
    key: str, visit: Visit, address: str, program: FindProgram, tmp_path: Path
) -> None:
    from tests.clients.conftest import run

    packages = "texlive-latex-extra texlive-bibtex-extra"
    pdflatex, bibtex = program("pdflatex", packages), program("bibtex", packages)
    assert pdflatex
    assert bibtex
    visit.page.goto(f"{address}/works/{key}/index.html")
    (tmp_path / "refs.bib").write_text(copied(visit, "bibtex"), "utf-8")
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\usepackage{url}\\begin{document}"
        f"{copied(visit, 'latex')}\\bibliographystyle{{plain}}\\bibliography{{refs}}\\end{{document}}",
        "utf-8",
    )
    for command in ([pdflatex, "-interaction=nonstopmode", "main"], [bibtex, "main"]):
        run(command, tmp_path)
    for _ in range(2):
        done = run([pdflatex, "-interaction=nonstopmode", "main"], tmp_path)
    log = (tmp_path / "main.log").read_text("utf-8", errors="replace")
    assert done.returncode == 0
    assert "undefined" not in log
    assert (tmp_path / "main.pdf").is_file()


def test_without_scripts_every_form_can_be_read(visit_without_scripts: Visit, start: str) -> None:
    page = visit_without_scripts.page
    page.goto(f"{start}/{WORK}")
    for form in FORMS:
        box = page.locator(f"[data-refkit-form={form}]")
        if box.locator("details:not([open])").count():
            box.locator("summary").click()
        assert box.locator(".rk-form-text").is_visible(), form
    assert not page.locator("button.rk-copy").count()


def test_print_shows_addresses_and_hides_controls(visit: Visit, address: str) -> None:
    for name in (WORK, "kernels/attention.html"):
        visit.page.goto(f"{address}/{name}")
        visit.page.emulate_media(media="print")
        for hidden in (".rk-copy", "details.rk-cite", ".rk-about", ".rk-bundles ul", ".related-pages"):
            for element in visit.page.locator(hidden).all():
                assert not element.is_visible(), hidden
        shown = visit.page.evaluate(
            "getComputedStyle(document.querySelector('.rk-links a'), '::after').content"
        )
        assert re.search(r"https?://|attr\(href\)", shown)
    broken = visit.page.evaluate("getComputedStyle(document.querySelector('.rk-source')).breakInside")
    assert broken == "avoid"
