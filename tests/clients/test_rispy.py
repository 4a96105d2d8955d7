"""rispy reads our RIS files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


def test_rispy_reads_every_work(rispy: ModuleType, bundles: Path, keys: set[str]) -> None:
    records = rispy.loads((bundles / "all.ris").read_text("utf-8"))

    assert {record["id"] for record in records} == keys
    assert len(records) == len(keys)


def test_rispy_reads_people_and_year(
    rispy: ModuleType, bundles: Path, works: dict[str, dict[str, Any]]
) -> None:
    for record in rispy.loads((bundles / "all.ris").read_text("utf-8")):
        work = works[record["id"]]
        people = work["names"].get("author", [])
        families = [person.get("literal") or person["family"] for person in people]
        read = [
            name.split(",")[0].removeprefix("van ").removeprefix("de ") for name in record.get("authors", [])
        ]
        assert [name.split()[-1] for name in read] == [name.split()[-1] for name in families], record["id"]
        if work.get("date"):
            assert record["year"] == work["date"][:4], record["id"]
