"""What pages need to have the scripts of readers, and the way to the page over all works.

It is asked for each page, in builds that change nothing as well, so it loads nothing that reads or formats.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, cast

from sphinx.locale import _

from refkit.sphinxext import sites

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder

#: The folder of data, from the root of a site, and the way back from it.
FOLDER = "_static/refkit-data"
ROOT = "../../"
#: The page over all works (see :mod:`refkit.sphinxext.site.browse`).
BROWSE = "browse"
#: Furo tells its styles that scripts run at the end of a page only, which moves what is above by then.
_HAS_SCRIPTS = '<script>document.documentElement.classList.remove("no-js")</script>'


def prepare_page(app: Sphinx, pagename: str, context: dict[str, Any], *, is_shown: bool) -> None:
    """The way to the page over all works, on all pages; scripts where works stand or are counted."""
    context["metatags"] = f"{context.get('metatags', '')}\n{_HAS_SCRIPTS}"
    _add_browse(app, pagename, context)
    if is_shown or pagename == app.config.root_doc:
        _add_scripts(app, pagename, context)


def _add_scripts(app: Sphinx, pagename: str, context: dict[str, Any]) -> None:
    """Give a page the scripts, after the data that they read.

    The data stands in the page's head by hand: Sphinx would add a checksum of the file of the last build.
    """
    app.add_css_file("refkit-reading.css", priority=555)
    app.add_js_file("refkit-reading.js", priority=555, loading_method="defer")
    more = {app.config.root_doc: ["sections"], BROWSE: ["works"]}
    for name in ("site", *more.get(pagename, ())):
        address = html.escape(context["pathto"](f"{FOLDER}/{name}.js", 1))
        context["metatags"] = f'{context.get("metatags", "")}\n<script defer src="{address}"></script>'


def _add_browse(app: Sphinx, pagename: str, context: dict[str, Any]) -> None:
    """Put the page over all works before the table of contents in a page's sidebar, where a theme has one."""
    builder = cast("StandaloneHTMLBuilder", app.builder)
    toctree = context.get("toctree")
    if toctree is None or sites.has_page(builder, BROWSE):
        return
    address = html.escape(builder.get_relative_uri(pagename, BROWSE) or "#")
    here = ' class="toctree-l1 current-page"' if pagename == BROWSE else ' class="toctree-l1"'
    link = (
        f'<ul><li{here}><a class="reference internal" href="{address}">{_("Browse all works")}</a></li></ul>'
    )

    def with_browse(*arguments: Any, **options: Any) -> str:
        return f"{link}\n{toctree(*arguments, **options) or ''}"

    context["toctree"] = with_browse
