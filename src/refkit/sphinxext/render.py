"""What a placement becomes in each kind of output: an article with controls on the web, plain paragraphs
elsewhere.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.locale import _
from sphinx.util.osutil import relative_uri
from sphinxcontrib.bibtex.nodes import raw_latex

from refkit import identifiers
from refkit.formats import FORMATS, coins
from refkit.provenance import RELATED_KINDS
from refkit.sphinxext import reference, sites
from refkit.sphinxext.nodes import bundle_links, markup, source, source_name
from refkit.sphinxext.reference import Address

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.builders import Builder

    from refkit.model import Entry
    from refkit.sphinxext.index import Index
    from refkit.sphinxext.library import Library

#: Format -> the programs that it is for, which come first on a page, and what they get; in the order shown.
DOWNLOADS = (
    ("zotero-rdf", "Zotero", "RDF"),
    ("bibtex", "LaTeX", "BibTeX"),
    ("biblatex", "biber, Typst", "BibLaTeX"),
    ("ris", "EndNote, Mendeley", "RIS"),
    ("csl-json", "Pandoc", "CSL-JSON"),
)


class Writer:
    """Writes one placement."""

    def __init__(self, builder: Builder, library: Library, index: Index, node: source) -> None:
        self._builder = builder
        self._library = library
        self._index = index
        self._node = node
        self._key: str = node["key"]
        self._docname: str = node["docname"]
        self._entry: Entry | None = library.entries.get(self._key)

    def fill(self) -> None:
        """Fill the node, or put plain nodes in its place."""
        if sites.is_web(self._builder):
            self._fill_for_web()
        else:
            self._replace_by_plain()

    def _name(self) -> list[nodes.Node]:
        """The shown name, as the link to the work."""
        shown, address = self._node["shown"], reference.home(self._entry) if self._entry else ""
        if not address:
            return [nodes.Text(shown)]
        return [nodes.reference("", shown, refuri=address, internal=False)]

    def _watched(self) -> list[nodes.Node]:
        waits_for, review = self._node["waits_for"], self._node["review"]
        parts = [
            f"{_('Waits for')}: {waits_for}" if waits_for else "",
            f"{_('Next review')}: {review}" if review else "",
        ]
        text = ". ".join(part.rstrip(".") for part in parts if part)
        return [nodes.paragraph("", f"{text}.", classes=["rk-waits"])] if text else []

    # on the web ------------------------------------------------------------------

    def _fill_for_web(self) -> None:
        annotation = list(self._node.children)
        self._node.clear()
        self._node["aliases"] = list(self._library.old_keys(self._key))
        self._node += source_name("", "", *self._name(), level=_level(self._node))
        if self._entry is not None:
            byline = " · ".join(part for part in reference.byline(self._entry) if part)
            self._node += nodes.paragraph("", byline, classes=["rk-byline"])
        self._node += annotation
        self._node += self._watched()
        if self._entry is not None:
            self._node += markup("", html=self._tools(self._entry))

    def _tools(self, entry: Entry) -> str:
        """Links by kind, the Cite control, and the work for readers of pages that know no unAPI."""
        name = html.escape(self._node["shown"])
        found = links_of(entry, self._index)
        kinds = [one.kind for one in found]
        links = ""
        for one in found:
            text = html.escape(one.text if kinds.count(one.kind) > 1 else one.kind)
            label = html.escape(f"{one.text}: ") + name
            address = html.escape(one.url)
            links += (
                f'<li><a class="reference external" href="{address}" aria-label="{label}">{text}</a></li>'
            )
        links += self._about(name)
        item = self._index.item(self._docname, self._key)
        return (
            f'<div class="rk-tools">\n<ul class="rk-links">{links}</ul>\n{self._cite(name)}</div>\n'
            f"{coins.span(item) if sites.is_site(self._builder) else ''}\n"
        )

    def _about(self, name: str) -> str:
        """The link to the work's page, where there is one."""
        page = self._index.works.get(self._key) if sites.has_work_pages(self._builder) else None
        if page is None:
            return ""
        address = html.escape(relative_uri(self._builder.get_target_uri(self._docname), f"{page}.html"))
        label = html.escape(_("about this work"))
        link = f'<a class="reference internal" href="{address}" aria-label="{label}: {name}">{label}</a>'
        return f'<li class="rk-about">{link}</li>'

    def _cite(self, name: str) -> str:
        text, label = html.escape(bibtex(self._index, self._key)), html.escape(_("cite"))
        return (
            f'<details class="rk-cite"><summary aria-label="{label}: {name}">{label}</summary>\n'
            f'<div class="rk-cite-body"><pre tabindex="0"><code>{text}</code></pre></div></details>\n'
        )

    # elsewhere ---------------------------------------------------------------------

    def _replace_by_plain(self) -> None:
        """A name, the full reference and the annotation, in nodes that every builder knows."""
        node_id = self._node["ids"][0]
        name = nodes.paragraph("", "", nodes.strong("", "", *self._name()), classes=["rk-name"])
        if self._builder.format == "latex":
            name.insert(0, raw_latex(f"\\hypertarget{{cite.{self._docname}:{node_id}}}{{}}"))
            name.insert(0, nodes.target("", "", ids=[node_id]))
        block = nodes.container(
            "", name, ids=self._node["ids"], classes=["rk-source", *self._node["classes"]]
        )
        if self._entry is not None:
            parts = reference.to_nodes(reference.reference(self._entry))
            block += nodes.paragraph("", "", *parts, classes=["rk-byline"])
        block += self._node.children
        block += self._watched()
        self._node.replace_self(block)


