"""The ``source`` directive: a work placed on a page, with what the page says about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from refkit.pages import inline
from refkit.pages.reader import annotation_problem
from refkit.sphinxext import names
from refkit.sphinxext.domain import cite_domain, refkit_domain
from refkit.sphinxext.facts import PageFacts, Placed
from refkit.sphinxext.nodes import bundle_links, source

if TYPE_CHECKING:
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)


class SourceDirective(SphinxDirective):
    """``.. source:: KEY`` with the annotation as its content.

    Options: ``title`` is the name shown here (default: the work's own title); ``waits-for`` and ``review`` (a date)
    are for works that are only watched.
    """

    required_arguments = 1
    final_argument_whitespace = False
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "title": directives.unchanged,
        "waits-for": directives.unchanged,
        "review": directives.unchanged,
        "class": directives.class_option,
        "name": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """The placement, noted in the domain."""
        key = self.arguments[0]
        domain = cite_domain(self.env)
        domain.note_use(self.env.docname, key)
        entry = domain.library.entries.get(key)
        if entry is None:
            self._warn("unknown-key", f"no .bib file has the key {key!r}; correct the key or add the entry")
        node = source("", key=key, docname=self.env.docname, classes=self.options.get("class", []))
        node["ids"] = [names.anchor(key, self.state.document.ids)]
        self.set_source_info(node)
        self.state.document.note_explicit_target(node, node)
        if "name" in self.options:
            self.add_name(node)
        node += self.parse_content_to_nodes()
        title = self.options.get("title", "")
        node["shown"] = title or (entry.text("shorttitle", "title") if entry else "") or key
        refkit_domain(self.env).note_placement(self.env.docname, self._placed(key, title, node))
        return [node]

    def _placed(self, key: str, title: str, node: source) -> Placed:
        tree, refused = inline.from_nodes(node.children)
        if refused:
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
        facts = PageFacts(title.astext() if title is not None else "", self._intro() if first else "", toctrees)
        refkit_domain(self.env).note_page(self.env.docname, facts)
        if first is not None:
            first.parent.insert(first.parent.index(first), bundle_links("", docname=self.env.docname))

    def _intro(self) -> str:
        """The paragraphs before the first source, as plain text."""
        out = []
        for node in self.document.findall(lambda found: isinstance(found, (source, nodes.paragraph))):
            if isinstance(node, source):
                break
            tree, _ = inline.from_nodes([node])
            out.append(inline.to_text(tree, lambda _: None))
        return "\n\n".join(out)


def add_to_contents(app: Sphinx, doctree: nodes.document) -> None:
    """Sources stand in the page's table of contents, below the section that holds them.

    Runs at ``doctree-read`` after Sphinx has collected the table.
    """
    env = app.env
    toc = env.tocs.get(env.docname)
    found = list(doctree.findall(source))
    if toc is None or not found:
        return
    items = {_anchor_of_item(item): item for item in toc.findall(nodes.list_item)}
    grown: dict[int, nodes.bullet_list] = {}
    for node in found:
        item = items.get(_anchor_of_section(node))
        if item is not None:
            below = _append(item, env.docname, node)
            grown[id(below)] = below
            env.toc_num_entries[env.docname] += 1
    for below in grown.values():
        _sort(below, doctree)


def _anchor_of_item(item: nodes.Element) -> str:
    reference = next(iter(item.findall(nodes.reference)), None)
    return str(reference["anchorname"]) if reference is not None else ""


def _anchor_of_section(node: nodes.Element) -> str:
    """The anchor that the table of contents uses for a node's section: none for the page's first."""
    section: Any = node.parent
    while section is not None and not isinstance(section, nodes.section):
        section = section.parent
    if section is None or not isinstance(section.parent, nodes.section):
        return ""
    return f"#{section['ids'][0]}"


def _append(item: nodes.list_item, docname: str, node: source) -> nodes.bullet_list:
    reference = nodes.reference(
        "", "", nodes.Text(node["shown"]), internal=True, refuri=docname, anchorname=f"#{node['ids'][0]}"
    )
    entry = nodes.list_item("", addnodes.compact_paragraph("", "", reference, skip_section_number=True))
    if len(item) < 2 or not isinstance(item[-1], nodes.bullet_list):
        item.append(nodes.bullet_list(""))
    below = item[-1]
    below.append(entry)
    return below


def _sort(below: nodes.bullet_list, doctree: nodes.document) -> None:
    """Sections and sources of one level in the order in which they stand on the page."""
    if not all(isinstance(child, nodes.list_item) for child in below):
        return  # a table of contents stands among them: sources follow it
    anchors = [f"#{node['ids'][0]}" for node in doctree.findall(nodes.Element) if node["ids"]]
    order = {anchor: number for number, anchor in enumerate(anchors)}
    below.children.sort(key=lambda child: order.get(_anchor_of_item(child), len(order)))
