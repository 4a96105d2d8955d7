"""The manual names every command and option that there is."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from refkit import config
from refkit.cli import COMMANDS, build_parser

MANUAL = Path(__file__).parents[2] / "docs" / "refkit"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_manual_names_each_command_and_its_options(command: str) -> None:
    text = (MANUAL / "command-line.rst").read_text(encoding="utf-8")
    block = re.search(rf"^``refkit {command} .*\n(?:(?:   .*)?\n)*", text, re.MULTILINE)
    assert block, f"no block on {command}"
    missing = [name for name in _options(command) if name not in block[0]]
    assert not missing


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
