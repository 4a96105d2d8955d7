"""Building again: only what changed is read and written, and the output equals a clean build's."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from tests.sphinxext.conftest import Build, MakeProject, Project

Change = Callable[[Project], None]


def differences(one: Build, other: Build) -> list[str]:
    first, second = one.files, other.files
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def clean(project: Project, **overrides: object) -> Build:
    return project.build(out="clean", **overrides)


def test_a_second_build_of_unchanged_input_reads_and_writes_nothing(project: MakeProject) -> None:
    one = project("list")
    one.build()
    again = one.build()
    assert again.read == []
    ours = {name for name in again.written if name.startswith(("works/", "exports/", "kernels/"))}
    assert ours == set()


def test_a_touch_of_a_bib_file_reads_and_writes_nothing(project: MakeProject) -> None:
    one = project("list")
    one.build()
    os.utime(one.path("bib/attention.bib"), (2_000_000_000, 2_000_000_000))
    again = one.build()
    assert again.read == []
    assert not any(name.startswith(("works/", "exports/")) or name == "notes.html" for name in again.written)


def test_a_new_order_and_layout_of_the_bib_file_reads_nothing(project: MakeProject) -> None:
    one = project("list")
    one.build()
    text = one.path("bib/attention.bib").read_text("utf-8")
    first, second = text.split("\n\n", 1)
    one.write("bib/attention.bib", f"% moved\n\n{second}\n\n{first}\n")
    assert one.build().read == []


def test_only_pages_that_place_or_cite_an_edited_work_are_read(project: MakeProject) -> None:
    one = project("list")
    one.build()
    one.edit("bib/attention.bib", "Faster Attention with Better Parallelism", "Faster Attention")
    again = one.build()
    assert again.read == ["kernels/attention"]
    assert "works/dao2024flashattention2/index.html" in again.written
    assert "works/williams2009roofline/index.html" not in again.written
    assert "exports/attention.bib" in again.written
    assert "exports/models.bib" not in again.written
    assert "notes.html" not in again.written


def test_pages_that_only_cite_show_the_new_label(project: MakeProject) -> None:
    one = project("list")
    one.build()
    one.edit("bib/models.bib", "Williams, Samuel and Waterman, Andrew", "Williamson, Samuel")
    again = one.build()
    assert again.read == ["kernels/models", "notes"]
    assert "Williamson 2009" in again.page("notes").main.text


def move_entry(project: Project) -> None:
    text = project.path("bib/attention.bib").read_text("utf-8")
    first, second = text.split("\n\n", 1)
    project.write("bib/attention.bib", second)
    project.write("bib/models.bib", project.path("bib/models.bib").read_text("utf-8") + "\n" + first + "\n")


def edit_entry(project: Project) -> None:
    project.edit("bib/attention.bib", "Fu, Daniel Y.", "Fu, Dan")


def add_entry(project: Project) -> None:
    text = project.path("bib/models.bib").read_text("utf-8")
    new = "@misc{new2009, author = {Williams, Sam and Waterman, A.}, title = {New}, year = 2009}\n"
    project.write("bib/models.bib", text + new)
    project.write(
        "notes.rst", project.path("notes.rst").read_text("utf-8") + "\n.. source:: new2009\n\n   New.\n"
    )


def remove_entry(project: Project) -> None:
    text = project.path("bib/attention.bib").read_text("utf-8")
    project.write("bib/attention.bib", text[: text.index("@inproceedings{dao2024")])
    project.edit("kernels/attention.rst", " before :cite:p:`dao2024flashattention2`", "")
    page = project.path("kernels/attention.rst").read_text("utf-8")
    project.write("kernels/attention.rst", page[: page.index(".. source:: dao2024")])


def move_placement(project: Project) -> None:
    page = project.path("kernels/attention.rst").read_text("utf-8")
    at = page.index(".. source:: dao2024")
    project.write("kernels/attention.rst", page[:at])
    project.write(
        "kernels/models.rst", project.path("kernels/models.rst").read_text("utf-8") + "\n" + page[at:]
    )


def change_annotation(project: Project) -> None:
    project.edit("kernels/models.rst", "The cost model, seen from here.", "Another cost model.")


def change_provenance(project: Project) -> None:
    project.edit("bib/provenance.json", "github.com/example/flash", "github.com/example/flash-attention")


CHANGES = [
    edit_entry,
    add_entry,
    remove_entry,
    move_entry,
    move_placement,
    change_annotation,
    change_provenance,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("overrides", [{}, {"refkit_work_pages": False}], ids=["work pages", "no work pages"])
def test_a_build_in_steps_equals_a_clean_one(
    project: MakeProject, change: Change, overrides: dict[str, object]
) -> None:
    one = project("list")
    one.build(**overrides)
    change(one)
    again = one.build(**overrides)
    assert differences(again, clean(one, **overrides)) == []


@pytest.mark.parametrize("change", [edit_entry, add_entry, remove_entry], ids=lambda change: change.__name__)
def test_so_it_does_with_furo_and_dirhtml(project: MakeProject, change: Change) -> None:
    one = project("list")
    one.build("dirhtml", html_theme="furo")
    change(one)
    again = one.build("dirhtml", html_theme="furo")
    assert differences(again, one.build("dirhtml", out="clean", html_theme="furo")) == []


def test_bibliographies_follow_the_bib_file_without_reading_a_page(project: MakeProject) -> None:
    one = project("bibliographies")
    one.build()
    text = one.path("refs.bib").read_text("utf-8")
    one.write("refs.bib", text + "@book{newbook, author = {New, Ann}, title = {Brand New}, year = 2020}\n")
    again = one.build()
    assert again.read == []
    assert {"refs.html", "lists.html", "filtered.html"} <= again.written
    assert "Brand New" in again.page("refs").main.text
    assert differences(again, clean(one)) == []


def test_editing_a_listed_work_rewrites_the_bibliographies_that_list_it(project: MakeProject) -> None:
    one = project("bibliographies")
    one.build()
    one.edit("refs.bib", "title = {Uncited}", "title = {Never cited}")
    again = one.build()
    assert again.read == []
    assert {"refs.html", "filtered.html"} <= again.written
    assert "here.html" not in again.written
    assert differences(again, clean(one)) == []


def test_an_edited_footnote_citation_reads_its_page(project: MakeProject) -> None:
    one = project("footnotes")
    one.build()
    one.edit("refs.bib", "title = {Second}", "title = {Seconds}")
    again = one.build()
    assert again.read == ["other"]
    assert differences(again, clean(one)) == []


def test_pages_of_works_that_are_gone_are_deleted(project: MakeProject) -> None:
    one = project("list")
    one.build()
    remove_entry(one)
    again = one.build()
    assert not (again.outdir / "works/dao2024flashattention2").exists()


def test_bundles_of_sections_that_are_gone_are_deleted(project: MakeProject) -> None:
    one = project("list")
    first = one.build()
    assert (first.outdir / "exports/models.bib").is_file()
    one.path("kernels/models.rst").write_text("Models\n======\n\nNothing any more.\n", "utf-8")
    again = one.build()
    assert not list((again.outdir / "exports").glob("models.*"))
    assert differences(again, clean(one)) == []


def test_leaving_out_bundles_and_work_pages_deletes_those_of_the_last_build(project: MakeProject) -> None:
    one = project("list")
    one.build()
    again = one.build(refkit_work_pages=False, refkit_bundles=False)
    assert not (again.outdir / "works").exists()
    assert not (again.outdir / "exports").exists()


def test_an_output_folder_that_was_deleted_is_made_again(project: MakeProject) -> None:
    import shutil

    one = project("list")
    first = one.build()
    files = first.files
    shutil.rmtree(first.outdir)
    assert one.build().files == files


def test_builders_do_not_hide_changes_from_each_other(project: MakeProject) -> None:
    one = project("bibliographies")
    one.build("html")
    one.edit("refs.bib", "title = {Uncited}", "title = {Never cited}")
    one.build("text")
    again = one.build("html")
    assert "Never cited" in again.page("refs").main.text


def test_a_build_of_one_page_does_not_hide_the_change_of_others(project: MakeProject) -> None:
    one = project("bibliographies")
    one.build()
    one.edit("refs.bib", "title = {Uncited}", "title = {Never cited}")
    one.build(pages=["here.rst"])
    again = one.build()
    assert "Never cited" in again.page("refs").main.text
    assert differences(again, clean(one)) == []


def test_parallel_reading_and_writing_gives_the_same_files(project: MakeProject) -> None:
    one = project("list")
    for number in range(12):
        one.write(
            f"more{number}.rst",
            f"More {number}\n======\n\n:cite:p:`cudaguide`\n\n.. source:: cudaguide\n\n   {number}.\n",
        )
    one.write(
        "index.rst", one.path("index.rst").read_text("utf-8") + "".join(f"   more{n}\n" for n in range(12))
    )
    assert differences(one.build(parallel=4), clean(one)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (":caption: Kernels", ":caption: Fast kernels"),
        ("   kernels/models\n", "   Other models <kernels/models>\n"),
        ("   kernels/models\n", "   kernels/models\n   Elsewhere <https://example.org/>\n"),
    ],
    ids=["caption", "title", "address"],
)
def test_generated_pages_have_the_newest_table_of_contents_beside_them(
    project: MakeProject, old: str, new: str
) -> None:
    one = project("list")
    one.build(html_theme="furo")
    one.edit("index.rst", old, new)
    again = one.build(html_theme="furo")
    whole = clean(one, html_theme="furo")
    ours = [name for name in whole.files if name.startswith(("works/", "browse", "map", "timeline"))]
    assert ours
    assert [name for name in differences(again, whole) if name in ours] == []
