"""unAPI for a static site: one file is both the list of formats and the record; no query needs an answer.

A page names it with ``<link rel="unapi-server">`` and holds exactly one ``<abbr class="unapi-id">``. Zotero's
Connector then takes every item, with people, tags and notes, from one click (Zotero's translator ``unAPI``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from refkit.formats import coins, zotero, zotero_rdf

if TYPE_CHECKING:
    from refkit.hub import Item


_FORMATS = (
    '<rdf:Description rdf:about="#unapi"><z:formats rdf:parseType="Literal"><formats xmlns="">'
    '<format name="rdf_zotero" type="application/rdf+xml"/></formats></z:formats></rdf:Description>\n'
)


def dumps(items: Iterable[Item]) -> str:
    """The file for these items: Zotero RDF without collections, and the one format that there is."""
    records = "".join([item.rendered("zotero-rdf", zotero_rdf.one) for item in items])
    return zotero_rdf.HEAD + records + _FORMATS + zotero_rdf.TAIL


#: What ``citation_`` tags or the page's own address say better.
_TOLD_ELSEWHERE = frozenset(("DOI", "ISBN", "pages", "accessDate"))


def meta_tags(item: Item) -> list[tuple[str, str]]:
    """(name, content) of the ``meta`` tags of a page about one work, unescaped, in order.

    ``citation_`` tags are those that search engines of science read, ``z:`` are Zotero's fields.
    """
    csl, type = item.csl, zotero.item_type(item)
    author = "citation_author" if type in zotero.AUTHORED else "so:author"
    tags = [("z:itemType", type), ("citation_title", item.title)]
    tags += [(author, coins.name(person)) for person in csl.get("author", ())]
    tags += [("citation_editor", coins.name(person)) for person in csl.get("editor", ())]
    tags.append(("citation_publication_date", zotero.iso(csl.get("issued")).replace("-", "/")))
    tags.append(("citation_doi", item.doi))
    tags.append(("citation_isbn", csl.get("ISBN", "")))
    tags += _pages(csl.get("page", ""))
    tags += [(f"z:{field}", value) for field, value in zotero.fields(item) if field not in _TOLD_ELSEWHERE]
    return [(name, content) for name, content in tags if content]


def _pages(pages: str) -> list[tuple[str, str]]:
    from refkit.formats.ris import split_pages

    first, last = split_pages(pages)
    return [("citation_firstpage", first), ("citation_lastpage", last)]
