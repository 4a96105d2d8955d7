"""Runs commands side by side and compares what they cost.

All commands of a comparison run one after another in each round, in a rotated order, and a figure is the
median of the rounds' ratios: on a shared machine the same command drifts by a factor of two within minutes,
its ratio to another one does not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

#: Installed peers come with compiled modules; ours are compiled on first use, unless that is switched off.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Cost(NamedTuple):
    """What one run of a command took, its children included."""

    #: Seconds.
    wall: float
    #: Seconds of processor time, user and system.
    cpu: float
    #: Peak resident memory in MB; below about 15 it is this program's own.
    memory: float
    #: What it printed, standard error included.
    output: str


def parser(doc: str | None, rounds: int) -> argparse.ArgumentParser:
    """The options that every benchmark has; ``make bench`` passes the same to all of them."""
    options = argparse.ArgumentParser(description=(doc or "").split("\n", 1)[0])
    options.add_argument("--rounds", type=int, default=rounds)
    options.add_argument("--quick", action="store_true", help="small inputs, one round")
    options.add_argument(
        "--large", action="store_true", help="also what takes many minutes and 3 GB of memory"
    )
    options.add_argument("--strict", action="store_true", help="exit status 1 where a target was missed")
    return options


def run(command: Sequence[str | Path], cwd: Path | None = None) -> Cost:
    """Runs a command to its end.

    Raises:
        RuntimeError: it failed; the message has what it printed.
    """
    with tempfile.TemporaryFile() as printed:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command], cwd=cwd, env=ENVIRONMENT, stdout=printed, stderr=printed
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        output = printed.read().decode("utf-8", "replace")
    if process.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{output[-3000:]}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


Rounds = dict[str, list[Cost]]


def interleave(rounds: int, commands: Mapping[str, Callable[[], Cost]]) -> Rounds:
    """Runs every command once a round, each round beginning with another one."""
    names = list(commands)
    costs: Rounds = {name: [] for name in names}
    for number in range(rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            _progress(f"round {number + 1} of {rounds}: {name}")
            costs[name].append(commands[name]())
    _progress("")
    return costs


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def ratio(costs: Rounds, name: str, peer: str, what: str = "cpu") -> float:
    """The median of the rounds' ratios of two commands."""
    pairs = zip(costs[name], costs[peer], strict=True)
    return median(getattr(one, what) / getattr(other, what) for one, other in pairs)


def typical(costs: Rounds, name: str, what: str = "cpu") -> float:
    """The median of a command's figures."""
    return median(getattr(cost, what) for cost in costs[name])


class Targets:
    """Figures held against their targets."""

    def __init__(self) -> None:
        self.missed: list[str] = []
        self.met = 0

    def hold(self, name: str, value: float, target: float | None) -> str:
        """The target and whether the value keeps it, for a table."""
        if target is None:
            return ""
        if value <= target:
            self.met += 1
            return f"<= {target:g}"
        self.missed.append(f"{name}: {value:.2f}, target {target:g}")
        return f"<= {target:g} MISSED"

    def report(self) -> int:
        """Prints the outcome; the number of targets missed."""
        print(f"\n{self.met} targets met, {len(self.missed)} missed")
        for line in self.missed:
            print(f"  {line}")
        return len(self.missed)


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints an aligned table, as Markdown."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    print(f"\n{title}\n", flush=True)
    for number, line in enumerate(lines):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    sys.stdout.flush()
