"""Fill in and verify entries through arXiv and DOI lookups; only fields that are missing are written.

A value that stands in an entry is yours: it is never changed unless --overwrite names it. What a service
says differently is told. In a project, provenance.json beside the .bib files records where each value came
from; with --bib nothing but the .bib file is written.

examples:
  refkit enrich                        all entries of the project
  refkit enrich dao2022flashattention --dry-run
  refkit enrich --bib refs.bib --json
  refkit enrich --overwrite kwon2023pagedattention.pages

exit status: 0 all well, 1 errors were found, 2 wrong usage, 3 something could not be verified
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from refkit.cli import FINDINGS, OK, UNVERIFIED, UsageError, load_config, many

if TYPE_CHECKING:
    from refkit.cli.progress import Progress
    from refkit.config import Config
    from refkit.enrich.run import Options, Report
    from refkit.enrich.session import Session
    from refkit.model import Diagnostic


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("keys", metavar="KEY", nargs="*", help="only these entries (default: all)")
    parser.add_argument(
        "--bib", metavar="FILE", action="append", help="these files, not those of the project"
    )
    parser.add_argument("-n", "--dry-run", action="store_true", help="show what would change; write nothing")
    parser.add_argument("--offline", action="store_true", help="ask nobody; work from what is recorded")
    parser.add_argument("--refresh", action="store_true", help="ask again for what is recorded")
    parser.add_argument(
        "--overwrite", metavar="KEY.FIELD", action="append", help="take this value though there is one"
    )
    parser.add_argument("--json", action="store_true", help="changes and findings as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Enrich, and print what was found."""
    from refkit.cli.progress import Progress
    from refkit.enrich.session import Session

    if args.offline and args.refresh:
        raise UsageError(
            "--offline and --refresh exclude each other: one asks nobody, the other asks everybody"
        )
    config = load_config(args)
    paths = _paths(args, config)
    options = _options(args)
    progress = Progress(sys.stderr, quiet=args.quiet)
    session = Session(config, say=progress.say)
    try:
        report = _enrich(paths, session, options, config, args, progress)
    finally:
        session.close()
        progress.clear()
    _print(report, args)
    return status(report.diagnostics, unverified=report.unverified)


def status(diagnostics: Sequence[Diagnostic], *, unverified: bool) -> int:
    """The exit status for what was found."""
    if any(found.severity == "error" for found in diagnostics):
        return FINDINGS
    return UNVERIFIED if unverified else OK


def _enrich(
    paths: list[Path],
    session: Session,
    options: Options,
    config: Config,
    args: argparse.Namespace,
    progress: Progress,
) -> Report:
    from refkit.bibtex import UnreadableError
    from refkit.enrich.run import UnknownKeyError, enrich
    from refkit.provenance import ProvenanceError

    try:
        return enrich(
            paths,
            session,
            options,
            root=config.root if not args.bib else None,
            provenance_file=None if args.bib else config.bib_folder / "provenance.json",
            start=progress.start,
            tell=progress.tell,
        )
    except (UnknownKeyError, UnreadableError, ProvenanceError, TimeoutError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ")) from error


def _paths(args: argparse.Namespace, config: Config) -> list[Path]:
    paths = [Path(name) for name in many(args.bib)] if args.bib else config.bib_files()
    if not paths:
        where = ", ".join(config.bib)
        raise UsageError(f"there is no .bib file in {where} below {config.root}; name one with --bib")
    for path in paths:
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file")
    return list({path.resolve(): path for path in paths}.values())


def _options(args: argparse.Namespace) -> Options:
    from refkit.enrich.run import Options

    overwrite: dict[str, list[str]] = {}
    for item in many(args.overwrite):
        key, dot, field = item.rpartition(".")
        if not dot or not key or not field:
            raise UsageError(
                f"--overwrite takes KEY.FIELD, for example dao2022flashattention.pages, not {item!r}"
            )
        overwrite.setdefault(key, []).append(field)
    # Who names a value to overwrite means that entry, not all of them.
    keys = [*args.keys, *overwrite]
    return Options(keys, args.dry_run, args.offline, args.refresh, overwrite)


# -- printing --------------------------------------------------------------------------------------------


def _print(report: Report, args: argparse.Namespace) -> None:
    if args.json:
        import json

        result = {
            "changes": [change.as_dict() for change in report.changes],
            "diagnostics": [found.as_dict() for found in report.diagnostics],
        }
        print(json.dumps(result, ensure_ascii=False, indent=1))
        return
    if args.dry_run:
        _print_diff(report)
    else:
        for change in report.changes:
            print(f"{change.key}: {change.field} = {{{change.new}}}  ({change.source})")
    for line in grouped(report.diagnostics, all=not args.quiet):
        print(line, file=sys.stderr)
    if not args.quiet:
        print(_summary(report, dry_run=args.dry_run), file=sys.stderr)


def grouped(diagnostics: Sequence[Diagnostic], *, all: bool) -> list[str]:
    """Findings, a line each; one that many entries share, as when a service is down, once for all of them."""
    by_message: dict[tuple[str, str, str], list[Diagnostic]] = {}
    for found in diagnostics:
        if all or found.severity == "error":
            shared = (
                found.message.partition(": ")[2]
                if found.code.endswith(("-unreachable", "-not-recorded"))
                else ""
            )
            by_message.setdefault((found.severity, found.code, shared or str(found)), []).append(found)
    lines = []
    for (severity, code, message), group in by_message.items():
        if len(group) == 1:
            lines.append(str(group[0]))
            continue
        keys = ", ".join(str(found.key) for found in group[:5]) + (", …" if len(group) > 5 else "")
        lines.append(f"{severity}: {message} ({code}) [{len(group)} entries: {keys}]")
    from refkit.cli.progress import printable

    return [printable(line) for line in lines]


def _print_diff(report: Report) -> None:
    import difflib

    for edit in report.edits:
        lines = difflib.unified_diff(
            edit.before.splitlines(),
            edit.after.splitlines(),
            edit.name,
            f"{edit.name} (enriched)",
            lineterm="",
            n=2,
        )
        for line in lines:
            print(line)


def _summary(report: Report, *, dry_run: bool) -> str:
    fields = f"{len(report.changes)} field{'' if len(report.changes) == 1 else 's'}"
    done = "would be filled" if dry_run else "filled"
    errors = sum(found.severity == "error" for found in report.diagnostics)
    parts = [f"{report.entries} {'entry' if report.entries == 1 else 'entries'}", f"{fields} {done}"]
    if errors:
        parts.append(f"{errors} error{'' if errors == 1 else 's'}")
    if report.without_id:
        parts.append(f"{report.without_id} without DOI or arXiv id: not checkable")
    if report.unverified:
        parts.append("not all could be verified")
    return "; ".join(parts)
