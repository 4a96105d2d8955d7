"""The text of pages: its characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.characters import MOJIBAKE
from refkit.check.listing.example import GOOD, LEE, POE, project, source
from refkit.check.listing.findings import in_text
from refkit.check.model import rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding


@rule(
    "page-characters",
    "warning",
    needs="pages",
    bad=project(source("lee2024", LEE.replace("later", "lat\u200ber")) + source("poe2023", POE)),
    good=GOOD,
)
def page_characters(library: Library) -> Iterator[Finding]:
    """Text on a page that was read in the wrong encoding, or characters that nobody sees."""
    for file, text in library.page_texts.items():
        for match in _ODD_ON_PAGE.finditer(text):
            shown = "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in match[0])
            what = (
                "is a character that nobody sees"
                if len(match[0]) == 1 and not match[0].isprintable()
                else "was read in the wrong encoding"
            )
            yield in_text(library, file, match, f"{shown!r} {what}: type it anew")


_ODD_ON_PAGE = re.compile(f"{MOJIBAKE.pattern}|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")
