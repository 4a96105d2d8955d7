"""Nothing moves while a page loads: room is kept for what scripts put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import Visit

PAGES = (
    "index.html",
    "kernels/attention.html",
    "start/start-here.html",
    "engines/scheduling.html",
    "works/dao2022flashattention/index.html",
    "browse.html",
    "browse.html?q=attention&kind=paper&year=2024",
    "timeline.html",
    "map.html",
    "use/site.html",
)
#: A telephone's line: round trip in milliseconds, bytes per second.
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
RECORD = """new PerformanceObserver(list => {
  window.shifts ??= [];
  for (const { value, sources } of list.getEntries()) {
    const of = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    const what = sources.map(({ node, previousRect, currentRect }) =>
      `${node?.nodeName} ${node?.className ?? node?.textContent}: ${of(previousRect)} to ${of(currentRect)}`);
    window.shifts.push([value, what.join("; ")]);
  }
}).observe({ type: "layout-shift", buffered: true })"""


#: A hundredth of what counts as good; pieces of the theme that come late from a busy server stay far below.
NOTHING = 0.001


def shifts(page: Page, url: str) -> list[tuple[float, str]]:
    """How far things moved while a page loaded, as far as can be seen, each with what moved."""
    page.add_init_script(RECORD)
    from playwright.sync_api import Error

    try:
        page.goto(url, wait_until="networkidle", timeout=20_000)
    except Error:  # a slow line on a busy machine: once more, from the beginning
        page.goto("about:blank")
        page.goto(url, wait_until="load", timeout=60_000)
    page.wait_for_timeout(400)  # the rest of a long list is drawn after the first rows
    found: list[tuple[float, str]] = page.evaluate("window.shifts ?? []")
    return found if sum(value for value, _what in found) >= NOTHING else []


@pytest.mark.parametrize("line", ["quick", "slow"])
@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_moves(name: str, width: int, line: str, visit: Visit, compressed: str) -> None:
    visit.page.set_viewport_size({"width": width, "height": 900})
    if line == "slow":
        visit.context.new_cdp_session(visit.page).send("Network.emulateNetworkConditions", SLOW)

    assert not shifts(visit.page, f"{compressed}/{name}")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_a_reader_has_marked_moves_nothing_when_it_comes_back(visit: Visit, compressed: str) -> None:
    visit.page.goto(f"{compressed}/{PAGES[1]}")
    for choice in visit.page.locator(".rk-mine select").all()[:3]:
        choice.select_option("read")
    visit.page.locator(".rk-mine button").first.click()

    for name in (PAGES[0], PAGES[1], "browse.html"):
        assert not shifts(visit.page, f"{compressed}/{name}")
