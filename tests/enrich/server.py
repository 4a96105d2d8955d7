"""The services that refkit asks, on the loopback: arXiv, the DOI resolver, Crossref and DataCite.

They answer in the true formats. What they know is plain facts (`Paper`, `Work`); what goes wrong is scripted
(`Fault`). Every request is noted with its time.
"""

from __future__ import annotations

import email.utils
import http.server
import json
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from refkit.config import Config

CSL_JSON = "application/vnd.citationstyles.csl+json"


@dataclass
class Paper:
    """A paper at arXiv."""

    id: str
    title: str
    authors: list[str]
    published: str
    category: str = "cs.LG"
    version: int = 1
    doi: str = ""
    journal_ref: str = ""
    comment: str = ""
    summary: str = "What the paper is about."


@dataclass
class Work:
    """A work with a DOI: CSL's members, and who registered it."""

    csl: dict[str, Any]
    agency: str = "Crossref"

    @property
    def doi(self) -> str:
        return str(self.csl["DOI"])


@dataclass
class Fault:
    """What goes wrong instead of an answer."""

    status: int = 503
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"<html><body><h1>Not now</h1></body></html>"
    #: ``drop``: the connection is closed without an answer; ``half``: in the middle of the body;
    #: ``silence``: no answer for long; ``drip``: a byte now and then; ``endless``: a body of many megabytes.
    kind: str = ""
    #: How many requests it meets; 0 for all.
    times: int = 0


@dataclass
class Request:
    """A request as it came."""

    service: str
    path: str
    headers: dict[str, str]
    time: float
    status: int = 0


