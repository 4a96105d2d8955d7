"""`refkit check` over a large bibliography and over this project, against bibtex-tidy and biber's validation.

    python benchmarks/bench_check.py [--quick] [--rounds N] [--strict]

Whole processes, start-up included, all commands one after another in every round; peers that are not
installed are named and left out. *Reading* is refkit's full model: names split, every value decoded, dates
and identifiers read. bibtex-tidy formats and looks for duplicates, biber validates against BibLaTeX's data
model: each does a part of what the rules do.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench_convert import PYTHON, READ, REFKIT, ROOT
from measure import Cost, Rounds, Targets, interleave, parser, ratio, table, typical
from measure import run as run_command
from synthetic import bibliography

BIBTEX_TIDY = ROOT / "tests" / "clients" / "node" / "node_modules" / ".bin" / "bibtex-tidy"
#: A run of the rules of entries in this process: seconds of reading the text, and of all rules after that.
INSIDE = """\
import gc, sys, time
gc.disable()
from refkit.bibtex import read_files
from refkit.check import registry, runner
from refkit.check.library import Library
from refkit.model import NAME_FIELDS
from refkit.values import names
from refkit.values.tex import read as tex
codes = registry.chosen()
start = time.process_time()
found = read_files([sys.argv[1]])
scanned = time.process_time()
runner.run(Library(found.entries, found.documents), codes, reported=found.diagnostics)
checked = time.process_time()
names.forget()  # what the rules have read already is read anew
tex.forget()
for entry in read_files([sys.argv[1]]).entries:
    for name in entry:
        entry.names(name) if name in NAME_FIELDS else entry.text(name)
    entry.date, entry.doi, entry.arxiv, entry.url
read = time.process_time()
print(scanned - start, checked - scanned, read - checked)
"""


def check(file: Path) -> Cost:
    """`refkit check` of one file; findings are its business, a crash is not."""
    return run([REFKIT, "check", "--bib", file, "--format", "json"], ok=(0, 1, 3))


def run(command: list[str | Path], *, ok: tuple[int, ...] = (0,), cwd: Path | None = None) -> Cost:
    """Runs a command that may end with any of these statuses."""
    statuses = " ".join(f"[ $s -eq {status} ] ||" for status in ok)
    script = f'"$@"; s=$?; {statuses} exit $s; exit 0'
    return run_command(["sh", "-c", script, "sh", *command], cwd=cwd)


def biber(program: str, file: Path, folder: Path) -> Cost:
    """biber in tool mode, validating against the data model."""
    return run(
        [program, "--tool", "--validate-datamodel", "--quiet", "--output-file", folder / "tool.bib", file],
        ok=(0, 1, 2),
        cwd=folder,
    )


def tidy(file: Path, folder: Path) -> Cost:
    """bibtex-tidy with its look for duplicates."""
    copy = folder / "tidy.bib"
    shutil.copy(file, copy)
    return run([BIBTEX_TIDY, copy, "--duplicates=doi,key,citation,abstract", "--no-backup", "--quiet"])


def large(size: int, rounds: int, folder: Path, targets: Targets) -> None:
    """A file of this many entries."""
    file = folder / f"{size}.bib"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(bibliography(size))
    commands: dict[str, Callable[[], Cost]] = {
        "refkit check": partial(check, file),
        "reading": partial(run_command, [PYTHON, "-c", READ, file]),
    }
    if BIBTEX_TIDY.exists() and shutil.which("node"):
        commands["bibtex-tidy"] = partial(tidy, file, folder)
    if program := shutil.which("biber"):
        commands["biber --tool --validate-datamodel"] = partial(biber, program, file, folder)
    costs = interleave(rounds, commands)
    goals = {"reading": 2.0, "bibtex-tidy": 0.5, "biber --tool --validate-datamodel": 0.1}
    rows = []
    for name in costs:
        value = ratio(costs, "refkit check", name, "wall")
        held = targets.hold(f"refkit check / {name}, {size} entries", value, goals.get(name))
        rows.append(
            (
                name,
                f"{value:.3f}",
                held,
                f"{ratio(costs, 'refkit check', name):.3f}",
                f"{typical(costs, name, 'wall'):.2f}",
            )
        )
    table(
        f"{size} entries, wall time of refkit check / each, {rounds} rounds",
        ("command", "ratio", "target", "cpu", "s"),
        rows,
    )
    _inside(file, size, rounds, targets)


def _inside(file: Path, size: int, rounds: int, targets: Targets) -> None:
    """Reading and the rules against reading alone, in one process."""
    found = [
        tuple(map(float, run_command([PYTHON, "-c", INSIDE, file]).output.split()[-3:]))
        for _ in range(rounds)
    ]
    middle = sorted((scanned + checked) / read for scanned, checked, read in found)[len(found) // 2]
    rows = [
        (
            "reading raw values and all rules / reading to the full model",
            f"{middle:.2f}",
            targets.hold(f"reading and rules / reading, {size}", middle, 2.0),
        )
    ]
    scan = sorted(checked / scanned for scanned, checked, _ in found)[len(found) // 2]
    rows.append(("all rules / reading raw values", f"{scan:.2f}", ""))
    table("In one process, CPU time", ("what", "ratio", "target"), rows)


def project(rounds: int, targets: Targets) -> None:
    """This project, its pages and provenance included."""
    costs: Rounds = interleave(
        rounds,
        {
            "refkit check": partial(run, [REFKIT, "check", "--format", "json"], cwd=ROOT, ok=(0, 1)),
            "refkit list": partial(run, [REFKIT, "list", "--json"], cwd=ROOT),
            "refkit --version": partial(run, [REFKIT, "--version"], cwd=ROOT),
        },
    )
    beyond = typical(costs, "refkit check") - typical(costs, "refkit --version")
    rows = [
        (
            "refkit check beyond start-up",
            f"{beyond:.2f} s",
            targets.hold("this project, seconds beyond start-up", beyond, 0.5),
        ),
        (
            "of it, reading entries and pages",
            f"{typical(costs, 'refkit list') - typical(costs, 'refkit --version'):.2f} s",
            "",
        ),
    ]
    table("This project, CPU time", ("what", "time", "target"), rows)


def main() -> int:
    """Prints the tables."""
    args = parser(__doc__, rounds=5).parse_args()
    targets = Targets()
    size, rounds = (1_000, 1) if args.quick else (10_000, args.rounds)
    with tempfile.TemporaryDirectory() as folder:
        large(size, rounds, Path(folder), targets)
    project(rounds, targets)
    for name, there in (("bibtex-tidy", BIBTEX_TIDY.exists()), ("biber", shutil.which("biber"))):
        if not there:
            print(f"{name} is not installed and was left out")
    return int(bool(targets.report()) and args.strict)


if __name__ == "__main__":
    sys.exit(main())
