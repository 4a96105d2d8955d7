"""The command `refkit check`: what it prints, where, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from refkit.bibtex import read_file
from refkit.cli import main

Run = Callable[..., tuple[int, str, str]]

BAD = (
    "@misc{lee2024,\n  author = {Lee, Ada},\n  title = {A Study of GPUs.},\n  year = {2024},\n  doi = "
    "{https://doi.org/10.5555/x},\n}\n"
)
GOOD = (
    "@misc{lee2024,\n  author = {Lee, Ada},\n  title = {A Study of {GPUs}},\n  year = {2024},\n  doi = "
    "{10.5555/x},\n}\n"
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in an empty folder; returns its status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def command(*arguments: str) -> tuple[int, str, str]:
        status = main(["check", *arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return command


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A file with an error and warnings, all of which can be fixed."""
    path = tmp_path / "refs.bib"
    path.write_text(BAD, "utf-8")
    return path


def test_text_shows_place_message_and_a_caret_under_the_value(run: Run, bad: Path) -> None:
    status, out, err = run("--bib", "refs.bib", "--select", "invalid-doi")
    assert status == 1
    assert out == (
        "refs.bib:5:10: error: the DOI is not bare: write 10.5555/x (invalid-doi) [lee2024]\n"
        "      doi = {https://doi.org/10.5555/x},\n"
        "             ^^^^^^^^^^^^^^^^^^^^^^^^^\n"
    )
    assert err == "1 entry: 1 error, 0 warnings, 0 notes; 1 fixable with --fix\n"


def test_a_caret_marks_the_piece_that_is_meant(run: Run, bad: Path) -> None:
    _, out, _ = run("--bib", "refs.bib", "--select", "unprotected-capitals")
    line, mark = out.splitlines()[1:]
    assert line[mark.index("^") : mark.rindex("^") + 1] == "GPUs"


def test_a_long_line_is_cut_around_the_value(run: Run, tmp_path: Path) -> None:
    (tmp_path / "long.bib").write_text(
        "@misc{k, note = {" + "word " * 200 + "}, author = {Lee, Ada}, year = {2024}, title = {Title.}}",
        "utf-8",
    )
    _, out, _ = run("--bib", "long.bib", "--select", "final-stop")
    line, mark = out.splitlines()[1:]
    assert len(line) < 120
    assert line[mark.index("^") : mark.rindex("^") + 1] == "Title."


def test_json_has_the_members_of_the_interface(run: Run, bad: Path) -> None:
    _, out, _ = run("--bib", "refs.bib", "--format", "json")
    rows = json.loads(out)
    assert [row["code"] for row in rows] == ["unprotected-capitals", "final-stop", "invalid-doi"]
    assert rows[2] == {
        "severity": "error", "code": "invalid-doi", "key": "lee2024", "file": "refs.bib", "line": 5,
        "message": "the DOI is not bare: write 10.5555/x", "fixable": True,
    }  # fmt: skip


