"""The domains: ``cite``, which replaces sphinxcontrib-bibtex's, and ``refkit``, whose objects are placements.

Both keep plain strings, numbers and tuples in the environment, by page. What follows from them and the
library (which bibliography lists what, where a citation leads) is an
:class:`~refkit.sphinxext.index.Index`, made when it is first asked for and dropped when a page or the
library changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any, ClassVar, cast

from docutils import nodes
from pybtex.database import BibliographyData
from sphinx.domains import Domain, ObjType
from sphinx.locale import _
from sphinx.roles import XRefRole
from sphinx.util import logging
from sphinx.util.nodes import make_refnode
from sphinxcontrib.bibtex.bibfile import BibData
from sphinxcontrib.bibtex.citation_target import parse_citation_targets
from sphinxcontrib.bibtex.domain import BibtexDomain
from sphinxcontrib.bibtex.roles import CitationRef

from refkit.sphinxext import citations
from refkit.sphinxext.facts import Cited, Listing, PageFacts, Placed
from refkit.sphinxext.index import Index

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.addnodes import pending_xref
    from sphinx.builders import Builder
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.environment import BuildEnvironment

    from refkit.config import Config
    from refkit.sphinxext.library import Library

logger = logging.getLogger(__name__)


class CiteRole(XRefRole):
    """A citation: noted in the domain, set when it is known where it leads."""

    innernodeclass = nodes.inline

    def result_nodes(
        self, document: nodes.document, env: BuildEnvironment, node: Element, is_ref: bool
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The reference to resolve."""
        if not is_ref:  # written with "!" before the key: shown, not cited
            return [node], []
        if not node.get("refdomain"):  # the bare role "cite"
            node["refdomain"], node["reftype"] = "cite", "p"
        try:
            targets = tuple(
                (found.key, found.pre, found.post) for found in parse_citation_targets(self.target)
            )
        except (ValueError, RecursionError):
            logger.warning(
                "citation %r cannot be read; write keys with commas between them, as in :cite:p:`key1, key2`",
                self.target[:200], location=(env.docname, self.lineno), type="refkit", subtype="citation",
            )  # fmt: skip
            return [nodes.literal("", self.target)], []
        document.note_explicit_target(node, node)  # for links back
        cite_domain(env).note_citation(env.docname, Cited(node["ids"][0], self.lineno, targets))
        return [node], []


