"""Where findings stand in the files: line, and column and length for a caret."""

from __future__ import annotations

import re
from functools import lru_cache

from refkit.bibtex.reader import Document
from refkit.check.library import Library
from refkit.check.model import Finding
from refkit.model import Entry


def line_of(library: Library, finding: Finding) -> int | None:
    """The 1-based line of what a finding is about."""
    entry = finding.entry
    if entry is None:
        return finding.line
    document = library.documents.get(entry.file)
    if document is None or not finding.field:
        return entry.line or None
    span = _value(document, entry, finding.field)
    if span is None:
        return entry.line
    at = _part(document.text, span, finding.part)[0] if finding.part else span[0]
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
        span = _value(document, entry, finding.field)
        if span is None:
            return None
        start, end = _part(document.text, span, finding.part)
    end = min(end, _line_end(document.text, start))
    return document.place(start)[1], max(end - start, 1)


@lru_cache(maxsize=256)
def _field_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"[\s,]{re.escape(name)}\s*=\s*", re.IGNORECASE)


def _value(document: Document, entry: Entry, field: str) -> tuple[int, int] | None:
    """The span of a field's value, delimiters included. Searched for first, since it mostly stands once."""
    pattern = _field_pattern(field)
    first = pattern.search(document.text, entry.start, entry.end)
    if first is None:
        return None
    if pattern.search(document.text, first.end(), entry.end) is None:
        return first.end(), entry.end
    for found in document.fields_of(entry):
        if found.name == field:
            return found.value_start, found.value_end
    return None


def _part(text: str, span: tuple[int, int], part: str) -> tuple[int, int]:
    """The span of a piece of a value; that of the value inside its delimiters where the piece is not found as it is."""
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
