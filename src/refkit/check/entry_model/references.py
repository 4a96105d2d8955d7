"""References from one entry to another: they lead somewhere."""

from __future__ import annotations

from refkit.check.model import reported

DANGLING = reported(
    "dangling-crossref",
    "error",
    "crossref, xdata, xref, related or entryset names an entry that is not there.",
)
CIRCULAR = reported("circular-crossref", "error", "crossref or xdata leads back to the entry itself.")
XDATA_CONFLICT = reported(
    "xdata-conflict", "warning", "A field set in the entry and in its xdata with different values."
)
