"""refkit rename, move and remove: one change through all files of a project."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from refkit import files
from refkit.cli import main
from refkit.config import load
from refkit.project import Project


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def changed_lines(before: dict[str, bytes], after: dict[str, bytes]) -> list[tuple[str, bytes, bytes]]:
    """The lines that differ, where files differ in nothing but some lines."""
    assert before.keys() == after.keys()
    out = []
    for name in before:
        old, new = before[name].splitlines(keepends=True), after[name].splitlines(keepends=True)
        assert len(old) == len(new), name
        out += [(name, one, other) for one, other in zip(old, new, strict=True) if one != other]
    return out


def placed(folder: Path) -> dict[str, list[str]]:
    return {
        section.slug: [place.key for place in section.placements]
        for section in Project(load(start=folder)).pages.sections
    }


# -- rename


def test_rename_follows_the_key_everywhere_and_changes_nothing_else(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(project)
    toml = before.pop("refkit.toml")
    assert main(["rename", "alpha2001", "alpha2001first"]) == 0
    after = contents(project)
    changed = after.pop("refkit.toml")
    assert changed == toml.replace(b'= "alpha2001"', b'= "alpha2001first"').replace(
        b"mismatch:alpha2001", b"mismatch:alpha2001first"
    ).replace(b"list\n\n", b'list\nalpha2001 = "alpha2001first"\n\n')
    lines = changed_lines(before, after)
    assert [(name, new.strip()) for name, _, new in lines] == [
        ("bib/first.bib", b"@book{alpha2001first,"),
        ("bib/first.bib", b"related = {alpha2001first},"),
        ("bib/provenance.json", b'"alpha2001first": {'),
        ("bib/second.bib", b"related = {alpha2001first},"),
        ("docs/other/second.rst", b"Builds on :cite:p:`alpha2001first,gamma2003` and"),
        ("docs/other/second.rst", b":footcite:t:`alpha2001first`."),
        ("docs/other/second.rst", b".. source:: alpha2001first"),
        (
            "docs/part/first.rst",
            b"Begin with :cite:t:`alpha2001first`, as ``:cite:t:`alpha2001``` is written::",
        ),
        ("docs/part/first.rst", b".. source:: alpha2001first"),
        ("docs/part/first.rst", b"An end on :cite:p:`gamma2003, alpha2001first`."),
    ]
    out, err = capsys.readouterr()
    assert not out
    assert "alpha2001 is now alpha2001first" in err
    assert "bib/first.bib" in err


def test_renaming_back_leaves_the_files_as_they_were_but_for_the_alias(project: Path) -> None:
    before = contents(project)
    assert main(["-q", "rename", "gamma2003", "g"]) == 0
    assert main(["-q", "rename", "g", "gamma2003"]) == 0
    after = contents(project)
    assert after.pop("refkit.toml") == before.pop("refkit.toml").replace(
        b"list\n", b'list\ng = "gamma2003"\n'
    )
    assert after == before


def test_rename_makes_a_configuration_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bib").mkdir()
    (tmp_path / "bib" / "refs.bib").write_text("@misc{a, note={A}}\n")
    monkeypatch.chdir(tmp_path)
    assert main(["-q", "rename", "a", "b"]) == 0
    assert (tmp_path / "refkit.toml").read_text() == '[aliases]\na = "b"\n'
    assert (tmp_path / "bib" / "refs.bib").read_text() == "@misc{b, note={A}}\n"
    assert load(start=tmp_path).aliases == {"a": "b"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("zeta", "eta", "there is no entry 'zeta' in bib"),
        ("Alpha2001", "eta", "did you mean 'alpha2001'?"),
        ("oldest", "eta", "it is an old name of 'alpha2001'"),
        ("alpha2001", "alpha2001", "has that key already"),
        ("alpha2001", "delta2004", "is taken in bib/second.bib; choose another"),
        ("alpha2001", "Gamma2003", "is taken in bib/first.bib as 'gamma2003'"),
        ("delta2004", "oldest", "is an old name of 'alpha2001'"),
        ("alpha2001", "a b", "cannot be a key"),
        ("alpha2001", "a,b", "cannot be a key"),
        ("alpha2001", "älpha", "must be ASCII"),
        ("alpha2001", "", "needs a key"),
        ("alpha2001", "../alpha", "must not read like a path"),
        ("alpha2001", "/alpha", "must not read like a path"),
    ],
)
def test_rename_refuses_and_changes_nothing(
    old: str, new: str, message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(project)
    assert main(["rename", old, new]) == 2
    assert message in capsys.readouterr().err
    assert contents(project) == before


def test_rename_does_nothing_when_one_file_cannot_be_changed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "refkit.toml").write_text('bib = "bib"\naliases = {\n  x = "y" }\n')
    before = contents(project)
    if sys.version_info < (3, 15):  # TOML 1.1 allows the line break
        assert main(["rename", "alpha2001", "eta"]) == 2
        assert "refkit.toml" in capsys.readouterr().err
        assert contents(project) == before


def test_rename_puts_everything_back_when_writing_fails(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(project)
    replace = files.replace

    def failing(path: Path, data: bytes) -> None:
        if path.name == "refkit.toml":
            raise OSError(28, "No space left on device", str(path))
        replace(path, data)

    monkeypatch.setattr(files, "replace", failing)
    assert main(["rename", "alpha2001", "eta"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert contents(project) == before


# -- move


def test_move_takes_annotation_and_entry_along(project: Path) -> None:
    assert main(["-q", "move", "gamma2003", "--section", "second", "--after", "delta2004"]) == 0
    assert placed(project) == {"first": ["alpha2001"], "second": ["delta2004", "gamma2003", "alpha2001"]}
    page = (project / "docs/other/second.rst").read_text()
    assert "   .. source:: gamma2003\n\n      Says the third thing.\n\n   .. source:: alpha2001\n" in page
    second = (project / "bib/second.bib").read_bytes()
    assert second.count(b"\n") == second.count(b"\r\n")
    assert second.endswith(
        b"}\r\n\r\n@inproceedings{gamma2003,\r\n  author = {Gamma, Gus},\r\n"
        b"  title = {The Third Work},\r\n  crossref = {beta2002},\r\n  related = {alpha2001},\r\n}\r\n"
    )
    assert (project / "bib/first.bib").read_text().endswith("  date = {2002},\n}\n")


def test_a_moved_entry_stays_where_its_first_placement_stays(project: Path) -> None:
    before = contents(project)
    assert main(["-q", "move", "alpha2001", "--section", "second", "--after", "delta2004"]) == 0
    assert contents(project) == before  # it stood there already


def test_move_to_the_section_that_a_work_is_on_changes_its_place(project: Path) -> None:
    assert main(["-q", "move", "alpha2001", "--section", "first"]) == 0
    assert placed(project)["first"] == ["gamma2003", "alpha2001"]
    entries = Project(load(start=project)).bibliography.entries
    assert [entry.key for entry in entries] == ["beta2002", "gamma2003", "alpha2001", "delta2004"]
    assert main(["-q", "move", "gamma2003", "--section", "first"]) == 0
    assert placed(project)["first"] == ["alpha2001", "gamma2003"]


def test_a_moved_entry_takes_the_text_of_its_macros_along(project: Path) -> None:
    page = project / "docs/other/second.rst"
    page.write_text(page.read_text().split("   .. source:: alpha2001")[0])
    assert main(["-q", "move", "alpha2001", "--section", "second"]) == 0
    second = (project / "bib/second.bib").read_text()
    assert "publisher = {Example Press}," in second
    assert "@string" not in second


def test_move_to_a_page_without_sources_begins_its_bib_file(project: Path) -> None:
    assert main(["-q", "move", "delta2004", "--section", "empty"]) == 0
    assert (project / "docs/empty.rst").read_text() == (
        "Empty\n=====\n\nNothing yet.\n\n.. source:: delta2004\n   :title: The fourth\n\n"
        "   Builds on :cite:p:`alpha2001,gamma2003` and\n   :footcite:t:`alpha2001`.\n"
    )
    assert (project / "bib/empty.bib").read_text() == (
        '% Section "Empty": the works that appear here first, in reading order.\n\n'
        "@misc{delta2004,\n  title = {The Fourth Work},\n  related = {alpha2001},\n}\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["zeta", "--section", "first"], "no entry 'zeta'"),
        (["gamma2003", "--section", "third"], "no section 'third' below docs; sections are: first, second"),
        (
            ["gamma2003", "--section", "second", "--after", "zeta"],
            "other/second.rst: there is no source 'zeta'",
        ),
        (["gamma2003", "--section", "first", "--after", "gamma2003"], "cannot stand behind itself"),
        (["beta2002", "--section", "first"], "is placed on no section"),
        (
            ["alpha2001", "--section", "empty"],
            "is placed on 'first' and 'second'; say from which with --from",
        ),
        (
            ["alpha2001", "--section", "empty", "--from", "empty"],
            "not placed on 'empty', but on 'first' and 'second'",
        ),
        (["alpha2001", "--section", "first", "--from", "second"], "placed on this page already"),
    ],
)
def test_move_refuses_and_changes_nothing(
    arguments: list[str], message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(project)
    assert main(["move", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert contents(project) == before


def test_a_broken_entry_is_not_moved(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / "bib/second.bib"
    path.write_bytes(path.read_bytes().replace(b"Work},", b"Work}"))
    before = contents(project)
    assert main(["move", "delta2004", "--section", "first"]) == 2
    assert "bib/second.bib:3: delta2004: this entry is broken" in capsys.readouterr().err
    assert contents(project) == before


# -- remove


def test_remove_lists_what_still_names_the_work(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(project)
    assert main(["remove", "alpha2001"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "refkit: error: 'alpha2001' is still needed; change these first",
        "  bib/first.bib:18: related of gamma2003",
        "  bib/second.bib:3: related of delta2004",
        "  docs/other/second.rst:9: cites alpha2001",
        "  docs/other/second.rst:10: cites alpha2001",
        "  docs/part/first.rst:4: cites alpha2001",
        "  docs/part/first.rst:20: cites alpha2001",
    ]
    assert contents(project) == before


def test_remove_takes_entry_places_provenance_and_aliases(project: Path) -> None:
    for path in [*project.rglob("*.bib"), *project.rglob("*.rst")]:
        data = path.read_bytes()
        for wanted, instead in [
            (b"  related = {alpha2001},\r\n", b""),
            (b"  related = {alpha2001},\n", b""),
            (b":cite:p:`alpha2001,gamma2003`", b"something"),
            (b":footcite:t:`alpha2001`", b"more"),
            (b":cite:t:`alpha2001`, as", b"it, as"),
            (b"gamma2003, alpha2001", b"gamma2003"),
        ]:
            data = data.replace(wanted, instead)
        path.write_bytes(data)
    assert main(["-q", "remove", "alpha2001"]) == 0
    assert placed(project) == {"first": ["gamma2003"], "second": ["delta2004"]}
    assert (
        (project / "bib/first.bib")
        .read_text()
        .startswith(
            '% Section "First": the works that appear here first, in reading order.\n\n'
            "@string{pub = {Example Press}}\n\n% The proceedings of gamma.\n@proceedings{beta2002,\n"
        )
    )
    assert [*json.loads((project / "bib/provenance.json").read_text())["works"]] == ["delta2004"]
    assert (project / "refkit.toml").read_text() == (
        '# A project of two sections.\nbib = "bib"\npages = "docs"\n\n[aliases]\n\n[suppress]\n'
    )
    page = (project / "docs/part/first.rst").read_text()
    assert "    :cite:p:`alpha2001`\n\n.. source:: gamma2003\n" in page


def test_remove_says_when_there_is_no_such_work(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["remove", "zeta"]) == 2
    assert "no entry 'zeta'" in capsys.readouterr().err


# -- all of them


def test_a_change_outside_of_a_project_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["remove", "a"]) == 2
    assert "no .bib file in" in capsys.readouterr().err


def test_two_changes_at_once_are_both_made(project: Path) -> None:
    runs = [
        subprocess.Popen([sys.executable, "-m", "refkit", "-q", "rename", old, new], cwd=project)
        for old, new in [("alpha2001", "alpha"), ("gamma2003", "gamma"), ("delta2004", "delta")]
    ]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    assert placed(project) == {"first": ["alpha", "gamma"], "second": ["delta", "alpha"]}
    assert load(start=project).aliases == {
        "oldest": "alpha", "alpha2001": "alpha", "gamma2003": "gamma", "delta2004": "delta",
    }  # fmt: skip
    assert not list(project.rglob(files.LOCK_NAME))
