"""Reading and converting .bib files against pybtex, pandoc and citation-js.

    python benchmarks/bench_convert.py [--quick] [--large] [--rounds N] [--strict]

Whole processes, start-up included; peers that are not installed are named and left out. pandoc writes one
format (CSL-JSON) where refkit and citation-js write three.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from measure import Cost, Rounds, Targets, interleave, parser, ratio, run, table, typical
from synthetic import bibliography, refkit_site

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
REFKIT = Path(PYTHON).with_name("refkit")
CITATION_JS = ROOT / "tests" / "clients" / "node" / "convert.mjs"

#: Parses to pybtex's model: names split, no TeX decoded.
PYBTEX = """\
import sys
from pybtex.database import parse_file
print(len(parse_file(sys.argv[1], "bibtex").entries))
"""
#: Parses to refkit's full model: names split, every value decoded to plain text, date and identifiers read.
READ = """\
import sys
from refkit.bibtex import read_file
from refkit.model import NAME_FIELDS
count = 0
for entry in read_file(sys.argv[1]).entries:
    for name in entry:
        entry.names(name) if name in NAME_FIELDS else entry.text(name)
    entry.date, entry.doi, entry.arxiv, entry.url
    count += 1
print(count)
"""


class Tools:
    """The peers that are there, and the files that they are tried on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pandoc = _pandoc()
        self.node = shutil.which("node") if (CITATION_JS.parent / "node_modules").is_dir() else None

    def bib(self, size: int) -> Path:
        """A .bib file with this many entries."""
        file = self.folder / f"{size}.bib"
        if not file.exists():
            with file.open("w", encoding="utf-8") as out:
                out.writelines(bibliography(size))
        return file

    def out(self, name: str) -> Path:
        """An empty folder for output."""
        folder = self.folder / f"out-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def three_formats(self, files: list[Path]) -> dict[str, Callable[[], Cost]]:
        """Conversion of one file by refkit and peers."""
        commands: dict[str, Callable[[], Cost]] = {"refkit": partial(self.refkit, files[0])}
        if self.pandoc:
            commands["pandoc"] = partial(self._pandoc, files[0])
        commands |= self.citation_js(files)
        return commands

    def citation_js(self, files: list[Path]) -> dict[str, Callable[[], Cost]]:
        """citation-js writing three formats for each file, in one process."""
        if not self.node:
            return {}
        return {"citation-js": partial(self._citation_js, files)}

    def refkit(self, file: Path) -> Cost:
        """refkit writing three formats; that no entry is lost is checked."""
        out = self.out("refkit")
        cost = run([REFKIT, "convert", file, "--to", "csl-json,ris,bibtex", "-o", out])
        items = len(json.loads((out / f"{file.stem}.json").read_text("utf-8")))
        if items != int(file.stem):
            raise RuntimeError(f"refkit wrote {items} of the {file.stem} entries of {file.name}")
        return cost

    def _pandoc(self, file: Path) -> Cost:
        assert self.pandoc
        return run(
            [self.pandoc, "-f", "bibtex", "-t", "csljson", file, "-o", self.out("pandoc") / "items.json"]
        )

    def _citation_js(self, files: list[Path]) -> Cost:
        assert self.node
        return run([self.node, CITATION_JS, self.out("citation-js"), "data,ris,bibtex", *files])


def _pandoc() -> str | None:
    try:
        import pypandoc
    except ImportError:
        return None
    path: str = pypandoc.get_pandoc_path()
    return path


def startup(rounds: int, targets: Targets) -> None:
    """What a command costs that does nothing."""
    costs = interleave(
        rounds,
        {
            "python -c pass": partial(run, [PYTHON, "-c", "pass"]),
            "refkit --version": partial(run, [REFKIT, "--version"]),
            "import pybtex.database": partial(run, [PYTHON, "-c", "import pybtex.database"]),
        },
    )
    rows = []
    for name in costs:
        value = ratio(costs, name, "python -c pass")
        target = targets.hold(name, value, 5.0) if name.startswith("refkit") else ""
        rows.append((name, f"{value:.2f}", target, f"{typical(costs, name) * 1000:.0f}"))
    table(f"Start-up, CPU time / python -c pass, {rounds} rounds", ("command", "ratio", "target", "ms"), rows)


def read(tools: Tools, size: int, rounds: int, targets: Targets, target: float | None) -> None:
    """Reading to the full model against pybtex's parse, which decodes nothing."""
    file = tools.bib(size)
    costs = interleave(
        rounds,
        {
            "pybtex": partial(run, [PYTHON, "-c", PYBTEX, file]),
            "refkit": partial(run, [PYTHON, "-c", READ, file]),
        },
    )
    for name, found in costs.items():
        if int(found[0].output.split()[-1]) != size:
            raise RuntimeError(f"{name} read {found[0].output.strip()} of {size} entries")
    value = ratio(costs, "refkit", "pybtex", "wall")
    rows = [
        (
            f"{value:.2f}",
            targets.hold(f"read {size}", value, target),
            f"{ratio(costs, 'refkit', 'pybtex'):.2f}",
            *_figures(costs, "pybtex"),
            *_figures(costs, "refkit"),
        )
    ]
    head = ("wall ratio", "target", "cpu ratio", "pybtex s", "MB", "refkit s", "MB")
    table(f"Read {size} entries to the full model / pybtex's parse, {rounds} rounds", head, rows)


