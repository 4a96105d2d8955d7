"""Citation keys: there, once, of legal characters, and in agreement with the entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.fold import words
from refkit.check.model import Finding, reported, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry

MISSING_KEY = reported("missing-key", "error", "An entry without a key, which nothing can cite.")
DUPLICATE_KEY = reported(
    "duplicate-key", "error", "Two entries with one key; BibTeX refuses the second, biber takes the first."
)
CASE_COLLISION = reported(
    "case-collision", "error", "Two keys that differ only in case, which BibTeX and Sphinx take as one."
)


@rule("invalid-key", "error")
def invalid_key(library: Library) -> Iterator[Finding]:
    r"""A key with a character that BibTeX, TeX or a citation role takes as something else.

    These are blanks and ``" # % ' ( ) , = { } ~ \ @ ` < >``. A key that is not ASCII is a warning: biber and
    Typst read it, BibTeX with most styles does not. Known to JabRef.
    """
    for entry in library.entries:
        key = entry.key
        if key.isalnum() and key.isascii():
            continue
        found = _BAD_IN_KEY.search(key)
        if found:
            yield Finding(f"the key {key!r} holds {found[0]!r}: use letters, digits and - _ : . + /", entry)
        elif not key.isascii():
            yield Finding(
                f"the key {key!r} is not ASCII, which BibTeX cannot cite: spell it in ASCII",
                entry,
                severity="warning",
            )


_BAD_IN_KEY = re.compile(r"""[\s"#%'(),={}~\\@`<>\x00-\x1f\x7f]""")


@rule(
    "key-pattern",
    "info",
    bad={
        "pyproject.toml": "[tool.refkit.check]\nkey-pattern = '[a-z]+[0-9]{4}[a-z]+'",
        "bib/refs.bib": "@misc{LeeA:24, author = {Lee, Ada}, title = {Title}, year = {2024}}",
    },
    good={
        "pyproject.toml": "[tool.refkit.check]\nkey-pattern = '[a-z]+[0-9]{4}[a-z]+'",
        "bib/refs.bib": "@misc{lee2024title, author = {Lee, Ada}, title = {Title}, year = {2024}}",
    },
)
def key_pattern(library: Library) -> Iterator[Finding]:
    """A key that departs from the project's pattern (``key-pattern`` in the configuration).

    Without a pattern the rule is silent. A key is public once it is cited: rename it with ``refkit rename``,
    which keeps the old one as an alias. Known to JabRef.
    """
    pattern = library.settings.key_pattern
    if not pattern:
        return
    match = re.compile(pattern).fullmatch
    for entry in library.entries:
        if match(entry.key) is None:
            yield Finding(
                f"the key {entry.key!r} does not match {pattern!r}: rename it, or widen the pattern", entry
            )


@rule("key-mismatch", "info")
def key_mismatch(library: Library) -> Iterator[Finding]:
    """A key that names another first author or another year than the entry has.

    Only keys of the form family name, year, word are looked at; a short title may stand for the name. Keys
    never change by themselves, so this may be the trace of a value that did.
    """
    for entry in library.entries:
        found = _NAMED_KEY.match(entry.key)
        if found is None:
            continue
        authors = library.authors.get(entry.key)
        if (
            authors
            and _is_latin(authors[0])
            and not _is_named(found[1], authors[0])
            and not "".join(words(entry.get("shorttitle"))).startswith(found[1])
        ):
            yield Finding(
                f"the key {entry.key!r} names another first author than {authors[0]!r}: check the "
                f"author list",
                entry,
                "author",
                authors[0],
            )
        year = _year(entry)
        if year and year != found[2]:
            field = "date" if "date" in entry else "year"
            yield Finding(
                f"the key {entry.key!r} names another year than {year}: check the {field}", entry, field, year
            )


_NAMED_KEY = re.compile(r"([a-z]+)((?:19|20)[0-9]{2})([a-z][a-z0-9]*)?\Z")


def _is_latin(name: str) -> bool:
    """Whether a name can be compared with a key: of a name in another script a key has a transcription."""
    return any(word.isascii() and word.isalpha() for word in words(name))


def _is_named(word: str, name: str) -> bool:
    """Whether a key's first word is the name's family name, or a part of it."""
    if name[:1] == "{":
        return word in "".join(words(name)) or word.startswith("".join(part[0] for part in words(name)))
    whole = "".join(words(name.partition(",")[0] if "," in name else name.split(" ")[-1]))
    return word.startswith(whole) or whole.startswith(word) or whole.endswith(word)


def _year(entry: Entry) -> str:
    value = entry.get("date", "year").strip("{} ")
    return value[:4] if value[:4].isdecimal() else ""
