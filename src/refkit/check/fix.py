"""Applies the fixes of findings to .bib files, by spans."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from refkit.bibtex.edit import Bare, EditError, Editor
from refkit.bibtex.reader import Document
from refkit.check.library import Library
from refkit.check.model import Finding


def fixed(library: Library, findings: Iterable[Finding]) -> dict[str, Editor]:
    """The documents with fixes in them, by file name; a field is fixed once a run, the first finding wins.

    What cannot be edited is left: entries that are broken or of a key that is not unique, values that a macro or
    another entry gives.
    """
    editors: dict[str, Editor] = {}
    touched: set[tuple[str, str, str]] = set()
    for finding in findings:
        entry = finding.entry
        if finding.fix is None or entry is None or library.by_key.get(entry.key) is not entry:
            continue
        document = library.documents.get(entry.file)
        places = {(entry.file, entry.key, field) for field in finding.fix}
        if (
            document is None
            or places & touched
            or not all(_is_own(library, finding, field) for field in finding.fix)
        ):
            continue
        editor = editors.get(entry.file) or Editor(document)
        if _apply(editor, finding):
            editors[entry.file] = editor
            touched |= places
    return editors


def _apply(editor: Editor, finding: Finding) -> bool:
    entry = finding.entry
    assert entry is not None and finding.fix is not None
    before = editor.text()
    try:
        for field, value in finding.fix.items():
            if value is None:
                editor.remove_field(entry.key, field)
            else:
                editor.set(entry.key, field, value)
    except EditError:
        return False
    return editor.text() != before


def _is_own(library: Library, finding: Finding, field: str) -> bool:
    """Whether the field is missing or written out in the entry: no macro, no join, not inherited."""
    entry = finding.entry
    assert entry is not None and finding.fix is not None
    if field in entry.inherited:
        return False
    written = library.written(entry, field)
    if not written or isinstance(finding.fix[field], Bare):
        return True
    return written[0] in '{"' and "#" not in written[-1:] and " # " not in written or written.isdecimal()
