"""HTTP as a good guest: paced, patient within bounds, and careful with what comes back.

Of an answer the caller gets status, media type and bytes, whatever the status; only when there is no answer
that could be believed an error is raised. ``UnreachableError`` says nothing about the work that was asked
for; ``AnswerError`` says that the service answered something that cannot be right.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from refkit.enrich import addresses
from refkit.enrich.cache import Cache, default_folder
from refkit.enrich.lane import BusyError, Lane, StoppedError

if TYPE_CHECKING:
    from pathlib import Path

    import requests

    from refkit.config import Config

#: Seconds between two requests to a service. arXiv: its API's terms of use. Crossref and DataCite say what
#: they allow in their answers, which is obeyed; these are what to begin with (5 and 3 a second).
INTERVALS: Mapping[str, float] = {"arxiv": 3.0, "doi": 0.1, "crossref": 0.2, "datacite": 0.3, "page": 0.5}
NAMES: Mapping[str, str] = {
    "arxiv": "arXiv",
    "doi": "the DOI resolver",
    "crossref": "Crossref",
    "datacite": "DataCite",
    "page": "the site",
}

#: An answer is read up to this size, in bytes.
MAX_BYTES = 8_000_000
MAX_REDIRECTS = 8
#: How often one thing is asked for, and the first pause before it is asked for again, in seconds.
MAX_TRIES = 4
FIRST_PAUSE = 1.0
#: After a service's first failure a run asks it for no longer than this many times the time-out.
FACTOR = 4


class ServiceError(Exception):
    """No usable answer. ``service`` is its name in ``NAMES``; the message says what happened."""

    def __init__(self, service: str, message: str) -> None:
        """What a service did."""
        super().__init__(message)
        self.service = service


class UnreachableError(ServiceError):
    """The service did not answer, or said that it cannot now. Nothing is known about what was asked for."""


class AnswerError(ServiceError):
    """The service answered, and the answer cannot be right or must not be followed."""


class TooLargeError(AnswerError):
    """The answer is there and longer than the caller wants to read."""


class Reply(NamedTuple):
    """An answer."""

    status: int
    #: In lower case, without parameters: ``application/json``.
    media_type: str
    body: bytes
    #: The address that answered in the end.
    url: str
    #: Names in lower case.
    headers: Mapping[str, str]


class _TransientError(Exception):
    """A failure that asking again may mend: what it was, and how long the service asks to wait."""

    def __init__(
        self, message: str, pause: float | None = None, tries: int = MAX_TRIES, *, too_often: bool = False
    ) -> None:
        super().__init__(message)
        self.pause = pause
        self.tries = tries
        #: Whether the service says that it is asked too often.
        self.too_often = too_often


class _State:
    """How a service has been doing in this run."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.client: requests.Session | None = None
        #: When (monotonic) the present row of failures began.
        self.failing_since: float | None = None
        #: Whether the last request was given up: then the next is tried once only.
        self.gave_up = False
        #: Whether it has said to the end that it is asked too much: then it is left alone for the rest of
        #: the run.
        self.closed = False
        self.reason = ""


