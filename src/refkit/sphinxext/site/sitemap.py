"""``sitemap.xml`` and ``robots.txt``, for a site that has an address (sitemaps.org, protocol 0.9).

No dates: nothing in a build says when the text of a page last changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from refkit.formats.zotero_rdf import escape
from refkit.sphinxext import sites
from refkit.sphinxext.library import digest
from refkit.sphinxext.site.extras import File

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.sphinxext.index import Index

#: The protocol allows no more addresses in one file.
_MOST = 50_000


def files(builder: StandaloneHTMLBuilder, index: Index, generated: Iterable[str]) -> Iterator[File]:
    """Both files, where the project has a list and an address; the sitemap of another extension wins.

    Args:
        generated: the names of the pages that features make.
    """
    if not sites.address(builder) or not index.pages.sections:
        return
    if "sphinx_sitemap" not in builder.config.extensions:
        works = index.works.values() if sites.has_work_pages(builder) else ()
        pages = [*sorted(builder.env.all_docs), *generated, *works]
        text = dumps(sites.page_address(builder, page) for page in pages[:_MOST])
        yield File("sitemap.xml", digest(text), _bytes(text))
    robots = f"User-agent: *\nAllow: /\n\nSitemap: {sites.address(builder)}sitemap.xml\n"
    yield File("robots.txt", digest(robots), _bytes(robots))


def _bytes(text: str) -> Callable[[], bytes]:
    return text.encode


def dumps(addresses: Iterable[str]) -> str:
    """The sitemap of these addresses."""
    lines = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses)
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    return f'{head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</urlset>\n'
