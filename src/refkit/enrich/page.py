"""What a web page says about itself: citation tags, JSON-LD, Dublin Core, its title.

Sources: Google Scholar, "Inclusion guidelines for webmasters" (``citation_…``); schema.org (JSON-LD); DCMI
terms in HTML (RFC 2731); the Open Graph protocol. Of several, what was written for citing comes first, the
title last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from refkit import identifiers
from refkit.enrich import citation_file, people
from refkit.enrich.csl import isbns, text
from refkit.enrich.records import Answer, Record, Text
from refkit.enrich.session import AnswerError, Reply, Session, UnreachableError
from refkit.model import Person
from refkit.values import dates, tex

if TYPE_CHECKING:
    from refkit.values.dates import Date

ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"

#: A page is read up to this size, in bytes.
MAX_BYTES = 3_000_000
_LONGEST_JSON = 400_000

#: JSON-LD type -> the word for it in ``Record.type``.
_TYPES: Mapping[str, str] = {
    "scholarlyarticle": "journal-article",
    "techarticle": "documentation",
    "apireference": "documentation",
    "blogposting": "blog",
    "socialmediaposting": "blog",
    "report": "report",
    "book": "book",
    "thesis": "dissertation",
    "softwaresourcecode": "software",
    "softwareapplication": "software",
    "dataset": "dataset",
    "article": "webpage",
    "newsarticle": "webpage",
    "webpage": "webpage",
}
_CHARSET = re.compile(rb"""(?i)<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})""")


def lookup(session: Session, url: str) -> Answer:
    """Asks a page what it says about itself; for a repository at GitHub, its CITATION.cff first."""
    try:
        cff = citation_file.address(url)
        if cff:
            reply = session.get("page", cff, "text/plain, */*;q=0.1", limit=MAX_BYTES)
            record = citation_file.parse(_decoded(reply), url, _today()) if reply.status == 200 else None
            if record is not None:
                return Answer("url", url, "found", record)
        reply = session.get("page", url, ACCEPT, limit=MAX_BYTES)
    except UnreachableError as error:
        return Answer("url", url, "unreachable", message=str(error))
    except AnswerError as error:
        return Answer("url", url, "bad-answer", message=str(error))
    if reply.status in (404, 410):
        return Answer("url", url, "dead", message=f"the site answered with status {reply.status}")
    if reply.status != 200:
        return Answer("url", url, "unreachable", message=f"the site answered with status {reply.status}")
    if "html" not in reply.media_type:
        message = f"it is not a page of HTML but {reply.media_type or 'of no type'}"
        return Answer("url", url, "no-metadata", message=message)
    record = parse(_decoded(reply), url, _today())
    return Answer("url", url, "found", _of_repository(record) if cff else record)


def _of_repository(record: Record) -> Record:
    """A repository without a CITATION.cff: of what its page says only the name is the software's."""
    name = record.id.partition("?")[0].rstrip("/").rpartition("/")[2].removesuffix(".git")
    return record._replace(type="software", title=Text(name), authors=(), container=Text(), publisher=Text())


def _today() -> str:
    import time

    from refkit.enrich.cache import day

    return day(time.time())


def _decoded(reply: Reply) -> str:
    """The text of a page: by the header, else by what the page says, else UTF-8, else Windows' Latin-1."""
    named = re.search(r"charset=[\"']?([\w-]{1,40})", reply.headers.get("content-type", ""), re.IGNORECASE)
    said = _CHARSET.search(reply.body[:4096])
    for name in (named and named[1], said and said[1].decode("ascii", "replace"), "utf-8"):
        try:
            if name:
                return reply.body.decode(name)
        except (LookupError, UnicodeDecodeError):
            continue
    return reply.body.decode("cp1252", "replace")


