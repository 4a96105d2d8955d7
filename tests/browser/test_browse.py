"""A reader at the page over all works: finds, filters, sorts, shares the address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import Visit

PAGE = "browse.html"
ROWS = "#rk-results > li"
NAMES = f"{ROWS} .rk-row-name"


def names(page: Page) -> list[str]:
    """The names of the works shown, once all are."""
    hits = count(page)
    page.wait_for_function(
        "([rows, hits]) => document.querySelectorAll(rows).length >= Math.min(hits, 200)", arg=[ROWS, hits]
    )
    return page.locator(NAMES).all_inner_texts()


def count(page: Page) -> int:
    found = re.match(r"(\d+) of 119 works", page.locator("#rk-hits").inner_text())
    assert found
    return int(found[1])


def search(page: Page, query: str) -> list[str]:
    page.locator("#rk-q").fill(query)
    return names(page)


def choose(page: Page, facet: str, value: str) -> None:
    opener = page.locator(".rk-facets button", has_text=facet)
    if opener.get_attribute("aria-expanded") != "true":
        opener.click()
    page.locator(".rk-values:not([hidden]) label", has_text=value).first.click()


def counts(page: Page, facet: str) -> dict[str, int]:
    opener = page.locator(".rk-facets button", has_text=facet)
    if opener.get_attribute("aria-expanded") != "true":
        opener.click()
    labels = page.locator(".rk-values:not([hidden]) label").all()
    return {
        label.locator("span").nth(0).inner_text(): int(label.locator(".rk-number").inner_text())
        for label in labels
    }


@pytest.fixture
def page(visit: Visit, address: str) -> Page:
    visit.page.goto(f"{address}/{PAGE}")
    return visit.page


def test_the_page_works_served_and_from_disk_without_an_error_or_a_request_abroad(
    visit: Visit, start: str
) -> None:
    page = visit.page
    page.goto(f"{start}/{PAGE}")
    found = names(page)
    assert len(found) == count(page) == 119
    assert found[0] == "How to Scale Your Model: Inference"
    search(page, "attention")
    choose(page, "Kind", "paper")
    shown = names(page)
    page.locator(NAMES).first.click()
    page.wait_for_url("**/works/**")
    page.go_back()
    assert names(page) == shown
    page.go_back()
    assert page.locator("#rk-q").input_value() == "attention"
    assert not page.locator("#rk-chosen button").count()
    assert not visit.errors
    assert not visit.foreign


def test_a_name_is_found_before_annotations_that_mention_it(page: Page) -> None:
    found = search(page, "flashattention")
    named = [name for name in found if "FlashAttention" in name]
    assert len(named) >= 4
    assert found[: len(named)] == named
    assert len(found) > len(named)


def test_a_work_is_found_without_accents_by_beginnings_of_words_and_by_people(page: Page) -> None:
    for query, work in (
        ("lukasz kaiser", "Attention Is All You Need"),  # the page has Łukasz
        ("ŁUKASZ", "Attention Is All You Need"),
        ("tri dao", "FlashAttention"),
        ("attention paged", "PagedAttention"),
        ("sosp", "PagedAttention"),
        ('"exact attention"', "FlashAttention"),
        ("io-awareness", "FlashAttention"),
        ("roofl", "Roofline"),
        ("dao 2022", "FlashAttention"),
        ("dao2022flashattention", "FlashAttention"),
        ("2205.14135", "FlashAttention"),
        ("arXiv:2205.14135", "FlashAttention"),
        ("10.1145/3600006.3613165", "PagedAttention"),
        ("https://doi.org/10.1145/3600006.3613165", "PagedAttention"),
        ("https://arxiv.org/abs/2205.14135", "FlashAttention"),
    ):
        found = search(page, query)
        assert any(work.casefold() in name.casefold() for name in found), (query, found)
        assert len(found) < 40, query


def test_all_words_must_be_there(page: Page) -> None:
    both = search(page, "attention blackwell")
    assert both
    assert set(both) <= set(search(page, "attention")) & set(search(page, "blackwell"))


def test_words_are_matched_from_their_beginning(page: Page) -> None:
    assert search(page, "ttention") == []


def test_a_phrase_is_less_than_its_words(page: Page) -> None:
    apart = search(page, "memory shared")
    assert 0 < len(search(page, '"shared memory"')) <= len(search(page, "shared memory")) == len(apart)
    assert search(page, '"memory shared"') == []


def test_counts_follow_the_other_facets_and_the_words(page: Page) -> None:
    before = counts(page, "Kind")
    assert sum(before.values()) == 119
    choose(page, "Kind", "paper")
    assert count(page) == before["paper"]
    assert counts(page, "Kind") == before  # a facet does not filter its own values
    years = counts(page, "Year")
    assert sum(years.values()) == before["paper"]
    search(page, "attention")
    assert sum(counts(page, "Year").values()) == count(page) < before["paper"]


def test_values_of_one_facet_add_up_and_facets_narrow(page: Page) -> None:
    of = counts(page, "Kind")
    choose(page, "Kind", "paper")
    choose(page, "Kind", "preprint")
    assert count(page) == of["paper"] + of["preprint"]
    choose(page, "Year", "2024")
    assert 0 < count(page) < of["paper"] + of["preprint"]


def test_undated_is_a_year(page: Page) -> None:
    undated = counts(page, "Year")["undated"]
    choose(page, "Year", "undated")
    assert count(page) == undated > 0


def test_the_address_keeps_the_state(page: Page, visit: Visit) -> None:
    search(page, "attention")
    choose(page, "Kind", "paper")
    page.locator("#rk-sort").select_option("year")
    shown, address = names(page), page.url
    assert "q=attention" in address
    assert "kind=paper" in address
    other = visit.context.new_page()
    other.goto(address)
    assert names(other) == shown
    assert other.locator("#rk-q").input_value() == "attention"
    assert other.locator("#rk-sort").input_value() == "year"
    assert other.locator("#rk-chosen button").inner_text() == "Kind: paper ×"


def test_the_back_button_undoes_a_choice_and_a_search_as_a_whole(page: Page) -> None:
    page.locator("#rk-q").press_sequentially("attention")
    found = count(page)
    choose(page, "Kind", "paper")
    assert count(page) < found
    page.go_back()
    assert count(page) == found
    assert not page.locator("#rk-chosen button").count()
    page.go_back()
    assert count(page) == 119
    page.go_forward()
    assert page.locator("#rk-q").input_value() == "attention"


def test_an_address_with_nonsense_shows_everything(visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}/{PAGE}?kind=nothing&year=%F0%9F&sort=wrong&other=1")
    assert count(visit.page) == 119
    assert not visit.errors


def test_where_nothing_is_found_the_page_says_what_to_drop(page: Page) -> None:
    choose(page, "Kind", "book")
    choose(page, "Section", "Attention")
    assert count(page) == 0
    help = page.locator("#rk-none")
    assert help.is_visible()
    offers = help.locator("button").all_inner_texts()
    expected = next(offer for offer in offers if offer.startswith("any Kind"))
    help.locator("button", has_text="any Kind").click()
    assert f"({count(page)})" in expected
    assert count(page) > 0
    assert not help.is_visible()


def test_start_again_clears_words_and_filters(page: Page) -> None:
    choose(page, "Kind", "software")
    search(page, "no such word")
    page.locator("#rk-none button", has_text="Start again").click()
    assert count(page) == 119
    assert page.evaluate("document.activeElement.id") == "rk-q"


def test_works_are_sorted_by_year_and_name(page: Page) -> None:
    page.locator("#rk-sort").select_option("name")
    found = names(page)
    assert found == page.evaluate(
        "names => names.sort(new Intl.Collator('en', {numeric: true}).compare)", found
    )
    page.locator("#rk-sort").select_option("year")
    names(page)
    years: list[int] = page.evaluate(
        """rows => { const years = new Map(refkitData.works.list.map(work => [work.key, work.year]));
            return [...document.querySelectorAll(rows)].map(row => years.get(row.dataset.refkitKey)); }""",
        ROWS,
    )
    assert len(years) == 119
    assert years == sorted(years, reverse=True)
    assert years[-1] == 0  # undated


def test_the_number_of_hits_is_told_to_screen_readers(page: Page) -> None:
    assert page.locator("#rk-hits").get_attribute("role") == "status"
    search(page, "attention")
    assert page.locator("#rk-hits").inner_text() == f"{count(page)} of 119 works"


def test_a_chip_takes_its_filter_away_and_keeps_the_focus_near(page: Page) -> None:
    choose(page, "Kind", "paper")
    choose(page, "Kind", "software")
    page.locator("#rk-chosen button").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#rk-chosen button").count() == 1
    assert page.evaluate("document.activeElement.closest('#rk-chosen') !== null")


def test_all_of_it_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("attention")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent === 'Kind'"):
            break
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.matches('.rk-values input')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.locator("#rk-chosen button").count() == 1
    page.keyboard.press("j")
    assert page.evaluate(f"document.activeElement === document.querySelector('{ROWS}')")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/works/**")


def test_targets_are_large_enough(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 900})
    page.locator(".rk-facets button", has_text="Kind").click()
    small: list[Any] = page.evaluate(
        """() => [...document.querySelectorAll('.rk-browse :is(button, select, input, .rk-values label)')]
            .filter(one => one.getClientRects().length && one.type !== 'checkbox')
            .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
            .filter(([, box]) => box.height < 24 || box.width < 24)"""
    )
    assert small == []


def test_without_scripts_every_work_and_section_is_linked(visit_without_scripts: Visit, start: str) -> None:
    page = visit_without_scripts.page
    page.goto(f"{start}/{PAGE}")
    assert not page.locator(".rk-app").is_visible()
    works = page.locator("#rk-all li a:visible").all()
    assert len({link.get_attribute("href") for link in works}) == 119
    assert page.locator("#rk-all h3 a:visible").count() == 29
    works[0].click()
    page.wait_for_url("**/works/**")


def test_a_plain_list_is_one_link_away(page: Page) -> None:
    assert not page.locator("#rk-all").is_visible()
    page.locator("a[href='#rk-all']").click()
    assert page.locator("#rk-all").is_visible()


def test_the_key_to_cite_copies_without_the_clipboard_api_too(visit: Visit, address: str) -> None:
    page = visit.page
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(f"{address}/{PAGE}?q=dao2022flashattention")
    page.keyboard.press("j")
    page.keyboard.press("c")
    page.locator(".rk-live", has_text="copied").wait_for(state="attached")
    assert page.evaluate("document.activeElement.dataset.refkitKey") == "dao2022flashattention"
    page.locator("#rk-q").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+v")
    assert page.locator("#rk-q").input_value().startswith("@inproceedings{dao2022flashattention,")
    assert not visit.errors


def test_what_cannot_be_loaded_is_told(visit: Visit, address: str) -> None:
    page = visit.page
    page.route("**/bibtex.js", lambda route: route.abort())
    page.goto(f"{address}/{PAGE}")
    page.keyboard.press("j")
    page.keyboard.press("c")
    page.locator(".rk-live", has_text="could not be loaded").wait_for(state="attached")
    assert not [error for error in visit.errors if "bibtex.js" not in error and "ERR_FAILED" not in error]
