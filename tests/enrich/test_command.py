"""``refkit enrich`` as people and programs see it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.enrich.server import Fault, Paper, Server, Work

if TYPE_CHECKING:
    from tests.enrich.conftest import Refkit

ARTICLE = "@article{a,\n  volume = {99},\n  doi = {10.5555/sort.1},\n}\n"


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    """A file outside of any project."""
    path = tmp_path / "refs.bib"
    path.write_text(ARTICLE)
    return path


def test_json_is_all_that_stands_on_standard_output(
    refkit: Refkit, server: Server, work: Work, bib: Path
) -> None:
    server.add(work)

    done = refkit("enrich", "--bib", "refs.bib", "--json")

    result = json.loads(done.stdout)
    assert list(result) == ["changes", "diagnostics"]
    change = next(change for change in result["changes"] if change["field"] == "journal")
    source = "Crossref 10.5555/sort.1"
    assert change == {
        "key": "a",
        "field": "journal",
        "old": None,
        "new": "Journal of Sorting",
        "source": source,
    }
    found = result["diagnostics"][0]
    assert set(found) == {"severity", "code", "key", "file", "line", "message", "fixable"}
    assert (found["code"], found["key"], found["file"], found["line"]) == ("mismatch", "a", "refs.bib", 1)


def test_a_dry_run_prints_a_diff(refkit: Refkit, server: Server, work: Work, bib: Path) -> None:
    server.add(work)

    done = refkit("enrich", "--bib", "refs.bib", "--dry-run")

    assert "--- refs.bib" in done.stdout
    assert "+  journal = {Journal of Sorting}," in done.stdout
    assert not [
        line for line in done.stdout.splitlines() if line.startswith("-") and not line.startswith("---")
    ]
    assert bib.read_text() == ARTICLE


def test_outside_of_a_project_only_the_bib_file_is_written(
    refkit: Refkit, server: Server, work: Work, bib: Path, tmp_path: Path
) -> None:
    server.add(work)

    refkit("enrich", "--bib", "refs.bib")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "refs.bib"]


def test_progress_stays_off_a_pipe(refkit: Refkit, server: Server, work: Work, bib: Path) -> None:
    server.add(work)

    assert "\r" not in refkit("enrich", "--bib", "refs.bib").stderr


def test_progress_says_on_a_terminal_what_is_asked(
    refkit: Refkit, server: Server, work: Work, bib: Path
) -> None:
    server.add(work)
    control, terminal = pty.openpty()
    environment = refkit.environment | {"COLUMNS": "120"}  # type: ignore[attr-defined]  # set by the fixture
    command = [sys.executable, "-m", "refkit", "enrich", "--bib", "refs.bib"]
    process = subprocess.Popen(
        command, cwd=bib.parent, env=environment, stdout=subprocess.PIPE, stderr=terminal
    )
    process.communicate(timeout=60)
    os.close(terminal)
    shown = os.read(control, 100_000).decode()
    os.close(control)

    assert "asking the DOI services for 1 work" in shown
    assert "1/1" in shown


@pytest.mark.parametrize(
    ("text", "fault", "status"),
    [
        ("@online{a, title = {T}, url = {https://example.org/}}\n", None, 0),
        (ARTICLE, None, 0),
        ("@article{a, doi = {10.5555/none}}\n", None, 1),
        ("@article{a, doi = {nonsense}}\n", None, 1),
        ("@misc{a, eprint = {2101.99999}, archiveprefix = {arXiv}}\n", None, 1),
        (
            "@misc{a, eprint = {2101.00001}, archiveprefix = {arXiv}}\n",
            Fault(200, {}, b"<html>Sorry</html>"),
            1,
        ),
        ("@misc{a, eprint = {2101.00001}, archiveprefix = {arXiv}}\n", Fault(503), 3),
        (ARTICLE, Fault(429), 3),
    ],
)
def test_exit_status(
    refkit: Refkit, server: Server, work: Work, bib: Path, text: str, fault: Fault | None, status: int
) -> None:
    server.add(work)
    bib.write_text(text)
    for service in ("arxiv", "doi") if fault else ():
        server.fail(service, fault)  # type: ignore[arg-type]  # there is one

    assert refkit("enrich", "--bib", "refs.bib", REFKIT_TIMEOUT="1").returncode == status


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bib", "missing.bib"], "missing.bib: there is no such file"),
        (["--bib", "refs.bib", "nobody"], "there is no entry 'nobody' in refs.bib"),
        (["--bib", "refs.bib", "--overwrite", "a"], "--overwrite takes KEY.FIELD"),
        (["--bib", "refs.bib", "--overwrite", "b.title"], "there is no entry 'b'"),
        (["--bib", "refs.bib", "--offline", "--refresh"], "exclude each other"),
        ([], "there is no .bib file in bib"),
    ],
)
def test_wrong_usage(refkit: Refkit, server: Server, bib: Path, arguments: list[str], message: str) -> None:
    done = refkit("enrich", *arguments)

    assert done.returncode == 2
    assert message in done.stderr
    assert not server.requests


def test_overwrite_names_key_and_field(refkit: Refkit, server: Server, work: Work, bib: Path) -> None:
    server.add(work)

    refkit("enrich", "--bib", "refs.bib", "--overwrite", "a.volume")

    assert "volume = {12}" in bib.read_text()


def test_a_service_that_is_down_is_told_once_for_all_entries(
    refkit: Refkit, server: Server, bib: Path
) -> None:
    bib.write_text(
        "".join(f"@misc{{k{n}, eprint = {{2101.0000{n}}}, archiveprefix = {{arXiv}}}}\n" for n in range(1, 9))
    )
    server.fail("arxiv", Fault(503))

    done = refkit("enrich", "--bib", "refs.bib", REFKIT_TIMEOUT="1")

    lines = [line for line in done.stderr.splitlines() if "arxiv-unreachable" in line]
    assert len(lines) == 1
    assert "8 entries" in lines[0]


def test_quiet_says_errors_only(refkit: Refkit, server: Server, work: Work, bib: Path) -> None:
    server.add(work)

    assert refkit("-q", "enrich", "--bib", "refs.bib").stderr == ""


def test_a_file_that_cannot_be_written_is_told_and_stays(
    refkit: Refkit, server: Server, work: Work, tmp_path: Path
) -> None:
    server.add(work)
    # No file beside it can have a longer name: nobody can write there, not even root.
    file = tmp_path / f"{'r' * 250}.bib"
    file.write_text(ARTICLE)

    done = refkit("enrich", "--bib", file.name)

    assert done.returncode == 2
    assert file.name in done.stderr
    assert file.read_text() == ARTICLE


def test_the_contact_is_sent(refkit: Refkit, server: Server, paper: Paper, bib: Path) -> None:
    server.add(paper)
    bib.write_text("@misc{a, eprint = {2101.00001}, archiveprefix = {arXiv}}\n")

    refkit("enrich", "--bib", "refs.bib", REFKIT_MAILTO="me@example.org")

    assert "refkit/" in server.requests[0].headers["user-agent"]
    assert "mailto:me@example.org" in server.requests[0].headers["user-agent"]


def test_overwrite_means_that_entry_alone(
    refkit: Refkit, server: Server, work: Work, paper: Paper, bib: Path
) -> None:
    server.add(work, paper)
    bib.write_text(ARTICLE + "@misc{b, eprint = {2101.00001}, archiveprefix = {arXiv}}\n")

    refkit("enrich", "--bib", "refs.bib", "--overwrite", "a.volume")

    assert not server.asked("arxiv")


def test_that_nothing_was_there_to_overwrite_with_is_told(
    refkit: Refkit, server: Server, work: Work, bib: Path
) -> None:
    server.add(work)

    done = refkit("enrich", "--bib", "refs.bib", "--overwrite", "a.note")

    assert "note was not overwritten" in done.stderr
