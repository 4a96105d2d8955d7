"""A new source from an identifier: looked up, given a key, placed in a section's .bib file and on its page.

Looking up (`find`) asks the services; making the entry (`draft`) and placing it (`place`) do not.
"""

from refkit.enrich.add.drafting import draft, style_of
from refkit.enrich.add.finding import find, request
from refkit.enrich.add.model import AddError, Draft, Found, Placed, Request
from refkit.enrich.add.placing import check_key, place, section_of, taken, write
from refkit.enrich.add.presence import already

__all__ = [
    "AddError",
    "Draft",
    "Found",
    "Placed",
    "Request",
    "already",
    "check_key",
    "draft",
    "find",
    "place",
    "request",
    "section_of",
    "style_of",
    "taken",
    "write",
]
