"""CITATION.cff says how to cite the project, in a form that programs read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

import refkit

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def citation(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.load((root / "CITATION.cff").read_text("utf-8"), yaml.BaseLoader)
    return found


def test_it_is_valid_by_the_schema_of_the_format(citation: dict[str, Any], root: Path) -> None:
    schema = json.loads((root / "tests/data/citation/cff-1.2.0.schema.json").read_text("utf-8"))
    jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(citation)


def test_it_says_the_version_and_the_licence_of_the_project(citation: dict[str, Any]) -> None:
    assert citation["version"] == refkit.__version__
    assert citation["license"] == "MIT"
    assert [author["name"] for author in citation["authors"]] == ["The refkit authors"]
