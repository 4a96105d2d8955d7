"""Examples of rules, a file for each family: what fails and what passes.

A line ``=== CODE fails`` or ``=== CODE passes`` begins the .bib text of an example. Characters that nobody
sees, or would take for others, are written as ``<U+200B>``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@lru_cache(maxsize=1)
def examples() -> Mapping[tuple[str, str], str]:
    """(code, ``fails`` or ``passes``) -> the text."""
    out: dict[tuple[str, str], list[str]] = {}
    for path in sorted(_FOLDER.glob("*.txt")):
        lines: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.startswith("=== "):
                _, code, kind = line.split()
                lines = out[code, kind] = []
            else:
                lines.append(line)
    return {
        name: _CHARACTER.sub(lambda match: chr(int(match[1], 16)), "".join(lines))
        for name, lines in out.items()
    }


_CHARACTER = re.compile(r"<U\+([0-9A-F]{4,6})>")
