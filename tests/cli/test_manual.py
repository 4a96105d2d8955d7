"""The manual names every command and option that there is."""

from __future__ import annotations

import argparse
import re
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from refkit import config
from refkit.cli import COMMANDS, build_parser, main

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "docs" / "refkit"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_manual_names_each_command_and_its_options(command: str) -> None:
    text = (MANUAL / "command-line.rst").read_text(encoding="utf-8")
    block = re.search(rf"^``refkit {command} .*\n(?:(?:   .*)?\n)*", text, re.MULTILINE)
    assert block, f"no block on {command}"
    missing = [name for name in _options(command) if name not in block[0]]
    assert not missing


@pytest.mark.parametrize("command", ["rename", "move", "remove", "list", "explain", "export", "fmt"])
def test_the_example_of_a_command_does_what_it_says_in_this_project(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bib", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("_static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "refs.bib").write_text("@misc{a, title = {T}}\n", "utf-8")
    monkeypatch.chdir(tmp_path)

    text = import_module(f"refkit.cli.{command}").__doc__ or ""
    examples = re.findall(r"(?m)^(?:examples?:)? *refkit (.*)$", text)
    assert examples
    for example in examples:
        assert main(example.split()) == 0, example


def test_the_manual_names_each_setting() -> None:
    text = (MANUAL / "configuration.rst").read_text(encoding="utf-8")
    names = [name.replace("_", "-") for name in config.Config._fields if name not in ("root", "file")]
    assert [name for name in [*names, *config.VARIABLES.values()] if f"``{name}``" not in text] == []


def _options(command: str) -> list[str]:
    parser = build_parser(command)
    subparsers = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    actions = subparsers.choices[command]._actions
    return [
        action.option_strings[-1]
        for action in actions
        if action.option_strings and action.dest not in ("help", "output")
    ]
