"""Configuration: ``[tool.refkit]`` in pyproject.toml or refkit.toml, the environment over it, options over
both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

#: Names of configuration files, the first that is there wins in a folder.
FILES = ("refkit.toml", "pyproject.toml")


class ConfigError(ValueError):
    """The configuration cannot be used: says which file, which key and what is expected."""


def shown(path: Path, root: Path) -> str:
    """A file as messages name it: relative to a folder where it lies in it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


class Config(NamedTuple):
    """What a project or a user has set. Addresses have no trailing slash; times are in seconds."""

    #: The folder that holds the configuration file, or the working folder.
    root: Path
    #: The file that was read, if any.
    file: Path | None = None
    #: .bib files or folders of them, relative to root.
    bib: tuple[str, ...] = ("bib",)
    #: The folder of pages, relative to root.
    pages: str = "docs"
    arxiv_api: str = "https://export.arxiv.org/api/query"
    doi_resolver: str = "https://doi.org"
    crossref_api: str = "https://api.crossref.org"
    datacite_api: str = "https://api.datacite.org"
    mailto: str = ""
    #: Time to wait for an answer; connecting may take ``min(timeout, 5)``.
    timeout: float = 30.0
    #: Empty: the user's cache folder.
    cache_dir: str = ""
    site_url: str = ""
    repository: str = ""
    #: Old keys and slugs -> new.
    aliases: Mapping[str, str] = {}
    #: How the project wants to be checked (see ``refkit.check.settings``).
    check: Mapping[str, Any] = {}
    #: Findings that a person has answered: "code:key" -> reason (see ``refkit.check.suppress``).
    suppress: Mapping[str, Any] = {}

    @property
    def bib_folder(self) -> Path:
        """The folder that provenance lies in: the first ``bib`` that is a folder, else that of the first
        file."""
        first = self.root / self.bib[0]
        return first.parent if first.suffix == ".bib" else first

    def shown(self, path: Path) -> str:
        """A file as messages name it: relative to the project's folder where it lies in it."""
        return shown(path, self.root)

    def bib_files(self) -> list[Path]:
        """The .bib files of the project, in the order given; those of a folder by name."""
        found: dict[Path, None] = {}
        for item in self.bib:
            path = self.root / item
            if path.suffix == ".bib":
                found[path] = None
            else:
                found.update(dict.fromkeys(sorted(path.glob("**/*.bib"))))
        return list(found)


#: Key of the file -> variable of the environment.
VARIABLES = {
    "arxiv-api": "REFKIT_ARXIV_API",
    "doi-resolver": "REFKIT_DOI_RESOLVER",
    "crossref-api": "REFKIT_CROSSREF_API",
    "datacite-api": "REFKIT_DATACITE_API",
    "mailto": "REFKIT_MAILTO",
    "timeout": "REFKIT_TIMEOUT",
    "cache-dir": "REFKIT_CACHE_DIR",
}
_TABLES = ("aliases", "check", "suppress")
_KEYS = {name.replace("_", "-") for name in Config._fields} - {"root", "file"}


def find(start: Path) -> Path | None:
    """The nearest configuration file, from a folder upwards; a pyproject.toml counts if it has
    ``[tool.refkit]``."""
    for folder in (start, *start.parents):
        for name in FILES:
            path = folder / name
            if path.is_file() and (name == "refkit.toml" or _mentions_refkit(path)):
                return path
    return None


def _mentions_refkit(path: Path) -> bool:
    try:
        return b"[tool.refkit" in path.read_bytes()
    except OSError:
        return False


def load(
    file: Path | None = None, start: Path | None = None, environ: Mapping[str, str] | None = None
) -> Config:
    """The configuration from this file, or from the nearest one above ``start`` (default: the working
    folder).

    Raises:
        ConfigError: the file cannot be read, or has a key or a value that is not known.
    """
    start = (start or Path.cwd()).absolute()
    path = file.absolute() if file else find(start)
    values = _read(path) if path else {}
    values.update(_environment(os.environ if environ is None else environ))
    root = path.parent if path else start
    return Config(root=root, file=path, **{key.replace("-", "_"): value for key, value in values.items()})


def _read(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is not TOML: {error}") from error
    if path.name == "pyproject.toml" or "tool" in data:
        data = data.get("tool", {}).get("refkit", {})
    return {key: _checked(path, key, value) for key, value in data.items()}


def _checked(path: Path, key: str, value: Any) -> Any:
    if key not in _KEYS:
        known = ", ".join(sorted(_KEYS))
        raise ConfigError(f"{path}: unknown key {key!r} in [tool.refkit]; known are {known}")
    if key == "bib":
        items = [value] if isinstance(value, str) else value
        if (
            not isinstance(items, list)
            or not items
            or not all(isinstance(item, str) and item for item in items)
        ):
            raise ConfigError(f"{path}: 'bib' must be a path or a list of paths, not {value!r}")
        return tuple(items)
    if key == "timeout":
        return _seconds(f"{path}: 'timeout'", value)
    if key in _TABLES:
        if not isinstance(value, dict):
            raise ConfigError(f"{path}: {key!r} must be a table")
        return value
    if not isinstance(value, str):
        raise ConfigError(f"{path}: {key!r} must be a text, not {value!r}")
    return value.rstrip("/") if key.endswith(("-api", "-resolver", "-url")) else value


def _seconds(what: str, value: Any) -> float:
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise ConfigError(f"{what} must be a number of seconds between 0 and 3600, not {value!r}")
    return seconds


def _environment(environ: Mapping[str, str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, name in VARIABLES.items():
        value = environ.get(name)
        if value:
            out[key] = _seconds(name, value) if key == "timeout" else value
            if key.endswith(("-api", "-resolver")):
                out[key] = value.rstrip("/")
    return out
