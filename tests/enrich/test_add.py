"""Adding a source from the command line: entry, place, provenance; refused where it is already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.enrich.server import Fault, Paper, Server, Work

from refkit.bibtex import read_files
from refkit.pages.reader import read_pages

if TYPE_CHECKING:
    from tests.enrich.conftest import Refkit

    from refkit.model import Entry

BIB = """% Section "Sorting": the works that appear here first, in reading order.

@misc{old2020first,
  author = {Old, Olga},
  title = {First},
  date = {2020},
  eprint = {2001.00001},
  eprinttype = {arxiv},
  archiveprefix = {arXiv},
  primaryclass = {cs.LG},
  url = {https://arxiv.org/abs/2001.00001},
  entrysubtype = {preprint},
}

@online{old2021second,
  author = {Old, Olga},
  title = {Second},
  date = {2021},
  url = {https://example.org/second/},
}
"""
PAGE = """Sorting
=======

About sorting.

.. source:: old2020first
   :title: First

   One.

.. source:: old2021second
   :title: Second

   Two.
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one section of two sources."""
    (tmp_path / "bib").mkdir()
    (tmp_path / "docs" / "part").mkdir(parents=True)
    (tmp_path / "refkit.toml").write_text('bib = "bib"\n[aliases]\nlee2021older = "old2020first"\n')
    (tmp_path / "bib" / "sorting.bib").write_text(BIB)
    (tmp_path / "docs" / "index.rst").write_text(
        "List\n====\n\n.. toctree::\n\n   part/sorting\n   part/empty\n"
    )
    (tmp_path / "docs" / "part" / "sorting.rst").write_text(PAGE)
    (tmp_path / "docs" / "part" / "empty.rst").write_text(
        "Other\n=====\n\n.. source:: old2020first\n\n   Again.\n"
    )
    return tmp_path


def _entry(project: Path, key: str) -> Entry:
    entry = read_files(sorted((project / "bib").glob("*.bib"))).get(key)
    assert entry is not None
    return entry


def _order(project: Path, slug: str = "sorting") -> list[str]:
    section = read_pages(project / "docs").section(slug)
    assert section is not None
    return [placed.key for placed in section.placements]


def _state(project: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes()
        for folder in ("bib", "docs")
        for path in sorted((project / folder).rglob("*.*"))
    }


@pytest.mark.parametrize(
    "identifier",
    [
        "2101.00001",
        "arXiv:2101.00001v2",
        "https://arxiv.org/pdf/2101.00001",
        "https://doi.org/10.48550/arXiv.2101.00001",
    ],
)
def test_an_arxiv_id_in_any_spelling(
    refkit: Refkit, project: Path, server: Server, paper: Paper, identifier: str
) -> None:
    paper.version = 2
    server.add(paper)

    done = refkit("add", identifier, "--section", "sorting", "--annotation", "Three.")

    assert done.returncode == 0, done.stderr
    entry = _entry(project, "lee2021fast")
    assert (entry.type, entry.text("entrysubtype"), entry.arxiv) == ("misc", "preprint", "2101.00001")
    assert (entry.text("date"), entry.url) == ("2021-01-04", "https://arxiv.org/abs/2101.00001")
    assert _order(project) == ["old2020first", "old2021second", "lee2021fast"]
    assert done.stdout.startswith("lee2021fast: added to bib/sorting.bib and docs/part/sorting.rst")


def test_a_doi(refkit: Refkit, project: Path, server: Server, work: Work) -> None:
    server.add(work)

    done = refkit("add", "https://dl.example.org/doi/abs/10.5555/sort.1", "--section", "sorting")

    assert done.returncode == 0, done.stderr
    entry = _entry(project, "lee2022fast")
    assert (entry.type, entry.doi, entry.text("journal", "journaltitle")) == (
        "article",
        "10.5555/sort.1",
        "Journal of Sorting",
    )
    assert "no annotation yet" in done.stderr


def test_a_published_preprint_becomes_the_paper_with_both_ids(
    refkit: Refkit, project: Path, server: Server, paper: Paper, work: Work
) -> None:
    paper.doi = work.doi
    server.add(paper, work)

    assert refkit("add", "2101.00001", "--section", "sorting").returncode == 0

    entry = _entry(project, "lee2022fast")
    assert (entry.type, entry.doi, entry.arxiv) == ("article", "10.5555/sort.1", "2101.00001")
    assert entry.url == "https://arxiv.org/abs/2101.00001"
    versions = json.loads((project / "bib" / "provenance.json").read_text("utf-8"))["works"]["lee2022fast"][
        "versions"
    ]
    assert versions[0]["date"] == "2021-01-04"


def test_a_publication_that_is_another_work_is_not_joined(
    refkit: Refkit, project: Path, server: Server, paper: Paper, work: Work
) -> None:
    paper.doi = work.doi
    work.csl["title"] = "Slow Searching in Trees"
    server.add(paper, work)

    assert refkit("add", "2101.00001", "--section", "sorting").returncode == 0

    assert _entry(project, "lee2021fast").type == "misc"


def test_it_is_placed_where_it_was_asked_for(
    refkit: Refkit, project: Path, server: Server, paper: Paper
) -> None:
    server.add(paper)

    assert refkit("add", "2101.00001", "--section", "sorting", "--after", "old2020first").returncode == 0

    assert _order(project) == ["old2020first", "lee2021fast", "old2021second"]
    keys = [entry.key for entry in read_files([project / "bib" / "sorting.bib"]).entries]
    assert keys == ["old2020first", "lee2021fast", "old2021second"]


def test_a_section_without_a_file_of_its_own_gets_one(
    refkit: Refkit, project: Path, server: Server, paper: Paper
) -> None:
    server.add(paper)

    assert refkit("add", "2101.00001", "--section", "empty").returncode == 0

    assert (project / "bib" / "empty.bib").read_text().startswith('% Section "Other"')
    assert _order(project, "empty") == ["old2020first", "lee2021fast"]


def test_all_else_stays_to_the_byte(refkit: Refkit, project: Path, server: Server, paper: Paper) -> None:
    server.add(paper)

    refkit("add", "2101.00001", "--section", "sorting")

    assert (project / "bib" / "sorting.bib").read_text().startswith(BIB)
    assert (project / "docs" / "part" / "sorting.rst").read_text().startswith(PAGE)


def test_a_dry_run_shows_the_changes_and_writes_nothing(
    refkit: Refkit, project: Path, server: Server, paper: Paper
) -> None:
    server.add(paper)
    before = _state(project)

    done = refkit("add", "2101.00001", "--section", "sorting", "--dry-run")

    assert done.returncode == 0
    assert "+@misc{lee2021fast," in done.stdout
    assert "+.. source:: lee2021fast" in done.stdout
    assert _state(project) == before


def test_several_at_once_cost_one_request(
    refkit: Refkit, project: Path, server: Server, paper: Paper
) -> None:
    server.add(paper, Paper("2102.00002", "Slow Things", ["Bo Doe"], "2021-02-03"))

    done = refkit("add", "2101.00001", "2102.00002", "--section", "sorting", "--after", "old2020first")

    assert done.returncode == 0
    assert _order(project) == ["old2020first", "lee2021fast", "doe2021slow", "old2021second"]
    assert len(server.asked("arxiv")) == 1


def test_a_key_of_ones_own(refkit: Refkit, project: Path, server: Server, paper: Paper) -> None:
    server.add(paper)

    assert refkit("add", "2101.00001", "--section", "sorting", "--key", "mine").returncode == 0
    assert _entry(project, "mine").text("title") == "Fast Sorting on GPUs"


def test_a_letter_is_added_where_the_key_is_in_use(refkit: Refkit, project: Path, server: Server) -> None:
    server.add(Paper("2101.00001", "Older Things", ["Ada Lee"], "2021-01-04"))

    assert refkit("add", "2101.00001", "--section", "sorting").returncode == 0

    _entry(project, "lee2021oldera")  # lee2021older is an alias


# -- pages without an identifier -------------------------------------------------------------------------


def test_of_a_page_what_it_says_is_written_and_the_rest_is_named(
    refkit: Refkit, project: Path, server: Server
) -> None:
    html = b'<title>Fast kernels | Blog</title><meta property="og:site_name" content="Blog">'
    server.pages["/fast"] = (200, {"Content-Type": "text/html"}, html)

    done = refkit("add", f"{server.base}/site/fast", "--section", "sorting", "--annotation", "Three.")

    assert done.returncode == 0, done.stderr
    key = _order(project)[-1]
    assert _entry(project, key).text("title") == "Fast kernels"
    assert "author: fill it in by hand" in done.stderr
    assert "date: fill it in by hand" in done.stderr
    work = json.loads((project / "bib" / "provenance.json").read_text("utf-8"))["works"][key]
    assert set(work["unverified"]) == {"author", "date"}


def test_a_page_that_names_its_doi_is_looked_up_by_it(
    refkit: Refkit, project: Path, server: Server, work: Work
) -> None:
    server.add(work)
    html = b'<meta name="citation_doi" content="10.5555/sort.1"><title>Something</title>'
    server.pages["/fast"] = (200, {"Content-Type": "text/html"}, html)

    assert refkit("add", f"{server.base}/site/fast", "--section", "sorting").returncode == 0

    assert _entry(project, "lee2022fast").text("title") == "Fast Sorting on GPUs"


def test_metadata_with_tex_and_markup_in_it_does_no_harm(
    refkit: Refkit, project: Path, server: Server
) -> None:
    html = b"<title>100% {of} \\input{x} .. source:: evil &lt;script&gt; `a` |b|_ *c</title>"
    server.pages["/fast"] = (200, {"Content-Type": "text/html"}, html)

    done = refkit("add", f"{server.base}/site/fast", "--section", "sorting", "--key", "new")

    assert done.returncode == 0, done.stderr
    assert _order(project) == ["old2020first", "old2021second", "new"]
    assert "\\input" not in (project / "bib" / "sorting.bib").read_text()


# -- refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("identifier", "key", "asked"),
    [
        ("2001.00001", "old2020first", False),
        ("https://arxiv.org/abs/2001.00001v3", "old2020first", False),
        ("http://www.example.org/second#part", "old2021second", False),
        ("2101.00001", "old2020first", True),
    ],
)
def test_a_work_that_is_there_is_refused_and_its_place_said(
    refkit: Refkit, project: Path, server: Server, identifier: str, key: str, asked: bool
) -> None:
    server.add(Paper("2101.00001", "First", ["Olga Old"], "2020-01-04"))
    before = _state(project)

    done = refkit("add", identifier, "--section", "sorting")

    assert done.returncode == 1
    assert f"there already as {key!r} (bib/sorting.bib:" in done.stderr
    assert "section 'sorting', position" in done.stderr
    assert _state(project) == before
    assert bool(server.requests) is asked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["2101.00001", "--section", "../../x"],
            "there is no section '../../x'; sections are: sorting, empty",
        ),
        (["nonsense", "--section", "sorting"], "no arXiv id, DOI or web address"),
        (["ftp://example.org/x", "--section", "sorting"], "no arXiv id, DOI or web address"),
        (["2101.00001", "--section", "sorting", "--key", "../x"], "the key '../x'"),
        (["2101.00001", "--section", "sorting", "--key", "OLD2020FIRST"], "is in use already"),
        (["2101.00001", "--section", "sorting", "--key", "lee2021older"], "is in use already"),
        (
            ["2101.00001", "--section", "sorting", "--after", "nobody"],
            "'nobody' does not stand in section 'sorting'",
        ),
        (
            ["2101.00001", "2102.00002", "--section", "sorting", "--key", "k"],
            "--key goes with one identifier",
        ),
    ],
)
def test_wrong_usage_is_told_before_anybody_is_asked(
    refkit: Refkit, project: Path, server: Server, arguments: list[str], message: str
) -> None:
    before = _state(project)

    done = refkit("add", *arguments)

    assert done.returncode == 2
    assert message in done.stderr or arguments[-1] == "../x"
    assert not server.requests
    assert _state(project) == before


@pytest.mark.parametrize(
    ("identifier", "fault", "status"),
    [
        ("2101.99999", None, 1),
        ("10.5555/none", None, 1),
        ("2101.00001", Fault(503), 3),
        ("10.5555/x", Fault(503), 3),
    ],
)
def test_what_cannot_be_found_changes_nothing(
    refkit: Refkit, project: Path, server: Server, identifier: str, fault: Fault | None, status: int
) -> None:
    if fault:
        server.fail("arxiv", fault)
        server.fail("doi", fault)
    before = _state(project)

    done = refkit("add", identifier, "--section", "sorting", REFKIT_TIMEOUT="1")

    assert done.returncode == status
    assert identifier in done.stderr
    assert _state(project) == before


def test_an_annotation_that_is_no_inline_text_is_refused(
    refkit: Refkit, project: Path, server: Server, paper: Paper
) -> None:
    server.add(paper)
    before = _state(project)

    done = refkit("add", "2101.00001", "--section", "sorting", "--annotation", ".. raw:: html")

    assert done.returncode == 1
    assert _state(project) == before
