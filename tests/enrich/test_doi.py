"""DOIs: the agency, its record, content negotiation; dead, unknown and unreachable kept apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from tests.enrich.server import CSL_JSON, Fault, Server, Work

from refkit.enrich import doi
from refkit.enrich.records import Answer

if TYPE_CHECKING:
    from refkit.enrich.session import Session

Ask = Callable[..., list[Answer]]


@pytest.fixture
def ask(session: Session) -> Ask:
    """Asks for DOIs; the answers in the same order."""

    def lookup(*dois: str, fresh: bool = True) -> list[Answer]:
        return list(doi.lookup(session, session.cache(fresh=fresh), dois))

    return lookup


def _work(name: str, agency: str = "Crossref", **members: object) -> Work:
    csl = {"DOI": name, "type": "journal-article", "title": "T", "issued": {"date-parts": [[2020]]}}
    return Work({**csl, **({"source": "Crossref"} if agency == "Crossref" else {}), **members}, agency)


def test_a_doi_costs_two_requests_and_its_prefix_one(ask: Ask, server: Server) -> None:
    names = [f"10.5555/a.{number}" for number in range(5)]
    server.add(*map(_work, names))

    answers = ask(*names)

    assert [answer.state for answer in answers] == ["found"] * 5
    assert len(server.asked("doi")) == 1
    assert len(server.asked("crossref")) == 5


def test_datacite_is_asked_for_what_is_registered_there(ask: Ask, server: Server) -> None:
    server.add(
        _work("10.5555/d.1", "DataCite", author=[{"literal": "The Team"}], version="v1.2", publisher="Zenodo")
    )

    record = ask("10.5555/d.1")[0].record

    assert record
    assert (record.service, record.authors[0].literal, record.version) == ("datacite", "The Team", "v1.2")
    assert not server.asked("crossref")


def test_of_other_agencies_content_negotiation_is_tried(ask: Ask, server: Server) -> None:
    server.add(_work("10.5555/m.1", "mEDRA"))
    server.pages["/landing"] = (200, {"Content-Type": "text/html"}, b"<h1>An article</h1>")

    answer = ask("10.5555/m.1")[0]

    assert answer.state == "no-metadata"
    assert server.asked("doi")[-1].headers["accept"] == CSL_JSON


def test_a_doi_that_moved_to_another_agency_is_found(ask: Ask, server: Server) -> None:
    server.add(_work("10.5555/a.1"), _work("10.5555/d.1", "DataCite"))

    answers = ask("10.5555/a.1", "10.5555/d.1")

    assert [answer.state for answer in answers] == ["found", "found"]


def test_a_dead_doi_is_dead(ask: Ask, server: Server) -> None:
    server.add(_work("10.5555/a.1"))

    assert [answer.state for answer in ask("10.5555/none", "10.5555/a.1", "10.5555/none2")] == [
        "dead",
        "found",
        "dead",
    ]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_failing_resolver_says_nothing_of_the_doi(ask: Ask, server: Server, status: int) -> None:
    server.fail("doi", Fault(status))

    assert ask("10.5555/a.1")[0].state == "unreachable"


@pytest.mark.parametrize("status", [429, 503])
def test_a_failing_agency_says_nothing_of_the_doi(ask: Ask, server: Server, status: int) -> None:
    server.add(_work("10.5555/a.1"))
    server.fail("crossref", Fault(status))

    assert ask("10.5555/a.1")[0].state == "unreachable"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/html", b"<!doctype html><p>Please log in"),
        ("application/json", b""),
        ("application/json", b"[]"),
        ("application/json", b'{"status": "ok"}'),
        ("application/json", b'{"status": "ok", "message": '),
        ("application/json", b"[" * 100_000),
    ],
)
def test_what_is_no_record_is_not_read_as_one(ask: Ask, server: Server, kind: str, body: bytes) -> None:
    server.add(_work("10.5555/a.1"))
    server.fail("crossref", Fault(200, {"Content-Type": kind}, body))

    answer = ask("10.5555/a.1")[0]

    assert answer.state == "no-metadata"
    assert "metadata" in answer.message


def test_after_a_senseless_answer_content_negotiation_helps(ask: Ask, server: Server) -> None:
    server.add(_work("10.5555/a.1", title="Found all the same"))
    server.fail("crossref", Fault(200, {"Content-Type": "text/html"}, b"<p>Sorry", times=1))

    record = ask("10.5555/a.1")[0].record

    assert record
    assert record.title.raw == "Found all the same"


def test_a_failed_answer_is_not_kept(ask: Ask, server: Server) -> None:
    server.fail("doi", Fault(503, times=4))
    assert ask("10.5555/a.1", fresh=False)[0].state == "unreachable"
    assert ask("10.5555/a.1", fresh=False)[0].state == "dead"
    server.add(_work("10.5555/a.1"))

    assert ask("10.5555/a.1", fresh=False)[0].state == "found"


def test_the_second_run_asks_for_nothing(ask: Ask, server: Server) -> None:
    server.add(_work("10.5555/a.1"), _work("10.5555/d.1", "DataCite"))
    first = ask("10.5555/a.1", "10.5555/d.1", fresh=False)
    count = len(server.requests)

    again = ask("10.5555/A.1", "10.5555/d.1", fresh=False)

    assert [answer.record for answer in again] == [answer.record for answer in first]
    assert len(server.requests) == count


@pytest.mark.parametrize(
    "name",
    [
        "10.5555/(SICI)1234-5679(19970501)81:5<1201::AID-X>3.0.CO;2-#",
        "10.5555/a%2Fb",
        "10.5555/a?b&c=d",
        "10.5555/../../x",
        "10.5555/a//b",
        "10.5555/größe",
    ],
)
def test_a_doi_arrives_whole(ask: Ask, server: Server, name: str) -> None:
    server.add(_work(name))

    assert ask(name)[0].state == "found"
    assert unquote(server.asked("crossref")[0].path) == f"/works/{name}"


def test_a_doi_that_a_client_would_cut_is_not_asked_for(ask: Ask, server: Server) -> None:
    assert ask("10.5555/..")[0].state == "dead"
    assert not server.requests
