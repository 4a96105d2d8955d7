"""arXiv, through the client of the ``arxiv`` package with our own hands on the connection.

The package knows how to ask and how to read a feed (info.arxiv.org/help/api/user-manual.html); what it does
when something is wrong does not suit a guest: no time-out, a retry after every status, no regard for
``Retry-After``, and a page of HTML read as "nothing found". So its one method that fetches and parses is
ours.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.parsers import expat

import arxiv
from arxiv import _feed

from refkit import identifiers
from refkit.enrich import people
from refkit.enrich.records import Answer, Notice, Record, State, Text
from refkit.enrich.session import AnswerError, ServiceError, Session, UnreachableError
from refkit.identifiers import ArxivId
from refkit.values import dates, tex

if TYPE_CHECKING:
    from refkit.enrich.cache import Cache, Kept

#: Ids in one request: far below the 2,000 results that arXiv gives for one, and its address stays below 4 kB.
BATCH = 200
ACCEPT = "application/atom+xml"

_ATOM = "http://www.w3.org/2005/Atom"
_FEED, _ENTRY, _ID, _SUMMARY = (f"{_ATOM} {name}" for name in ("feed", "entry", "id", "summary"))
# The package tells of what it passes over; what matters of that is told here.
logging.getLogger("arxiv").addHandler(logging.NullHandler())
_WITHDRAWN_COMMENT = re.compile(
    r"(?i)^\W*(?:this\s+(?:paper|article|submission|manuscript|version|work)\s+(?:has\s+been|is|was)\s+)?withdrawn\b"
    r"|\b(?:has\s+been|was|is(?:\s+being)?)\s+withdrawn\b|\bwithdrawn\s+by\s+(?:the\s+)?(?:author|arxiv)"
)
_WITHDRAWN_SUMMARY = re.compile(
    r"(?i)^\W*(?:this\s+)?(?:(?:the\s+)?(?:paper|article|submission|manuscript|preprint|work)\s+)?(?:has\s+been\s+|was\s+|is\s+)?"
    r"withdrawn\s+(?:by|due|because|from|as|since|for)\b"
)
_PUBLISHED_COMMENT = re.compile(
    r"(?i)\b(?:accepted|published|to\s+appear|appeared|appears|camera[- ]ready|in\s+proceedings)\b"
)
_BAD_ID = re.compile(r"incorrect id format for (\S{1,60})")


class FeedError(Exception):
    """The answer is no feed that may be read; says why."""


def lookup(session: Session, cache: Cache, ids: Sequence[ArxivId]) -> Iterator[Answer]:
    """Asks for all ids (with a version where one is meant), as many as possible at once.

    Answers come by id, in no promised order. A paper that the feed does not hold is ``missing``.
    """
    wanted = list(dict.fromkeys(id._replace(archive_class="") for id in ids))
    rest: list[ArxivId] = []
    for id in wanted:
        kept = recorded(cache, id)
        if kept:
            yield kept
        else:
            rest.append(id)
    for start in range(0, len(rest), BATCH):
        yield from _batch(session, cache, rest[start : start + BATCH])


def recorded(cache: Cache, id: ArxivId) -> Answer | None:
    """The answer from an earlier run, if there is one."""
    kept = cache.get("arxiv", str(id))
    return Answer("arxiv", str(id), "found", parse(kept)) if kept and _is_payload(kept.payload) else None


def _batch(session: Session, cache: Cache, ids: Sequence[ArxivId]) -> Iterator[Answer]:
    try:
        results, unread = _results(session, ids)
    except _IdError as bad:
        good = [id for id in ids if id.id != bad.id]
        for id in ids:
            if id.id == bad.id:
                yield Answer(
                    "arxiv", str(id), "dead", message="arXiv says that this is not the form of an id"
                )
        if good:
            yield from _batch(session, cache, good)
        return
    except ServiceError as error:
        state: State = "unreachable" if isinstance(error, UnreachableError) else "bad-answer"
        yield from (Answer("arxiv", str(id), state, message=str(error)) for id in ids)
        return
    for id in ids:
        # An id without version is answered with the newest; one with a version by that, or not at all.
        result = results.get(str(id)) or (results.get(id.id) if id.version is None else None)
        if result is None and id.id in unread:
            yield Answer("arxiv", str(id), "bad-answer", message="arXiv's entry for it lacks its dates")
        elif result is None:
            yield Answer("arxiv", str(id), "missing", message="arXiv has no paper of this id: not found")
        else:
            yield Answer("arxiv", str(id), "found", parse(cache.put("arxiv", str(id), result)))


class _IdError(Exception):
    """arXiv refuses the whole batch for one id."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.id = id