class Session:
    """The connection to all services of one run. May be used from several threads, one for each service.

    Args:
        config: addresses, time-out and contact.
        intervals: seconds between requests by service; for tests.
        say: is told, in a few words, what is being waited for.
    """

    def __init__(
        self,
        config: Config,
        *,
        intervals: Mapping[str, float] = INTERVALS,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """A run that has asked nobody yet."""
        self.config = config
        self.stop = threading.Event()
        self.say = say
        self._intervals = intervals
        self._folder = cache_folder(config)
        self._states: dict[str, _State] = {}
        self._guard = threading.Lock()
        self._trusted = frozenset(
            addresses.origin(url)
            for url in (config.arxiv_api, config.doi_resolver, config.crossref_api, config.datacite_api)
        )

    def cache(self, *, fresh: bool = False, forever: bool = False) -> Cache:
        """The records kept from earlier runs."""
        return Cache(self._folder, fresh=fresh, forever=forever)

    def close(self) -> None:
        """End the run: whoever waits for a service stops waiting."""
        self.stop.set()

    def get(self, service: str, url: str, accept: str, *, limit: int = MAX_BYTES) -> Reply:
        """Ask a service for an address.

        Only 429, 5xx and dropped connections are asked again, with growing pauses that ``Retry-After`` may
        lengthen.

        Raises:
            UnreachableError: no answer in time, or the service refuses to answer now.
            AnswerError: a redirect that must not be followed, or a body beyond ``limit`` bytes.
            StoppedError: the run was stopped.
        """
        state = self._state(service, url)
        tries = 1 if state.gave_up else MAX_TRIES
        for number in range(1, MAX_TRIES + 1):
            left = self._left(service, state)
            try:
                reply = self._turn(service, state, url, accept, limit, left)
            except _TransientError as failure:
                pause = failure.pause if failure.pause is not None else _backoff(number)
                if failure.pause is not None:
                    state.lane.hold(failure.pause)
                self._note(state, str(failure))
                if number >= min(tries, failure.tries) or pause > self._left(service, state):
                    state.gave_up = True
                    state.closed = failure.too_often
                    raise UnreachableError(service, f"{NAMES[service]} {failure}") from failure
                self.say(
                    f"{NAMES[service]} {failure}; asking again in {max(pause, state.lane.interval):.0f} s"
                )
                if self.stop.wait(pause):
                    raise StoppedError from None
            else:
                state.failing_since, state.gave_up = None, False
                return reply
        raise AssertionError("unreachable: the last try returns or raises")

    # -- one request -------------------------------------------------------------------------------------

    def _turn(self, service: str, state: _State, url: str, accept: str, limit: int, left: float) -> Reply:
        try:
            with state.lane.turn(left):
                left = self._left(service, state)
                client = state.client = state.client or _new_client(user_agent(self.config))
                seconds = min(2 * self.config.timeout, left)
                reply = _within(seconds, lambda: self._follow(client, service, url, accept, limit))
                self._adapt(state, reply)
        except BusyError as busy:
            state.gave_up = True
            self._note(state, f"asks to wait {busy.seconds:.0f} s")
            raise UnreachableError(
                service, f"{NAMES[service]} asks not to be asked for {busy.seconds:.0f} s"
            ) from busy
        except TimeoutError as late:
            state.client = None  # it is still at it, in a thread of its own
            raise _TransientError(f"did not answer within {self.config.timeout:g} s", tries=1) from late
        if reply.status == 429 or reply.status >= 500:
            message = f"answered with status {reply.status}"
            raise _TransientError(message, _retry_after(reply.headers), too_often=reply.status == 429)
        return reply

    def _follow(self, client: requests.Session, service: str, url: str, accept: str, limit: int) -> Reply:
        """Redirects are followed here, so that each is looked at before it is."""
        seen = {url}
        for _ in range(MAX_REDIRECTS + 1):
            reply = self._send(client, service, url, accept, limit)
            if reply.status not in (301, 302, 303, 307, 308):
                return reply
            where = reply.headers.get("location", "")
            target = urljoin(url, where)
            fault = (
                addresses.refused(url, target, self._trusted, downgrade=service == "page")
                if where
                else "nowhere"
            )
            if fault:
                raise AnswerError(
                    service, f"{NAMES[service]} redirects {url} to {where[:200]!r}, {fault}: not followed"
                )
            if target in seen:
                raise AnswerError(service, f"{NAMES[service]} redirects {url} in a circle")
            seen.add(target)
            url = target
        raise AnswerError(service, f"{NAMES[service]} redirects {url} more than {MAX_REDIRECTS} times")

    def _send(self, client: requests.Session, service: str, url: str, accept: str, limit: int) -> Reply:
        import requests

        timeout = self.config.timeout
        try:
            with client.get(
                url,
                headers={"Accept": accept},
                timeout=(min(5.0, timeout), timeout),
                stream=True,
                allow_redirects=False,
            ) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                redirected = response.is_redirect or response.status_code in (301, 302, 303, 307, 308)
                body = b"" if redirected else self._body(service, response, limit)
                media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
                return Reply(response.status_code, media_type, body, url, headers)
        except requests.exceptions.Timeout as error:
            raise _TransientError(f"did not answer within {timeout:g} s", tries=1) from error
        except (requests.exceptions.ProxyError, requests.exceptions.SSLError) as error:
            raise _TransientError(f"cannot be reached: {_reason(error)}", tries=1) from error
        except (requests.exceptions.ConnectionError, requests.exceptions.ChunkedEncodingError) as error:
            refused = "NewConnectionError" in repr(error) or "NameResolution" in repr(error)
            what = "cannot be reached" if refused else "dropped the connection"
            raise _TransientError(f"{what}: {_reason(error)}", tries=1 if refused else MAX_TRIES) from error
        except (requests.exceptions.RequestException, UnicodeError, ValueError) as error:
            raise AnswerError(
                service, f"{NAMES[service]}: {url} cannot be asked for: {_reason(error)}"
            ) from error

    def _body(self, service: str, response: requests.Response, limit: int) -> bytes:
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_content(65536):
            size += len(piece)
            if size > limit:
                raise TooLargeError(
                    service, f"{NAMES[service]} sends more than {limit / 1e6:g} MB: not read further"
                )
            pieces.append(piece)
        return b"".join(pieces)

    # -- how services are doing --------------------------------------------------------------------------

    def _state(self, service: str, url: str) -> _State:
        """That of the service; of web sites each has its own."""
        name = f"page-{_host_name(url)}" if service == "page" else service
        with self._guard:
            if name not in self._states:
                folder = _writable(self._folder / "lanes")
                self._states[name] = _State(Lane(folder, name, self._intervals[service], self.stop))
            return self._states[name]

    def _note(self, state: _State, reason: str) -> None:
        state.reason = reason
        if state.failing_since is None:
            state.failing_since = time.monotonic()

    def _left(self, service: str, state: _State) -> float:
        """Seconds for which the service may still be asked in this run."""
        if self.stop.is_set():
            raise StoppedError
        total = FACTOR * self.config.timeout
        if state.failing_since is None:
            return total
        left = state.failing_since + total - time.monotonic()
        # What is begun in the last moments could not end in time.
        if state.closed or left <= 0.05 * self.config.timeout:
            raise UnreachableError(
                service, f"{NAMES[service]} {state.reason}; not asked any more in this run"
            )
        return left

    def _adapt(self, state: _State, reply: Reply) -> None:
        """The pace that an answer asks for: Crossref's ``x-rate-limit-limit`` and ``-interval``."""
        try:
            limit = float(reply.headers["x-rate-limit-limit"])
            interval = float(reply.headers["x-rate-limit-interval"].rstrip("s"))
        except (KeyError, ValueError):
            return
        if limit > 0 and 0 < interval / limit <= 60:
            state.lane.interval = max(interval / limit, state.lane.interval)


def cache_folder(config: Config) -> Path:
    """Where records and the state of lanes are kept."""
    from pathlib import Path

    return Path(config.cache_dir).expanduser() if config.cache_dir else default_folder()


def _host_name(url: str) -> str:
    """The host and port of an address as a plain file name."""
    import hashlib

    return hashlib.sha256(":".join(map(str, addresses.origin(url)[1:])).encode()).hexdigest()[:16]


def user_agent(config: Config) -> str:
    """The name by which services know us, with a contact if one is set."""
    from refkit import __version__

    contact = (
        f"mailto:{config.mailto}" if config.mailto else f"+{config.repository}" if config.repository else ""
    )
    contact = "".join(
        char for char in contact if char.isascii() and char.isprintable() and char not in "()\\"
    )
    return f"refkit/{__version__} ({contact})" if contact else f"refkit/{__version__}"


def _new_client(agent: str) -> requests.Session:
    import http.cookiejar

    import requests

    client = requests.Session()
    client.headers["User-Agent"] = agent
    # Proxies come from the environment; passwords from ~/.netrc have no business here.
    client.auth = _no_auth
    client.cookies.set_policy(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
    return client


def _no_auth(request: Any) -> Any:
    return request


def _within(seconds: float, call: Callable[[], Reply]) -> Reply:
    """The result of a call, if it comes within this time.

    A time-out for each read bounds nothing where a server sends a byte now and then; so the call runs in a
    thread that is left alone when it is late.

    Raises:
        TimeoutError: it did not.
    """
    outcome: list[Reply | BaseException] = []

    def run() -> None:
        try:
            outcome.append(call())
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True, name="refkit-request")
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise TimeoutError
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def _backoff(number: int) -> float:
    """The pause after the given try, in seconds: doubled each time, with a part of chance against crowds."""
    import random

    chance: float = random.random()  # noqa: S311 - no secret depends on it
    return FIRST_PAUSE * float(2 ** (number - 1)) * (1 + chance / 2)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the header asks for (RFC 9110, 10.2.3: a number of seconds or a date)."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.isdigit():
        return float(value[:9])
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _reason(error: BaseException) -> str:
    """The innermost cause in one line."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:200]


def _writable(folder: Path) -> Path:
    """The folder, or one for this run alone where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        import tempfile
        from pathlib import Path

        return Path(tempfile.mkdtemp(prefix="refkit-"))
    return folder
