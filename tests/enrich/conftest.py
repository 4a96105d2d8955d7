"""What the tests of enrichment share: services on the loopback, a session that asks them without pauses."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from tests.enrich.server import Paper, Server, Work

from refkit.config import Config
from refkit.enrich import session as session_module
from refkit.enrich.session import INTERVALS, Session

#: No pauses: what a test is not about need not take time.
AT_ONCE: Mapping[str, float] = dict.fromkeys(INTERVALS, 0.0)


@pytest.fixture
def server() -> Iterator[Server]:
    """Services that know nothing yet."""
    with Server() as running:
        yield running


@pytest.fixture
def settings(server: Server, tmp_path: Path) -> Config:
    """A configuration that points at the services."""
    return server.config(Config(root=tmp_path, timeout=2.0, cache_dir=str(tmp_path / "cache")))


@pytest.fixture
def session(settings: Config, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session without pauses."""
    monkeypatch.setattr(session_module, "FIRST_PAUSE", 0.01)
    return Session(settings, intervals=AT_ONCE)


@pytest.fixture
def paper() -> Paper:
    """A paper at arXiv."""
    return Paper("2101.00001", "Fast Sorting on GPUs", ["Ada Lee", "Bo van den Berg"], "2021-01-04")


@pytest.fixture
def work() -> Work:
    """A work at Crossref."""
    return Work(
        {
            "DOI": "10.5555/sort.1",
            "type": "journal-article",
            "source": "Crossref",
            "title": "Fast Sorting on GPUs",
            "author": [{"given": "Ada", "family": "Lee"}, {"given": "Bo", "family": "van den Berg"}],
            "issued": {"date-parts": [[2022, 5, 1]]},
            "container-title": "Journal of Sorting",
            "volume": "12",
            "issue": "3",
            "page": "34-56",
            "publisher": "Example Press",
        }
    )


Refkit = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def refkit(server: Server, tmp_path: Path) -> Refkit:
    """Runs the command line in the test's folder, pointed at the services."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("REFKIT_")},
        **server.environment(),
        "REFKIT_CACHE_DIR": str(tmp_path / "cache"),
        "REFKIT_TIMEOUT": "5",
        "NO_PROXY": "127.0.0.1",
        "NO_COLOR": "1",
    }

    def run(*arguments: str, cwd: Path = tmp_path, **extra: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "refkit", *arguments],
            cwd=cwd,
            env={**environment, **extra},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    run.environment = environment  # type: ignore[attr-defined]  # for tests that start processes themselves
    return run
