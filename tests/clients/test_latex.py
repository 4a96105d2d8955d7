"""LaTeX documents with our bundles compile, with BibTeX's classic styles and with biber."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.clients.conftest import LatexRunner

#: Style -> class and packages that it is made for.
STYLES = {
    "plain": r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{url}",
    "alpha": r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{url}",
    "plainnat": r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{natbib,hyperref}",
    "IEEEtran": r"\documentclass{IEEEtran}\usepackage[T1]{fontenc}\usepackage{url}",
    "ACM-Reference-Format": r"\documentclass[nonacm,manuscript]{acmart}\title{T}\author{A}",
}
#: What a style needs to be set at all, before the citations.
START = {"ACM-Reference-Format": r"\maketitle "}
#: Styles of before the web: they print the address of @misc alone, where it stands in ``howpublished``.
WITHOUT_URL = ("plain", "alpha")
#: What the ACM's style misses: places of publishers, publishers and pages that nobody knows.
UNKNOWN_FACT = re.compile(r"Warning--(?:empty (?:address|publisher) in|page numbers missing in)")
#: The tables of biber 2.18 are of January 2021, when ISBN 979-8 had no registrants yet.
OUTDATED = re.compile(r"ISBN '979-8-")


def bibtex_document(style: str) -> str:
    return (
        STYLES[style] + r"\begin{document}" + START.get(style, "") + r"Text.\nocite{*}"
        rf"\bibliographystyle{{{style}}}\bibliography{{all}}\end{{document}}"
    )


@pytest.fixture
def kinds(works: dict[str, dict[str, Any]]) -> dict[str, str]:
    """The kind of each work, by key."""
    from refkit.hub import classify

    return {
        key: classify(work["type"], work["fields"].get("entrysubtype", {}).get("raw", ""))[0]
        for key, work in works.items()
    }


@pytest.mark.parametrize("style", STYLES)
def test_a_classic_style_sets_every_work_and_prints_where_it_is(
    style: str, latex: LatexRunner, bundles: Path, keys: set[str], kinds: dict[str, str]
) -> None:
    """Each reference has an address, a DOI or an arXiv id, as far as the style can print one."""
    done = latex(bibtex_document(style), {"all.bib": (bundles / "all.bib").read_bytes()})

    assert not done.errors
    assert not [line for line in done.bibliography_errors if not UNKNOWN_FACT.match(line)]
    references = re.split(r"\\bibitem", done.bbl)[1:]
    assert len(references) == len(keys)
    assert not [key for key in keys if f"{{{key}}}" not in done.bbl]
    silent = [text for text in references if not re.search(r"https?:|\\url|\\doi|\\href|arXiv", text)]
    if style in WITHOUT_URL:
        silent = [
            text for text in silent if kinds[_key(text)] in ("preprint", "documentation", "blog", "software")
        ]
    assert not silent


def _key(reference: str) -> str:
    found = re.match(r"\s*(?:\[.*?\])?\s*\{([^}]+)\}", reference, re.S)
    assert found, reference
    return found[1]


def test_every_work_is_set_by_biblatex(latex: LatexRunner, bundles: Path, keys: set[str]) -> None:
    document = (
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage[style=authoryear,maxbibnames=99]{biblatex}"
        r"\addbibresource{all.biblatex.bib}\begin{document}Text.\nocite{*}\printbibliography\end{document}"
    )

    done = latex(document, {"all.biblatex.bib": (bundles / "all.biblatex.bib").read_bytes()})

    assert not done.errors
    assert not [line for line in done.bibliography_errors if not OUTDATED.search(line)]
    assert set(re.findall(r"^\s*\\entry\{([^}]+)\}", done.bbl, re.M)) == keys


def test_a_citation_of_one_section_is_found(latex: LatexRunner, bundles: Path) -> None:
    document = (
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{natbib,hyperref}\begin{document}"
        r"\citet{dao2022flashattention}\bibliographystyle{plainnat}\bibliography{attention}\end{document}"
    )

    done = latex(document, {"attention.bib": (bundles / "attention.bib").read_bytes()})

    assert not done.errors
    assert not done.undefined
    assert done.pdf.stat().st_size > 10_000
