"""The command line: parses arguments, calls the rest, prints. Each command is a module of this package."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from refkit import __version__

if TYPE_CHECKING:
    from refkit.config import Config

#: Command -> one line of help. The module of this package with the same name has ``add_arguments`` and
#: ``run``.
COMMANDS = {
    "convert": "convert between bibliography formats",
    "check": "check the integrity of the bibliography and of the list",
    "enrich": "fill in and verify entries through arXiv and DOI lookups",
    "add": "add a source by its arXiv id, DOI or address",
    "export": "write the bundles of sections",
    "fmt": "lay out .bib files canonically",
    "explain": "tell where each value of an entry comes from",
    "list": "list the sources in reading order",
    "rename": "give an entry another key",
    "move": "move a source to another section",
    "remove": "remove an entry and its places",
}

#: Commands that keep the answers of services, and errors with them.
_ONLINE = ("enrich", "add")
#: Exit statuses of the interface.
OK, FINDINGS, USAGE, UNVERIFIED, INTERRUPTED = 0, 1, 2, 3, 130


class UsageError(Exception):
    """Wrong usage or unreadable input: the message says what, where and what to do; the exit status is 2."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    # Not list(): once the command "list" has run, that name is its module in this package.
    arguments = [*(sys.argv[1:] if argv is None else argv)]
    try:
        return _run(arguments)
    except UsageError as error:
        print(f"refkit: error: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("refkit: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone (``refkit list | head``): not an error. Python would complain at
        # exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


def _run(arguments: list[str]) -> int:
    parser = build_parser(_command_of(arguments))
    args = parser.parse_args(arguments)
    if args.command is None:
        parser.print_help(sys.stderr)
        return USAGE
    module = importlib.import_module(f"refkit.cli.{args.command}")
    collecting = gc.isenabled()
    if args.command not in _ONLINE:
        gc.disable()  # nothing that is read is ever in a cycle: collecting cycles would only cost time
    try:
        status: int = module.run(args)
    finally:
        if collecting:
            gc.enable()
    return status


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help texts; the width of the terminal is asked without shutil, which is slow to import.

    argparse makes a formatter for each option that it is told of, also where no help is shown.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """Columns of the terminal; 80 where there is none."""
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or 80
    except (OSError, ValueError):
        return 80


def _command_of(arguments: Sequence[str]) -> str | None:
    """The command's name, found before parsing so that only its module is imported."""
    return next((argument for argument in arguments if argument in COMMANDS), None)


def build_parser(command: str | None) -> argparse.ArgumentParser:
    """The parser of all commands; only the named one knows its own options: others are not imported."""
    parser = argparse.ArgumentParser(
        prog="refkit",
        description="Reads, checks, enriches, exports and renders bibliographies.",
        epilog="example: refkit convert refs.bib --to ris -o refs.ris",
        allow_abbrev=False,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"refkit {__version__}")
    parser.add_argument(
        "--config", metavar="FILE", help="configuration file (default: the nearest with [tool.refkit])"
    )
    loudness = parser.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="errors only")
    loudness.add_argument("-v", "--verbose", action="store_true", help="say more")
    parser.add_argument(
        "--color", choices=["auto", "always", "never"], default="auto", help="colour of the output"
    )
    subparsers = parser.add_subparsers(dest="command", prog="refkit", metavar="COMMAND", title="commands")
    for name, help in COMMANDS.items():
        sub = subparsers.add_parser(name, help=help, allow_abbrev=False, formatter_class=_Help)
        if name == command:
            module = importlib.import_module(f"refkit.cli.{name}")
            sub.description = module.__doc__
            module.add_arguments(sub)
    return parser


def load_config(args: argparse.Namespace) -> Config:
    """The configuration for a command.

    Raises:
        UsageError: the configuration cannot be read.
    """
    from pathlib import Path

    from refkit import config

    try:
        return config.load(Path(args.config) if args.config else None)
    except config.ConfigError as error:
        raise UsageError(str(error)) from error


def many(values: Sequence[str] | None) -> list[str]:
    """The values of an option that may be repeated or comma-separated."""
    return [part for value in values or () for part in value.split(",") if part]
