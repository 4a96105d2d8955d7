"""Runs that are cut off, and two at once: files are always whole, the end is that of an undisturbed run."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.enrich.server import Paper, Server, Work

from refkit.bibtex import read_files

if TYPE_CHECKING:
    from tests.enrich.conftest import Refkit

#: Files of the project, and entries in each.
FILES, ENTRIES = 4, 6
#: Runs ``enrich`` again and again, each time in a process of its own that has everything imported already,
#: and without the pauses between requests. A line names the folder to run in; an empty one asks for the exit
#: status, which is collected only then: nobody else can have the number of a process that is to be killed.
RUNNER = """
import os, sys
from types import MappingProxyType
from refkit.cli import main
from refkit.cli import enrich as _, progress as _
from refkit.enrich import arxiv as _, cache as _, doi as _, lookup as _, run as _, session
from refkit.values import names as _, dates as _
session.Session.__init__.__kwdefaults__["intervals"] = MappingProxyType(dict.fromkeys(session.INTERVALS, 0.0))
for line in iter(sys.stdin.readline, ""):
    pid = os.fork()
    if pid == 0:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        os.chdir(line.rstrip())
        os._exit(main(["enrich"]))
    print(pid, flush=True)
    sys.stdin.readline()
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


class Runner:
    """Runs of ``enrich`` that are quick to start."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", RUNNER],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def _say(self, line: str) -> int:
        """A line to the runner, and the number that it answers with."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{line}\n")
        return int(self._process.stdout.readline())

    def run(self, folder: Path, kill_after: float | None = None) -> int:
        """The exit status of a run; it is killed after so many seconds."""
        pid = self._say(str(folder))
        if kill_after is not None:
            time.sleep(kill_after)
            os.kill(pid, signal.SIGKILL)
        return self._say("")

    def close(self) -> None:
        """End the runner."""
        self._process.communicate(timeout=30)


@pytest.fixture
def runner(refkit: Refkit) -> Iterator[Runner]:
    """Runs of ``enrich`` that are quick to start."""
    running = Runner(refkit.environment)  # type: ignore[attr-defined]  # set by the fixture
    yield running
    running.close()


@pytest.fixture
def project(tmp_path: Path, server: Server) -> Path:
    """A project whose every entry gains fields from a service."""
    folder = tmp_path / "project"
    (folder / "bib").mkdir(parents=True)
    (folder / "refkit.toml").write_text('bib = "bib"\n')
    for number in range(FILES):
        entries = []
        for count in range(ENTRIES):
            key = f"k{number}{count}"
            if count % 2:
                entries.append(f"@article{{{key},\n  doi = {{10.5555/{key}}},\n  volume = {{99}},\n}}\n")
                server.add(_work(key))
            else:
                entries.append(
                    f"@misc{{{key},\n  eprint = {{2101.0{number}{count:03}}},\n"
                    "  eprinttype = {arxiv},\n}\n"
                )
                server.add(Paper(f"2101.0{number}{count:03}", f"Title of {key}", ["Ada Lee"], "2021-01-04"))
        (folder / "bib" / f"{number}.bib").write_text("\n".join(entries))
    return folder


def _work(key: str) -> Work:
    csl: dict[str, Any] = {"DOI": f"10.5555/{key}", "type": "journal-article", "source": "Crossref"}
    csl |= {
        "title": f"Title of {key}",
        "container-title": "J",
        "volume": "1",
        "issued": {"date-parts": [[2020, 5]]},
    }
    return Work(csl | {"author": [{"given": "Ada", "family": "Lee"}]})


def _start(refkit: Refkit, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "refkit", "enrich"],
        cwd=folder,
        env=refkit.environment,  # type: ignore[attr-defined]  # set by the fixture
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _state(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in sorted((folder / "bib").iterdir())
        if not path.name.startswith(".")
    }


def _check_whole(folder: Path) -> None:
    """Every file can be read, and has all its entries."""
    bibliography = read_files(sorted((folder / "bib").glob("*.bib")))
    assert not bibliography.diagnostics
    assert len(bibliography) == FILES * ENTRIES
    noted = folder / "bib" / "provenance.json"
    if noted.exists():
        assert json.loads(noted.read_text("utf-8"))["version"] == 1
        assert noted.read_text("utf-8").endswith("\n")


