"""The hub: every entry maps to CSL variables once, here; all formats are written from that mapping.

Only the two BibTeX formats, which keep an entry's own fields, look past it. Types and variables are those of
CSL-JSON 1.0.2 with one addition: the type ``software`` stays itself, and ``formats.csl_json`` lowers it.
"""

from __future__ import annotations

from refkit.hub.item import Context, Item, Link, Note, item
from refkit.hub.kinds import classify
from refkit.hub.variables import LICENCE_FIELDS, MACHINERY, annotation_text, lost

__all__ = [
    "LICENCE_FIELDS",
    "MACHINERY",
    "Context",
    "Item",
    "Link",
    "Note",
    "annotation_text",
    "classify",
    "item",
    "lost",
]