def _level(node: Element) -> int:
    """The level of a heading at this place."""
    level, above = 1, node.parent
    while above is not None:
        level += isinstance(above, nodes.section)
        above = above.parent
    return min(level, 6)


def links_of(entry: Entry, index: Index) -> list[Address]:
    """The addresses of a work by kind, those of provenance after its own, each once."""
    found = {one.url: one for one in reference.addresses(entry)}
    order = {kind: number for number, kind in enumerate(RELATED_KINDS)}
    for link in sorted(index.collection.links(entry.key), key=lambda link: order.get(link.kind, len(order))):
        url = identifiers.url(link.url)
        if url is not None:
            found.setdefault(url, Address(link.kind or "link", url, link.label))
    return list(found.values())


def bibtex(index: Index, key: str) -> str:
    """The BibTeX of a work, as one copies it to cite it."""
    return FORMATS["bibtex"].dumps([index.bare_item(key)]).strip()


# bundles -------------------------------------------------------------------------


def write_bundle_links(builder: Builder, index: Index, node: bundle_links) -> None:
    """Put the links to a section's bundles in the node's place, where there are bundles."""
    section = index.sections.get(node["docname"])
    if section is None or not sites.has_bundles(builder):
        node.parent.remove(node)
        return
    root = builder.get_target_uri(node["docname"])
    items = []
    for name, programs, format_name in DOWNLOADS:
        file = f"{section.slug}{FORMATS[name].ending}"
        address = html.escape(relative_uri(root, f"{sites.EXPORTS}/{file}"))
        hint = f", {_('or the Connector’s folder icon')}" if name == "zotero-rdf" else ""
        items.append(
            f'<li>{programs}: <a class="reference download" href="{address}" download="{html.escape(file)}">'
            f"{format_name}</a>{hint}</li>"
        )
    node.replace_self(
        markup(
            "",
            html=f'<div class="rk-bundles"><p id="rk-bundles-label">{_("Export this section")}</p>'
            f'<ul aria-labelledby="rk-bundles-label">{"".join(items)}</ul>'
            f'<abbr class="unapi-id" title="{html.escape(section.slug)}"></abbr></div>\n',
        )
    )
