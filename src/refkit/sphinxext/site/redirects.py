"""Old addresses that lead on: pages of renamed sections, and their bundles and feeds under the old name.

A page redirects with and without scripts. A bundle cannot: a copy of it stands under the old name, so that
scripts and papers that fetch it go on working on any host.
"""

from __future__ import annotations

import html
import json
import posixpath
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.locale import _
from sphinx.util.osutil import relative_uri

from refkit.sphinxext import output, sites
from refkit.sphinxext.library import digest
from refkit.sphinxext.site.extras import File, output_path

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.sphinxext.index import Index


def extras(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[File]:
    """Redirects of renamed sections, and copies of their files under the old names."""
    taken = {section.slug.casefold() for section in index.pages.sections}
    for old, new in index.old_pages.items():
        if not sites.has_page(builder, old):
            address = relative_uri(builder.get_target_uri(old), builder.get_target_uri(new))
            text = page(address, _("This section has another address now."), builder.config.language)
            yield File(output_path(builder, old), digest(text), _encoded(text))
        slug = posixpath.basename(old)
        if slug.casefold() not in taken:
            taken.add(slug.casefold())
            yield from _copies(builder, index, slug, new)


def _copies(builder: StandaloneHTMLBuilder, index: Index, old: str, docname: str) -> Iterator[File]:
    section = index.sections[docname]
    if sites.has_bundles(builder):
        mark = output.section_digest(index, section)
        for name in output.bundle_names(section.slug):
            path = f"{sites.EXPORTS}/{old}{name.removeprefix(section.slug)}"
            yield File(path, mark, (Path(builder.outdir) / sites.EXPORTS / name).read_bytes)


def _encoded(text: str) -> Callable[[], bytes]:
    return text.encode


def page(address: str, text: str, language: str) -> str:
    """A page that leads on to another one, given by its relative address; an anchor is kept by a script."""
    href = html.escape(address)
    script = json.dumps(address).replace("<", "\\u003c")
    title = html.escape(_("Moved"))
    return (
        f'<!doctype html>\n<html lang="{html.escape(language or "en")}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">'
        f"<script>location.replace({script} + location.hash)</script>"
        f'<meta http-equiv="refresh" content="0; url={href}">'
        f'<link rel="canonical" href="{href}">'
        f"<title>{title}</title></head>\n"
        f'<body><p><a href="{href}">{html.escape(text)}</a></p></body></html>\n'
    )
