"""Give a work another key, everywhere: its entry and the fields that name it, pages, provenance.

The old key stays as an alias in the configuration, so that links to it go on working.

example: refkit rename dao2022flashattention dao2022flash
"""

from __future__ import annotations

import argparse

from refkit.cli.change import change


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("old", metavar="OLD", help="the key it has")
    parser.add_argument("new", metavar="NEW", help="the key it is to have")


def run(args: argparse.Namespace) -> int:
    """Rename, and say which files changed."""
    return change(
        args, f"{args.old} is now {args.new}", lambda workspace: workspace.rename(args.old, args.new)
    )
