"""A reader fills a basket in several places and takes it away as one file, which other programs read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.clients import conftest as clients

from refkit import bundles, config, project
from refkit.formats import BUNDLES, FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page
    from tests.browser.conftest import Visit

# The programs that read what is downloaded.
pandoc_path, pandoc, latex = clients.pandoc_path, clients.pandoc, clients.latex
node, citation_js = clients.node, clients.citation_js

#: Five works of three sections.
WANTED = {
    "kernels/attention": ["dao2022flashattention", "dao2024flashattention2"],
    "kernels/triton": ["tillet2019triton"],
    "engines/kv-cache": ["ainslie2023gqa", "liu2024cachegen"],
}
KEYS = [key for keys in WANTED.values() for key in keys]


def fill(page: Page, start: str) -> None:
    """Five works: two found and one filtered on browse, the others on their section's page."""
    page.goto(f"{start}/browse.html?section=attention")
    for key in WANTED["kernels/attention"]:
        page.locator(f"[data-refkit-key={key}] button", has_text="Add to basket").click()
    page.locator("#rk-q").fill("zzz")
    page.goto(f"{start}/browse.html?q=philippe+tillet&section=triton&year=2019")
    page.locator("#rk-basket summary").click()
    page.locator("#rk-add-all").click()
    page.goto(f"{start}/engines/kv-cache.html")
    for key in WANTED["engines/kv-cache"]:
        page.locator(f"article[data-refkit-key={key}] button", has_text="Add to basket").click()
    page.locator(".rk-to-basket").click()
    page.wait_for_url("**/browse.html#rk-basket")


def take(page: Page, format: str, folder: Path) -> Path:
    """Download the basket in a format."""
    label = {"bibtex": "BibTeX", "biblatex": "BibLaTeX", "ris": "RIS", "csl-json": "CSL-JSON",
             "zotero-rdf": "Zotero RDF"}[format]  # fmt: skip
    with page.expect_download() as download:
        page.get_by_role("button", name=label, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.fixture(scope="session")
def collection(root: Path) -> bundles.Collection:
    return bundles.collection(project.Project(config.load(start=root)))


def test_a_basket_of_five_works_from_three_sections_is_what_export_would_write(
    visit: Visit, start: str, collection: bundles.Collection, tmp_path: Path
) -> None:
    fill(visit.page, start)
    assert visit.page.locator("#rk-basket summary").inner_text() == "Basket (5)"
    for format in BUNDLES:
        path = take(visit.page, format, tmp_path)
        assert path.name == f"refkit-basket{FORMATS[format].ending}"
        expected = FORMATS[format].dumps([collection.one(key) for key in KEYS])
        assert path.read_bytes() == expected.encode()
    assert not visit.errors
    assert not visit.foreign


@pytest.fixture
def basket(visit: Visit, address: str, tmp_path: Path) -> Callable[[str], Path]:
    """The basket in a format."""
    fill(visit.page, address)
    return lambda name: take(visit.page, name, tmp_path)


def test_pandoc_reads_the_basket(basket: Callable[[str], Path], pandoc: Callable[..., str]) -> None:
    for name, reader in (("bibtex",) * 2, ("biblatex",) * 2, ("csl-json", "csljson"), ("ris",) * 2):
        items: list[dict[str, Any]] = json.loads(pandoc("-f", reader, "-t", "csljson", basket(name)))
        assert len(items) == len(KEYS), name
        assert all(item.get("title") and item.get("author") for item in items), name
        if name != "ris":  # pandoc makes up keys of RIS records
            assert {item["id"] for item in items} == set(KEYS), name


def test_citation_js_reads_the_basket(
    basket: Callable[[str], Path], citation_js: Callable[[bytes, str], list[dict[str, Any]]]
) -> None:
    for name in ("bibtex", "biblatex", "csl-json", "ris"):
        path = basket(name)
        items = citation_js(path.read_bytes(), path.name)
        assert len(items) == len(KEYS), name
        assert all(item.get("title") for item in items), name


def test_bibtex_reads_the_basket(basket: Callable[[str], Path], latex: clients.LatexRunner) -> None:
    document = (
        "\\documentclass{article}\\usepackage{url}\\begin{document}\\nocite{*}"
        "\\bibliographystyle{plain}\\bibliography{refs}\\end{document}"
    )
    result = latex(document, {"refs.bib": basket("bibtex").read_bytes()})
    assert result.bibliography_errors == []
    assert result.errors == []
    assert result.bbl.count("\\bibitem") == len(KEYS)


def test_the_basket_stays_in_order_and_loses_what_is_taken_out(visit: Visit, address: str) -> None:
    page = visit.page
    fill(page, address)
    shown = page.locator("#rk-picked a").all_inner_texts()
    page.reload()
    assert page.locator("#rk-picked a").all_inner_texts() == shown
    page.locator("#rk-picked button").nth(1).click()
    assert page.locator("#rk-picked a").all_inner_texts() == [shown[0], *shown[2:]]
    page.locator("#rk-empty").click()
    assert page.locator("#rk-basket summary").inner_text() == "Basket (0)"
    assert page.get_by_role("button", name="RIS", exact=True).is_disabled()


def test_a_control_says_what_it_will_do_and_what_was_done(visit: Visit, start: str) -> None:
    page = visit.page
    page.goto(f"{start}/kernels/attention.html")
    page.get_by_role("button", name="Add to basket: FlashAttention", exact=True).click()
    assert page.locator(".rk-live").inner_text() == "FlashAttention is in the basket, which holds 1."
    page.get_by_role("button", name="In basket ✓: FlashAttention", exact=True).click()
    assert (
        page.locator(".rk-live").inner_text() == "FlashAttention is no longer in the basket, which holds 0."
    )


def test_two_tabs_share_the_basket(visit: Visit, address: str) -> None:
    first, second = visit.page, visit.context.new_page()
    first.goto(f"{address}/kernels/attention.html")
    second.goto(f"{address}/browse.html")
    first.locator("article button", has_text="Add to basket").first.click()
    second.wait_for_function("document.querySelector('#rk-basket summary').textContent === 'Basket (1)'")


def test_a_key_that_this_list_does_not_know_is_left_alone(visit: Visit, address: str, tmp_path: Path) -> None:
    page = visit.page
    page.goto(f"{address}/browse.html")
    page.evaluate(
        """() => { refkit.basket.update(set => { set.add("elsewhere"); set.add("tillet2019triton"); }) }"""
    )
    page.locator("#rk-basket summary").click()
    assert page.locator("#rk-picked li").count() == 1
    assert take(page, "bibtex", tmp_path).read_text("ascii").count("@") >= 1
    page.locator("#rk-empty").click()
    assert page.evaluate("[...refkit.basket.value]") == ["elsewhere"]


def test_texts_that_cannot_be_loaded_are_a_message(visit: Visit, address: str) -> None:
    page = visit.page
    page.route("**/ris.js", lambda route: route.abort())
    fill(page, address)
    page.get_by_role("button", name="RIS", exact=True).click()
    page.wait_for_function("document.querySelector('#rk-taken').textContent.includes('could not be loaded')")
