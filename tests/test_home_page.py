"""The home page says what the list is, with numbers and an order that are the list's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from refkit.config import load
from refkit.project import Project

if TYPE_CHECKING:
    from pathlib import Path


def test_the_home_page_names_the_path_in_its_order(root: Path) -> None:
    section = Project(load(start=root)).pages.section("start-here")
    assert section is not None
    home = (root / "docs" / "index.rst").read_text("utf-8")
    named = re.findall(r"^#\. :refkit:source:`([^`]+)`$", home, re.M)
    assert named == [placed.key for placed in section.placements]


def test_the_home_page_counts_works_and_sections(root: Path) -> None:
    pages = Project(load(start=root)).pages
    home = " ".join((root / "docs" / "index.rst").read_text("utf-8").split())
    assert f"Each of the {len({one.key for one in pages.placements()})} works" in home
    assert f"in {len(pages.sections)} sections" in home
