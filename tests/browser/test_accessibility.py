"""axe-core finds nothing on the pages of the site, in light and dark, on a phone and on a screen."""

from __future__ import annotations

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
