"""What a first view weighs, compressed and raw."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Response
    from tests.browser.conftest import Visit

SECTIONS = ("kernels/attention.html", "start/start-here.html", "engines/scheduling.html")
WORK = "works/dao2022flashattention/index.html"
#: Bytes, compressed and raw.
LIMITS = {
    **dict.fromkeys((*SECTIONS, WORK), (60_000, 200_000)),
    **dict.fromkeys(("browse.html", "timeline.html", "map.html"), (150_000, 500_000)),
}


@pytest.mark.parametrize("page", LIMITS)
def test_a_first_view_is_light(page: str, visit: Visit, compressed: str) -> None:
    responses: list[Response] = []
    visit.page.on("response", lambda response: responses.append(response))
    visit.page.goto(f"{compressed}/{page}", wait_until="networkidle")

    packed = {one.url: one.request.sizes()["responseBodySize"] for one in responses}
    raw = {one.url: len(one.body()) for one in responses}

    most_packed, most_raw = LIMITS[page]
    assert sum(packed.values()) <= most_packed, packed
    assert sum(raw.values()) <= most_raw, raw


def test_our_scripts_are_small(site: Path) -> None:
    scripts = {path.name: path.stat().st_size for path in (site / "_static").glob("refkit*.js")}

    assert scripts
    assert sum(scripts.values()) <= 30_000, scripts
