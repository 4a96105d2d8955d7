"""The section to start with: open to all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from refkit.check.listing.example import BIB, BOTH, LEE, POE, project, setting, source
from refkit.check.listing.findings import at_placement, no_section
from refkit.check.model import rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding
    from refkit.model import Entry

_START = setting('start = "loops"')
_PAID = BIB.replace(
    "@misc{lee2024, author = {Lee, Ada}", "@book{lee2024, publisher = {Loop Press}, author = {Lee, Ada}"
)


@rule(
    "start-not-open",
    "error",
    needs="pages",
    bad=project(BOTH, _START, _PAID),
    good=project(
        source("lee2024", "A book to buy or to borrow: " + LEE) + source("poe2023", POE), _START, _PAID
    ),
)
def start_not_open(library: Library) -> Iterator[Finding]:
    """A work of the section to start with (``start``) that cannot be read without pay, and an annotation that
    does not say so.

    A book, or an address at a publisher that sells, without an arXiv identifier or another open copy in
    provenance. Words such as "buy", "borrow", "paid" or "library" say so.
    """
    section = library.section(library.settings.start) if library.settings.start else None
    for placed in section.placements if section else ():
        entry = library.by_key.get(placed.key)
        if entry is not None and _is_sold(library, entry):
            text = library.annotations.get((placed.section, placed.position), "")
            if not _SAYS_SO.search(text):
                yield at_placement(
                    library,
                    placed,
                    "the work is sold and no open copy is known: say so in the annotation, or add the copy",
                )
    yield from no_section(library, "start", library.settings.start, " to start with")


_SAYS_SO = re.compile(
    r"\b(?:buy|bought|borrow(?:ed)?|paid|pay|sold|sale|purchase|librar(?:y|ies)|priced|not free"
    r"|behind a paywall)\b",
    re.IGNORECASE,
)
_SELLERS = frozenset(
    "elsevier.com store.elsevier.com shop.elsevier.com sciencedirect.com springer.com link.springer.com "
    "ieeexplore.ieee.org wiley.com onlinelibrary.wiley.com tandfonline.com oreilly.com amazon.com "
    "manning.com packtpub.com pearson.com cambridge.org oup.com academic.oup.com nature.com science.org "
    "sagepub.com".split()
)
_BOOKS = frozenset("book inbook incollection collection mvbook mvcollection bookinbook".split())


def _is_sold(library: Library, entry: Entry) -> bool:
    if entry.arxiv:
        return False
    links = (link.url for link in library.work(entry.key).related if link.kind in ("paper", "other version"))
    if any(not _at_seller(url) for url in links):
        return False
    sold = _at_seller(entry.url) or (not entry.url and bool(entry.get("doi")))
    return sold or (entry.type in _BOOKS and bool(entry.get("isbn", "publisher")))


def _at_seller(url: str) -> bool:
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    return host in _SELLERS
