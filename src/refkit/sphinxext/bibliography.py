"""The ``bibliography`` directive; the roles and the directive of footnote citations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.nodes import make_id
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinxcontrib.bibtex.foot_directives import FootBibliographyDirective
from sphinxcontrib.bibtex.foot_roles import FootCiteRole

from refkit.sphinxext import filters, names
from refkit.sphinxext.domain import cite_domain
from refkit.sphinxext.facts import Listing
from refkit.sphinxext.nodes import bibliography

if TYPE_CHECKING:
    from refkit.sphinxext.domain import CiteDomain

logger = logging.getLogger(__name__)


def _start(value: str) -> int:
    return -1 if value == "continue" else directives.positive_int(value)


class BibliographyDirective(SphinxDirective):
    """``.. bibliography::`` with the options of sphinxcontrib-bibtex.

    Only what the page says is noted; no node is made for every entry, and the page does not depend on the
    .bib file: pages are read again when a work changes that they show.
    """

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "cited": directives.flag,
        "notcited": directives.flag,
        "all": directives.flag,
        "filter": directives.unchanged,
        "style": directives.unchanged,
        "list": directives.unchanged,
        "enumtype": directives.unchanged,
        "start": _start,
        "labelprefix": directives.unchanged,
        "keyprefix": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """A node to be filled when all pages are read."""
        domain = cite_domain(self.env)
        number = len(domain.listings.get(self.env.docname, ())) + 1
        taken = self.state.document.ids
        template = self.config.bibtex_bibliography_id
        wished = make_id(template.format(bibliography_count=number)) if template else ""
        node_id = (
            wished if wished and wished not in taken else names.anchor(str(number), taken, "bibliography-")
        )
        node = bibliography("", docname=self.env.docname, number=number, ids=[node_id])
        self.state.document.note_explicit_target(node, node)
        domain.note_listing(
            self.env.docname,
            Listing(
                number=number,
                id=node_id,
                line=self.lineno,
                files=self._files(domain),
                style=self.options.get("style") or self.config.bibtex_default_style,
                list=self._list(),
                enumtype=self.options.get("enumtype", "arabic"),
                start=self.options.get("start", 1),
                labelprefix=self.options.get("labelprefix", ""),
                keyprefix=self.options.get("keyprefix", ""),
                filter=self._filter(),
                keys=self._keys(domain),
            ),
        )
        header = self.config.bibtex_bibliography_header
        return [*(self.parse_text_to_nodes(header) if header else []), node]

    def _warn(self, subtype: str, message: str, *values: object) -> None:
        logger.warning(message, *values, location=self.get_location(), type="refkit", subtype=subtype)

    def _files(self, domain: CiteDomain) -> tuple[str, ...]:
        found = []
        for name in self.arguments[0].split() if self.arguments else ():
            path = Path(self.env.relfn2path(name)[1]).resolve()
            if path in domain.library.files:
                found.append(str(path))
            else:
                known = ", ".join(file.name for file in domain.library.files) or "none"
                self._warn(
                    "bib-file",
                    "%r is not one of the project's .bib files (%s); correct the name or add it",
                    name,
                    known,
                )
        return tuple(found) or (("",) if self.arguments else ())

    def _list(self) -> str:
        kind: str = self.options.get("list", "citation")
        if kind not in ("bullet", "enumerated", "citation"):
            self._warn("list", "unknown :list: %r; use citation, bullet or enumerated", kind)
            return "citation"
        return kind

    def _filter(self) -> str:
        if "filter" in self.options:
            over = [f":{name}:" for name in ("all", "cited", "notcited") if name in self.options]
            if over:
                self._warn(
                    "filter",
                    ":filter: has no effect together with %s; leave one of them out",
                    " and ".join(over),
                )
            expression = " ".join(self.options["filter"].split())
            try:
                filters.compile_filter(expression)
            except filters.FilterError as error:
                self._warn(
                    "filter", "this :filter: cannot be used, cited works are listed instead: %s", error
                )
                return filters.CITED
            return expression
        if "all" in self.options:
            return filters.EVERYTHING
        return filters.NOT_CITED if "notcited" in self.options else filters.CITED

    def _keys(self, domain: CiteDomain) -> tuple[str, ...]:
        keys = [domain.library.key(line.strip()) for line in self.content if line.strip()]
        for key in keys:
            domain.note_use(self.env.docname, key)
            if key not in domain.library.digests:
                self._warn(
                    "unknown-key", "no .bib file has the key %r; correct the key or add the entry", key
                )
        return tuple(keys)


class FootRole(FootCiteRole):
    """Footnote citations; the page is noted as one that shows the work."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Footnotes as sphinxcontrib-bibtex makes them."""
        domain = cite_domain(self.env)
        keys = [key.strip() for key in self.text.split(",")]
        for key in keys:
            domain.note_footcite(self.env.docname, key)
        self.text = ",".join(map(domain.library.key, keys))
        made: tuple[list[nodes.Node], list[nodes.system_message]] = super().run()
        return made


class FootDirective(FootBibliographyDirective):
    """``.. footbibliography::`` without a dependency on the .bib files."""

    def run(self) -> Sequence[nodes.Node]:
        """The footnotes collected so far."""
        dependencies = self.env.dependencies[self.env.docname]
        before = {str(path) for path in dependencies}
        made: Sequence[nodes.Node] = super().run()
        files = {str(file) for file in cite_domain(self.env).library.files} - before
        dependencies.difference_update([path for path in dependencies if str(path) in files])
        from refkit.sphinxext.listing import unlink_unsafe

        for node in made:
            if isinstance(node, nodes.Element):
                unlink_unsafe(node)
        return made