class Server:
    """All services under one address: ``/arxiv``, ``/doi``, ``/crossref``, ``/datacite``; and ``/site``."""

    def __init__(self) -> None:
        self.papers: dict[str, Paper] = {}
        self.works: dict[str, Work] = {}
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.faults: dict[str, list[Fault]] = {}
        self.requests: list[Request] = []
        #: Whether arXiv refuses what comes sooner than its terms allow, in seconds; 0 for never.
        self.arxiv_interval = 0.0
        self.stopping = threading.Event()
        self._guard = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self.base = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Server:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()

    # -- for tests ------------------------------------------------------------------------------------------

    def add(self, *items: Paper | Work) -> None:
        """Let the services know papers and works."""
        for item in items:
            if isinstance(item, Paper):
                self.papers[item.id] = item
            else:
                self.works[item.doi.lower()] = item

    def fail(self, service: str, *faults: Fault) -> None:
        """Let a service fail, one fault after the other."""
        self.faults.setdefault(service, []).extend(faults)

    def asked(self, service: str) -> list[Request]:
        """The requests to a service."""
        return [request for request in self.requests if request.service == service]

    def environment(self) -> dict[str, str]:
        """The variables that point refkit here."""
        return {
            "REFKIT_ARXIV_API": f"{self.base}/arxiv/api/query",
            "REFKIT_DOI_RESOLVER": f"{self.base}/doi",
            "REFKIT_CROSSREF_API": f"{self.base}/crossref",
            "REFKIT_DATACITE_API": f"{self.base}/datacite",
        }

    def config(self, base: Config) -> Config:
        """A configuration that points here."""
        return base._replace(
            arxiv_api=f"{self.base}/arxiv/api/query",
            doi_resolver=f"{self.base}/doi",
            crossref_api=f"{self.base}/crossref",
            datacite_api=f"{self.base}/datacite",
        )

    # -- answering ------------------------------------------------------------------------------------------

    def note(self, service: str, path: str, headers: Mapping[str, str]) -> Request:
        request = Request(
            service, path, {name.lower(): value for name, value in headers.items()}, time.monotonic()
        )
        with self._guard:
            self.requests.append(request)
        return request

    def fault(self, service: str) -> Fault | None:
        """The fault that meets this request, if one does."""
        with self._guard:
            waiting = self.faults.get(service)
            if not waiting:
                return None
            found = waiting[0]
            if found.times:
                found.times -= 1
                if not found.times:
                    waiting.pop(0)
            return found

    def too_soon(self, request: Request) -> bool:
        """Whether arXiv's terms are broken."""
        earlier = [other for other in self.asked("arxiv") if other is not request]
        return bool(self.arxiv_interval and earlier and request.time - earlier[-1].time < self.arxiv_interval)

    def answer(self, request: Request) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body."""
        parts = urlsplit(request.path)
        path, query = unquote(parts.path), parse_qs(parts.query, keep_blank_values=True)
        accept = request.headers.get("accept", "")
        if request.service == "arxiv":
            return self._arxiv(query)
        if request.service == "doi":
            return self._resolver(path, accept)
        if request.service == "crossref":
            return self._crossref(path)
        if request.service == "datacite":
            return self._datacite(path, accept)
        return self.pages.get(request.path, (404, {"Content-Type": "text/html"}, b"<h1>Not Found</h1>"))

    def _arxiv(self, query: Mapping[str, list[str]]) -> tuple[int, dict[str, str], bytes]:
        ids = [id for id in query.get("id_list", [""])[0].split(",") if id]
        limit = int(query.get("max_results", ["10"])[0])
        headers = {"Content-Type": "application/atom+xml; charset=utf-8"}
        bad = next((id for id in ids if not _is_id(id)), None)
        if bad:
            return 400, headers, _feed([_error(bad)], 1, len(ids)).encode()
        # In no promised order: from behind, here.
        found = [self.papers[_base(id)] for id in reversed(ids) if _base(id) in self.papers]
        entries = [_entry(paper) for paper in found][:limit]
        return 200, headers, _feed(entries, len(ids), limit).encode()

    def _resolver(self, path: str, accept: str) -> tuple[int, dict[str, str], bytes]:
        for start in ("/doiRA/", "/ra/"):
            if path.startswith(start):
                return self._agency(path.removeprefix(start))
        if path.startswith("/api/handles/"):
            doi = path.removeprefix("/api/handles/")
            there = doi.lower() in self.works
            return _json({"responseCode": 1 if there else 100, "handle": doi}, 200 if there else 404)
        work = self.works.get(path.removeprefix("/").lower())
        if work is None:
            return 404, {"Content-Type": "text/html;charset=utf-8"}, b"<!DOCTYPE html><h1>DOI Not Found</h1>"
        if CSL_JSON not in accept or work.agency not in ("Crossref", "DataCite"):
            return 302, {"Location": f"{self.base}/site/landing"}, b""
        if work.agency == "Crossref":
            return (
                302,
                {"Location": f"{self.base}/crossref/v1/works/{work.doi}/transform", "Vary": "Accept"},
                b"",
            )
        return 302, {"Location": f"{self.base}/datacite/dois/{work.doi}", "Vary": "Accept"}, b""

    def _agency(self, doi: str) -> tuple[int, dict[str, str], bytes]:
        work = self.works.get(doi.lower())
        return _json(
            [{"DOI": doi, "RA": work.agency} if work else {"DOI": doi, "status": "DOI does not exist"}]
        )

    def _crossref(self, path: str) -> tuple[int, dict[str, str], bytes]:
        transform = path.endswith("/transform")
        doi = path.removeprefix("/v1").removeprefix("/works/").removesuffix("/transform")
        work = self.works.get(doi.lower())
        if work is None or work.agency != "Crossref":
            return 404, {"Content-Type": "text/plain"}, b"Resource not found."
        limits = {"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"}
        if transform:
            return 200, {"Content-Type": CSL_JSON, **limits}, json.dumps(work.csl).encode()
        lists = {name: [value] for name, value in work.csl.items() if name in ("title", "container-title")}
        message = {**work.csl, **lists}
        status, headers, body = _json(
            {"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": message}
        )
        return status, {**headers, **limits}, body

    def _datacite(self, path: str, accept: str) -> tuple[int, dict[str, str], bytes]:
        work = self.works.get(path.removeprefix("/dois/").lower())
        if work is None or work.agency != "DataCite":
            return _json(
                {"errors": [{"status": "404", "title": "The resource you are looking for doesn't exist."}]},
                404,
            )
        if CSL_JSON in accept:
            return 200, {"Content-Type": CSL_JSON}, json.dumps(work.csl).encode()
        return _json({"data": {"id": work.doi.lower(), "type": "dois", "attributes": _attributes(work)}})


def retry_date(seconds: float) -> str:
    """An HTTP date so many seconds from now."""
    return email.utils.formatdate(time.time() + seconds, usegmt=True)


# -- formats ---------------------------------------------------------------------------------------------


def _json(value: object, status: int = 200) -> tuple[int, dict[str, str], bytes]:
    return status, {"Content-Type": "application/json"}, json.dumps(value).encode()


def _base(id: str) -> str:
    head, sign, tail = id.rpartition("v")
    return head if sign and tail.isdigit() else id


def _is_id(id: str) -> bool:
    base = _base(id)
    archive, slash, number = base.rpartition("/")
    if slash:
        return bool(archive) and number.isdigit() and len(number) == 7
    month, dot, number = base.partition(".")
    return bool(dot) and month.isdigit() and number.isdigit()


def _feed(entries: list[str], total: int, limit: int) -> str:
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" \
xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <title>arXiv Query: search_query=&amp;id_list=&amp;start=0&amp;max_results={limit}</title>
  <updated>2026-08-23T00:00:00Z</updated>
  <link href="https://arxiv.org/api/query?search_query=&amp;start=0" type="application/atom+xml"/>
  <opensearch:itemsPerPage>{limit}</opensearch:itemsPerPage>
  <opensearch:totalResults>{total}</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
{"".join(entries)}</feed>
"""


