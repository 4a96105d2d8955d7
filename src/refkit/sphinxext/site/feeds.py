"""Atom feeds: the whole list, each section, and the works that are watched (RFC 4287).

A feed needs absolute addresses, so there is none without ``site-url``. An entry's dates are the day on which
provenance says the work was added; a work without that day stands in no feed, since nothing true could be
said there. Identifiers are made of the site's address and the work's key, which never change.
"""

from __future__ import annotations

import html
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sphinx.locale import _

from refkit.bundles import places_by_key
from refkit.sphinxext import reference, richtext, sites
from refkit.sphinxext.library import digest
from refkit.sphinxext.site.extras import File

if TYPE_CHECKING:
    from sphinx.builders import Builder
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.pages import Placement, Section
    from refkit.sphinxext.index import Index

FOLDER = "feeds"
ALL = f"{FOLDER}/all.xml"
#: A feed holds at most so many works, the newest.
MOST = 200

_ATOM = "http://www.w3.org/2005/Atom"
Places = Sequence[tuple["Section", "Placement"]]


class Entry(NamedTuple):
    """One work in one feed."""

    key: str
    #: The day on which it was added, ISO.
    added: str
    places: Places
    #: Identifier below the site's address.
    id: str


class Feed(NamedTuple):
    """One feed: its file, its title, the page that it is about, and its works."""

    path: str
    title: str
    page: str
    entries: Sequence[Entry]


