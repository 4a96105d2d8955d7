"""Section pages: which work stands where, in what order, and with which annotation."""

from refkit.pages.model import Inline, Pages, Part, Placement, Section, parts_of

__all__ = ["Inline", "Pages", "Part", "Placement", "Section", "parts_of"]
