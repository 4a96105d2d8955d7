"""This project's own bibliography against services that answer with the acceptance data."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.enrich import facts
from tests.enrich.conftest import AT_ONCE

from refkit.bibtex import read_files
from refkit.config import Config, load
from refkit.enrich.run import Options, Report, enrich
from refkit.enrich.session import Session

if TYPE_CHECKING:
    from tests.enrich.server import Server


@pytest.fixture
def project(root: Path, tmp_path: Path, server: Server, acceptance: Path) -> Config:
    """A copy of the project, pointed at services that know its works."""
    server.add(*facts.load(acceptance))
    for folder in ("bib", "docs"):
        shutil.copytree(root / folder, tmp_path / folder)
    (tmp_path / "refkit.toml").write_text('bib = "bib"\npages = "docs"\n')
    config = load(tmp_path / "refkit.toml", environ={})
    return server.config(config._replace(cache_dir=str(tmp_path / "cache")))


def _run(project: Config) -> Report:
    session = Session(project, intervals=AT_ONCE)
    noted = project.bib_folder / "provenance.json"
    return enrich(project.bib_files(), session, Options(), root=project.root, provenance_file=noted)


def _fields(project: Config) -> dict[str, dict[str, str]]:
    return {entry.key: dict(entry.fields) for entry in read_files(project.bib_files()).entries}


def _works(project: Config) -> dict[str, dict[str, Any]]:
    works = json.loads((project.bib_folder / "provenance.json").read_text("utf-8"))["works"]
    assert isinstance(works, dict)
    return works


def test_all_works_cost_one_request_to_arxiv_and_two_to_each_publishers_doi(
    project: Config, server: Server
) -> None:
    _run(project)

    count = Counter(request.service for request in server.requests)
    assert count["arxiv"] == 1
    assert count["doi"] + count["crossref"] <= 2 * 14
    assert "10.48550" not in "".join(request.path for request in server.requests)


def test_the_second_run_asks_for_nothing(project: Config, server: Server) -> None:
    _run(project)
    count = len(server.requests)

    _run(project)

    assert len(server.requests) == count


def test_what_is_right_already_is_not_touched(project: Config) -> None:
    fields, works = _fields(project), _works(project)

    report = _run(project)

    after = _fields(project)
    assert all(after[key].items() >= values.items() for key, values in fields.items())
    assert all(_works(project)[key].items() >= values.items() for key, values in works.items())
    assert not [found for found in report.diagnostics if found.severity != "info"]


def test_what_provenance_knows_is_no_difference(project: Config) -> None:
    assert "mismatch" not in {found.code for found in _run(project).diagnostics}


def test_missing_fields_come_back(project: Config) -> None:
    path = project.root / "bib" / "attention.bib"
    whole = path.read_text("utf-8")
    kept = [
        line for line in whole.splitlines(keepends=True) if not line.startswith(("  pages", "  primaryclass"))
    ]
    path.write_text("".join(kept), encoding="utf-8")

    _run(project)

    with_doi = {
        key: values for key, values in _fields(project).items() if "doi" in values or "eprint" in values
    }
    original = {
        entry.key: entry.fields for entry in read_files([Path(__file__).parents[2] / "bib" / "attention.bib"])
    }
    assert all(
        with_doi[key].get("primaryclass") == values.get("primaryclass")
        for key, values in original.items()
        if key in with_doi
    )
    assert with_doi["dao2022flashattention"]["pages"] == original["dao2022flashattention"]["pages"]
