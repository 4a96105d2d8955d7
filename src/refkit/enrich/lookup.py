"""Asking all services for all identifiers of a run: one lane for each service, side by side."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from refkit.enrich.lane import StoppedError
from refkit.enrich.records import Answer

if TYPE_CHECKING:
    from refkit.enrich.cache import Cache
    from refkit.enrich.session import Session
    from refkit.identifiers import ArxivId

#: How often the waiting thread looks up, in seconds: it must hear Ctrl-C.
_POLL = 0.2


class Wanted(NamedTuple):
    """The identifiers of a run, each once."""

    arxiv: tuple[ArxivId, ...] = ()
    #: Bare, in the spelling of the first entry that has it.
    dois: tuple[str, ...] = ()

    def __len__(self) -> int:
        """The number of identifiers."""
        return len(self.arxiv) + len(self.dois)


class Answers:
    """What became of each identifier."""

    def __init__(self, answers: Iterable[Answer] = ()) -> None:
        """An empty collection, or one of these answers."""
        self._by_id = {(answer.scheme, answer.id.lower()): answer for answer in answers}

    def add(self, answer: Answer) -> None:
        """Note an answer."""
        self._by_id[answer.scheme, answer.id.lower()] = answer

    def of(self, scheme: str, id: str) -> Answer | None:
        """The answer for an identifier, if it was asked for."""
        return self._by_id.get((scheme, id.lower()))

    def __iter__(self) -> Iterator[Answer]:
        """All answers."""
        return iter(self._by_id.values())

    def __len__(self) -> int:
        """Their number."""
        return len(self._by_id)


Tell = Callable[[Answer], None]


def lookup(
    session: Session, wanted: Wanted, *, refresh: bool = False, tell: Tell = lambda _: None
) -> Answers:
    """Asks for everything; returns when every identifier has an answer.

    Args:
        session: the connection.
        wanted: what to ask for.
        refresh: ask also for what was recorded in an earlier run.
        tell: is called, in the calling thread, with each answer as it comes.

    Raises:
        KeyboardInterrupt: as it comes; the lanes are stopped, what was answered is kept in the cache.
    """
    from refkit.enrich import arxiv, doi

    cache = session.cache(fresh=refresh)
    lanes: list[Callable[[], Iterator[Answer]]] = []
    if wanted.arxiv:
        lanes.append(lambda: arxiv.lookup(session, cache, wanted.arxiv))
    if wanted.dois:
        lanes.append(lambda: doi.lookup(session, cache, wanted.dois))
    answers = Answers()
    try:
        for answer in _side_by_side(lanes):
            answers.add(answer)
            tell(answer)
    except BaseException:
        session.close()
        raise
    return answers


def recorded(session: Session, wanted: Wanted) -> Answers:
    """The answers of earlier runs, of any age; ``offline`` for what there is none of. Asks nobody."""
    from refkit.enrich import arxiv, doi

    cache: Cache = session.cache(forever=True)
    nothing = "nothing is recorded for it; run once without --offline"
    answers = Answers()
    for id in wanted.arxiv:
        answers.add(arxiv.recorded(cache, id) or Answer("arxiv", str(id), "offline", message=nothing))
    for name in wanted.dois:
        answers.add(doi.recorded(cache, name) or Answer("doi", name, "offline", message=nothing))
    return answers


def _side_by_side(lanes: Sequence[Callable[[], Iterator[Answer]]]) -> Iterator[Answer]:
    """The answers of all lanes as they come. An error in a lane is raised here when all others have ended."""
    arrived: queue.SimpleQueue[Answer | BaseException | None] = queue.SimpleQueue()
    for lane in lanes:
        threading.Thread(target=_run, args=(lane, arrived.put), daemon=True, name="refkit-lane").start()
    running = len(lanes)
    error: BaseException | None = None
    while running:
        try:
            item = arrived.get(timeout=_POLL)
        except queue.Empty:
            continue
        if item is None:
            running -= 1
        elif isinstance(item, BaseException):
            error = item
        else:
            yield item
    if error is not None:
        raise error


def _run(lane: Callable[[], Iterator[Answer]], put: Callable[[Answer | BaseException | None], None]) -> None:
    """Passes on what a lane gives; ``None`` when it has ended."""
    try:
        for answer in lane():
            put(answer)
    except StoppedError:
        pass
    except BaseException as error:
        put(error)
    finally:
        put(None)