def test_json_of_nothing_is_an_empty_array(run: Run, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(GOOD, "utf-8")
    assert run("--bib", "refs.bib", "--format", "json")[:2] == (0, "[]\n")


def test_github_annotations_name_file_line_and_column(run: Run, bad: Path) -> None:
    _, out, _ = run("--bib", "refs.bib", "--format", "github", "--select", "invalid-doi")
    assert (
        out == "::error file=refs.bib,line=5,col=10,title=invalid-doi::the DOI is not bare: write 10.5555/x\n"
    )


def test_warnings_alone_end_well(run: Run, bad: Path) -> None:
    assert run("--bib", "refs.bib", "--ignore", "invalid-doi")[0] == 0


def test_a_family_can_be_selected_and_ignored(run: Run, bad: Path) -> None:
    _, out, _ = run("--bib", "refs.bib", "--select", "titles", "--format", "json")
    assert {row["code"] for row in json.loads(out)} == {"unprotected-capitals", "final-stop"}
    _, out, _ = run("--bib", "refs.bib", "--ignore", "titles,identity", "--format", "json")
    assert json.loads(out) == []


def test_an_unknown_rule_is_wrong_usage_with_a_hint(run: Run, bad: Path) -> None:
    status, _, err = run("--bib", "refs.bib", "--select", "invalid-dio")
    assert status == 2
    assert "did you mean 'invalid-doi'?" in err


def test_fix_writes_what_has_one_right_answer(run: Run, bad: Path) -> None:
    status, out, err = run("--bib", "refs.bib", "--fix")
    assert bad.read_text("utf-8") == GOOD
    assert (status, out) == (0, "")
    assert err == "refs.bib: fixed\n1 entry: 0 errors, 0 warnings, 0 notes\n"


def test_fix_leaves_a_clean_file_alone(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text(GOOD, "utf-8")
    before = path.stat().st_mtime_ns
    run("--bib", "refs.bib", "--fix")
    assert path.stat().st_mtime_ns == before


def test_fix_keeps_line_endings_and_encoding(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(BAD.replace("Ada", "Zoë").replace("\n", "\r\n").encode("latin-1"))
    run("--bib", "refs.bib", "--fix")
    assert path.read_bytes() == GOOD.replace("Ada", "Zoë").replace("\n", "\r\n").encode("latin-1")


def test_fix_does_not_edit_standard_input(run: Run) -> None:
    assert run("--bib", "-", "--fix")[0] == 2


def test_several_files_may_follow_one_option(run: Run, bad: Path, tmp_path: Path) -> None:
    (tmp_path / "more.bib").write_text(GOOD.replace("lee2024", "lee2025"), "utf-8")
    _, out, _ = run("--bib", "refs.bib", "more.bib", "--select", "duplicate-doi", "--format", "json")
    assert [row["file"] for row in json.loads(out)] == ["refs.bib", "more.bib"]


def test_explain_says_what_a_rule_is_about(run: Run) -> None:
    status, out, _ = run("--explain", "invalid-doi")
    assert status == 0
    assert out.startswith("invalid-doi (error, fixable)\n")
    assert "Fails:" in out


def test_explain_of_an_unknown_code_is_wrong_usage(run: Run) -> None:
    status, _, err = run("--explain", "invalid-dio")
    assert status == 2
    assert "did you mean 'invalid-doi'?" in err


def test_a_file_that_is_not_there_is_wrong_usage(run: Run) -> None:
    status, _, err = run("--bib", "nowhere.bib")
    assert status == 2
    assert "nowhere.bib" in err


def test_a_project_without_files_is_wrong_usage(run: Run) -> None:
    status, _, err = run()
    assert status == 2
    assert "--bib" in err


def test_a_wrong_setting_is_wrong_usage(run: Run, bad: Path, tmp_path: Path) -> None:
    (tmp_path / "refkit.toml").write_text("[check]\nannotation-word = [1, 2]\n", "utf-8")
    status, _, err = run("--bib", "refs.bib")
    assert status == 2
    assert "annotation-words" in err


def test_accept_seals_the_values_of_a_work(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    bib = sorted(project.glob("bib/*.bib"))[0]
    key = read_file(bib).entries[0].key
    assert run("--accept", key)[0] == 0
    sealed = json.loads((project / "bib" / "provenance.json").read_text("utf-8"))["works"][key]["checked"]
    assert sealed["facts"]["title"]
    assert "changed-title" not in run("--format", "json")[1]
    bib.write_text(bib.read_text("utf-8").replace("title = {", "title = {Another: ", 1), "utf-8")
    assert "changed-title" in run("--format", "json")[1]
    assert run("--accept", key) == (0, "", "values of 1 work recorded as checked\n")
    assert run("--accept", key)[2] == "values of 0 works recorded as checked; 1 work as recorded before\n"
    assert "changed-title" not in run("--format", "json")[1]


def test_accept_of_an_unknown_key_is_wrong_usage(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert run("--accept", "nowhere2024")[0] == 2


def test_site_of_no_folder_is_wrong_usage(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert run("--site", "nowhere")[0] == 2


def test_colour_comes_when_asked_for(
    tmp_path: Path, bad: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["--color", "always", "check", "--bib", "refs.bib", "--select", "invalid-doi"])
    assert "\x1b[31merror\x1b[0m" in capsys.readouterr().out


def test_the_tabs_of_a_line_are_blanks_where_it_is_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tabs.bib").write_text("@misc{a,\n\ttitle = {A Title.},\n\tyear = {2020},\n}\n", "utf-8")
    out = run("--bib", "tabs.bib", "--select", "final-stop")[1]
    assert "     title = {A Title.}," in out
