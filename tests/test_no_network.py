"""Only ``enrich``, ``add`` and ``check --online`` use the network; all else works with the cable out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Offline

REFS = Path(__file__).parent / "data" / "no_network" / "refs.bib"
REFKIT = ["-m", "refkit"]


@pytest.mark.parametrize(
    "attempt",
    [
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')",
        "import requests; requests.get('http://localhost:9/')",
        "import socket; socket.gethostbyname('localhost')",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    ],
)
def test_the_guard_notices_a_use_of_the_network(attempt: str, offline: Offline, tmp_path: Path) -> None:
    done = offline("-c", attempt, cwd=tmp_path)

    assert done.returncode != 0
    assert offline.uses


@pytest.mark.parametrize(
    "command",
    [
        "convert refs.bib --to bibtex,biblatex,csl-json,ris,zotero-rdf,json -o out",
        "check --bib refs.bib",
        "fmt --check refs.bib",
        "enrich --bib refs.bib --offline --dry-run",
    ],
)
def test_a_command_on_a_file_needs_no_network(command: str, offline: Offline, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_bytes(REFS.read_bytes())

    done = offline(*REFKIT, *command.split(), cwd=tmp_path)

    assert done.returncode in (0, 1, 3), done.stderr
    assert "Traceback" not in done.stderr
    assert not offline.uses


@pytest.mark.parametrize(
    "command",
    ["check", "list --json", "fmt --check", "explain dao2022flashattention", "enrich --offline --dry-run"],
)
def test_a_command_in_the_project_needs_no_network(command: str, offline: Offline, root: Path) -> None:
    done = offline(*REFKIT, *command.split(), cwd=root)

    assert done.returncode in (0, 1, 3), done.stderr
    assert "Traceback" not in done.stderr
    assert not offline.uses


def test_export_needs_no_network(offline: Offline, root: Path, tmp_path: Path) -> None:
    done = offline(*REFKIT, "export", "--out", tmp_path / "exports", cwd=root)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "exports" / "all.bib").is_file()
    assert not offline.uses


def test_building_the_pages_needs_no_network(site: Path) -> None:
    assert (site / "index.html").is_file()
    assert not site.with_name("site-network.log").exists()
