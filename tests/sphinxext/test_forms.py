"""The forms of a reference that a work's page offers to copy, and what else one does with a work there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.sphinxext.conftest import MakeBuild, MakeProject, Page

from refkit import hub
from refkit.bibtex import read_bytes
from refkit.formats import FORMATS
from refkit.sphinxext.works import _commands, correction

if TYPE_CHECKING:
    from pathlib import Path

    from refkit.hub import Item

WORK = "works/dao2022flashattention/index"


def forms(page: Page) -> dict[str, str]:
    return {
        one.attributes["data-refkit-form"]: "".join(
            part for part in one.one(cls="rk-form-text").parts if isinstance(part, str)
        )
        or one.one(cls="rk-form-text").text
        for one in page.main.all("div", cls="rk-form")
    }


def test_all_forms_are_there_and_none_needs_a_script(built: MakeBuild) -> None:
    page = built("list").page(WORK)
    wanted = ["ieee", "apa", "latex", "typst", "pandoc", "bibtex", "biblatex", "ris", "csl-json", "cite-as"]
    assert list(forms(page)) == wanted
    assert all(text.strip() for text in forms(page).values())


def test_each_record_is_what_the_exports_write(built: MakeBuild) -> None:
    build = built("list")
    shown = forms(build.page(WORK))
    folder: Path = build.outdir.parent.parent / "list" / "bib"
    entries = {}
    for file in folder.glob("*.bib"):
        entries |= {one.key: one for one in read_bytes(file.read_bytes(), file.name).entries}
    item = hub.item(entries["dao2022flashattention"])
    for name in ("bibtex", "biblatex", "ris", "csl-json"):
        assert shown[name] == FORMATS[name].dumps([item]).strip().replace("\r\n", "\n")


def test_plain_texts_are_set_in_ieee_and_apa(built: MakeBuild) -> None:
    shown = forms(built("list").page(WORK))
    assert shown["ieee"].startswith("T. Dao, D. Y. Fu, and C. Ré, “FlashAttention: Fast and")
    assert shown["apa"].startswith("Dao, T., Fu, D. Y., & Ré, C. (2022). FlashAttention: Fast and")


@pytest.mark.parametrize(
    ("key", "latex", "typst", "pandoc"),
    [
        ("dao2022", r"\cite{dao2022}", "@dao2022", "[@dao2022]"),
        ("nvidia-cuda-guide", r"\cite{nvidia-cuda-guide}", "@nvidia-cuda-guide", "[@nvidia-cuda-guide]"),
        ("DBLP:c/X22", r"\cite{DBLP:c/X22}", '#cite(label("DBLP:c/X22"))', "[@DBLP:c/X22]"),
        ("a b.", r"\cite{a b.}", '#cite(label("a b."))', "[@{a b.}]"),
        ("2024x", r"\cite{2024x}", '#cite(label("2024x"))', "[@2024x]"),
    ],
)  # fmt: skip
def test_a_key_is_cited_as_each_system_takes_it(key: str, latex: str, typst: str, pandoc: str) -> None:
    assert [form.text for form in _commands(key)] == [latex, typst, pandoc]


def test_texts_are_set_once_for_each_state_of_an_entry(
    project: MakeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    from refkit.citation_styles import Processor

    set_works: list[str] = []
    text = Processor.text

    def counted(self: Processor, item: Item, style: str) -> str:
        set_works.append(item.key)
        return text(self, item, style)

    monkeypatch.setattr(Processor, "text", counted)
    one = project("list")
    one.build()
    first = len(set_works)
    assert first == 2 * len(set(set_works))
    one.edit("kernels/attention.rst", "Keeps the score", "Holds the score")
    one.build()
    one.build("dirhtml")
    assert len(set_works) == first, "another page, another builder, the same entries"
    one.edit("bib/models.bib", "Williams, Samuel", "Williams, Sam")
    one.build()
    assert set_works[first:] == ["williams2009roofline"] * 2
    kept = json.loads(
        (one.folder.parent / "build" / "doctrees" / "refkit-references.json").read_text("utf-8")
    )
    assert len(kept["texts"]) == first // 2


def test_a_work_that_the_processor_cannot_set_costs_one_text(
    project: MakeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    from refkit.citation_styles import Processor

    def fails(self: Processor, item: Item, style: str) -> str:
        raise IndexError(style)

    monkeypatch.setattr(Processor, "text", fails)
    build = project("list").build()
    assert build.warnings == []
    assert list(forms(build.page(WORK)))[:2] == ["latex", "typst"]


def test_a_correction_is_suggested_where_there_is_a_repository(project: MakeProject) -> None:
    one = project("list")
    assert not one.build().page(WORK).main.all(cls="rk-correction")
    one.write("pyproject.toml", '[tool.refkit]\nrepository = "https://github.com/example/list"\n')
    build = one.build()
    link = build.page(WORK).main.one("p", cls="rk-correction").links[0]
    assert link.startswith("https://github.com/example/list/issues/new?")
    assert parse_qs(urlsplit(link).query)["title"] == ["Correction: dao2022flashattention"]
    assert build.files == one.build(out="clean").files


def test_gitlab_and_addresses_that_are_none() -> None:
    assert correction("https://gitlab.com/a/b", "k", "N").startswith(
        "https://gitlab.com/a/b/-/issues/new?issue%5Btitle%5D="
    )
    assert correction("javascript:alert(1)", "k", "N") == ""
    assert correction("", "k", "N") == ""


def test_names_in_any_script_are_kept_together(project: MakeProject) -> None:
    one = project("list")
    one.edit("bib/models.bib", "Williams, Samuel and Waterman, Andrew", "כהן, דוד and 山田, 太郎")
    build = one.build()
    byline = build.page("works/williams2009roofline/index").main.all("p", cls="rk-byline")[0]
    assert byline.all("bdi")[0].text == "דוד כהן and 山田太郎"
    source = build.page("kernels/models").source("williams2009roofline")
    assert source.one(cls="rk-people").text == "דוד כהן and 山田太郎"


def test_a_work_without_people_and_date_has_all_forms(project: MakeProject) -> None:
    one = project("list")
    one.write("bib/bare.bib", "@misc{bare, title = {Bare <script>alert(1)</script> “quoted”}}\n")
    one.edit("notes.rst", "Only citations", ":cite:p:`bare` Only citations")
    build = one.build()
    page = build.page("works/bare/index")
    assert "(n.d.)" in forms(page)["apa"]
    assert not page.main.all("script")
    assert "<script>alert(1)" not in build.text("works/bare/index.html")
