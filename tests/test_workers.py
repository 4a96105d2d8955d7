"""Work shared out to several processes gives what one process would."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from refkit import workers
from refkit.cli import main


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine of three processors, and shares of any size; no process is left over."""
    fork, forked = os.fork, []

    def recorded() -> int:
        forked.append(fork())
        return forked[-1]

    monkeypatch.setattr(os, "fork", recorded)
    monkeypatch.setattr(workers, "_SMALLEST", 1)
    monkeypatch.setattr(workers, "_processors", lambda: 3)
    yield
    for pid in forked:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _numbers(start: int, end: int) -> list[bytearray]:
    return [bytearray(b"%d %d" % (start, os.getpid())), bytearray(b"x" * 200_000 * (end - start))]


@pytest.mark.usefixtures("three")
def test_shares_come_in_their_order_from_processes_of_their_own() -> None:
    shares = list(workers.shared_out(_numbers, 10, 10))
    starts, pids = zip(*(bytes(share[0]).split() for share in shares), strict=True)
    assert starts == (b"0", b"3", b"6")
    assert len(set(pids)) == 3
    assert sum(len(share[1]) for share in shares) == 2_000_000


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("size", [0, 1, 2])
def test_there_are_no_empty_shares(size: int) -> None:
    assert len(list(workers.shared_out(_numbers, size, size))) == max(1, size)


@pytest.mark.usefixtures("three")
def test_an_error_in_a_fork_is_raised_here() -> None:
    def work(start: int, end: int) -> list[bytearray]:
        if start:
            raise ValueError(f"from {start}")
        return []

    with pytest.raises(ValueError, match="from 3"):
        list(workers.shared_out(work, 9, 9))


@pytest.mark.usefixtures("three")
def test_a_killed_fork_costs_nothing_but_time() -> None:
    here = os.getpid()

    def work(start: int, end: int) -> list[bytearray]:
        if os.getpid() != here:
            os.kill(os.getpid(), 9)
        return [bytearray(range(start, end))]

    assert b"".join(bytes(text) for (text,) in workers.shared_out(work, 9, 9)) == bytes(range(9))


@pytest.mark.usefixtures("three")
def test_who_stops_early_leaves_no_process() -> None:
    for _ in workers.shared_out(_numbers, 9, 9):
        break


def test_a_file_is_converted_to_the_same_bytes(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = sorted(map(str, (root / "bib").glob("*.bib")))[:3]
    formats = "bibtex,biblatex,csl-json,ris,zotero-rdf,json"
    one, shared = tmp_path / "one", tmp_path / "shared"
    for folder in (one, shared):
        assert main(["convert", *files, "--to", formats, "-o", str(folder)]) == 0
        assert main(["convert", files[0], "--to", "ris", "-o", str(folder / "alone.ris")]) == 0
        monkeypatch.setattr(workers, "_SMALLEST", 1)
        monkeypatch.setattr(workers, "_processors", lambda: 2)
    names = sorted(path.name for path in one.iterdir())
    assert len(names) == 6 * len(files) + 1
    assert [(one / name).read_bytes() for name in names] == [(shared / name).read_bytes() for name in names]
