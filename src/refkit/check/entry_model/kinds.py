"""Kinds of works (``entrysubtype``): words that exports know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check import vocabulary
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Severity


@rule("unknown-kind", "error")
def unknown_kind(library: Library) -> Iterator[Finding]:
    """``entrysubtype`` is none of the words that exports know, or does not go with the type.

    In files without pages an unknown word is an information: styles have words of their own.
    """
    table = vocabulary.types().subtypes
    known = ", ".join(name for name in table if name)
    for entry, value in library.column("entrysubtype"):
        types = table.get(value.lower())
        if types is None:
            own: Severity | None = None if library.pages is not None else "info"
            message = f"the kind {value!r} is not known; known are {known}"
            yield Finding(message, entry, "entrysubtype", value, severity=own)
        elif entry.type not in types:
            yield Finding(
                f"{value!r} does not go with @{entry.type}: use "
                f"{' or '.join('@' + name for name in sorted(types))}",
                entry,
                "entrysubtype",
                value,
            )