class CiteDomain(BibtexDomain):
    """The cite domain: bibliographies and citations by page, resolved through an index."""

    data_version = 101
    initial_data: ClassVar[dict[str, Any]] = {
        "bibdata": BibData(encoding="", bibfiles={}, data=BibliographyData()),
        "cited": {},
        "footcited": {},
        "listings": {},
        "digests": {},
    }
    roles: ClassVar[dict[str, Any]] = {name: CiteRole() for name in BibtexDomain._role_names}

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        self._library: Library | None = None
        self._bibdata: BibData | None = None
        self._index: Index | None = None
        self._builder: Builder | None = None
        self._project: Config | None = None

    # the library -------------------------------------------------------------

    def open(self, library: Library, builder: Builder, project: Config) -> None:
        """Take the library of this build, the builder that the build is for and the project's settings."""
        self._library = library
        self._builder = builder
        self._project = project
        self._bibdata = library.bibdata(builder.config.bibtex_encoding)
        self.forget()

    def close(self) -> None:
        """Leave nothing of the library in the data that the environment stores."""
        self.data["bibdata"] = self.initial_data["bibdata"]

    @property
    def library(self) -> Library:
        """The library of this build."""
        if self._library is None:
            raise RuntimeError("the bibliography is read at builder-inited")
        return self._library

    @property
    def project(self) -> Config:
        """The settings of this build's project."""
        if self._project is None:
            raise RuntimeError("the settings are known from builder-inited on")
        return self._project

    @property
    def builder(self) -> Builder:
        """The builder of this build."""
        if self._builder is None:
            raise RuntimeError("the builder is known from builder-inited on")
        return self._builder

    @property
    def bibdata(self) -> BibData:
        """What sphinxcontrib-bibtex's own code asks for."""
        return self._bibdata or self.data["bibdata"]

    # what pages say ----------------------------------------------------------

    @property
    def cited(self) -> dict[str, list[Cited]]:
        """Citations by page."""
        return cast("dict[str, list[Cited]]", self.data["cited"])

    @property
    def footcited(self) -> dict[str, dict[str, None]]:
        """Keys cited in footnotes, by page."""
        return cast("dict[str, dict[str, None]]", self.data["footcited"])

    @property
    def listings(self) -> dict[str, list[Listing]]:
        """Bibliography directives by page."""
        return cast("dict[str, list[Listing]]", self.data["listings"])

    @property
    def digests(self) -> dict[str, dict[str, str]]:
        """By page and key the digest of each work that the page was read with."""
        return cast("dict[str, dict[str, str]]", self.data["digests"])

    @property
    def citation_refs(self) -> list[CitationRef]:
        """All citations, in the package's own shape."""
        return [
            CitationRef(one.id, docname, one.line, list(parse_citation_targets(_target_text(one))))
            for docname, found in self.cited.items()
            for one in found
        ]

    def note_citation(self, docname: str, one: Cited) -> None:
        """A page cites."""
        for key, _pre, _post in one.targets:
            self.note_use(docname, key)
        targets = tuple((self.library.key(key), pre, post) for key, pre, post in one.targets)
        self.cited.setdefault(docname, []).append(one._replace(targets=targets))

    def note_listing(self, docname: str, one: Listing) -> None:
        """A page has a bibliography."""
        self.listings.setdefault(docname, []).append(one)

    def note_footcite(self, docname: str, key: str) -> None:
        """A page cites in a footnote."""
        self.footcited.setdefault(docname, {})[self.library.key(key)] = None
        self.note_use(docname, key)

    def note_use(self, docname: str, key: str) -> None:
        """A page shows something of a work; it is read again when that changes."""
        self.digests.setdefault(docname, {})[key] = self.library.mark(key)

    def changed_pages(self) -> set[str]:
        """Pages that place or cite a work which is not as it was when they were read."""
        mark = self.library.mark
        return {
            docname
            for docname, used in self.digests.items()
            if any(mark(key) != was for key, was in used.items())
        }

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        for name in ("cited", "footcited", "listings", "digests"):
            self.data[name].pop(docname, None)
        self.forget()

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, Any]) -> None:
        """Take pages that another process has read."""
        for name in ("cited", "footcited", "listings", "digests"):
            self.data[name].update(
                {page: value for page, value in otherdata[name].items() if page in docnames}
            )
        self.forget()

    # resolving ---------------------------------------------------------------

    @property
    def index(self) -> Index:
        """What follows from all pages and the library, for the builder at hand."""
        if self._index is None:
            self._index = Index(self, refkit_domain(self.env))
        return self._index

    def forget(self) -> None:
        """The index no longer holds."""
        self._index = None

    def env_updated(self) -> Iterable[str]:
        """Nothing is formatted here: sphinxcontrib-bibtex formats every entry twice in every run."""
        return []

    def resolve_xref(  # type: ignore[override] # as in the package: a citation is more than one link
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> Element:
        """The links of one citation."""
        del env, contnode
        key = self.library.key
        wanted = [(key(found.key), found.pre, found.post) for found in parse_citation_targets(target)]
        return citations.resolve(self, builder, fromdocname, typ, wanted, node)

    def resolve_any_xref(  # type: ignore[override] # as in the package
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, Element]]:
        """An ``any`` role whose text is one or more keys."""
        keys = [self.library.key(key.strip()) for key in target.split(",")]
        if not all(self.index.target(fromdocname, key) for key in keys):
            return []
        return [("cite:p", self.resolve_xref(env, fromdocname, builder, "p", target, node, contnode))]


def _target_text(one: Cited) -> str:
    parts = (
        (f"{{{pre}}}" if pre else "") + key + (f"{{{post}}}" if post else "")
        for key, pre, post in one.targets
    )
    return ",".join(parts)


class SourceRole(XRefRole):
    """A reference to a placement by its key."""


class PageRole(XRefRole):
    """A reference to a page that the build makes (``browse``, ``timeline``); a text where there is none."""


