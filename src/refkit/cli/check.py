"""Check the integrity of the bibliography and of the list.

example: refkit check --bib refs.bib
         refkit check --format json --ignore case-collision
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from refkit.cli import FINDINGS, OK, UsageError, load_config, many

if TYPE_CHECKING:
    from refkit.bibtex import Bibliography
    from refkit.model import Diagnostic


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--bib", metavar="FILE", action="append", help="check these files (default: the project's)")
    parser.add_argument("--format", choices=["text", "json", "github"], default="text", help="form of the findings")
    parser.add_argument("--select", metavar="RULE", action="append", help="only these rules")
    parser.add_argument("--ignore", metavar="RULE", action="append", help="all rules but these")


def run(args: argparse.Namespace) -> int:
    """Print what is wrong."""
    bibliography = _bibliography(args)
    select, ignore = frozenset(many(args.select)), frozenset(many(args.ignore))
    found = [
        diagnostic
        for diagnostic in bibliography.diagnostics
        if (not select or diagnostic.code in select) and diagnostic.code not in ignore
    ]
    if args.format == "json":
        _print_json(found)
    else:
        _print_lines(found, args.format)
    return FINDINGS if any(diagnostic.severity == "error" for diagnostic in found) else OK


def _bibliography(args: argparse.Namespace) -> Bibliography:
    from refkit.bibtex import UnreadableError, read_files, read_sources

    files = many(args.bib)
    try:
        if "-" in files:
            return read_sources((file, _bytes(file)) for file in files)
        if files:
            return read_files(files)
        config = load_config(args)
        return read_files(config.bib_files(), relative_to=config.root)
    except UnreadableError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be read: {error.strerror}") from error


def _bytes(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _print_json(diagnostics: Iterable[Diagnostic]) -> None:
    import json

    rows = [json.dumps(diagnostic.as_dict(), ensure_ascii=False) for diagnostic in diagnostics]
    print("[\n" + ",\n".join(rows) + "\n]" if rows else "[]")


def _print_lines(diagnostics: list[Diagnostic], format: str) -> None:
    for diagnostic in diagnostics:
        print(_github(diagnostic) if format == "github" else diagnostic)
    counts = [sum(d.severity == severity for d in diagnostics) for severity in ("error", "warning")]
    if diagnostics:
        print(f"{counts[0]} errors, {counts[1]} warnings", file=sys.stderr)


def _github(diagnostic: Diagnostic) -> str:
    """A workflow command (GitHub Docs, "Workflow commands": error, warning, notice)."""
    kind = {"error": "error", "warning": "warning", "info": "notice"}[diagnostic.severity]
    places = {"file": diagnostic.file, "line": diagnostic.line, "col": diagnostic.column, "title": diagnostic.code}
    given = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in places.items() if value is not None)
    return f"::{kind} {given}::{_escaped(diagnostic.message)}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(char):02X}" if char in "%\r\n" + more else char for char in text)
