"""What pages say of works and sections to search engines: schema.org's vocabulary as JSON-LD.

The page is always the page, and the work what it is about: nothing here claims that ours is the work's own
page. Values are facts of the entry, never annotations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from refkit import identifiers
from refkit.formats import zotero

if TYPE_CHECKING:
    from refkit.hub import Item

#: Kind of work -> type of schema.org.
_TYPES: Mapping[str, str] = {
    "paper": "ScholarlyArticle",
    "preprint": "ScholarlyArticle",
    "article": "ScholarlyArticle",
    "book": "Book",
    "chapter": "Chapter",
    "thesis": "Thesis",
    "report": "Report",
    "standard": "TechArticle",
    "documentation": "TechArticle",
    "blog": "BlogPosting",
    "software": "SoftwareSourceCode",
    "dataset": "Dataset",
}
_CONTAINERS: Mapping[str, str] = {"article": "Periodical", "paper": "PublicationVolume", "chapter": "Book"}


def script(data: Mapping[str, Any]) -> str:
    """The element that holds data; nothing in it can end the element or begin a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/ld+json">{text}</script>'


def work(item: Item) -> dict[str, Any]:
    """A work: type, names, people, date, container, identifiers and addresses, as far as they are known."""
    csl, kind = item.csl, item.kind
    doi, arxiv = item.doi, item.arxiv
    container = item.container
    same = [identifiers.doi_url(doi)] if doi else []
    same += [f"https://arxiv.org/abs/{arxiv}"] if arxiv else []
    found: dict[str, Any] = {
        "@type": type_of(item),
        "name": item.title or item.key,
        "alternateName": csl.get("title-short"),
        "author": [_person(name) for name in csl.get("author", ())],
        "editor": [_person(name) for name in csl.get("editor", ())],
        "datePublished": _date(csl.get("issued")),
        "isPartOf": container and {"@type": _CONTAINERS.get(kind, "CreativeWork"), "name": container},
        "publisher": csl.get("publisher") and {"@type": "Organization", "name": csl["publisher"]},
        "identifier": list(_identifiers(item)),
        "url": item.url,
        "sameAs": [url for url in same if url != item.url],
        "codeRepository": item.url if kind == "software" else None,
        "pagination": csl.get("page"),
        "isbn": csl.get("ISBN"),
        "inLanguage": csl.get("language"),
        "version": csl.get("version"),
    }
    return {name: value for name, value in found.items() if value}


def type_of(item: Item) -> str:
    """The type of schema.org that a work has."""
    return _TYPES.get(item.kind, "CreativeWork")


def _identifiers(item: Item) -> Iterable[dict[str, str]]:
    for name, value in (("DOI", item.doi), ("arXiv", item.arxiv)):
        if value:
            yield {"@type": "PropertyValue", "propertyID": name, "value": value}


def _person(name: Mapping[str, str]) -> dict[str, str]:
    if "literal" in name:
        return {"@type": "Organization", "name": name["literal"]}
    particles = [name.get("non-dropping-particle", ""), name.get("dropping-particle", "")]
    family = " ".join(part for part in (*particles, name.get("family", "")) if part)
    given = name.get("given", "")
    full = " ".join(part for part in (given, family, name.get("suffix", "")) if part)
    found = {"@type": "Person", "name": full, "givenName": given, "familyName": family}
    return {key: value for key, value in found.items() if value}


def _date(issued: Any) -> str:
    """The first day, month or year that is known, as ISO 8601; empty where the date is in words."""
    if not issued or "date-parts" not in issued:
        return ""
    return zotero.iso({"date-parts": issued["date-parts"][:1]})


def item_list(entries: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """A list of (type, name, address), in order; addresses may be empty."""
    items = [
        {
            "@type": "ListItem",
            "position": number,
            "item": {"@type": type, "name": name, **({"url": url} if url else {})},
        }
        for number, (type, name, url) in enumerate(entries, 1)
    ]
    return {"@type": "ItemList", "numberOfItems": len(items), "itemListElement": items}
