"""How many works, placements and sections there are, and are said to be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.listing.example import BOTH, project, setting, source
from refkit.check.listing.findings import in_text
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library

_NUMBERS = range(10, 21)
_MANY = "".join(
    source(f"lee20{number}", f"Defines loop {number} of many, and says what it is good for.")
    for number in _NUMBERS
)
_MANY_BIB = "".join(
    f"@misc{{lee20{number}, author = {{Lee, Ada}}, title = {{Loop Number {number}}}, date = "
    f"{{20{number}}}}}\n"
    for number in _NUMBERS
)


@rule(
    "list-count",
    "error",
    needs="pages",
    bad=project(BOTH, setting("works = 2\nplacements = 3")),
    good=project(BOTH, setting("works = 2\nplacements = 2")),
)
def list_count(library: Library) -> Iterator[Finding]:
    """The list has more or fewer works or placements than the project says (``works``, ``placements``).

    With ``unplaced-work``, ``placed-twice`` and ``section-order`` this makes sure that every placement is
    there once and in order.
    """
    counts = _counts(library)
    for name, wanted in (("works", library.settings.works), ("placements", library.settings.placements)):
        if wanted and counts[name] != wanted:
            yield Finding(
                f"the list has {counts[name]} {name}, the configuration says {wanted}: find what is "
                f"missing or too many, or correct the number",
                file=library.config_file,
                about=name,
            )


@rule(
    "stated-count",
    "warning",
    needs="pages",
    bad=project("There are 12 works here.\n\n" + _MANY, bib=_MANY_BIB),
    good=project("There are 11 works here, and 300 more elsewhere.\n\n" + _MANY, bib=_MANY_BIB),
)
def stated_count(library: Library) -> Iterator[Finding]:
    """A page says how many works, placements or sections the list has, and it has nearly so many.

    Numbers from 10 on that are within a tenth of the true one, and not equal, were true once.
    """
    counts = _counts(library)
    for file, text in library.page_texts.items():
        for match in _COUNTED.finditer(text):
            said, true = int(match[1]), counts[match[2]]
            if said != true and abs(said - true) <= max(true // 10, 1):
                message = f"the page says {said} {match[2]}, the list has {true}: correct the number"
                yield in_text(library, file, match, message)


_COUNTED = re.compile(r"(?<![\d.,-])(\d{2,6})\s+(works|placements|sections)\b")


def _counts(library: Library) -> dict[str, int]:
    """How many there are, by what a page calls them."""
    return {
        "works": len({entry.key for entry in library.entries}),
        "placements": len(library.placements),
        "sections": len(library.pages.sections) if library.pages else 0,
    }
