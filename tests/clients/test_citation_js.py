"""citation-js reads our files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    CitationJs = Callable[[bytes, str], list[dict[str, Any]]]


@pytest.mark.parametrize("ending", [".json", ".bib", ".biblatex.bib", ".ris"])
def test_citation_js_reads_every_work(
    ending: str, citation_js: CitationJs, bundles: Path, keys: set[str]
) -> None:
    items = citation_js((bundles / f"all{ending}").read_bytes(), f"all{ending}")

    assert len(items) == len(keys)
    assert {item["id"] for item in items} == keys


def test_citation_js_reads_titles_as_they_stand(
    citation_js: CitationJs, bundles: Path, works: dict[str, dict[str, Any]]
) -> None:
    for item in citation_js((bundles / "all.ris").read_bytes(), "all.ris"):
        assert item["title"].startswith(works[item["id"]]["fields"]["title"]["text"]), item["id"]
