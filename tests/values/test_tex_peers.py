"""Our reading of TeX beside that of other programs: where they differ, and why."""

from __future__ import annotations

import codecs
import json
import logging
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import latexcodec
import pytest
from pylatexenc.latex2text import LatexNodes2Text

from refkit.values import tex

DATA = Path(__file__).parent.parent / "data" / "tex"
CASES: dict[str, list[list[str]]] = json.loads((DATA / "decode.json").read_text("utf-8"))
CORPUS = [raw for cases in CASES.values() for raw, _ in cases]
#: For each peer, the reasons for which it reads a value otherwise, each with all values that it concerns.
DIFFERENCES: dict[str, dict[str, list[str]]] = json.loads((DATA / "differences.json").read_text("utf-8"))


def _latexcodec(raw: str) -> str:
    """latexcodec leaves braces, formulas and most commands; what it left is read by us."""
    assert latexcodec.__name__  # importing it registers the codec
    return tex.decode(codecs.decode(raw, "ulatex"))


def _pylatexenc(raw: str) -> str:
    return tex.clean(LatexNodes2Text().latex_to_text(raw))


def _biber(folder: Path, biber: Path, raws: list[str]) -> dict[str, str]:
    """What biber's own decoder makes of values; it leaves commands and formulas, which are read by us."""
    source = "".join(
        f"@misc{{k{at},\n note = {{{' '.join(raw.split())}}},\n}}\n" for at, raw in enumerate(raws)
    )
    (folder / "in.bib").write_text(source, encoding="utf-8")
    command = [str(biber), "--tool", "--decodecharsset=full", "--output-file=out.bib", "in.bib"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    written = (folder / "out.bib").read_text("utf-8")
    found = re.findall(
        r"@misc\{k(\d+),\s*note\s*=\s*\{(.*?)\},?\s*\}\s*(?=@|\Z)", written, re.DOTALL | re.IGNORECASE
    )
    return {raws[int(at)]: tex.decode(value) for at, value in found}


PEERS: dict[str, Callable[[str], str]] = {"latexcodec": _latexcodec, "pylatexenc": _pylatexenc}


@pytest.mark.parametrize("peer", PEERS)
def test_every_difference_from_a_peer_is_listed_with_its_reason(peer: str) -> None:
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    listed = {raw for values in DIFFERENCES[peer].values() for raw in values}
    differing: set[str] = set()
    for raw in CORPUS:
        try:
            theirs = PEERS[peer](raw)
        except Exception:
            differing.add(raw)
            continue
        if theirs != tex.decode(raw):
            differing.add(raw)
    assert differing <= listed
    assert listed <= set(CORPUS)


def test_every_difference_from_biber_is_listed_with_its_reason(
    tmp_path: Path, program: Callable[[str, str], Path]
) -> None:
    legal = [raw for group, cases in CASES.items() for raw, _ in cases if group != "broken input"]
    theirs = _biber(tmp_path, program("biber", "biber"), legal)
    assert len(theirs) == len(legal)
    listed = {raw for values in DIFFERENCES["biber"].values() for raw in values}
    assert {raw for raw in legal if theirs[raw] != tex.decode(raw)} <= listed
    assert listed <= set(CORPUS)
