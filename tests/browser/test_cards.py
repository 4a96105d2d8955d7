"""Hover cards on citations: by mouse, by keyboard, from disk, and what is there without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page
    from tests.browser.conftest import Visit

SECTION = "kernels/attention.html"
CITATION = "[data-refkit-key=dao2022flashattention] .bibtex-citation a"


@pytest.fixture(params=["http", "file"])
def start(request: pytest.FixtureRequest, address: str, site: Path) -> str:
    return address if request.param == "http" else site.as_uri()


def card_of(page: Page, link: Locator) -> Locator:
    """The card that describes a link."""
    id = link.get_attribute("aria-describedby")
    assert id
    return page.locator(f"#{id}")


def test_a_pointer_shows_the_card_and_may_move_into_it(visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/{SECTION}", wait_until="networkidle")
    before = len(visit.requests)
    link = visit.page.locator(CITATION).first
    card = card_of(visit.page, link)
    expect(card).to_be_hidden()

    link.hover()
    expect(card).to_be_visible()
    assert "Milakov" in card.inner_text()
    assert "2018" in card.inner_text()
    card.hover()
    visit.page.wait_for_timeout(500)
    expect(card).to_be_visible()

    visit.page.mouse.move(5, 5)
    expect(card).to_be_hidden()
    assert len(visit.requests) == before
    assert not visit.errors


def test_the_focus_shows_the_card_and_escape_closes_it(visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/{SECTION}")
    link = visit.page.locator(CITATION).first
    card = card_of(visit.page, link)
    visit.page.keyboard.press("Tab")
    link.focus()
    expect(card).to_be_visible()

    visit.page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    assert link.evaluate("link => link === document.activeElement")

    visit.page.keyboard.press("Tab")
    visit.page.keyboard.press("Shift+Tab")
    expect(card).to_be_visible()
    visit.page.keyboard.press("Tab")
    expect(card).to_be_hidden()


def test_escape_closes_a_card_that_the_pointer_opened(visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}/{SECTION}")
    link = visit.page.locator(CITATION).first
    link.hover()
    expect(card_of(visit.page, link)).to_be_visible()
    visit.page.keyboard.press("Escape")
    expect(card_of(visit.page, link)).to_be_hidden()


@pytest.mark.parametrize("width", [360, 1440])
def test_a_card_lies_in_the_window_beside_its_link(width: int, visit: Visit, address: str) -> None:
    visit.page.set_viewport_size({"width": width, "height": 700})
    visit.page.goto(f"{address}/{SECTION}")
    for link in visit.page.locator(".bibtex-citation a").all():
        link.scroll_into_view_if_needed()
        link.hover()
        card = card_of(visit.page, link)
        expect(card).to_be_visible()
        box, line = (
            card.bounding_box(),
            link.evaluate("a => { const r = a.getClientRects()[0]; return [r.top, r.bottom] }"),
        )
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert abs(box["y"] - line[1]) < 3 or abs(box["y"] + box["height"] - line[0]) < 3
        visit.page.keyboard.press("Escape")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


def test_cards_do_not_come_by_touch(browser: Browser, address: str) -> None:
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 700})
    page = context.new_page()
    page.goto(f"{address}/{SECTION}")
    page.evaluate("document.addEventListener('click', event => event.preventDefault(), true)")
    page.locator(CITATION).first.tap()
    page.wait_for_timeout(400)
    assert page.locator(".rk-card:visible").count() == 0
    context.close()


def test_a_work_page_has_cards_too(visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/works/dao2022flashattention/index.html")
    link = visit.page.locator(".bibtex-citation a").first
    link.hover()
    expect(card_of(visit.page, link)).to_be_visible()


def test_without_scripts_the_link_is_alone(visit_without_scripts: Visit, start: str) -> None:
    page = visit_without_scripts.page
    page.goto(f"{start}/{SECTION}")
    page.locator(CITATION).first.hover()
    assert page.locator(".rk-card:visible").count() == 0
    page.locator(CITATION).first.click()
    page.wait_for_url("**/works/*/index.html")
