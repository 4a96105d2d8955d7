"""How a project wants to be checked: ``[tool.refkit.check]``.

| key | meaning | default |
| --- | --- | --- |
| ``select``, ``ignore`` | codes, as the options of the same names | none |
| ``key-pattern`` | a regular expression that every citation key matches | none |
| ``annotation-words`` | fewest and most words of an annotation | ``[5, 150]`` |
| ``start`` | slug of the section to start with, whose works must be readable without pay | none |
| ``watchlist`` | slug of the section whose sources say what they wait for | none |
| ``works``, ``placements`` | how many the list has; left out, they are not counted | none |
| ``files-by-section`` | whether a .bib file holds what its section places first, in order | ``false`` |
| ``organisations`` | names of organisations besides those that refkit knows | none |
| ``terms`` | words with capitals besides those that refkit knows | none |
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from refkit.config import Config, ConfigError


class Settings(NamedTuple):
    """The values of ``[tool.refkit.check]``."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    key_pattern: str = ""
    annotation_words: tuple[int, int] = (5, 150)
    start: str = ""
    watchlist: str = ""
    works: int = 0
    placements: int = 0
    files_by_section: bool = False
    organisations: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


def settings(config: Config) -> Settings:
    """The settings of a project.

    Raises:
        ConfigError: an unknown key, or a value of another type than expected.
    """
    return Settings(**{_name(config, key): _value(config, key, value) for key, value in config.check.items()})


def _name(config: Config, key: str) -> str:
    name = key.replace("-", "_")
    if name not in Settings._fields:
        known = ", ".join(sorted(field.replace("_", "-") for field in Settings._fields))
        raise ConfigError(f"{config.file}: unknown key {key!r} in [tool.refkit.check]; known are {known}")
    return name


def _value(config: Config, key: str, value: Any) -> Any:
    default = Settings._field_defaults[key.replace("-", "_")]
    if key == "annotation-words":
        if _is_list(value, int) and len(value) == 2 and 0 < value[0] <= value[1]:
            return tuple(value)
        raise _wrong(config, key, value, "two numbers, the fewest and the most words")
    if isinstance(default, tuple):
        if _is_list(value, str):
            return tuple(value)
        raise _wrong(config, key, value, "a list of texts")
    if isinstance(default, bool) is not isinstance(value, bool) or not isinstance(value, type(default)):
        raise _wrong(
            config, key, value, {bool: "true or false", int: "a number", str: "a text"}[type(default)]
        )
    if key == "key-pattern":
        _compiled(config, value)
    return value


def _compiled(config: Config, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise _wrong(config, "key-pattern", pattern, f"a regular expression ({error})") from error


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _wrong(config: Config, key: str, value: Any, expected: str) -> ConfigError:
    return ConfigError(f"{config.file}: {key!r} in [tool.refkit.check] must be {expected}, not {value!r}")
