"""What pages say, as the environment keeps it: plain strings, numbers and tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from refkit.pages import Inline


class Cited(NamedTuple):
    """One citation role on a page: its id, its line, and (key, text before, text after) of each work."""

    id: str
    line: int
    targets: tuple[tuple[str, str, str], ...]


class Listing(NamedTuple):
    """One bibliography directive, as its page says it."""

    #: From 1, on its page.
    number: int
    id: str
    line: int
    #: Paths of .bib files; empty for all.
    files: tuple[str, ...]
    style: str
    #: ``citation``, ``bullet`` or ``enumerated``.
    list: str
    enumtype: str
    #: -1 to continue.
    start: int
    labelprefix: str
    keyprefix: str
    filter: str
    #: Keys named in its content.
    keys: tuple[str, ...]


class Placed(NamedTuple):
    """One ``source`` directive."""

    key: str
    #: Anchor on its page.
    id: str
    #: The name given on the page; may be empty.
    title: str
    #: The name shown when the page was read.
    shown: str
    line: int
    annotation: tuple[Inline, ...]
    waits_for: str = ""
    review: str = ""
    #: Address of the section that holds it, on its page: ``#`` for the page's first.
    section: str = "#"


class PageFacts(NamedTuple):
    """What the list needs to know of a page beyond its placements."""

    title: str
    #: Paragraphs before the first source, as plain text.
    intro: str
    #: (caption, page names) of each table of contents on it.
    toctrees: tuple[tuple[str, tuple[str, ...]], ...]
