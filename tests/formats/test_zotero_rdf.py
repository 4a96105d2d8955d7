"""Zotero RDF, unAPI, COinS and meta tags: what Zotero takes from files and pages."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest

from refkit.formats import FORMATS, coins, unapi
from refkit.formats.zotero_rdf import one as written

if TYPE_CHECKING:
    from tests.formats.conftest import ReadItem

    from refkit.hub import Item

NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "z": "http://www.zotero.org/namespaces/export#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "bib": "http://purl.org/net/biblio#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "so": "http://schema.org/",
}
ABOUT = f"{{{NAMESPACES['rdf']}}}about"
RESOURCE = f"{{{NAMESPACES['rdf']}}}resource"


def tree(found: dict[str, Item], **options: object) -> ElementTree.Element:
    return ElementTree.fromstring(FORMATS["zotero-rdf"].dumps(found.values(), **options))  # type: ignore[arg-type]  # passed on as it is


def described(root: ElementTree.Element, key: str) -> ElementTree.Element:
    (element,) = [one for one in root.findall("rdf:Description", NAMESPACES) if one.get(ABOUT) == f"#{key}"]
    return element


def text(element: ElementTree.Element, name: str) -> str:
    return element.findtext(name, "", NAMESPACES)


def people(element: ElementTree.Element, name: str) -> list[tuple[str, str]]:
    persons = element.findall(f"{name}/rdf:Seq/rdf:li/foaf:Person", NAMESPACES)
    return [(text(person, "foaf:surname"), text(person, "foaf:givenName")) for person in persons]


def test_every_kind_has_its_own_item_type(kinds: dict[str, Item]) -> None:
    root = tree(kinds)

    assert {key: text(described(root, key), "z:itemType") for key in kinds} == {
        "paper": "conferencePaper",
        "preprint": "preprint",
        "article": "journalArticle",
        "book": "book",
        "chapter": "bookSection",
        "thesis": "thesis",
        "report": "report",
        "standard": "standard",
        "documentation": "webpage",
        "blog": "blogPost",
        "software": "computerProgram",
        "software-without-version": "computerProgram",
        "dataset": "dataset",
        "misc": "document",
    }


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        ("paper", "z:proceedingsTitle", "Proceedings of the 7th Symposium"),
        ("paper", "z:conferenceName", "SYMP 2023"),
        ("paper", "z:eventPlace", "Oslo, Norway"),
        ("paper", "z:pages", "611-626"),
        ("paper", "z:DOI", "10.5555/3600006.AB"),
        ("paper", "z:accessDate", "2026-08-23"),
        ("paper", "dc:date", "2023-10"),
        ("paper", "dc:description", "arXiv: 2309.06180\narXiv class: cs.LG"),
        ("preprint", "z:repository", "arXiv"),
        ("preprint", "z:archiveID", "arXiv:2205.14135"),
        ("preprint", "z:genre", "Preprint"),
        ("article", "z:publicationTitle", "Journal of Waves"),
        ("article", "z:issue", "4"),
        ("book", "z:numPages", "580"),
        ("book", "z:series", "Blue Series"),
        ("book", "z:seriesNumber", "9"),
        ("book", "z:place", "Oslo"),
        ("chapter", "z:bookTitle", "The Book"),
        ("thesis", "z:university", "University of Oslo"),
        ("thesis", "z:thesisType", "PhD thesis"),
        ("report", "z:institution", "University of Oslo"),
        ("report", "z:reportNumber", "TR-2008-134"),
        ("report", "z:reportType", "Technical report"),
        ("standard", "z:organization", "Open Format Forum"),
        ("standard", "z:versionNumber", "1.0"),
        ("standard", "z:type", "Specification"),
        ("documentation", "z:websiteTitle", "Programming Guide"),
        ("documentation", "z:websiteType", "Documentation"),
        ("documentation", "dc:description", "Number: Section 2.1\nVersion: 13.4"),
        ("blog", "z:blogTitle", "ann.ex.org"),
        ("software", "z:company", "Example Project"),
        ("software", "z:versionNumber", "4.2"),
        ("software", "z:rights", "MIT"),
    ],
)
def test_a_fact_is_in_the_field_that_zotero_has_for_it(
    key: str, field: str, value: str, kinds: dict[str, Item]
) -> None:
    assert text(described(tree(kinds), key), field) == value


def test_every_item_has_its_citation_key(kinds: dict[str, Item]) -> None:
    root = tree(kinds)

    assert [text(described(root, key), "z:citationKey") for key in kinds] == list(kinds)


def test_people_keep_particles_and_organisations_have_one_name(kinds: dict[str, Item]) -> None:
    root = tree(kinds)

    assert people(described(root, "article"), "bib:authors") == [
        ("van der Berg", "Anna"),
        ("King", "Martin, Jr."),
    ]
    assert people(described(root, "documentation"), "bib:authors") == [("Example, Inc.", "")]
    assert people(described(root, "paper"), "bib:editors") == [("Poe", "Cy")]


def test_programmers_are_authors_in_the_words_of_schema_org(kinds: dict[str, Item]) -> None:
    software = described(tree(kinds), "software")

    assert people(software, "so:author") == [("Example Team", "")]
    assert software.find("bib:authors", NAMESPACES) is None


def test_each_annotation_is_a_note_with_the_tag_of_its_section(listed: dict[str, Item]) -> None:
    root = tree(listed)
    references = described(root, "blog").findall("dcterms:isReferencedBy", NAMESPACES)
    memos = {memo.get(ABOUT): memo for memo in root.findall("bib:Memo", NAMESPACES)}
    notes = [memos[reference.get(RESOURCE)] for reference in references]

    first, second = (text(note, "rdf:value") for note in notes)
    assert first == (
        "<p>Annotation: <strong>Attention, tiling, and more.</strong> "
        "Reads a &lt; b &amp; C++; <em>see</em> 100%.</p>"
    )
    assert second == "<p>Annotation: <strong>Serving.</strong> Pages memory.</p>"
    assert [text(note, "dc:subject") for note in notes] == [
        "section: Attention, tiling, and more",
        "section: Serving",
    ]


def test_tags_may_hold_anything(listed: dict[str, Item]) -> None:
    tags = [one.text for one in described(tree(listed), "blog").findall("dc:subject", NAMESPACES)]

    assert tags == ["gpu", "section: Attention, tiling, and more", "section: Serving", "kind: blog"]


def test_related_addresses_are_lines_of_extra_and_unsafe_ones_are_not(listed: dict[str, Item]) -> None:
    extra = text(described(tree(listed), "blog"), "dc:description")

    assert extra == "Code: https://git.ex.org/x"


def test_several_sections_are_collections_in_one(listed: dict[str, Item]) -> None:
    root = tree(listed, groups=[("A & B", ["paper", "blog"]), ("Serving", ["blog"])], title="The list")
    found = {one.get(ABOUT): one for one in root.findall("z:Collection", NAMESPACES)}
    parts = {
        text(one, "dc:title"): [part.get(RESOURCE) for part in one.findall("dcterms:hasPart", NAMESPACES)]
        for one in found.values()
    }

    assert parts["A & B"] == ["#paper", "#blog"]
    assert parts["Serving"] == ["#blog"]
    assert [text(found[part], "dc:title") for part in parts["The list"]] == ["A & B", "Serving"]


def test_one_section_is_one_collection(listed: dict[str, Item]) -> None:
    root = tree(listed, groups=[("Serving", ["blog"])], title="The list")

    assert [text(one, "dc:title") for one in root.findall("z:Collection", NAMESPACES)] == ["Serving"]


def test_hostile_values_stay_text(hostile: dict[str, Item]) -> None:
    root = tree(hostile)

    assert text(described(root, "script"), "dc:title").startswith('A & B < C > "D" ]]> ')
    assert described(root, "key<&'>") is not None
    assert "javascript" not in FORMATS["zotero-rdf"].dumps(hostile.values())


def test_what_xml_forbids_is_left_out(one: ReadItem) -> None:
    assert "<dc:title>ab\ufffd</dc:title>" in written(one("@misc{a, title={a\x01\x00b\ufffe\ud800}}"))


# unAPI


def test_unapi_is_the_records_and_the_list_of_formats_in_one_file(listed: dict[str, Item]) -> None:
    file = unapi.dumps(listed.values())
    root = ElementTree.fromstring(file)

    assert len(root.findall("rdf:Description", NAMESPACES)) == len(listed) + 1
    assert re.findall(r'<format name="(\w+)" type="([^"]+)"/>', file) == [
        ("rdf_zotero", "application/rdf+xml")
    ]
    assert root.findall("z:Collection", NAMESPACES) == []
    assert len(root.findall("bib:Memo", NAMESPACES)) > len(listed)


# meta tags


def test_a_page_of_one_work_says_what_it_is(kinds: dict[str, Item]) -> None:
    tags = unapi.meta_tags(kinds["paper"])

    assert tags[0] == ("z:itemType", "conferencePaper")
    assert ("citation_title", "Tiling on GPUs") in tags
    assert [content for name, content in tags if name == "citation_author"] == ["Roe, Ann", "Doe, Bo"]
    assert ("citation_publication_date", "2023/10") in tags
    assert ("citation_doi", "10.5555/3600006.AB") in tags
    assert ("citation_firstpage", "611") in tags
    assert ("citation_lastpage", "626") in tags
    assert ("z:proceedingsTitle", "Proceedings of the 7th Symposium") in tags
    assert not {"z:DOI", "z:ISBN"} & {name for name, _ in tags}, "Zotero lowers their first letter"


def test_an_organisation_in_a_meta_tag_ends_in_a_comma(kinds: dict[str, Item]) -> None:
    assert ("citation_author", "Example Inc.,") in unapi.meta_tags(kinds["documentation"])
    assert ("so:author", "Example Team,") in unapi.meta_tags(kinds["software"])


# COinS


def pairs(found: Item) -> list[tuple[str, str]]:
    title = re.fullmatch(r'<span class="Z3988" title="([^"<>]*)"></span>', coins.span(found))
    assert title
    return parse_qsl(unescape(title[1]), strict_parsing=True)


def test_coins_name_the_item_type_last(kinds: dict[str, Item]) -> None:
    for key, found in kinds.items():
        assert pairs(found)[-1][0] == "rft.type", key
    assert pairs(kinds["standard"])[-1] == ("rft.type", "standard")


def test_coins_carry_people_date_identifiers_and_tags(listed: dict[str, Item]) -> None:
    found = pairs(listed["paper"])

    assert found[:2] == [("ctx_ver", "Z39.88-2004"), ("rft_val_fmt", "info:ofi/fmt:kev:mtx:dc")]
    assert ("rft.au", "Roe, Ann") in found
    assert ("rft.date", "2023-10") in found
    assert ("rft_id", "info:doi/10.5555/3600006.AB") in found
    assert ("rft.source", "Proceedings of the 7th Symposium") in found
    assert ("rft.subject", "section: Serving") in found
    assert ("rft.au", "Example Inc.,") in pairs(listed["documentation"])


def test_coins_are_one_attribute_whatever_the_values(hostile: dict[str, Item]) -> None:
    for found in hostile.values():
        assert pairs(found)
        assert "javascript" not in coins.span(found)
