"""What follows from all pages and the library: what each bibliography lists, and where a citation leads."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from docutils.nodes import make_id
from pybtex.plugin import find_plugin
from sphinx.util import logging

from refkit.sphinxext import names, style

if TYPE_CHECKING:
    from refkit.bundles import Collection
    from refkit.hub import Item
    from refkit.pages import Pages, Section
    from refkit.sphinxext.domain import CiteDomain, RefkitDomain
    from refkit.sphinxext.facts import Listing, Placed

logger = logging.getLogger(__name__)


class Listed(NamedTuple):
    """One work in one bibliography."""

    #: As citations name it: with the bibliography's prefix.
    cite_key: str
    key: str
    #: Anchor on the bibliography's page.
    id: str
    label: str


class Target(NamedTuple):
    """Where a citation leads: a placement (``source``), an entry of a bibliography (``entry``) or a work's
    page.
    """

    kind: str
    key: str
    #: The page and the anchor on it, which a work's page does not need.
    docname: str
    id: str
    label: str


class Index:
    """Made when first asked for; holds until a page or the library changes."""

    def __init__(self, domain: CiteDomain, placements: RefkitDomain) -> None:
        self._domain = domain
        self.placements = placements
        self._library = domain.library

    # what is cited, placed and listed -----------------------------------------

    @cached_property
    def order(self) -> list[str]:
        """All pages in reading order."""
        return self.placements.reading_order()

    @cached_property
    def cited_in(self) -> dict[str, frozenset[str]]:
        """The pages that cite each key, footnotes aside."""
        pages: dict[str, set[str]] = {}
        for docname, found in self._domain.cited.items():
            for one in found:
                for key, _pre, _post in one.targets:
                    pages.setdefault(key, set()).add(docname)
        return {key: frozenset(found) for key, found in pages.items()}

    @cached_property
    def places(self) -> dict[str, list[tuple[str, Placed]]]:
        """Page and placement of each placed key, in reading order."""
        found: dict[str, list[tuple[str, Placed]]] = {}
        for docname in self.order:
            for one in self.placements.placed.get(docname, ()):
                found.setdefault(one.key, []).append((docname, one))
        return found

    @cached_property
    def listed(self) -> dict[str, list[list[Listed]]]:
        """By page what each of its bibliographies lists, in order."""
        return {
            docname: self._page_lists(docname) for docname in self.order if docname in self._domain.listings
        }

    @cached_property
    def used(self) -> list[str]:
        """Works that some page places, lists or cites, in the order of the library."""
        keys = set(self.places) | set(self.cited_in)
        keys.update(key for found in self._domain.footcited.values() for key in found)
        keys.update(one.key for lists in self.listed.values() for entries in lists for one in entries)
        return [key for key in self._library.digests if key in keys]

    @cached_property
    def works(self) -> dict[str, str]:
        """The page name (without ending) of each work that has a page of its own, where such pages are
        made.
        """
        folders = names.folder_names([*self._library.digests, *self._library.aliases])
        return {key: f"works/{folders[key]}/index" for key in self.used}

    @cached_property
    def moved_works(self) -> dict[str, str]:
        """The page name of each old key, and that of the work's page to which it leads now."""
        aliases = self._library.aliases
        folders = names.folder_names([*self._library.digests, *aliases])
        return {
            f"works/{folders[old]}/index": self.works[new]
            for old, new in aliases.items()
            if new in self.works
        }

    @cached_property
    def work_pages(self) -> dict[str, str]:
        """The names of all pages of works, and the key of each."""
        return {page: key for key, page in self.works.items()}

    @cached_property
    def old_pages(self) -> dict[str, str]:
        """The name under which each renamed section's page was known, and that of the page now.

        An old slug stands for a page beside the new one; one with a folder (``old/slug``) for that page.
        """
        pages = {section.slug: page for page, section in self.sections.items()}
        found: dict[str, str] = {}
        for old, new in self._library.renamed(pages).items():
            folder = posixpath.dirname(pages[new])
            name = old if "/" in old else posixpath.join(folder, old)
            if names.is_plain_path(name) and name not in self._domain.env.all_docs:
                found[name] = pages[new]
        return found

    def old_keys(self, key: str) -> list[str]:
        """Keys that a work had before."""
        return list(self._library.old_keys(key))

    @property
    def aliases(self) -> Mapping[str, str]:
        """Old keys and the keys of works that they stand for."""
        return self._library.aliases

    @property
    def digests(self) -> Mapping[str, str]:
        """The library's digest of each work."""
        return self._library.digests

    @cached_property
    def added(self) -> dict[str, str]:
        """The day (ISO) on which each work was added, where provenance has one."""
        works = self._library.provenance.get("works", {})
        found = {key: works[key].get("added") for key in self._library.digests if key in works}
        return {key: day for key, day in found.items() if _is_day(day)}

    # the annotated list ---------------------------------------------------------

    @cached_property
    def pages(self) -> Pages:
        """The sections in reading order."""
        from refkit.sphinxext import lists

        return lists.pages_of(self._domain.env, self.placements)

    @cached_property
    def collection(self) -> Collection:
        """What bundles are made from."""
        from refkit.sphinxext import lists

        return lists.collection_of(self._library, self.pages)

    @property
    def repository(self) -> str:
        """The address of the project's repository; may be empty."""
        return self._domain.project.repository

    def is_path(self, section: Section) -> bool:
        """Whether a section is to be read from its first source to its last: the one to start with."""
        start = self._domain.project.check.get("start")
        return isinstance(start, str) and start == section.slug

    @cached_property
    def sections(self) -> dict[str, Section]:
        """Section by page."""
        env = self._domain.env
        return {str(env.path2doc(env.srcdir / section.file)): section for section in self.pages.sections}

    @cached_property
    def _items(self) -> dict[str, dict[str, Item]]:
        return {}

    def item(self, docname: str, key: str) -> Item:
        """A placed work with the annotation that it has on this page."""
        items = self._items.get(docname)
        if items is None:
            section = self.sections.get(docname)
            found = self.collection.items(section) if section else []
            items = self._items[docname] = {one.key: one for one in found}
        return items.get(key) or self.bare_item(key)

    @cached_property
    def _bare_items(self) -> dict[str, Item]:
        return {}

    def bare_item(self, key: str) -> Item:
        """A work without what pages say of it, as one copies it to cite it."""
        found = self._bare_items.get(key)
        if found is None:
            from refkit import hub

            found = self._bare_items[key] = hub.item(self._library.entries[key])
        return found

    # where a citation leads ----------------------------------------------------

    def target(self, fromdocname: str, cite_key: str, *, works: bool = False) -> Target | None:
        """Where a citation on a page leads; ``None`` if nowhere.

        The placement on the same page, else a bibliography's entry there, else the work's page (where there
        are such pages), else a bibliography's entry elsewhere, else the first placement.
        """
        places = self.places.get(cite_key, ())
        for docname, one in places:
            if docname == fromdocname:
                return self._source(docname, one)
        here = self._entries_of.get((fromdocname, cite_key))
        if here is not None:
            return here
        if works and cite_key in self.works:
            return Target("work", cite_key, self.works[cite_key], "", self._label(cite_key))
        return self._first_entry.get(cite_key) or (self._source(*places[0]) if places else None)

    def _source(self, docname: str, one: Placed) -> Target | None:
        if one.key not in self._library.digests:
            return None
        return Target("source", one.key, docname, one.id, self._label(one.key))

    def _label(self, key: str) -> str:
        return self._library.labels[key].text

    @cached_property
    def _entries_of(self) -> dict[tuple[str, str], Target]:
        out: dict[tuple[str, str], Target] = {}
        for docname, found in self.listed.items():
            for listing, entries in zip(self._domain.listings[docname], found, strict=True):
                if listing.list != "citation":
                    continue
                for one in entries:
                    target = Target("entry", one.key, docname, one.id, one.label)
                    out.setdefault((docname, one.cite_key), target)
        return out

    @cached_property
    def _first_entry(self) -> dict[str, Target]:
        out: dict[str, Target] = {}
        for (_docname, cite_key), target in self._entries_of.items():
            out.setdefault(cite_key, target)
        return out

    # what a bibliography lists --------------------------------------------------

    def _page_lists(self, docname: str) -> list[list[Listed]]:
        taken: set[str] = set()
        return [self._list(docname, listing, taken) for listing in self._domain.listings[docname]]

    def _list(self, docname: str, listing: Listing, taken: set[str]) -> list[Listed]:
        keys = self._filtered(docname, listing)
        keys, labels = self._sorted(keys, listing)
        out = []
        for key, label in zip(keys, labels, strict=True):
            cite_key = listing.keyprefix + key
            anchor = self._anchor(listing, cite_key, taken)
            taken.add(anchor)
            out.append(Listed(cite_key, key, anchor, listing.labelprefix + label))
        return out

    def _anchor(self, listing: Listing, cite_key: str, taken: set[str]) -> str:
        template = self._domain.env.config.bibtex_cite_id
        wished = make_id(template.format(bibliography_count=listing.number, key=cite_key)) if template else ""
        return wished if wished and wished not in taken else names.anchor(cite_key, taken, "cite-")

    def _filtered(self, docname: str, listing: Listing) -> list[str]:
        from refkit.sphinxext import filters

        prefix, cited = listing.keyprefix, self.cited_in
        base: Iterable[str] = self._library.digests
        if listing.files:
            base = [key for file in listing.files for key in self._library.keys_of.get(Path(file), ())]
        if listing.filter == filters.EVERYTHING:
            return list(base)
        if listing.filter == filters.CITED:
            chosen = {key for key in base if prefix + key in cited}
        elif listing.filter == filters.NOT_CITED:
            chosen = {key for key in base if prefix + key not in cited}
        elif listing.filter == filters.CITED_HERE:
            chosen = {key for key in base if docname in cited.get(prefix + key, ())}
        else:
            chosen = self._tested(docname, listing, base)
        chosen.update(listing.keys)
        return [key for key in base if key in chosen]

    def _tested(self, docname: str, listing: Listing, base: Iterable[str]) -> set[str]:
        """Keys that pass a filter; where it cannot be asked it falls back to "cited", with one message."""
        from refkit.sphinxext import filters

        nowhere: frozenset[str] = frozenset()
        chosen: set[str] = set()
        try:
            test = filters.compile_filter(listing.filter)
        except filters.FilterError as error:
            self._bad_filter(docname, listing, error)
            return {key for key in base if listing.keyprefix + key in self.cited_in}
        told = False
        for key in base:
            cited_in = self.cited_in.get(listing.keyprefix + key, nowhere)
            try:
                passes = bool(test(filters.Subject(self._library.entries[key], docname, cited_in)))
            except filters.FilterError as error:
                passes = bool(cited_in)
                if not told:
                    self._bad_filter(docname, listing, error)
                told = True
            if passes:
                chosen.add(key)
        return chosen

    def _bad_filter(self, docname: str, listing: Listing, error: Exception) -> None:
        logger.warning(
            "this :filter: cannot be used, cited works are listed instead: %s", error,
            location=(docname, listing.line), type="refkit", subtype="filter",
        )  # fmt: skip

    def _sorted(self, keys: Sequence[str], listing: Listing) -> tuple[list[str], list[str]]:
        """Keys in the style's order, and their labels."""
        if listing.style == style.NAME:
            ordered = sorted(keys, key=self._library.sort_keys.__getitem__)
            return ordered, [self._label(key) for key in ordered]
        plugin = self.style(listing.style)
        by_citation = sorted(
            keys, key=lambda key: self._cite_order.get(listing.keyprefix + key, len(self._cite_order))
        )
        entries = list(plugin.sort([self._library.pybtex_entry(key) for key in by_citation]))
        return [entry.key for entry in entries], list(plugin.format_labels(entries))

    @cached_property
    def _cite_order(self) -> dict[str, int]:
        """The position of each key among all citations in reading order."""
        order: dict[str, int] = {}
        for docname in self.order:
            for one in self._domain.cited.get(docname, ()):
                for key, _pre, _post in one.targets:
                    order.setdefault(key, len(order))
        return order

    @cached_property
    def _styles(self) -> dict[str, Any]:
        return {}

    def style(self, name: str) -> Any:
        """A pybtex style by name, looked up once."""
        found = self._styles.get(name)
        if found is None:
            find: Callable[..., Any] = find_plugin
            found = self._styles[name] = find("pybtex.style.formatting", name)()
        return found


def _is_day(text: object) -> bool:
    try:
        return isinstance(text, str) and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
