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
from refkit.sphinxext import reference, richtext, sites
from refkit.sphinxext.nodes import bundle_links, markup, source, source_name
from refkit.sphinxext.reference import Address

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.builders import Builder

    from refkit.model import Entry
    from refkit.pages import Section
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
            step = self._step(self._entry)
            if step is not None:
                self._node.insert(0, step)
                self._node["classes"].append("rk-on-path")
            self._node += self._byline(self._entry)
        self._node += annotation
        self._node += self._watched()
        if self._entry is not None:
            self._node += markup("", html=self._tools(self._entry))

    def _byline(self, entry: Entry) -> nodes.paragraph:
        """People, venue and year, each kept together in either direction of writing."""
        parts = reference.byline(entry)
        line = nodes.paragraph("", "", classes=["rk-byline"])
        for part, name in zip(parts, ("rk-people", "rk-venue", "rk-year"), strict=True):
            if part:
                line += [nodes.Text(" · ")] if len(line) else []
                line += nodes.inline("", part, classes=[name])
        return line

    def _step(self, entry: Entry) -> nodes.paragraph | None:
        """Where a work stands on the path, of which kind it is and, where known, how long."""
        section = self._index.sections.get(self._docname)
        if section is None or not self._index.is_path(section):
            return None
        placed = self._index.placements.placed[self._docname]
        number = next(number for number, one in enumerate(placed, 1) if one.id == self._node["ids"][0])
        kind = kind_word(self._index.bare_item(self._key).kind)
        count = reference.page_count(entry)
        pages = _("%d pages") % count if count > 1 else _("1 page") if count else ""
        step = _("Step %(number)d of %(count)d") % {"number": number, "count": len(section.placements)}
        text = " · ".join(part for part in (step, kind, pages) if part)
        return nodes.paragraph("", text, classes=["rk-step"])

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
            parts = richtext.to_nodes(reference.reference(self._entry))
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
    for one in related(index, entry.key):
        found.setdefault(one.url, one)
    return list(found.values())


def related(index: Index, key: str) -> list[Address]:
    """The addresses that provenance relates to a work, by kind."""
    order = {kind: number for number, kind in enumerate(RELATED_KINDS)}
    found: dict[str, Address] = {}
    for link in sorted(index.collection.links(key), key=lambda link: order.get(link.kind, len(order))):
        url = identifiers.url(link.url)
        if url is not None:
            found.setdefault(url, Address(link.kind or "link", url, link.label))
    return list(found.values())


def bibtex(index: Index, key: str) -> str:
    """The BibTeX of a work, as one copies it to cite it."""
    return FORMATS["bibtex"].dumps([index.bare_item(key)]).strip()


def kind_word(kind: str) -> str:
    """The kind of a work as a word for readers; empty where there is none."""
    words = {
        "paper": _("Paper"), "preprint": _("Preprint"), "article": _("Article"), "book": _("Book"),
        "chapter": _("Chapter"), "thesis": _("Thesis"), "report": _("Report"), "standard": _("Standard"),
        "documentation": _("Documentation"), "blog": _("Blog post"), "software": _("Software"),
        "dataset": _("Dataset"),
    }  # fmt: skip
    return words.get(kind, "")


# a section as a whole --------------------------------------------------------------


def write_bundle_links(builder: Builder, index: Index, node: bundle_links) -> None:
    """Put what a section holds, and the links to its bundles, in the node's place."""
    section = index.sections.get(node["docname"])
    if section is None or not sites.is_site(builder):
        node.parent.remove(node)
        return
    heading, bundles = _("This section"), ""
    if sites.has_bundles(builder):
        heading, bundles = _("Take this section with you"), _bundles(builder, section.slug, node["docname"])
    node.replace_self(
        markup(
            "",
            html=f'<div class="rk-bundles" role="group" aria-labelledby="rk-bundles-label">'
            f'<p><strong id="rk-bundles-label">{html.escape(heading)}</strong> '
            f'<span class="rk-extent">{html.escape(" · ".join(extent(index, section)))}</span></p>'
            f"{bundles}</div>\n",
        )
    )


def extent(index: Index, section: Section) -> list[str]:
    """How much a section holds: its sources, the years that they span, how many are undated."""
    entries = index.collection.entries
    keys = dict.fromkeys(one.key for one in section.placements if one.key in entries)
    years = [reference.year(entries[key]) for key in keys]
    dated = sorted(year for year in years if year is not None)
    undated = len(years) - len(dated)
    out = [_("%d sources") % len(keys) if len(keys) != 1 else _("1 source")]
    out += [f"{dated[0]}–{dated[-1]}" if dated[0] != dated[-1] else str(dated[0])] if dated else []
    out += [_("%d undated") % undated] if undated else []
    return out


def _bundles(builder: Builder, slug: str, docname: str) -> str:
    root = builder.get_target_uri(docname)
    items = []
    for name, programs, format_name in DOWNLOADS:
        file = f"{slug}{FORMATS[name].ending}"
        address = html.escape(relative_uri(root, f"{sites.EXPORTS}/{file}"))
        items.append(
            f'<li><a class="reference download" href="{address}" download="{html.escape(file)}">'
            f"{programs} <span>{format_name}</span></a></li>"
        )
    hint = html.escape(_("With the Zotero Connector, the folder icon takes all of them."))
    return (
        f'<ul>{"".join(items)}</ul><p class="rk-hint">{hint}</p>'
        f'<abbr class="unapi-id" title="{html.escape(slug)}"></abbr>'
    )
