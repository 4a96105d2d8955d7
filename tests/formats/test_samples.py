"""The acceptance data, where present: works as Zotero was seen to read them, in files that it reads best."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from tests.formats.test_zotero_rdf import NAMESPACES, described, people, text

from refkit.bibtex.reader import read_file
from refkit.formats import FORMATS
from refkit.formats.ris import one as ris
from refkit.hub import Item, item

if TYPE_CHECKING:
    from pathlib import Path

#: The samples' .bib has types of classic BibTeX, which tell less than the files beside it.
SUBTYPES = {
    "dao2022flashattention": "preprint",
    "ocp2023mx": "standard",
    "nvidia2025cudaguide": "documentation",
    "boehm2022matmul": "blog",
}


@pytest.fixture(scope="module")
def samples(acceptance: Path) -> Path:
    return acceptance / "zotero" / "samples"


@pytest.fixture(scope="module")
def items(samples: Path) -> dict[str, Item]:
    entries = read_file(samples / "good.bib").entries
    for entry in entries:
        if entry.key in SUBTYPES:
            entry.fields["entrysubtype"] = SUBTYPES[entry.key]
    return {entry.key: item(entry) for entry in entries}


@pytest.fixture(scope="module")
def expected(samples: Path) -> dict[str, dict[str, Any]]:
    return {one["citationKey"]: one for one in json.loads((samples / "expected.json").read_text("utf-8"))}


def named(creator: dict[str, str]) -> tuple[str, str]:
    return creator.get("literal") or creator["family"], creator.get("given", "")


def test_zotero_rdf_says_what_zotero_is_expected_to_have(
    items: dict[str, Item], expected: dict[str, dict[str, Any]]
) -> None:
    root = ElementTree.fromstring(FORMATS["zotero-rdf"].dumps(items.values()))
    for key, want in expected.items():
        found = described(root, key)
        assert text(found, "z:itemType") == want["itemType"], key
        assert text(found, "dc:title") == want["title"]
        assert text(found, "dc:date") == want["date"]
        assert text(found, "z:DOI") == want["DOI"]
        assert text(found, "z:url") == want["url"]
        assert [one.text for one in found.findall("dc:subject", NAMESPACES)] == want["tags"]
        assert len(found.findall("dcterms:isReferencedBy", NAMESPACES)) == want["notes"]
        creators = people(found, "bib:authors") + people(found, "so:author") + people(found, "bib:editors")
        assert creators == [named(creator) for creator in want["creators"]]
        assert bool(want["arxiv"]) == (
            f"arXiv: {want['arxiv']}" in text(found, "dc:description").splitlines()
        )
        containers = ("proceedingsTitle", "bookTitle", "websiteTitle", "blogTitle", "publicationTitle")
        assert "".join(text(found, f"z:{name}") for name in containers) == want["container"]


def test_csl_json_agrees_with_the_sample(samples: Path, items: dict[str, Item]) -> None:
    good = {one["id"]: one for one in json.loads((samples / "good.csl.json").read_text("utf-8"))}
    ours = {one["id"]: one for one in json.loads(FORMATS["csl-json"].dumps(items.values()))}
    compared = "type title title-short author editor issued accessed container-title publisher-place".split()
    compared += "event-title page ISBN DOI URL edition collection-title volume citation-key".split()
    for key, want in good.items():
        for name in compared:
            assert ours[key].get(name) == want.get(name), (key, name)


def test_ris_agrees_with_the_sample(samples: Path, items: dict[str, Item]) -> None:
    compared = "TY TI AU A2 PY DA ST T2 C3 PB C1 CY T3 VL SP EP DO UR Y2 KW ID".split()
    for record in re.split(r"\n\n", (samples / "good.ris").read_text("utf-8").replace("\r", "")):
        key = re.search(r"^ID  - (.*)$", record, re.M)
        if key is None:
            continue
        ours = ris(items[key[1]])
        for tag in compared:
            if key[1] == "volkov2016latency" and tag == "SP":
                continue  # a fact that the samples' .bib lacks
            pattern = rf"^{tag}  - (.*?)\r?$"
            assert re.findall(pattern, ours, re.M) == re.findall(pattern, record, re.M), (key[1], tag)