def _results(session: Session, ids: Sequence[ArxivId]) -> tuple[dict[str, dict[str, Any]], set[str]]:
    """Payloads, each under its id with and without version; and the ids of entries that cannot be read."""
    search = arxiv.Search(id_list=[str(id) for id in ids], max_results=len(ids))
    found: dict[str, dict[str, Any]] = {}
    client = _Client(session, len(ids))
    for result in client.results(search):
        payload = _payload(result)
        id = identifiers.arxiv(payload["id"])
        if id is not None:
            found[str(id)] = payload
            # Two versions may have been asked for: the newest stands for the id.
            known = found.get(id.id)
            if known is None or (id.version or 0) >= _version(known["id"]):
                found[id.id] = payload
    seen = {id.id for text in client.seen.ids if (id := identifiers.arxiv(text))}
    return found, seen - found.keys()


def _version(id: str) -> int:
    found = identifiers.arxiv(id)
    return (found.version if found else None) or 0


class _Client(arxiv.Client):  # type: ignore[misc]  # the package is not typed
    """The package's client; what it fetches comes through our session, and is looked at before it is read."""

    def __init__(self, session: Session, page_size: int) -> None:
        super().__init__(page_size=page_size, delay_seconds=0, num_retries=0)
        self.query_url_format = session.config.arxiv_api + "?{}"
        self._ours = session
        self.seen = Feed()

    def _parse_feed(self, url: str, first_page: bool = True, _try_index: int = 0) -> _feed.ParsedFeed:  # noqa: ARG002 - the package's signature
        reply = self._ours.get("arxiv", url, ACCEPT)
        try:
            self.seen = check_feed(reply.body)
        except FeedError as refused:
            raise AnswerError("arxiv", _unexpected(reply.status, reply.media_type, str(refused))) from refused
        self._check_errors(reply.status)
        try:
            feed = _feed.parse(reply.body)
        except ValueError as error:  # a date that is none
            raise AnswerError("arxiv", f"arXiv's answer cannot be read: {error}") from error
        if feed.malformed:
            raise AnswerError("arxiv", f"arXiv's answer cannot be read: {feed.error}")
        # A paper that is missing makes the package ask for a second page, which cannot hold it.
        feed.header.total_results = len(feed.results)
        return feed

    def _check_errors(self, status: int) -> None:
        if not self.seen.errors and status == 200:
            return
        message = self.seen.errors[0] if self.seen.errors else f"status {status}"
        named = _BAD_ID.search(message)
        if named and (id := identifiers.arxiv(named[1])):
            raise _IdError(id.id)
        raise AnswerError("arxiv", f"arXiv refuses the request: {message}")


class Feed(NamedTuple):
    """What a feed holds, before the package reads it: it passes over entries that lack a date."""

    #: The ids of its entries.
    ids: tuple[str, ...] = ()
    #: What its error entries say.
    errors: tuple[str, ...] = ()


