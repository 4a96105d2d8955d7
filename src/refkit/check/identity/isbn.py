"""ISBN, ISSN and ISMN: the right length and check digit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from refkit import identifiers
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library


@rule("invalid-isbn", "error")
def invalid_isbn(library: Library) -> Iterator[Finding]:
    """An ISBN, ISSN or ISMN of wrong length or with a wrong check digit. Known to JabRef, biber."""
    checks: Mapping[str, Callable[[str], bool]] = {
        "isbn": identifiers.isbn_valid,
        "issn": identifiers.issn_valid,
        "ismn": _ismn_valid,
    }
    for name, valid in checks.items():
        for entry, value in library.column(name):
            for number in re.split(r"[,;/]|\band\b| (?=97[89])", re.sub(r"\([^()]*\)", "", value)):
                bare = number.strip("{} ")
                if bare.strip("?-") and not valid(bare):
                    yield Finding(
                        f"{bare!r} is not a valid {name.upper()}: compare it with the source",
                        entry,
                        name,
                        bare,
                    )


def _ismn_valid(text: str) -> bool:
    digits = re.sub(r"[\s-]", "", text.upper().removeprefix("ISMN"))
    digits = "9790" + digits[1:] if digits[:1] == "M" else digits
    if not re.fullmatch(r"9790\d{9}", digits):
        return False
    return sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits)) % 10 == 0
