"""The timeline and the map: by keyboard, on a phone, as a table; and old addresses that lead on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import Visit

FIGURES = ("timeline", "map")
ROOT = Path(__file__).parent.parent / "sphinxext" / "roots" / "test-list"


@pytest.fixture(params=["http", "file"])
def start(request: pytest.FixtureRequest, address: str, site: Path) -> str:
    """The site's address on this machine: served, and from disk."""
    return address if request.param == "http" else site.as_uri()


def focused(page: Page) -> str:
    """The name of the focused link."""
    name: str = page.evaluate(
        "document.activeElement.querySelector('title')?.textContent ?? document.activeElement.textContent"
    )
    return name


@pytest.mark.parametrize("name", FIGURES)
def test_a_keyboard_reaches_the_works_and_opens_one(name: str, visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/{name}.html")
    visit.page.locator(".rk-look a[href='#rk-table']").focus()

    for _ in range(4):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate("document.activeElement.matches('.rk-mark')"):
            break
    assert visit.page.evaluate("document.activeElement.matches('.rk-mark, .rk-section')")
    assert focused(visit.page)
    link = visit.page.locator("a.rk-mark:visible").first
    link.focus()
    visit.page.keyboard.press("Enter")

    visit.page.wait_for_url("**/works/*/index.html")
    assert not visit.errors
    assert not visit.foreign


@pytest.mark.parametrize("name", FIGURES)
def test_every_link_of_a_figure_leads_to_a_file(name: str, visit: Visit, start: str, site: Path) -> None:
    visit.page.goto(f"{start}/{name}.html")

    addresses = visit.page.eval_on_selector_all(
        ".rk-look a", "links => links.map(link => link.getAttribute('href'))"
    )

    assert len(addresses) > 119
    for address in addresses:
        file = address.partition("#")[0]
        assert not file or (site / file).is_file(), address


@pytest.mark.parametrize("name", FIGURES)
def test_the_table_says_the_same_without_scripts(name: str, visit_without_scripts: Visit, start: str) -> None:
    page = visit_without_scripts.page
    page.goto(f"{start}/{name}.html")

    page.locator(".rk-table summary").click()

    read = "links => [...new Set(links.map(link => link.getAttribute('href')))].sort()"
    shown = page.eval_on_selector_all("a.rk-mark", read)
    listed = page.eval_on_selector_all("#rk-table a[href*='works/']", read)
    assert shown == listed
    assert page.locator("#rk-table").is_visible()


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("width", [360, 768, 1440])
def test_a_figure_scrolls_in_its_own_box(name: str, width: int, visit: Visit, address: str) -> None:
    visit.page.set_viewport_size({"width": width, "height": 800})
    visit.page.goto(f"{address}/{name}.html")

    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.page.locator(".rk-svg:visible").count() == 1


@pytest.mark.parametrize("name", FIGURES)
def test_no_text_leaves_its_figure(name: str, visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}/{name}.html")

    outside = visit.page.evaluate(
        """() => [...document.querySelectorAll(".rk-svg")].flatMap(svg =>
            [...svg.querySelectorAll("text")].filter(text => {
                const box = text.getBBox();
                return box.width && (box.x < 0 || box.x + box.width > svg.width.baseVal.value);
            }).map(text => text.textContent))"""
    )

    assert not outside


def test_names_in_the_timeline_do_not_overlap(visit: Visit, address: str) -> None:
    visit.page.set_viewport_size({"width": 1440, "height": 900})
    visit.page.goto(f"{address}/timeline.html")

    overlapping = visit.page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll("a.rk-mark text")].map(text =>
                [text.getBBox(), text.textContent]);
            return boxes.flatMap(([one, name], at) => boxes.slice(at + 1).filter(([other]) =>
                one.x < other.x + other.width && other.x < one.x + one.width &&
                one.y < other.y + other.height && other.y < one.y + one.height)
                .map(([, other]) => [name, other]));
        }"""
    )

    assert not overlapping


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site, one of whose sections and works had other names."""
    folder = tmp_path_factory.mktemp("moved")
    shutil.copytree(ROOT, folder / "list")
    aliases = '[tool.refkit.aliases]\nattn = "attention"\nflash2022 = "dao2022flashattention"\n'
    with (folder / "list" / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(aliases)
    command = [sys.executable, "-m", "sphinx", "-q", ".", "../site"]
    subprocess.run(command, cwd=folder / "list", check=True, capture_output=True, timeout=120)
    return folder / "site"


@pytest.fixture(params=["http", "file"])
def moved_address(request: pytest.FixtureRequest, moved: Path) -> Iterator[str]:
    if request.param == "file":
        yield moved.as_uri()
    else:
        with served(moved) as address:
            yield address


@pytest.mark.parametrize("scripts", [True, False])
def test_old_addresses_lead_on(
    scripts: bool, moved_address: str, visit: Visit, visit_without_scripts: Visit
) -> None:
    page = (visit if scripts else visit_without_scripts).page

    page.goto(f"{moved_address}/kernels/attn.html#dao2024flashattention2")
    page.wait_for_url("**/kernels/attention.html*")
    assert page.locator("h1").first.inner_text().startswith("Attention")
    if scripts:
        assert page.url.endswith("#dao2024flashattention2")

    page.goto(f"{moved_address}/works/flash2022/index.html")
    page.wait_for_url("**/works/dao2022flashattention/index.html")


def test_on_paper_the_map_is_the_wide_one_in_colours_for_white(visit: Visit, address: str) -> None:
    page = visit.page
    page.set_viewport_size({"width": 720, "height": 1000})
    page.goto(f"{address}/map.html")
    colours = "getComputedStyle(document.querySelector('.rk-wide .rk-step circle')).fill"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(colours)
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.body.dataset.theme = 'dark'")
    assert page.evaluate(colours) != light

    page.emulate_media(media="print", color_scheme="dark")

    assert page.evaluate(colours) == light
    assert page.locator(".rk-wide").is_visible()
    assert not page.locator(".rk-narrow").is_visible()


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("name", ["timeline.html", "map.html"])
def test_a_figure_follows_the_colours_that_the_reader_chose(
    name: str, system: Any, visit: Visit, address: str
) -> None:
    def colour() -> str:
        found: str = visit.page.evaluate("getComputedStyle(document.querySelector('.rk-look circle')).fill")
        return found

    page = visit.page
    page.emulate_media(color_scheme=system)
    page.goto(f"{address}/{name}")
    expected = colour()
    page.emulate_media(color_scheme="dark" if system == "light" else "light")
    assert colour() != expected

    # Furo's button: its states follow each other.
    for _ in range(3):
        if page.evaluate("document.body.dataset.theme") == system:
            break
        page.locator(".theme-toggle:visible").first.click()

    assert page.evaluate("document.body.dataset.theme") == system
    assert colour() == expected
