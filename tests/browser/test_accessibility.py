"""axe-core finds nothing on the pages of the site, in light and dark, on a phone and on a screen."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from tests.conftest import Missing

AXE = Path(__file__).parents[1] / "clients" / "node" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = (
    "index.html",
    "kernels/attention.html",
    "start/start-here.html",
    "browse.html",
    "timeline.html",
    "map.html",
    "works/dao2022flashattention/index.html",
)


@pytest.fixture(scope="module")
def axe(missing_client: Missing) -> str:
    if not AXE.is_file():
        missing_client("axe-core", "npm ci --prefix tests/clients/node")
    return AXE.read_text("utf-8")


def violations(browser: Browser, axe: str, address: str, width: int, scheme: Any) -> list[str]:
    """What axe finds on a page, each as its rule and the first element."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    for details in page.locator("details.rk-cite").all()[:1]:
        details.locator("summary").click()
    page.evaluate(axe)
    found = page.evaluate("axe.run().then(result => result.violations)")
    context.close()
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]} ({len(one['nodes'])})" for one in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(
    name: str, width: int, scheme: str, browser: Browser, axe: str, address: str
) -> None:
    assert violations(browser, axe, f"{address}/{name}", width, scheme) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_open_card_has_no_violation(scheme: Any, browser: Browser, axe: str, address: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{address}/kernels/attention.html")
    page.locator(".rk-source .bibtex-citation a").first.hover()
    page.locator(".rk-card:visible").wait_for()
    page.evaluate(axe)
    found = page.evaluate("axe.run().then(result => result.violations.map(one => one.id))")
    context.close()
    assert found == []


ROOT = Path(__file__).parent.parent / "sphinxext" / "roots" / "test-list"
LONG = "Unbreakable" * 20
#: A theme whose pages are light or dark as the browser wishes, and which has none of furo's variables.
STYLE = """
:root { color-scheme: light dark; }
html { background: light-dark(#fff, #14181e); color: light-dark(#323232, #ced6dd); }
body, div.body, div.document { background: none; color: inherit; }
a, div.body a, p a, h1 { color: light-dark(#0a5fd8, #7ab0ff) !important; }
code { background: none !important; color: inherit !important; }
"""


@pytest.fixture(scope="module")
def plain_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small list in a theme of another kind than furo, with a word that has no room in any line."""
    folder = tmp_path_factory.mktemp("plain")
    shutil.copytree(ROOT, folder / "list")
    (folder / "list" / "style").mkdir()
    (folder / "list" / "style" / "own.css").write_text(STYLE, "utf-8")
    bib = folder / "list" / "bib" / "attention.bib"
    bib.write_text(
        f"{bib.read_text('utf-8')}\n@article{{long, title = {{{LONG}}}, author = {{{LONG}, A.}},"
        f" journal = {{{LONG}}}, year = {{2024}}}}\n",
        "utf-8",
    )
    page = folder / "list" / "kernels" / "attention.rst"
    page.write_text(f"{page.read_text('utf-8')}\n.. source:: long\n\n   {LONG} :cite:p:`long`\n", "utf-8")
    options = ("-D", "html_theme=alabaster", "-D", "html_static_path=style", "-D", "html_css_files=own.css")
    command = [sys.executable, "-m", "sphinx", "-q", *options, ".", "../site"]
    subprocess.run(command, cwd=folder / "list", check=True, capture_output=True, timeout=120)
    return folder / "site"


PLAIN_PAGES = ("kernels/attention.html", "browse.html", "timeline.html", "map.html", "works/long/index.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PLAIN_PAGES)
def test_all_can_be_read_in_light_and_dark_in_another_theme(
    name: str, scheme: Any, plain_site: Path, browser: Browser, axe: str
) -> None:
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto((plain_site / name).as_uri())
    for opener in page.locator("details.rk-cite, details#rk-basket").locator("summary").all()[:2]:
        opener.click()
    page.evaluate(axe)
    options = "{runOnly: ['color-contrast']}"
    found = page.evaluate(
        f"axe.run('[role=main]', {options}).then(result => result.violations.flatMap(one => one.nodes)"
        ".map(node => `${node.html} ${node.any[0].message}`))"
    )
    context.close()
    assert found == []


@pytest.mark.parametrize("name", PLAIN_PAGES)
def test_long_words_break_in_another_theme(name: str, plain_site: Path, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 800})
    page = context.new_page()
    page.goto((plain_site / name).as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_what_has_the_focus_is_in_view_on_a_phone(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}/kernels/attention.html")
    page.add_style_tag(content="* { scroll-behavior: auto !important; transition: none !important; }")
    hidden = []
    for _ in range(70):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
                const box = document.activeElement.getBoundingClientRect();
                const across = box.left >= -1 && box.right <= innerWidth + 1;
                if (across && box.bottom > 0 && box.top < innerHeight) return "";
                return document.activeElement.outerHTML.slice(0, 100);
            }"""
        )
        hidden += [found] if found else []
    context.close()
    assert hidden == []


def test_no_class_is_named_for_a_missing_value(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/browse.html")
    page.locator(".rk-row").first.wait_for()
    assert page.locator(".undefined").count() == 0
    page.close()
