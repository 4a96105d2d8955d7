"""BibLaTeX: the entry's own fields, and what Zotero and JabRef look for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from refkit.bibtex.reader import read_text
from refkit.formats import FORMATS
from refkit.formats.biblatex import one as written
from refkit.hub import Item, item

if TYPE_CHECKING:
    from tests.formats.conftest import ReadItem

    from refkit.model import Entry

#: Types whose entries Zotero's BibTeX translator passes over without a word.
VANISHING = {"standard", "preprint", "dataset", "www"}


def back(found: Item) -> Entry:
    document = read_text(written(found))
    assert not document.diagnostics
    (entry,) = document.entries
    return entry


def test_no_type_vanishes_in_zotero(kinds: dict[str, Item], one: ReadItem) -> None:
    found = [*kinds.values(), *(one(f"@{type}{{a, title={{T}}}}") for type in VANISHING)]

    assert not {back(each).type for each in found} & VANISHING


@pytest.mark.parametrize("type", ["standard", "dataset"])
def test_a_type_that_is_written_as_another_keeps_its_kind(type: str, one: ReadItem) -> None:
    assert item(back(one(f"@{type}{{a, title={{T}}}}"))).kind == type


def test_the_kind_and_the_facts_survive(kinds: dict[str, Item]) -> None:
    for key, found in kinds.items():
        again = item(back(found))
        ignored = (
            {"number", "genre", "publisher", "keyword", "note"}
            if found.kind in ("documentation", "blog")
            else set()
        )
        assert again.kind == found.kind, key
        want = {name: value for name, value in found.csl.items() if name not in ignored}
        assert {name: value for name, value in again.csl.items() if name not in ignored} == want, key


def test_a_date_stands_alone(kinds: dict[str, Item], one: ReadItem) -> None:
    """biber prefers one of date and year, and says nothing: so there is only one."""
    fields = back(one("@article{a, title={T}, year={2013}, month={sep}}")).fields

    assert fields["date"] == "2013-09"
    assert "year" not in fields
    assert "month" not in fields
    assert "date" in back(kinds["paper"])


def test_a_year_in_words_stays(one: ReadItem) -> None:
    assert back(one("@article{a, title={T}, year={in press}}")).fields["year"] == "in press"


def test_an_undated_work_has_no_year(listed: dict[str, Item]) -> None:
    fields = back(listed["documentation"]).fields

    assert "year" not in fields
    assert "date" not in fields


def test_a_site_is_named_for_biblatex_and_for_its_other_readers(kinds: dict[str, Item]) -> None:
    fields = back(kinds["documentation"]).fields

    assert fields["journaltitle"] == "Programming Guide"
    assert fields["addendum"] == "Programming Guide, Section 2.1"
    assert "titleaddon" not in fields, "pandoc takes it for a part of the title"
    assert "number" not in fields, "Zotero takes the number of a page for an issue"


def test_zotero_is_told_what_a_page_or_preprint_is(kinds: dict[str, Item]) -> None:
    assert back(kinds["blog"]).fields["type"] == "Blog post"
    assert back(kinds["documentation"]).fields["type"] == "Documentation"
    assert back(kinds["preprint"]).fields["type"] == "Preprint"
    assert back(kinds["preprint"]).fields["publisher"] == "arXiv"
    assert "type" not in back(kinds["software"])


def test_arxiv_is_named_once(kinds: dict[str, Item]) -> None:
    fields = back(kinds["paper"]).fields

    assert (fields["eprint"], fields["eprinttype"], fields["eprintclass"]) == ("2309.06180", "arxiv", "cs.LG")
    assert "archiveprefix" not in fields
    assert "primaryclass" not in fields


def test_old_names_of_fields_become_new_ones(one: ReadItem) -> None:
    fields = back(one("@article{a, title={T}, journal={J}, address={Oslo}, annote={Good.}}")).fields

    assert (fields["journaltitle"], fields["location"], fields["annote"]) == ("J", "Oslo", "Good.")


def test_unicode_stays(one: ReadItem) -> None:
    assert back(one("@misc{a, author={Gordić, Aleksa}, title={Ω}}")).fields["author"] == "Gordić, Aleksa"


def test_annotations_are_where_zotero_looks(listed: dict[str, Item]) -> None:
    """In plain words: of markup Zotero reads the names of the commands as text."""
    fields = back(listed["blog"]).fields

    assert fields["annote"].startswith(
        r"Attention, tiling, and more: Reads a < b \& C++; see 100\%. Serving: "
    )
    assert "annotation" not in fields


def test_sections_are_groups_where_there_are_several(listed: dict[str, Item]) -> None:
    groups = [("Attention, tiling; {more}", ["paper", "blog"]), ("Serving", ["book"])]
    text = FORMATS["biblatex"].dumps(listed.values(), groups=groups)

    assert text.endswith(
        "@comment{jabref-meta: groupsversion:3;}\n\n"
        "@comment{jabref-meta: groupstree:\n"
        "0 AllEntriesGroup:;\n"
        "1 ExplicitGroup:Attention, tiling, (more)\\;0\\;paper\\;blog\\;;\n"
        "1 ExplicitGroup:Serving\\;0\\;book\\;;\n"
        "}\n"
    )
    assert len(read_text(text).entries) == len(listed)
    assert "@comment" not in FORMATS["biblatex"].dumps(listed.values(), groups=groups[:1])


def test_no_at_sign_begins_anything_but_an_entry(listed: dict[str, Item]) -> None:
    """Readers that know no comments would import it."""
    text = FORMATS["biblatex"].dumps(listed.values())

    assert len(re.findall(r"^@", text, re.M)) == len(listed)
    assert text.startswith("@")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (r"Mart{\'\i}n", r"Mart{\'{i}}n"),
        (r"Mart\'{\i}n", r"Mart\'{i}n"),
        (r"na\"\i{}ve", r"na\"{i}ve"),
        (r"\v{\j} Kad{\i}n", r"\v{j} Kad{\i}n"),
    ],
)
def test_an_accent_on_a_dotless_letter_is_one_that_biber_reads(
    raw: str, expected: str, one: ReadItem
) -> None:
    assert f"{{{expected}}}" in FORMATS["biblatex"].dumps([one(f"@misc{{a, title={{{raw}}}}}")])
