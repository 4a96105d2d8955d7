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
_VERSION = 3

#: What a build reports besides Sphinx: subtype, message, location.
Report = tuple[str, str, str | None]


class State:
    """Digests by table and name; a table is one of pages, works, sections, files, extras."""

    TABLES = ("pages", "works", "sections", "files", "extras")

    def __init__(self, file: Path, outdir: Path, made_by: str) -> None:
        self._file = file
        self._head = {"version": _VERSION, "outdir": str(outdir), "made by": made_by}
        data = self._load()
        self._tables = {name: dict(data.get(name) or {}) for name in self.TABLES}
        #: A digest of all that the output was made from.
        self.inputs: str = data.get("inputs", "")
        #: What is wrong with the list as a whole.
        self.report: list[Report] = [
            (subtype, text, place) for subtype, text, place in data.get("report", ())
        ]

    def _load(self) -> dict[str, Any]:
        try:
            data: Any = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        if not isinstance(data, dict) or any(data.get(name) != value for name, value in self._head.items()):
            return {}
        return data

    def __getitem__(self, table: str) -> dict[str, str]:
        return self._tables[table]

    def __setitem__(self, table: str, digests: dict[str, str]) -> None:
        self._tables[table] = digests

    def save(self) -> None:
        """Write the file, if something in it is new."""
        data = {**self._head, **self._tables, "inputs": self.inputs, "report": self.report}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(self._file, json.dumps(data, sort_keys=True).encode())
