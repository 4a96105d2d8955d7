"""Types of entries: known, and those of what the work is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from refkit.check import vocabulary
from refkit.check.library import BIBLATEX_FIELDS, Library
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.model import Entry


@rule("unknown-type", "error")
def unknown_type(library: Library) -> Iterator[Finding]:
    """An entry type that neither BibTeX nor BibLaTeX has; styles set it as @misc or not at all.

    A name close to a known one is an error, any other a warning, once a type: programs add types of their
    own. Known to biber, papis, JabRef.
    """
    known = vocabulary.types().known
    unknown: dict[str, list[Entry]] = {}
    for entry in library.entries:
        if entry.type not in known:
            unknown.setdefault(entry.type, []).append(entry)
    for type, entries in unknown.items():
        close = get_close_matches(type, sorted(known), 1, 0.75)
        message = f"@{type} is no type of BibTeX or BibLaTeX"
        if close:
            for entry in entries:
                yield Finding(f"{message}: did you mean @{close[0]}?", entry)
        else:
            more = f" ({len(entries)} entries have it)" if len(entries) > 1 else ""
            message += f": use a type that styles know, as @misc{more}"
            yield Finding(message, entries[0], severity="warning")


@rule("alias-type", "info")
def alias_type(library: Library) -> Iterator[Finding]:
    """A type of BibTeX in an entry written for BibLaTeX (with ``date``, ``urldate`` …), which takes it as an
    alias.
    """
    aliases = vocabulary.types().aliases
    for entry in library.entries:
        if entry.type in aliases and not BIBLATEX_FIELDS.isdisjoint(entry.fields):
            yield Finding(f"@{entry.type} is an alias of @{aliases[entry.type]} in BibLaTeX: use that", entry)


@rule("preprint-as-article", "warning")
def preprint_as_article(library: Library) -> Iterator[Finding]:
    """A preprint typed as an article of a journal "arXiv" or "CoRR", or a web page as an article without a
    journal.

    Types never change by themselves, so there is no fix. Known to Linter for Zotero.
    """
    for column in library.some(("journal", "journaltitle", "booktitle")):
        for hit in column.hits(_ARXIV_JOURNAL):
            yield Finding(
                f"{hit.value!r} is no {'journal' if column.name != 'booktitle' else 'container'}: make "
                f"it @misc with eprint and archiveprefix = {{arXiv}}",
                hit.entry,
                column.name,
                hit.value,
            )
    for column in library.some(("publisher", "howpublished", "institution")):
        for hit in column.hits(_ARXIV_PUBLISHER):
            yield Finding(
                f"{column.name} {hit.value!r}: the archive belongs into eprint and archiveprefix",
                hit.entry,
                column.name,
                hit.value,
                severity="info",
            )
    for entry in library.entries:
        if (
            entry.type == "article"
            and not entry.get("journal", "journaltitle")
            and entry.get("url")
            and entry.get("urldate")
        ):
            yield Finding("a web page typed as an article: make it @online", entry)


_ARXIV_JOURNAL = re.compile(r"(?mi)^\{?(?:arxiv\b|corr\b|ar[xχ]iv preprint|biorxiv|medrxiv|ssrn)")
_ARXIV_PUBLISHER = re.compile(r"(?mi)^\{?arxiv(?: preprint|:|\}?$)")
