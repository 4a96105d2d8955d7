"""Verifying entries without changing any: what services say of their identifiers and facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit import provenance
from refkit.enrich import merge
from refkit.enrich.lookup import Tell, lookup
from refkit.enrich.run import identifiers_of, local, wanted_of
from refkit.enrich.values import Flavour

if TYPE_CHECKING:
    from refkit.enrich.session import Session
    from refkit.model import Diagnostic, Entry


class Verified(NamedTuple):
    """What was found about the entries."""

    diagnostics: tuple[Diagnostic, ...]
    #: Whether something could not be verified: a service did not answer, or has no metadata.
    unverified: bool


def verify(
    entries: Iterable[Entry],
    session: Session,
    recorded: Mapping[str, Any] | None = None,
    *,
    refresh: bool = False,
    tell: Tell = lambda _: None,
) -> Verified:
    """Asks for the DOI and arXiv id of each entry and compares.

    Codes: ``invalid-doi``, ``invalid-arxiv``; ``doi-dead``, ``doi-unreachable``, ``doi-no-metadata``,
    ``doi-bad-answer`` and the like for ``arxiv-``, ``arxiv-missing``; ``doi-component``; ``mismatch``;
    ``retracted``, ``retraction-notice``, ``corrected``, ``withdrawn``; ``published``.

    Args:
        entries: the entries.
        session: the connection.
        recorded: the content of provenance.json: differences that it knows are not told.
        refresh: ask also for what was recorded in an earlier run.
        tell: is told each answer as it comes.
    """
    entries = list(entries)
    answers = lookup(session, wanted_of(entries), refresh=refresh, tell=tell)
    diagnostics: list[Diagnostic] = []
    unverified = False
    for entry in entries:
        id, doi = identifiers_of(entry)
        found = (answers.of("doi", doi) if doi else None, answers.of("arxiv", str(id)) if id else None)
        work = provenance.work(recorded or {}, entry.key)
        merged = merge.merge(entry, [answer for answer in found if answer], Flavour(), work)
        diagnostics += (*local(entry), *(one for one in merged.diagnostics if one.code not in _OF_FILLING))
        unverified |= merged.unverified
    return Verified(tuple(diagnostics), unverified)


#: What is told of values that would be filled in, and is a matter of the offline rules here.
_OF_FILLING = frozenset(("incomplete", "all-caps"))
