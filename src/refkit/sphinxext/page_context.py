"""What the templates of pages get: head, style and scripts, the sidebar, the table of contents.

It is asked for each page that is written, in builds that change nothing as well, so it loads what describes
a page only where one needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from refkit.sphinxext import cards, counts, sites, sources
from refkit.sphinxext.domain import cite_domain, refkit_domain
from refkit.sphinxext.site import scripts

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.sphinxext.site.extras import Extras, Page
    from refkit.sphinxext.site.head import Head


class PageContext:
    """Adds to the context of each page of one run of Sphinx."""

    def __init__(self, app: Sphinx) -> None:
        self._app = app
        #: Pages of features, once they are known: after the project's own pages, which are written first.
        self.extras: Extras | None = None
        self._head: Head | None = None
        #: What functions of the template answered for the first page of a work.
        self._shared_answers: dict[str, str] = {}

    def connect(self) -> None:
        """Answer the event of a page's context."""
        connect = self._app.connect
        connect("html-page-context", self.prepare_page, priority=400)  # before the theme asks for the sidebar
        connect("html-page-context", self.add_contents, priority=600)  # after the theme has decided

    def prepare_page(
        self,
        app: Sphinx,
        pagename: str,
        templatename: str,
        context: dict[str, Any],
        doctree: nodes.document | None,
    ) -> None:
        """Style and script where they are needed, the link for Zotero, one sidebar for all pages of works."""
        del templatename
        domain = cite_domain(app.env)
        is_work = doctree is None and pagename.startswith("works/") and pagename in domain.index.work_pages
        extra = self.extras.page(pagename) if self.extras and doctree is None else None
        if doctree is not None or is_work or extra:
            self._add_head(pagename, context, doctree, extra)
        placed = refkit_domain(app.env).placed
        is_shown = is_work or extra is not None or pagename in placed
        if placed and sites.is_site(app.builder):
            scripts.prepare_page(app, pagename, context, is_shown=is_shown)
        if not is_shown and not (doctree is not None and self._is_ours(app, pagename)):
            return
        app.add_css_file("refkit.css", priority=550)
        app.add_js_file("refkit.js", priority=550, loading_method="defer")
        for name in extra.styles if extra else ():
            app.add_css_file(name, priority=560)
        for name in extra.scripts if extra else ():
            app.add_js_file(name, priority=560, loading_method="defer")
        if is_work:
            for name in ("toctree", "css_tag", "js_tag"):
                if name in context:
                    context[name] = self._shared(name, context[name])
        elif sites.has_bundles(app.builder) and (section := domain.index.sections.get(pagename)):
            address = context["pathto"](f"{sites.EXPORTS}/{section.slug}.{sites.UNAPI}", 1)
            link = f'\n<link rel="unapi-server" type="application/xml" title="unAPI" href="{address}">'
            context["metatags"] = context.get("metatags", "") + link

    def _add_head(
        self, pagename: str, context: dict[str, Any], doctree: nodes.document | None, extra: Page | None
    ) -> None:
        """What search engines, feed readers and previews of links ask for, on all pages of a list's site."""
        builder, domain = cast("StandaloneHTMLBuilder", self._app.builder), cite_domain(self._app.env)
        if not sites.is_site(builder) or not domain.index.pages.sections:
            return
        if self._head is None:
            from refkit.sphinxext.site.head import Head

            self._head = Head(builder, domain.index)
        known = extra.description if extra else ""
        context["metatags"] = str(context.get("metatags") or "") + self._head.tags(
            pagename, context, doctree, known
        )

    def _is_ours(self, app: Sphinx, pagename: str) -> bool:
        """Whether refkit puts something on a page without sources that needs its style or its script."""
        domain = cite_domain(app.env)
        if cards.wanted(app.builder) and pagename in domain.cited:
            return True
        return bool(counts.sections_on(app.builder, domain.index, pagename))

    def _shared(self, name: str, make: Callable[..., str]) -> Callable[..., str]:
        """A function of the template that is asked once for all pages of works.

        All lie equally deep and none stands in a table of contents, so that the sidebar and the addresses of
        style sheets and scripts are the same for all.
        """

        def shared(*arguments: Any, **options: Any) -> str:
            # By their texts: a style sheet's object has no name of its own, and its address comes again.
            asked = repr((name, [str(one) for one in arguments], sorted(options.items())))
            if asked not in self._shared_answers:
                self._shared_answers[asked] = make(*arguments, **options)
            return self._shared_answers[asked]

        return shared

    def add_contents(
        self,
        app: Sphinx,
        pagename: str,
        templatename: str,
        context: dict[str, Any],
        doctree: nodes.document | None,
    ) -> None:
        """The sources of a page stand in its table of contents, the extent of sections on pages that name
        them.
        """
        del templatename
        index = cite_domain(app.env).index
        if refkit_domain(app.env).placed and sites.is_site(app.builder):
            if doctree is not None and context.get("body"):
                body = counts.with_counts(app.builder, index, pagename, context["body"])
                context["body"] = counts.with_levels(body, counts.caption_level(doctree))
            if context.get("furo_navigation_tree"):
                context["furo_navigation_tree"] = counts.with_levels(context["furo_navigation_tree"], 2)
        placed = refkit_domain(app.env).placed.get(pagename)
        if placed:
            context["toc"] = sources.contents(cast("StandaloneHTMLBuilder", app.builder), pagename, placed)
            context["display_toc"] = True
            context["furo_hide_toc"] = "hide-toc" in (context.get("meta") or {})
