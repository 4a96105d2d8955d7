"""Write the bundles: one file per section and format, and one over all sections.

example: refkit export --section attention --format ris,csl-json --out exports
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from refkit.cli import FINDINGS, OK, UsageError, load_config, many

if TYPE_CHECKING:
    from refkit.bundles import Bundle
    from refkit.pages import Section
    from refkit.project import Project


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--section", metavar="SLUG", action="append", help="only these sections (then no 'all' bundle)"
    )
    parser.add_argument("--format", metavar="FORMAT", action="append", help="only these formats")
    parser.add_argument(
        "--out", metavar="DIR", default="exports", help="folder to write to (default: exports)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the bundles; files whose bytes would not change are left alone."""
    from refkit.cli.list import chosen
    from refkit.files import write_if_changed
    from refkit.project import Project

    project = Project(load_config(args))
    slugs = many(args.section)
    sections = chosen(project, slugs)
    if not sections:
        raise UsageError(
            f"no page below {project.pages_folder} places a source, so there is nothing to export"
        )
    formats = _formats(many(args.format))
    out = Path(args.out)
    try:
        out.mkdir(parents=True, exist_ok=True)
        written = sum(
            write_if_changed(out / name, text.encode(), flush=False)
            for name, text in _bundles(project, sections, formats, not slugs)
        )
    except OSError as error:
        raise UsageError(f"{error.filename or out}: cannot be written: {error.strerror}") from error
    if not args.quiet:
        print(f"{out}: {written} file{'' if written == 1 else 's'} written", file=sys.stderr)
    return _report(project, sections)


def _bundles(
    project: Project, sections: list[Section], formats: list[str], everything: bool
) -> Iterator[Bundle]:
    from refkit.bundles import all_bundles, collection, listing, section_bundles

    data = collection(project)
    for section in sections:
        yield from section_bundles(data, section, formats)
    if everything:
        yield from all_bundles(data, formats)
        yield listing(data)


def _formats(names: list[str]) -> list[str]:
    from refkit.formats import BUNDLES, FORMATS

    for name in names:
        if name not in FORMATS or name not in BUNDLES:
            raise UsageError(f"unknown format {name!r}; bundles are written as {', '.join(BUNDLES)}")
    return names or list(BUNDLES)


def _report(project: Project, sections: list[Section]) -> int:
    """Say what could not be exported: keys that pages place and no .bib file has, and what was wrong in
    reading."""
    found = [one for one in project.diagnostics if one.severity == "error"]
    for diagnostic in found:
        print(diagnostic, file=sys.stderr)
    missing = [
        placed
        for section in sections
        for placed in section.placements
        if project.bibliography.get(placed.key) is None
    ]
    for placed in missing:
        print(
            f"{project.config.pages}/{placed.file}:{placed.line}: error: "
            f"no .bib file has the key {placed.key!r}; correct the key or add the entry (unknown-key)",
            file=sys.stderr,
        )
    return FINDINGS if found or missing else OK
