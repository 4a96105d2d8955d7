"""What the commands that change a whole project share: the lock, the writing, the errors, the summary."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from refkit.cli import FINDINGS, OK, UsageError, load_config

if TYPE_CHECKING:
    from refkit.workspace import Workspace


def change(args: argparse.Namespace, done: str, edit: Callable[[Workspace], None]) -> int:
    """Make a change to the project and write it, all of it or nothing; ``done`` says what was done."""
    from refkit import workspace
    from refkit.bibtex import UnreadableError

    config = load_config(args)
    if not config.bib_files():
        raise UsageError(
            f"no .bib file in {config.bib_folder}; run this in a project, or name it with --config"
        )
    try:
        with workspace.opened(config) as opened:
            edit(opened)
            changed = opened.commit()
    except workspace.InUseError as error:
        print(f"refkit: error: {error}", *error.places, sep="\n  ", file=sys.stderr)
        return FINDINGS
    except (workspace.WorkspaceError, UnreadableError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(
            str(error) if error.filename is None else f"{error.filename}: {error.strerror}"
        ) from error
    if not args.quiet:
        print(f"{done}; changed: {', '.join(config.shown(path) for path in changed)}", file=sys.stderr)
    return OK
