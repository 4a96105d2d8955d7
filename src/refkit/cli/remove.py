"""Remove a work: its entry, its places on pages, its provenance, and aliases that lead to it.

A work that other entries or annotations name is not removed; the places are listed.

example: refkit remove volkov2008benchmarking
"""

from __future__ import annotations

import argparse

from refkit.cli.change import change


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("key", metavar="KEY", help="the work's key")


def run(args: argparse.Namespace) -> int:
    """Remove, and say which files changed."""
    return change(args, f"{args.key} is removed", lambda workspace: workspace.remove(args.key))
