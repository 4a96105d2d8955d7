"""A reader marks what is read, on any page; the browser keeps it, two tabs agree, a file carries it over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page
    from tests.browser.conftest import Visit

SECTION = "kernels/attention.html"
KEY = "dao2022flashattention"
OTHER = "dao2024flashattention2"


def state(page: Page, key: str) -> str:
    return page.locator(f"[data-refkit-key={key}] select").first.input_value()


def mark(page: Page, key: str, value: str) -> None:
    page.locator(f"[data-refkit-key={key}] select").first.select_option(value)


def told(page: Page) -> str:
    return page.locator(".rk-progress .rk-counts").first.inner_text()


@pytest.fixture
def page(visit: Visit, address: str) -> Page:
    visit.page.goto(f"{address}/{SECTION}")
    return visit.page


def test_progress_is_kept_on_every_page_of_the_work(visit: Visit, start: str) -> None:
    page = visit.page
    page.goto(f"{start}/{SECTION}")
    mark(page, KEY, "read")
    mark(page, OTHER, "reading")
    assert told(page) == "1 of 5 read, 1 begun"
    page.reload()
    assert state(page, KEY) == "read"
    assert told(page) == "1 of 5 read, 1 begun"
    page.goto(f"{start}/works/{KEY}/index.html")
    assert state(page, KEY) == "read"
    page.goto(f"{start}/browse.html")
    assert state(page, OTHER) == "reading"
    page.goto(f"{start}/index.html")
    assert page.locator(".rk-progress progress").get_attribute("max") == "119"
    assert "1 of 5 read, 1 begun" in page.locator("[role=main]").inner_text()
    assert not visit.errors
    assert not visit.foreign


def test_a_work_in_two_sections_counts_in_both(visit: Visit, address: str, site: Path) -> None:
    sections = json.loads(
        (site / "_static/refkit-data/sections.js").read_text("utf-8").partition(" = ")[2].rstrip(";\n")
    )
    places: dict[str, list[str]] = {}
    for where, keys in sections["list"]:
        for key in keys:
            places.setdefault(key, []).append(where.removeprefix("../../"))
    key, (first, second) = next((key, found) for key, found in places.items() if len(found) == 2)
    visit.page.goto(f"{address}/{first}")
    mark(visit.page, key, "read")
    visit.page.goto(f"{address}/{second}")
    assert told(visit.page).startswith("1 of ")


def test_browse_filters_by_progress(page: Page, address: str) -> None:
    mark(page, KEY, "later")
    page.goto(f"{address}/browse.html?progress=later")
    assert page.locator("#rk-hits").inner_text() == "1 of 119 works"
    mark(page, KEY, "read")
    assert page.locator("#rk-hits").inner_text() == "0 of 119 works"


def export(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save progress").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def load(page: Page, file: Any) -> str:
    page.locator(".rk-progress input[type=file]").set_input_files(file)
    page.wait_for_function("document.querySelector('.rk-said').textContent !== ''")
    return page.locator(".rk-said").inner_text()


def upload(text: str) -> dict[str, Any]:
    return {"name": "x.json", "mimeType": "application/json", "buffer": text.encode()}


def test_a_file_carries_progress_to_a_new_profile(
    visit: Visit, start: str, browser: Browser, tmp_path: Path
) -> None:
    page = visit.page
    page.goto(f"{start}/{SECTION}")
    mark(page, KEY, "read")
    mark(page, OTHER, "later")
    file = export(page, tmp_path)
    assert file.name == "refkit-progress.json"
    assert json.loads(file.read_text("utf-8"))["works"].keys() == {KEY, OTHER}
    context = browser.new_context()
    other = context.new_page()
    other.goto(f"{start}/{SECTION}")
    assert state(other, KEY) == ""
    assert load(other, file) == "Progress of 2 works is loaded."
    assert (state(other, KEY), state(other, OTHER)) == ("read", "later")
    other.reload()
    assert told(other) == "1 of 5 read, 1 for later"
    context.close()


def test_loading_merges_and_the_newer_mark_wins(page: Page) -> None:
    mark(page, KEY, "reading")
    works = {
        KEY: {"state": "read", "time": 1},  # long ago
        OTHER: {"state": "later", "time": 1},
        "elsewhere": {"state": "read", "time": 1},
    }
    load(page, upload(json.dumps({"refkit": "progress", "version": 1, "works": works})))
    assert (state(page, KEY), state(page, OTHER)) == ("reading", "later")
    works[KEY]["time"] = 9e15
    load(page, upload(json.dumps({"refkit": "progress", "version": 1, "works": works})))
    assert state(page, KEY) == "read"
    assert told(page) == "1 of 5 read, 1 for later"  # what is elsewhere does not count here


def test_a_wrong_file_is_a_message_and_changes_nothing(page: Page, visit: Visit) -> None:
    mark(page, KEY, "read")
    for text, message in (
        ("no json", "is no JSON"),
        ("{}", "no reading progress"),
        ("[]", "no reading progress"),
        ("null", "no reading progress"),
        ('{"refkit": "progress", "version": 1, "works": null}', "no reading progress"),
        ('{"refkit": "progress", "version": 2, "works": {}}', "version 2"),
        (
            '{"refkit": "progress", "version": 1, "works": {"a": {"state": "eaten"}, "b": 1, "c": null}}',
            "3 entries",
        ),
        (
            '{"refkit": "progress", "version": 1, "works": {"__proto__": {"state": "read", "time": 1}}}',
            "one work",
        ),
    ):
        page.evaluate("document.querySelector('.rk-said').textContent = ''")
        assert message in load(page, upload(text)), text
        assert told(page) == "1 of 5 read"
    assert not visit.errors


def test_reset_asks_first_and_forgets_only_what_the_bar_counts(page: Page, address: str) -> None:
    page.goto(f"{address}/browse.html")
    mark(page, "williams2008roofline", "read")
    page.goto(f"{address}/{SECTION}")
    mark(page, KEY, "read")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Reset").click()
    assert told(page) == "1 of 5 read"
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Reset").click()
    assert told(page) == "0 of 5 read"
    page.goto(f"{address}/browse.html")
    assert told(page) == "1 of 119 read"


def test_two_tabs_agree(visit: Visit, address: str) -> None:
    first, second = visit.page, visit.context.new_page()
    first.goto(f"{address}/{SECTION}")
    second.goto(f"{address}/works/{KEY}/index.html")
    mark(first, KEY, "read")
    second.wait_for_function("document.querySelector('.rk-mine select').value === 'read'")
    mark(second, KEY, "later")
    mark(first, OTHER, "read")  # written over the other tab's change, not in place of it
    first.wait_for_function("document.querySelector('.rk-counts').textContent === '1 of 5 read, 1 for later'")
    first.reload()
    assert (state(first, KEY), state(first, OTHER)) == ("later", "read")


def test_progress_under_an_old_key_moves_to_the_new_one(page: Page) -> None:
    name = page.evaluate("refkitData.site.name")
    page.evaluate(
        "([name, value]) => localStorage.setItem(`refkit:${name}:progress`, value)",
        [name, json.dumps([["older", ["read", 5]]])],
    )
    page.route(
        f"**/{SECTION}",
        lambda route: route.fulfill(
            content_type="text/html",
            body=route.fetch()
            .text()
            .replace(f'data-refkit-key="{KEY}"', f'data-refkit-key="{KEY}" data-refkit-aliases="old older"'),
        ),
    ) if page.url.startswith("http") else pytest.skip("only a served page can be rewritten")
    page.reload()
    assert state(page, KEY) == "read"
    assert "older" not in page.evaluate("name => localStorage.getItem(`refkit:${name}:progress`)", name)


# storage that is full, forbidden or damaged


BROKEN = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    "forbidden": """Object.defineProperty(window, 'localStorage',
        { get() { throw new DOMException('no', 'SecurityError'); } })""",
    "absent": "Object.defineProperty(window, 'localStorage', { value: undefined })",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_storage_that_keeps_nothing_breaks_nothing(kind: str, visit: Visit, address: str) -> None:
    visit.page.add_init_script(BROKEN[kind])
    visit.page.goto(f"{address}/{SECTION}")
    mark(visit.page, KEY, "read")
    mark(visit.page, OTHER, "read")
    visit.page.locator("article button", has_text="Add to basket").first.click()
    assert told(visit.page) == "2 of 5 read"
    assert visit.page.locator(".rk-to-basket").inner_text() == "Basket (1)"
    visit.page.goto(f"{address}/browse.html")
    assert visit.page.locator("#rk-hits").inner_text() == "119 of 119 works"
    if kind == "full":  # the theme's own script stumbles over the others
        assert not visit.errors


def test_a_reader_is_told_that_nothing_is_kept(visit: Visit, address: str) -> None:
    visit.page.add_init_script(BROKEN["full"])
    visit.page.goto(f"{address}/{SECTION}")
    mark(visit.page, KEY, "read")
    assert "keeps nothing" in visit.page.locator(".rk-live").inner_text()


def test_damaged_storage_breaks_nothing(page: Page, visit: Visit) -> None:
    for text in (
        "{",
        "null",
        "7",
        "{}",
        '"text"',
        "[1, null]",
        '[["a"]]',
        '[["a", ["eaten", 1]]]',
        "[[1, 2]]",
    ):
        page.evaluate(
            """text => { for (const name of ["progress", "basket", "keys-off"])
                localStorage.setItem(`refkit:${refkitData.site.name}:${name}`, text); }""",
            text,
        )
        page.reload()
        mark(page, KEY, "read")
        assert told(page) == "1 of 5 read", text
        page.reload()
        assert state(page, KEY) == "read", text
    assert not visit.errors


# keyboard


def focused(page: Page) -> str:
    key: str = page.evaluate("document.activeElement.closest('[data-refkit-key]')?.dataset.refkitKey ?? ''")
    return key


def test_keys_move_between_works_and_mark_them(page: Page) -> None:
    page.keyboard.press("j")
    assert focused(page) == KEY
    page.keyboard.press("j")
    assert focused(page) == OTHER
    page.keyboard.press("r")
    assert state(page, OTHER) == "later"
    assert page.locator(".rk-live").inner_text() == "FlashAttention-2: Read later"
    page.keyboard.press("r")
    page.keyboard.press("r")
    assert state(page, OTHER) == "read"
    page.keyboard.press("k")
    assert focused(page) == KEY
    page.keyboard.press("b")
    assert page.locator(".rk-to-basket").inner_text() == "Basket (1)"


@pytest.mark.parametrize("where", [SECTION, f"works/{KEY}/index.html", "browse.html?q=flashattention+dao"])
def test_a_key_copies_the_bibtex(where: str, visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}/{where}")
    visit.page.locator("h1").first.click()
    visit.page.keyboard.press("j")
    key = focused(visit.page)
    visit.page.keyboard.press("c")
    visit.page.wait_for_function("navigator.clipboard.readText().then(text => text.startsWith('@'))")
    copied: str = visit.page.evaluate("navigator.clipboard.readText()")
    assert f"{{{key}," in copied


def test_a_slash_leads_to_the_search_from_any_page_with_works(page: Page) -> None:
    page.keyboard.press("/")
    page.wait_for_url("**/browse.html#rk-q")
    page.wait_for_function("document.activeElement.id === 'rk-q'")
    page.keyboard.type("j/kr?")
    assert page.locator("#rk-q").input_value() == "j/kr?"


def test_help_is_a_dialog_that_gives_the_focus_back(page: Page) -> None:
    page.get_by_role("button", name="Keyboard").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    assert dialog.is_visible()
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("j")
    assert focused(page) == ""
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Keyboard"
    page.keyboard.press("?")
    assert dialog.is_visible()


def test_shortcuts_can_be_switched_off_and_stay_off(page: Page) -> None:
    page.keyboard.press("?")
    page.locator("dialog input").uncheck()
    page.keyboard.press("Escape")
    for key in ("j", "?", "/"):
        page.keyboard.press(key)
    assert page.evaluate(
        "document.activeElement === document.body || document.activeElement.matches('button')"
    )
    page.reload()
    page.keyboard.press("j")
    assert focused(page) == ""
    assert not page.locator("dialog[open]").count()
    page.get_by_role("button", name="Keyboard").click()
    page.locator("dialog input").check()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert focused(page) == KEY


def test_keys_with_a_modifier_are_the_browsers(page: Page) -> None:
    page.keyboard.press("j")
    for modifier in ("Control", "Alt", "Meta"):
        page.keyboard.press(f"{modifier}+b")
    assert page.locator(".rk-to-basket").inner_text() == "Basket (0)"


def test_without_scripts_there_are_no_dead_controls(visit_without_scripts: Visit, start: str) -> None:
    page = visit_without_scripts.page
    page.goto(f"{start}/{SECTION}")
    assert not page.locator("[role=main] button:visible, [role=main] select:visible").count()


def test_one_work_is_not_said_to_be_several(page: Page, tmp_path: Path) -> None:
    mark(page, KEY, "read")
    assert load(page, export(page, tmp_path)) == "Progress of one work is loaded."


def test_a_file_of_another_site_is_told_as_such(page: Page) -> None:
    works = {KEY: {"state": "read", "time": 1}, "elsewhere": {"state": "read", "time": 1}}
    file = {"refkit": "progress", "version": 1, "site": "Other <b>list</b>", "works": works}
    said = load(page, upload(json.dumps(file)))
    assert said == "Progress of 2 works is loaded. The file was saved on another site: Other <b>list</b>."
    assert state(page, KEY) == "read"
