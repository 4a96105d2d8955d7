"""The project's pages in a real Chromium, over http from this machine and from disk."""

from __future__ import annotations

import json
import os
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page
    from tests.conftest import Missing

#: Chromium asks hosts of its own for updates and experiments unless it is told not to; --no-sandbox is for
#: containers, where tests run as root.
FLAGS: list[str] = json.loads((Path(__file__).parent / "chromium-flags.json").read_text("utf-8"))


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Requests are recorded by the browser's side."""


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the built pages are served on this machine, without a final slash."""
    handler = partial(_QuietHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(params=["http", "file"])
def start(request: pytest.FixtureRequest, address: str, site: Path) -> str:
    """The site's address on this machine: served, and from disk."""
    return address if request.param == "http" else site.as_uri()


@pytest.fixture(scope="session")
def browser(chromium: Path, missing_client: Missing) -> Iterator[Browser]:
    """A headless Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing_client("playwright", "pip install playwright")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS, headless=True)
        yield launched
        launched.close()


class Visit:
    """A page in a fresh browser profile, and what went wrong or abroad while it was open."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.requests: list[str] = []
        self.errors: list[str] = []
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("requestfailed", lambda request: self._failed(request.url, request.failure))
        context.on("response", lambda response: self._answered(response.url, response.status))
        context.on("console", lambda message: self._said(message.type, message.text))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        self.page: Page = context.new_page()
        self.page.set_default_timeout(10_000)

    def _failed(self, url: str, why: str | None) -> None:
        if why != "net::ERR_ABORTED":  # a download, or a page left before it was complete
            self.errors.append(f"{url}: {why}")

    def _answered(self, url: str, status: int) -> None:
        if status >= 400:
            self.errors.append(f"{url}: {status}")

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.errors.append(f"console: {text}")

    @property
    def foreign(self) -> list[str]:
        """Requests that left this machine."""
        local = ("127.0.0.1", "", None)
        return [url for url in self.requests if urlsplit(url).hostname not in local]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """A page that may read and write the clipboard."""
    context = browser.new_context(
        permissions=["clipboard-read", "clipboard-write"],
        accept_downloads=True,
        viewport={"width": 1280, "height": 900},
    )
    yield Visit(context)
    context.close()


@pytest.fixture
def visit_without_scripts(browser: Browser) -> Iterator[Visit]:
    """A page in a browser that runs no scripts."""
    context = browser.new_context(java_script_enabled=False)
    yield Visit(context)
    context.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps these tests in one process of a parallel run: a browser and a server for all of them."""
    here = os.fspath(Path(__file__).parent)
    for item in items:
        if os.fspath(item.path).startswith(here):
            item.add_marker(pytest.mark.xdist_group("browser"))
