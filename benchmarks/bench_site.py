"""Building a site with refkit against building the same text as a plain Sphinx project.

    python benchmarks/bench_site.py [--quick] [--rounds N] [--sizes 29x4,100x20,200x50] [--strict]

CPU time, whole processes, start-up included. "off" and "on": without and with work pages and bundles, of
which a plain project has no counterpart. "touch" is compared with the plain project's no-op.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import NamedTuple

from measure import Cost, Rounds, Targets, interleave, parser, ratio, run, table, typical
from synthetic import Site, plain_site, refkit_site

STEPS = ("cold", "no-op", "edited", "touch")
VARIANTS = ("plain", "off", "on")
#: (size, variant) -> step -> the most that it may cost, as a multiple of plain Sphinx.
TARGETS: dict[tuple[str, str], dict[str, float]] = {
    ("29x4", "off"): {"cold": 1.6, "no-op": 1.3, "edited": 1.5, "touch": 1.3},
    ("29x4", "on"): {"cold": 3.0, "no-op": 1.5, "edited": 2.0, "touch": 1.5},
    ("100x20", "off"): {"cold": 2.5, "no-op": 2.5, "edited": 5.0, "touch": 2.5},
    ("100x20", "on"): {"cold": 4.0, "no-op": 2.5, "touch": 2.5},
}
#: Measured in one round, which takes ten minutes.
ONCE = ("200x50",)
#: The cost of a work does not grow with their number; a tenth is what one round differs from the next.
GROWTH = 1.1


class Built(NamedTuple):
    """How many pages a step read and wrote."""

    read: int
    written: int


class Project:
    """One synthetic project with its output; builds it and counts pages."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.out = site.root / "out"
        self.pages: dict[str, Built] = {}

    def step(self, name: str) -> Cost:
        """Brings the project into the state that the step is about, builds it, and undoes nothing."""
        if name == "cold":
            self.site.restore()
            shutil.rmtree(self.out, ignore_errors=True)
        elif name == "edited":
            self.site.edit()
        elif name == "touch":
            self.site.touched.touch()
        return self._build(name)

    def _build(self, name: str) -> Cost:
        before = self._stamps()
        root = self.site.root
        cost = run(
            [
                sys.executable,
                "-m",
                "sphinx",
                "-c",
                root,
                "-d",
                self.out / "doctrees",
                root / "docs",
                self.out / "html",
            ]
        )
        if found := re.search(r"^WARNING.*|.*: (?:WARNING|ERROR).*", cost.output, re.M):
            raise RuntimeError(f"the build of {root.name} warns: {found[0]}")
        after = self._stamps()
        written = sum(stamp != before.get(file) for file, stamp in after.items())
        counts = re.search(r"(\d+) added, (\d+) changed", cost.output)
        self.pages[name] = Built(int(counts[1]) + int(counts[2]) if counts else 0, written)
        return cost

    def _stamps(self) -> dict[Path, int]:
        return {file: file.stat().st_mtime_ns for file in (self.out / "html").rglob("*.html")}


def measure(size: str, rounds: int, folder: Path) -> tuple[dict[str, Rounds], dict[str, Project]]:
    """All steps of all variants; a step is run for each variant before the next one is."""
    sections, entries = map(int, size.split("x"))
    projects = {
        "plain": Project(plain_site(folder / size / "plain", sections, entries)),
        "off": Project(refkit_site(folder / size / "off", sections, entries, extras=False)),
        "on": Project(refkit_site(folder / size / "on", sections, entries, extras=True)),
    }
    costs: dict[str, Rounds] = {step: {name: [] for name in VARIANTS} for step in STEPS}
    for number in range(rounds):
        order = VARIANTS[number % 3 :] + VARIANTS[: number % 3]
        for step in STEPS:
            # A plain project has no .bib file to touch: its no-op stands for that.
            wanted = [name for name in order if (step, name) != ("touch", "plain")]
            commands = {name: partial(projects[name].step, step) for name in wanted}
            for name, (cost,) in interleave(1, commands).items():
                costs[step][name].append(cost)
    return costs, projects


def report(size: str, costs: dict[str, Rounds], projects: dict[str, Project], targets: Targets) -> None:
    """Prints the table of one size."""
    rows = []
    for variant in VARIANTS[1:]:
        for step in STEPS:
            peer = "no-op" if step == "touch" else step
            pair = {"refkit": costs[step][variant], "plain": costs[peer]["plain"]}
            value = ratio(pair, "refkit", "plain")
            target = TARGETS.get((size, variant), {}).get(step)
            built = projects[variant].pages[step]
            rows.append(
                (
                    variant,
                    step,
                    f"{value:.2f}",
                    targets.hold(f"{size} {variant} {step}", value, target),
                    f"{typical(pair, 'plain'):.2f}",
                    f"{typical(pair, 'refkit'):.2f}",
                    f"{typical(pair, 'refkit', 'memory'):.0f}",
                    f"{built.read} / {built.written}",
                )
            )
    head = ("extras", "step", "ratio", "target", "plain s", "refkit s", "MB", "read / written")
    table(
        f"Sections x entries: {size}, CPU time / plain Sphinx, {len(costs['cold']['plain'])} rounds",
        head,
        rows,
    )


def per_work(size: str, cold: Rounds, variant: str) -> float:
    """Milliseconds that a cold build takes for each work beyond the plain project's."""
    sections, entries = map(int, size.split("x"))
    return (typical(cold, variant) - typical(cold, "plain")) * 1000 / (sections * entries)


def grow(growth: dict[str, list[tuple[str, float]]], targets: Targets) -> None:
    """Prints how the cost of a work grows from each size to the next."""
    rows = []
    for variant, values in growth.items():
        known = 0.0
        for size, value in values:
            held = targets.hold(f"{size} {variant}, cost of a work", value / known, GROWTH) if known else ""
            rows.append((variant, size, f"{value:.1f}", f"{value / known:.2f}" if known else "", held))
            known = value
    head = ("extras", "size", "ms per work", "growth", "target")
    table("Cold cost of a work above plain Sphinx, and its growth from one size to the next", head, rows)


def main() -> int:
    """Runs the benchmark; with ``--strict`` the exit status is 1 where a target was missed."""
    arguments = parser(__doc__, rounds=3)
    arguments.add_argument("--sizes", default="29x4,100x20,200x50", help="sections x entries")
    options = arguments.parse_args()
    sizes, rounds = (["29x4"], 1) if options.quick else (options.sizes.split(","), options.rounds)
    targets = Targets()
    growth: dict[str, list[tuple[str, float]]] = {name: [] for name in VARIANTS[1:]}
    with tempfile.TemporaryDirectory(prefix="refkit-bench-") as folder:
        for size in sizes:
            costs, projects = measure(size, 1 if size in ONCE else rounds, Path(folder))
            report(size, costs, projects, targets)
            for variant, values in growth.items():
                values.append((size, per_work(size, costs["cold"], variant)))
    grow(growth, targets)
    return int(bool(targets.report() and options.strict))


if __name__ == "__main__":
    sys.exit(main())
