"""``refkit convert``: what goes in, what comes out where, and what it says."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from refkit.cli import main

GOOD = "@misc{a, title = {One}, year = 2001}\n"
BAD = "@misc{b,\n  title = {Two}\n  year = 2002}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.bib").write_text(GOOD)
    (tmp_path / "bad.bib").write_text(GOOD + BAD)
    return tmp_path


def keys(text: str) -> list[str]:
    return [entry["key"] for entry in json.loads(text)]


def test_one_format_goes_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["convert", "good.bib", "--to", "json"]) == 0

    out, err = capfdbinary.readouterr()
    assert keys(out.decode()) == ["a"]
    assert err == b""


def test_a_broken_entry_is_written_and_told_and_sets_the_status(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert main(["convert", "bad.bib", "--to", "json"]) == 1

    out, err = capfdbinary.readouterr()
    assert keys(out.decode()) == ["a", "b"]
    assert b"bad.bib:3: error:" in err
    assert b"[b]" in err


def test_quiet_leaves_out_warnings(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "warn.bib").write_text("@misc{a, title = nosuch}")

    assert main(["convert", "warn.bib", "--to", "json"]) == 0
    assert "nosuch" in capfd.readouterr().err
    assert main(["-q", "convert", "warn.bib", "--to", "json"]) == 0
    assert capfd.readouterr().err == ""


def test_several_formats_go_to_a_folder(folder: Path) -> None:
    assert main(["convert", "good.bib", "--to", "json,ris", "--to", "bibtex", "-o", "out"]) == 0

    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        "good.bib",
        "good.refkit.json",
        "good.ris",
    ]


def test_several_inputs_become_one_file_or_one_each(folder: Path) -> None:
    (folder / "more.bib").write_text("@misc{c, crossref = {a}}\n")

    assert main(["convert", "good.bib", "more.bib", "--to", "json", "-o", "both.json"]) == 0
    assert main(["convert", "good.bib", "more.bib", "--to", "json", "-o", "out/"]) == 0

    assert keys((folder / "both.json").read_text()) == ["a", "c"]
    assert keys((folder / "out" / "good.refkit.json").read_text()) == ["a"]
    (more,) = json.loads((folder / "out" / "more.refkit.json").read_text())
    assert more["fields"]["title"]["raw"] == "One"


def test_standard_input_is_bibtex(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))

    assert main(["convert", "-", "--to", "json"]) == 0

    assert keys(capfdbinary.readouterr().out.decode()) == ["a"]


def test_the_ending_tells_the_format_of_an_input(folder: Path) -> None:
    assert main(["convert", "good.bib", "--to", "json,csl-json,ris", "-o", "out"]) == 0

    for name in ("good.refkit.json", "good.json", "good.ris"):
        assert main(["convert", f"out/{name}", "--to", "json", "-o", "back.json"]) == 0
        assert keys((folder / "back.json").read_text()) == ["a"]


def test_entries_of_several_inputs_never_share_a_key_that_was_made(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("one.ris", "two.ris"):
        (folder / name).write_text("TY  - BOOK\nTI  - Loops\nER  - \n")
    (folder / "three.json").write_text('[{"id": "a", "type": "book", "title": "T"}]')

    assert main(["convert", "one.ris", "two.ris", "three.json", "good.bib", "--to", "json"]) == 0
    assert keys(capfd.readouterr().out) == ["loops", "loopsa", "aa", "a"]

    assert main(["convert", "one.ris", "two.ris", "--to", "json", "-o", "out/"]) == 0
    assert [keys((folder / "out" / f"{name}.refkit.json").read_text()) for name in ("one", "two")] == [
        ["loops"], ["loops"],
    ]  # fmt: skip


def test_an_output_that_has_its_bytes_is_left_alone(folder: Path) -> None:
    main(["convert", "good.bib", "--to", "json", "-o", "out.json"])
    before = (folder / "out.json").stat().st_mtime_ns

    main(["convert", "good.bib", "--to", "json", "-o", "out.json"])

    assert (folder / "out.json").stat().st_mtime_ns == before


def test_report_names_what_a_format_cannot_carry(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "odd.bib").write_text("@misc{a, title = {T}, x-my-own-field = {v}}")

    assert main(["convert", "odd.bib", "--to", "ris", "-o", "odd.ris", "--report"]) == 0

    assert "a: ris does not carry x-my-own-field" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.bib", "--to", "json"], "none.bib: cannot be read"),
        ([".", "--from", "bibtex", "--to", "json"], ".: cannot be read"),
        (["good.bib", "--to", "docx"], "unknown format 'docx'"),
        (["good.bib", "--from", "docx", "--to", "json"], "unknown format 'docx'"),
        (["good.bib", "--to", "json,ris"], "name it with -o"),
        (["notes.txt", "--to", "json"], "name it with --from"),
        (["good.bib", "--to", "bibtex", "-o", "good.bib"], "good.bib is an input already"),
        (["good.bib", "sub/good.bib", "--to", "json", "-o", "out/"], "is an output already"),
        (["binary.bib", "--to", "json"], "binary.bib is not text"),
        (["text.json", "--to", "json"], "text.json"),
        (["good.bib", "--from", "zotero-rdf", "--to", "json"], "can be written, but not read"),
    ],
)
def test_wrong_usage_and_unreadable_input_are_told(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "good.bib").write_text(GOOD)
    (folder / "notes.txt").write_text(GOOD)
    (folder / "text.json").write_text("no json")
    (folder / "binary.bib").write_bytes(b"\0\1\2")

    assert main(["convert", *arguments]) == 2

    assert message in capfd.readouterr().err
    assert (folder / "good.bib").read_text() == GOOD


def test_starting_imports_nothing_heavy() -> None:
    code = """
