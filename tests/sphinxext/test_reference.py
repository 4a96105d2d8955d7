"""Formatted references: pure functions from an entry to a tree of parts."""

from __future__ import annotations

import html.parser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pybtex.database import parse_string

from refkit.bibtex import read_text
from refkit.model import Entry
from refkit.sphinxext import reference, richtext, style


def entry(bibtex: str) -> Entry:
    return read_text(bibtex).entries[0]


def text(bibtex: str) -> str:
    return richtext.plain(reference.reference(entry(bibtex)))


@pytest.mark.parametrize(
    ("bibtex", "expected"),
    [
        pytest.param(
            "@article{k, author={Doe, Jane and Roe, Richard}, title={On {GPU}s}, journal={J. Things}, "
            "volume=3, number=2, pages={10--19}, date={2021-05}, doi={10.5555/1}}",
            "Jane Doe and Richard Roe. On GPUs. J. Things, 3(2):10–19. May 2021. doi:10.5555/1",
            id="article",
        ),
        pytest.param(
            "@inproceedings{k, author={Doe, Jane}, title={A Paper}, booktitle={Proceedings of X 8}, "
            "volume=8, venue={Oslo, Norway}, pages={7}, publisher={ACM}, date={2024-05-18}}",
            "Jane Doe. A Paper. In Proceedings of X 8, Oslo, Norway, page 7. ACM. 18 May 2024.",
            id="paper: a volume that the title says is not said again",
        ),
        pytest.param(
            "@inproceedings{k, author={Doe, Jane}, title={A Paper}, booktitle={Proc.}, series={LNCS}, "
            "volume=12, date=2020}",
            "Jane Doe. A Paper. In Proc., LNCS 12. 2020.",
            id="paper in a series",
        ),
        pytest.param(
            "@book{k, editor={Doe, Jane and Roe, Rick}, title={All of It}, edition=3, publisher={Press}, "
            "address={Oslo}, year=1999}",
            "Jane Doe and Rick Roe (editors). All of It. 3rd edition. Press, Oslo. 1999.",
            id="edited book",
        ),
        pytest.param(
            "@misc{k, author={Doe, Jane}, title={Early}, entrysubtype={preprint}, eprint={2205.14135}, "
            "eprinttype={arxiv}, date={2022}}",
            "Jane Doe. Early. Preprint. 2022. arXiv:2205.14135",
            id="preprint",
        ),
        pytest.param(
            "@online{k, author={{NVIDIA}}, title={Guide}, entrysubtype={documentation}, "
            "titleaddon={Toolkit}, number={Chapter 3}, "
            "version={13.0}, organization={NVIDIA}, url={https://ex.org/g}, urldate={2026-08-23}}",
            "NVIDIA. Guide. Toolkit, Chapter 3, version 13.0, NVIDIA. Accessed 23 August 2026. https://ex.org/g",
            id="documentation without a date",
        ),
        pytest.param(
            "@software{k, author={{The vLLM Team}}, title={vLLM}, version={0.9}, url={https://ex.org/v}, "
            "date=2023}",
            "The vLLM Team. vLLM. Software, version 0.9. 2023. https://ex.org/v",
            id="software",
        ),
        pytest.param(
            "@report{k, author={{OCP}}, title={MX}, entrysubtype={standard}, number={1.0}, "
            "institution={OCP}, date={2023-09}}",
            "OCP. MX. Standard 1.0, OCP. September 2023.",
            id="standard",
        ),
        pytest.param(
            "@techreport{k, author={Doe, J.}, title={Why?}, institution={MIT}, number={TR-1}, year=2001}",
            "J. Doe. Why? Technical report TR-1, MIT. 2001.",
            id="report whose title ends a sentence",
        ),
        pytest.param(
            "@phdthesis{k, author={Volkov, Vasily}, title={Latency}, school={Berkeley}, year=2016}",
            "Vasily Volkov. Latency. PhD thesis, Berkeley. 2016.",
            id="thesis",
        ),
        pytest.param(
            "@software{k, title={Data}, entrysubtype={dataset}, date={2021/2023}}",
            "Data. Dataset. 2021–2023.",
            id="dataset",
        ),
        pytest.param(
            "@nosuchtype{k, author={Doe, Jane}, title={Odd}, howpublished={Handed out}, year={n.d.}}",
            "Jane Doe. Odd. Handed out. n.d.",
            id="unknown type",
        ),
        pytest.param(
            "@jurisdiction{k, title={Brown v. Board}, volume=347, journaltitle={U.S.}, pages=483, date=1954}",
            "Brown v. Board. 347 U.S. 483. 1954.",
            id="judgement",
        ),
        pytest.param(
            "@legislation{k, title={Regulation}, journaltitle={Official Journal}, volume={L 119}, "
            "pages={1--88}, date=2016}",
            "Regulation. Official Journal, L 119:1–88. 2016.",
            id="law",
        ),
        pytest.param(
            "@patent{k, author={Tesla, Nikola}, title={Motor}, type={patentus}, number=381968, "
            "location={countryus}, date=1888}",
            "Nikola Tesla. Motor. U.S. patent 381968. United States. 1888.",
            id="patent",
        ),
        pytest.param(
            "@manual{k, author={{R Core Team}}, title={R}, organization={R Foundation}, address={Vienna}, "
            "version={4.3}, year=2023}",
            "R Core Team. R. Version 4.3, R Foundation. Vienna. 2023.",
            id="manual",
        ),
        pytest.param(
            "@article{k, author={刘, 建伟 and 夏目, 漱石 and Lee, Ada}, title={T}, journal={J}, volume=3, "
            "eid={L1}, year=2014}",
            "刘建伟, 夏目漱石, and Ada Lee. T. J, 3:L1. 2014.",
            id="names in the order of their script; an article with a number of its own",
        ),
        pytest.param("@article{k, note={Only a note}}", "Only a note.", id="nearly nothing"),
    ],
)
def test_each_kind_is_set(bibtex: str, expected: str) -> None:
    assert text(bibtex) == expected


