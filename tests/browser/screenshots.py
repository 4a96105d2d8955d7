"""Takes the pictures of the manual's page on using the site, from a site that is built.

    python tests/browser/screenshots.py _build/html docs/_static/screenshots

Five pages, each in light and dark, on a screen and on a phone. Needs playwright and Chromium.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PAGES = {
    "index": "index.html",
    "section": "kernels/attention.html",
    "work": "works/dao2022flashattention/index.html",
    "browse": "browse.html?q=attention",
    "timeline": "timeline.html",
}
SIZES = {"desktop": (1280, 800), "phone": (390, 780)}
FLAGS = json.loads((Path(__file__).parent / "chromium-flags.json").read_text("utf-8"))


def main() -> None:
    site, out = map(Path, sys.argv[1:])
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, "--hide-scrollbars"])
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=1
                )
                for name, path in PAGES.items():
                    page.goto(f"{site.resolve().as_uri()}/{path}", wait_until="networkidle")
                    page.screenshot(path=out / f"{name}-{scheme}-{size}.jpg", type="jpeg", quality=80)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
