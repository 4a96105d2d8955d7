"""Move a source to another section, or to another place on its own.

Its annotation goes with it. Its entry goes to the new section's .bib file if that is now the first section to
place the work, where the project keeps one .bib file per section.

example: refkit move dao2022flashattention --section attention --after dao2024flashattention2
"""

from __future__ import annotations

import argparse

from refkit.cli.change import change


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("key", metavar="KEY", help="the work's key")
    parser.add_argument("--section", metavar="SLUG", required=True, help="the section to place it on")
    parser.add_argument("--after", metavar="KEY", help="the source to stand behind (default: the last one)")
    parser.add_argument(
        "--from",
        dest="origin",
        metavar="SLUG",
        help="the section to take it from, where it stands on several",
    )


def run(args: argparse.Namespace) -> int:
    """Move, and say which files changed."""
    return change(
        args,
        f"{args.key} now stands on {args.section}",
        lambda workspace: workspace.move(args.key, args.section, args.after, args.origin),
    )
