"""CITATION.cff: how a repository asks to be cited (citation-file-format.github.io, schema 1.2.0)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from refkit import identifiers
from refkit.enrich.csl import text
from refkit.enrich.records import Record, Text
from refkit.model import Person
from refkit.values import dates

_REPOSITORY = re.compile(
    r"https?://(?:www\.)?github\.com/([\w.-]{1,100})/([\w.-]{1,100}?)(?:\.git)?/?(?:[?#].*)?", re.ASCII
)
_LONGEST = 200_000


def address(url: str) -> str:
    """Where the CITATION.cff of a repository lies, as a file; empty for other addresses."""
    found = _REPOSITORY.fullmatch(url)
    if found is None or found[1].strip(".") == "" or found[2].strip(".") == "":
        return ""
    return f"https://raw.githubusercontent.com/{found[1]}/{found[2]}/HEAD/CITATION.cff"


def parse(source: str, url: str, retrieved: str = "") -> Record | None:
    """The record of the software; ``None`` if the text is no CITATION.cff."""
    data = _load(source)
    if data is None or not text(data.get("title")):
        return None
    released = dates.parse(str(data.get("date-released", ""))[:10])
    doi = identifiers.doi(text(data.get("doi"))) or _doi(data.get("identifiers"))
    return Record(
        service="page",
        id=url,
        retrieved=retrieved,
        type="dataset" if text(data.get("type")) == "dataset" else "software",
        title=Text(text(data.get("title"))),
        authors=_people(data.get("authors")),
        date=released,
        years=frozenset((released.year,)) if released else frozenset(),
        version=text(data.get("version")),
        published_dois=(doi,) if doi else (),
        url=identifiers.url(text(data.get("repository-code"))) or url,
    )


def _load(source: str) -> Mapping[str, Any] | None:
    import yaml

    try:
        # Dates as texts, and no tags: whatever is not plain data is an error. Aliases are shared, not copied.
        data = yaml.load(source[:_LONGEST], Loader=yaml.BaseLoader)  # noqa: S506 - the loader that builds texts only
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return data if isinstance(data, Mapping) else None


def _people(authors: object) -> tuple[Person, ...]:
    found = (
        (_person(author) for author in authors if isinstance(author, Mapping))
        if isinstance(authors, list)
        else ()
    )
    return tuple(person for person in found if person)


def _person(author: Mapping[str, Any]) -> Person | None:
    family, given, name = (text(author.get(member)) for member in ("family-names", "given-names", "name"))
    if family:
        return Person(family, given, text(author.get("name-particle")), text(author.get("name-suffix")))
    literal = name or given or text(author.get("alias"))
    return Person(literal=literal) if literal else None


def _doi(values: object) -> str:
    rows = [row for row in values if isinstance(row, Mapping)] if isinstance(values, list) else []
    return next(
        (
            doi
            for row in rows
            if row.get("type") == "doi" and (doi := identifiers.doi(text(row.get("value"))))
        ),
        "",
    )
