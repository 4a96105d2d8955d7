"""Our CSL-JSON is valid by the schema of the CSL project, and by what other readers are strict about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

#: Types that the CSL-JSON readers of Zotero and of citeproc-js know; neither knows ``software``.
TYPES = set(
    "article article-journal article-magazine article-newspaper bill book broadcast chapter dataset "
    "document entry entry-dictionary entry-encyclopedia figure graphic interview legal_case "
    "legislation manuscript map motion_picture musical_score pamphlet paper-conference patent "
    "personal_communication post post-weblog report review review-book song speech standard thesis "
    "treaty webpage".split()
)


@pytest.fixture(scope="module")
def files(bundles: Path) -> list[Path]:
    return [path for path in sorted(bundles.glob("*.json")) if not path.name.endswith(".refkit.json")]


def items(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    return found


def test_every_bundle_is_valid_by_the_schema(files: list[Path], acceptance: Path) -> None:
    jsonschema = pytest.importorskip(
        "jsonschema", reason="jsonschema is not installed: pip install jsonschema"
    )
    schema = json.loads((acceptance / "data" / "csl-data.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft7Validator(schema)

    for file in files:
        faults = [
            f"{file.name}: {list(fault.path)}: {fault.message}"
            for fault in validator.iter_errors(items(file))
        ]
        assert not faults


def test_every_type_is_known_to_strict_readers(files: list[Path]) -> None:
    assert {item["type"] for file in files for item in items(file)} <= TYPES


def test_every_item_has_what_a_citation_needs(files: list[Path]) -> None:
    for file in files:
        for item in items(file):
            assert item["id"] == item["citation-key"]
            assert item["title"]
            assert item.get("author") or item.get("editor"), item["id"]
            assert item.get("URL") or item.get("DOI"), item["id"]
            for date in (item.get("issued"), item.get("accessed")):
                assert date is None or 1 <= len(date["date-parts"][0]) <= 3, item["id"]


def test_a_bundle_holds_no_key_twice(files: list[Path]) -> None:
    for file in files:
        keys = [item["id"] for item in items(file)]
        assert len(keys) == len(set(keys)), file.name
