"""How many sources each section holds, in the tables of contents that pages show."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from refkit.sphinxext import sites

if TYPE_CHECKING:
    from sphinx.builders import Builder

    from refkit.pages import Section
    from refkit.sphinxext.index import Index


def sections_on(builder: Builder, index: Index, docname: str) -> list[tuple[str, Section]]:
    """The sections that a page's tables of contents name, with the pages that they are."""
    facts = index.placements.pages.get(docname)
    if facts is None or not sites.is_site(builder):
        return []
    targets = [target for _caption, pages in facts.toctrees for target in pages]
    return [(target, index.sections[target]) for target in targets if target in index.sections]


def with_counts(builder: Builder, index: Index, docname: str, body: str) -> str:
    """A page's HTML with the extent of each section after the section's link.

    Sphinx puts tables of contents in place when all transforms have run, so that only the HTML has them.
    """
    from refkit.sphinxext import render

    for target, section in sections_on(builder, index, docname):
        address = html.escape(builder.get_relative_uri(docname, target))
        start = body.find(f'<li class="toctree-l1"><a class="reference internal" href="{address}">')
        end = body.find("</a>", start) if start >= 0 else -1
        if end >= 0:
            extent = html.escape(" · ".join(render.extent(index, section)[:2]))
            body = f'{body[: end + 4]} <span class="rk-count">{extent}</span>{body[end + 4 :]}'
    return body
