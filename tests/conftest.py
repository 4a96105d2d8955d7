"""What tests of several folders share: the project's folder, programs that may be missing, a built site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parent.parent
#: Set to 1 where every program that reads our exports must be there: then a missing one is a failure.
REQUIRE_CLIENTS = "REFKIT_REQUIRE_CLIENTS"


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


Missing = Callable[[str, str], NoReturn]


@pytest.fixture(scope="session")
def missing_client() -> Missing:
    """To call with a client's name and how to get it: skips the test; fails it where clients are required."""

    def report(client: str, remedy: str) -> NoReturn:
        message = f"{client} is not installed: {remedy}"
        if os.environ.get(REQUIRE_CLIENTS) == "1":
            pytest.fail(f"{message} ({REQUIRE_CLIENTS}=1 asks for it)", pytrace=False)
        pytest.skip(message)

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


@pytest.fixture(scope="session")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own pages as HTML, built once for a run of the tests, however many processes it has."""
    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent
    out = shared / "site"
    with FileLock(f"{out}.lock"):
        if not (out / "built").is_file():
            _build_site(root, out, shared / "doctrees")
            (out / "built").touch()
    return out


def _build_site(root: Path, out: Path, doctrees: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-c", ".", "-d", str(doctrees)]
    run = subprocess.run(
        [*command, "docs", str(out)], cwd=root, capture_output=True, text=True, timeout=600, check=False
    )
    if run.returncode:
        pytest.fail(f"the site did not build:\n{run.stdout}\n{run.stderr}", pytrace=False)
