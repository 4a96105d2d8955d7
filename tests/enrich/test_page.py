"""What web pages and CITATION.cff files say about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.enrich.server import Fault, Server

from refkit.enrich import citation_file, foreign, page

if TYPE_CHECKING:
    from refkit.enrich.records import Record
    from refkit.enrich.session import Session

URL = "https://example.org/posts/fast"


def _parse(head: str) -> Record:
    return page.parse(f"<!doctype html><html><head>{head}</head><body><title>No</title></body></html>", URL)


def _facts(record: Record) -> dict[str, Any]:
    return {
        "type": record.type,
        "title": foreign.plain(record.title),
        "authors": [person.full for person in record.authors],
        "date": record.date.iso if record.date else "",
        "container": foreign.plain(record.container),
        "publisher": foreign.plain(record.publisher),
    }


def test_citation_tags_come_first() -> None:
    record = _parse(
        """<title>Home | Site</title>
        <meta name="citation_title" content="Fast &amp; small kernels">
        <meta name="citation_author" content="Lee, Ada">
        <meta name="citation_author" content="Bo van den Berg">
        <meta name="citation_publication_date" content="2024/05/06">
        <meta name="citation_conference_title" content="Proc. of Tests">
        <meta name="citation_firstpage" content="1"><meta name="citation_lastpage" content="9">
        <meta name="citation_doi" content="doi:10.5555/p.1"><meta property="og:title" content="Other">"""
    )

    assert _facts(record) == {
        "type": "proceedings-article",
        "title": "Fast & small kernels",
        "authors": ["Ada Lee", "Bo van den Berg"],
        "date": "2024-05-06",
        "container": "Proc. of Tests",
        "publisher": "",
    }
    assert record.pages == "1-9"
    assert record.published_dois == ("10.5555/p.1",)


def test_json_ld_of_a_blog_post() -> None:
    record = _parse(
        """<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
        {"@type": "WebSite", "name": "The Blog"},
        {"@type": "BlogPosting", "headline": "Fast kernels", "datePublished": "2024-05-06T07:08:09Z",
         "author": [{"@type": "Person", "name": "Ada Lee"}, {"@type": "Organization", "name": "The Lab"}],
         "publisher": {"@type": "Organization", "name": "Blog Inc."},
         "isPartOf": {"name": "The Blog"}}]}</script>"""
    )

    assert _facts(record) == {
        "type": "blog",
        "title": "Fast kernels",
        "authors": ["Ada Lee", "The Lab"],
        "date": "2024-05-06",
        "container": "The Blog",
        "publisher": "Blog Inc.",
    }


def test_a_bare_page_has_its_title_without_the_sites_name() -> None:
    record = _parse('<title>Fast kernels | The Blog</title><meta property="og:site_name" content="The Blog">')

    assert (foreign.plain(record.title), foreign.plain(record.container)) == ("Fast kernels", "The Blog")
    assert record.type == "webpage"
    assert record.date is None
    assert not record.authors


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("/posts/fast/", "https://example.org/posts/fast/"),
        ("https://elsewhere.org/x", URL),
        ("https://example.org/", URL),
        ("javascript:alert(1)", URL),
        ("", URL),
    ],
)
def test_the_address_that_a_page_calls_its_own(said: str, expected: str) -> None:
    assert _parse(f'<link rel="canonical" href="{said}">').url == expected


def test_a_page_in_another_encoding(session: Session, server: Server) -> None:
    body = '<meta charset="iso-8859-1"><title>Größe</title>'.encode("latin-1")
    server.pages["/a"] = (200, {"Content-Type": "text/html"}, body)

    record = page.lookup(session, f"{server.base}/site/a").record

    assert record
    assert record.title.raw == "Größe"


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ((404, {"Content-Type": "text/html"}, b""), "dead"),
        ((403, {"Content-Type": "text/html"}, b""), "unreachable"),
        ((200, {"Content-Type": "application/pdf"}, b"%PDF"), "no-metadata"),
        ((302, {"Location": "http://169.254.169.254/"}, b""), "bad-answer"),
    ],
)
def test_a_page_that_says_nothing(session: Session, server: Server, answer: Any, state: str) -> None:
    server.pages["/a"] = answer

    assert page.lookup(session, f"{server.base}/site/a").state == state


def test_one_site_that_is_down_does_not_stop_another(session: Session, server: Server) -> None:
    server.pages["/a"] = (200, {"Content-Type": "text/html"}, b"<title>T</title>")

    assert page.lookup(session, "http://127.0.0.1:9/a").state == "unreachable"
    assert page.lookup(session, f"{server.base}/site/a").state == "found"


def test_an_endless_page_is_left(session: Session, server: Server) -> None:
    server.fail("site", Fault(kind="endless"))

    assert page.lookup(session, f"{server.base}/site/a").state == "bad-answer"


@given(st.text(alphabet=st.sampled_from("<>/!-\"'= metascript{}[]:,@typ&;"), max_size=200))
def test_no_page_is_a_crash(html: str) -> None:
    page.parse(html, URL)
    page.parse(f'<script type="application/ld+json">{html}</script>', URL)


# -- CITATION.cff ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/a/b", "https://raw.githubusercontent.com/a/b/HEAD/CITATION.cff"),
        ("https://github.com/a/b.git", "https://raw.githubusercontent.com/a/b/HEAD/CITATION.cff"),
        (
            "https://www.github.com/a/b/?tab=readme#x",
            "https://raw.githubusercontent.com/a/b/HEAD/CITATION.cff",
        ),
        ("https://github.com/a/b/tree/main/docs", ""),
        ("https://github.com/a", ""),
        ("https://github.com/../..", ""),
        ("https://example.org/a/b", ""),
    ],
)
def test_where_a_citation_file_lies(url: str, expected: str) -> None:
    assert citation_file.address(url) == expected


def test_a_citation_file() -> None:
    record = citation_file.parse(
        """
cff-version: 1.2.0
message: Please cite.
title: sorter
version: 1.10
date-released: 2024-05-06
doi: 10.5281/zenodo.123
repository-code: https://github.com/a/sorter
authors:
  - family-names: Berg
    given-names: Bo
    name-particle: van den
  - name: The Sorter Team
preferred-citation:
  type: article
  title: Fast sorting
""",
        "https://github.com/a/b",
    )

    assert record
    assert _facts(record) | {"version": record.version} == {
        "type": "software",
        "title": "sorter",
        "authors": ["Bo van den Berg", "The Sorter Team"],
        "date": "2024-05-06",
        "container": "",
        "publisher": "",
        "version": "1.10",
    }
    assert record.published_dois == ("10.5281/zenodo.123",)
    assert record.url == "https://github.com/a/sorter"


@pytest.mark.parametrize(
    "source",
    [
        "",
        "- a",
        "title: [",
        "title: !!python/object/apply:os.system ['true']",
        "<html>404</html>",
        "[" * 5000,
        "a: &a [x]\nb: [*a, *a]\n",
    ],
)
def test_what_is_no_citation_file(source: str) -> None:
    record = citation_file.parse(source, "https://github.com/a/b")

    assert record is None or record.title.raw


def test_of_a_repository_without_a_citation_file_the_name_is_taken() -> None:
    head = '<title>GitHub - a/sorter: Sorts things</title><meta property="og:site_name" content="GitHub">'
    record = page._of_repository(page.parse(head, "https://github.com/a/sorter"))

    assert (record.type, record.title.raw, record.container.raw) == ("software", "sorter", "")
