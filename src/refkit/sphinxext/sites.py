"""What kind of output a builder makes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from sphinx.builders import Builder

#: The folder of bundles, from the root of a site.
EXPORTS = "exports"
#: What Zotero's Connector asks for a page's works: of a section ``attention.unapi.xml`` among its bundles.
UNAPI = "unapi.xml"

#: Builders that make a folder of HTML pages to be read in a browser.
_SITES = frozenset(("html", "dirhtml", "readthedocs", "readthedocsdirhtml"))


def is_site(builder: Builder) -> bool:
    """Whether the builder makes a folder of pages: only there are bundles and pages of works made."""
    return builder.name in _SITES


def is_web(builder: Builder) -> bool:
    """Whether a browser shows the output: there a source may have controls."""
    return builder.format == "html" and builder.name != "epub"


def has_work_pages(builder: Builder) -> bool:
    """Whether each work gets a page of its own."""
    return is_site(builder) and bool(builder.config.refkit_work_pages)


def has_bundles(builder: Builder) -> bool:
    """Whether the build writes the bundles of each section."""
    return is_site(builder) and bool(builder.config.refkit_bundles)


def address(builder: Builder) -> str:
    """The address at which the site is published, with a final slash; empty where none is configured."""
    from refkit import identifiers

    url = identifiers.url(builder.config.html_baseurl or "") or ""
    return url and url.rstrip("/") + "/" if url.startswith("http") else ""


def page_address(builder: Builder, page: str) -> str:
    """The absolute address of a page; empty where the site has none."""
    root = address(builder)
    return root and root + quote(builder.get_target_uri(page), safe="/%#~+")


def has_page(builder: Builder, name: str) -> bool:
    """Whether the project has a page of its own where a page of this name would be written."""
    pages = builder.env.all_docs
    return name in pages or (builder.name.endswith("dirhtml") and f"{name}/index" in pages)
