"""Reading section pages with docutils alone.

The extension reads the same pages with Sphinx; this reader serves the command line, which must not need a
build. It knows ``source``, ``toctree``, ``bibliography`` and the citation roles; other directives that
docutils does not know are skipped, other roles become plain text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import docutils.core
import docutils.utils
from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles

from refkit.model import Diagnostic
from refkit.pages import inline
from refkit.pages.model import Pages, Placement, Section

if TYPE_CHECKING:
    from docutils.parsers.rst.states import Inliner

#: Roles that cite, as sphinxcontrib-bibtex names them (``:cite:p:``, ``:footcite:t:`` …).
_CITE_ROLE = re.compile(r"(?:foot)?cite(?::(?P<style>[a-z]+))?\Z")
_TOCTREE_ENTRY = re.compile(r"(?:.+?)\s*(?<!\x00)<(?P<target>[^<>]+)>\Z", re.DOTALL)
#: A slug becomes a file name: a letter or digit first, then those, ``-``, ``_`` and ``.``.
SLUG = re.compile(r"[^\W_][\w.-]*\Z")


class source_node(nodes.Element):
    """A placement as the page has it."""


class toctree_node(nodes.Element):
    """A table of contents: entries in order, and its caption."""


class bibliography_node(nodes.Element):
    """A bibliography directive; lists everything where ``all`` is set."""


class Source(Directive):
    """Stand-in for the ``source`` directive."""

    required_arguments = 1
    final_argument_whitespace = False
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "title": directives.unchanged,
        "waits-for": directives.unchanged,
        "review": directives.unchanged,
        "class": directives.class_option,
        "name": directives.unchanged,
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


class Toctree(Directive):
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


class Bibliography(Directive):
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
    "source": Source,
    "toctree": Toctree,
    "bibliography": Bibliography,
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


class _Page:
    """What one page says."""

    def __init__(self, name: str, file: str, document: nodes.document) -> None:
        self.name = name
        self.file = file
        self.document = document
        self.toctrees: list[tuple[str, list[str], bool, bool]] = [
            (node["caption"], node["entries"], node["glob"], node["backwards"])
            for node in document.findall(toctree_node)
        ]

    @property
    def title(self) -> str:
        title = next(iter(self.document.findall(nodes.title)), None)
        return title.astext() if title is not None else posixpath.basename(self.name)

    @property
    def intro(self) -> str:
        """The paragraphs before the first source, as plain text."""
        found = self.document.findall(lambda n: isinstance(n, (source_node, nodes.paragraph)))
        return inline.introduction(found, lambda node: isinstance(node, source_node))


def read_pages(root: Path, root_document: str = "index") -> Pages:
    """All pages below a folder: sections in the order of the tables of contents, from the root document.

    Pages that no table of contents names come last, by name. Only pages that can matter are parsed.
    """
    loaded = _load(root, root_document)
    diagnostics: list[Diagnostic] = []
    sections: list[Section] = []
    taken: dict[str, str] = {}
    captions = _part_titles(loaded)
    for name in _reading_order(loaded, root_document):
        page = loaded[name]
        section = _section(page, captions, diagnostics)
        if section is None:
            continue
        clash = taken.get(section.slug.casefold())
        problem = slug_problem(section.slug, clash)
        if problem:
            diagnostics.append(Diagnostic("error", "bad-slug", problem, file=section.file, line=1))
            continue
        taken[section.slug.casefold()] = section.file
        sections.append(section)
    cited, lists_all = _citations(loaded)
    return Pages(tuple(sections), cited, lists_all, tuple(diagnostics))


def slug_problem(slug: str, clash: str | None) -> str:
    """Why a page's name cannot be a section's slug; empty where it can. ``clash`` is the page that has it
    already."""
    if slug.casefold() == "all":
        return "A section cannot be named 'all', which names the bundles of all sections; rename the page"
    if not SLUG.match(slug):
        return f"{slug!r} cannot name bundles; use letters, digits, '-', '_' and '.' in the page's name"
    if clash:
        return (
            f"The section's name {slug!r} is taken by {clash} (case does not count); rename one of the pages"
        )
    return ""


def _load(root: Path, root_document: str) -> dict[str, _Page]:
    loaded: dict[str, _Page] = {}
    for path in sorted(root.rglob("*.rst")):
        relative = path.relative_to(root)
        if any(part.startswith((".", "_")) for part in relative.parts[:-1]):
            continue
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        name = relative.with_suffix("").as_posix()
        if name == root_document or any(
            word in text for word in ("source::", "toctree::", "cite:", "bibliography::")
        ):
            loaded[name] = _Page(name, relative.as_posix(), parse(text, str(path)))
    return loaded


def _targets(
    page: _Page, entries: Sequence[str], glob: bool, backwards: bool, names: Sequence[str]
) -> list[str]:
    """The pages that a table of contents names, as names from the root."""
    import fnmatch

    out: list[str] = []
    folder = posixpath.dirname(page.name)
    for entry in entries:
        match = _TOCTREE_ENTRY.match(entry)
        target = match["target"] if match else entry
        target = target.removesuffix(".rst")
        name = posixpath.normpath(target[1:] if target.startswith("/") else posixpath.join(folder, target))
        if glob and any(c in name for c in "*?["):
            out += sorted(
                n for n in names if fnmatch.fnmatchcase(n, name) and n != page.name and n not in out
            )
        else:
            out.append(name)
    return out[::-1] if backwards else out


def _reading_order(loaded: dict[str, _Page], root_document: str) -> list[str]:
    order: dict[str, None] = {}
    names = sorted(loaded)
    stack = [root_document]
    while stack:
        name = stack.pop()
        if name in order or name not in loaded:
            continue
        order[name] = None
        below: list[str] = []
        for _, entries, glob, backwards in loaded[name].toctrees:
            below += _targets(loaded[name], entries, glob, backwards, names)
        stack.extend(reversed(below))
    return [*order, *(name for name in names if name not in order)]


def _part_titles(loaded: dict[str, _Page]) -> dict[str, str]:
    """Page name -> caption of the table of contents that names it, or the title of the page that holds it."""
    out: dict[str, str] = {}
    names = sorted(loaded)
    for page in loaded.values():
        for caption, entries, glob, backwards in page.toctrees:
            for target in _targets(page, entries, glob, backwards, names):
                out.setdefault(target, caption or ("" if page.name == "index" else page.title))
    return out


def _section(page: _Page, captions: dict[str, str], diagnostics: list[Diagnostic]) -> Section | None:
    found = list(page.document.findall(source_node))
    if not found:
        return None
    slug = posixpath.basename(page.name)
    part = posixpath.dirname(page.name)
    placements = tuple(
        _placement(node, slug, number, page.file, diagnostics) for number, node in enumerate(found, 1)
    )
    return Section(slug, page.title, part, captions.get(page.name) or part, page.file, page.intro, placements)


def _placement(
    node: source_node, slug: str, position: int, file: str, diagnostics: list[Diagnostic]
) -> Placement:
    key = node["key"]
    tree, refused = inline.from_nodes(node.children)
    if refused:
        diagnostics.append(annotation_problem(refused, key, file, node["line"]))
    return Placement(
        key, slug, position, node.get("title", ""), tree, file, node["line"],
        node.get("waits_for", ""), node.get("review", ""),
    )  # fmt: skip


def annotation_problem(refused: Sequence[str], key: str, file: str, line: int) -> Diagnostic:
    """The finding that an annotation holds more than inline markup."""
    what = ", ".join(sorted(set(refused)))
    message = f"The annotation holds {what}; only {inline.ALLOWED} are kept, rewrite it without"
    return Diagnostic("error", "annotation-markup", message, key, file, line)


def _citations(loaded: dict[str, _Page]) -> tuple[dict[str, tuple[tuple[str, int], ...]], bool]:
    cited: dict[str, list[tuple[str, int]]] = {}
    lists_all = False
    for page in loaded.values():
        for node in page.document.findall(pending_xref):
            for key in inline.cite_keys(node["reftarget"]):
                cited.setdefault(key, []).append((page.file, _line(node)))
        lists_all = lists_all or any(node["all"] for node in page.document.findall(bibliography_node))
    return {key: tuple(places) for key, places in cited.items()}, lists_all


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
