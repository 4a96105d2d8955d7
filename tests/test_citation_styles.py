"""References in IEEE's and APA's style, beside those that pandoc sets from the same styles."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from refkit import hub
from refkit.bibtex import read_sources
from refkit.citation_styles import FOLDER, STYLES, Processor, given

if TYPE_CHECKING:
    from tests.conftest import Missing

    from refkit.hub import Item


@pytest.fixture(scope="module")
def processor() -> Processor:
    return Processor()


def work(bibtex: str) -> Item:
    [entry] = read_sources([("refs.bib", bibtex.encode())]).by_key.values()
    return hub.item(entry)


PAPER = work(
    "@inproceedings{k, author = {Hwu, Wen-mei W. and Doe, Anna-Maria}, title = {Are {GPU}s Fast?}, "
    "booktitle = {Proceedings of X}, pages = {1--9}, year = 2024, doi = {10.1000/1}}"
)


def test_ieee_shortens_names_and_closes_quotes_after_the_comma(processor: Processor) -> None:
    text = processor.text(PAPER, "ieee")
    assert text == (
        "W. W. Hwu and A.-M. Doe, “Are GPUs Fast?” in Proceedings of X, 2024, pp. 1–9. doi: 10.1000/1."
    )


def test_apa_puts_the_year_after_the_people(processor: Processor) -> None:
    text = processor.text(PAPER, "apa")
    assert text == (
        "Hwu, W. W., & Doe, A.-M. (2024). Are GPUs Fast? Proceedings of X, 1–9. https://doi.org/10.1000/1"
    )


def test_a_key_in_capitals_is_set_as_any_other(processor: Processor) -> None:
    item = work("@book{DBLP:books/X-1, author={Doe, Jane}, title={Things}, publisher={Press}, year=2024}")
    assert processor.text(item, "ieee") == "J. Doe, Things. Press, 2024."


def test_a_preprint_says_arxiv_once(processor: Processor) -> None:
    item = work(
        "@misc{k, author={Doe, Jane}, title={Early}, entrysubtype={preprint}, eprint={2205.14135}, "
        "eprinttype={arxiv}, date={2022-05-27}}"
    )
    assert "arXiv: 2205.14135" in processor.text(item, "ieee")
    assert "(Preprint arXiv:2205.14135). arXiv." in processor.text(item, "apa")


def test_software_is_named_as_what_it_is(processor: Processor) -> None:
    item = work(
        "@software{k, author={{The Team}}, title={Thing}, version={v2.1}, year=2024, url={https://ex.org}}"
    )
    assert processor.text(item, "apa") == (
        "The Team. (2024). Thing (Version 2.1) [Computer software]. https://ex.org"
    )


def test_an_undated_work_without_people_is_set(processor: Processor) -> None:
    item = work("@online{k, title={Guide}, url={https://ex.org/g}, urldate={2026-08-23}}")
    assert processor.text(item, "apa") == "Guide. (n.d.). Retrieved August 23, 2026, from https://ex.org/g"
    assert (
        processor.text(item, "ieee")
        == "“Guide.” Accessed: Aug. 23, 2026. [Online]. Available: https://ex.org/g"
    )


def test_what_stands_for_missing_people_is_not_shown_again(processor: Processor) -> None:
    program = work("@software{k, title={Thing}, version={2}, year=2024, url={https://ex.org}}")
    assert processor.text(program, "apa") == "Thing (Version 2). (2024). [Computer software]. https://ex.org"
    edited = work("@book{k, editor={Doe, Jane}, title={Things}, publisher={Press}, year=2024}")
    assert processor.text(edited, "apa") == "Doe, J. (Ed.). (2024). Things. Press."


def test_many_people_are_cut_as_each_style_asks(processor: Processor) -> None:
    people = " and ".join(f"Family{number}, Given" for number in range(40))
    item = work(f"@article{{k, author={{{people}}}, title={{T}}, journaltitle={{J}}, year=2024}}")
    assert processor.text(item, "ieee").startswith("G. Family0 et al., “T,” J")
    assert ", Family18, G., … Family39, G. (2024)." in processor.text(item, "apa")


def test_markup_and_foreign_text_stay_plain_text(processor: Processor) -> None:
    item = work(
        "@misc{k, author={山田, 太郎 and כהן, דוד}, year=2024, "
        "title={\\emph{A} <script>$x<y$</script> & \\textsuperscript{2}}}"
    )
    for style in STYLES:
        text = processor.text(item, style)
        assert "A <script>x<y</script> & 2" in text
        assert "山" in text
        assert "כהן" in text


def test_a_text_does_not_depend_on_what_was_set_before() -> None:
    one, two = Processor(), Processor()
    other = work("@article{k, author={Doe, A.}, title={Other}, journaltitle={J}, year=2024}")
    for style in STYLES:
        one.text(other, style)
    assert [one.text(PAPER, style) for style in STYLES] == [two.text(PAPER, style) for style in STYLES]


# the list, by pandoc -------------------------------------------------------------------

#: A letter that tells works of one year apart: pandoc sets all works at once.
_SUFFIX = re.compile(r"(n\.d\.|\d{4})-?[a-z](?=[,)])")
#: Where pandoc's text is not followed.
DIFFER = {"gordic2025matmul": "pandoc begins an address in a site's name with a capital"}


@pytest.fixture(scope="module")
def items(root: Path) -> dict[str, Item]:
    from refkit import config
    from refkit.bundles import collection
    from refkit.project import Project

    return {one.key: one for one in collection(Project(config.load(start=root))).all_items()}


def by_pandoc(pandoc: Path, style: str, works: list[dict[str, Any]], folder: Path) -> dict[str, str]:
    (folder / "works.json").write_text(json.dumps(works), "utf-8")
    done = subprocess.run(
        [pandoc, "-f", "markdown", "-t", "json", "--citeproc", "--csl", FOLDER / f"{style}.csl",
         "--bibliography", folder / "works.json"],
        input="---\nnocite: '@*'\n---\n", capture_output=True, encoding="utf-8", check=True, timeout=120,
    )  # fmt: skip
    return dict(_references(json.loads(done.stdout)["blocks"]))


def _references(blocks: list[Any]) -> list[tuple[str, str]]:
    out = []
    for block in blocks:
        if block["t"] == "Div":
            id = block["c"][0][0]
            found = id.startswith("ref-")
            out += [(id[4:], _text(block["c"][1]))] if found else _references(block["c"][1])
    return out


def _text(node: Any) -> str:
    if isinstance(node, list):
        return "".join(map(_text, node))
    if not isinstance(node, dict):
        return ""
    kind = node.get("t")
    if kind == "Str":
        return str(node["c"])
    if kind in ("Space", "SoftBreak"):
        return " "
    if kind == "Quoted":
        return f"“{_text(node['c'][1])}”"
    return _text(node["c"][1] if kind in ("Link", "Span") else node.get("c", []))


@pytest.mark.parametrize("style", STYLES)
def test_the_whole_list_is_set_as_pandoc_sets_it(
    style: str, items: dict[str, Item], processor: Processor, missing_client: Missing, tmp_path: Path
) -> None:
    try:
        import pypandoc

        pandoc = Path(pypandoc.get_pandoc_path())
    except (ImportError, OSError):
        missing_client("pandoc", "pip install pypandoc_binary")
    theirs = by_pandoc(pandoc, style, [given(item, style) for item in items.values()], tmp_path)
    assert theirs.keys() == items.keys()
    wrong = {}
    for key, item in items.items():
        ours, other = processor.text(item, style), re.sub(r"^\[\d+\]\s*", "", theirs[key])
        if _comparable(ours) != _comparable(other) and key not in DIFFER:
            wrong[key] = (ours, other)
    assert not wrong


def _comparable(text: str) -> str:
    text = _SUFFIX.sub(r"\1", text)
    return text.replace("’", "'").rstrip(".")


def test_setting_loads_nothing_until_it_is_asked() -> None:
    code = (
        "import sys, refkit.citation_styles as s; s.Processor();"
        "print(sorted({'citeproc', 'lxml'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"
