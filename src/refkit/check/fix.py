"""Applies the fixes of findings to .bib files, by spans."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from refkit.bibtex.edit import Bare, EditError, Editor

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding, Fix
    from refkit.model import Entry


def fixed(library: Library, findings: Iterable[Finding]) -> dict[str, Editor]:
    """The documents with fixes in them, by file name; a field is fixed once a run, the first finding wins.

    What cannot be edited is left: entries that are broken or of a key that is not unique, values that a macro
    or another entry gives.
    """
    editors: dict[str, Editor] = {}
    touched: set[tuple[str, str, str]] = set()
    for finding in findings:
        entry = finding.entry
        if finding.fix is None or entry is None or library.by_key.get(entry.key) is not entry:
            continue
        fix = finding.fix() if callable(finding.fix) else finding.fix
        document = library.documents.get(entry.file)
        places = {(entry.file, entry.key, field) for field in fix}
        if (
            document is None
            or places & touched
            or not all(_is_own(library, entry, *item) for item in fix.items())
        ):
            continue
        editor = editors.get(entry.file) or Editor(document)
        if _apply(editor, entry.key, fix):
            editors[entry.file] = editor
            touched |= places
    return editors


def _apply(editor: Editor, key: str, fix: Fix) -> bool:
    before = editor.entry_text(key)
    try:
        for field, value in fix.items():
            if value is None:
                editor.remove_field(key, field)
            else:
                editor.set(key, field, value)
    except EditError:
        return False
    return editor.entry_text(key) != before


def _is_own(library: Library, entry: Entry, field: str, value: str | None) -> bool:
    """Whether the field is missing or written out in the entry: no macro, no join, not inherited."""
    if field in entry.inherited:
        return False
    written = library.written(entry, field)
    if not written or isinstance(value, Bare):
        return True
    return written.isdecimal() or (written[0] in '{"' and not _JOIN.search(written))


_JOIN = re.compile(r"[\"}]\s*#\s*[\w{\"]")
