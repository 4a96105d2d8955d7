"""Volumes, numbers, editions and counts: bare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry


@rule("number-form", "warning", fixable=True)
def number_form(library: Library) -> Iterator[Finding]:
    """A volume, number or edition with a label, leading zeros or an ordinal; a first edition; ``issue`` for
    ``number``.

    BibLaTeX counts editions by integers and names no first one; BibTeX's styles expect ``Second``. Known to
    JabRef, bibcop, Linter for Zotero, papis.
    """
    for field, label in _LABELS.items():
        for hit in library.column(field).hits(label):
            fixed = label.sub("", hit.value).strip()
            yield Finding(
                f"{field} {hit.value!r} carries its own label, which styles add: write {fixed}",
                hit.entry,
                field,
                hit.value,
                {field: fixed},
            )
    for field in ("volume", "number"):
        for hit in library.column(field).hits(_ZEROS):
            yield Finding(
                f"{field} {hit.value!r} has leading zeros",
                hit.entry,
                field,
                hit.value,
                {field: hit.value.lstrip("0")},
            )
    for entry, value in library.column("edition"):
        yield from _edition(entry, value)
    for entry, value in library.column("issue"):
        if value.isdecimal() and not entry.get("number") and entry.type == "article":
            yield Finding(
                "the number of an issue belongs into number; issue is for names such as 'Spring'",
                entry,
                "issue",
                value,
                {"issue": None, "number": value},
            )


_LABELS: Mapping[str, re.Pattern[str]] = {
    "volume": re.compile(r"(?mi)^(?:vol(?:ume)?\.?|v\.|bd\.|band) +(?=\d)"),
    "number": re.compile(r"(?mi)^(?:no\.?|nr\.?|num(?:ber)?\.?|issue|n°|№) *(?=\d)"),
}
_ZEROS = re.compile(r"(?m)^0+[1-9]\d*$")
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()


def _edition(entry: Entry, value: str) -> Iterator[Finding]:
    bare = re.sub(r"(?i)(?:^|(?<=[^A-Za-z]))[ ~]*(?:ed\.?|edn\.?|edition)$", "", value.strip("{} "))
    number = re.fullmatch(r"(?i)(\d+)(?:st|nd|rd|th|\.)?", bare)
    count = (
        int(number[1][:6])
        if number
        else _ORDINALS.index(bare.lower()) + 1
        if bare.lower() in _ORDINALS
        else 0
    )
    if count == 1:
        yield Finding(
            "a first edition is not named: leave edition out", entry, "edition", value, {"edition": None}
        )
    elif count and "date" in entry.fields and value != str(count):
        yield Finding(
            f"BibLaTeX counts editions: write {count}", entry, "edition", value, {"edition": str(count)}
        )
    elif bare != value.strip("{} "):
        yield Finding(
            f"the edition {value!r} carries its own label, which styles add: write {bare}",
            entry,
            "edition",
            value,
            {"edition": bare},
        )


@rule("not-integer", "warning")
def not_integer(library: Library) -> Iterator[Finding]:
    """``pagetotal``, ``numpages``, ``volumes``, ``part`` or ``chapter`` is no number or range of numbers.
    Known to biber.
    """
    for column in library.some(("pagetotal", "numpages", "volumes", "part")):
        for hit in column.hits(_NO_NUMBER):
            yield Finding(f"{column.name} {hit.value!r} is no number", hit.entry, column.name, hit.value)


_NO_NUMBER = re.compile(
    r"(?mi)^(?!(?:[ivxlcdm]+|\d+[a-z]?)(?: ?(?:[-–+,]|--) ?(?:[ivxlcdm]+|\d+[a-z]?))* ?(?:pp?\.?"
    r"|pages)?$)[^\n]+$"
)
