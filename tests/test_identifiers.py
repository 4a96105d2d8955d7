"""Identifiers in the spellings that people and programs give them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import effort

from refkit import identifiers
from refkit.identifiers import ArxivId

SICI = "10.5555/(SICI)1234-5679(19970501)81:5<1201::AID-X>3.0.CO;2-#"


# DOI


@pytest.mark.parametrize(
    "text",
    [
        "10.1145/3600006.3613165",
        " 10.1145/3600006.3613165. ",
        "doi:10.1145/3600006.3613165",
        "DOI: 10.1145/3600006.3613165",
        "DOI 10.1145/3600006.3613165",
        "https://doi.org/10.1145/3600006.3613165",
        "http://dx.doi.org/10.1145/3600006.3613165",
        "https://www.doi.org/10.1145/3600006.3613165",
        "doi.org/10.1145/3600006.3613165",
        "HTTPS://DOI.ORG/10.1145/3600006.3613165",
        "https://doi.org/10.1145%2F3600006.3613165",
        "10.1145%2F3600006.3613165",
        "https://doi.org/10.1145/3600006.3613165?utm_source=x#top",
        "https://doi-org.ezproxy.example.edu/10.1145/3600006.3613165",
        "https://dx.doi.org.proxy.example.edu/10.1145/3600006.3613165",
        "info:doi/10.1145/3600006.3613165",
        "urn:doi:10.1145/3600006.3613165",
        "<https://doi.org/10.1145/3600006.3613165>",
        "10.1145/3600006.3613165)",
        "\\url{https://doi.org/10.1145/3600006.3613165}",
        "{10.1145/3600006.3613165}",
    ],
)
def test_a_doi_is_read_in_any_spelling(text: str) -> None:
    assert identifiers.doi(text) == "10.1145/3600006.3613165"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SICI, SICI),
        (f"https://doi.org/{SICI}", SICI),
        (
            "https://doi.org/10.5555/(SICI)1-2%3C3::AID-X%3E3.0.CO;2-%23",
            "10.5555/(SICI)1-2<3::AID-X>3.0.CO;2-#",
        ),
        ("10.1007/978-3-030-00001-1{\\_}8", "10.1007/978-3-030-00001-1_8"),
        ("10.1007/978-3-030-00001-1\\_8", "10.1007/978-3-030-00001-1_8"),
        ("10.1016/0022-1236(85)90012-3", "10.1016/0022-1236(85)90012-3"),
        ("10.1000.10/123", "10.1000.10/123"),
        ("10.1000/a/b/c", "10.1000/a/b/c"),
        ("10.1109/MM.2020.2974843;", "10.1109/MM.2020.2974843"),
    ],
)
def test_a_doi_keeps_its_spelling_and_its_odd_characters(text: str, expected: str) -> None:
    assert identifiers.doi(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10.1145",
        "10.1145/",
        "10.12/x",
        "11.1145/x",
        "10.5555/aa.1 10.5555/aa.2",
        "https://example.org/10.1145/x",
        "10/abc",
        "n/a",
        "10.1145/x\ny",
        "x" * 5000,
    ],
)
def test_what_is_no_doi_is_none(text: str) -> None:
    assert identifiers.doi(text) is None


def test_dois_compare_without_case() -> None:
    assert (
        identifiers.doi_key("https://doi.org/10.1145/ABC")
        == identifiers.doi_key("10.1145/abc")
        == "10.1145/abc"
    )
    assert identifiers.doi_key("none") == ""


def test_the_address_of_a_doi_is_encoded_once() -> None:
    assert identifiers.doi_url("10.1145/3600006.3613165") == "https://doi.org/10.1145/3600006.3613165"
    assert identifiers.doi_url("10.5555/978-3-030-00001-1_7") == "https://doi.org/10.5555/978-3-030-00001-1_7"
    url = "https://doi.org/10.5555/(SICI)1-2%3C3::AID-X%3E3.0.CO;2-%23"
    assert identifiers.doi_url("10.5555/(SICI)1-2<3::AID-X>3.0.CO;2-#") == url
    assert identifiers.doi(url) == "10.5555/(SICI)1-2<3::AID-X>3.0.CO;2-#"


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=1, max_size=30))
def test_a_doi_comes_back_from_its_address(suffix: str) -> None:
    doi = identifiers.doi(f"10.5555/{suffix}")
    if doi is not None and "?" not in doi and "#" not in doi:
        assert identifiers.doi(identifiers.doi_url(doi)) == doi


# arXiv


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2205.14135", ArxivId("2205.14135")),
        ("2205.14135v2", ArxivId("2205.14135", 2)),
        ("arXiv:2205.14135v2 [cs.LG]", ArxivId("2205.14135", 2, "cs.LG")),
        ("arxiv: 2205.14135", ArxivId("2205.14135")),
        ("arXiv preprint arXiv:2205.14135", ArxivId("2205.14135")),
        ("0704.0001", ArxivId("0704.0001")),
        ("https://arxiv.org/abs/2205.14135", ArxivId("2205.14135")),
        ("http://www.arxiv.org/pdf/2205.14135v1.pdf", ArxivId("2205.14135", 1)),
        ("arxiv.org/html/2205.14135v3#S1", ArxivId("2205.14135", 3)),
        ("https://export.arxiv.org/abs/2205.14135?context=cs", ArxivId("2205.14135")),
        ("https://arxiv.org/abs/2205.14135/", ArxivId("2205.14135")),
        ("https://ar5iv.labs.arxiv.org/html/2205.14135", ArxivId("2205.14135")),
        ("https://www.alphaxiv.org/abs/2205.14135", ArxivId("2205.14135")),
        ("https://huggingface.co/papers/2205.14135", ArxivId("2205.14135")),
        ("10.48550/arXiv.2205.14135", ArxivId("2205.14135")),
        ("https://doi.org/10.48550/ARXIV.2205.14135", ArxivId("2205.14135")),
        ("10.48550/arXiv.hep-th/9901001", ArxivId("hep-th/9901001")),
        ("hep-th/9901001", ArxivId("hep-th/9901001")),
        ("math/0211159v1", ArxivId("math/0211159", 1)),
        ("math.GT/0309136", ArxivId("math/0309136", None, "math.GT")),
        ("https://arxiv.org/abs/math.GT/0309136v2", ArxivId("math/0309136", 2, "math.GT")),
        ("cond-mat.str-el/9912345", ArxivId("cond-mat/9912345", None, "cond-mat.str-el")),
        ("https://arxiv.org/pdf/hep-th/9901001v3", ArxivId("hep-th/9901001", 3)),
    ],
)
def test_an_arxiv_identifier_is_read_in_any_spelling(text: str, expected: ArxivId) -> None:
    assert identifiers.arxiv(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2213.14135",
        "2200.14135",
        "2205.141",
        "2205.1413555",
        "0211159",
        "foo/0211159",
        "math/0213159",
        "arXiv:",
        "10.1145/x",
        "https://arxiv.org/list/cs.LG/recent",
        "https://example.org/abs/2205.14135",
        "2205.14135v0",
        "2205.14135 and more",
    ],
)
def test_what_is_no_arxiv_identifier_is_none(text: str) -> None:
    assert identifiers.arxiv(text) is None


def test_an_arxiv_identifier_knows_its_address_and_doi() -> None:
    found = ArxivId("2205.14135", 2)
    assert (str(found), found.url) == ("2205.14135v2", "https://arxiv.org/abs/2205.14135v2")
    assert found.doi == "10.48550/arXiv.2205.14135"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"eprint": "math/0211159v1", "archiveprefix": "arXiv"}, "math/0211159"),
        ({"eprint": "2205.14135", "eprinttype": "arxiv"}, "2205.14135"),
        ({"eprint": "2205.14135"}, "2205.14135"),
        ({"eprint": "12345", "eprinttype": "jstor"}, None),
        ({"eprint": "2205.14135", "eprinttype": "hdl"}, None),
        ({"url": "https://arxiv.org/abs/math.GT/0309136"}, "math/0309136"),
        ({"doi": "10.48550/arXiv.2205.14135"}, "2205.14135"),
        ({"journal": "arXiv preprint arXiv:2205.14135"}, "2205.14135"),
        ({"journal": "CoRR", "volume": "abs/2205.14135"}, "2205.14135"),
        ({"howpublished": "{arXiv}:2205.14135"}, None),
        ({"note": "arXiv:hep-th/9901001 [hep-th]"}, "hep-th/9901001"),
        ({"url": "https://example.org/2205.14135"}, None),
        ({}, None),
    ],
)
def test_the_arxiv_identifier_of_an_entry_is_found_where_people_put_it(
    fields: dict[str, str], expected: str | None
) -> None:
    assert identifiers.arxiv_of(fields) == expected


# ISBN and ISSN


@pytest.mark.parametrize(
    ("text", "compact", "valid"),
    [
        ("978-0-306-40615-7", "9780306406157", True),
        ("ISBN 978 0 306 40615 7", "9780306406157", True),
        ("ISBN-13: 978\u20110\u2011306\u201140615\u20117", "9780306406157", True),
        ("0-306-40615-2", "0306406152", True),
        ("080442957x", "080442957X", True),
        ("978-0-306-40615-8", "9780306406158", False),
        ("0-306-40615-3", "0306406153", False),
        ("979-10-90636-07-1", "9791090636071", True),
        ("978-0-306-4061", None, False),
        ("977-0-306-40615-7", None, False),
        ("X306406152", None, False),
        ("", None, False),
    ],
)
def test_an_isbn_is_read_and_its_check_digit_judged(text: str, compact: str | None, valid: bool) -> None:
    assert identifiers.isbn(text) == compact
    assert identifiers.isbn_valid(text) is valid


def test_both_forms_of_an_isbn_compare_equal() -> None:
    assert identifiers.isbn13("0-306-40615-2") == identifiers.isbn13("978-0-306-40615-7") == "9780306406157"
    assert identifiers.isbn13("0-306-40615-3") is None


@pytest.mark.parametrize(
    ("text", "number", "valid"),
    [
        ("0378-5955", "0378-5955", True),
        ("ISSN 2434-561x", "2434-561X", True),
        ("03785955", "0378-5955", True),
        ("0378-5954", "0378-5954", False),
        ("0378-595", None, False),
    ],
)
def test_an_issn_is_read_and_its_check_digit_judged(text: str, number: str | None, valid: bool) -> None:
    assert identifiers.issn(text) == number
    assert identifiers.issn_valid(text) is valid


# Addresses


@pytest.mark.parametrize(
    "text",
    [
        "https://ex.org/a_b/%7Euser--x/$v1$?q=1&r=%20s#frag~t",
        "http://ex.org",
        "ftp://ex.org/x",
        "https://user@ex.org:8080/x",
        "https://[::1]:80/x",
        "mailto:ann@example.org",
        "https://ex.org/a;b=(c)!*',+@",
    ],
)
def test_a_safe_address_stays_as_it_is(text: str) -> None:
    assert identifiers.url(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'https://ex.org/q?a={b}&c=}d e"f\\g%2Fh_i#j',
            "https://ex.org/q?a=%7Bb%7D&c=%7Dd%20e%22f%5Cg%2Fh_i#j",
        ),
        ("https://ex.org/é?q=ü", "https://ex.org/%C3%A9?q=%C3%BC"),
        ("https://ex.org/100%", "https://ex.org/100%25"),
        ("https://ex.org/[a]<b>|^`", "https://ex.org/%5Ba%5D%3Cb%3E%7C%5E%60"),
        ("https://ex.org/#a#b", "https://ex.org/#a%23b"),
        ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
        ("HTTPS://Ex.org/A", "https://Ex.org/A"),
        (" <https://ex.org> ", "https://ex.org"),
    ],
)
def test_what_an_address_may_not_hold_is_percent_encoded(text: str, expected: str) -> None:
    assert identifiers.url(text) == expected
    assert identifiers.url(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//ex.org",
        "www.ex.org",
        "ex.org",
        "https://",
        "https:///x",
        "https:ex.org",
        "https://a\tb.org/",
        "http://ex.org/\x00",
        "mailto:",
        "mailto:a b@c",
        "mailto:a@b?c=<d>",
        "http://\\evil",
        "http://a,b/",
        "",
        " ",
        "\x01https://ex.org",
        "http://[x]/",
    ],
)
def test_nothing_else_becomes_a_link(text: str) -> None:
    assert identifiers.url(text) is None


@given(st.text())
def test_an_address_is_ascii_and_holds_nothing_that_html_or_bibtex_could_misread(text: str) -> None:
    for candidate in (text, f"https://ex.org/{text}", f"https://{text}", f"mailto:{text}"):
        found = identifiers.url(candidate)
        if found is not None:
            assert found.startswith(("http://", "https://", "ftp://", "mailto:"))
            assert not set(found) & set(' <>"{}\\^`|\n\r\t\x00')


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"url": "https://ex.org/a\\_b?x=1\\&y=2\\%20z\\#k"}, "https://ex.org/a_b?x=1&y=2%20z#k"),
        ({"url": "{https://ex.org/a}"}, "https://ex.org/a"),
        ({"howpublished": "\\url{https://ex.org/w_1?x=%C3%A9}"}, "https://ex.org/w_1?x=%C3%A9"),
        ({"howpublished": "{\\url{https://ex.org/a\\_b}}"}, "https://ex.org/a_b"),
        ({"howpublished": "https://ex.org/a"}, "https://ex.org/a"),
        ({"howpublished": "Online: \\url{https://ex.org}"}, None),
        ({"howpublished": "Talk at https://ex.org"}, None),
        ({"url": "javascript:alert(1)"}, None),
        ({"url": "javascript:alert(1)", "howpublished": "\\url{https://ex.org}"}, "https://ex.org"),
        ({"url": "", "howpublished": ""}, None),
        ({}, None),
    ],
)
def test_the_address_of_an_entry(fields: dict[str, str], expected: str | None) -> None:
    assert identifiers.url_of(fields) == expected


# What somebody types


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2205.14135v2", ("arxiv", "2205.14135v2")),
        ("https://arxiv.org/abs/2205.14135", ("arxiv", "2205.14135")),
        ("https://doi.org/10.48550/arXiv.2205.14135", ("arxiv", "2205.14135")),
        ("10.1145/3600006.3613165", ("doi", "10.1145/3600006.3613165")),
        ("https://dl.acm.org/doi/10.1145/3600006.3613165", ("doi", "10.1145/3600006.3613165")),
        (
            "https://dl.acm.org/doi/pdf/10.1145/3600006.3613165?download=true",
            ("doi", "10.1145/3600006.3613165"),
        ),
        (
            "https://link.springer.com/chapter/10.1007/978-3-030-00001-1_7",
            ("doi", "10.1007/978-3-030-00001-1_7"),
        ),
        (
            "https://link.springer.com/content/pdf/10.1007/s10766-018-0573-8.pdf",
            ("doi", "10.1007/s10766-018-0573-8"),
        ),
        (
            "https://iopscience.iop.org/article/10.1088/1742-6596/1/1/012/meta",
            ("doi", "10.1088/1742-6596/1/1/012"),
        ),
        (
            "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf",
            ("doi", "10.1101/2020.01.01.123456"),
        ),
        ("https://www.nature.com/articles/s41586-021-03819-2#Abs1", ("doi", "10.1038/s41586-021-03819-2")),
        ("https://zenodo.org/records/12345", ("doi", "10.5281/zenodo.12345")),
        ("https://api.crossref.org/works/10.1145%2F3600006.3613165", ("doi", "10.1145/3600006.3613165")),
        ("978-0-306-40615-7", ("isbn", "9780306406157")),
        ("https://github.com/vllm-project/vllm", ("url", "https://github.com/vllm-project/vllm")),
        ("https://ex.org/v10.1/x", ("url", "https://ex.org/v10.1/x")),
        ("978-0-306-40615-8", None),
        ("hello", None),
        ("", None),
    ],
)
def test_detect_says_what_an_identifier_is(text: str, expected: tuple[str, str] | None) -> None:
    assert identifiers.detect(text) == expected


@given(st.text())
def test_any_text_is_looked_at_without_an_exception(text: str) -> None:
    for scheme in identifiers.SCHEMES:
        found = scheme.normalise(text)
        if found is not None:
            assert scheme.normalise(found) == found
    identifiers.arxiv_of({"eprint": text, "journal": text, "note": text, "url": text, "doi": text})
    identifiers.url_of({"url": text, "howpublished": text})


@pytest.mark.parametrize(
    "unit", ["10.1000/", "10.1000/)", ".pdf", "/full", "%2", "a.", "{", "http://", "arXiv:", "."]
)
def test_long_input_takes_no_long_time(unit: str) -> None:
    for prefix in ("", "https://ex.org/10.1000/", "10.1000/", "https://", "arXiv:"):
        text = prefix + unit * 50_000
        with effort.ends(20):
            identifiers.detect(text)
            identifiers.url_of({"howpublished": text})
            identifiers.arxiv_of({"journal": "arxiv" + text, "note": text})
