"""Section pages: which work stands where, in what order, and with which annotation."""

from refkit.pages.model import Inline, Pages, Placement, Section

__all__ = ["Inline", "Pages", "Placement", "Section"]
