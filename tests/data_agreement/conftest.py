"""The bibliography of this project as pybtex reads it, and its provenance as plain data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pybtex.database import Entry, parse_file


@pytest.fixture(scope="session")
def files(root: Path) -> list[Path]:
    """The .bib files, by name."""
    return sorted((root / "bib").glob("*.bib"))


@pytest.fixture(scope="session")
def by_file(files: list[Path]) -> dict[str, dict[str, Entry]]:
    """Slug of the file -> its entries by key, in file order."""
    return {file.stem: dict(parse_file(str(file), bib_format="bibtex").entries) for file in files}


@pytest.fixture(scope="session")
def entries(by_file: dict[str, dict[str, Entry]]) -> dict[str, Entry]:
    """All entries by key."""
    return {key: entry for group in by_file.values() for key, entry in group.items()}


@pytest.fixture(scope="session")
def provenance_text(root: Path) -> str:
    """provenance.json as it stands."""
    return (root / "bib" / "provenance.json").read_text("utf-8")


@pytest.fixture(scope="session")
def provenance(provenance_text: str) -> dict[str, Any]:
    """What provenance says of each work, by key."""
    works: dict[str, Any] = json.loads(provenance_text)["works"]
    return works
