"""An item: an entry together with its CSL variables and with what a list says about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from refkit import identifiers
from refkit.hub import variables
from refkit.hub.kinds import classify
from refkit.values import tex

if TYPE_CHECKING:
    from refkit.model import Entry

_TAG_SPLIT = re.compile(r"[,;]")


class Note(NamedTuple):
    """One annotation, for one placement."""

    #: The section's title, ``""`` for a note that belongs to no section.
    section: str
    #: The section's slug.
    slug: str
    #: Plain text.
    text: str
    #: Escaped HTML, inline markup only.
    html: str
    #: TeX, inline markup only: UTF-8, specials escaped.
    tex: str


class Link(NamedTuple):
    """A related address: the code, the slides, another version."""

    kind: str
    url: str
    label: str = ""


class Context(NamedTuple):
    """What a list knows about an entry beyond its facts."""

    notes: tuple[Note, ...] = ()
    #: (slug, title) of all its sections, in reading order.
    sections: tuple[tuple[str, str], ...] = ()
    #: Further tags; the sections' titles and the kind become tags by themselves.
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()


class Item:
    """What every format writes: an entry, its kind, its CSL variables, and what the list says about it."""

    __slots__ = (
        "_csl",
        "_renderings",
        "_tags",
        "arxiv",
        "context",
        "date",
        "doi",
        "entry",
        "kind",
        "listed",
        "own_url",
        "type",
        "url",
    )

    def __init__(self, entry: Entry, context: Context | None = None) -> None:
        """Of an entry; with a context where a list places it."""
        self.entry = entry
        #: Whether a list placed the item: then its kind and sections become tags.
        self.listed = context is not None
        self.context = context or Context()
        #: The arXiv identifier without version, or ``""``.
        self.arxiv = entry.arxiv
        #: The DOI without resolver, letters in the case in which the entry has them, or ``""``.
        self.doi = identifiers.doi(entry.get("doi")) or ""
        #: The safe address that the entry itself gives, or ``""``.
        self.own_url = entry.url
        #: The safe address of the work: its own, else that of its arXiv page, else ``""``.
        self.url = self.own_url or (f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else "")
        self.kind, self.type = classify(entry.type, entry.fields.get("entrysubtype", ""))
        if self.type == "document" and self.arxiv and not entry.get("booktitle", "journal", "journaltitle"):
            # arXiv's own BibTeX is @misc: CSL has a type for a paper that only a server publishes.
            self.type = "article"
        #: The date of publication, ``None`` where the work has none.
        self.date = entry.date
        self._csl: variables.Csl | None = None
        self._tags: list[str] | None = None
        self._renderings: dict[str, str] | None = None

    def __repr__(self) -> str:
        """Key and kind."""
        return f"Item({self.key!r}, {self.kind})"

    @property
    def key(self) -> str:
        """The citation key."""
        return self.entry.key

    @property
    def csl(self) -> variables.Csl:
        """CSL variables in the order in which they are written, ``id``, ``citation-key`` and ``type`` first.

        Text is plain, but for titles (``title``, ``container-title``), which may hold CSL's markup. ``note``
        holds the entry's own remarks, ``annote`` the annotations.
        """
        if self._csl is None:
            self._csl = variables.variables(self)
        return self._csl

    @property
    def title(self) -> str:
        """The full title as plain text."""
        return variables.joined(self.entry, "title", "subtitle")

    @property
    def container(self) -> str:
        """The title of what contains the work (book, journal, site) as plain text."""
        return variables.container(self.entry, self.type, rich=False)

    @property
    def arxiv_class(self) -> str:
        """The arXiv class (``cs.LG``), or ``""``."""
        return self.entry.text("primaryclass", "eprintclass")

    @property
    def licence(self) -> str:
        """The licence, from whichever field a reference manager keeps it in, or ``""``."""
        fields = self.entry.fields
        name = next((name for name in variables.LICENCE_FIELDS if fields.get(name)), "")
        return self.entry.text(name) if name else ""

    @property
    def tags(self) -> list[str]:
        """Keywords of the entry, then the list's: further tags, ``section: TITLE``, ``kind: WORD``."""
        if self._tags is None:
            self._tags = self._all_tags()
        return self._tags

    def _all_tags(self) -> list[str]:
        tags = list(self.context.tags)
        if "keywords" in self.entry.fields:
            own = (tag.strip() for tag in _TAG_SPLIT.split(self.entry.text("keywords")))
            tags = [*(tag for tag in own if tag), *tags]
        tags += [f"section: {title}" for _, title in self.context.sections]
        if self.listed:
            tags.append(f"kind: {self.kind}")
        return list(dict.fromkeys(tags))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Annotations: the list's, else the entry's own ``annotation`` or ``annote``."""
        if self.context.notes:
            return self.context.notes
        raw = self.entry.get("annotation", "annote")
        if not raw:
            return ()
        return (Note("", "", self.entry.text("annotation", "annote"), tex.decode_html(raw), raw),)

    @property
    def remarks(self) -> list[str]:
        """The entry's own remarks: ``note``, ``addendum``, and a ``titleaddon`` that names no container."""
        fields = ["note", "addendum"] if self.type in variables.WEB else ["titleaddon", "note", "addendum"]
        entry = self.entry
        return [text for field in fields if field in entry.fields and (text := entry.text(field))]

    def rendered(self, name: str, render: Callable[[Item], str]) -> str:
        """What ``render`` makes of the item, kept under ``name`` and made once."""
        if self._renderings is None:
            self._renderings = {}
        text = self._renderings.get(name)
        if text is None:
            text = self._renderings[name] = render(self)
        return text


def item(entry: Entry, context: Context | None = None) -> Item:
    """The item of an entry; with a context where a list places it."""
    return Item(entry, context)
