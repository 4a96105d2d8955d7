"""Organisations: one spelling for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check import vocabulary
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library


@rule("organisation-spelling", "warning", fixable=True)
def organisation_spelling(library: Library) -> Iterator[Finding]:
    """An organisation spelled otherwise than elsewhere: ``Nvidia``, ``AMD`` for Advanced Micro Devices.

    The table lies beside the rules; whole names are compared. A name that is right by itself (``ACM``) is one
    spelling too many only where the library has the other, too. Tags are made from titles of sections and
    kinds, so they cannot leave their vocabulary.
    """
    table = vocabulary.vendor_spellings()
    names = vocabulary.vendor_names()
    for column in library.some(_BODIES):
        for hit in column.hits(_organisation(column.name)):
            bare = hit.value.strip("{}")
            right = table.get(bare)
            if right and (bare not in names or _is_spelled(library, right)):
                fixed = hit.value.replace(bare, right, 1)
                yield Finding(
                    f"{bare!r} is spelled {right!r} here", hit.entry, column.name, bare, {column.name: fixed}
                )


def _is_spelled(library: Library, name: str) -> bool:
    return any(value.strip("{}") == name for column in library.some(_BODIES) for value in column.values)


_BODIES = ("author", "editor", "organization", "institution", "publisher")


def _organisation(field: str) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in vocabulary.vendor_spellings())
    braces = r"\{" if field in ("author", "editor") else r"\{{0,2}"
    return re.compile(rf"(?m)^{braces}(?:{names})\}}*$")
