"""What is known of a DOI: who registered it, then that agency's record, else content negotiation.

The resolver's ``/doiRA`` says which agency a DOI is registered with, and whether it is registered at all;
agencies hold whole prefixes, so one answer serves all DOIs of a prefix. Content negotiation (CrossCite)
works with every agency that has CSL-JSON, at the price of two or three redirects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit import identifiers
from refkit.enrich import addresses, crossref, csl, datacite
from refkit.enrich.records import Answer, Record, State
from refkit.enrich.session import AnswerError, Reply, Session, UnreachableError
from refkit.values import tex

if TYPE_CHECKING:
    from types import ModuleType

    from refkit.enrich.cache import Cache

CSL_JSON = "application/vnd.citationstyles.csl+json"

#: Agencies that are asked themselves, by the name that ``/doiRA`` has for them.
_AGENCIES: Mapping[str, tuple[str, ModuleType]] = {
    "Crossref": ("crossref", crossref),
    "DataCite": ("datacite", datacite),
}

#: Members of which a record has at least one.
_MEMBERS = frozenset(("DOI", "title", "author", "issued", "type"))
_JSON_TYPES = re.compile(r"(?:application|text)/(?:[\w.-]+\+)?json")


class _NoRecordError(Exception):
    """There is no record to be had: the state, and what to say."""

    def __init__(self, state: State, message: str) -> None:
        super().__init__(message)
        self.state: State = state


class _Found(NamedTuple):
    service: str
    payload: Mapping[str, Any]


def lookup(session: Session, cache: Cache, dois: Sequence[str]) -> Iterator[Answer]:
    """Asks for each DOI (bare, as :func:`refkit.identifiers.doi` gives it); answers come in this order."""
    agencies: dict[str, str] = {}
    for doi in dois:
        yield recorded(cache, doi) or _Lookup(session, cache, agencies, doi).answer()


def recorded(cache: Cache, doi: str) -> Answer | None:
    """The answer from an earlier run, if there is one."""
    kept = cache.get("doi", doi.lower())
    if kept is None:
        return None
    try:
        return Answer("doi", doi, "found", _parse(_Found(*kept.payload), kept.date))
    except (TypeError, ValueError, KeyError, AttributeError):
        return None


def path(doi: str) -> str:
    """A DOI as the path of an address. Dots that a client would take for folders are kept from it."""
    quoted = identifiers.doi_path(doi)
    if any(part in ("", ".", "..") for part in quoted.split("/")):
        return quoted.replace("/", "%2F").replace("%2F", "/", 1)
    return quoted


def _parse(found: _Found, date: str) -> Record:
    if found.service == "datacite":
        return datacite.parse(found.payload, date)
    if found.service == "crossref":
        return crossref.parse(found.payload, date)
    return csl.parse(found.payload, "doi", date)


class _Lookup:
    """The look-up of one DOI."""

    def __init__(self, session: Session, cache: Cache, agencies: dict[str, str], doi: str) -> None:
        self._session = session
        self._config = session.config
        self._cache = cache
        self._agencies = agencies
        self._doi = doi
        self._path = path(doi)

    def answer(self) -> Answer:
        if self._path.rpartition("/")[2] in (".", ".."):
            return Answer("doi", self._doi, "dead", message="no DOI ends so")
        try:
            found = self._found()
        except _NoRecordError as none:
            return Answer("doi", self._doi, none.state, message=str(none))
        except UnreachableError as error:
            return Answer("doi", self._doi, "unreachable", message=str(error))
        except AnswerError as error:
            return Answer("doi", self._doi, "bad-answer", message=str(error))
        kept = self._cache.put("doi", self._doi.lower(), list(found))
        return Answer("doi", self._doi, "found", _parse(found, kept.date))

    def _found(self) -> _Found:
        agency = self._agency()
        if agency in _AGENCIES:
            found = self._from_agency(*_AGENCIES[agency])
            if found is not None:
                return found
        return self._negotiated()

    # -- who knows it ------------------------------------------------------------------------------------

    def _agency(self) -> str:
        """The name of the registration agency; empty where the resolver's answer makes no sense."""
        prefix = self._doi.partition("/")[0]
        if prefix not in self._agencies:
            kept = self._cache.get("agency", prefix)
            found = kept.payload if kept and isinstance(kept.payload, str) else self._ask_agency()
            if not found:
                return ""
            if kept is None:
                self._cache.put("agency", prefix, found)
            self._agencies[prefix] = found
        return self._agencies[prefix]

    def _ask_agency(self) -> str:
        reply = self._session.get(
            "doi", f"{self._config.doi_resolver}/doiRA/{self._path}", "application/json"
        )
        rows = _json(reply)
        row = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], Mapping) else {}
        if "not exist" in str(row.get("status", "")):
            raise _NoRecordError("dead", f"the resolver says: {tex.clean(str(row['status']))[:100]}")
        return csl.text(row.get("RA"))

    def _from_agency(self, service: str, module: ModuleType) -> _Found | None:
        """The agency's own record; ``None`` where it has none in the shape that it should have."""
        api = self._config.crossref_api if service == "crossref" else self._config.datacite_api
        reply = self._session.get(service, module.url(api, self._path), module.ACCEPT)
        if reply.status == 404:
            # Of a prefix that was asked for before, this DOI may not exist, or may have moved to another
            # agency.
            self._must_exist()
            return None
        payload = module.payload(_json(reply)) if reply.status == 200 else None
        return _Found(service, payload) if payload is not None else None

    def _must_exist(self) -> None:
        """Ask the handle system, which knows every DOI (responseCode 1: it is there, 100: it is not)."""
        reply = self._session.get(
            "doi", f"{self._config.doi_resolver}/api/handles/{self._path}", "application/json"
        )
        answer = _json(reply)
        code = answer.get("responseCode") if isinstance(answer, Mapping) else None
        if code == 100 or (reply.status == 404 and code is None):
            raise _NoRecordError("dead", "the resolver does not know it")

    def _negotiated(self) -> _Found:
        """Content negotiation at the resolver. ``Accept`` is sent again after every redirect."""
        reply = self._session.get("doi", f"{self._config.doi_resolver}/{self._path}", CSL_JSON)
        here = addresses.origin(reply.url) == addresses.origin(self._config.doi_resolver)
        if here and reply.status in (404, 410) and f"/{self._path}" in reply.url:
            raise _NoRecordError("dead", f"the resolver answered with status {reply.status}")
        if reply.status != 200:
            raise _NoRecordError(
                "no-metadata", f"it is registered, but its agency has no CSL-JSON metadata ({reply.status})"
            )
        work = _json(reply)
        if not isinstance(work, Mapping) or not _MEMBERS & work.keys():
            kind = reply.media_type or "no media type"
            what = "an empty body" if not reply.body.strip() else f"{kind}, not CSL-JSON metadata"
            raise _NoRecordError("no-metadata", f"it is registered, but asking for metadata gave {what}")
        service = "crossref" if work.get("source") == "Crossref" else "doi"
        return _Found(service, work)


def _json(reply: Reply) -> Any:
    """The JSON value of an answer, or ``None``. JSON is UTF-8 (RFC 8259) whatever a header says."""
    if reply.media_type and not _JSON_TYPES.fullmatch(reply.media_type):
        return None
    try:
        return json.loads(reply.body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
