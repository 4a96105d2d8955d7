"""The nodes of the extension. A post-transform turns all of them into what the builder at hand can write."""

from __future__ import annotations

from docutils import nodes


class source(nodes.General, nodes.Element):
    """A placement: the attribute ``key``, and the annotation's nodes as children."""


class source_name(nodes.Part, nodes.TextElement):
    """The name of a placement, a heading in HTML; ``level`` is the heading's."""


class bundle_links(nodes.General, nodes.Element):
    """Where a section's page offers its bundles; ``slug`` is the section's."""


class bibliography(nodes.General, nodes.Element):
    """A bibliography: ``docname`` and ``number``, by which the cite domain knows it."""


class markup(nodes.General, nodes.Element):
    """Finished HTML in the attribute ``html``; unlike docutils' ``raw`` it is not searched."""
