"""The ``source`` directive: a work placed on a page, with what the page says about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.environment.adapters.toctree import TocTree
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from refkit.pages.model import SOURCE_OPTIONS
from refkit.sphinxext import names
from refkit.sphinxext.domain import cite_domain, refkit_domain
from refkit.sphinxext.facts import PageFacts, Placed
from refkit.sphinxext.nodes import bundle_links, source

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

logger = logging.getLogger(__name__)


class SourceDirective(SphinxDirective):
    """``.. source:: KEY`` with the annotation as its content.

    Options: ``title`` is the name shown here (default: the work's own title); ``waits-for`` and ``review``
    (a date) are for works that are only watched.
    """

    required_arguments = 1
    final_argument_whitespace = False
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        name: getattr(directives, reader) for name, reader in SOURCE_OPTIONS.items()
    }

    def run(self) -> list[nodes.Node]:
        """The placement, noted in the domain."""
        domain = cite_domain(self.env)
        domain.note_use(self.env.docname, self.arguments[0])
        key = domain.library.key(self.arguments[0])
        entry = domain.library.entries.get(key)
        if entry is None:
            self._warn("unknown-key", f"no .bib file has the key {key!r}; correct the key or add the entry")
        node = source("", key=key, docname=self.env.docname, classes=self.options.get("class", []))
        for name in (key, *domain.library.old_keys(key)):  # old anchors keep leading here
            node["ids"].append(names.anchor(name, {*self.state.document.ids, *node["ids"]}))
        self.set_source_info(node)
        self.state.document.note_explicit_target(node, node)
        if "name" in self.options:
            self.add_name(node)
        node += self.parse_content_to_nodes()
        title = self.options.get("title", "")
        node["shown"] = title or (entry.text("title") if entry else "") or key
        refkit_domain(self.env).note_placement(self.env.docname, self._placed(key, title, node))
        return [node]

    def _placed(self, key: str, title: str, node: source) -> Placed:
        from refkit.pages import inline

        tree, refused = inline.from_nodes(node.children)
        if refused:
            from refkit.pages.reader import annotation_problem

            problem = annotation_problem(refused, key, self.env.docname, self.lineno)
            self._warn(problem.code, problem.message)
        node["waits_for"], node["review"] = self.options.get("waits-for", ""), self.options.get("review", "")
        return Placed(
            key, node["ids"][0], title, node["shown"], self.lineno, tree, node["waits_for"], node["review"]
        )  # fmt: skip

    def _warn(self, subtype: str, message: str) -> None:
        logger.warning("%s", message, location=self.get_location(), type="refkit", subtype=subtype)


class NotePage(SphinxTransform):
    """Notes what the list needs to know of a page, before any other transform has touched it.

    ``refkit export`` reads the same pages with docutils alone; both must see the same text.
    """

    default_priority = 1

    def apply(self, **kwargs: Any) -> None:
        """Title, introduction and tables of contents."""
        del kwargs
        toctrees = tuple(
            (node.get("caption") or "", tuple(docname for _title, docname in node["entries"]))
            for node in self.document.findall(addnodes.toctree)
        )
        first = next(iter(self.document.findall(source)), None)
        if first is None and not toctrees:
            return
        title = next(iter(self.document.findall(nodes.title)), None)
        facts = PageFacts(
            title.astext() if title is not None else "", self._intro() if first else "", toctrees
        )
        domain = refkit_domain(self.env)
        domain.note_page(self.env.docname, facts)
        anchors = {node["ids"][0]: _anchor_of_section(node) for node in self.document.findall(source)}
        domain.note_sections(self.env.docname, anchors)
        if first is not None:
            first.parent.insert(first.parent.index(first), bundle_links("", docname=self.env.docname))

    def _intro(self) -> str:
        """The paragraphs before the first source, as plain text."""
        from refkit.pages import inline

        found = self.document.findall(lambda node: isinstance(node, (source, nodes.paragraph)))
        return inline.introduction(found, lambda node: isinstance(node, source))


def _anchor_of_section(node: nodes.Element) -> str:
    """The anchor by which the table of contents knows the section that holds a node: none for the page's
    first.
    """
    section: Any = node.parent
    while section is not None and not isinstance(section, nodes.section):
        section = section.parent
    if section is None or not isinstance(section.parent, nodes.section):
        return "#"
    return f"#{section['ids'][0]}"


def contents(builder: StandaloneHTMLBuilder, docname: str, placed: Sequence[Placed]) -> str:
    """The page's own table of contents with its sources, as HTML.

    They are put in when a page is written, not into Sphinx's tables, which every page's sidebar copies whole.
    """
    toc = TocTree(builder.env).get_toc_for(docname, builder)
    items = {_anchor_of_item(item): item for item in reversed(list(toc.findall(nodes.list_item)))}
    below: dict[str, list[nodes.Node]] = {}
    for one in placed:
        below.setdefault(one.section if one.section in items else "#", []).append(_item(one))
    for anchor, entries in below.items():
        item = items.get(anchor)
        if item is None:
            continue
        if len(item) > 1 and isinstance(item[1], nodes.bullet_list):
            item[1].insert(0, entries)  # what a section holds itself stands before its subsections
        else:
            item.insert(1, nodes.bullet_list("", *entries))
    return builder.render_partial(toc)["fragment"]


def _anchor_of_item(item: nodes.Node) -> str:
    """The address of an item's section; that of the page's first is ``#``."""
    reference = next(iter(item.findall(nodes.reference)), None)
    return str(reference["refuri"]) if reference is not None else ""


def _item(one: Placed) -> nodes.list_item:
    reference = nodes.reference("", one.shown, internal=True, refuri=f"#{one.id}", anchorname=f"#{one.id}")
    return nodes.list_item("", addnodes.compact_paragraph("", "", reference, skip_section_number=True))
