"""Macros (``@string``): defined once, and used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.model import Finding, reported, rule

if TYPE_CHECKING:
    from refkit.check.library import Library

UNDEFINED_STRING = reported(
    "undefined-string", "warning", "A macro that no @string defines, or that is defined further on."
)
DUPLICATE_STRING = reported("duplicate-string", "warning", "A macro defined twice with different texts.")


@rule("unused-string", "info")
def unused_string(library: Library) -> Iterator[Finding]:
    """A macro that nothing uses. Known to JabRef."""
    for document in library.documents.values():
        if not document.strings or not document.entries:
            continue
        for name in document.strings:
            if len(library.documents) == 1 and not _is_used(document.text, name):
                at = re.search(
                    rf"@string\s*[({{][^@]{{0,9999}}?\b{re.escape(name)}\s*=", document.text, re.IGNORECASE
                )
                line = document.place(at.end() - 1)[0] if at else None
                yield Finding(
                    f"the macro {name!r} is used nowhere: delete it",
                    file=document.file,
                    line=line,
                    about=name,
                )


def _is_used(text: str, name: str) -> bool:
    """Whether a bare word of this name stands behind ``=`` or ``#``."""
    at = text.find(name)
    while at >= 0:
        if text[max(at - 40, 0) : at].rstrip()[-1:] in ("=", "#") and text[
            at + len(name) : at + len(name) + 40
        ].lstrip()[:1] in (",", "#", "}", ")", ""):
            return True
        at = text.find(name, at + 1)
    pattern = rf"[=#]\s*{re.escape(name)}(?=\s*(?:[,#}})]|\Z))"
    return re.search(pattern, text, re.IGNORECASE) is not None
