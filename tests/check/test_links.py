"""What became of linked pages, asked of a site on the loopback."""

from __future__ import annotations

from tests.enrich.server import Server

from refkit.bibtex.reader import read_text
from refkit.check import links
from refkit.check.library import Library
from refkit.enrich.session import Reply, Session


def test_each_address_is_asked_for_once(server: Server, session: Session) -> None:
    server.pages["/a"] = (200, {"Content-Type": "text/html"}, b"")
    url = f"{server.base}/site/a"
    document = read_text(
        f"@misc{{k, title = {{T}}, url = {{{url}}}}}\n@misc{{l, title = {{U}}, url = {{{url}}}}}", "refs.bib"
    )
    assert list(links.links(Library(document.entries, [document]), session)) == []
    assert len(server.asked("site")) == 1


def test_a_link_that_is_gone_is_told_of_every_entry_that_has_it(server: Server, session: Session) -> None:
    url = f"{server.base}/site/nowhere"
    document = read_text(
        f"@misc{{k, title = {{T}}, url = {{{url}}}}}\n@misc{{l, title = {{U}}, url = {{{url}}}}}", "refs.bib"
    )
    found = list(links.links(Library(document.entries, [document]), session))
    assert [(code, one.entry.key if one.entry else "") for code, one in found] == [
        ("link-gone", "k"),
        ("link-gone", "l"),
    ]


def judged(url: str, status: int = 200, end: str = "", body: bytes = b"") -> list[str]:
    return [code for code, _, _ in links._judged(url, Reply(status, "text/html", body, end or url, {}))]


def test_what_is_refused_is_never_called_gone() -> None:
    for status in (401, 403, 418, 451, 999):
        assert judged("https://example.org/a", status) == ["link-blocked"]


def test_an_address_that_differs_in_a_slash_or_www_has_not_moved() -> None:
    assert judged("https://example.org/a", end="https://www.example.org/a/") == []


def test_an_address_that_ends_at_the_front_page_is_a_warning() -> None:
    told = list(
        links._judged("https://example.org/a/b", Reply(200, "text/html", b"", "https://example.org/", {}))
    )
    assert [(code, severity) for code, _, severity in told] == [("link-moved", "warning")]


def test_a_repository_with_another_owner_has_moved() -> None:
    assert judged("https://github.com/lee/old", end="https://github.com/poe/new") == ["repository-moved"]


def test_a_repository_whose_page_says_so_is_archived() -> None:
    banner = b"<div>This repository has been archived by the owner on Jan 1, 2026.</div>"
    assert judged("https://github.com/lee/old", body=banner) == ["repository-archived"]
    assert judged("https://example.org/lee/old", body=banner) == []
