from __future__ import annotations

from pathlib import Path

import pytest

from refkit.config import ConfigError
from refkit.config_edit import forgotten, renamed

PYPROJECT = Path("pyproject.toml")
REFKIT = Path("refkit.toml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '[aliases]\na = "b"\n'),
        ('bib = "x"', 'bib = "x"\n\n[aliases]\na = "b"\n'),
        ('bib = "x" # where\n\n# end\n', 'bib = "x" # where\n\n# end\n\n[aliases]\na = "b"\n'),
        ("[aliases]\n", '[aliases]\na = "b"\n'),
        (
            '[aliases] # old\n# more\nx = "y" # one\n\n[check]\n',
            '[aliases] # old\n# more\nx = "y" # one\na = "b"\n\n[check]\n',
        ),
        ("[aliases]\r\n  \"x y\" = 'z'\r\n", '[aliases]\r\n  "x y" = \'z\'\r\n  a = "b"\r\n'),
        ('aliases.x = "y"\nbib = "z"\n', 'aliases.x = "y"\naliases.a = "b"\nbib = "z"\n'),
        ('aliases = { x = "y" } # c\n', 'aliases = { x = "y", a = "b" } # c\n'),
        ("aliases = {}\n", 'aliases = { a = "b" }\n'),
    ],
)
def test_the_old_key_becomes_an_alias_and_the_rest_stays(text: str, expected: str) -> None:
    assert renamed(REFKIT, text, "a", "b") == expected


def test_a_pyproject_gets_the_table_behind_those_of_refkit() -> None:
    text = '[project]\nname = "x"\n\n[tool.refkit]\nbib = "bib"\n\n# Lint.\n[tool.ruff]\nline-length = 110\n'
    assert renamed(PYPROJECT, text, "old/key", "new") == text.replace(
        '"bib"\n', '"bib"\n\n[tool.refkit.aliases]\n"old/key" = "new"\n'
    )


def test_older_aliases_follow_and_a_name_that_is_taken_again_is_no_alias() -> None:
    text = '[aliases]\nfirst = "second" # \'second\' was short\nthird = "other"\n'
    text = renamed(REFKIT, text, "second", "third")
    assert text == '[aliases]\nfirst = "third" # \'second\' was short\nsecond = "third"\n'
    text = renamed(REFKIT, text, "third", "second")
    assert text == '[aliases]\nfirst = "second" # \'second\' was short\nthird = "second"\n'


def test_answers_to_findings_follow_the_key() -> None:
    text = '[suppress]\n"mismatch:a" = "the page is newer" # a\n"mismatch:ab" = "x"\nmismatch = "y"\n'
    expected = text.replace('"mismatch:a"', '"mismatch:b"') + '\n[aliases]\na = "b"\n'
    assert renamed(REFKIT, text, "a", "b") == expected


def test_what_names_a_removed_work_goes() -> None:
    text = '[aliases] # kept\nx = "a"\ny = "b" # kept\n[suppress]\n"mismatch:a" = "r"\n"mismatch:b" = "r"\n'
    assert forgotten(REFKIT, text, "a") == (
        '[aliases] # kept\ny = "b" # kept\n[suppress]\n"mismatch:b" = "r"\n'
    )
    assert forgotten(REFKIT, text, "z") == text


@pytest.mark.parametrize("text", ['aliases = {\n  x = "y" }\n', "not toml"])
def test_a_form_that_is_not_edited_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(ConfigError, match=r"refkit\.toml: is"):
        renamed(REFKIT, text, "a", "b")


def test_what_looks_like_a_table_inside_a_text_is_never_damaged() -> None:
    text = 'about = """\n[aliases]\nx = "a"\n"""\n'
    with pytest.raises(ConfigError, match='add a = "b" to its aliases'):
        renamed(REFKIT, text, "a", "b")