def check_feed(body: bytes) -> Feed:
    """Lets pass only a well-formed Atom feed without a document type, and so without entities.

    Errors come as entries whose id lies below /api/errors, with status 400 and formerly 200.

    Raises:
        FeedError: it is something else, and what.
    """
    if body[:500].lstrip()[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise FeedError("it is a page of HTML, not a feed")
    reader = _FeedReader()
    try:
        reader.read(body)
    except expat.ExpatError as error:
        raise FeedError(f"it is no complete XML ({error})") from error
    if reader.root != _FEED:
        raise FeedError("it is XML, but no Atom feed")
    errors = [text for id, text in reader.entries if "/api/errors" in id]
    ids = [id for id, _ in reader.entries if "/api/errors" not in id]
    return Feed(tuple(ids), tuple(tex.clean(text)[:200] for text in errors))


class _FeedReader:
    """Reads id and summary of each entry."""

    def __init__(self) -> None:
        self.root = ""
        self.entries: list[tuple[str, str]] = []
        self._path: list[str] = []
        self._texts: dict[str, str] = {}

    def read(self, body: bytes) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(body, True)

    def _doctype(self, *_: object) -> None:
        raise FeedError("its XML declares a DTD, which may hold entities without end; it was not read")

    def _start(self, name: str, _: Mapping[str, str]) -> None:
        self.root = self.root or name
        self._path.append(name)
        if len(self._path) == 2:
            self._texts = {}

    def _end(self, _: str) -> None:
        if self._path == [_FEED, _ENTRY]:
            self.entries.append((self._texts.get(_ID, "").strip(), self._texts.get(_SUMMARY, "")))
        self._path.pop()

    def _text(self, text: str) -> None:
        if len(self._path) == 3 and self._path[2] in (_ID, _SUMMARY):
            self._texts[self._path[2]] = self._texts.get(self._path[2], "") + text


def _unexpected(status: int, media_type: str, why: str) -> str:
    with_status = "" if status == 200 else f" with status {status}"
    kind = f" of type {media_type}" if media_type else ""
    return f"arXiv's answer{with_status}{kind} cannot be used: {why}"


# -- from results to records -----------------------------------------------------------------------------


def _payload(result: arxiv.Result) -> dict[str, Any]:
    """What is kept of a result: all but the abstract, of which only a notice of withdrawal."""
    withdrawn = _WITHDRAWN_SUMMARY.search(result.summary[:300])
    return {
        "id": result.entry_id,
        "title": result.title,
        "authors": [author.name for author in result.authors],
        "published": result.published.date().isoformat(),
        "updated": result.updated.date().isoformat(),
        "comment": result.comment or "",
        "journal_ref": result.journal_ref or "",
        "doi": result.doi or "",
        "primary_category": result.primary_category or "",
        "withdrawn": " ".join(result.summary[:300].split()) if withdrawn else "",
    }


def _is_payload(value: object) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("id"), str)
        and isinstance(value.get("authors"), list)
    )


def parse(kept: Kept) -> Record:
    """The record of a paper. Its date is that of the first version, whichever version was asked for."""
    paper: Mapping[str, Any] = kept.payload
    id = identifiers.arxiv(paper["id"]) or ArxivId(paper["id"])
    published = dates.parse(str(paper.get("published", "")))
    names = (people.of_text(name) for name in paper["authors"] if isinstance(name, str))
    return Record(
        service="arxiv",
        id=id.id,
        retrieved=kept.date,
        type="preprint",
        title=Text(tex.clean(str(paper.get("title", ""))), "tex"),
        authors=tuple(person for person in names if person),
        date=published,
        years=frozenset((published.year,)) if published else frozenset(),
        arxiv_version=id.version,
        arxiv_class=str(paper.get("primary_category", "")),
        published_dois=_dois(str(paper.get("doi", ""))),
        published_in=_published_in(paper),
        notices=tuple(_notices(paper, id)),
    )


def _dois(text: str) -> tuple[str, ...]:
    """The DOIs of the element, which holds several separated by blanks; arXiv's own name no publication."""
    found = (identifiers.doi(word) for word in re.split(r"[\s;,]+(?=10\.|https?:)", text))
    return tuple(dict.fromkeys(doi for doi in found if doi and not identifiers.arxiv(doi)))


def _published_in(paper: Mapping[str, Any]) -> str:
    reference = tex.clean(str(paper.get("journal_ref", "")))
    if reference and not reference.lower().startswith("arxiv"):
        return reference[:300]
    comment = tex.clean(str(paper.get("comment", "")))
    return comment[:300] if _PUBLISHED_COMMENT.search(comment) else ""


def _notices(paper: Mapping[str, Any], id: ArxivId) -> Iterator[Notice]:
    comment = tex.clean(str(paper.get("comment", "")))[:300]
    said = comment if _WITHDRAWN_COMMENT.search(comment) else str(paper.get("withdrawn", ""))
    if said:
        version = f"version {id.version}: " if id.version else ""
        yield Notice("withdrawn", "arXiv", str(paper.get("updated", "")), detail=f"{version}{said[:200]}")
