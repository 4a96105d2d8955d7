"""COinS: an item hidden in a page as an empty ``span``, for readers that know no unAPI (Z39.88-2004).

The Dublin Core form with ``rft.type`` last gives Zotero every item type. What it cannot carry: key, notes'
markup, arXiv identifier, number, version, conference, editors, access date, and every ``+``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from refkit.formats import zotero
from refkit.hub import annotation_text

if TYPE_CHECKING:
    from refkit.hub import Item

#: (key, CSL variable) of plain values, in order; people, date, identifiers and tags are handled apart.
_BEFORE_TAGS = (
    ("rft.source", "container-title"),
    ("rft.publisher", "publisher"),
    ("rft.pages", "page"),
    ("rft.volume", "volume"),
    ("rft.issue", "issue"),
    ("rft.series", "collection-title"),
    ("rft.isbn", "ISBN"),
    ("rft.issn", "ISSN"),
    ("rft.edition", "edition"),
    ("rft.place", "publisher-place"),
    ("rft.tpages", "number-of-pages"),
    ("rft.language", "language"),
)


def span(item: Item) -> str:
    """The HTML element."""
    pairs = "&amp;".join(f"{key}={quote(value, safe='~')}" for key, value in context_object(item))
    return f'<span class="Z3988" title="{pairs}"></span>'


def context_object(item: Item) -> list[tuple[str, str]]:
    """The (key, value) pairs of the OpenURL context object, unencoded."""
    csl = item.csl
    pairs = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", "info:ofi/fmt:kev:mtx:dc"),
        ("rft.title", item.title),
    ]
    pairs += [("rft.au", name(person)) for person in csl.get("author", ())]
    pairs.append(("rft.date", zotero.iso(csl.get("issued"))))
    pairs.append(("rft_id", f"info:doi/{item.doi}" if item.doi else ""))
    pairs.append(("rft_id", item.url))
    pairs += [
        (key, item.container if variable == "container-title" else csl.get(variable, ""))
        for key, variable in _BEFORE_TAGS
    ]
    pairs.append(("rft.rights", item.licence))
    pairs += [("rft.subject", tag) for tag in item.tags]
    pairs.append(("rft.description", csl.get("abstract") or annotation_text(item.notes)))
    pairs.append(("rft.type", zotero.item_type(item)))
    return [(key, value) for key, value in pairs if value]


def name(person: dict[str, str]) -> str:
    """``Family, Given``; an organisation ends in a comma, or its last word would become a family name."""
    if "literal" in person:
        return person["literal"].replace(",", "") + ","
    family = " ".join(
        person[part] for part in ("non-dropping-particle", "dropping-particle", "family") if person.get(part)
    )
    given = " ".join(part for part in (person.get("given"), person.get("suffix")) if part)
    return f"{family}, {given}" if given else f"{family},"
