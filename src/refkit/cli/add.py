"""Add sources by arXiv id, DOI or address: an entry in the section's .bib file, and its place on the page.

The entry's key is made of family name, year and first word of the short title, or of the organisation and
the short title. What nobody knows is left out and named, to be filled in by hand. A work that is there
already is refused.

examples:
  refkit add 2205.14135 --section attention --annotation "Keeps exact attention out of HBM by tiling."
  refkit add https://doi.org/10.1145/3600006.3613165 --section kv-cache --after kwon2023pagedattention
  refkit add https://github.com/openai/triton --section triton --dry-run

exit status: 0 added, 1 refused (there already, no such work), 2 wrong usage, 3 a service did not answer
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from refkit.cli import FINDINGS, OK, UNVERIFIED, UsageError, load_config

if TYPE_CHECKING:
    from refkit.config import Config
    from refkit.enrich import add
    from refkit.project import Project


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("identifiers", metavar="IDENTIFIER", nargs="+", help="arXiv id, DOI, or address")
    parser.add_argument("--section", metavar="SLUG", required=True, help="the section to place it in")
    parser.add_argument("--after", metavar="KEY", help="place it behind this source (default: at the end)")
    parser.add_argument(
        "--annotation", metavar="TEXT", default="", help="one to three sentences on why it stands there"
    )
    parser.add_argument("--key", metavar="KEY", help="the citation key (default: made from the entry)")
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="show what would be written; write nothing"
    )


def run(args: argparse.Namespace) -> int:
    """Add the sources, one after the other; the exit status is that of the worst."""
    from refkit.cli.progress import Progress
    from refkit.enrich import add
    from refkit.enrich.session import Session

    config = load_config(args)
    requests, refused = _requests(args, config)
    for sentence in refused:
        print(f"refkit: {sentence}", file=sys.stderr)
    progress = Progress(sys.stderr, quiet=args.quiet)
    session = Session(config, say=progress.say)
    try:
        found = add.find(session, requests, progress.tell)
    finally:
        session.close()
        progress.clear()
    statuses = [FINDINGS] if refused else [OK]
    after = args.after
    for one in found:
        status, key = _add(one, args, config, after)
        statuses.append(status)
        after = key or after if args.after else None
    return max(statuses, key=(OK, UNVERIFIED, FINDINGS).index)


def _requests(args: argparse.Namespace, config: Config) -> tuple[list[add.Request], list[str]]:
    """What is to be added, and why not the rest; what can be checked without the network is checked here."""
    from refkit.enrich import add
    from refkit.project import Project

    if args.key and len(args.identifiers) > 1:
        raise UsageError("--key goes with one identifier")
    project = Project(config)
    _read(project)
    try:
        section = add.section_of(project.pages, args.section)
        if args.key:
            add.check_key(args.key, project.bibliography, config.aliases)
        requests = [add.request(text) for text in dict.fromkeys(args.identifiers)]
    except add.AddError as error:
        raise UsageError(str(error)) from error
    if args.after and all(placed.key != args.after for placed in section.placements):
        listed = ", ".join(placed.key for placed in section.placements)
        raise UsageError(f"{args.after!r} does not stand in section {section.slug!r}; there are: {listed}")
    there = {one: add.already(project, add.Found(one, ())) for one in requests}
    return [one for one in requests if not there[one]], [
        f"{one.text}: {where}" for one, where in there.items() if where
    ]


def _read(project: Project) -> None:
    """Read the files of a project.

    Raises:
        UsageError: one cannot be read.
    """
    from refkit.bibtex import UnreadableError
    from refkit.provenance import ProvenanceError

    try:
        project.bibliography, project.provenance, project.pages  # noqa: B018 - each is read when it is asked for
    except (UnreadableError, ProvenanceError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ")) from error


def _add(found: add.Found, args: argparse.Namespace, config: Config, after: str | None) -> tuple[int, str]:
    """Add one source; returns the exit status and its key."""
    from contextlib import nullcontext

    from refkit import files
    from refkit.cli.progress import printable
    from refkit.enrich import add

    unreachable = not found.records and any(answer.state == "unreachable" for answer in found.answers)
    try:
        # Read, decided and written under one lock: what others add meanwhile is not lost.
        with nullcontext() if args.dry_run else files.lock(config.bib_folder):
            draft, placed = _draft(found, args, config, after)
            if not args.dry_run:
                add.write(placed)
    except add.AddError as error:
        print(printable(f"refkit: {error}"), file=sys.stderr)
        return (UNVERIFIED if unreachable else FINDINGS), ""
    except (OSError, TimeoutError) as error:
        raise UsageError(str(error)) from error
    _print(draft, placed, args)
    return OK, draft.entry.key


def _draft(
    found: add.Found, args: argparse.Namespace, config: Config, after: str | None
) -> tuple[add.Draft, add.Placed]:
    from refkit.enrich import add
    from refkit.project import Project

    project = Project(config)
    _read(project)
    there = add.already(project, found)
    if there:
        raise add.AddError(f"{found.request.text}: {there}")
    taken = add.taken(project.bibliography, config.aliases)
    draft = add.draft(found, add.style_of(project), args.key or "", taken, _today())
    return draft, add.place(project, draft, args.section, after, args.annotation)


def _today() -> str:
    import time

    return time.strftime("%Y-%m-%d")


def _print(draft: add.Draft, placed: add.Placed, args: argparse.Namespace) -> None:
    from refkit.cli.progress import printable

    if args.dry_run:
        _print_diff(placed)
    else:
        print(f"{draft.entry.key}: added to {placed.bib} and {placed.page}")
    for found in draft.diagnostics:
        print(printable(str(found)), file=sys.stderr)
    notes: Sequence[str] = [
        f"nobody has its {word}: fill it in by hand in {placed.bib}" for word in draft.missing
    ]
    if not args.annotation:
        notes = [*notes, f"it has no annotation yet: write one to three sentences in {placed.page}"]
    if not args.quiet:
        for note in notes:
            print(f"{draft.entry.key}: {note}", file=sys.stderr)


def _print_diff(placed: add.Placed) -> None:
    import difflib

    for path, (before, after) in placed.contents.items():
        old, new = ((data or b"").decode("utf-8", "replace").splitlines() for data in (before, after))
        for line in difflib.unified_diff(
            old, new, str(path) if before is not None else "/dev/null", str(path), lineterm=""
        ):
            print(line)
