"""All services side by side, and over several processes."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.enrich.conftest import AT_ONCE, Refkit
from tests.enrich.server import Fault, Paper, Server, Work

from refkit.enrich.lookup import Wanted, lookup, recorded
from refkit.enrich.session import Session
from refkit.identifiers import ArxivId

if TYPE_CHECKING:
    from refkit.config import Config


def test_a_slow_service_does_not_hold_up_another(
    settings: Config, server: Server, paper: Paper, work: Work
) -> None:
    server.add(paper, work)
    server.fail("arxiv", Fault(kind="silence"))
    session = Session(settings._replace(timeout=1.0), intervals=AT_ONCE)
    arrived: list[tuple[str, float]] = []
    began = time.monotonic()

    lookup(
        session,
        Wanted((ArxivId(paper.id),), (work.doi,)),
        tell=lambda answer: arrived.append((answer.scheme, time.monotonic() - began)),
    )

    assert [scheme for scheme, _ in arrived] == ["doi", "arxiv"]
    assert arrived[0][1] < 0.9


def test_a_run_ends_in_time_when_everything_answers_429(settings: Config, server: Server) -> None:
    for service in ("arxiv", "doi", "crossref", "datacite"):
        server.fail(service, Fault(429))
    timeout = 1.0
    wanted = Wanted(
        tuple(ArxivId(f"2101.{n:05}") for n in range(41)), tuple(f"10.5555/{n}" for n in range(14))
    )
    session = Session(settings._replace(timeout=timeout))  # with the true intervals
    began = time.monotonic()

    answers = lookup(session, wanted)

    assert time.monotonic() - began < 4 * timeout + 0.5
    assert {answer.state for answer in answers} == {"unreachable"}
    assert len(answers) == 55


def test_offline_asks_nobody_and_says_what_is_not_recorded(
    session: Session, server: Server, paper: Paper
) -> None:
    server.add(paper)
    lookup(session, Wanted((ArxivId(paper.id),)))
    count = len(server.requests)

    answers = recorded(session, Wanted((ArxivId(paper.id),), ("10.5555/x",)))

    assert [answer.state for answer in answers] == ["found", "offline"]
    assert len(server.requests) == count


def test_a_damaged_record_is_asked_for_again(
    session: Session, server: Server, paper: Paper, tmp_path: Path
) -> None:
    server.add(paper)
    lookup(session, Wanted((ArxivId(paper.id),)))
    for file in (tmp_path / "cache" / "records").rglob("*.json"):
        file.write_text("{")

    answers = lookup(session, Wanted((ArxivId(paper.id),)))

    assert [answer.state for answer in answers] == ["found"]
    assert len(server.asked("arxiv")) == 2


def test_a_cache_that_cannot_be_written_is_no_error(
    settings: Config, server: Server, paper: Paper, tmp_path: Path
) -> None:
    server.add(paper)
    blocked = tmp_path / "file"
    blocked.write_text("")
    session = Session(settings._replace(cache_dir=str(blocked)), intervals=AT_ONCE)

    assert [answer.state for answer in lookup(session, Wanted((ArxivId(paper.id),)))] == ["found"]


def test_two_processes_keep_three_seconds_between_them_at_arxiv(
    refkit: Refkit, server: Server, tmp_path: Path
) -> None:
    server.arxiv_interval = 3.0
    running = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "refs.bib").write_text(
            f"@misc{{a, eprint = {{2101.0000{number}}}, archiveprefix = {{arXiv}}}}\n"
        )
        server.add(Paper(f"2101.0000{number}", f"Title {number}", ["Ada Lee"], "2021-01-04"))
        command = [sys.executable, "-m", "refkit", "enrich", "--bib", "refs.bib"]
        environment = refkit.environment  # type: ignore[attr-defined]  # set by the fixture
        running.append(subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE))

    assert [process.wait(60) for process in running] == [0, 0]
    for process in running:
        process.communicate()
    first, second = server.asked("arxiv")
    assert second.time - first.time >= 3.0
    assert [request.status for request in (first, second)] == [200, 200]


@pytest.mark.parametrize("answers", [0, 1])
def test_stopping_a_run_ends_the_waiting(
    settings: Config, server: Server, paper: Paper, answers: int
) -> None:
    server.add(paper)
    server.fail("arxiv", Fault(503, {"Retry-After": "5"}))
    session = Session(settings._replace(timeout=30), intervals=AT_ONCE)

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    began = time.monotonic()
    wanted = Wanted((ArxivId(paper.id),), tuple(f"10.5555/{n}" for n in range(answers + 1)))
    with pytest.raises(KeyboardInterrupt):
        lookup(session, wanted, tell=stop)
    assert time.monotonic() - began < 2
    assert session.stop.is_set()
