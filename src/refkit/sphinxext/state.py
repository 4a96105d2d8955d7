"""What an output folder shows: digests of pages, work pages and bundles, kept beside the doctrees.

One file per builder. It says what need not be written again; without it, or for another folder, all is
written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from refkit.files import write_if_changed

#: The shape of the file; another one is not read.
_VERSION = 1


class State:
    """Digests by table and name; a table is one of pages, works, sections, files."""

    TABLES = ("pages", "works", "sections", "files")

    def __init__(self, file: Path, outdir: Path, made_by: str) -> None:
        self._file = file
        self._head = {"version": _VERSION, "outdir": str(outdir), "made by": made_by}
        self._tables = self._load()

    def _load(self) -> dict[str, dict[str, str]]:
        try:
            data: Any = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            data = {}
        if not isinstance(data, dict) or any(data.get(name) != value for name, value in self._head.items()):
            data = {}
        return {name: dict(data.get(name) or {}) for name in self.TABLES}

    def __getitem__(self, table: str) -> dict[str, str]:
        return self._tables[table]

    def __setitem__(self, table: str, digests: dict[str, str]) -> None:
        self._tables[table] = digests

    def save(self) -> None:
        """Write the file, if something in it is new."""
        text = json.dumps({**self._head, **self._tables}, sort_keys=True, indent=0)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(self._file, text.encode())
