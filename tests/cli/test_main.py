"""The command line as a whole: every command is there, explains itself, and leaves the next one alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refkit.cli import COMMANDS, main


def test_commands_run_one_after_another_in_one_process(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert main(["list", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])

    assert ended.value.code == 0
    assert f"refkit {command} " in capsys.readouterr().out.split("example", 1)[1]


@pytest.mark.parametrize(
    "arguments", [["frobnicate"], ["convert"], ["list", "--no-such-option"], ["--colour"]]
)
def test_wrong_usage_says_so_and_has_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)

    assert ended.value.code == 2
    told = capsys.readouterr()
    assert not told.out
    assert "usage: refkit" in told.err


def test_no_command_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    told = capsys.readouterr().err
    assert not [command for command in COMMANDS if f" {command} " not in told]
