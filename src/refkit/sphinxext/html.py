"""How the nodes of the extension are written as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.locale import _

if TYPE_CHECKING:
    from sphinx.writers.html5 import HTML5Translator

    from refkit.sphinxext.nodes import markup, source, source_name


def visit_source(self: HTML5Translator, node: source) -> None:
    """An article of its own."""
    data = {"data-refkit-key": node["key"]}
    if node.get("aliases"):
        data["data-refkit-aliases"] = " ".join(node["aliases"])
    self.body.append(self.starttag(node, "article", CLASS="rk-source", **data))


def depart_source(self: HTML5Translator, node: source) -> None:
    """The article's end."""
    del node
    self.body.append("</article>\n")


def visit_source_name(self: HTML5Translator, node: source_name) -> None:
    """A heading."""
    self.body.append(f'<h{node["level"]} class="rk-name">')


def depart_source_name(self: HTML5Translator, node: source_name) -> None:
    """The heading's end, with the link to this place."""
    self.add_permalink_ref(node.parent, _("Link to this source"))
    self.body.append(f"</h{node['level']}>\n")


def visit_markup(self: HTML5Translator, node: markup) -> None:
    """Finished HTML."""
    self.body.append(node["html"])
    raise nodes.SkipNode
