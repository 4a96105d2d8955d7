"""Entries become CSL variables, once and for all formats."""

from __future__ import annotations

import pytest

from refkit.bibtex.reader import read_text
from refkit.hub import Context, Item, Note, classify, item, lost


def one(text: str, context: Context | None = None) -> Item:
    (entry,) = read_text(text).entries
    return item(entry, context)


@pytest.mark.parametrize(
    ("type", "subtype", "kind", "csl_type"),
    [
        ("inproceedings", "", "paper", "paper-conference"),
        ("conference", "", "paper", "paper-conference"),
        ("misc", "preprint", "preprint", "article"),
        ("article", "", "article", "article-journal"),
        ("article", "newspaper", "article", "article-newspaper"),
        ("online", "documentation", "documentation", "webpage"),
        ("www", "Blog", "blog", "post-weblog"),
        ("online", "", "misc", "webpage"),
        ("software", "", "software", "software"),
        ("software", "dataset", "dataset", "dataset"),
        ("dataset", "", "dataset", "dataset"),
        ("techreport", "", "report", "report"),
        ("report", "standard", "standard", "standard"),
        ("techreport", "standard", "standard", "standard"),
        ("misc", "software", "software", "software"),
        ("phdthesis", "", "thesis", "thesis"),
        ("manual", "", "documentation", "report"),
        ("book", "preprint", "book", "book"),
        ("neverheardof", "", "misc", "document"),
    ],
)
def test_type_and_subtype_alone_say_the_kind(type: str, subtype: str, kind: str, csl_type: str) -> None:
    assert classify(type, subtype) == (kind, csl_type)


def test_a_misc_with_an_arxiv_identifier_is_a_preprint_to_csl() -> None:
    found = one("@misc{a, title={T}, eprint={2101.00001}, archiveprefix={arXiv}, year=2021}")

    assert found.kind == "misc"
    assert found.csl["type"] == "article"
    assert found.csl["URL"] == "https://arxiv.org/abs/2101.00001"
    assert found.csl["number"] == "arXiv:2101.00001"


def test_a_particle_stays_with_the_name_unless_an_option_drops_it() -> None:
    kept = one("@book{a, author={van Dorst, Pieter}, title={T}}").csl["author"]
    dropped = one("@book{a, author={van Dorst, Pieter}, title={T}, options={useprefix=false}}").csl["author"]

    assert kept == [{"family": "Dorst", "given": "Pieter", "non-dropping-particle": "van"}]
    assert dropped == [{"family": "Dorst", "given": "Pieter", "dropping-particle": "van"}]


def test_others_is_no_person() -> None:
    assert one("@book{a, author={Roe, Ann and others}, title={T}}").csl["author"] == [
        {"family": "Roe", "given": "Ann"}
    ]


@pytest.mark.parametrize(
    ("fields", "issued"),
    [
        ("date={2022-05-27}", {"date-parts": [[2022, 5, 27]]}),
        ("year=2013, month=sep", {"date-parts": [[2013, 9]]}),
        ("date={2013-09/2014-02}", {"date-parts": [[2013, 9], [2014, 2]]}),
        ("date={2022-21}", {"date-parts": [[2022]], "season": 1}),
        ("date={1999~}", {"date-parts": [[1999]], "circa": True}),
        ("year={in press}", {"literal": "in press"}),
    ],
)
def test_dates_are_parts_or_words(fields: str, issued: dict[str, object]) -> None:
    assert one(f"@misc{{a, title={{T}}, {fields}}}").csl["issued"] == issued


def test_an_undated_work_has_no_date() -> None:
    assert "issued" not in one("@misc{a, title={T}}").csl


@pytest.mark.parametrize(
    ("type", "fields", "publisher"),
    [
        ("online", "organization={O}", "O"),
        ("report", "institution={I}, publisher={P}", "I"),
        ("thesis", "institution={U}", "U"),
        ("phdthesis", "school={U}", "U"),
        ("software", "organization={O}, publisher={P}", "O"),
        ("inproceedings", "publisher={P}, organization={O}", "P"),
        ("manual", "organization={O}", "O"),
    ],
)
def test_the_publisher_is_whoever_the_type_says(type: str, fields: str, publisher: str) -> None:
    assert one(f"@{type}{{a, title={{T}}, {fields}}}").csl["publisher"] == publisher


