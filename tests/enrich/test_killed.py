"""Runs that are cut off, and two at once: files are always whole, the end is that of an undisturbed run."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.enrich.server import Paper, Server, Work

from refkit.bibtex import read_files

if TYPE_CHECKING:
    from tests.enrich.conftest import Refkit

#: Files of the project, and entries in each.
FILES, ENTRIES = 4, 6
#: Runs ``enrich`` without the pauses between requests: they would make a hundred runs take hours.
CHILD = """
import sys
from types import MappingProxyType
from refkit.enrich import session
session.Session.__init__.__kwdefaults__["intervals"] = MappingProxyType(dict.fromkeys(session.INTERVALS, 0.0))
from refkit.cli import main
sys.exit(main(sys.argv[1:]))
"""


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
        [sys.executable, "-c", CHILD, "enrich"],
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


def _undisturbed(refkit: Refkit, project: Path, tmp_path: Path) -> tuple[dict[str, bytes], float]:
    """The state after a run that nobody disturbs, and how long it took."""
    copy = tmp_path / "undisturbed"
    shutil.copytree(project, copy)
    began = time.monotonic()
    assert _start(refkit, copy).wait(60) == 0
    took = time.monotonic() - began
    shutil.rmtree(tmp_path / "cache")
    return _state(copy), took


def _kill_at_random(refkit: Refkit, project: Path, tmp_path: Path, times: int) -> int:
    """Kills runs at random moments, checks after each; returns how many were killed while they ran."""
    expected, took = _undisturbed(refkit, project, tmp_path)
    chance = random.Random(times)
    killed = 0
    for number in range(times):
        folder = tmp_path / f"run{number}"
        shutil.copytree(project, folder)
        process = _start(refkit, folder)
        # The second half is where files are written: most of the moments are there.
        time.sleep(took * (1 - chance.random() ** 2 * 0.7))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        _check_whole(folder)
        assert _start(refkit, folder).wait(60) == 0
        assert _state(folder) == expected
        assert not list((folder / "bib").glob("*.lock"))
        shutil.rmtree(folder)
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    return killed


def test_a_killed_run_leaves_whole_files_and_the_next_one_ends_the_same(
    refkit: Refkit, project: Path, tmp_path: Path
) -> None:
    _kill_at_random(refkit, project, tmp_path, 3)


@pytest.mark.slow
def test_200_killed_runs_leave_whole_files_and_the_next_ones_end_the_same(
    refkit: Refkit, project: Path, tmp_path: Path
) -> None:
    assert _kill_at_random(refkit, project, tmp_path, 200) > 50


@pytest.mark.parametrize("written", range(FILES + 2))
def test_a_run_that_ends_between_two_files_is_completed_by_the_next(
    refkit: Refkit, project: Path, tmp_path: Path, written: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from refkit import files
    from refkit.cli import main

    expected, _ = _undisturbed(refkit, project, tmp_path)
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
    assert _start(refkit, project).wait(60) == 0
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


def test_two_runs_at_once_end_like_one_after_the_other(refkit: Refkit, project: Path, tmp_path: Path) -> None:
    expected, _ = _undisturbed(refkit, project, tmp_path)

    running = [_start(refkit, project) for _ in range(2)]

    assert [process.wait(60) for process in running] == [0, 0]
    assert _state(project) == expected
