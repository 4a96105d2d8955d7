"""The bibliography agrees with the acceptance data, where present, but for departures with a reason.

The data is in ``data`` of the folder that ``REFKIT_ACCEPTANCE`` names, or of ``shared`` beside the project.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pybtex.database import Entry, Person

Facts = dict[str, dict[str, Any]]

#: Kind in the data (a CSL type) -> (type, entrysubtype), field of the publisher, field of the container.
KINDS: dict[str, tuple[tuple[str, str | None], str, str]] = {
    "paper-conference": (("inproceedings", None), "publisher", "booktitle"),
    "article": (("misc", "preprint"), "", ""),
    "webpage": (("online", "documentation"), "organization", "titleaddon"),
    "post-weblog": (("online", "blog"), "organization", "titleaddon"),
    "software": (("software", None), "organization", ""),
    "report": (("report", None), "institution", ""),
    "standard": (("report", "standard"), "institution", ""),
    "book": (("book", None), "publisher", ""),
}
#: Field of an entry -> its name in the data.
SAME = {
    "title": "title",
    "shorttitle": "short",
    "url": "url",
    "date": "issued",
    "pages": "pages",
    "doi": "doi",
    "isbn": "isbn",
    "eprint": "arxiv",
    "primaryclass": "arxiv_class",
    "volume": "volume",
    "series": "series",
    "edition": "edition",
    "eventtitle": "event_short",
    "venue": "event_place",
}
#: Fields that the data does not have, or that other tests look at.
OURS = {"type", "note", "entrysubtype", "urldate", "eprinttype", "archiveprefix"}

VENUE_OF_THE_EVENT = "the place of the event is known from its other papers or from the remarks on the work"
#: Key -> field -> why the entry departs from the data.
DEPARTURES: dict[str, dict[str, str]] = {
    "vaswani2017attention": {"eventtitle": "the conference was called NIPS in 2017, as its proceedings say"},
    "liu2018composablekernel": {
        "author": "Hanwen Chang in the lists of contributors, Hanwen Chen in CITATION.cff only"
    },
    "agrawal2024sarathi": {
        "editor": "the same volume as three other papers, whose editors are known",
        "venue": VENUE_OF_THE_EVENT,
    },
    "volkov2008benchmarking": {
        "shorttitle": "the names of the authors are no title",
        "venue": VENUE_OF_THE_EVENT,
    },
    "kwon2023pagedattention": {
        "shorttitle": "vLLM is the software, an entry of its own",
        "venue": VENUE_OF_THE_EVENT,
    },
    "ainslie2023gqa": {"venue": VENUE_OF_THE_EVENT},
    "dao2024flashattention2": {"venue": VENUE_OF_THE_EVENT},
    "liu2024cachegen": {"venue": VENUE_OF_THE_EVENT},
    "liu2024kivi": {"venue": VENUE_OF_THE_EVENT},
    "shah2024flashattention3": {"venue": VENUE_OF_THE_EVENT},
    "yu2022orca": {"venue": VENUE_OF_THE_EVENT},
    "zadouri2026flashattention4": {"venue": VENUE_OF_THE_EVENT},
    "zheng2024sglang": {"venue": VENUE_OF_THE_EVENT},
    "nvidia-nvcc": {"version": "the address shows a later release than the one that was seen"},
    "nvidia-ptx-isa": {"version": "the address shows a later release than the one that was seen"},
    "zhao2025deepgemm": {"organization": "the name that the organisation's other works carry"},
    "zhao2025deepep": {"organization": "GitHub is the host; the organisation is DeepSeek-AI"},
    "triton-programming-guide": {
        "titleaddon": "the chapter is a field of its own",
        "number": "the chapter, from the container",
    },
    "jouppi2023tpuv4": {
        "number": "the article number stands in the pages; number would be that of the series"
    },
    "wang2024burstgpt": {"kind": "a dataset, which the data gives as software"},
}


@pytest.fixture(scope="module")
def data(request: pytest.FixtureRequest) -> Path:
    named = os.environ.get("REFKIT_ACCEPTANCE")
    folder: Path = Path(named) if named else request.getfixturevalue("acceptance")
    return folder / "data"


@pytest.fixture(scope="module")
def facts(data: Path) -> Facts:
    return {work["key"]: work for work in json.loads((data / "facts.json").read_text("utf-8"))}


def plain(value: str) -> str:
    """A field without protecting braces and escapes."""
    return re.sub(r"\\([&%#$_])", r"\1", value).replace("{", "").replace("}", "")


def people_of(persons: list[Person]) -> list[tuple[str, str]]:
    """(family with its particle, given) of each; an organisation has no given name."""
    return [
        (
            plain(" ".join([*person.prelast_names, *person.last_names])),
            " ".join([*person.first_names, *person.middle_names]),
        )
        for person in persons
    ]


def people_in(data: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(person.get("literal") or person["family"], person.get("given", "")) for person in data]


def found(entry: Entry) -> dict[str, Any]:
    """What the entry says, in plain text."""
    values: dict[str, Any] = {name.lower(): plain(value) for name, value in entry.fields.items()}
    values |= {role: people_of(persons) for role, persons in entry.persons.items()}
    values = {name: value for name, value in values.items() if name not in OURS}
    return values | {"kind": (entry.type, entry.fields.get("entrysubtype"))}


def expected(fact: dict[str, Any]) -> dict[str, Any]:
    """What an entry of these facts says."""
    kind, publisher, container = KINDS[fact["csl_type"]]
    values: dict[str, Any] = {field: fact.get(name) for field, name in SAME.items()}
    values |= {"kind": kind, "author": people_in(fact["author"]), "editor": people_in(fact.get("editor", []))}
    values["version"] = fact.get("version", "").removeprefix("Version ")
    if kind != ("misc", "preprint"):  # its number repeats the arXiv id
        values["number"] = fact.get("number")
    if publisher:
        report = publisher == "institution"
        values[publisher] = (report and fact.get("institution")) or fact.get("publisher")
    if container:
        values[container] = fact.get("container")
    return {name: value for name, value in values.items() if value}


def test_the_works_are_those_of_the_data(facts: Facts, entries: dict[str, Entry]) -> None:
    assert set(entries) == set(facts)


def test_every_fact_agrees_but_for_the_departures(facts: Facts, entries: dict[str, Entry]) -> None:
    for key, fact in facts.items():
        ours, theirs = found(entries[key]), expected(fact)
        differing = {name for name in ours | theirs if ours.get(name) != theirs.get(name)}
        allowed = set(DEPARTURES.get(key, {}))
        assert differing == allowed, {
            name: (ours.get(name), theirs.get(name)) for name in differing ^ allowed
        }


def test_a_published_title_is_told_beside_the_linked_one(facts: Facts, entries: dict[str, Entry]) -> None:
    renamed = {key: fact["title_published"] for key, fact in facts.items() if "title_published" in fact}
    assert renamed
    for key, title in renamed.items():
        assert entries[key].fields["note"] == f"Published as {title}"
    assert {key for key, entry in entries.items() if "note" in entry.fields} == set(renamed)


def test_entries_stand_in_the_section_that_places_them_first(
    by_file: dict[str, dict[str, Entry]], data: Path
) -> None:
    listed = json.loads((data / "list.json").read_text("utf-8"))
    seen: set[str] = set()
    places: dict[str, list[str]] = {}
    for section in (section for part in listed["parts"] for section in part["sections"]):
        keys = [source["key"] for source in section["sources"]]
        if first := [key for key in keys if key not in seen]:
            places[section["slug"]] = first
        seen.update(keys)
    assert {slug: list(group) for slug, group in by_file.items()} == places


# -- provenance -----------------------------------------------------------------


def test_no_related_address_is_lost(
    facts: Facts, entries: dict[str, Entry], provenance: dict[str, Any]
) -> None:
    def address(url: str) -> str:
        return re.sub(r"^https?://", "", url)

    for key, fact in facts.items():
        fields, work = entries[key].fields, provenance[key]
        known = {
            link["url"] for name in ("related", "versions") for link in work.get(name, []) if "url" in link
        }
        known |= {
            fields["url"],
            f"https://doi.org/{fields.get('doi')}",
            f"https://arxiv.org/abs/{fields.get('eprint')}",
        }
        lost = {address(url) for url in fact.get("related_urls", {}).values()} - {
            address(url) for url in known
        }
        assert lost == set(), key


def test_every_doubt_is_kept(facts: Facts, provenance: dict[str, Any]) -> None:
    doubtful = {key for key, fact in facts.items() if fact.get("unverified")}
    assert doubtful
    assert {key for key in doubtful if not provenance[key].get("unverified")} == set()


def test_the_preprints_date_is_that_of_its_first_version(
    facts: Facts, entries: dict[str, Entry], provenance: dict[str, Any]
) -> None:
    for key, fact in facts.items():
        if first := fact.get("arxiv_first_submitted"):
            versions = provenance[key].get("versions", [])
            dates = [version["date"] for version in versions if version["what"] == "preprint"]
            assert (dates or [entries[key].fields["date"]]) == [first], key


def test_other_titles_and_author_lists_are_kept(facts: Facts, provenance: dict[str, Any]) -> None:
    for key, fact in facts.items():
        versions = provenance[key].get("versions", [])
        for name in ("title_published", "title_arxiv"):
            assert fact.get(name) in {None, *(version.get("title") for version in versions)}, f"{key}: {name}"
        if "arxiv_author" in fact:
            names = [f"{family}, {given}" for family, given in people_in(fact["arxiv_author"])]
            assert names in [version.get("author") for version in versions], key


def test_a_requested_citation_is_kept_whole(facts: Facts, provenance: dict[str, Any]) -> None:
    for key, fact in facts.items():
        if request := fact.get("upstream_citation_request"):
            fields = provenance[key]["cite-as"]["fields"]
            assert fields["title"] == request["title"], key
            people = fields["author"].split(" and ")
            if isinstance(request["author"], list):
                assert people == [
                    f"{a}, {b}" if b else f"{{{a}}}" for a, b in people_in(request["author"])
                ], key
            elif request["author"].startswith("("):  # "(same 47 authors)"
                assert people == [f"{a}, {b}" for a, b in people_in(fact["author"])], key
            else:
                assert len(people) == len(request["author"].split(" and ")), key
            for name in ("doi", "volume", "year", "url", "version", "booktitle"):
                assert name not in request or fields[name] == request[name], f"{key}: {name}"


def test_notes_are_not_published_as_they_stand(facts: Facts, provenance_text: str) -> None:
    for key, fact in facts.items():
        for sentence in re.split(r"(?<=[.;:])\s", fact["notes"]):
            assert len(sentence) < 40 or sentence not in provenance_text, f"{key}: {sentence}"
