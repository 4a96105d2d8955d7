"""Typst sets references from our BibLaTeX files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Typst = Callable[[str, Mapping[str, str]], bytes]


@pytest.mark.parametrize(
    "style", ["ieee", "apa", "chicago-author-date", "association-for-computing-machinery"]
)
def test_typst_sets_every_work(style: str, typst: Typst, bundles: Path) -> None:
    bib = (bundles / "all.biblatex.bib").read_text("utf-8")

    pdf = typst(f'#bibliography("all.bib", full: true, style: "{style}")', {"all.bib": bib})

    assert pdf.startswith(b"%PDF")


def test_typst_finds_every_key(typst: Typst, bundles: Path, keys: set[str]) -> None:
    citations = " ".join(f"#cite(label({key!r}))".replace("'", '"') for key in sorted(keys))
    bib = (bundles / "all.biblatex.bib").read_text("utf-8")

    pdf = typst(f'{citations} #bibliography("all.bib")', {"all.bib": bib})

    assert pdf.startswith(b"%PDF")
