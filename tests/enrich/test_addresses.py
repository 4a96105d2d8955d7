"""Which addresses count as private."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from refkit.enrich import addresses


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1",
        "[::1]", "[fe80::1]", "[fc00::1]", "[::ffff:127.0.0.1]", "[2002:7f00:1::]", "localhost", "LOCALHOST.",
        "db.local", "x.internal", "0x7f.0.0.1", "2130706433", "017700000001", "224.0.0.1",
    ],
)  # fmt: skip
def test_a_private_address_in_any_spelling(host: str) -> None:
    assert addresses.is_private(urlsplit(f"http://{host}/"))


@pytest.mark.parametrize("host", ["93.184.216.34", "[2606:2800:220:1::1]"])
def test_a_public_address(host: str) -> None:
    assert not addresses.is_private(urlsplit(f"http://{host}/"))


def test_a_name_that_resolves_to_this_machine_is_private(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("127.0.0.1", 80))])
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)

    assert addresses.is_private(urlsplit("http://rebound.test/"))


@pytest.mark.parametrize(("downgrade", "refused"), [(False, True), (True, False)])
def test_a_service_does_not_lead_from_https_to_http(
    monkeypatch: pytest.MonkeyPatch, downgrade: bool, refused: bool
) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("93.184.216.34", 80))])

    why = addresses.refused("https://doi.org/x", "http://example.test/x", frozenset(), downgrade=downgrade)

    assert bool(why) is refused


def test_inside_a_private_network_one_may_be_led_on() -> None:
    assert not addresses.refused("http://10.0.0.1/a", "http://10.0.0.2/b", frozenset(), downgrade=True)
