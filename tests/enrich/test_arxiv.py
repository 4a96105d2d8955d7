"""arXiv: one request for many ids, answers by id, nothing believed that is no feed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.enrich.server import Fault, Paper, Server

from refkit import identifiers
from refkit.enrich import arxiv
from refkit.enrich.arxiv import FeedError, check_feed
from refkit.enrich.records import Answer

if TYPE_CHECKING:
    from refkit.enrich.session import Session

Ask = Callable[..., dict[str, Answer]]


@pytest.fixture
def ask(session: Session) -> Ask:
    """Asks for ids; the answers by id."""

    def lookup(*texts: str, fresh: bool = True) -> dict[str, Answer]:
        ids = [found for text in texts if (found := identifiers.arxiv(text))]
        return {answer.id: answer for answer in arxiv.lookup(session, session.cache(fresh=fresh), ids)}

    return lookup


def _papers(server: Server, count: int) -> list[str]:
    ids = [f"2101.{number:05}" for number in range(1, count + 1)]
    server.add(*(Paper(id, f"Title of {id}", ["Ada Lee"], "2021-01-04") for id in ids))
    return ids


def test_41_ids_are_one_request(ask: Ask, server: Server) -> None:
    ids = _papers(server, 41)

    answers = ask(*ids)

    assert len(server.asked("arxiv")) == 1
    assert all(answers[id].state == "found" for id in ids)


def test_answers_go_to_the_id_that_was_asked_for(ask: Ask, server: Server) -> None:
    ids = _papers(server, 5)

    answers = ask(*ids)

    assert [answers[id].record.title.raw for id in ids if answers[id].record] == [
        f"Title of {id}" for id in ids
    ]


def test_a_paper_that_is_not_there_is_missing_and_costs_no_second_request(ask: Ask, server: Server) -> None:
    first, second = _papers(server, 2)

    answers = ask(first, "2101.99999", second)

    assert [answers[id].state for id in (first, "2101.99999", second)] == ["found", "missing", "found"]
    assert len(server.asked("arxiv")) == 1


def test_a_version_that_was_asked_for_is_not_answered_by_another(ask: Ask, server: Server) -> None:
    server.add(Paper("2101.00001", "Version three", ["Ada Lee"], "2021-01-04", version=3))

    assert ask("2101.00001v1")["2101.00001v1"].state == "missing"
    assert ask("2101.00001")["2101.00001"].state == "found"


def test_old_ids_keep_their_archive(ask: Ask, server: Server) -> None:
    server.add(Paper("math/0211159", "Entropy", ["Ada Lee"], "2002-11-11", category="math.DG"))

    record = ask("math.DG/0211159")["math/0211159"].record

    assert record
    assert record.arxiv_class == "math.DG"


def test_the_second_run_asks_for_nothing(ask: Ask, server: Server) -> None:
    ids = _papers(server, 3)
    ask(*ids, fresh=False)

    answers = ask(*ids, fresh=False)

    assert len(server.asked("arxiv")) == 1
    assert all(answer.state == "found" for answer in answers.values())


def test_that_a_paper_is_missing_is_asked_again(ask: Ask, server: Server) -> None:
    ask("2101.00001", fresh=False)
    _papers(server, 1)

    assert ask("2101.00001", fresh=False)["2101.00001"].state == "found"


def test_refresh_asks_again(ask: Ask, server: Server) -> None:
    ids = _papers(server, 1)
    ask(*ids, fresh=True)
    ask(*ids, fresh=True)

    assert len(server.asked("arxiv")) == 2


def test_one_id_that_arxiv_refuses_does_not_cost_the_others(
    ask: Ask, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.enrich.server._is_id", lambda text: text != "2101.00002")
    first, second, third = _papers(server, 3)

    answers = ask(first, second, third)

    assert [answers[id].state for id in (first, second, third)] == ["found", "dead", "found"]


def test_a_refusal_without_a_name_is_not_asked_again(ask: Ask, server: Server) -> None:
    server.fail("arxiv", Fault(400, {"Content-Type": "text/plain"}, b"bad request"))

    assert ask("2101.00001", "2101.00002")["2101.00001"].state == "bad-answer"
    assert len(server.asked("arxiv")) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><html><body>Down for maintenance</body></html>",
        b"<html><body>Down</body></html>",
        b"",
        b"{}",
        b"<?xml version='1.0'?><rss/>",
        b"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><entry>",
    ],
)
def test_what_is_no_feed_is_a_fault_of_the_service_and_not_a_missing_paper(
    ask: Ask, server: Server, body: bytes
) -> None:
    server.fail("arxiv", Fault(200, {"Content-Type": "application/atom+xml"}, body))

    answer = ask("2101.00001")["2101.00001"]

    assert answer.state == "bad-answer"
    assert "arXiv" in answer.message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_feed_with_a_document_type_is_not_read(encoding: str) -> None:
    bomb = "<?xml version='1.0' encoding='ENC'?><!DOCTYPE feed [<!ENTITY a 'aaaa'>]><feed>&a;</feed>"

    with pytest.raises(FeedError, match="DTD"):
        check_feed(bomb.replace("ENC", encoding).encode(encoding))


def test_a_dropped_connection_loses_no_paper(ask: Ask, server: Server) -> None:
    ids = _papers(server, 3)
    server.fail("arxiv", Fault(kind="half", times=1))

    assert all(answer.state == "found" for answer in ask(*ids).values())


# -- what a record says ----------------------------------------------------------------------------------


def test_the_date_is_that_of_the_first_version(ask: Ask, server: Server) -> None:
    server.add(Paper("2101.00001", "T", ["Ada Lee"], "2021-01-04", version=7))

    record = ask("2101.00001")["2101.00001"].record

    assert record
    assert record.date
    assert record.date.iso == "2021-01-04"


def test_several_dois_in_one_element_are_several_dois(ask: Ask, server: Server) -> None:
    server.add(Paper("2101.00001", "T", ["Ada Lee"], "2021-01-04", doi="10.5555/a.1 10.5555/a.2"))

    record = ask("2101.00001")["2101.00001"].record

    assert record
    assert record.published_dois == ("10.5555/a.1", "10.5555/a.2")


def test_the_doi_of_arxiv_itself_is_no_publication(ask: Ask, server: Server) -> None:
    server.add(Paper("2101.00001", "T", ["Ada Lee"], "2021-01-04", doi="10.48550/arXiv.2101.00001"))

    record = ask("2101.00001")["2101.00001"].record

    assert record
    assert record.published_dois == ()


@pytest.mark.parametrize(
    ("comment", "summary", "withdrawn"),
    [
        ("Withdrawn: error in Lemma 3", "About sorting.", True),
        ("This paper has been withdrawn by the author", "About sorting.", True),
        ("12 pages. The paper was withdrawn due to a mistake in section 2", "About sorting.", True),
        ("", "This submission has been withdrawn by the author because of an error.", True),
        ("", "Withdrawn by arXiv administrators", True),
        ("12 pages", "How an army was withdrawn.", False),
        ("Talk on withdrawn drugs", "About drugs withdrawn from the market in 2004.", False),
    ],
)
def test_a_withdrawal_is_told_from_the_word(
    ask: Ask, server: Server, comment: str, summary: str, withdrawn: bool
) -> None:
    server.add(Paper("2101.00001", "T", ["A Lee"], "2021-01-04", comment=comment, summary=summary, version=2))

    record = ask("2101.00001")["2101.00001"].record

    assert record
    assert [notice.kind for notice in record.notices] == (["withdrawn"] if withdrawn else [])


@pytest.mark.parametrize(
    ("comment", "reference", "expected"),
    [
        ("Accepted at ICML 2024", "", "Accepted at ICML 2024"),
        ("12 pages, 3 figures", "", ""),
        ("12 pages", "J. Test 12 (2022) 34", "J. Test 12 (2022) 34"),
        ("", "arXiv preprint arXiv:2101.00001", ""),
    ],
)
def test_a_publication_is_told_by_reference_or_comment(
    ask: Ask, server: Server, comment: str, reference: str, expected: str
) -> None:
    server.add(Paper("2101.00001", "T", ["A Lee"], "2021-01-04", comment=comment, journal_ref=reference))

    record = ask("2101.00001")["2101.00001"].record

    assert record
    assert record.published_in == expected


def test_an_entry_without_its_dates_is_no_missing_paper(ask: Ask, server: Server, paper: Paper) -> None:
    server.add(paper)
    body = server.answer(server.note("arxiv", f"/api/query?id_list={paper.id}", {}))[2]
    server.fail(
        "arxiv", Fault(200, {"Content-Type": "application/atom+xml"}, body.replace(b"published>", b"publ>"))
    )

    assert ask(paper.id)[paper.id].state == "bad-answer"


def test_a_date_that_is_none_is_a_fault_of_the_service(ask: Ask, server: Server, paper: Paper) -> None:
    server.add(replace(paper, published="yesterday"))

    answer = ask(paper.id)[paper.id]

    assert answer.state == "bad-answer"
    assert "cannot be read" in answer.message
