"""What a bibliography becomes once all pages are read: a list of references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from pybtex.style.template import FieldIsMissing
from sphinx.util import logging
from sphinxcontrib.bibtex.transforms import node_text_transform

from refkit import identifiers
from refkit.sphinxext import reference, richtext, style

if TYPE_CHECKING:
    from docutils.nodes import Element

    from refkit.sphinxext.domain import CiteDomain
    from refkit.sphinxext.index import Listed
    from refkit.sphinxext.nodes import bibliography

logger = logging.getLogger(__name__)


class Writer:
    """Writes one bibliography."""

    def __init__(self, domain: CiteDomain, node: bibliography) -> None:
        self._domain = domain
        self._node = node
        self._docname: str = node["docname"]
        number: int = node["number"] - 1
        self._listing = domain.listings[self._docname][number]
        self._entries = domain.index.listed[self._docname][number]

    def replace(self) -> None:
        """Put the list in the node's place."""
        if not self._entries:
            self._node.replace_self(nodes.target("", "", ids=self._node["ids"]))
            return
        outer: Element
        if self._listing.list == "enumerated":
            outer = self._enumerated()
        elif self._listing.list == "bullet":
            outer = nodes.bullet_list()
        else:
            outer = nodes.container()
        for one in self._entries:
            outer.append(self._item(one))
        self._node.replace_self(outer)

    def _enumerated(self) -> nodes.enumerated_list:
        data: Any = self._domain.env.current_document
        start = self._listing.start
        if start < 1:
            start = data.get("refkit_bibliography_start", 1)
        data["refkit_bibliography_start"] = start + len(self._entries)
        return nodes.enumerated_list("", enumtype=self._listing.enumtype, start=start)

    def _item(self, one: Listed) -> Element:
        paragraph = nodes.paragraph("", "", *self._reference(one))
        if self._listing.list != "citation":
            return nodes.list_item("", paragraph, ids=[one.id])
        item = nodes.citation("", docname=self._docname, ids=[one.id])
        backrefs = [
            cited.id
            for cited in self._domain.cited.get(self._docname, ())
            if any(key == one.cite_key for key, _pre, _post in cited.targets)
        ]
        if backrefs:
            item["backrefs"] = backrefs
        item += nodes.label("", one.label, support_smartquotes=False)
        item += paragraph
        return item

    def _reference(self, one: Listed) -> list[nodes.Node]:
        library = self._domain.library
        if self._listing.style == style.NAME:
            return richtext.to_nodes(reference.reference(library.entries[one.key]))
        return self._by_other_style(one)

    def _by_other_style(self, one: Listed) -> list[nodes.Node]:
        """The reference in a style of pybtex; what that style cannot set is set in refkit's."""
        entry = self._domain.library.pybtex_entry(one.key)
        plugin = self._domain.index.style(self._listing.style)
        try:
            text = plugin.format_entry(one.label, entry).text
        except FieldIsMissing as error:
            logger.warning(
                "the style %s needs a field: %s; add it to the entry, or leave out :style:",
                self._listing.style, error,
                location=(self._docname, self._listing.line), type="refkit", subtype="missing-field",
            )  # fmt: skip
        except AttributeError:  # the style has no template for this type
            pass
        else:
            paragraph = nodes.paragraph("", "", *text.render(self._domain.backend))
            node_text_transform(paragraph)
            unlink_unsafe(paragraph)
            return list(paragraph.children)
        return richtext.to_nodes(reference.reference(entry.source))


def unlink_unsafe(node: Element) -> None:
    """Take the link, not the text, where an address is not one of http, https, ftp and mailto."""
    for link in list(node.findall(nodes.reference)):
        uri = link.get("refuri")
        if uri is None:
            continue
        safe = identifiers.url(uri)
        if safe is None:
            link.replace_self(link.children or [nodes.Text("")])
        else:
            link["refuri"] = safe
