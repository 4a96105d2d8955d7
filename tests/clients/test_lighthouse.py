"""What Lighthouse finds on the pages: speed on a phone, accessibility, good practice, search engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.clients.conftest import NODE_FOLDER, must
from tests.conftest import Missing

PAGES = ("kernels/attention.html", "works/dao2022flashattention/index.html", "browse.html")
LEAST = 95
#: A busy machine makes a page slower and never quicker, so that the best of a few runs counts.
RUNS = 3
#: Lighthouse takes a phone to be four times slower than a machine whose processor it marks with about 1800.
SLOWDOWN = 4.0
PHONE = 450

pytestmark = pytest.mark.xdist_group("browser")


def look(node: Path, chromium: Path, address: str, slowdown: float) -> dict[str, Any]:
    command = [node, NODE_FOLDER / "lighthouse.mjs", chromium, address, str(slowdown)]
    found: dict[str, Any] = json.loads(must(command, NODE_FOLDER))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_lighthouse_is_content(
    page: str, node: Path, chromium: Path, compressed: str, missing_client: Missing
) -> None:
    if not (NODE_FOLDER / "node_modules" / "lighthouse").is_dir():
        missing_client("lighthouse", "npm ci --prefix tests/clients/node")

    best = look(node, chromium, f"{compressed}/{page}", SLOWDOWN)
    for _ in range(RUNS - 1):
        if best["scores"]["performance"] >= LEAST:
            break
        # Once more for the same phone, seen from a slow or busy machine.
        slowdown = min(max(best["mark"] / PHONE, 1.0), SLOWDOWN)
        again = look(node, chromium, f"{compressed}/{page}", slowdown)
        best = max(best, again, key=lambda found: found["scores"]["performance"])

    assert min(best["scores"].values()) >= LEAST, best
    assert best["shift"] < 0.0005