def _entry(paper: Paper) -> str:
    id = f"http://arxiv.org/abs/{paper.id}v{paper.version}"
    authors = "".join(
        f"    <author>\n      <name>{escape(name)}</name>\n    </author>\n" for name in paper.authors
    )
    optional = "".join(
        f"    <arxiv:{name}>{escape(value)}</arxiv:{name}>\n"
        for name, value in (
            ("comment", paper.comment),
            ("journal_ref", paper.journal_ref),
            ("doi", paper.doi),
        )
        if value
    )
    return f"""  <entry>
    <id>{id}</id>
    <title>{escape(paper.title)}</title>
    <updated>2026-01-02T03:04:05Z</updated>
    <link href="{id}" rel="alternate" type="text/html"/>
    <summary>{escape(paper.summary)}</summary>
    <category term={quoteattr(paper.category)} scheme="http://arxiv.org/schemas/atom"/>
    <published>{paper.published}T12:00:00Z</published>
{optional}    <arxiv:primary_category term={quoteattr(paper.category)}/>
{authors}  </entry>
"""


def _error(id: str) -> str:
    where = f"https://arxiv.org/api/errors#incorrect_id_format_for_{escape(id)}"
    return f"""  <entry>
    <id>{where}</id>
    <title>Error</title>
    <updated>2026-08-23T00:00:00Z</updated>
    <link href="{where}" rel="alternate" type="text/html"/>
    <summary>incorrect id format for {escape(id)}</summary>
    <author>
      <name>arXiv api core</name>
    </author>
  </entry>
"""


def _attributes(work: Work) -> dict[str, Any]:
    """A record in the shape of DataCite's JSON:API."""
    csl = work.csl
    date = csl["issued"]["date-parts"][0]
    creators = [
        {"name": name["literal"], "nameType": "Organizational"}
        if "literal" in name
        else {
            "name": f"{name['family']}, {name['given']}",
            "nameType": "Personal",
            "givenName": name["given"],
            "familyName": name["family"],
        }
        for name in csl.get("author", [])
    ]
    return {
        "doi": work.doi.lower(),
        "creators": creators,
        "titles": [{"title": csl["title"]}],
        "publisher": csl.get("publisher"),
        "publicationYear": date[0],
        "dates": [{"date": "-".join(f"{part:02}" for part in date), "dateType": "Issued"}],
        "version": csl.get("version"),
        "types": {"resourceTypeGeneral": csl.get("general", "Dataset"), "citeproc": csl.get("type")},
        "descriptions": [{"description": "An abstract.", "descriptionType": "Abstract"}],
        "relatedIdentifiers": csl.get("relatedIdentifiers", []),
        "identifiers": [],
        "container": {},
        "state": "findable",
    }


# -- HTTP ------------------------------------------------------------------------------------------------


class _Http(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    owner: Server

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no news."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        owner = self.server.owner
        service, _, rest = self.path.removeprefix("/").partition("/")
        service, mark, query = service.partition("?")
        request = owner.note(service, "/" + rest if not mark else f"?{query}", dict(self.headers.items()))
        fault = owner.fault(service)
        if fault is None and service == "arxiv" and owner.too_soon(request):
            fault = Fault(429, {"Content-Type": "text/plain"}, b"Rate exceeded.")
        if fault is not None and fault.kind:
            self._misbehave(request, fault)
            return
        status, headers, body = (fault.status, fault.headers, fault.body) if fault else owner.answer(request)
        request.status = status
        self._send(status, headers, len(body))
        self.wfile.write(body)

    def _send(self, status: int, headers: Mapping[str, str], length: int) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _misbehave(self, request: Request, fault: Fault) -> None:
        self.close_connection = True
        stopping = self.server.owner.stopping
        if fault.kind == "drop":
            return
        if fault.kind == "silence":
            stopping.wait(60)
            return
        status, headers, body = self.server.owner.answer(request)
        request.status = status
        if fault.kind == "half":
            self._send(status, headers, len(body))
            self.wfile.write(body[: len(body) // 2])
            return
        self._send(status, headers, 50_000_000)
        for piece in _drops(fault.kind):
            if stopping.is_set():
                return
            self.wfile.write(piece)
            self.wfile.flush()
            if fault.kind == "drip":
                stopping.wait(0.1)


def _drops(kind: str) -> Iterator[bytes]:
    if kind == "endless":
        for _ in range(50):
            yield b"<!-- " + b"x" * 999_990 + b"-->"
    else:
        while True:
            yield b" "
