"""How refkit sits in sphinxcontrib-bibtex and Sphinx: each hook that the design relies on."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from pybtex.database.input import bibtex as pybtex_bibtex
from tests.sphinxext.conftest import MakeBuild, MakeProject

from refkit.sphinxext import style
from refkit.sphinxext.domain import CiteDomain, cite_domain


def test_pybtex_never_parses(project: MakeProject, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise AssertionError("pybtex parses")

    monkeypatch.setattr(pybtex_bibtex.Parser, "parse_file", refuse)
    monkeypatch.setattr(pybtex_bibtex.Parser, "parse_string", refuse)
    for name in ("list", "bibliographies", "footnotes"):
        assert project(name).build().warnings == []


def test_the_cite_domain_is_replaced(built: MakeBuild) -> None:
    env = built("list").app.env
    assert type(env.get_domain("cite")) is CiteDomain
    assert env.domaindata["cite"]["version"] == CiteDomain.data_version


def test_the_environment_holds_no_objects_of_pybtex_and_no_nodes(built: MakeBuild) -> None:
    build = built("bibliographies")
    data = pickle.dumps({name: build.app.env.domaindata[name] for name in ("cite", "refkit")})
    assert b"pybtex.richtext" not in data
    assert b"docutils" not in data
    assert len(data) < 8000, "28 citations and 7 bibliographies of 6 entries"


HEAVY = ("refkit.bibtex", "refkit.formats", "refkit.hub", "refkit.sphinxext.reference")
NO_OP = """
import sys
from sphinx.cmd.build import main
status = main(sys.argv[2:])
print(status, sorted(set(sys.argv[1].split(",")) & set(sys.modules)))
"""


def test_where_nothing_changed_nothing_that_reads_or_formats_is_even_loaded(project: MakeProject) -> None:
    one = project("list")
    command = [
        sys.executable,
        "-c",
        NO_OP,
        ",".join(HEAVY),
        "-q",
        "-b",
        "html",
        ".",
        "../out",
        "-d",
        "../trees",
    ]
    told = []
    for _ in range(2):
        done = subprocess.run(
            command, cwd=one.folder, capture_output=True, text=True, timeout=300, check=True
        )
        told.append(done.stdout.splitlines()[-1])
        assert done.stderr == ""
    assert told == [f"0 {sorted(HEAVY)}", "0 []"]


def test_no_page_depends_on_a_bib_file(built: MakeBuild) -> None:
    for name in ("list", "bibliographies", "footnotes"):
        env = built(name).app.env
        found = {str(path) for paths in env.dependencies.values() for path in paths}
        assert not any(path.endswith(".bib") for path in found)


def test_styles_are_refkits_unless_conf_chooses(project: MakeProject) -> None:
    one = project("bibliographies")
    app = one.build().app
    assert (app.config.bibtex_default_style, app.config.bibtex_reference_style) == (style.NAME, style.NAME)
    one.edit("conf.py", "html_theme", 'bibtex_default_style = "alpha"\nhtml_theme')
    app = one.build(out="chosen").app
    assert (app.config.bibtex_default_style, app.config.bibtex_reference_style) == ("alpha", style.NAME)


def test_no_plug_in_is_looked_up_for_a_citation(
    project: MakeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.metadata

    looked_up: list[object] = []
    original = importlib.metadata.entry_points

    def entry_points(**options: object) -> object:
        looked_up.append(options)
        return original(**options)

    monkeypatch.setattr("pybtex.plugin.entry_points", entry_points)
    one = project("list")
    one.build()
    few = len(looked_up)
    for number in range(20):
        one.write(
            f"more{number}.rst",
            ":orphan:\n\nMore\n====\n\n:cite:p:`cudaguide` :cite:t:`cudaguide` :footcite:p:`cudaguide`\n\n"
            ".. footbibliography::\n",
        )
    looked_up.clear()
    one.build()
    assert len(looked_up) <= few


def test_keys_that_differ_by_case_are_reported_and_both_shown(built: MakeBuild) -> None:
    build = built("bad-input")
    assert any("differs only in case" in line for line in build.warnings)
    page = build.page("index")
    assert "Upper" in page.source("Twin").text
    assert "Lower" in page.source("twin").text


def test_what_sphinxcontrib_bibtex_asks_of_its_data_is_there(built: MakeBuild) -> None:
    build = built("bibliographies")
    domain = cite_domain(build.app.env)
    assert list(domain.bibdata.bibfiles) == [Path(build.app.confdir, "refs.bib").resolve()]
    entry = domain.bibdata.data.entries["roof"]
    assert [str(person) for person in entry.persons["author"]] == ["Williams, Samuel", "Waterman, Andrew"]
    assert entry.fields["Title"] == "Roofline"
    assert [entry.key for entry in domain.get_entries(domain.bibdata.bibfiles)][:2] == ["roof", "mx"]
    assert {ref.docname for ref in domain.citation_refs} == {"index", "here", "cited", "prefixed"}
