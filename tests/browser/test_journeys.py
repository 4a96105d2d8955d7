"""The three for whom the site is made, each from the first page to the end of what they came for."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tests.browser.test_work_page import copied

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Visit


def test_a_reader_starts_reads_why_and_finds_a_source_again(visit: Visit, start: str) -> None:
    page = visit.page
    page.goto(f"{start}/index.html")
    page.locator("article").get_by_role("link", name="Start here").first.click()
    page.wait_for_url("**/start/start-here.html")
    assert page.locator(".rk-source").count() == 9
    page.keyboard.press("j")
    page.keyboard.press("r")
    page.keyboard.press("/")
    page.wait_for_url("**/browse.html*")
    page.locator("#rk-q").fill("online softmax")
    page.locator(".rk-row-name:visible").first.wait_for()
    page.get_by_role("link", name="Online Normalizer Calculation").first.click()
    page.wait_for_url("**/works/milakov2018online/**")
    assert page.locator(".rk-place p").count() > 1
    page.go_back()
    assert page.locator("#rk-q").input_value() == "online softmax"
    assert not visit.errors
    assert not visit.foreign


def test_a_zotero_user_takes_a_section_with_everything(visit: Visit, address: str, tmp_path: Path) -> None:
    page = visit.page
    page.goto(f"{address}/kernels/attention.html")
    keys = [node.get_attribute("data-refkit-key") for node in page.locator(".rk-source").all()]
    # What the Connector does: it asks the server that the page names for each id on the page.
    server = page.locator("link[rel=unapi-server]").get_attribute("href")
    assert server
    offered = page.evaluate("address => fetch(address).then(answer => answer.text())", server)
    assert page.locator("abbr.unapi-id").count()
    assert len(list(ET.fromstring(offered))) >= len(keys)
    with page.expect_download() as download:
        page.locator(".rk-bundles a[download='attention.rdf']").click()
    download.value.save_as(tmp_path / "attention.rdf")
    taken = (tmp_path / "attention.rdf").read_text("utf-8")
    assert keys
    for key in keys:
        assert f"<z:citationKey>{key}</z:citationKey>" in taken
        assert f"<z:citationKey>{key}</z:citationKey>" in offered
    for word in ("Annotation", "section: Attention", "<z:Collection"):
        assert word in taken


def test_an_author_finds_a_work_and_takes_its_citation(visit: Visit, start: str) -> None:
    page = visit.page
    page.goto(f"{start}/browse.html")
    page.locator("#rk-q").fill("kwon pagedattention")
    page.locator("a.rk-row-name:visible").first.click()
    page.wait_for_url("**/works/kwon2023pagedattention/**")
    assert copied(visit, "latex") == "\\cite{kwon2023pagedattention}"
    assert copied(visit, "bibtex").startswith("@inproceedings{kwon2023pagedattention,")
    assert copied(visit, "typst") == "@kwon2023pagedattention"
