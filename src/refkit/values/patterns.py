"""Regular expressions that are compiled when first used.

A program that reads a hundred entries spends most of its time starting; compiling a pattern takes up to 2 ms.
"""

from __future__ import annotations

import re
from functools import cache


@cache
def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern. ``source`` must be a constant of a module, for none is ever forgotten."""
    return re.compile(source, flags)
