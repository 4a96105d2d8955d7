"""Convert between bibliography formats.

example: refkit convert refs.bib --to ris -o refs.ris
         refkit convert refs.bib --to bibtex,csl-json,ris -o out/
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from refkit.cli import FINDINGS, OK, UsageError, many

if TYPE_CHECKING:
    from refkit.formats import Format
    from refkit.hub import Item
    from refkit.model import Diagnostic, Entry

#: Ending of an input file -> its format; the longest that fits counts.
_ENDINGS = {".refkit.json": "json", ".json": "csl-json", ".ris": "ris", ".bib": "bibtex"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="what to read; - is standard input")
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        action="append",
        required=True,
        help="what to write: bibtex, biblatex, csl-json, ris, zotero-rdf, json; several go to a folder",
    )
    parser.add_argument(
        "--from",
        dest="source",
        metavar="FORMAT",
        help="what is read: bibtex, biblatex, csl-json, ris, json (default: by the ending)",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="file or folder to write to (default: standard output)"
    )
    parser.add_argument("--report", action="store_true", help="say which fields a format cannot carry")


def run(args: argparse.Namespace) -> int:
    """Read, write, and say what was passed over."""
    targets = _formats(many(args.to))
    jobs = _jobs(args.files, targets, args.output)
    batches, diagnostics = _read(args.files, args.source)
    _tell(diagnostics, quiet=args.quiet)
    for job in jobs:
        _tell_apart(job, batches, args.source)
    _write_all(jobs, batches, report=args.report)
    if "bibtex" in targets and not args.quiet:
        for file, entries in batches.items():
            _tell_transliterated(file, entries)
    return FINDINGS if any(diagnostic.severity == "error" for diagnostic in diagnostics) else OK


class _Job(NamedTuple):
    """Formats to be written of some inputs; ``None`` is standard output."""

    inputs: Sequence[str]
    outputs: Sequence[tuple[str, Path | None]]


def _formats(names: list[str]) -> list[str]:
    from refkit.formats import FORMATS

    for name in names:
        if name not in FORMATS:
            raise UsageError(f"unknown format {name!r}; formats are {', '.join(FORMATS)}")
    return list(dict.fromkeys(names))


def _jobs(files: list[str], targets: list[str], output: str | None) -> list[_Job]:
    """What to write where: all inputs into one file, or each into files of its own in a folder."""
    if output is None or output == "-":
        if len(targets) > 1:
            raise UsageError("several formats go to a folder: name it with -o")
        return [_Job(files, [(targets[0], None)])]
    out = Path(output)
    if len(targets) == 1 and not out.is_dir() and not output.endswith("/"):
        return _checked([_Job(files, [(targets[0], out)])])
    return _checked(
        [_Job([file], [(name, out / _file_name(file, name)) for name in targets]) for file in files]
    )


def _file_name(file: str, format: str) -> str:
    from refkit.formats import FORMATS

    name = "stdin" if file == "-" else Path(file).name
    ending = next((ending for ending in _ENDINGS if name.endswith(ending) and name != ending), "")
    stem = name[: -len(ending)] if ending else Path(name).stem
    return stem + FORMATS[format].ending


def _checked(jobs: list[_Job]) -> list[_Job]:
    """Refuse to write a file twice, or over an input."""
    taken = {Path(file).resolve(): "an input" for job in jobs for file in job.inputs if file != "-"}
    for job in jobs:
        for _, path in job.outputs:
            if path is None:
                continue
            if path.resolve() in taken:
                raise UsageError(f"{path} is {taken[path.resolve()]} already: name another output")
            taken[path.resolve()] = "an output"
    return jobs


# --------------------------------------------------------------------------- reading


def _read(files: list[str], source: str | None) -> tuple[dict[str, list[Entry]], list[Diagnostic]]:
    """Entries by input, and what was wrong in reading them. All .bib files are read as one bibliography."""
    formats = {file: _format_of(file, source) for file in files}
    data = {file: _bytes(file) for file in files}
    batches: dict[str, list[Entry]] = {file: [] for file in files}
    diagnostics: list[Diagnostic] = []
    bibs = [file for file in data if formats[file] in ("bibtex", "biblatex")]
    if bibs:
        from refkit.bibtex import UnreadableError, read_sources

        try:
            bibliography = read_sources((file, data[file]) for file in bibs)
        except UnreadableError as error:
            raise UsageError(str(error)) from error
        for file, document in zip(bibs, bibliography.documents, strict=True):
            batches[file] = document.entries
        diagnostics = bibliography.diagnostics
    for file in data:
        if file not in bibs:
            batches[file], lost = _loaded(file, formats[file], data[file])
            diagnostics = [*diagnostics, *lost]
    return batches, diagnostics


def _tell_apart(job: _Job, batches: dict[str, list[Entry]], source: str | None) -> None:
    """Give entries of RIS and CSL-JSON, whose keys are made, keys that no other input of the job has.

    Keys of .bib files are cited and stay; that two of them are equal is told by the reader.
    """
    inputs = list(dict.fromkeys(job.inputs))
    made = [file for file in inputs if _format_of(file, source) not in ("bibtex", "biblatex")]
    if made and len(inputs) > 1:
        from refkit.formats.csl_entry import unique_keys

        kept = [entry.key for file in inputs if file not in made for entry in batches[file]]
        unique_keys([entry for file in made for entry in batches[file]], kept)


def _format_of(file: str, source: str | None) -> str:
    from refkit.formats import FORMATS

    if source is not None:
        if source not in FORMATS:
            raise UsageError(f"unknown format {source!r}; formats are {', '.join(FORMATS)}")
        return source
    if file == "-":
        return "bibtex"
    for ending, format in _ENDINGS.items():
        if file.lower().endswith(ending):
            return format
    raise UsageError(f"{file}: the ending does not tell the format: name it with --from")


def _bytes(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from error


def _loaded(file: str, format: str, data: bytes) -> tuple[list[Entry], list[Diagnostic]]:
    """The entries of another format, and what was passed over."""
    from refkit.bibtex.encoding import UnreadableError, decode
    from refkit.formats import FORMATS

    try:
        return FORMATS[format].read(decode(data, file).text, file)
    except UnreadableError as error:
        raise UsageError(str(error)) from error
    except NotImplementedError as error:
        raise UsageError(f"{file}: {error}") from error
    except ValueError as error:
        raise UsageError(f"{file}: {error}") from error


def _tell(diagnostics: Iterable[Diagnostic], *, quiet: bool) -> None:
    for diagnostic in diagnostics:
        if diagnostic.severity == "error" or (diagnostic.severity == "warning" and not quiet):
            print(diagnostic, file=sys.stderr)


def _tell_transliterated(file: str, entries: Sequence[Entry]) -> None:
    """Say which entries of a file classic BibTeX, which is ASCII here, cannot hold."""
    from refkit.formats.bibtex import is_beyond_tex

    keys = [entry.key for entry in entries if is_beyond_tex(entry)]
    if keys:
        shown = ", ".join(keys[:3]) + (", …" if len(keys) > 3 else "")
        print(
            f"{file}: warning: bibtex is ASCII and cannot hold the letters of {shown} ({len(keys)} of "
            f"{len(entries)} entries): convert to biblatex, which keeps them; --report names the fields",
            file=sys.stderr,
        )


# --------------------------------------------------------------------------- writing


def _write_all(jobs: Sequence[_Job], batches: dict[str, list[Entry]], *, report: bool) -> None:
    from refkit.workers import shared_out

    if len(jobs) == 1 or report:
        for job in jobs:
            _write(job, batches, report=report)
        return

    def write(start: int, end: int) -> list[bytearray]:
        for job in jobs[start:end]:
            _write(job, batches, report=False, alone=False)
        return []

    for _ in shared_out(write, len(jobs), sum(map(len, batches.values()))):
        pass


def _write(job: _Job, batches: dict[str, list[Entry]], *, report: bool, alone: bool = True) -> None:
    """Write all formats of a job in one pass over its entries, so that each entry is mapped once.

    Entries of a job that is ``alone`` are shared out to the processors; many files are not flushed each.
    """
    from refkit.formats import FORMATS
    from refkit.hub import Item
    from refkit.workers import shared_out

    formats = [FORMATS[name] for name, _ in job.outputs]
    writers = [format.writer for format in formats]
    entries = [entry for file in dict.fromkeys(job.inputs) for entry in batches[file]]
    # Last, so that a format that leaves them out does so at its end.
    entries.sort(key=lambda entry: entry.is_settings)

    def written(start: int, end: int) -> list[bytearray]:
        """The entries from one index to another in all formats, each with its separator before it."""
        texts = [bytearray() for _ in writers]
        for number in range(start, end):
            item = Item(entries[number])
            for text, writer, format in zip(texts, writers, formats, strict=True):
                if not format.keeps_settings and item.entry.is_settings:
                    continue
                text += ((writer.SEPARATOR if number else "") + writer.one(item)).encode()
        return texts

    texts = [bytearray(writer.HEAD.encode()) for writer in writers]
    for share in shared_out(written, len(entries), len(entries) if alone else 0):
        for text, more in zip(texts, share, strict=True):
            text += more
    for (_, path), text, writer in zip(job.outputs, texts, writers, strict=True):
        text += writer.TAIL.encode()
        _put(path, text, flush=alone)
    if report:
        _report(entries, formats)


def _report(entries: Iterable[Entry], formats: Sequence[Format]) -> None:
    """Say what each format does not carry of each entry."""
    from refkit.hub import Item

    for item in map(Item, entries):
        for format in formats:
            if fields := _lost(item, format):
                print(f"{item.key}: {format.name} does not carry {', '.join(fields)}", file=sys.stderr)


def _lost(item: Item, format: Format) -> list[str]:
    """What a format does not carry of an entry."""
    if not item.entry.is_settings:
        return format.writer.lost(item)
    return [] if format.keeps_settings else [f"settings of LaTeX (@{item.entry.type})"]


def _put(path: Path | None, data: bytearray, *, flush: bool) -> None:
    from refkit.files import write_if_changed

    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(path, bytes(data), flush=flush)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
