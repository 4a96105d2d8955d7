"""Crossref's REST interface: one record by its DOI (api.crossref.org/swagger-ui, ``/works/{doi}``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from refkit.enrich import csl

if TYPE_CHECKING:
    from refkit.enrich.records import Record

ACCEPT = "application/json"

#: Deposits under these prefixes list the authors by the alphabet: their order is not the paper's
#: (10.52202: proceedings of NeurIPS and ICML, deposited by Curran Associates).
ALPHABETICAL_PREFIXES = frozenset(("10.52202",))


def url(api: str, doi: str) -> str:
    """The address of a DOI's record."""
    return f"{api}/works/{doi}"


def payload(answer: object) -> Mapping[str, Any] | None:
    """The work in an answer; ``None`` if it is of another shape."""
    message = answer.get("message") if isinstance(answer, Mapping) else None
    if not isinstance(message, Mapping):
        return None
    return message if "DOI" in message or "title" in message else None


def parse(work: Mapping[str, Any], retrieved: str = "") -> Record:
    """The record of a work."""
    return csl.parse(work, "crossref", retrieved)


def order_is_trusted(doi: str) -> bool:
    """Whether the order of the authors in a DOI's record is that of the work."""
    return doi.partition("/")[0] not in ALPHABETICAL_PREFIXES
