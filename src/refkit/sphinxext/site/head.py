"""What stands in the head of pages for search engines, feed readers and previews of links.

Descriptions are ours: a section's introduction, a work's annotation, a page's first paragraph. Section pages
are never called an article: the Zotero Connector would take them for one (``og:type`` is always ``website``,
and ``citation_`` tags stand on pages of works only).
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes
from markupsafe import Markup
from sphinx import addnodes
from sphinx.locale import _
from sphinx.util.osutil import relative_uri

from refkit.sphinxext import reference, richtext, sites
from refkit.sphinxext.nodes import source
from refkit.sphinxext.site import feeds, jsonld

if TYPE_CHECKING:
    from sphinx.builders import Builder
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.pages import Section
    from refkit.sphinxext.index import Index

#: Search engines show about so many characters of a description.
LONGEST = 160


class Head:
    """Writes the heads of the pages of one build."""

    def __init__(self, builder: StandaloneHTMLBuilder, index: Index) -> None:
        self._builder = builder
        self._index = index
        self._site = str(builder.config.project)
        self._has_feeds = feeds.has_feeds(builder, index)
        self._has_opengraph = "sphinxext.opengraph" in builder.config.extensions

    def tags(self, page: str, context: dict[str, Any], doctree: nodes.document | None, known: str) -> str:
        """The elements for one page; ``known`` is its description where its feature gives one."""
        tags = str(context.get("metatags") or "")
        described = 'name="description"' in tags
        description = "" if described else shorten(known or self._description(page, doctree))
        title = _plain(str(context.get("title") or ""))
        lines = list(self._lines(page, title or self._site, description))
        lines += [jsonld.script(data) for data in self._data(page, title, description)]
        return "".join(f"\n{line}" for line in lines)

    def _lines(self, page: str, title: str, description: str) -> Iterator[str]:
        if description:
            yield _meta("name", "description", description)
        if not self._has_opengraph:
            yield from self._opengraph(page, title, description)
        yield from self._alternates(page)

    def _opengraph(self, page: str, title: str, description: str) -> Iterator[str]:
        yield _meta("property", "og:title", title)
        yield _meta("property", "og:type", "website")
        yield _meta("property", "og:site_name", self._site)
        if description:
            yield _meta("property", "og:description", description)
        if address := sites.page_address(self._builder, page):
            yield _meta("property", "og:url", address)
        yield _meta("name", "twitter:card", "summary")

    def _alternates(self, page: str) -> Iterator[str]:
        if not self._has_feeds:
            return
        own = self._builder.get_target_uri(page)
        yield _feed(relative_uri(own, feeds.ALL), self._site)
        if path := feeds.feed_of(self._builder, self._index, page):
            yield _feed(relative_uri(own, path), self._index.sections[page].title)

    # descriptions ------------------------------------------------------------------

    def _description(self, page: str, doctree: nodes.document | None) -> str:
        if page in self._index.sections:
            return self._of_section(self._index.sections[page])
        if doctree is not None:
            return first_paragraph(doctree)
        return self._of_work(self._index.work_pages[page]) if page in self._index.work_pages else ""

    def _of_section(self, section: Section) -> str:
        if section.intro:
            return section.intro
        names = [self._shown(placed.key, placed.title) for placed in section.placements]
        return f"{section.title}: {', '.join(names)}."

    def _shown(self, key: str, title: str) -> str:
        entry = self._index.collection.entries.get(key)
        return title or (entry.text("title") if entry else "") or key

    def _of_work(self, key: str) -> str:
        notes = self._index.collection.one(key).notes
        if notes and notes[0].text:
            return notes[0].text
        return richtext.plain(reference.reference(self._index.collection.entries[key]))

    # data ---------------------------------------------------------------------------

    def _data(self, page: str, title: str, description: str) -> Iterator[dict[str, Any]]:
        builder, index = self._builder, self._index
        about = {"@context": "https://schema.org", "@type": "WebPage", "name": title}
        about |= {"url": sites.page_address(builder, page), "description": description}
        about |= {"inLanguage": str(builder.config.language or "en")}
        if page in index.work_pages:
            item = index.collection.one(index.work_pages[page])
            found: dict[str, Any] = {**about, "mainEntity": jsonld.work(item)}
        elif page in index.sections:
            found = {**about, "@type": "CollectionPage"}
            found["mainEntity"] = jsonld.item_list(self._entries(index.sections[page]))
        elif page == builder.config.root_doc:
            found = {**about, "@type": "WebSite", "name": self._site}
        else:
            return
        if page != builder.config.root_doc:
            root = sites.address(builder)
            site = {"@type": "WebSite", "name": self._site}
            found["isPartOf"] = {**site, "url": root} if root else site
        yield {name: value for name, value in found.items() if value}

    def _entries(self, section: Section) -> Iterator[tuple[str, str, str]]:
        for item in self._index.collection.items(section):
            title = next(placed.title for placed in section.placements if placed.key == item.key)
            yield jsonld.type_of(item), self._shown(item.key, title), reference.home(item.entry)


def common(index: Index, builder: Builder) -> object:
    """What the heads of all pages depend on besides the pages themselves and the theme's settings."""
    return bool(index.pages.sections), feeds.has_feeds(builder, index)


def shorten(text: str) -> str:
    """A text in at most :data:`LONGEST` characters, cut after a sentence where one ends late enough."""
    text = " ".join(text.split())
    if len(text) <= LONGEST:
        return text
    cut = text[:LONGEST]
    end = max(cut.rfind(f"{mark} ") for mark in ".!?")
    if end >= LONGEST // 2:
        return cut[: end + 1]
    return (cut[: cut.rfind(" ")] if " " in cut[LONGEST // 2 :] else cut[:-1]).rstrip(" ,;:–—-") + "…"


def first_paragraph(doctree: nodes.document) -> str:
    """The first paragraph of running text of a page, as plain text."""
    for node in doctree.findall(nodes.paragraph):
        if isinstance(node, addnodes.compact_paragraph) or isinstance(node.parent, (nodes.entry, source)):
            continue
        if text := node.astext().strip():
            return text
    return ""


def _plain(title: str) -> str:
    """A title as Sphinx gives it to templates, escaped HTML, as plain text."""
    return str(Markup(title).striptags())  # noqa: S704 - it is taken apart, not shown


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{html.escape(content)}">'


def _feed(address: str, title: str) -> str:
    label = html.escape(_("%s: additions") % title)
    return f'<link rel="alternate" type="application/atom+xml" title="{label}" href="{html.escape(address)}">'
