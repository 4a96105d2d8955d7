"""DOIs: valid, and bare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit import identifiers
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library

#: Whether a DOI is bare and holds nothing that TeX reads, as nearly all are.
is_plain = re.compile(r"10\.[1-9][0-9]{3,8}(?:\.[0-9]{1,9})*/[A-Za-z0-9._:/()-]*[A-Za-z0-9_)/-]").fullmatch


@rule("invalid-doi", "error", fixable=True)
def invalid_doi(library: Library) -> Iterator[Finding]:
    """A DOI that is none, or that is not bare: it carries the resolver's address, ``doi:``, or punctuation.

    Styles put the address before it themselves. Letters keep their case. Known to JabRef, Linter for Zotero,
    bibcop.
    """
    for entry, value in library.column("doi"):
        if is_plain(value):
            continue
        bare = identifiers.doi(value)
        if not value:
            continue
        if bare is None:
            yield Finding(f"{value!r} is not a DOI: expected 10.PREFIX/SUFFIX", entry, "doi", value)
        elif bare != value and bare != value.replace("\\_", "_").replace("\\", ""):
            yield Finding(f"the DOI is not bare: write {bare}", entry, "doi", value, {"doi": bare})