def _undisturbed(runner: Runner, project: Path, tmp_path: Path) -> tuple[dict[str, bytes], float]:
    """The state after a run that nobody disturbs, and how long it took."""
    copy = tmp_path / "undisturbed"
    shutil.copytree(project, copy)
    began = time.monotonic()
    assert runner.run(copy) == 0
    took = time.monotonic() - began
    shutil.rmtree(tmp_path / "cache")
    return _state(copy), took


def _kill_at_random(runner: Runner, project: Path, tmp_path: Path, times: int) -> int:
    """Kills runs at random moments, checks after each; returns how many were killed while they ran."""
    expected, took = _undisturbed(runner, project, tmp_path)
    chance = random.Random(times)
    killed = 0
    for number in range(times):
        folder = tmp_path / f"run{number}"
        shutil.copytree(project, folder)
        # Files are written at the end: most of the moments are there.
        killed += runner.run(folder, took * (1.05 - chance.random() ** 2)) == -signal.SIGKILL
        _check_whole(folder)
        assert runner.run(folder) == 0
        assert _state(folder) == expected
        assert not list((folder / "bib").glob("*.lock"))
        shutil.rmtree(folder)
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    return killed


def test_a_killed_run_leaves_whole_files_and_the_next_one_ends_the_same(
    runner: Runner, project: Path, tmp_path: Path
) -> None:
    _kill_at_random(runner, project, tmp_path, 5)


@pytest.mark.slow
def test_200_killed_runs_leave_whole_files_and_the_next_ones_end_the_same(
    runner: Runner, project: Path, tmp_path: Path
) -> None:
    assert _kill_at_random(runner, project, tmp_path, 200) > 50


@pytest.mark.parametrize("written", range(FILES + 2))
def test_a_run_that_ends_between_two_files_is_completed_by_the_next(
    refkit: Refkit,
    runner: Runner,
    project: Path,
    tmp_path: Path,
    written: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from refkit import files
    from refkit.cli import main

    expected, _ = _undisturbed(runner, project, tmp_path)
    write, count = files.write_if_changed, 0

    def stop_after(path: Path, data: bytes) -> bool:
        nonlocal count
        if count == written:
            raise KeyboardInterrupt
        count += 1
        return write(path, data)

    for name, value in refkit.environment.items():  # type: ignore[attr-defined]  # set by the fixture
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(project)
    with monkeypatch.context() as patched:
        patched.setattr(files, "write_if_changed", stop_after)
        status = main(["enrich"])
    _check_whole(project)

    assert status == (130 if written <= FILES else 0)
    assert runner.run(project) == 0
    assert _state(project) == expected


def test_ctrl_c_ends_with_130_and_whole_files(refkit: Refkit, project: Path, server: Server) -> None:
    from tests.enrich.server import Fault

    server.fail("arxiv", Fault(kind="silence"))
    before = _state(project)
    process = _start(refkit, project)
    deadline = time.monotonic() + 20
    while not server.asked("arxiv") and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)

    assert process.wait(10) == 130
    assert _state(project) == before


def test_after_ctrl_c_the_next_run_asks_only_for_the_rest(
    refkit: Refkit, project: Path, server: Server
) -> None:
    from tests.enrich.server import Fault

    server.fail("arxiv", Fault(kind="silence", times=1))
    process = _start(refkit, project)
    deadline = time.monotonic() + 20
    while len(server.asked("crossref")) < FILES * ENTRIES // 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.wait(10)
    asked = len(server.asked("crossref"))

    assert _start(refkit, project).wait(60) == 0
    assert len(server.asked("crossref")) == asked


def test_two_runs_at_once_end_like_one_after_the_other(
    refkit: Refkit, runner: Runner, project: Path, tmp_path: Path
) -> None:
    expected, _ = _undisturbed(runner, project, tmp_path)

    running = [_start(refkit, project) for _ in range(2)]

    assert [process.wait(60) for process in running] == [0, 0]
    assert _state(project) == expected
