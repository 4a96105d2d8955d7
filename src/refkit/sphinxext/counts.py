"""Tables of contents on pages: how many sources each section holds, and captions that say their level."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from docutils import nodes

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


_CAPTION = '<p class="caption" role="heading"'


def with_levels(html_text: str, level: int) -> str:
    """HTML whose captions of tables of contents have a level, which Sphinx leaves out of these headings."""
    return html_text.replace(f"{_CAPTION}>", f'{_CAPTION} aria-level="{level}">')


def caption_level(doctree: nodes.document) -> int:
    """The level of the captions on a page: below the heading over its first table of contents."""
    found = next(
        (one for one in doctree.findall(nodes.compound) if "toctree-wrapper" in one["classes"]), None
    )
    level, above = 1, found.parent if found is not None else None
    while above is not None:
        level += isinstance(above, nodes.section)
        above = above.parent
    return min(max(level, 2), 6)
