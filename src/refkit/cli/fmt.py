"""Lay out .bib files canonically: one field a line, in one order, in braces, a blank line between entries.

Keys, values, comments, @string and the order of entries stay as they are; a broken entry stays to the byte.

example: refkit fmt refs.bib
         refkit fmt --check
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from refkit.cli import FINDINGS, OK, UsageError, load_config

if TYPE_CHECKING:
    from refkit.bibtex import Block, Document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="what to lay out (default: the project's); - is standard input",
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; name the files that would change, exit status 1"
    )


def run(args: argparse.Namespace) -> int:
    """Lay out, and say which files changed."""
    if "-" in args.files:
        if len(args.files) > 1:
            raise UsageError("standard input (-) is laid out alone; give it without other files")
        return _standard_input(check=args.check)
    paths = _paths(args)
    from refkit import files

    try:
        if args.check:
            return _run(paths, check=True, quiet=args.quiet)
        with files.lock_all(path.parent for path in paths):
            return _run(paths, check=False, quiet=args.quiet)
    except OSError as error:
        raise UsageError(_told(error)) from error


def _paths(args: argparse.Namespace) -> list[Path]:
    if not args.files:
        config = load_config(args)
        found = config.bib_files()
        if not found:
            raise UsageError(
                f"no .bib file in {config.bib_folder}; name files, or set 'bib' in [tool.refkit]"
            )
        return found
    paths = list(dict.fromkeys(Path(file) for file in args.files))
    for path in paths:
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file")
    return paths


def _run(paths: list[Path], *, check: bool, quiet: bool) -> int:
    """Lay out all files, or none if one of them cannot be read."""
    from refkit import files
    from refkit.bibtex import layout

    contents: dict[Path, bytes] = {}
    left = 0
    for path in paths:
        document = _document(path.read_bytes(), str(path))
        data, blocks = layout.of_document(document)
        left += _report(document, blocks)
        if data != document.encode():
            contents[path] = data
    if check:
        for path in contents:
            print(path)
    else:
        files.replace_all(contents)
    if not quiet:
        _summarise(len(contents), len(paths), check=check)
    return FINDINGS if left or (check and contents) else OK


def _standard_input(*, check: bool) -> int:
    from refkit.bibtex import layout

    document = _document(sys.stdin.buffer.read(), "-")
    data, blocks = layout.of_document(document)
    left = _report(document, blocks)
    if not check:
        sys.stdout.buffer.write(data)
        return FINDINGS if left else OK
    if data == document.encode():
        return FINDINGS if left else OK
    print("-")
    return FINDINGS


def _document(data: bytes, name: str) -> Document:
    from refkit.bibtex import UnreadableError, read_bytes

    try:
        return read_bytes(data, name)
    except UnreadableError as error:
        raise UsageError(str(error)) from error


def _report(document: Document, blocks: tuple[Block, ...]) -> int:
    """Name the blocks that were left as they are."""
    for block in blocks:
        line = document.place(block.start)[0]
        what = f"@{block.type} {block.key}".rstrip()
        why = "is broken" if block.broken else "holds what has no place in the layout"
        place = f"{document.file}:{line}"
        advice = f"see refkit check --bib {document.file}"
        print(f"{place}: {what} {why} and is left as it stands; {advice}", file=sys.stderr)
    return len(blocks)


def _summarise(changed: int, count: int, *, check: bool) -> None:
    verb = "would be laid out anew" if check else "laid out anew"
    same = count - changed
    print(f"{_files(changed)} {verb}, {_files(same)} as it should be", file=sys.stderr)


def _files(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"


def _told(error: OSError) -> str:
    if isinstance(error, TimeoutError) and error.filename is None:
        return str(error)
    return f"{error.filename}: {error.strerror or error}"
