"""The project's own house: what it promises about itself holds."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import refkit

#: Paths that exist on one machine only.
MACHINE_PATH = re.compile(r"(?<![\w.:/-])/(?:home|root|Users|work|mnt|tmp)/[\w.-]+")
#: Hosts that packages are fetched from: which one is used is the reader's own setting.
REGISTRY = re.compile(r"pypi\.org|pythonhosted\.org|registry\.(?:npmjs|yarnpkg)|deb\.debian\.org")

#: Packages whose module has another name.
MODULES = {"pyyaml": "yaml", "sphinxcontrib-bibtex": "sphinxcontrib.bibtex"}


@pytest.fixture(scope="module")
def settings(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def tracked(root: Path) -> list[Path]:
    """The files under version control that are still there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, timeout=60, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [file for name in listed.stdout.split("\0") if name and (file := root / name).is_file()]


def text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return found[0].lower()


def places(pattern: re.Pattern[str], files: list[Path], root: Path) -> list[str]:
    return [
        f"{file.relative_to(root)}:{number}: {found[0]}"
        for file in files
        for number, line in enumerate(text_of(file).splitlines(), 1)
        if (found := pattern.search(line))
    ]


def test_no_file_names_a_path_of_one_machine(tracked: list[Path], root: Path) -> None:
    files = [file for file in tracked if file != Path(__file__).resolve()]

    assert not places(MACHINE_PATH, files, root)


def test_no_file_names_a_package_registry(tracked: list[Path], root: Path) -> None:
    facts = root / "bib"
    files = [file for file in tracked if file != Path(__file__).resolve() and facts not in file.parents]

    assert not places(REGISTRY, files, root)


def test_no_file_is_large(tracked: list[Path], root: Path) -> None:
    large = [str(file.relative_to(root)) for file in tracked if file.stat().st_size > 1_000_000]

    assert not large


def test_suppressions_give_a_reason(tracked: list[Path], root: Path) -> None:
    python = [file for file in tracked if file.suffix == ".py" and file != Path(__file__).resolve()]
    bare = re.compile(r"#\s*(?:noqa(?::\s*[A-Z0-9, ]+)?|type:\s*ignore(?:\[[^]]*\])?)\s*$")
    unnamed = re.compile(r"#\s*(?:noqa(?!:)|type:\s*ignore(?!\[))")

    assert not places(bare, python, root)
    assert not places(unnamed, python, root)


def test_the_changelog_speaks_of_this_version(root: Path) -> None:
    versions = re.findall(r"^## \[?(\d+\.\d+\.\d+)\]?", (root / "CHANGELOG.md").read_text("utf-8"), re.M)

    assert versions[0] == refkit.__version__


def test_the_command_tells_the_version() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "refkit", "--version"], capture_output=True, text=True, timeout=60, check=True
    )

    assert refkit.__version__ in printed.stdout.split()


def test_the_licence_that_is_named_is_there(root: Path, settings: dict[str, Any]) -> None:
    licences = settings["project"]["license"].split(" AND ")
    words = {
        "MIT": "Permission is hereby granted, free of charge",
        "CC-BY-SA-3.0": "creativecommons.org/licenses/by-sa/3.0",
    }
    for licence, name in zip(licences, settings["project"]["license-files"], strict=True):
        assert words[licence] in (root / name).read_text("utf-8")


def test_the_licence_covers_texts_and_facts_by_name(root: Path) -> None:
    readme = (root / "README.md").read_text("utf-8")

    assert re.search(r"^## Licence$", readme, re.M)


def test_every_dependency_says_what_it_saves(root: Path, settings: dict[str, Any]) -> None:
    guide = (root / "CONTRIBUTING.md").read_text("utf-8")
    listed = {name.lower() for name in re.findall(r"^\| `([\w.-]+)`", guide, re.M)}
    wanted = {name_of(requirement) for requirement in settings["project"]["dependencies"]}

    assert listed == wanted


def test_every_dependency_is_used(root: Path, settings: dict[str, Any]) -> None:
    sources = [*(root / "src").rglob("*.py"), root / "conf.py"]
    code = "\n".join(text_of(file) for file in sources)
    names = {name_of(requirement) for requirement in settings["project"]["dependencies"]}
    modules = {MODULES.get(name, name) for name in names}

    unused = [
        module
        for module in modules
        if not re.search(rf"(?:import|from) {re.escape(module)}\b", code) and f'"{module}"' not in code
    ]
    assert not unused


def test_make_alone_tells_every_target(root: Path) -> None:
    phony = re.search(r"^\.PHONY:(.*)", (root / "Makefile").read_text("utf-8"), re.M)
    assert phony
    told = subprocess.run(["make"], cwd=root, capture_output=True, text=True, timeout=60, check=True).stdout

    assert set(re.findall(r"^make (\w+)", told, re.M)) == set(phony[1].split()) - {"help"}


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_inside_the_project_lead_somewhere(document: str, root: Path) -> None:
    targets = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", (root / document).read_text("utf-8"))

    assert not [target for target in targets if not (root / target).exists()]


def test_commands_in_the_readme_are_understood(root: Path) -> None:
    """Every ``refkit`` line of a code block names a command and options that the command's help knows."""
    lines = re.findall(r"^    (?:\.venv/bin/)?(refkit .*)", (root / "README.md").read_text("utf-8"), re.M)
    commands = [shlex.split(line, comments=True) for line in lines]
    assert commands

    for _, command, *arguments in commands:
        told = subprocess.run(
            [sys.executable, "-m", "refkit", command, "--help"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert told.returncode == 0, f"{command}: {told.stderr}"
        unknown = [
            word for word in arguments if word.startswith("--") and word.split("=")[0] not in told.stdout
        ]
        assert not unknown, f"{command} {unknown}"


def test_types_are_promised_to_users(root: Path) -> None:
    assert (root / "src" / "refkit" / "py.typed").is_file()
