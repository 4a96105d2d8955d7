"""Pandoc reads our files and cites from them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Pandoc = Callable[..., str]


@pytest.mark.parametrize(
    ("ending", "reader"),
    [(".json", "csljson"), (".bib", "bibtex"), (".biblatex.bib", "biblatex"), (".ris", "ris")],
)
def test_pandoc_reads_every_work(
    ending: str, reader: str, pandoc: Pandoc, bundles: Path, keys: set[str]
) -> None:
    items = json.loads(pandoc("-f", reader, "-t", "csljson", bundles / f"all{ending}"))

    assert {item["id"] for item in items} == keys
    assert len(items) == len(keys)


def test_pandoc_reads_the_people_that_refkit_reads(
    pandoc: Pandoc, bundles: Path, works: dict[str, dict[str, Any]]
) -> None:
    items = json.loads(pandoc("-f", "biblatex", "-t", "csljson", bundles / "all.biblatex.bib"))

    for item in items:
        people = works[item["id"]]["names"].get("author", [])
        wanted = [person.get("literal") or person["family"] for person in people]
        read = [person.get("literal") or person["family"] for person in item.get("author", [])]
        assert read == wanted, item["id"]


@pytest.mark.parametrize(("ending", "reader"), [(".biblatex.bib", "biblatex"), (".ris", "ris")])
def test_pandoc_reads_the_facts_that_csl_json_has(
    ending: str, reader: str, pandoc: Pandoc, bundles: Path
) -> None:
    """Title (whatever its case and markup), year, DOI and pages, from a file that says them otherwise."""
    ours = {item["id"]: item for item in json.loads((bundles / "all.json").read_text("utf-8"))}

    for item in json.loads(pandoc("-f", reader, "-t", "csljson", bundles / f"all{ending}")):
        want = ours[item["id"]]
        assert _folded(item["title"]) == _folded(want["title"]), item["id"]
        assert item.get("DOI", "").lower() == want.get("DOI", "").lower(), item["id"]
        assert item.get("page", "").replace("–", "-") == want.get("page", ""), item["id"]
        assert _year(item) == _year(want), item["id"]


def _year(item: dict[str, Any]) -> str:
    return str(item["issued"]["date-parts"][0][0]) if "issued" in item else ""


def _folded(title: str) -> str:
    return re.sub(r"<[^>]*>|\W", "", title).lower()


def test_pandoc_cites_from_csl_json(pandoc: Pandoc, bundles: Path) -> None:
    html = pandoc(
        "-f", "markdown", "-t", "html", "--citeproc", f"--bibliography={bundles / 'attention.json'}",
        text="As [@dao2022flashattention] says.",
    )  # fmt: skip

    assert re.search(r'id="ref-dao2022flashattention"', html)
    assert "FlashAttention" in html
    assert "2022" in html
