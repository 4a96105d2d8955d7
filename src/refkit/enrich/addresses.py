"""Which addresses may be asked: none that leads from a public service into a private network."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Set as AbstractSet
from urllib.parse import SplitResult, urlsplit

_PORTS = {"http": 80, "https": 443}
_PRIVATE_NAMES = ("localhost", ".localhost", ".local", ".internal", ".lan", ".home.arpa")


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address, in lower case."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = -1
    return parts.scheme.lower(), (parts.hostname or "").lower(), port or _PORTS.get(parts.scheme.lower(), 0)


def refused(source: str, target: str, trusted: AbstractSet[tuple[str, str, int]], *, downgrade: bool) -> str:
    """Why a redirect from ``source`` to ``target`` is not followed; empty if it may be.

    Args:
        source: the address that answered with the redirect.
        target: where it leads.
        trusted: origins that a person has configured: they may be private.
        downgrade: whether leading from https to http is allowed.
    """
    try:
        there = urlsplit(target)
        host = there.hostname
    except ValueError:
        return "which is no address"
    if there.scheme.lower() not in _PORTS:
        return "which is not http or https"
    if not host:
        return "which names no host"
    if there.username is not None or there.password is not None:
        return "which carries a name or password"
    if origin(target) in trusted:
        return ""
    if not downgrade and urlsplit(source).scheme.lower() == "https" and there.scheme.lower() == "http":
        return "which leaves https"
    came_from_private = origin(source) not in trusted and is_private(urlsplit(source))
    if not came_from_private and is_private(there):
        return "which is a private address"
    return ""


def is_private(parts: SplitResult) -> bool:
    """Whether an address leads to this machine or a private network, by number, name or resolution."""
    host = (parts.hostname or "").rstrip(".").lower()
    if any(host == name.lstrip(".") or host.endswith(name) for name in _PRIVATE_NAMES if name):
        return True
    number = _number(host)
    if number is not None:
        return not _is_public(number)
    if _through_proxy(parts):
        return False
    try:
        found = socket.getaddrinfo(host, parts.port or _PORTS.get(parts.scheme, 443), type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError):
        return False
    numbers = [_number(str(address[4][0])) for address in found]
    return any(number is None or not _is_public(number) for number in numbers)


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    # "127.1", "0x7f000001" and "2130706433" are addresses for the C library, and so for a client that asks
    # it.
    if host and host.split(".")[-1][:1].isdigit():
        try:
            return ipaddress.IPv4Address(socket.inet_aton(host))
        except (OSError, ValueError):
            return None
    return None


def _is_public(number: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(number, ipaddress.IPv6Address):
        inner = number.ipv4_mapped or number.sixtofour
        if inner is not None:
            return _is_public(inner)
    return number.is_global and not number.is_multicast


def _through_proxy(parts: SplitResult) -> bool:
    """Whether a proxy resolves the name, which then may mean nothing here."""
    from requests.utils import get_environ_proxies, select_proxy

    url = parts.geturl()
    return select_proxy(url, get_environ_proxies(url)) is not None
