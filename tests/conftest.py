"""What tests of several folders share: the project's folder, programs that may be missing, a built site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings
from tests.serving import served

ROOT = Path(__file__).resolve().parent.parent
#: Set to 1 where every program that reads our exports must be there: then a missing one is a failure.
REQUIRE_CLIENTS = "REFKIT_REQUIRE_CLIENTS"

# No test is about time, which a busy machine has less of. The run that gates a change tries the same examples
# each time; every other looks for new ones.
settings.register_profile(
    "refkit",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get(REQUIRE_CLIENTS) == "1",
)
settings.load_profile("refkit")


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's own folder."""
    return ROOT


@pytest.fixture(scope="session")
def acceptance(root: Path) -> Path:
    """The folder of the acceptance data, which lies beside the checkout where it is present."""
    folder = root.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the acceptance data is not present")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where clients are required, a test that skips itself because something is not installed has failed."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and os.environ.get(REQUIRE_CLIENTS) == "1":
        why = report.longrepr[-1]
        if "not installed" in why:
            report.outcome = "failed"
            report.longrepr = f"{why} ({REQUIRE_CLIENTS}=1 asks for it)"
    return report


Missing = Callable[[str, str], NoReturn]


@pytest.fixture(scope="session")
def missing_client() -> Missing:
    """To call with a client's name and how to get it: skips the test."""

    def report(client: str, remedy: str) -> NoReturn:
        pytest.skip(f"{client} is not installed: {remedy}")

    return report


FindProgram = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def program(missing_client: Missing) -> FindProgram:
    """To call with a program's name and the Debian packages it comes with: where it is, or a skip."""

    def find(name: str, packages: str) -> Path:
        found = shutil.which(name)
        if found is None:
            missing_client(name, f"apt install {packages}")
        return Path(found)

    return find


@pytest.fixture(scope="session")
def chromium(missing_client: Missing) -> Path:
    """A Chromium for tests in a browser."""
    for name in ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"):
        if found := shutil.which(name):
            return Path(found)
    return missing_client("chromium", "apt install chromium")


def _python_path() -> list[str]:
    return [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]


class Offline:
    """Runs Python programs whose every use of the network fails and is noted in a file."""

    def __init__(self, log: Path, cache: Path) -> None:
        self.log = log
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "data" / "no_network"), *_python_path()]),
            "NETWORK_LOG": str(log),
            "REFKIT_CACHE_DIR": str(cache),
            "NO_COLOR": "1",
        }

    def __call__(self, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Runs Python with these arguments to its end."""
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=cwd,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    @property
    def uses(self) -> str:
        """What used the network, a line each."""
        return self.log.read_text("utf-8") if self.log.exists() else ""


@pytest.fixture
def offline(tmp_path: Path) -> Offline:
    """To run Python programs with the cable out."""
    return Offline(tmp_path / "network.log", tmp_path / "cache")


@pytest.fixture(scope="session")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own pages as HTML, built with the cable out, once for a run of the tests.

    What used the network is in ``site-network.log`` beside the folder.
    """
    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent
    out = shared / "site"
    with FileLock(f"{out}.lock"):
        if not (built := out.with_name("site-built")).exists():
            offline = Offline(shared / "site-network.log", shared / "cache")
            _build_site(offline, root, out)
            built.touch()
    return out


@pytest.fixture(scope="session")
def compressed(site: Path) -> Iterator[str]:
    """Where the pages are served as a host serves them."""
    with served(site) as where:
        yield where


def _build_site(offline: Offline, root: Path, out: Path) -> None:
    doctrees = out.with_name("site-doctrees")
    done = offline("-m", "sphinx", "-q", "-c", ".", "-d", doctrees, "docs", out, cwd=root)
    if done.returncode:
        pytest.fail(f"the site did not build:\n{done.stdout}\n{done.stderr}", pytrace=False)
