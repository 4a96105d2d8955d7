"""The formats that refkit writes, one module each. Adding one is a new module and a line in ``FORMATS``.

A module has ``one(item)``, the text of one item, and what stands around and between items: ``HEAD``,
``SEPARATOR``, ``TAIL``, and, where the format has collections, ``grouped(groups, title)`` before the tail.
So a file may be written piece by piece, and a section's bundle is made of the same pieces as that of all.
``lost(item)`` names the fields that the format cannot carry. ``read(text, file)`` and ``loads(text)`` are
there where reading makes sense.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from refkit.hub import Item
    from refkit.model import Diagnostic, Entry

#: Titles of groups (sections) and the keys that stand in each.
Groups = Sequence[tuple[str, Sequence[str]]]


class Writer(Protocol):
    """What the module of a format has."""

    HEAD: str
    SEPARATOR: str
    TAIL: str

    def one(self, item: Item) -> str:
        """The text of one item."""
        ...

    def lost(self, item: Item) -> list[str]:
        """The fields of the entry that the format cannot carry, in the entry's order."""
        ...


class Format(NamedTuple):
    """A format: how it is called, how its files end, which module writes it."""

    name: str
    #: The ending of a bundle's file name, with its dot.
    ending: str
    #: Name of the module in this package; imported when first used.
    module: str
    media_type: str
    #: Whether entries that are settings and no works (``Entry.is_settings``) mean something in it.
    keeps_settings: bool = False

    @property
    def writer(self) -> Writer:
        """The module."""
        return cast("Writer", self._module())

    def _module(self) -> Any:
        from importlib import import_module

        return import_module(f"{__name__}.{self.module}")

    def text(self, item: Item) -> str:
        """The text of one item. Items of a list keep it: they stand in the bundle of a section and of all."""
        one = self._module().one
        return item.rendered(self.name, one) if item.listed else cast("str", one(item))

    def pieces(self, items: Iterable[Item], *, groups: Groups = (), title: str = "") -> Iterator[str]:
        """The file's text in pieces; one item at a time is taken from ``items``."""
        module = self._module()
        separator = ""
        yield module.HEAD
        for item in items:
            yield separator + self.text(item)
            separator = module.SEPARATOR
        grouped = getattr(module, "grouped", None)
        if grouped and groups:
            yield grouped(groups, title)
        yield module.TAIL

    def dumps(self, items: Iterable[Item], *, groups: Groups = (), title: str = "") -> str:
        """The file's text. ``groups`` become collections or groups where the format has them."""
        return "".join(self.pieces(items, groups=groups, title=title))

    def loads(self, text: str) -> list[Entry]:
        """The entries of a file of this format.

        Raises:
            ValueError: The text is not of this format; says what and where.
            NotImplementedError: The format is only written.
        """
        return self.read(text)[0]

    def read(self, text: str, file: str = "") -> tuple[list[Entry], list[Diagnostic]]:
        """The entries of a file of this format, and what could not be read or kept.

        Raises:
            ValueError: The text is not of this format; says what and where.
            NotImplementedError: The format is only written.
        """
        module = self._module()
        if hasattr(module, "read"):
            return cast("tuple[list[Entry], list[Diagnostic]]", module.read(text, file))
        if hasattr(module, "loads"):
            return module.loads(text), []
        raise NotImplementedError(f"{self.name} can be written, but not read")


FORMATS: Mapping[str, Format] = {
    format.name: format
    for format in (
        Format("bibtex", ".bib", "bibtex", "text/x-bibtex", keeps_settings=True),
        Format("biblatex", ".biblatex.bib", "biblatex", "text/x-bibtex", keeps_settings=True),
        Format("ris", ".ris", "ris", "application/x-research-info-systems"),
        Format("csl-json", ".json", "csl_json", "application/vnd.citationstyles.csl+json"),
        Format("zotero-rdf", ".rdf", "zotero_rdf", "application/rdf+xml"),
        Format("json", ".refkit.json", "json", "application/json", keeps_settings=True),
    )
}

#: The formats in which bundles are made.
BUNDLES = ("bibtex", "biblatex", "ris", "csl-json", "zotero-rdf")