def _figures(costs: Rounds, name: str) -> tuple[str, str]:
    return f"{typical(costs, name, 'wall'):.2f}", f"{typical(costs, name, 'memory'):.0f}"


def convert(tools: Tools, size: int, rounds: int, targets: Targets, goals: dict[str, float]) -> Cost:
    """One file to three formats against pandoc (one format) and citation-js (three); refkit's last cost."""
    costs = interleave(rounds, tools.three_formats([tools.bib(size)]))
    rows = []
    for peer in costs:
        value = ratio(costs, "refkit", peer, "wall")
        held = targets.hold(f"convert {size} / {peer}", value, goals.get(peer))
        rows.append(
            (peer, f"{value:.3f}", held, f"{ratio(costs, 'refkit', peer):.3f}", *_figures(costs, peer))
        )
    head = ("peer", "refkit / peer, wall", "target", "cpu", "peer s", "peer MB")
    table(f"Convert {size} entries to CSL-JSON, RIS and BibTeX, {rounds} rounds", head, rows)
    return costs["refkit"][-1]


def scale(tools: Tools, targets: Targets) -> None:
    """100,000 entries: growth, and time and memory against pybtex's parse; one round."""
    small = convert(tools, 10_000, 1, targets, {})
    file = tools.bib(100_000)
    large = tools.refkit(file)
    parse = run([PYTHON, "-c", PYBTEX, file])
    figures = [
        ("CPU(100k) / CPU(10k)", large.cpu / small.cpu, 11.0),
        ("wall / pybtex's parse", large.wall / parse.wall, 0.6),
        ("peak memory / pybtex's", large.memory / parse.memory, 1.75),
    ]
    rows = [(name, f"{value:.2f}", targets.hold(name, value, goal)) for name, value, goal in figures]
    table("100,000 entries to three formats", ("figure", "value", "target"), rows)


def bundles(tools: Tools, sections: int, entries: int, rounds: int, targets: Targets) -> None:
    """Three files for each section of a project.

    ``convert`` does what the peers do; ``export`` also reads the pages, writes their annotations, and the
    bundles of all sections.
    """
    site = refkit_site(tools.folder / "bundles", sections, entries, extras=True)
    files = sorted((site.root / "bib").glob("*.bib"))
    formats = "--format csl-json,ris,bibtex"
    convert = [REFKIT, "convert", *files, "--to", "csl-json,ris,bibtex"]
    commands: dict[str, Callable[[], Cost]] = {
        "refkit": lambda: run([*convert, "-o", tools.out("refkit")]),
        "refkit export": lambda: run(
            [REFKIT, "export", *formats.split(), "--out", tools.out("export")], site.root
        ),
    }
    commands |= tools.citation_js(files)
    if tools.pandoc:
        commands["pandoc, a process per section, CSL-JSON only"] = partial(_pandoc_loop, tools.pandoc, files)
    costs = interleave(rounds, commands)
    goals = {"citation-js": 0.6, "pandoc, a process per section, CSL-JSON only": 0.2}
    rows = []
    for peer in costs:
        value = ratio(costs, "refkit", peer, "wall")
        held = targets.hold(f"bundles / {peer}", value, goals.get(peer))
        rows.append(
            (peer, f"{value:.3f}", held, f"{ratio(costs, 'refkit', peer):.3f}", *_figures(costs, peer))
        )
    head = ("peer", "refkit / peer, wall", "target", "cpu", "peer s", "peer MB")
    table(f"Bundles of {sections} sections x {entries} entries, three formats, {rounds} rounds", head, rows)


def _pandoc_loop(pandoc: str, files: list[Path]) -> Cost:
    costs = [run([pandoc, "-f", "bibtex", "-t", "csljson", file]) for file in files]
    return Cost(
        sum(cost.wall for cost in costs),
        sum(cost.cpu for cost in costs),
        max(cost.memory for cost in costs),
        "",
    )


def main() -> int:
    """Runs the benchmark; with ``--strict`` the exit status is 1 where a target was missed."""
    options = parser(__doc__, rounds=3).parse_args()
    rounds = 1 if options.quick else options.rounds
    targets = Targets()
    with tempfile.TemporaryDirectory(prefix="refkit-bench-") as folder:
        tools = Tools(Path(folder))
        for name in ("pandoc", "node"):
            if not getattr(tools, name):
                print(f"left out, not installed: {name}")
        startup(5 * rounds, targets)
        convert(tools, 119, 3 * rounds, targets, {"pandoc": 0.4})
        read(tools, 1000, rounds, targets, None)
        convert(tools, 1000, rounds, targets, {})
        if not options.quick:
            bundles(tools, 100, 20, rounds, targets)
            read(tools, 10_000, rounds, targets, 0.5)
            convert(tools, 10_000, rounds, targets, {"pandoc": 0.20, "citation-js": 0.75})
        if options.large:
            scale(tools, targets)
    return int(bool(targets.report() and options.strict))


if __name__ == "__main__":
    sys.exit(main())
