"""Findings about pages: at a placement, in a page's text, of a section that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.model import Finding

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.pages.model import Placement


def at_placement(library: Library, placed: Placement, message: str) -> Finding:
    """A finding about a placement."""
    return Finding(
        message,
        key=placed.key,
        file=library.pages_prefix + placed.file,
        line=placed.line,
        about=placed.section,
    )


def in_text(library: Library, file: str, match: re.Match[str], message: str) -> Finding:
    """A finding about what was found in the text of a page."""
    line = match.string.count("\n", 0, match.start()) + 1
    return Finding(message, file=library.pages_prefix + file, line=line, about=file)


def no_section(library: Library, setting: str, slug: str, purpose: str = "") -> Iterator[Finding]:
    """A finding about a setting that names a section, where the pages have none of this slug."""
    if slug and library.pages is not None and library.section(slug) is None:
        yield Finding(
            f"there is no section {slug!r}{purpose}: correct {setting!r} in the configuration",
            file=library.config_file,
            about=setting,
        )
