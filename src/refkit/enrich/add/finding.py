"""Asks the services for what is to be added: identifiers first, then what the answers name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from refkit import identifiers
from refkit.enrich import foreign, matching, page
from refkit.enrich.add.model import AddError, Found, Request
from refkit.enrich.lookup import Wanted, lookup
from refkit.model import NameList

if TYPE_CHECKING:
    from refkit.enrich.records import Answer, Record
    from refkit.enrich.session import Session

#: A preprint and its publication are one work only if their titles are this alike (0 to 1).
_SAME_WORK = 0.95


def request(text: str) -> Request:
    """What an identifier is.

    Raises:
        AddError: it is none that can be looked up.
    """
    found = identifiers.detect(text)
    if found is None or found[0] not in ("arxiv", "doi", "url") or found[1].startswith(("ftp:", "mailto:")):
        raise AddError(
            f"{text!r} is no arXiv id, DOI or web address; for anything else write the entry by hand"
        )
    return Request(text, *found)


def find(
    session: Session, requests: Sequence[Request], tell: Callable[[Answer], None] = lambda _: None
) -> list[Found]:
    """Asks for everything: identifiers first, then what the answers name (publication, preprint)."""
    pages = {one.id: page.lookup(session, one.id) for one in requests if one.scheme == "url"}
    first = {one: _identifiers(one, pages.get(one.id)) for one in requests}
    answers = lookup(session, _wanted(first.values()), tell=tell)
    second = {one: _further(answers.of(*wanted)) for one, names in first.items() for wanted in names}
    more = lookup(session, _wanted(second.values()), tell=tell)
    found = []
    for one in requests:
        own = [answer for scheme, id in first[one] if (answer := answers.of(scheme, id))]
        further = [answer for scheme, id in second.get(one, ()) if (answer := more.of(scheme, id))]
        of_page = pages.get(one.id)
        base = [of_page] if of_page and not any(answer.record for answer in own) else []
        found.append(Found(one, (*own, *base, *_same_work(own, further))))
    return found


_Names = list[tuple[str, str]]


def _identifiers(one: Request, of_page: Answer | None) -> _Names:
    """The identifiers to look up for a request: its own, or those that the page names."""
    if one.scheme != "url":
        return [(one.scheme, one.id)]
    record = of_page.record if of_page else None
    if record is None or record.type in ("software", "dataset"):
        return []
    arxiv = next((id for text in record.preprints if (id := identifiers.arxiv(text))), None)
    return [("arxiv", str(arxiv))] if arxiv else [("doi", doi) for doi in record.published_dois[:1]]


def _further(answer: Answer | None) -> _Names:
    """What a record names beside itself: the publication of a preprint, the preprint of a publication."""
    record = answer.record if answer else None
    if record is None:
        return []
    if record.service == "arxiv":
        return [("doi", doi) for doi in record.published_dois[:1]]
    preprint = next((id for text in record.preprints if (id := identifiers.arxiv(text))), None)
    return [("arxiv", preprint.id)] if preprint else []


def _wanted(names: Iterable[_Names]) -> Wanted:
    flat = dict.fromkeys(name for some in names for name in some)
    ids = (identifiers.arxiv(id) for scheme, id in flat if scheme == "arxiv")
    return Wanted(tuple(id for id in ids if id), tuple(id for scheme, id in flat if scheme == "doi"))


def _same_work(own: Sequence[Answer], further: Sequence[Answer]) -> list[Answer]:
    """Of what was found further, that which is the same work beyond doubt."""
    record = next((answer.record for answer in own if answer.record), None)
    if record is None:
        return []
    return [answer for answer in further if answer.record and _is_same(record, answer.record)]


def _is_same(one: Record, other: Record) -> bool:
    titles = foreign.plain(one.title), foreign.plain(other.title)
    people = matching.compare_people(NameList(one.authors), other.authors)
    return (
        matching.similarity(*titles) >= _SAME_WORK
        and people is not None
        and people.overlap >= matching.SAME_PEOPLE
    )
