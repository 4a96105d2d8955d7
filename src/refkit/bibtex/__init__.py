"""BibTeX and BibLaTeX: reading (tolerant, with exact places), editing in place, layout."""

from refkit.bibtex.encoding import UnreadableError
from refkit.bibtex.grammar import Block, Field, Spans
from refkit.bibtex.reader import (
    Bibliography,
    Document,
    read_bytes,
    read_file,
    read_files,
    read_sources,
    read_text,
)
from refkit.bibtex.scan import fields_of, scan, spans_of

__all__ = [
    "Bibliography",
    "Block",
    "Document",
    "Field",
    "Spans",
    "UnreadableError",
    "fields_of",
    "read_bytes",
    "read_file",
    "read_files",
    "read_sources",
    "read_text",
    "scan",
    "spans_of",
]
