"""LaTeX documents with our bundles compile, with BibTeX's classic styles and with biber."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
    "ACM-Reference-Format": r"\documentclass[nonacm,manuscript]{acmart}",
}


def bibtex_document(style: str) -> str:
    return (
        STYLES[style] + r"\begin{document}Text.\nocite{*}"
        rf"\bibliographystyle{{{style}}}\bibliography{{all}}\end{{document}}"
    )


@pytest.mark.parametrize("style", STYLES)
def test_a_classic_style_sets_every_work_and_prints_where_it_is(
    style: str, latex: LatexRunner, bundles: Path, keys: set[str]
) -> None:
    """Each reference has an address, a DOI or an arXiv id, though classic styles know no url."""
    done = latex(bibtex_document(style), {"all.bib": (bundles / "all.bib").read_bytes()})

    assert not done.errors
    assert not [line for line in done.bibliography_errors if "empty" not in line]
    references = re.split(r"\\bibitem", done.bbl)[1:]
    assert len(references) == len(keys)
    assert not [key for key in keys if f"{{{key}}}" not in done.bbl]
    assert not [text for text in references if not re.search(r"https?:|\\url|\\doi|\\href|arXiv", text)]


def test_every_work_is_set_by_biblatex(latex: LatexRunner, bundles: Path, keys: set[str]) -> None:
    document = (
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage[style=authoryear,maxbibnames=99]{biblatex}"
        r"\addbibresource{all.biblatex.bib}\begin{document}Text.\nocite{*}\printbibliography\end{document}"
    )

    done = latex(document, {"all.biblatex.bib": (bundles / "all.biblatex.bib").read_bytes()})

    assert not done.errors
    assert not done.bibliography_errors
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