def test_up_to_eight_people_are_named_then_three() -> None:
    def people(number: int) -> str:
        names = " and ".join(f"F{n}, G" for n in range(number))
        return reference.people_text(entry(f"@misc{{k, author={{{names}}}}}"))

    assert people(8).endswith("G F6, and G F7")
    assert people(9) == "G F0, G F1, G F2 et al."
    assert reference.people_text(entry("@misc{k, author={Doe, J. and others}}")) == "J. Doe et al."


def test_a_title_keeps_its_case_and_its_markup() -> None:
    one = entry(r"@misc{k, title={An \emph{eBPF}-based H$_2$O: from iPhone to {CUDA}}}")
    assert richtext.plain(reference.reference(one)).startswith("An eBPF-based H")
    assert "<em>eBPF</em>" in richtext.to_html(reference.reference(one))


def test_an_address_that_is_no_web_address_is_left_out() -> None:
    assert "javascript" not in text("@misc{k, title={T}, url={javascript:alert(1)}}")


def test_characters_of_an_address_that_html_knows_are_escaped() -> None:
    one = entry('@misc{k, title={T <b> & "q"}, url={https://ex.org/?a=1&b="2"}}')
    written = richtext.to_html(reference.reference(one))
    assert "T &lt;b&gt; &amp;" in written
    assert "<b>" not in written
    found = Addresses()
    found.feed(written)
    assert [address.startswith("https://ex.org/?a=1&b=") for address in found.addresses] == [True]


class Addresses(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= {"class", "href"}
        self.addresses += [value or "" for name, value in attrs if name == "href"]


@pytest.mark.parametrize(
    ("bibtex", "expected"),
    [
        ("@misc{k, author={Doe, J.}, entrysubtype={preprint}, eprint={2205.14135}, archiveprefix={arxiv}}",
         ("J. Doe", "arXiv preprint", "")),
        ("@inproceedings{k, author={Doe, J.}, booktitle={Long}, eventtitle={X 2022}, date=2022}",
         ("J. Doe", "X 2022", "")),
        ("@online{k, author={{NVIDIA}}, organization={NVIDIA}}", ("NVIDIA", "", "")),
        ("@thesis{k, author={Doe, J.}, type={phdthesis}, institution={MIT}, date=2001}",
         ("J. Doe", "PhD thesis, MIT", "2001")),
    ],
)  # fmt: skip
def test_a_byline_says_nothing_twice(bibtex: str, expected: tuple[str, str, str]) -> None:
    assert reference.byline(entry(bibtex)) == expected


def test_links_are_named_by_kind_and_stand_once() -> None:
    one = entry(
        "@misc{k, eprint={2205.14135}, eprinttype={arxiv}, doi={10.5555/1}, url={https://arxiv.org/abs/2205.14135}}"
    )
    assert [link.text for link in reference.addresses(one)] == ["arXiv:2205.14135", "doi:10.5555/1"]
    assert reference.home(one) == "https://arxiv.org/abs/2205.14135"


FIELDS = st.sampled_from(
    "title subtitle author editor date year month pages volume number series edition booktitle journal url "
    "doi eprint eprinttype type entrysubtype institution publisher howpublished note version titleaddon "
    "chapter urldate".split()
)
VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30) | st.sampled_from(
    [
        "{",
        "}}",
        "\\",
        r"\emph{",
        "<i>",
        "</i><sub>",
        "&amp;",
        "and and",
        ", ,",
        "javascript:x",
        "https://a b",
        "2020/",
    ]
)


@settings(max_examples=300)
@given(st.text("abcdefgh", min_size=1, max_size=8) | st.sampled_from(["article", "book", "report", "online"]),
       st.dictionaries(FIELDS, VALUES))  # fmt: skip
def test_nothing_in_an_entry_makes_a_reference_fail(type: str, fields: dict[str, str]) -> None:
    one = Entry("k", type, fields)
    parts = reference.reference(one, all_people=True)
    reference.byline(one)
    reference.addresses(one)
    found = Addresses()
    found.feed(richtext.to_html(parts))
    assert all(
        address.split(":")[0].lower() in ("http", "https", "ftp", "mailto") for address in found.addresses
    )
    assert str(richtext.to_pybtex(parts)) == richtext.plain(parts)
    assert "".join(node.astext() for node in richtext.to_nodes(parts)) == richtext.plain(parts)


def test_the_style_serves_pybtex_alone() -> None:
    data = parse_string(
        '@report{b, author={Doe, Jane}, title={Second}, institution={I}, year=2001}\n'
        '@article{a, author={Able, Ann}, title={First}, journal={J}, year=2002}\n',
        "bibtex",
    )  # fmt: skip
    formatted = list(style.ReferenceStyle().format_bibliography(data))
    assert [(one.key, one.label) for one in formatted] == [("a", "Able 2002"), ("b", "Doe 2001")]
    assert str(formatted[1].text) == "Jane Doe. Second. Report, I. 2001."
