"""Files that hosts read: the types under which bundles and feeds are served.

The Zotero Connector offers to import a file by its type, and few servers know that of ``.bib``. ``_headers``
is read by Netlify and Cloudflare Pages, ``.htaccess`` by Apache; ``.nojekyll`` keeps GitHub Pages from
leaving out folders whose names begin with ``_``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from refkit.formats import FORMATS
from refkit.sphinxext import sites
from refkit.sphinxext.library import digest
from refkit.sphinxext.site import feeds
from refkit.sphinxext.site.extras import File

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.sphinxext.index import Index

#: Ending of a bundle -> the type that the Zotero Connector knows it by (its ``content-type`` list).
TYPES: Mapping[str, str] = {
    ".bib": "application/x-bibtex",
    ".ris": "application/x-research-info-systems",
    ".rdf": "application/rdf+xml",
}
#: Files of this module: a copy of the site for readers needs none of them.
NAMES = ("_headers", f"{sites.EXPORTS}/.htaccess", ".nojekyll")


def extras(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[File]:
    """The files, where the build writes bundles."""
    if not index.pages.sections or not sites.has_bundles(builder):
        return
    for name, text in zip(NAMES[:2], (headers(), htaccess()), strict=True):
        yield File(name, digest(text), _bytes(text))
    if "sphinx.ext.githubpages" not in builder.config.extensions:
        yield File(".nojekyll", "", bytes)


def _bytes(text: str) -> Callable[[], bytes]:
    return text.encode


def headers() -> str:
    """``_headers`` for Netlify and Cloudflare Pages."""
    rules = {f"/{sites.EXPORTS}/*{ending}": type for ending, type in TYPES.items()}
    rules[f"/{feeds.FOLDER}/*"] = "application/atom+xml"
    return "".join(f"{path}\n  Content-Type: {type}; charset=utf-8\n" for path, type in rules.items())


def htaccess() -> str:
    """``.htaccess`` for the folder of bundles on Apache."""
    lines = [f"AddType {type} {ending}" for ending, type in TYPES.items()]
    endings = sorted({f".{one.ending.rpartition('.')[2]}" for one in FORMATS.values()})
    return "\n".join([*lines, f"AddCharset utf-8 {' '.join(endings)}", ""])