class RefkitDomain(Domain):
    """Placements: in Sphinx's search and in ``objects.inv``, as ``refkit:source``."""

    name = "refkit"
    label = "refkit"
    data_version = 101
    object_types: ClassVar[dict[str, ObjType]] = {"source": ObjType(_("source"), "source", searchprio=1)}
    roles: ClassVar[dict[str, Any]] = {
        "source": SourceRole(warn_dangling=True),
        "page": PageRole(innernodeclass=nodes.inline),
    }
    dangling_warnings: ClassVar[dict[str, str]] = {
        "source": "no page places the work %(target)r; correct the key or place it",
    }
    initial_data: ClassVar[dict[str, Any]] = {"placed": {}, "pages": {}}

    @property
    def placed(self) -> dict[str, list[Placed]]:
        """Placements by page, in order."""
        return cast("dict[str, list[Placed]]", self.data["placed"])

    @property
    def pages(self) -> dict[str, PageFacts]:
        """What the list needs to know of each page."""
        return cast("dict[str, PageFacts]", self.data["pages"])

    def note_placement(self, docname: str, one: Placed) -> None:
        """A page places a work."""
        self.placed.setdefault(docname, []).append(one)

    def note_sections(self, docname: str, anchors: Mapping[str, str]) -> None:
        """The sections that hold a page's placements are known: anchor of each by anchor of the placement."""
        placed = self.placed.get(docname, [])
        placed[:] = [one._replace(section=anchors.get(one.id, one.section)) for one in placed]

    def note_page(self, docname: str, facts: PageFacts) -> None:
        """A page was read."""
        self.pages[docname] = facts

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self.placed.pop(docname, None)
        self.pages.pop(docname, None)

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, Any]) -> None:
        """Take pages that another process has read."""
        for name in ("placed", "pages"):
            self.data[name].update(
                {page: value for page, value in otherdata[name].items() if page in docnames}
            )

    def reading_order(self) -> list[str]:
        """All pages in the order of the tables of contents, from the root document; the rest by name."""
        order: dict[str, None] = {}
        stack = [self.env.config.root_doc]
        while stack:
            docname = stack.pop()
            if docname in order:
                continue
            order[docname] = None
            stack.extend(reversed(self.env.toctree_includes.get(docname, [])))
        return [*order, *sorted(self.env.all_docs.keys() - order.keys())]

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Each placement; the first of a work bears its key, further ones key and page."""
        seen: set[str] = set()
        library = cite_domain(self.env).library
        for docname in self.reading_order():
            for one in self.placed.get(docname, ()):
                name = one.key if one.key not in seen else f"{one.key}@{docname}#{one.id}"
                seen.add(one.key)
                yield name, one.shown, "source", docname, one.id, 1
                for old in library.old_keys(one.key) if name == one.key else ():
                    yield old, one.shown, "source", docname, one.id, -1

    def find(self, fromdocname: str, key: str) -> tuple[str, Placed] | None:
        """The placement of a work on this page, else the first in reading order."""
        key = cite_domain(self.env).library.key(key)
        for docname in (fromdocname, *self.reading_order()):
            for one in self.placed.get(docname, ()):
                if one.key == key:
                    return docname, one
        return None

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> nodes.reference | None:
        """A link to a placement; its text is the name shown there unless the role gives one."""
        del env
        if typ == "page":
            return _page_link(builder, fromdocname, target, contnode)
        found = self.find(fromdocname, target)
        if found is None:
            return None
        docname, one = found
        child: nodes.Node = contnode if node.get("refexplicit") else nodes.inline("", one.shown)
        return make_refnode(builder, fromdocname, docname, one.id, child)

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, nodes.reference]]:
        """A key in an ``any`` role is a citation, which the cite domain resolves."""
        del env, fromdocname, builder, target, node, contnode
        return []


def _page_link(builder: Builder, fromdocname: str, name: str, contnode: Element) -> nodes.reference | None:
    """A link to a page that the build makes; where this build makes no such page the text remains."""
    from refkit.sphinxext import sites
    from refkit.sphinxext.site import extras

    if sites.is_site(builder):
        site = cast("StandaloneHTMLBuilder", builder)
        if extras.makes(site, cite_domain(site.env).index, name):
            return make_refnode(builder, fromdocname, name, "", contnode)
    contnode["classes"] = []  # a reference that leads nowhere is set as plain text
    return None


def cite_domain(env: BuildEnvironment) -> CiteDomain:
    """The cite domain of an environment."""
    return cast("CiteDomain", env.get_domain("cite"))


def refkit_domain(env: BuildEnvironment) -> RefkitDomain:
    """The refkit domain of an environment."""
    return cast("RefkitDomain", env.get_domain("refkit"))
