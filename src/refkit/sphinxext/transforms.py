"""Post-transforms: bibliographies and placements become what the builder at hand can write.

They run before Sphinx resolves references (priority 10), so that the citations in annotations are resolved
too; hover cards are made of the resolved citations.
"""

from __future__ import annotations

from typing import Any

from sphinx.transforms.post_transforms import SphinxPostTransform

from refkit.sphinxext.domain import cite_domain
from refkit.sphinxext.nodes import bibliography, bundle_links, markup, source


class BibliographyTransform(SphinxPostTransform):
    """Fills bibliographies."""

    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        """Each bibliography of the page, or of all pages where a builder joins them."""
        del kwargs
        found = list(self.document.findall(bibliography))
        if found:
            from refkit.sphinxext.listing import Writer

            for node in found:
                Writer(cite_domain(self.env), node).replace()


class SourceTransform(SphinxPostTransform):
    """Fills placements."""

    default_priority = 6

    def run(self, **kwargs: Any) -> None:
        """Each placement of the page, or of all pages where a builder joins them."""
        del kwargs
        found = list(self.document.findall(source))
        if not found:
            return
        from refkit.sphinxext.render import Writer, write_bundle_links

        domain = cite_domain(self.env)
        for node in found:
            Writer(domain.builder, domain.library, domain.index, node).fill()
        for links in list(self.document.findall(bundle_links)):
            write_bundle_links(domain.builder, domain.index, links)


class CardTransform(SphinxPostTransform):
    """Puts the hover cards of a page's citations at its end."""

    default_priority = 20

    def run(self, **kwargs: Any) -> None:
        """A card for each work that the page cites."""
        del kwargs
        from refkit.sphinxext import cards

        domain = cite_domain(self.env)
        if cards.wanted(domain.builder):
            found = cards.cards(domain.index, cards.cited(self.document))
            if found:
                self.document += markup("", html=found)
