"""Where values come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from refkit.enrich.explain import explain, status
from refkit.model import Entry
from refkit.provenance import Work

if TYPE_CHECKING:
    from tests.enrich.conftest import Refkit
    from tests.enrich.server import Server
    from tests.enrich.server import Work as Registered

RECORD = {"source": "Crossref 10.5555/x", "date": "2026-01-02", "value": "12"}


def test_a_value_of_a_record() -> None:
    origin = explain(Entry("a", "article", {"volume": "12"}), Work(fields={"volume": RECORD}))[0]

    assert (origin.source, origin.date, origin.changed) == ("Crossref 10.5555/x", "2026-01-02", False)


def test_a_value_that_a_person_has_changed_is_by_hand_and_the_records_has_lost() -> None:
    origin = explain(Entry("a", "article", {"volume": "13"}), Work(fields={"volume": RECORD}))[0]

    assert (origin.source, origin.changed) == ("by hand", True)
    assert origin.lost == (("12", "Crossref 10.5555/x", "2026-01-02"),)


def test_a_value_by_hand() -> None:
    assert explain(Entry("a", "article", {"volume": "13"}), Work())[0].source == "by hand"


def test_an_inherited_value_names_its_entry() -> None:
    entry = Entry("a", "article", {"volume": "13"}, inherited={"volume": "parent"})

    assert explain(entry, Work())[0].source == "inherited from parent"


def test_what_is_not_verified_is_said_even_of_a_field_that_is_not_there() -> None:
    origins = explain(Entry("a", "article", {}), Work(unverified={"date": "missing"}))

    assert [(origin.field, origin.text, origin.unverified) for origin in origins] == [("date", "", "missing")]


@pytest.mark.parametrize(
    ("fields", "found", "words"),
    [
        ({}, {}, "not checkable"),
        ({"doi": "10.5555/x"}, {}, "not checked yet"),
        (
            {"doi": "10.5555/x"},
            {"state": "no notice", "on": "2026-01-02", "sources": ["Crossref 10.5555/x"]},
            "no notice",
        ),
        ({"doi": "10.5555/x"}, {"state": "retracted", "on": "2026-01-02", "sources": ["C"]}, "RETRACTED"),
    ],
)
def test_the_life_of_a_work_is_never_a_tick_that_nobody_earned(
    fields: dict[str, str], found: dict[str, object], words: str
) -> None:
    assert words in status(Entry("a", "article", fields), Work(status=found))


@pytest.fixture
def project(tmp_path: Path, server: Server, work: Registered) -> Path:
    """A project of one entry."""
    server.add(work)
    (tmp_path / "bib").mkdir()
    (tmp_path / "refkit.toml").write_text('bib = "bib"\naliases = {old = "a.b"}\n')
    (tmp_path / "bib" / "refs.bib").write_text("@article{a.b, volume = {99}, doi = {10.5555/sort.1}}\n")
    return tmp_path


def test_the_command_tells_source_day_and_losers(refkit: Refkit, project: Path) -> None:
    refkit("enrich")

    done = refkit("explain", "a.b")

    assert done.returncode == 0
    assert "journal: Journal of Sorting\n    Crossref 10.5555/sort.1, 20" in done.stdout
    assert "volume: 99\n    by hand\n    lost: 12 (Crossref 10.5555/sort.1, 20" in done.stdout
    assert "no notice of retraction" in done.stdout


@pytest.mark.parametrize("what", ["a.b.volume", "old.volume"])
def test_one_field_of_a_key_with_stops_or_an_alias(refkit: Refkit, project: Path, what: str) -> None:
    assert refkit("explain", what).stdout == "volume: 99\n    by hand\n"


@pytest.mark.parametrize(
    ("what", "message"), [("nobody", "no entry 'nobody'"), ("a.b.title", "no field 'title'")]
)
def test_what_is_not_there_is_wrong_usage(refkit: Refkit, project: Path, what: str, message: str) -> None:
    done = refkit("explain", what)

    assert done.returncode == 2
    assert message in done.stderr


def test_a_damaged_provenance_file_is_told(refkit: Refkit, project: Path) -> None:
    (project / "bib" / "provenance.json").write_text("{")

    for command in (["explain", "a.b"], ["enrich"]):
        done = refkit(*command)
        assert done.returncode == 2
        assert "is not JSON" in done.stderr


def test_provenance_reads_well_in_a_diff(refkit: Refkit, project: Path) -> None:
    refkit("enrich")

    text = (project / "bib" / "provenance.json").read_text("utf-8")
    assert text == json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
