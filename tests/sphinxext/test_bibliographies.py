"""Bibliographies, footnotes and filters: what sphinxcontrib-bibtex's users know, in any project."""

from __future__ import annotations

from tests.sphinxext.conftest import MakeBuild, MakeProject


def test_the_project_builds_without_a_warning(built: MakeBuild) -> None:
    assert built("bibliographies").warnings == []
    assert built("footnotes").warnings == []


def test_a_bibliography_lists_what_its_page_cites_in_the_order_of_its_labels(built: MakeBuild) -> None:
    page = built("bibliographies").page("here")
    labels = [label.text.split("]")[0].strip("[ ") for label in page.main.all("span", cls="label")]
    assert labels == [
        "Alpha et al. 2011",
        "Beta 2010",
        "CUDA Guide",
        "Microscaling Formats",
        "Williams & Waterman 2009",
    ]


def test_one_work_may_stand_in_several_bibliographies(built: MakeBuild) -> None:
    build = built("bibliographies")
    for name in ("here", "refs", "cited"):
        assert build.page(name).main.one(id="cite-roof").attributes["role"] == "doc-biblioentry"


def test_entries_link_back_to_their_citations_on_the_page(built: MakeBuild) -> None:
    page = built("bibliographies").page("cited")
    back = [link for link in page.main.one(id="cite-roof").links if link.startswith("#")]
    assert len(back) == 1
    assert page.main.one(id=back[0][1:]).classes == {"bibtex-citation"}


def test_filters_choose_by_fields_people_type_and_citations(built: MakeBuild) -> None:
    page = built("bibliographies").page("filtered")
    items = [item.text for item in page.main.all("li")]
    assert len(items) == 2
    assert "Roofline" in items[0]
    assert "Uncited" in items[1]


def test_enumerated_lists_continue(built: MakeBuild) -> None:
    page = built("bibliographies").page("lists")
    first, second = page.main.all("ol")
    assert ["Uncited" in item.text for item in first.all("li")] == [True]
    assert second.attributes["start"] == "2"
    assert any("Roofline" in item.text for item in second.all("li")), "a key named in the content is listed"


def test_a_prefix_keeps_the_keys_of_a_bibliography_apart(built: MakeBuild) -> None:
    page = built("bibliographies").page("prefixed")
    assert page.citations() == [("A-Beta 2010", "#cite-a-beta")]


def test_a_style_of_pybtex_sets_what_it_can_and_refkit_the_rest(project: MakeProject) -> None:
    one = project("bibliographies")
    one.edit("cited.rst", ":cited:", ":all:")
    build = one.build()
    assert build.warnings == []
    text = build.page("cited").main.text
    assert "Microscaling Formats" in text, "pybtex's plain has no @report"
    assert "Samuel Williams and Andrew Waterman. Roofline. Communications of the ACM, 2009." in text


def test_a_field_that_a_style_of_pybtex_needs_is_reported_and_the_reference_is_set(
    project: MakeProject,
) -> None:
    one = project("bibliographies")
    one.edit("cited.rst", ":cited:", ":all:")
    one.edit("refs.bib", "title = {First}, journal = {J}", "title = {First}")
    build = one.build()
    assert [line for line in build.warnings if "missing field" in line or "needs a field" in line]
    assert "First" in build.page("cited").main.text


def test_two_entries_with_one_label_are_told_apart(project: MakeProject) -> None:
    one = project("bibliographies")
    text = one.path("refs.bib").read_text("utf-8")
    one.write("refs.bib", text + "@misc{beta2, author = {Beta, Ann}, title = {Third}, year = 2010}\n")
    page = one.build().page("refs")
    labels = {label.text.split("]")[0].strip("[ ") for label in page.main.all("span", cls="label")}
    assert {"Beta 2010a", "Beta 2010b"} <= labels


def test_footnote_citations_share_a_footnote_on_a_page(built: MakeBuild) -> None:
    page = built("footnotes").page("index")
    notes = page.main.all("aside", cls="footnote")
    assert ["Roofline" in notes[0].text, "First" in notes[1].text, len(notes)] == [True, True, 3]
    assert "then Alpha et al." in page.main.text


def test_footnotes_do_not_make_a_page_depend_on_the_time_of_a_bib_file(built: MakeBuild) -> None:
    build = built("footnotes")
    assert not any(str(path).endswith(".bib") for path in build.app.env.dependencies.get("index", ()))


def test_template_settings_for_anchors_are_kept(built: MakeBuild) -> None:
    build = built(
        "bibliographies", bibtex_cite_id="ref-{key}", bibtex_bibliography_id="bib-{bibliography_count}"
    )
    page = build.page("here")
    assert page.main.one(id="ref-roof")
    assert page.citations()[0][1] == "#ref-roof"


def test_the_bib_folder_of_the_project_is_used_where_conf_names_no_file(built: MakeBuild) -> None:
    build = built("list")
    assert build.app.config.bibtex_bibfiles == ["bib/attention.bib", "bib/models.bib"]
    assert build.warnings == []
