"""Check the integrity of the bibliography, and of the pages when run in a project.

Rules that need no network run by default; --online asks arXiv, the DOI services and the linked pages too. A
finding that is not to be followed is answered in the configuration, [tool.refkit.suppress], with a reason.

example: refkit check
         refkit check --bib refs.bib --fix
         refkit check --format json --ignore title-case,names
         refkit check --explain invalid-doi
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from refkit.cli import FINDINGS, OK, UNVERIFIED, UsageError, load_config, many

if TYPE_CHECKING:
    from refkit.bibtex import Bibliography
    from refkit.check.library import Library
    from refkit.check.model import Finding
    from refkit.check.online import Asked
    from refkit.check.runner import Result
    from refkit.config import Config
    from refkit.model import Diagnostic
    from refkit.project import Project


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--bib", metavar="FILE", action="extend", nargs="+", help="check these files, without the pages"
    )
    parser.add_argument(
        "--online", action="store_true", help="ask services whether identifiers and links are right"
    )
    parser.add_argument(
        "--format", choices=["text", "json", "github"], default="text", help="form of the findings"
    )
    parser.add_argument(
        "--select", metavar="RULE", action="append", help="only these rules (codes or families)"
    )
    parser.add_argument("--ignore", metavar="RULE", action="append", help="all rules but these")
    parser.add_argument(
        "--fix", action="store_true", help="put right what has one right answer, in the files"
    )
    parser.add_argument("--explain", metavar="CODE", help="say what a rule is about, and stop")
    parser.add_argument("--site", metavar="DIR", help="check a built site too: anchors and bundles")
    parser.add_argument(
        "--accept",
        metavar="KEY",
        action="append",
        help="record the present values of these works as checked today, and stop",
    )


def run(args: argparse.Namespace) -> int:
    """Print what is wrong."""
    if args.explain:
        return _explain(args.explain)
    config = load_config(args)
    codes = _codes(args, config)
    if args.accept:
        return _accept(config, many(args.accept), quiet=args.quiet)
    checked = _checked(args, config, codes)
    if args.fix:
        checked = _fix(args, config, codes, checked)
    diagnostics = checked.result.diagnostics
    if args.format == "json":
        _print_json(diagnostics)
    elif args.format == "github":
        for diagnostic in diagnostics:
            print(_github(diagnostic))
    else:
        _print_text(checked, colour=_wants_colour(args.color))
    if not args.quiet:
        _summary(checked)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        return FINDINGS
    return UNVERIFIED if checked.unverified else OK


class _Checked(NamedTuple):
    library: Library
    result: Result
    #: Whether a service did not answer, or something could not be verified.
    unverified: bool


# -- what is checked -------------------------------------------------------------------------------------


def _codes(args: argparse.Namespace, config: Config) -> set[str]:
    from refkit.check.registry import chosen
    from refkit.check.settings import settings
    from refkit.config import ConfigError

    try:
        wanted = settings(config)
    except ConfigError as error:
        raise UsageError(str(error)) from error
    try:
        return chosen(many(args.select) or wanted.select, [*many(args.ignore), *wanted.ignore])
    except KeyError as error:
        raise UsageError(f"there is no rule {error.args[0]!r}{_hint(error.args[0])}") from error


def _hint(name: str) -> str:
    from difflib import get_close_matches

    from refkit.check.registry import FAMILIES, rules

    close = get_close_matches(name, [*rules(), *FAMILIES], 1)
    return f"; did you mean {close[0]!r}?" if close else "; the manual lists them all"


def _checked(args: argparse.Namespace, config: Config, codes: set[str]) -> _Checked:
    from refkit.check import load, runner, suppress
    from refkit.project import Project

    files = many(args.bib)
    answers = suppress.answers(config.suppress)
    if files:
        bibliography = _bibliography(files)
        library = load.of_files(bibliography, config, files)
        reported = bibliography.diagnostics
    else:
        project = Project(config)
        library = _of_project(project)
        reported = project.diagnostics
    asked = _ask(args, config, library, codes)
    result = runner.run(
        library,
        codes,
        reported=[*reported, *asked.diagnostics],
        answers=answers,
        extra=[*asked.findings, *_site(args, config, library)],
        carets=args.format != "json",
    )
    return _Checked(library, result, asked.unverified)


def _of_project(project: Project) -> Library:
    from refkit.bibtex import UnreadableError
    from refkit.check import load
    from refkit.provenance import ProvenanceError

    if not project.config.bib_files():
        raise UsageError(f"there is no .bib file in {', '.join(project.config.bib)}; name files with --bib")
    try:
        return load.of_project(project)
    except (UnreadableError, ProvenanceError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be read: {error.strerror}") from error


def _bibliography(files: Sequence[str]) -> Bibliography:
    from refkit.bibtex import UnreadableError, read_files, read_sources

    try:
        if "-" in files:
            return read_sources((file, _bytes(file)) for file in files)
        return read_files(files)
    except UnreadableError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be read: {error.strerror}") from error


def _bytes(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _ask(args: argparse.Namespace, config: Config, library: Library, codes: set[str]) -> Asked:
    """What the services say, with --online."""
    from refkit.check.online import Asked, ask

    if not args.online:
        return Asked()
    from refkit.cli.progress import Progress
    from refkit.enrich.session import Session

    progress = Progress(sys.stderr, quiet=args.quiet)
    session = Session(config, say=progress.say)
    try:
        return ask(library, session, codes, progress.tell)
    finally:
        session.close()
        progress.clear()


def _site(args: argparse.Namespace, config: Config, library: Library) -> Iterable[tuple[str, Finding]]:
    if not args.site:
        return ()
    from refkit.check import site

    folder = Path(args.site)
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder; build the site first, or correct --site")
    return site.findings(config, library, folder)


# -- what is changed -------------------------------------------------------------------------------------


def _fix(args: argparse.Namespace, config: Config, codes: set[str], checked: _Checked) -> _Checked:
    """Fix until nothing changes any more: a fix of one field may make room for another."""
    from contextlib import ExitStack

    from refkit.files import lock

    if "-" in many(args.bib):
        raise UsageError("--fix edits files in place, and standard input is none")
    folder = config.root if not args.bib else Path.cwd()
    with ExitStack() as locks:
        for parent in sorted({(folder / file).resolve().parent for file in checked.library.documents}):
            try:
                locks.enter_context(lock(parent))
            except OSError as error:
                raise UsageError(f"{parent}: cannot be written: {error.strerror or error}") from error
        checked = _checked(args, config, codes)  # anew: others may have written before the lock was ours
        return _fix_locked(args, config, codes, checked, folder)


def _fix_locked(
    args: argparse.Namespace, config: Config, codes: set[str], checked: _Checked, folder: Path
) -> _Checked:
    from refkit.check.fix import fixed
    from refkit.files import replace

    changed: set[str] = set()
    for _ in range(6):
        editors = fixed(
            checked.library, (finding for _, finding in checked.result.found if finding is not None)
        )
        if not editors:
            break
        for file, editor in editors.items():
            try:
                replace(folder / file, editor.bytes())
            except OSError as error:
                raise UsageError(f"{folder / file}: cannot be written: {error.strerror or error}") from error
            changed.add(file)
        checked = _checked(args, config, codes)
    if not args.quiet:
        for file in sorted(changed):
            print(f"{file}: fixed", file=sys.stderr)
    return checked


def _accept(config: Config, keys: Sequence[str], *, quiet: bool) -> int:
    from datetime import date

    from refkit import files, provenance
    from refkit.check.seal import facts
    from refkit.project import Project

    project = Project(config)
    library = _of_project(project)
    unknown = [key for key in keys if key not in library.by_key and key != "all"]
    if unknown:
        raise UsageError(f"there is no entry {unknown[0]!r}; give keys, or 'all'")
    recorded = kept = 0
    with files.lock(config.bib_folder):
        data = provenance.load(project.provenance_file)
        for key in library.by_key if "all" in keys else keys:
            checked = data["works"].setdefault(key, {}).setdefault("checked", {})
            now = facts(library.by_key[key])
            if checked.get("facts") == now:
                kept += 1
                continue
            recorded += 1
            if (
                "facts" in checked or "on" not in checked
            ):  # sealed for the first time, the day stays that of the check
                checked["on"] = date.today().isoformat()  # noqa: DTZ011 - the day on the reader's calendar is meant
            checked["facts"] = now
        files.write_if_changed(project.provenance_file, provenance.dumps(data).encode())
    if not quiet:
        unchanged = f"; {_counted(kept, 'work')} as recorded before" if kept else ""
        print(f"values of {_counted(recorded, 'work')} recorded as checked{unchanged}", file=sys.stderr)
    return OK


# -- what is printed -------------------------------------------------------------------------------------


def _explain(code: str) -> int:
    from refkit.check.manual import explanation
    from refkit.check.registry import rules

    rule = rules().get(code)
    if rule is None:
        raise UsageError(f"there is no rule {code!r}{_hint(code)}")
    print(explanation(rule))
    return OK


def _print_json(diagnostics: Iterable[Diagnostic]) -> None:
    import json

    rows = [json.dumps(diagnostic.as_dict(), ensure_ascii=False) for diagnostic in diagnostics]
    print("[\n" + ",\n".join(rows) + "\n]" if rows else "[]")


_COLOURS = {"error": "\x1b[31m", "warning": "\x1b[33m", "info": "\x1b[36m"}


def _print_text(checked: _Checked, *, colour: bool) -> None:
    out: list[str] = []
    for diagnostic in checked.result.diagnostics:
        start, end = (_COLOURS[diagnostic.severity], "\x1b[0m") if colour else ("", "")
        place = ":".join(
            str(part) for part in (diagnostic.file, diagnostic.line, diagnostic.column) if part is not None
        )
        key = f" [{diagnostic.key}]" if diagnostic.key else ""
        head = f"{place}: " if place else ""
        out.append(f"{head}{start}{diagnostic.severity}{end}: {diagnostic.message} ({diagnostic.code}){key}")
        out += _excerpt(checked.library, diagnostic, start, end)
    if out:
        print("\n".join(out))


_WIDTH = 100


def _excerpt(library: Library, diagnostic: Diagnostic, start: str, end: str) -> list[str]:
    """The line that is meant, with carets under the value; long lines are cut around it."""
    if not diagnostic.line or not diagnostic.column or not diagnostic.length:
        return []
    line = library.line(diagnostic.file or "", diagnostic.line)
    column = diagnostic.column - 1
    length = min(diagnostic.length, max(len(line) - column, 1), _WIDTH)
    first = 0 if column + length <= _WIDTH else max(column - 30, 0)
    shown = "".join(
        char if char.isprintable() else " " if char == "\t" else "\ufffd"
        for char in line[first : first + _WIDTH]
    )
    mark = "…" if first else ""
    return [f"    {mark}{shown}", f"    {' ' * (len(mark) + column - first)}{start}{'^' * length}{end}"]


def _wants_colour(choice: str) -> bool:
    if choice != "auto":
        return choice == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _summary(checked: _Checked) -> None:
    diagnostics = checked.result.diagnostics
    counts = {name: sum(d.severity == name for d in diagnostics) for name in ("error", "warning", "info")}
    fixable = sum(diagnostic.fixable for diagnostic in diagnostics)
    parts = [
        _counted(counts["error"], "error"),
        _counted(counts["warning"], "warning"),
        _counted(counts["info"], "note"),
    ]
    text = f"{_counted(len(checked.library.entries), 'entry')}: {', '.join(parts)}"
    if fixable:
        text += f"; {fixable} fixable with --fix"
    if checked.result.suppressed:
        text += f"; {checked.result.suppressed} answered by suppressions"
    print(text, file=sys.stderr)


def _counted(count: int, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count} {noun if count == 1 else plural}"


def _github(diagnostic: Diagnostic) -> str:
    """A workflow command (GitHub Docs, "Workflow commands": error, warning, notice)."""
    kind = {"error": "error", "warning": "warning", "info": "notice"}[diagnostic.severity]
    places = {
        "file": diagnostic.file,
        "line": diagnostic.line,
        "col": diagnostic.column,
        "title": diagnostic.code,
    }
    given = ",".join(
        f"{name}={_escaped(str(value), ':,')}" for name, value in places.items() if value is not None
    )
    return f"::{kind} {given}::{_escaped(diagnostic.message)}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(char):02X}" if char in "%\r\n" + more else char for char in text)
