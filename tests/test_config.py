"""Configuration from files and from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from refkit.config import ConfigError, load


def write(folder: Path, text: str, name: str = "pyproject.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_nearest_file_upwards_is_taken(tmp_path: Path) -> None:
    write(tmp_path, "[tool.refkit]\nbib = 'refs'\n")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    config = load(start=below, environ={})
    assert (config.root, config.bib) == (tmp_path, ("refs",))


def test_a_pyproject_of_something_else_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "[tool.refkit]\npages = 'pages'\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    write(inner, "[project]\nname = 'x'\n")
    assert load(start=inner, environ={}).pages == "pages"


def test_refkit_toml_needs_no_table(tmp_path: Path) -> None:
    write(tmp_path, "bib = ['a.bib', 'more']\ntimeout = 2\n", "refkit.toml")
    config = load(start=tmp_path, environ={})
    assert (config.bib, config.timeout) == (("a.bib", "more"), 2.0)


def test_the_environment_is_over_the_file(tmp_path: Path) -> None:
    write(tmp_path, "[tool.refkit]\narxiv-api = 'https://a.example/'\ntimeout = 9\n")
    config = load(
        start=tmp_path, environ={"REFKIT_ARXIV_API": "http://127.0.0.1:1/q/", "REFKIT_TIMEOUT": "3"}
    )
    assert (config.arxiv_api, config.timeout) == ("http://127.0.0.1:1/q", 3.0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tool.refkit]\nbibs = 'x'\n", "unknown key 'bibs'"),
        ("[tool.refkit]\nbib = []\n", "'bib' must be a path"),
        ("[tool.refkit]\ntimeout = 'soon'\n", "number of seconds"),
        ("[tool.refkit]\naliases = 'x'\n", "must be a table"),
        ("[tool.refkit\n", "is not TOML"),
    ],
)
def test_a_wrong_file_is_an_error_that_names_file_and_key(tmp_path: Path, text: str, says: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match=says) as caught:
        load(path, environ={})
    assert str(path) in str(caught.value)


def test_bib_files_of_a_folder_come_by_name_and_once(tmp_path: Path) -> None:
    (tmp_path / "bib").mkdir()
    for name in ("b.bib", "a.bib"):
        (tmp_path / "bib" / name).touch()
    write(tmp_path, "[tool.refkit]\nbib = ['bib', 'bib/a.bib']\n")
    assert [path.name for path in load(start=tmp_path, environ={}).bib_files()] == ["a.bib", "b.bib"]
