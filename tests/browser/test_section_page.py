"""A reader at a section's page: finds a source, copies its BibTeX, takes the section away."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Visit

SECTION = "kernels/attention"
KEY = "dao2022flashattention"
SOURCE = f"[data-refkit-key={KEY}]"


def test_a_page_asks_nothing_of_other_hosts_and_has_no_errors(visit: Visit, start: str) -> None:
    for page in ("index.html", f"{SECTION}.html", "start/start-here.html", "evolving/watchlist.html"):
        visit.page.goto(f"{start}/{page}", wait_until="networkidle")

    assert visit.requests
    assert not visit.foreign
    assert not visit.errors


def test_the_cite_control_shows_the_bibtex_of_its_entry(visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/{SECTION}.html")
    entry = visit.page.locator(f"{SOURCE} details.rk-cite pre")
    assert not entry.is_visible()

    visit.page.locator(f"{SOURCE} details.rk-cite summary").click()

    assert entry.is_visible()
    assert re.match(rf"@\w+\{{{KEY},", entry.inner_text())


def test_the_bibtex_is_copied(visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/{SECTION}.html")
    visit.page.locator(f"{SOURCE} details.rk-cite summary").click()
    shown = visit.page.locator(f"{SOURCE} details.rk-cite pre").inner_text()

    visit.page.locator(f"{SOURCE} details.rk-cite button").first.click()

    visit.page.wait_for_function("navigator.clipboard.readText().then(text => text.startsWith('@'))")
    copied: str = visit.page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == shown.strip()
    assert not visit.errors


def test_the_copied_entry_is_that_of_the_bundle(visit: Visit, address: str, site: Path) -> None:
    visit.page.goto(f"{address}/{SECTION}.html")
    shown = visit.page.locator(f"{SOURCE} details.rk-cite pre code").text_content() or ""
    bundle = (site / "exports" / "attention.bib").read_text("utf-8")

    # A bundle's entry has the annotation and the section as well.
    for line in shown.strip().splitlines()[:-1]:
        assert line.strip().rstrip(",") in bundle


def test_a_keyboard_reaches_the_cite_control(visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}/{SECTION}.html")
    visit.page.locator(f"{SOURCE} .rk-name a").first.focus()

    for _ in range(30):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate("document.activeElement.matches('details.rk-cite summary')"):
            break
    visit.page.keyboard.press("Enter")

    assert visit.page.locator(f"{SOURCE} details.rk-cite pre").is_visible()


@pytest.mark.parametrize("ending", [".rdf", ".bib", ".biblatex.bib", ".ris", ".json"])
def test_a_bundle_is_downloaded_as_export_writes_it(
    ending: str, visit: Visit, address: str, root: Path, tmp_path: Path
) -> None:
    command = [
        sys.executable,
        "-m",
        "refkit",
        "export",
        "--section",
        "attention",
        "--out",
        str(tmp_path / "out"),
    ]
    subprocess.run(command, cwd=root, check=True, capture_output=True, timeout=120)
    visit.page.goto(f"{address}/{SECTION}.html")

    with visit.page.expect_download() as download:
        visit.page.locator(f".rk-bundles a[download='attention{ending}']").click()

    assert download.value.suggested_filename == f"attention{ending}"
    download.value.save_as(tmp_path / "downloaded")
    assert (tmp_path / "downloaded").read_bytes() == (tmp_path / "out" / f"attention{ending}").read_bytes()


def test_the_work_has_a_page_that_leads_back(visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/{SECTION}.html")

    visit.page.locator(f"{SOURCE} .rk-about a").click()

    visit.page.wait_for_url(f"**/works/{KEY}/index.html")
    assert "FlashAttention" in visit.page.locator("h1").inner_text()
    visit.page.locator(f"main a[href*='{SECTION}.html'], article a[href*='{SECTION}.html']").first.click()
    visit.page.wait_for_url(f"**/{SECTION}.html*")
    assert not visit.errors
    assert not visit.foreign


def test_a_citation_in_an_annotation_leads_to_the_source(visit: Visit, start: str) -> None:
    visit.page.goto(f"{start}/{SECTION}.html")

    visit.page.locator("[data-refkit-key=dao2024flashattention2] p a.internal").first.click()

    visit.page.wait_for_url(re.compile(r"#."))
    fragment = visit.page.evaluate("decodeURIComponent(location.hash.slice(1))")
    assert visit.page.evaluate("id => document.getElementById(id) !== null", fragment)


def test_every_place_that_the_page_links_to_is_there(visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}/{SECTION}.html")

    missing = visit.page.evaluate(
        """() => [...document.querySelectorAll('a[href^="#"]')]
            .map(link => decodeURIComponent(link.getAttribute('href').slice(1)))
            .filter(id => id && !document.getElementById(id))"""
    )

    assert not missing


def test_a_source_is_found_by_its_name(visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}/search.html?q=FlashAttention")

    result = visit.page.locator(f"#search-results a[href*='{SECTION}']")
    result.first.wait_for()

    assert not visit.foreign
    assert not visit.errors


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_a_page_is_never_wider_than_its_window(width: int, visit: Visit, address: str) -> None:
    visit.page.set_viewport_size({"width": width, "height": 800})
    for page in (f"{SECTION}.html", f"works/{KEY}/index.html"):
        visit.page.goto(f"{address}/{page}")
        visit.page.locator("details.rk-cite summary").first.click() if page.startswith(SECTION) else None

        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


def test_entry_and_bundles_are_there_without_scripts(visit_without_scripts: Visit, start: str) -> None:
    page = visit_without_scripts.page
    page.goto(f"{start}/{SECTION}.html")

    page.locator(f"{SOURCE} details.rk-cite summary").click()

    assert page.locator(f"{SOURCE} details.rk-cite pre").inner_text().startswith("@")
    assert page.locator(".rk-bundles a[download]").count() == 5
    assert not page.locator("details.rk-cite button:visible").count()
