"""The sources in reading order: one line each, or as JSON.

example: refkit list --section attention
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from refkit.cli import OK, UsageError, load_config, many

if TYPE_CHECKING:
    from refkit.pages import Placement, Section
    from refkit.project import Project


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--section", metavar="SLUG", action="append", help="only these sections")
    parser.add_argument("--json", action="store_true", help="one JSON array")


def run(args: argparse.Namespace) -> int:
    """Print the sources."""
    from refkit.project import Project

    project = Project(load_config(args))
    rows = [
        _row(project, section, placed)
        for section in chosen(project, many(args.section))
        for placed in section.placements
    ]
    if args.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        _print_lines(rows)
    return OK


def chosen(project: Project, slugs: list[str]) -> list[Section]:
    """The sections of these slugs in reading order; all where none is named.

    Raises:
        UsageError: there is no such section.
    """
    sections = list(project.pages.sections)
    known = {section.slug for section in sections}
    for slug in slugs:
        if slug not in known:
            listed = ", ".join(section.slug for section in sections) or "none"
            raise UsageError(
                f"there is no section {slug!r} below {project.pages_folder}; sections are: {listed}"
            )
    return [section for section in sections if not slugs or section.slug in slugs]


def _row(project: Project, section: Section, placed: Placement) -> dict[str, Any]:
    entry = project.bibliography.get(placed.key)
    return {
        "key": placed.key,
        "section": section.slug,
        "part": section.part,
        "position": placed.position,
        "title": placed.title or (entry.text("title") if entry else ""),
        "url": entry.url if entry else "",
        "file": f"{project.config.pages}/{placed.file}",
        "line": placed.line,
    }


def _print_lines(rows: list[dict[str, Any]]) -> None:
    section = None
    for row in rows:
        if row["section"] != section:
            section = row["section"]
            print(section)
        print(f"  {row['position']:>3}  {row['key']:<32} {row['title']}")
