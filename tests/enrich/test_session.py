"""The polite session: what is asked again and what is not, how long it takes, what is never followed."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.enrich.conftest import AT_ONCE
from tests.enrich.server import Fault, Server, retry_date

from refkit.enrich import session as session_module
from refkit.enrich.session import AnswerError, Session, UnreachableError, user_agent

if TYPE_CHECKING:
    from refkit.config import Config


def _get(session: Session, server: Server, service: str = "crossref", path: str = "/works/10.5555/x") -> int:
    return session.get(service, f"{server.base}/{service}{path}", "application/json").status


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_passing_failure_is_asked_again(session: Session, server: Server, status: int) -> None:
    server.fail("crossref", Fault(status, times=2))

    assert _get(session, server) == 404
    assert len(server.asked("crossref")) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 406, 410])
def test_what_asking_again_cannot_mend_is_asked_once(session: Session, server: Server, status: int) -> None:
    server.fail("crossref", Fault(status))

    assert _get(session, server) == status
    assert len(server.asked("crossref")) == 1


@pytest.mark.parametrize("kind", ["drop", "half"])
def test_a_dropped_connection_is_asked_again(session: Session, server: Server, kind: str) -> None:
    server.fail("crossref", Fault(kind=kind, times=1))

    assert _get(session, server) == 404
    assert len(server.asked("crossref")) == 2


def test_dropping_the_connection_for_ever_ends_the_asking(session: Session, server: Server) -> None:
    server.fail("crossref", Fault(kind="drop"))

    with pytest.raises(UnreachableError, match="dropped the connection"):
        _get(session, server)
    assert len(server.asked("crossref")) == session_module.MAX_TRIES


@pytest.mark.parametrize("kind", ["silence", "drip"])
def test_a_server_that_keeps_us_waiting_is_left(settings: Config, server: Server, kind: str) -> None:
    server.fail("crossref", Fault(kind=kind))
    session = Session(settings._replace(timeout=0.5), intervals=AT_ONCE)
    began = time.monotonic()

    with pytest.raises(UnreachableError, match="did not answer within"):
        _get(session, server)
    assert time.monotonic() - began < 2
    assert len(server.asked("crossref")) == 1


def test_a_body_of_50_megabytes_is_not_read_to_its_end(session: Session, server: Server) -> None:
    server.fail("crossref", Fault(kind="endless"))

    with pytest.raises(AnswerError, match="more than 8 MB"):
        _get(session, server)


def test_nobody_at_the_address_is_said_soon(settings: Config, tmp_path: Path) -> None:
    session = Session(settings, intervals=AT_ONCE)

    with pytest.raises(UnreachableError, match="cannot be reached"):
        session.get("crossref", "http://127.0.0.1:9/works/10.5555/x", "application/json")


# -- Retry-After -----------------------------------------------------------------------------------------


def test_retry_after_in_seconds_is_obeyed(session: Session, server: Server) -> None:
    server.fail("crossref", Fault(429, {"Retry-After": "1"}, times=1))

    assert _get(session, server) == 404
    first, second = server.asked("crossref")
    assert second.time - first.time >= 1


def test_retry_after_as_a_date_is_obeyed(session: Session, server: Server) -> None:
    server.fail("crossref", Fault(503, {"Retry-After": retry_date(2)}, times=1))

    assert _get(session, server) == 404
    first, second = server.asked("crossref")
    assert second.time - first.time >= 0.9  # the date has no fractions of a second


def test_retry_after_binds_the_other_processes_too(settings: Config, server: Server) -> None:
    server.fail("crossref", Fault(429, {"Retry-After": "3600"}, times=1))
    with pytest.raises(UnreachableError):
        _get(Session(settings, intervals=AT_ONCE), server)

    with pytest.raises(UnreachableError, match="asks not to be asked for"):
        _get(Session(settings, intervals=AT_ONCE), server)
    assert len(server.asked("crossref")) == 1


@pytest.mark.slow
def test_seven_seconds_are_waited(settings: Config, server: Server) -> None:
    server.fail("crossref", Fault(429, {"Retry-After": "7"}, times=1))

    assert _get(Session(settings, intervals=AT_ONCE), server) == 404
    first, second = server.asked("crossref")
    assert 7 <= second.time - first.time < 9


# -- an end ----------------------------------------------------------------------------------------------


def test_a_service_that_always_says_429_is_left_for_the_rest_of_the_run(
    session: Session, server: Server
) -> None:
    server.fail("crossref", Fault(429))

    for _ in range(5):
        with pytest.raises(UnreachableError, match="429"):
            _get(session, server)
    assert len(server.asked("crossref")) == session_module.MAX_TRIES


def test_asking_a_failing_service_ends_within_four_times_the_timeout(
    settings: Config, server: Server
) -> None:
    server.fail("crossref", Fault(503))
    timeout = 0.5
    session = Session(settings._replace(timeout=timeout), intervals=AT_ONCE)
    began = time.monotonic()

    for _ in range(200):
        with pytest.raises(UnreachableError):
            _get(session, server)
    assert time.monotonic() - began < 4 * timeout + 0.5


def test_a_success_ends_a_row_of_failures(session: Session, server: Server) -> None:
    for _ in range(6):
        server.fail("crossref", Fault(503, times=2))
        assert _get(session, server) == 404


def test_one_failing_service_does_not_stop_another(session: Session, server: Server) -> None:
    server.fail("crossref", Fault(429))
    with pytest.raises(UnreachableError):
        _get(session, server)

    assert _get(session, server, "datacite", "/dois/10.5555/x") == 404


# -- the pace --------------------------------------------------------------------------------------------


def test_requests_to_a_service_keep_their_distance(settings: Config, server: Server) -> None:
    session = Session(settings, intervals={**AT_ONCE, "crossref": 0.3})

    for _ in range(3):
        _get(session, server)

    times = [request.time for request in server.asked("crossref")]
    assert all(later - earlier >= 0.3 for earlier, later in itertools.pairwise(times))


def test_the_pace_that_a_service_asks_for_is_kept(settings: Config, server: Server) -> None:
    server.fail("crossref", Fault(404, {"x-rate-limit-limit": "2", "x-rate-limit-interval": "1s"}))
    session = Session(settings, intervals=AT_ONCE)

    for _ in range(3):
        _get(session, server)

    times = [request.time for request in server.asked("crossref")]
    assert times[2] - times[1] >= 0.5


def test_arxiv_is_asked_every_three_seconds_at_most() -> None:
    assert session_module.INTERVALS["arxiv"] == 3.0


# -- redirects -------------------------------------------------------------------------------------------


def _redirect(server: Server, location: str) -> None:
    server.pages["/start"] = (302, {"Location": location}, b"")


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost:8080/admin",
        "http://127.0.0.1:8080/admin",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://metadata.google.internal/",
        "file:///etc/passwd",
        "ftp://example.org/x",
        "javascript:alert(1)",
        "//user:secret@example.org/",
        "",
    ],
)
def test_a_redirect_out_of_bounds_is_not_followed(session: Session, server: Server, location: str) -> None:
    _redirect(server, location)

    with pytest.raises(AnswerError, match="not followed"):
        session.get("page", f"{server.base}/site/start", "text/html")
    assert len(server.requests) == 1


def test_a_redirect_to_a_configured_address_is_followed(session: Session, server: Server) -> None:
    _redirect(server, f"{server.base}/site/end")
    server.pages["/end"] = (200, {"Content-Type": "text/html"}, b"here")

    assert session.get("page", f"{server.base}/site/start", "text/html").body == b"here"


def test_a_circle_of_redirects_is_left(session: Session, server: Server) -> None:
    _redirect(server, f"{server.base}/site/start")

    with pytest.raises(AnswerError, match="circle"):
        session.get("page", f"{server.base}/site/start", "text/html")


def test_accept_is_sent_after_each_redirect(session: Session, server: Server) -> None:
    _redirect(server, "/site/end")

    session.get("page", f"{server.base}/site/start", "application/x-test")

    assert [request.headers["accept"] for request in server.requests] == ["application/x-test"] * 2


# -- who we are ------------------------------------------------------------------------------------------


def test_the_user_agent_names_a_contact(settings: Config) -> None:
    assert "mailto:me@example.org" in user_agent(settings._replace(mailto="me@example.org"))
    assert user_agent(settings).startswith("refkit/")


def test_the_contact_cannot_add_headers(settings: Config) -> None:
    assert "\n" not in user_agent(settings._replace(mailto="me@example.org\r\nX-Evil: 1"))


def test_passwords_of_netrc_are_not_sent(
    session: Session, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))

    _get(session, server)

    assert "authorization" not in server.requests[0].headers


def test_a_proxy_of_the_environment_is_used(
    settings: Config, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.base)
    monkeypatch.setenv("http_proxy", server.base)
    session = Session(settings, intervals=AT_ONCE)

    session.get("crossref", "http://api.crossref.test/works/10.5555/x", "application/json")

    assert [request.service for request in server.requests] == ["http:"]


def test_cookies_are_not_kept(session: Session, server: Server) -> None:
    server.pages["/a"] = (200, {"Content-Type": "text/html", "Set-Cookie": "id=1; Path=/"}, b"")

    for _ in range(2):
        session.get("page", f"{server.base}/site/a", "text/html")

    assert "cookie" not in server.requests[1].headers
