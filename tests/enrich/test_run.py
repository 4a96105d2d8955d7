"""Enriching files: what is filled, what stays, what is told; written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.enrich.server import Fault, Paper, Server, Work

from refkit.bibtex import read_text
from refkit.enrich import run as run_module
from refkit.enrich.run import Options, Report, UnknownKeyError, enrich

if TYPE_CHECKING:
    from refkit.enrich.session import Session

Enrich = Callable[..., Report]


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    """The file that is enriched."""
    return tmp_path / "bib" / "refs.bib"


@pytest.fixture
def fill(session: Session, bib: Path, tmp_path: Path) -> Enrich:
    """Writes a file and enriches it as part of a project."""

    def run(text: str | None = None, **options: Any) -> Report:
        if text is not None:
            bib.parent.mkdir(exist_ok=True)
            bib.write_text(text, encoding="utf-8")
        noted = bib.parent / "provenance.json"
        return enrich([bib], session, Options(**options), root=tmp_path, provenance_file=noted)

    return run


def _recorded(bib: Path, key: str = "a") -> dict[str, Any]:
    found = json.loads((bib.parent / "provenance.json").read_text("utf-8"))["works"][key]
    assert isinstance(found, dict)
    return found


def _told(report: Report) -> list[tuple[str, str | None]]:
    return [(found.code, found.key) for found in report.diagnostics]


PREPRINT = "@misc{a, eprint = {2101.00001}, archiveprefix = {arXiv}}\n"
ARTICLE = "@article{a, doi = {10.5555/sort.1}}\n"


# -- filling ---------------------------------------------------------------------------------------------


def test_a_preprint_is_filled_from_arxiv(fill: Enrich, server: Server, paper: Paper, bib: Path) -> None:
    server.add(paper)

    report = fill(PREPRINT)

    fields = read_text(bib.read_text()).entries[0].fields
    assert fields["title"] == "Fast Sorting on {GPUs}"
    assert fields["author"] == "Lee, Ada and van den Berg, Bo"
    assert (fields["year"], fields["month"]) == ("2021", "January")
    assert "month = jan" in bib.read_text()
    assert fields["primaryclass"] == "cs.LG"
    assert "abstract" not in fields
    assert not report.diagnostics


def test_an_article_is_filled_from_crossref(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)

    fill(ARTICLE)

    fields = read_text(bib.read_text()).entries[0].fields
    assert {name: fields[name] for name in ("journal", "volume", "number", "pages")} == {
        "journal": "Journal of Sorting",
        "volume": "12",
        "number": "3",
        "pages": "34--56",
    }
    assert "publisher" not in fields  # an article has its journal


def test_only_the_bytes_of_new_fields_are_new(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)
    before = (
        '\ufeff% a comment\r\n@string{x = {y}}\r\n\r\n@Article ( a ,\r\n\tDOI="10.5555/sort.1" ,'
        "\r\n\tyear = 2022,"
        "\r\n\tnote = x # { z}\r\n)\r\n\r\n@misc{broken, title = {never closed\r\n"
    )

    fill(before)

    after = bib.read_bytes().decode("utf-8")
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    assert {step[0] for step in steps} == {"equal", "insert"}
    assert "\n" not in after.replace("\r\n", "")


def test_a_file_in_latin_1_stays_one(fill: Enrich, server: Server, bib: Path) -> None:
    server.add(Paper("2101.00001", "Über Größe—ℵ", ["Jörg Müller"], "2021-01-04"))
    bib.parent.mkdir()
    bib.write_bytes(
        "@misc{a, note = {é}, eprint = {2101.00001}, archiveprefix = {arXiv}}\n".encode("latin-1")
    )

    fill()

    assert "Jörg".encode("latin-1") in bib.read_bytes()
    assert read_text(bib.read_bytes().decode("latin-1")).entries[0].text("title").startswith("Über Größe—")


def test_the_flavour_of_the_file_is_kept(
    fill: Enrich, server: Server, work: Work, paper: Paper, bib: Path
) -> None:
    server.add(work, paper)

    fill(
        "@article{b, journaltitle = {J}, date = {2001}}\n@article{a, doi = {10.5555/sort.1}}\n"
        "@online{c, eprint = {2101.00001}, eprinttype = {arxiv}, eprintclass = {cs.LG}, date = {2021}}\n"
    )

    fields = read_text(bib.read_text()).entries[1].fields
    assert (fields["date"], fields["journaltitle"]) == ("2022-05-01", "Journal of Sorting")
    assert not {"year", "month", "journal"} & fields.keys()


def test_the_second_run_changes_and_asks_nothing(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)
    fill(ARTICLE)
    state, count = bib.read_bytes(), len(server.requests)
    recorded = (bib.parent / "provenance.json").read_bytes()

    report = fill()

    assert (bib.read_bytes(), len(server.requests)) == (state, count)
    assert (bib.parent / "provenance.json").read_bytes() == recorded
    assert not report.changes


def test_of_a_publication_that_arxiv_names_the_entry_gains_the_doi_and_keeps_its_type(
    fill: Enrich, server: Server, paper: Paper, bib: Path
) -> None:
    paper.doi, paper.journal_ref = "10.5555/sort.1", "J. Sort. 12 (2022) 34"
    server.add(paper)

    report = fill(PREPRINT)

    entry = read_text(bib.read_text()).entries[0]
    assert (entry.type, entry.doi, entry.arxiv) == ("misc", "10.5555/sort.1", "2101.00001")
    assert _told(report) == [("published", "a")]
    assert "J. Sort. 12 (2022) 34" in report.diagnostics[0].message


def test_the_date_of_the_preprint_is_not_that_of_the_paper(
    fill: Enrich, server: Server, paper: Paper, bib: Path
) -> None:
    server.add(paper)

    fill("@inproceedings{a, booktitle = {Proc.}, eprint = {2101.00001}, archiveprefix = {arXiv}}\n")

    assert read_text(bib.read_text()).entries[0].date is None


def test_the_doi_of_the_paper_is_not_the_softwares(
    fill: Enrich, server: Server, paper: Paper, bib: Path
) -> None:
    paper.doi = "10.5555/sort.1"
    server.add(paper)

    fill("@software{a, title = {sorter}, eprint = {2101.00001}, archiveprefix = {arXiv}}\n")

    assert not read_text(bib.read_text()).entries[0].doi


def test_arxivs_own_doi_is_asked_for_at_arxiv(fill: Enrich, server: Server, paper: Paper, bib: Path) -> None:
    server.add(paper)

    fill("@misc{a, doi = {10.48550/arXiv.2101.00001}}\n")

    assert {request.service for request in server.requests} == {"arxiv"}
    assert read_text(bib.read_text()).entries[0].text("title") == "Fast Sorting on GPUs"


def test_the_order_of_authors_under_10_52202_is_not_taken(
    fill: Enrich, server: Server, paper: Paper, work: Work, bib: Path
) -> None:
    paper.authors = ["Zoe Young", "Ada Lee"]
    work.csl["author"] = [{"given": "Ada", "family": "Lee"}, {"given": "Zoe", "family": "Young"}]
    work.csl.update({"DOI": "10.52202/1-2", "type": "proceedings-article"})
    server.add(paper, work)

    report = fill(
        "@inproceedings{a, booktitle = {P}, doi = {10.52202/1-2}, eprint = {2101.00001}}\n"
        "@inproceedings{b, author = {Young, Zoe and Lee, Ada}, booktitle = {P}, doi = {10.52202/1-2}}\n"
    )

    assert read_text(bib.read_text()).entries[0].fields["author"] == "Young, Zoe and Lee, Ada"
    assert "mismatch" not in dict(_told(report))


# -- what stands there stays -----------------------------------------------------------------------------


def test_enrich_keeps_a_hand_written_title(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    work.csl["title"] = "FAST SORTING ON GPUS"
    server.add(work)

    report = fill("@article{a, title = {Fast Sorting on {GPUs}}, doi = {10.5555/sort.1}}\n")

    assert "title = {Fast Sorting on {GPUs}}" in bib.read_text()
    assert "mismatch" not in dict(_told(report))


def test_a_difference_is_told_with_both_values_and_recorded(
    fill: Enrich, server: Server, work: Work, bib: Path
) -> None:
    server.add(work)

    report = fill("@article{a, volume = {99}, doi = {10.5555/sort.1}}\n")

    assert _told(report) == [("mismatch", "a")]
    assert "“99”" in report.diagnostics[0].message
    assert "“12”" in report.diagnostics[0].message
    assert "volume = {99}" in bib.read_text()
    assert [lost["value"] for lost in _recorded(bib)["fields"]["volume"]["lost"]] == ["12"]


def test_a_difference_that_is_recorded_is_not_told_again(fill: Enrich, server: Server, work: Work) -> None:
    server.add(work)
    fill("@article{a, volume = {99}, doi = {10.5555/sort.1}}\n")

    assert not fill().diagnostics


def test_overwrite_takes_the_value_that_is_named(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)

    report = fill(
        "@article{a, volume = {99}, pages = {1}, doi = {10.5555/sort.1}}\n", overwrite={"a": ["volume"]}
    )

    assert [(change.field, change.old, change.new) for change in report.changes if change.old] == [
        ("volume", "99", "12")
    ]
    assert "pages = {1}" in bib.read_text()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("title = {Fast sorting on gpus.}", {}),
        ("title = {Fast Sorting -- on GPUs}", {}),
        ("author = {A. Lee and B. van den Berg}", {}),
        ("author = {Lee, Ada and Berg, Bo van den}", {}),
        ("author = {Lee, Ada and others}", {}),
        ("journal = {J. Sort.}", {}),
        ("pages = {34-56}", {}),
        ("pages = {34}", {}),
        ("volume = {012}", {}),
        ("year = {2021}", {"published-online": {"date-parts": [[2021, 12, 30]]}}),
        ("title = {Fast Sorting}", {"title": "Fast Sorting: A Study"}),
        ("author = {Lebron, Fe}", {"author": [{"family": "Lebrón", "given": "Federico"}]}),
    ],
)
def test_what_means_the_same_is_no_difference(
    fill: Enrich, server: Server, work: Work, ours: str, theirs: dict[str, Any]
) -> None:
    work.csl.update(theirs)
    server.add(work)

    report = fill(f"@article{{a, {ours}, doi = {{10.5555/sort.1}}}}\n")

    assert "mismatch" not in dict(_told(report))


# -- is it this work? ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ours",
    [
        "title = {Deep Learning}, author = {LeCun, Yann}",
        "title = {Fast Sorting on GPUs}, author = {Other, Sam and Person, Pat}",
        "title = {Slow Searching in Trees}",
        "author = {Other, Sam}",
        "title = {Fast Sorting on GPUs}, year = {1999}",
    ],
)
def test_nothing_is_taken_from_a_record_of_another_work(
    fill: Enrich, server: Server, work: Work, bib: Path, ours: str
) -> None:
    server.add(work)
    text = f"@article{{a, {ours}, doi = {{10.5555/sort.1}}}}\n"

    report = fill(text)

    assert bib.read_text() == text
    assert _told(report) == [("mismatch", "a")]
    assert "nothing was taken" in report.diagnostics[0].message


def test_another_title_that_provenance_knows_is_this_work(
    fill: Enrich, server: Server, paper: Paper, bib: Path
) -> None:
    paper.title = "Metron: Measuring Servers"
    server.add(paper)
    bib.parent.mkdir()
    version = {"what": "earlier preprint", "title": "Metron: Measuring Servers", "date": "2021-01-04"}
    noted = {"version": 1, "works": {"a": {"versions": [version]}}}
    (bib.parent / "provenance.json").write_text(json.dumps(noted))

    report = fill(
        "@misc{a, title = {Etalon: Judging Servers}, eprint = {2101.00001}, archiveprefix = {arXiv}}\n"
    )

    assert not report.diagnostics
    assert "author" in read_text(bib.read_text()).entries[0].fields


def test_a_component_is_told_and_nothing_is_taken(
    fill: Enrich, server: Server, work: Work, bib: Path
) -> None:
    work.csl.update({"type": "component", "title": None})
    server.add(work)

    report = fill(ARTICLE)

    assert bib.read_text() == ARTICLE
    assert _told(report) == [("doi-component", "a")]


# -- life of a work --------------------------------------------------------------------------------------


def test_a_retraction_is_an_error_with_date_and_source(
    fill: Enrich, server: Server, work: Work, bib: Path
) -> None:
    work.csl["updated-by"] = [
        {
            "type": "retraction",
            "DOI": "10.5555/r",
            "source": "publisher",
            "updated": {"date-parts": [[2023, 4, 5]]},
        }
    ]
    server.add(work)

    report = fill(ARTICLE)

    found = report.diagnostics[0]
    assert (found.severity, found.code) == ("error", "retracted")
    assert "2023-04-05" in found.message
    assert "publisher" in found.message
    assert _recorded(bib)["status"]["state"] == "retracted"


def test_that_no_notice_was_found_is_recorded_with_who_was_asked(
    fill: Enrich, server: Server, work: Work, bib: Path
) -> None:
    server.add(work)

    fill(ARTICLE)

    status = _recorded(bib)["status"]
    assert status["state"] == "no notice"
    assert status["sources"] == ["Crossref 10.5555/sort.1"]
    assert status["on"]


def test_a_work_that_nobody_can_be_asked_about_gets_no_green_tick(fill: Enrich, bib: Path) -> None:
    report = fill("@online{a, title = {A page}, url = {https://example.org/}}\n")

    assert report.without_id == 1
    assert not (bib.parent / "provenance.json").exists()


# -- when services fail ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        Fault(429),
        Fault(503),
        Fault(400),
        Fault(404),
        Fault(kind="drop"),
        Fault(kind="half"),
        Fault(kind="endless"),
        Fault(200, {"Content-Type": "text/html"}, b"<html>Sorry</html>"),
        Fault(200, {"Content-Type": "application/json"}, b"{"),
    ],
)
def test_no_failure_of_a_service_changes_a_file(
    fill: Enrich, server: Server, work: Work, bib: Path, fault: Fault
) -> None:
    server.add(work)
    for service in ("arxiv", "doi", "crossref", "datacite"):
        server.fail(service, fault)
    text = PREPRINT + ARTICLE.replace("{a,", "{b,")

    report = fill(text)

    assert bib.read_text() == text
    assert {found.key for found in report.diagnostics} == {"a", "b"}
    assert "doi-dead" not in dict(_told(report)) or fault.status == 404


def test_what_one_service_gives_is_kept_when_another_fails(
    fill: Enrich, server: Server, work: Work, paper: Paper, bib: Path
) -> None:
    server.add(work, paper)
    server.fail("crossref", Fault(503))

    report = fill(PREPRINT + ARTICLE.replace("{a,", "{b,"))

    assert read_text(bib.read_text()).entries[0].text("title") == "Fast Sorting on GPUs"
    assert _told(report) == [("doi-unreachable", "b")]
    assert report.unverified


def test_identifiers_that_are_none_are_told_without_asking(fill: Enrich, server: Server) -> None:
    report = fill("@misc{a, eprint = {abc}, archiveprefix = {arXiv}}\n@misc{b, doi = {nonsense}}\n")

    assert _told(report) == [("invalid-arxiv", "a"), ("invalid-doi", "b")]
    assert not server.requests


def test_what_nobody_has_is_named(fill: Enrich, server: Server, work: Work) -> None:
    work.csl.update({"title": [], "issued": {"date-parts": [[None]]}})
    server.add(work)

    report = fill(ARTICLE)

    assert _told(report) == [("incomplete", "a")] * 2


# -- options ---------------------------------------------------------------------------------------------


def test_a_dry_run_writes_nothing(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)

    report = fill(ARTICLE, dry_run=True)

    assert bib.read_text() == ARTICLE
    assert not (bib.parent / "provenance.json").exists()
    assert "Journal of Sorting" in report.edits[0].after


def test_only_the_entries_that_are_named_are_asked_for(
    fill: Enrich, server: Server, work: Work, paper: Paper
) -> None:
    server.add(work, paper)

    report = fill(PREPRINT + ARTICLE.replace("{a,", "{b,"), keys=["b"])

    assert {change.key for change in report.changes} == {"b"}
    assert not server.asked("arxiv")


def test_an_unknown_key_is_refused(fill: Enrich) -> None:
    with pytest.raises(UnknownKeyError, match="nobody"):
        fill(PREPRINT, keys=["nobody"])


def test_offline_fills_again_from_the_cache(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)
    fill(ARTICLE)
    filled, count = bib.read_text(), len(server.requests)

    fill(ARTICLE, offline=True)

    assert bib.read_text() == filled
    assert len(server.requests) == count


def test_offline_without_a_cache_fills_again_from_provenance(
    fill: Enrich, server: Server, work: Work, bib: Path, tmp_path: Path
) -> None:
    import shutil

    server.add(work)
    fill(ARTICLE)
    filled = read_text(bib.read_text()).entries[0].fields
    shutil.rmtree(tmp_path / "cache" / "records")

    report = fill(ARTICLE, offline=True)

    assert read_text(bib.read_text()).entries[0].fields == filled
    assert not report.diagnostics


def test_offline_says_what_is_not_recorded(fill: Enrich, server: Server) -> None:
    report = fill(ARTICLE, offline=True)

    assert _told(report) == [("doi-not-recorded", "a")]
    assert report.unverified
    assert not server.requests


# -- provenance ------------------------------------------------------------------------------------------


def test_each_value_knows_its_source_and_its_day(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)

    fill(ARTICLE)

    recorded = _recorded(bib)["fields"]["journal"]
    assert recorded["source"] == "Crossref 10.5555/sort.1"
    assert recorded["value"] == "Journal of Sorting"
    assert len(recorded["date"]) == 10


def test_what_others_recorded_stays(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)
    bib.parent.mkdir()
    noted = {"version": 1, "works": {"a": {"remarks": ["Mine."]}, "z": {"added": "2026-01-01"}}}
    (bib.parent / "provenance.json").write_text(json.dumps(noted))

    fill(ARTICLE)

    assert _recorded(bib)["remarks"] == ["Mine."]
    assert _recorded(bib, "z") == {"added": "2026-01-01"}


def test_what_is_written_meanwhile_is_not_lost(
    fill: Enrich, server: Server, work: Work, bib: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.add(work)
    ask = run_module.lookup

    def lookup(*arguments: Any, **options: Any) -> Any:
        answers = ask(*arguments, **options)
        bib.write_text("@misc{new, title = {Mine}}\n" + ARTICLE.replace("}\n", ", volume = {7}}\n"))
        return answers

    monkeypatch.setattr(run_module, "lookup", lookup)
    fill(ARTICLE)

    entries = read_text(bib.read_text()).entries
    assert [entry.key for entry in entries] == ["new", "a"]
    assert entries[1].fields["volume"] == "7"
    assert entries[1].fields["journal"] == "Journal of Sorting"


def test_a_repeated_key_is_edited_once_and_in_the_first_entry(
    fill: Enrich, server: Server, work: Work, bib: Path
) -> None:
    server.add(work)

    fill(ARTICLE + "@article{a, title = {Another}, doi = {10.5555/other}}\n")

    assert "title = {Another}, doi = {10.5555/other}}" in bib.read_text()
    assert [request.path for request in server.asked("crossref")] == ["/works/10.5555/sort.1"]


def test_an_entry_that_cannot_be_written_is_told(fill: Enrich, server: Server, work: Work, bib: Path) -> None:
    server.add(work)
    text = "@article{a, doi = {10.5555/sort.1}, title = {Fast Sorting on GPUs\n\n@misc{b, title = {T}}\n"

    report = fill(text)

    assert bib.read_text() == text
    assert ("not-written", "a") in _told(report)


def test_provenance_is_written_before_the_bib_file(
    fill: Enrich, server: Server, work: Work, bib: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.add(work)
    written: list[str] = []
    monkeypatch.setattr("refkit.files.write_if_changed", lambda path, data: written.append(path.name))

    fill(ARTICLE)

    assert written == ["provenance.json", "refs.bib"]


def test_an_article_with_both_ids_and_no_journal_gets_its_journal(
    fill: Enrich, server: Server, paper: Paper, work: Work, bib: Path
) -> None:
    server.add(paper, work)

    fill("@article{a, doi = {10.5555/sort.1}, eprint = {2101.00001}, archiveprefix = {arXiv}}\n")

    fields = read_text(bib.read_text()).entries[0].fields
    assert (fields["journal"], fields["year"]) == ("Journal of Sorting", "2022")


def test_a_date_is_overwritten_in_the_form_that_the_entry_has(
    fill: Enrich, server: Server, work: Work, bib: Path
) -> None:
    server.add(work)

    fill(
        "@article{a, date = {2021}, doi = {10.5555/sort.1}}\n@misc{b, year = 1}\n", overwrite={"a": ["date"]}
    )

    fields = read_text(bib.read_text()).entries[0].fields
    assert fields["date"] == "2022-05-01"
    assert "year" not in fields


@pytest.mark.parametrize(
    ("ours", "field", "theirs"),
    [
        ("title = {Fast Sorting on GPUs}, year = {1999}", "year", "2022-05-01"),
        (
            "title = {Quick Ordering}, author = {Lee, Ada and van den Berg, Bo}",
            "title",
            "Fast Sorting on GPUs",
        ),
    ],
)
def test_a_doubt_is_told_once_and_recorded_under_what_differs(
    fill: Enrich, server: Server, work: Work, bib: Path, ours: str, field: str, theirs: str
) -> None:
    server.add(work)
    text = f"@article{{a, {ours}, doi = {{10.5555/sort.1}}}}\n"

    first, second = fill(text), fill()

    assert [(found.severity, found.code) for found in first.diagnostics] == [("warning", "mismatch")]
    assert [lost["value"] for lost in _recorded(bib)["fields"][field]["lost"]] == [theirs]
    assert not second.diagnostics
    assert bib.read_text() == text
