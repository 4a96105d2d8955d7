"""Where findings and entries stand in the files: line, and column and length for a caret."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding
    from refkit.model import Entry


def named(entry: Entry) -> str:
    """An entry by its key and its place, as findings about another entry name it."""
    return f"{entry.key!r} ({entry.file}:{entry.line})" if entry.file else repr(entry.key)


def line_of(library: Library, finding: Finding) -> int | None:
    """The 1-based line of what a finding is about."""
    entry = finding.entry
    if entry is None:
        return finding.line
    document = library.documents.get(entry.file)
    start = library.value_at(entry, finding.field) if finding.field else None
    if document is None or start is None:
        return entry.line or None
    at = _part(document.text, (start, entry.end), finding.part)[0] if finding.part else start
    return entry.line + document.text.count("\n", entry.start, at)


def caret(library: Library, finding: Finding) -> tuple[int, int] | None:
    """Column, from 1, and length of what a finding is about; ``None`` where it has no place in a line."""
    entry = finding.entry
    document = library.documents.get(entry.file) if entry is not None else None
    if entry is None or document is None:
        return None
    if not finding.field:
        start = document.text.find(entry.key, entry.start, entry.end) if entry.key else entry.start
        start, end = (start, start + len(entry.key)) if start >= 0 else (entry.start, entry.start + 1)
    else:
        found = next((one for one in document.fields_of(entry) if one.name == finding.field), None)
        if found is None:
            return None
        start, end = _part(document.text, (found.value_start, found.value_end), finding.part)
    end = min(end, _line_end(document.text, start))
    return document.place(start)[1], max(end - start, 1)


def _part(text: str, span: tuple[int, int], part: str) -> tuple[int, int]:
    """The span of a piece of a value; that of the value inside its delimiters where the piece is not found as
    it is.
    """
    start, end = span
    if part:
        at = text.find(part, start, end)
        if at >= 0:
            return at, at + len(part)
        if " " in part:
            found = re.compile(r"\s+".join(re.escape(word) for word in part.split()[:40])).search(
                text, start, end
            )
            if found:
                return found.span()
    return (start + 1, max(end - 1, start + 2)) if text[start : start + 1] in ('"', "{") else (start, end)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
