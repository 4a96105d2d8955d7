"""The vocabularies that lie beside the rules in ``data/``: terms, venues, organisations, types, fields."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

_DATA = Path(__file__).parent / "data"


def _text(name: str) -> str:
    return (_DATA / name).read_text(encoding="utf-8")


def _json(name: str) -> Any:
    return json.loads(_text(name))


@lru_cache(maxsize=1)
def arxiv_classes() -> frozenset[str]:
    """The subject classes of arXiv, in lower case."""
    return frozenset(word.lower() for line in _lines("arxiv-classes.txt") for word in line.split())


def _lines(name: str) -> list[str]:
    return [line for line in _text(name).splitlines() if line and not line.startswith("#")]


def _parts(name: str) -> dict[str, list[str]]:
    """The lines of a file by the ``[heading]`` above them."""
    out: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in _lines(name):
        if line.startswith("["):
            lines = out.setdefault(line.strip("[]"), [])
        else:
            lines.append(line)
    return out


@lru_cache(maxsize=1)
def fields() -> frozenset[str]:
    """All names of fields that are in use."""
    return frozenset(
        word for lines in _parts("fields.txt").values() for line in lines for word in line.split()
    )


@lru_cache(maxsize=1)
def main_fields() -> frozenset[str]:
    """The names of BibLaTeX's and BibTeX's own fields."""
    parts = _parts("fields.txt")
    return frozenset(word for part in ("biblatex", "bibtex") for line in parts[part] for word in line.split())


class Organisations(NamedTuple):
    """What names of organisations look like."""

    #: Whole names, in lower case.
    names: frozenset[str]
    #: Words that no person's name has.
    words: frozenset[str]
    #: Names with an "and" in them.
    with_and: tuple[str, ...]


@lru_cache(maxsize=1)
def organisations() -> Organisations:
    """The organisations of the field."""
    parts = _parts("organisations.txt")
    words = frozenset(word for line in parts["words"] for word in line.split())
    return Organisations(frozenset(name.lower() for name in parts["names"]), words, tuple(parts["and"]))


@lru_cache(maxsize=1)
def vendor_spellings() -> Mapping[str, str]:
    """Another spelling of an organisation -> the one that is used here."""
    spellings: dict[str, str] = _json("vendors.json")["spellings"]
    return spellings


@lru_cache(maxsize=1)
def vendor_names() -> frozenset[str]:
    """Of those other spellings the ones that are right by themselves."""
    return frozenset(_json("vendors.json")["names"])


@lru_cache(maxsize=1)
def terms() -> Mapping[str, str]:
    """A term of the field in lower case -> how it is spelled."""
    return {word.lower(): word for line in _lines("terms.txt") for word in line.split()}


@lru_cache(maxsize=1)
def countries() -> frozenset[str]:
    """Names of countries."""
    return frozenset(word for line in _lines("countries.txt") for word in line.split())


class Venue(NamedTuple):
    """A conference."""

    acronym: str
    #: What its proceedings may be called, without year, ordinal and acronym.
    names: tuple[str, ...]
    #: Spellings that are corrected to the first name.
    also: tuple[str, ...]


@lru_cache(maxsize=1)
def venues() -> Mapping[str, Venue]:
    """The conferences of the field, by acronym in lower case."""
    rows = [
        Venue(row["acronym"], tuple(row["names"]), tuple(row["also"]))
        for row in _json("venues.json")["venues"]
    ]
    return {venue.acronym.lower(): venue for venue in rows}


class Types(NamedTuple):
    """Entry types."""

    aliases: Mapping[str, str]
    #: All types that are known, aliases among them.
    known: frozenset[str]
    #: Type -> groups of fields, of each of which one must be there.
    required: Mapping[str, Sequence[Sequence[str]]]
    #: The same by ``entrysubtype``, in addition.
    kinds: Mapping[str, Sequence[Sequence[str]]]
    #: ``entrysubtype`` -> the types that have it.
    subtypes: Mapping[str, frozenset[str]]
    #: Field -> (what holds such a value there, types in which the field has no meaning).
    misplaced: Mapping[str, tuple[str, frozenset[str]]]


@lru_cache(maxsize=1)
def types() -> Types:
    """The entry types and what they need."""
    raw = _json("types.json")
    return Types(
        raw["aliases"],
        frozenset((*raw["aliases"], *raw["required"], *raw["others"])),
        raw["required"],
        raw["kinds"],
        {name: frozenset(kinds) for name, kinds in raw["subtypes"].items()},
        {name: (row["instead"], frozenset(row["not in"])) for name, row in raw["misplaced"].items()},
    )