def extras(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[File]:
    """The feeds of a list that has an address."""
    config = builder.config
    common = (sites.address(builder), config.author, config.project, config.language)
    for feed in feeds(builder, index):
        mark = digest((common, _inputs(index, feed)))
        yield File(feed.path, mark, _writer(builder, index, feed))


def _writer(builder: StandaloneHTMLBuilder, index: Index, feed: Feed) -> Callable[[], bytes]:
    return lambda: dumps(builder, index, feed)


def _inputs(index: Index, feed: Feed) -> object:
    labels = index.collection.labels
    return (
        feed,
        [(index.digests.get(one.key), index.works.get(one.key)) for one in feed.entries],
        [
            [labels.get(key) for key in _cited(placed)]
            for one in feed.entries
            for _section, placed in one.places
        ],
        [index.places.get(one.key) for one in feed.entries],
    )


def _cited(placed: Placement) -> list[str]:
    from refkit.pages.inline import cited

    return cited(placed.annotation)


# which feeds there are ---------------------------------------------------------------


def feeds(builder: Builder, index: Index) -> list[Feed]:
    """All feeds of a list; none where the site has no address or no work has a day."""
    sections = index.pages.sections
    if not sites.is_site(builder) or not sites.address(builder) or not sections:
        return []
    found = [_all(builder, index), *(_of_section(index, page) for page in index.sections)]
    watched = _watched(index)
    if watched and watched.path not in {feed.path for feed in found}:
        found.append(watched)
    return [feed for feed in found if feed.entries]


def feed_of(builder: Builder, index: Index, page: str) -> str:
    """The path of the feed of a section's page; empty where there is none."""
    section = index.sections.get(page)
    if not section or not sites.is_site(builder) or not sites.address(builder):
        return ""
    feed = _of_section(index, page)
    return feed.path if feed.entries else ""


def has_feeds(builder: Builder, index: Index) -> bool:
    """Whether there is a feed over the whole list."""
    return bool(sites.is_site(builder) and sites.address(builder) and index.added)


def _all(builder: Builder, index: Index) -> Feed:
    days = index.added
    entries = [
        Entry(key, days[key], places, f"works/{key}")
        for key, places in places_by_key(index.pages).items()
        if key in days
    ]
    title = str(builder.config.project)
    return Feed(ALL, title, str(builder.config.root_doc), _newest(entries))


def _of_section(index: Index, page: str) -> Feed:
    section, days = index.sections[page], index.added
    by_key = {placed.key: placed for placed in reversed(section.placements) if placed.key in days}
    entries = [
        Entry(key, days[key], ((section, by_key[key]),), f"sections/{section.slug}/{key}")
        for key in dict.fromkeys(placed.key for placed in section.placements)
        if key in by_key
    ]
    return Feed(f"{FOLDER}/{section.slug}.xml", section.title, page, _newest(entries))


def _watched(index: Index) -> Feed | None:
    """Works that wait for something, unless the feed of one section has just those."""
    waiting = [
        (section, placed)
        for section in index.pages.sections
        for placed in section.placements
        if placed.waits_for or placed.review
    ]
    days, sections = index.added, {section.slug: section for section, _placed in waiting}
    if not waiting or (len(sections) == 1 and len(waiting) == len(next(iter(sections.values())).placements)):
        return None
    entries = [
        Entry(placed.key, days[placed.key], ((section, placed),), f"watched/{section.slug}/{placed.key}")
        for section, placed in waiting
        if placed.key in days
    ]
    page = next(page for page, section in index.sections.items() if section.slug in sections)
    return Feed(f"{FOLDER}/watched.xml", _("Watched"), page, _newest(entries))


def _newest(entries: Sequence[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda one: one.added, reverse=True)[:MOST]


# one feed --------------------------------------------------------------------------------


def dumps(builder: StandaloneHTMLBuilder, index: Index, feed: Feed) -> bytes:
    """The feed's document."""
    ET.register_namespace("", _ATOM)
    root, config = sites.address(builder), builder.config
    top = ET.Element(_tag("feed"), {"xml:lang": config.language or "en"})
    site = str(config.project)
    _add(top, "title", feed.title if feed.title == site else f"{feed.title} · {site}")
    _add(top, "id", root + feed.path)
    _add(top, "updated", _time(max(one.added for one in feed.entries)))
    _add(_add(top, "author"), "name", str(config.author) if config.author not in ("", "unknown") else site)
    _add(top, "link", rel="self", type="application/atom+xml", href=root + feed.path)
    _add(top, "link", rel="alternate", type="text/html", href=sites.page_address(builder, feed.page))
    for one in feed.entries:
        _add_entry(top, builder, index, one)
    ET.indent(top, " ")
    text: str = ET.tostring(top, "unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def _add_entry(top: ET.Element, builder: StandaloneHTMLBuilder, index: Index, one: Entry) -> None:
    entry = index.collection.entries[one.key]
    element = _add(top, "entry")
    shown = one.places[0][1].title or entry.text("title") or one.key
    _add(element, "title", shown)
    _add(element, "id", f"{sites.address(builder)}{FOLDER}/#{_quoted(one.id)}")
    _add(element, "published", _time(one.added))
    _add(element, "updated", _time(one.added))
    _add(element, "link", rel="alternate", type="text/html", href=_address(builder, index, one))
    home = reference.home(entry)
    if home:
        _add(element, "link", rel="related", href=home, title=shown)
    for section, _placed in one.places:
        _add(element, "category", term=section.slug, label=section.title)
    _add(element, "content", _content(index, one), type="html")


def _address(builder: StandaloneHTMLBuilder, index: Index, one: Entry) -> str:
    """The page of the work, else its place on the section's page."""
    if sites.has_work_pages(builder) and one.key in index.works and len(one.places) > 1:
        return sites.page_address(builder, index.works[one.key])
    for page, placed in index.places.get(one.key, ()):
        section = index.sections.get(page)
        if section and section.slug == one.places[0][0].slug:
            return f"{sites.page_address(builder, page)}#{placed.id}"
    return sites.address(builder)


def _content(index: Index, one: Entry) -> str:
    """The reference and our annotations, as HTML."""
    entry = index.collection.entries[one.key]
    out = [f"<p>{html.escape(richtext.plain(reference.reference(entry)))}</p>"]
    for section, placed in one.places:
        note = index.collection.note(section, placed).html
        head = f"<strong>{html.escape(section.title)}.</strong> " if len(one.places) > 1 else ""
        out += [f"<p>{head}{note}</p>"] if note else []
        watched = [
            f"{_('Waits for')}: {placed.waits_for.rstrip('.')}." if placed.waits_for else "",
            f"{_('Next review')}: {placed.review.rstrip('.')}." if placed.review else "",
        ]
        text = " ".join(part for part in watched if part)
        out += [f"<p>{html.escape(text)}</p>"] if text else []
    return "".join(out)


def _time(day: str) -> str:
    return f"{day}T00:00:00Z"


def _tag(name: str) -> str:
    return f"{{{_ATOM}}}{name}"


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="/")


def _add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    from refkit.formats.zotero_rdf import without_forbidden

    element = ET.SubElement(
        parent, _tag(name), {key: without_forbidden(value) for key, value in attributes.items()}
    )
    if text:
        element.text = without_forbidden(text)
    return element
