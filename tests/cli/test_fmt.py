from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from refkit.cli import main

DATA = Path(__file__).resolve().parent.parent / "data" / "edit"
UNTIDY = b'@Misc{ a ,Year=2000,\r\n title = "A"}\r\n'
TIDY = b"@misc{a,\r\n  title = {A},\r\n  year = {2000},\r\n}\r\n"


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    path = tmp_path / "refs.bib"
    path.write_bytes(UNTIDY)
    return path


def test_fmt_lays_a_file_out_and_keeps_its_line_endings(
    bib: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fmt", str(bib)]) == 0
    assert bib.read_bytes() == TIDY
    out, err = capsys.readouterr()
    assert not out
    assert err == "1 file laid out anew, 0 files as it should be\n"


def test_fmt_does_not_touch_a_file_that_is_laid_out(bib: Path) -> None:
    bib.write_bytes(TIDY)
    before = bib.stat()
    assert main(["fmt", str(bib)]) == 0
    assert (bib.stat().st_ino, bib.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_fmt_check_names_the_files_and_changes_nothing(bib: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tidy = bib.with_name("tidy.bib")
    tidy.write_bytes(TIDY)
    assert main(["fmt", "--check", str(bib), str(tidy)]) == 1
    assert capsys.readouterr().out == f"{bib}\n"
    assert bib.read_bytes() == UNTIDY
    assert main(["fmt", "--check", str(tidy)]) == 0


def test_fmt_without_files_takes_those_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "refkit.toml").write_text('bib = ["one.bib", "more"]\n')
    (tmp_path / "more").mkdir()
    for name in ("one.bib", "more/two.bib", "other.bib"):
        (tmp_path / name).write_bytes(UNTIDY)
    monkeypatch.chdir(tmp_path)
    assert main(["-q", "fmt"]) == 0
    assert (tmp_path / "one.bib").read_bytes() == (tmp_path / "more" / "two.bib").read_bytes() == TIDY
    assert (tmp_path / "other.bib").read_bytes() == UNTIDY
    assert not capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["more", "one.bib", "other.bib", "refkit.toml"]


def test_fmt_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UNTIDY)))
    assert main(["fmt", "-"]) == 0
    assert capsysbinary.readouterr().out == TIDY


@pytest.mark.parametrize("name", ["odd.bib", "odd-crlf.bib", "odd-latin1.bib", "odd-mixed.bib"])
def test_fmt_leaves_broken_entries_to_the_byte_names_them_and_is_idempotent(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = (DATA / name).read_bytes()
    start = data.index(b"@misc{broken")
    broken = data[start : data.index(b"2000", start) + 4]
    path = tmp_path / name
    path.write_bytes(data)
    assert main(["fmt", str(path)]) == 1
    err = capsys.readouterr().err
    assert f"{path}:30: @misc broken is broken" in err
    assert f"{path}:34: @misc six is broken" in err
    once = path.read_bytes()
    assert broken in once
    assert main(["fmt", str(path)]) == 1
    assert path.read_bytes() == once


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.bib"], "missing.bib: there is no such file"),
        (["-", "a.bib"], "laid out alone"),
        ([], "no .bib file"),
    ],
)
def test_fmt_says_what_it_cannot_use(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["fmt", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_fmt_changes_no_file_when_one_is_not_text(bib: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = bib.with_name("image.bib")
    image.write_bytes(b"\x89PNG\r\n\0\0\xff")
    assert main(["fmt", str(bib), str(image)]) == 2
    assert "image.bib" in capsys.readouterr().err
    assert bib.read_bytes() == UNTIDY
