"""CSL-JSON: valid by the schema, and read by Zotero as what it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from refkit.bibtex.reader import read_text
from refkit.formats import FORMATS
from refkit.formats.csl_json import read, variables
from refkit.hub import Item, item

if TYPE_CHECKING:
    from tests.formats.conftest import ReadItem


def items(found: dict[str, Item]) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in json.loads(FORMATS["csl-json"].dumps(found.values()))}


def test_every_kind_has_the_type_that_zotero_reads_as_it(kinds: dict[str, Item]) -> None:
    assert {key: one["type"] for key, one in items(kinds).items()} == {
        "paper": "paper-conference",
        "preprint": "article",
        "article": "article-journal",
        "book": "book",
        "chapter": "chapter",
        "thesis": "thesis",
        "report": "report",
        "standard": "standard",
        "documentation": "webpage",
        "blog": "post-weblog",
        "software": "book",
        "software-without-version": "document",
        "dataset": "dataset",
        "misc": "document",
    }


def test_software_is_told_in_the_note_and_never_as_a_type(kinds: dict[str, Item]) -> None:
    """One item of type software makes Zotero refuse the whole file."""
    written = items(kinds)

    assert written["software"]["note"].splitlines()[0] == "Type: software"
    assert written["software-without-version"]["note"] == "Type: software"
    assert "software" not in {one["type"] for one in written.values()}


def test_a_book_has_no_version(one: ReadItem) -> None:
    """Zotero would take it for a program."""
    written = variables(one("@book{a, title={T}, version={2}}"))

    assert "version" not in written
    assert written["note"] == "Version: 2"


def test_what_zotero_has_no_variable_for_is_in_the_note(kinds: dict[str, Item]) -> None:
    written = items(kinds)

    assert written["paper"]["note"] == "arXiv: 2309.06180\narXiv class: cs.LG"
    assert written["preprint"]["number"] == "arXiv:2205.14135"
    assert written["documentation"]["note"] == "Version: 13.4\nNumber: Section 2.1"
    assert written["documentation"]["version"] == "13.4"
    assert written["software"]["note"] == "Type: software\nRights: MIT"


def test_a_remark_is_never_taken_for_a_label(hostile: dict[str, Item], one: ReadItem) -> None:
    assert variables(one("@misc{a, title={T}, note={As OPTQ: Accurate}}"))["note"] == "As OPTQ: Accurate"
    assert items(hostile)["script"]["note"] == "Remark: Type: book"


def test_the_annotation_is_the_abstract_where_there_is_none(listed: dict[str, Item], one: ReadItem) -> None:
    assert items(listed)["blog"]["abstract"].startswith("Attention, tiling, and more: Reads a < b & C++")
    assert items(listed)["blog"]["annote"] == items(listed)["blog"]["abstract"]
    own = variables(one("@misc{a, title={T}, abstract={Own.}, annote={Ours.}}"))
    assert (own["abstract"], own["annote"]) == ("Own.", "Ours.")


def test_key_and_id_are_both_there(kinds: dict[str, Item]) -> None:
    for key, one in items(kinds).items():
        assert one["id"] == one["citation-key"] == key


def test_text_is_no_html(hostile: dict[str, Item]) -> None:
    written = items(hostile)["script"]

    assert written["title"].startswith('A & B < C > "D" ]]> ')
    assert "&amp;" not in json.dumps(written)
    assert written["author"] == [{"literal": "<script>alert(1)</script>"}]


def test_no_bib_file_makes_an_empty_array() -> None:
    assert json.loads(FORMATS["csl-json"].dumps([])) == []


# reading


def test_what_was_written_is_read_back(kinds: dict[str, Item]) -> None:
    entries, diagnostics = read(FORMATS["csl-json"].dumps(kinds.values()), "x.json")

    assert not diagnostics
    assert [entry.key for entry in entries] == list(kinds)
    for entry in entries:
        before, after = kinds[entry.key], item(entry)
        assert after.type == before.type, entry.key
        want = {name: value for name, value in before.csl.items() if name not in ("genre",)}
        assert {name: value for name, value in after.csl.items() if name not in ("genre",)} == want, entry.key


def test_plain_text_becomes_tex_with_protected_capitals() -> None:
    csl = {
        "id": "a",
        "type": "book",
        "title": "R&D with <i>GPUs</i> at 100%",
        "author": [{"name": "A, B and Co"}],
    }
    (entry,) = FORMATS["csl-json"].loads(json.dumps([csl]))

    assert entry.fields["title"].startswith(r"{R\&D} with {")
    assert entry.fields["title"].endswith(r"\emph{GPUs}}} at 100\%")
    assert item(entry).csl["title"] == "R&D with <i>GPUs</i> at 100%"
    assert entry.text("title") == "R&D with GPUs at 100%"
    assert entry.names("author").people[0].literal == "A, B and Co"


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ({"id": "http://zotero.org/users/1/items/AB", "citation-key": "roe2020"}, "roe2020"),
        (
            {
                "id": "http://zotero.org/users/1/items/AB",
                "author": [{"family": "Müller, X"}],
                "issued": {"date-parts": [["2020"]]},
                "title": "On the Waves",
            },
            "muller2020waves",
        ),
        ({"id": "has blank, comma", "title": "A b"}, "work"),
        ({"id": 7}, "7"),
    ],
)
def test_a_key_is_taken_or_made(item: dict[str, Any], key: str) -> None:
    (entry,) = FORMATS["csl-json"].loads(json.dumps([{"type": "book", **item}]))

    assert entry.key == key


def test_equal_keys_get_letters() -> None:
    text = json.dumps([{"type": "book", "id": "a"}, {"type": "book", "id": "A"}, {"type": "book", "id": "a"}])

    assert [entry.key for entry in FORMATS["csl-json"].loads(text)] == ["a", "Aa", "ab"]


def test_what_is_lost_is_said() -> None:
    _, (diagnostic,) = read('[{"id": "a", "type": "book", "dimensions": "3 m", "scale": "1:2"}]', "x.json")

    assert (diagnostic.key, diagnostic.file, diagnostic.severity) == ("a", "x.json", "warning")
    assert "dimensions, scale" in diagnostic.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@book{a}", "not JSON: line 1, column 1"),
        ("[1]", "no item of the array is an object"),
        ('"x"', "neither an array"),
        ("[" * 100_000, "not"),
    ],
)
def test_what_is_no_csl_json_is_refused_with_a_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(text)


def test_an_item_that_is_no_object_costs_itself_only() -> None:
    (entry,), (diagnostic,) = read('[5, {"id": "a", "type": "book", "title": "T"}]')

    assert entry.key == "a"
    assert (diagnostic.severity, diagnostic.code) == ("error", "parse-error")
    assert "item 1 of the array" in diagnostic.message


def test_no_number_displaces_another_in_silence() -> None:
    article = {"id": "a", "type": "article-journal", "issue": "7", "number": "e12", "page": "1-3, 7–9, xi"}
    chapter = {"id": "b", "type": "chapter", "collection-number": "5", "number": "8"}
    (first, _), (diagnostic,) = read(json.dumps([article, chapter]))

    assert (first.fields["number"], first.fields["eid"]) == ("7", "e12")
    assert first.fields["pages"] == "1--3, 7--9, xi"
    assert diagnostic.key == "b"
    assert "variables number" in diagnostic.message


def test_variables_that_stand_in_zoteros_extra_become_fields() -> None:
    note = "original-date: 1781\nEvent Date: 2010-01-02/2010-01-05\noriginal-title: Critik\nseen: yes"
    (entry,), _ = read(json.dumps([{"id": "a", "type": "book", "note": note}]))

    assert (entry.fields["origdate"], entry.fields["eventdate"]) == ("1781", "2010-01-02/2010-01-05")
    assert (entry.fields["origtitle"], entry.fields["note"]) == ("Critik", "seen: yes")


@pytest.mark.parametrize(
    "value",
    [None, 3, True, [], {}, [[None]], {"date-parts": [[None]]}, {"date-parts": "x"}, [{"family": 3}], "\x00"],
)
def test_odd_values_are_passed_over(value: object) -> None:
    names = ("title", "author", "issued", "page", "note", "keyword", "DOI", "URL", "number", "citation-key")
    (entry,) = FORMATS["csl-json"].loads(json.dumps([{"type": "book", **dict.fromkeys(names, value)}]))

    document = read_text(FORMATS["bibtex"].dumps([item(entry)]))
    assert len(document.entries) == 1


def test_a_note_that_pandoc_would_take_for_a_label_is_a_remark(one: ReadItem) -> None:
    note = variables(one("@misc{a, title={T}, note={Number: 3\nPublisher: Nature Publishing Group}}"))["note"]
    assert note == "Remark: Number: 3 Publisher: Nature Publishing Group"


def test_the_holder_of_a_patent_comes_back_as_one_name(one: ReadItem) -> None:
    item = one("@patent{a, title={T}, holder={{Tesla Electric Company}}, number={1}, year={1888}}")
    (entry,), _ = read(FORMATS["csl-json"].dumps([item]))
    assert entry.names("holder") == item.entry.names("holder")


def test_the_director_of_a_film_comes_back_as_an_editor_of_this_type(one: ReadItem) -> None:
    item = one("@movie{a, title={T}, editor={Welles, Orson}, editortype={director}, year={1941}}")
    (entry,), diagnostics = read(FORMATS["csl-json"].dumps([item]))
    assert (entry.get("editor"), entry.get("editortype")) == ("Welles, Orson", "director")
    assert diagnostics == []
