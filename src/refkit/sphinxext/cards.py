"""Hover cards: what a citation in the text leads to, built into the page and shown by ``refkit.js``.

A card is hidden until a pointer or the focus is on a citation; without scripts the link alone is there.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from docutils import nodes

from refkit.sphinxext import sites

if TYPE_CHECKING:
    from sphinx.builders import Builder

    from refkit.sphinxext.index import Index

#: The attribute of a link that names the work that is cited.
KEY = "refkit_key"


def wanted(builder: Builder) -> bool:
    """Whether citations get cards; ``bibtex_tooltips`` turns them off."""
    return sites.is_site(builder) and bool(builder.config.bibtex_tooltips)


def cited(document: nodes.document) -> dict[str, str]:
    """Work by address of each citation's link on a page, in order."""
    found: dict[str, str] = {}
    for link in document.findall(nodes.reference):
        if KEY in link:
            found.setdefault(link.get("refuri") or f"#{link['refid']}", link[KEY])
    return found


def shown_name(index: Index, key: str) -> str:
    """The name under which the list shows a work first, else its short title."""
    places = index.places.get(key)
    if places:
        return places[0][1].shown
    return index.collection.entries[key].text("shorttitle", "title") or key


def cards(index: Index, links: Mapping[str, str]) -> str:
    """The cards of a page as HTML; empty where it cites nothing.

    Args:
        index: tells what the cards say.
        links: work by address, as :func:`cited` gives them.
    """
    made = "".join(
        _card(index, number, address, key) for number, (address, key) in enumerate(links.items(), 1)
    )
    return f'<div class="rk-cards" hidden>{made}</div>\n' if made else ""


def _card(index: Index, number: int, address: str, key: str) -> str:
    from refkit.sphinxext import reference

    entry = index.collection.entries.get(key)
    if entry is None:
        return ""
    return (
        f'<div class="rk-card" id="rk-card-{number}" role="tooltip" data-refkit-for="{html.escape(address)}">'
        f'<p class="rk-card-name" dir="auto">{html.escape(shown_name(index, key))}</p>'
        f'<p class="rk-byline">{byline(reference.byline(entry))}</p></div>\n'
    )


def byline(parts: Iterable[str]) -> str:
    """People, venue and year as HTML, each by itself, so that names from right to left do not mix with it."""
    return " · ".join(f"<bdi>{html.escape(part)}</bdi>" for part in parts if part)


def marks(index: Index, keys: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What the cards of works say beyond their entries."""
    for key in keys:
        if key in index.digests:
            yield index.digests[key], shown_name(index, key)