@pytest.mark.parametrize(
    ("fields", "variable", "value"),
    [
        ("@article{a, journal={J}, number={3-4}}", "issue", "3-4"),
        ("@book{a, series={S}, number={4}}", "collection-number", "4"),
        ("@report{a, number={TR-1}}", "number", "TR-1"),
        ("@article{a, pages={12--34}}", "page", "12-34"),
        ("@article{a, pages={045109-1--045109-8}}", "page", "045109-1–045109-8"),
        ("@article{a, eid={e102}}", "page", "e102"),
        ("@online{a, titleaddon={Site}}", "container-title", "Site"),
        ("@online{a, titleaddon={Site, Part 1}, journaltitle={Site}}", "container-title", "Site"),
        ("@inproceedings{a, booktitle={B}, booksubtitle={S}}", "container-title", "B: S"),
        ("@inproceedings{a, venue={Oslo}}", "event-place", "Oslo"),
        ("@inproceedings{a, address={York}, location={Oslo}}", "event-place", "Oslo"),
        ("@mastersthesis{a, school={U}}", "genre", "Master's thesis"),
        ("@thesis{a, type={phdthesis}}", "genre", "PhD thesis"),
        ("@book{a, langid={ngerman}}", "language", "de"),
        ("@misc{a, howpublished={Slides}}", "medium", "Slides"),
        ("@misc{a, doi={https://doi.org/10.5555/Ab.C}}", "DOI", "10.5555/Ab.C"),
        ("@misc{a, howpublished={\\url{https://ex.org/x}}}", "URL", "https://ex.org/x"),
    ],
)
def test_a_field_becomes_a_variable(fields: str, variable: str, value: str) -> None:
    assert one(fields).csl[variable] == value


def test_titles_hold_the_markup_of_csl_and_no_entities() -> None:
    csl = one(r"@article{a, title={\emph{E. coli} at 10\textsuperscript{6}: R\&D, $k<1$}}").csl

    assert csl["title"] == "<i>E. coli</i> at 10<sup>6</sup>: R&D, k<1"


def test_only_protected_words_of_small_letters_need_protection_in_csl() -> None:
    csl = one("@misc{a, title={{FlashAttention} in {llm.c}}}").csl

    assert csl["title"] == 'FlashAttention in <span class="nocase">llm.c</span>'
    assert one("@misc{a, title={{FlashAttention} in {llm.c}}}").title == "FlashAttention in llm.c"


def test_an_unsafe_address_is_nowhere() -> None:
    assert "URL" not in one("@online{a, title={T}, url={javascript:alert(1)}}").csl


def test_tags_are_the_entrys_the_lists_the_sections_and_the_kind() -> None:
    context = Context(sections=(("s", "Serving, and more"),), tags=("gpu", "x"))

    assert one("@misc{a, title={T}, keywords={x; y, z}}", context).tags == [
        "x", "y", "z", "gpu", "section: Serving, and more", "kind: misc",
    ]  # fmt: skip


def test_an_entry_that_no_list_places_has_its_own_tags_only() -> None:
    assert one("@misc{a, title={T}, keywords={x}}").tags == ["x"]
    assert one("@misc{a, title={T}}").tags == []


def test_annotations_stand_under_their_sections_where_there_are_several() -> None:
    notes = (Note("A", "a", "One.", "One.", "One."), Note("B", "b", "Two.", "Two.", "Two."))

    assert one("@misc{a, title={T}}", Context(notes=notes)).csl["annote"] == "A: One.\n\nB: Two."
    assert one("@misc{a, title={T}}", Context(notes=notes[:1])).csl["annote"] == "One."


def test_an_annotation_in_the_file_is_one_where_the_list_has_none() -> None:
    assert one(r"@misc{a, title={T}, annote={Good \& short}}").csl["annote"] == "Good & short"


def test_what_no_variable_carries_is_known() -> None:
    found = one("@book{a, title={T}, publisher={P}, organization={O}, file={x.pdf}, shelf={9}, year={2020}}")

    assert lost(found) == ["organization", "file", "shelf"]


def test_the_kind_survives_a_trip_through_classic_bibtex() -> None:
    from refkit.formats import FORMATS

    for text, kind in (
        ("@software{a, title={T}}", "software"),
        ("@online{a, title={T}, entrysubtype={blog}}", "blog"),
        ("@report{a, title={T}, entrysubtype={standard}}", "standard"),
        ("@standard{a, title={T}}", "standard"),
        ("@dataset{a, title={T}}", "dataset"),
    ):
        assert one(FORMATS["bibtex"].dumps([one(text)])).kind == kind


def test_the_end_of_a_cut_list_of_people_is_lost_and_said() -> None:
    (entry,) = read_text("@book{a, author={Lee, A and others}, editor={Others, B}, title={T}}").entries

    assert lost(item(entry)) == ["author (and others)"]


@pytest.mark.parametrize(
    "raw",
    [r"Soci{\'{e}}t{\'{e}}s", r"Soci\'{e}t\'{e}s", r"Soci\' {e}t\'es", r"Soci{\'e}t{\'e}s"],
)
def test_an_accent_in_a_title_stands_on_its_letter_in_any_bracing(raw: str) -> None:
    csl = one(f"@book{{a, title={{{raw} and {{llm.c}}}}, booktitle={{{raw}}}}}").csl
    assert csl["title"] == 'Sociétés and <span class="nocase">llm.c</span>'


def test_the_argument_of_a_command_protects_nothing() -> None:
    assert one(r"@book{a, title={The \emph{small} \textbf {words} \c {c} \& {vllm}}}").csl["title"] == (
        'The <i>small</i> <b>words</b> ç & <span class="nocase">vllm</span>'
    )


def test_the_country_of_a_patent_is_named() -> None:
    text = "@patent{a, title={T}, type={patentus}, location={countryus}, number={1}}"
    assert one(text).csl["publisher-place"] == "United States"
