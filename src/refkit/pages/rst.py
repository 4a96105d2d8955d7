"""Reading a page with docutils alone, without Sphinx and its project.

It knows ``source``, ``toctree``, ``bibliography`` and the citation roles; other directives that docutils does
not know are skipped, other roles become plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import docutils.core
import docutils.utils
from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles

from refkit.pages import inline
from refkit.pages.model import SOURCE_OPTIONS, Citation, Page, Source, Toctree

if TYPE_CHECKING:
    from docutils.parsers.rst.states import Inliner

#: Roles that cite, as sphinxcontrib-bibtex names them (``:cite:p:``, ``:footcite:t:`` …).
_CITE_ROLE = re.compile(r"(?:foot)?cite(?::(?P<style>[a-z]+))?\Z")


class source_node(nodes.Element):
    """A placement as the page has it."""


class toctree_node(nodes.Element):
    """A table of contents: entries in order, and its caption."""


class bibliography_node(nodes.Element):
    """A bibliography directive; lists everything where ``all`` is set."""


class SourceDirective(Directive):
    """Stand-in for the ``source`` directive."""

    required_arguments = 1
    final_argument_whitespace = False
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        name: getattr(directives, reader) for name, reader in SOURCE_OPTIONS.items()
    }

    def run(self) -> list[nodes.Node]:
        """One node with the annotation below it."""
        node = source_node(
            key=self.arguments[0],
            line=self.lineno,
            **{k.replace("-", "_"): v for k, v in self.options.items()},
        )
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


class ToctreeDirective(Directive):
    """Stand-in for Sphinx's ``toctree``."""

    has_content = True
    final_argument_whitespace = False
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "maxdepth": directives.unchanged,
        "name": directives.unchanged,
        "class": directives.class_option,
        "caption": directives.unchanged,
        "glob": directives.flag,
        "hidden": directives.flag,
        "includehidden": directives.flag,
        "numbered": directives.unchanged,
        "titlesonly": directives.flag,
        "reversed": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """One node with the entries as written."""
        return [
            toctree_node(
                entries=[line.strip() for line in self.content if line.strip()],
                caption=self.options.get("caption", ""),
                glob="glob" in self.options,
                backwards="reversed" in self.options,
            )
        ]


class BibliographyDirective(Directive):
    """Stand-in for sphinxcontrib-bibtex's ``bibliography``; only whether it lists everything matters here."""

    optional_arguments = 1000
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = dict.fromkeys(
        "all cited notcited filter style list enumtype start labelprefix keyprefix class".split(),
        directives.unchanged,
    )

    def run(self) -> list[nodes.Node]:
        """One node."""
        return [bibliography_node(all="all" in self.options)]


class Skipped(Directive):
    """Any directive that docutils does not know: its content is not ours."""

    optional_arguments = 1000
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Nothing."""
        return []


class Transparent(Directive):
    """A directive whose content is part of the page, such as Sphinx's ``only`` and ``rst-class``."""

    optional_arguments = 1000
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The content's nodes."""
        container = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, container)
        return [container]


_DIRECTIVES: dict[str, type[Directive]] = {
    "source": SourceDirective,
    "toctree": ToctreeDirective,
    "bibliography": BibliographyDirective,
    "only": Transparent,
    "rst-class": Transparent,
}


def _role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Inliner,
    options: Any = None, content: Any = None,
) -> tuple[list[nodes.Node], list[nodes.system_message]]:  # fmt: skip
    """Stand-in for every role that docutils does not know."""
    del lineno, inliner, options, content
    text = docutils.utils.unescape(text)
    match = _CITE_ROLE.match(name)
    if match:
        style = match["style"] or "p"
        return [_xref(rawtext, style, text)], []
    return [nodes.inline(rawtext, text, classes=[name])], []


class pending_xref(nodes.Inline, nodes.Element):
    """A citation, named and shaped as Sphinx's own node so that one function reads both."""


def _xref(rawtext: str, style: str, target: str) -> nodes.Node:
    return pending_xref(rawtext, refdomain="cite", reftype=style, reftarget=target)


@contextmanager
def _stand_ins() -> Iterator[None]:
    """Docutils with our directives and roles, and as it was afterwards."""
    find_directive, find_role = directives.directive, roles.role

    def directive(name: str, language: Any, document: nodes.document) -> tuple[type[Directive], list[Any]]:
        ours = _DIRECTIVES.get(name)
        if ours is None:
            found, _ = find_directive(name, language, document)
            ours = found or Skipped
        return ours, []

    def role(name: str, language: Any, lineno: int, reporter: Any) -> tuple[Any, list[Any]]:
        if _CITE_ROLE.match(name):
            return _role, []
        found, _ = find_role(name, language, lineno, reporter)
        return found or _role, []

    # By name, as docutils looks them up: the stubs would have the exact signature of what stood there.
    vars(directives)["directive"], vars(roles)["role"] = directive, role
    try:
        yield
    finally:
        vars(directives)["directive"], vars(roles)["role"] = find_directive, find_role


def parse(text: str, path: str) -> nodes.document:
    """The document tree of one page, with :class:`source_node` and the other stand-ins in it."""
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser

    settings = get_default_settings(Parser)
    settings.report_level = 5  # nothing is printed: what matters becomes a diagnostic
    settings.halt_level = 5
    settings.raw_enabled = False
    settings.syntax_highlight = "none"  # nobody sees the colours, and finding them costs more than all pages
    settings.warning_stream = ""
    document = docutils.utils.new_document(path, settings)
    with _stand_ins():
        Parser().parse(text, document)
    return document


def read(text: str, path: str) -> Page:
    """What a page says, whatever it is made of."""
    document = parse(text, path)
    title = next(iter(document.findall(nodes.title)), None)
    return Page(
        title.astext() if title is not None else "",
        _introduction(document),
        tuple(map(_source, document.findall(source_node))),
        tuple(map(_toctree, document.findall(toctree_node))),
        tuple(
            Citation(key, _line(node))
            for node in document.findall(pending_xref)
            for key in inline.cite_keys(node["reftarget"])
        ),
        any(node["all"] for node in document.findall(bibliography_node)),
    )


def _introduction(document: nodes.document) -> str:
    """The paragraphs before the first source, as plain text."""
    found = document.findall(lambda node: isinstance(node, (source_node, nodes.paragraph)))
    return inline.introduction(found, lambda node: isinstance(node, source_node))


def _source(node: source_node) -> Source:
    tree, refused = inline.from_nodes(node.children)
    return Source(
        node["key"], node["line"], node.get("title", ""), tree, refused,
        node.get("waits_for", ""), node.get("review", ""),
    )  # fmt: skip


def _toctree(node: toctree_node) -> Toctree:
    return Toctree(node["caption"], tuple(node["entries"]), node["glob"], node["backwards"])


def _line(node: nodes.Node) -> int:
    """The nearest line that docutils kept."""
    at: Any = node
    while at is not None:
        if getattr(at, "line", None):
            return int(at.line)
        if isinstance(at, source_node):
            return int(at["line"])
        at = at.parent
    return 1