def parse(html: str, url: str, retrieved: str = "") -> Record:
    """What a page says about itself."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    tags = _Tags(reader.metas)
    linked = _Linked(reader.scripts)
    written = tags.first(
        "citation_publication_date", "citation_date", "citation_online_date", "citation_year"
    )
    found_date = (
        _date(written)
        or linked.date
        or _date(tags.first("dc.date", "dcterms.issued", "article:published_time"))
    )
    authors = (
        tags.people("citation_author", "citation_authors")
        or linked.people
        or tags.people("dc.creator", "author")
    )
    container = tags.first("citation_journal_title", "citation_conference_title", "citation_inbook_title")
    first, last = tags.first("citation_firstpage"), tags.first("citation_lastpage")
    return Record(
        service="page",
        id=url,
        retrieved=retrieved,
        type=_type(tags, linked),
        title=Text(_title(tags, linked, reader.title)),
        authors=authors,
        date=found_date,
        years=frozenset((found_date.year,)) if found_date else frozenset(),
        container=Text(container or tags.first("og:site_name") or linked.container),
        volume=tags.first("citation_volume"),
        number=tags.first("citation_issue"),
        pages=f"{first}-{last}" if first and last else first,
        publisher=Text(
            tags.first("citation_publisher", "citation_technical_report_institution") or linked.publisher
        ),
        isbn=isbns(tags.first("citation_isbn")),
        version=linked.version,
        published_dois=_dois(tags, linked),
        preprints=tuple(filter(None, (tags.first("citation_arxiv_id"),))),
        url=_canonical(reader.canonical or tags.first("og:url"), url),
    )


def _title(tags: _Tags, linked: _Linked, heading: str) -> str:
    title = (
        tags.first("citation_title", "dc.title", "dcterms.title")
        or linked.title
        or tags.first("og:title")
        or heading
    )
    site = tags.first("og:site_name")
    # Many pages put the site's name behind their own: "Attention | The Blog".
    for sign in (" | ", " - ", " – ", " — ", " · "):
        if site and title.endswith(sign + site):
            return title.removesuffix(sign + site)
    return title


def _type(tags: _Tags, linked: _Linked) -> str:
    if tags.first("citation_conference_title"):
        return "proceedings-article"
    if tags.first("citation_journal_title"):
        return "journal-article"
    if tags.first("citation_technical_report_institution"):
        return "report"
    if tags.first("citation_dissertation_institution"):
        return "dissertation"
    return linked.type or "webpage"


def _dois(tags: _Tags, linked: _Linked) -> tuple[str, ...]:
    texts = (
        tags.first("citation_doi"),
        tags.first("dc.identifier", "dc.identifier.doi", "prism.doi"),
        *linked.identifiers,
    )
    found = (identifiers.doi(value) for value in texts if value)
    return tuple(dict.fromkeys(doi for doi in found if doi))


def _canonical(said: str, url: str) -> str:
    """The address that the page calls its own, if it is one at the same host."""
    from urllib.parse import urljoin, urlsplit

    full = identifiers.url(urljoin(url, said)) if said else None
    same = full and urlsplit(full).hostname == urlsplit(url).hostname and urlsplit(full).path not in ("", "/")
    return full if full and same else url


def _date(value: str) -> Date | None:
    found = dates.parse(value.strip()[:10].replace("/", "-").rstrip("-T"))
    return found if found and 1000 <= found.year <= 2999 else None


class _Reader(HTMLParser):
    """Collects the few elements that matter; of a broken page what can be read."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        #: Name (lower case) and content.
        self.metas: list[tuple[str, str]] = []
        self.scripts: list[str] = []
        self.title = ""
        self.canonical = ""
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "meta":
            name = values.get("name") or values.get("property") or values.get("itemprop") or ""
            if name and values.get("content") and len(self.metas) < 5000:
                self.metas.append((name.strip().lower(), values["content"].strip()))
        elif tag == "link" and values.get("rel", "").lower() == "canonical":
            self.canonical = self.canonical or values.get("href", "").strip()
        elif tag == "title" and not self.title:
            self._inside = "title"
        elif tag == "script" and values.get("type", "").lower() == "application/ld+json":
            self._inside = "script"
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self.title = (self.title + data)[:1000]
        elif self._inside == "script":
            self.scripts[-1] = (self.scripts[-1] + data)[:_LONGEST_JSON]


class _Tags:
    """The ``meta`` elements of a page."""

    def __init__(self, metas: Iterable[tuple[str, str]]) -> None:
        self._by_name: dict[str, list[str]] = {}
        for name, content in metas:
            self._by_name.setdefault(name, []).append(content)

    def first(self, *names: str) -> str:
        return next((tex.clean(self._by_name[name][0]) for name in names if self._by_name.get(name)), "")

    def people(self, *names: str) -> tuple[Person, ...]:
        for name in names:
            values = self._by_name.get(name, [])
            if len(values) == 1 and ";" in values[0]:
                values = values[0].split(";")
            found = tuple(person for person in map(people.of_text, values) if person)
            if found:
                return found
        return ()


class _Linked:
    """The one object of a page's JSON-LD that describes the page's work."""

    def __init__(self, scripts: Iterable[str]) -> None:
        objects = [item for script in scripts for item in _objects(script)]
        self._item: Mapping[str, Any] = min(objects, key=_rank, default={})
        if objects and _rank(self._item) == len(_TYPES):
            self._item = {}

    @property
    def type(self) -> str:
        return _TYPES.get(_type_name(self._item), "")

    @property
    def title(self) -> str:
        return text(self._item.get("headline")) or text(self._item.get("name"))

    @property
    def date(self) -> Date | None:
        return _date(text(self._item.get("datePublished")) or text(self._item.get("dateCreated")))

    @property
    def people(self) -> tuple[Person, ...]:
        authors = self._item.get("author") or self._item.get("creator")
        authors = authors if isinstance(authors, list) else [authors]
        return tuple(person for person in map(_person, authors[:2000]) if person)

    @property
    def publisher(self) -> str:
        return _name(self._item.get("publisher"))

    @property
    def container(self) -> str:
        return _name(self._item.get("isPartOf"))

    @property
    def version(self) -> str:
        return text(self._item.get("softwareVersion")) or text(self._item.get("version"))

    @property
    def identifiers(self) -> list[str]:
        values = (self._item.get(name) for name in ("@id", "identifier", "sameAs"))
        flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
        return [text(item.get("value")) if isinstance(item, Mapping) else text(item) for item in flat]


def _objects(script: str) -> Iterator[Mapping[str, Any]]:
    try:
        value = json.loads(script)
    except (ValueError, RecursionError):
        return
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, Mapping):
            graph = item.get("@graph")
            yield from (
                (node for node in graph if isinstance(node, Mapping)) if isinstance(graph, list) else (item,)
            )


def _type_name(item: Mapping[str, Any]) -> str:
    return text(item.get("@type")).rpartition("/")[2].lower()


def _rank(item: Mapping[str, Any]) -> int:
    """How well an object's type says what the page is: by its place in ``_TYPES``."""
    name = _type_name(item)
    return list(_TYPES).index(name) if name in _TYPES else len(_TYPES)


def _name(value: object) -> str:
    value = value[0] if isinstance(value, list) and value else value
    return text(value.get("name")) if isinstance(value, Mapping) else text(value)


def _person(value: object) -> Person | None:
    if not isinstance(value, Mapping):
        return people.of_text(text(value)) if text(value) else None
    name, family = text(value.get("name")), text(value.get("familyName"))
    if _type_name(value) == "organization":
        return Person(literal=name) if name else None
    if family:
        return Person(family=family, given=text(value.get("givenName")))
    return people.of_text(name) if name else None