import sys
from refkit.cli import main
main(["convert", "good.bib", "--to", "json", "-o", "out.json"])
heavy = "sphinx pybtex requests urllib.request docutils arxiv inspect dataclasses".split()
print([name for name in heavy if name in sys.modules])
"""

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.strip() == "[]"


def test_classic_bibtex_says_what_its_ascii_cannot_hold(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "cjk.bib").write_text(GOOD + "@book{b, title = {深度学习综述}, year = 2014}\n", "utf-8")

    assert main(["convert", "cjk.bib", "--to", "bibtex", "-o", "out.bib"]) == 0
    err = capfd.readouterr().err
    assert "cjk.bib: warning: bibtex is ASCII and cannot hold the letters of b (1 of 2 entries)" in err

    assert main(["convert", "cjk.bib", "--to", "biblatex", "-o", "out.bib"]) == 0
    assert main(["-q", "convert", "cjk.bib", "--to", "bibtex", "-o", "out.bib"]) == 0
    assert capfd.readouterr().err == ""


def test_settings_of_latex_stay_in_bib_files_and_are_no_works_elsewhere(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = '@IEEEtranBSTCTL{bst, CTLuse_forced_etal = "yes"}\n@Control{achemso, ctrl-use-title = "yes"}\n'
    (folder / "all.bib").write_text(settings + GOOD, "utf-8")
    (folder / "only.bib").write_text("@Control{rev, x = 1}\n", "utf-8")

    done = main(
        ["convert", "all.bib", "only.bib", "--to", "bibtex,biblatex,csl-json,ris", "-o", "out", "--report"]
    )

    assert done == 0
    for ending in (".bib", ".biblatex.bib"):
        written = (folder / "out" / f"all{ending}").read_text("utf-8")
        assert "@ieeetranbstctl{bst,\n  ctluse_forced_etal = {yes},\n}" in written
        assert "@control{achemso,\n  ctrl-use-title = {yes},\n}" in written
    assert len(json.loads((folder / "out" / "all.json").read_text("utf-8"))) == 1
    assert json.loads((folder / "out" / "only.json").read_text("utf-8")) == []
    assert (folder / "out" / "all.ris").read_text("utf-8").count("TY  - ") == 1
    assert "bst: ris does not carry settings of LaTeX (@ieeetranbstctl)" in capfd.readouterr().err
