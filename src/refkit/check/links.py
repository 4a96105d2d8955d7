"""Whether links are alive: each address is asked for once, one at a time at each site."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from refkit.check.model import Finding
from refkit.model import Severity

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.enrich.session import Reply, Session
    from refkit.model import Entry


class Place(NamedTuple):
    """Where an address stands: in a field of the entry, or among the related addresses of its provenance."""

    entry: Entry
    field: str


def addresses(library: Library) -> dict[str, list[Place]]:
    """Each address of the entries and of their provenance once, and where it stands."""
    found: dict[str, list[Place]] = {}
    for entry in library.entries:
        if entry.url.startswith("http"):
            found.setdefault(entry.url, []).append(
                Place(entry, "url" if entry.get("url") else "howpublished")
            )
        for link in library.work(entry.key).related:
            if link.verified and link.url.startswith("http") and link.url != entry.url:
                found.setdefault(link.url, []).append(Place(entry, ""))
    return found


def links(library: Library, session: Session) -> Iterator[tuple[str, Finding]]:
    """What became of the addresses: findings with their codes, in the order of entries."""
    places = addresses(library)
    told = _ask_all(session, places)
    for url, standing in places.items():
        for code, message, severity in told.get(url, ()):
            for place in standing:
                where = "" if place.field else "a related address: "
                yield (
                    code,
                    Finding(
                        where + message,
                        place.entry,
                        place.field,
                        url if place.field else "",
                        severity=severity,
                    ),
                )


Told = tuple[str, str, Severity | None]


def _ask_all(session: Session, urls: Iterable[str]) -> dict[str, list[Told]]:
    """Ask for all addresses, those of one site one after the other, several sites side by side."""
    by_site: dict[str, list[str]] = {}
    for url in urls:
        by_site.setdefault(urlsplit(url).netloc.lower(), []).append(url)
    waiting: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
    for site in by_site.values():
        waiting.put(site)
    told: dict[str, list[Told]] = {}
    errors: list[BaseException] = []
    workers = [
        threading.Thread(
            target=_work, args=(session, waiting, told, errors), daemon=True, name="refkit-links"
        )
        for _ in range(min(_WORKERS, len(by_site)))
    ]
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            while worker.is_alive():
                worker.join(0.1)  # in slices, so that Ctrl-C is heard
    except BaseException:
        session.close()
        raise
    if errors:
        raise errors[0]
    return told


#: How many sites are asked side by side.
_WORKERS = 8


def _work(
    session: Session,
    waiting: queue.SimpleQueue[list[str]],
    told: dict[str, list[Told]],
    errors: list[BaseException],
) -> None:
    """Take one site after the other, until none is left or the run is stopped."""
    try:
        while not session.stop.is_set():
            for url in waiting.get_nowait():
                told[url] = list(_ask(session, url))
    except queue.Empty:
        pass
    except BaseException as error:
        errors.append(error)


#: Read so much of a page at most: enough to see that it is there, and a repository's banner.
_ENOUGH = 1_500_000


def _ask(session: Session, url: str) -> Iterator[Told]:
    from refkit.enrich.lane import StoppedError
    from refkit.enrich.session import AnswerError, TooLargeError, UnreachableError

    try:
        reply = session.get("page", url, "text/html,application/pdf;q=0.9,*/*;q=0.5", limit=_ENOUGH)
    except TooLargeError:
        return  # it is there
    except (UnreachableError, AnswerError) as error:
        yield "link-unreachable", f"{url} could not be verified: {error}", None
        return
    except StoppedError:
        return
    yield from _judged(url, reply)


_REFUSED = frozenset((401, 402, 403, 405, 406, 407, 418, 451, 999))


def _judged(url: str, reply: Reply) -> Iterator[Told]:
    if reply.status in (404, 410):
        yield (
            "link-gone",
            f"{url} is gone (status {reply.status}): correct it, or give an archived copy",
            None,
        )
    elif reply.status in _REFUSED:
        yield (
            "link-blocked",
            f"{url} is not shown to programs (status {reply.status}): look at it yourself",
            None,
        )
    elif reply.status >= 400:
        yield "link-unreachable", f"{url} could not be verified: it answers with status {reply.status}", None
    else:
        yield from _moved(url, reply)
        yield from _repository(url, reply)


def _moved(url: str, reply: Reply) -> Iterator[Told]:
    asked, came = urlsplit(url), urlsplit(reply.url)
    if _key(url) == _key(reply.url):
        if asked.scheme != came.scheme:
            yield "link-moved", f"{url} is at {came.scheme} now: write {reply.url}", None
        return
    deep = asked.path.strip("/") and not came.path.strip("/") and not came.query
    if deep:
        yield "link-moved", f"{url} leads to the site's front page: the page may be gone", "warning"
    elif _repository_name(asked) is None or _repository_name(asked) == _repository_name(came):
        yield "link-moved", f"{url} leads to {reply.url}: write that if it is for good", None


def _key(url: str) -> str:
    parts = urlsplit(url)
    return f"{(parts.hostname or '').removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}".lower()


def _repository_name(parts: object) -> str | None:
    """``owner/name`` of an address at GitHub or GitLab, in lower case."""
    host, path = getattr(parts, "hostname", "") or "", getattr(parts, "path", "")
    pieces = [piece for piece in path.split("/") if piece]
    if host.removeprefix("www.") in ("github.com", "gitlab.com") and len(pieces) >= 2:
        return "/".join(pieces[:2]).lower().removesuffix(".git")
    return None


def _repository(url: str, reply: Reply) -> Iterator[Told]:
    before, now = _repository_name(urlsplit(url)), _repository_name(urlsplit(reply.url))
    if before and now and before != now:
        yield "repository-moved", f"the repository {before} is {now} now: write {reply.url}", None
    if before and b"repository has been archived by the owner" in reply.body:
        yield (
            "repository-archived",
            f"the repository {before} is archived: nothing changes there any more",
            None,
        )
