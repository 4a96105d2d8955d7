"""Rules about the built site (``--site DIR``): links inside it lead somewhere, its bundles agree with the
pages.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from refkit.check.model import BIB, Example, Finding, Rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.config import Config

#: Where the build puts the bundles, below the site's folder.
EXPORTS = "exports"


def findings(config: Config, library: Library, folder: Path) -> Iterator[tuple[str, Finding]]:
    """What is wrong with a built site."""
    pages = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(folder.rglob("*.html"))
        if not path.relative_to(folder).parts[0].startswith(("_", "."))
    }
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    for file, line, message in dead_links(pages, there):
        yield "site-anchor", Finding(message, file=f"{folder.as_posix()}/{file}", line=line, about=file)
    if library.pages is not None and library.pages.sections:
        for file, message in stale_bundles(_bundles(config), _read(folder / EXPORTS)):
            yield "site-bundle", Finding(message, file=f"{folder.as_posix()}/{EXPORTS}/{file}", about=file)


def _bundles(config: Config) -> dict[str, bytes]:
    """The bundles that belong to the pages, as ``refkit export`` writes them."""
    from refkit import bundles
    from refkit.formats import BUNDLES
    from refkit.project import Project

    data = bundles.collection(Project(config))
    made = [
        bundle
        for section in data.pages.sections
        for bundle in bundles.section_bundles(data, section, BUNDLES)
    ]
    made += [*bundles.all_bundles(data, BUNDLES), bundles.listing(data)]
    return {bundle.name: bundle.text.encode() for bundle in made}


def _read(folder: Path) -> dict[str, bytes]:
    if not folder.is_dir():
        return {}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# -- bundles


def stale_bundles(made: Mapping[str, bytes], found: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Name and message of each bundle that is missing or has other bytes than the pages give."""
    for name, data in made.items():
        if name not in found:
            yield name, f"the bundle {name} is missing: build the site anew"
        elif found[name] != data:
            yield name, f"the bundle {name} is not that of the pages: build the site anew"


# -- links


_LINK = re.compile(r"""<[a-zA-Z][^<>]*?\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ANCHOR = re.compile(r"""\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_SCRIPT = re.compile(r"<(script|style)\b[^>]*>.*?</\1>", re.DOTALL | re.IGNORECASE)


def dead_links(pages: Mapping[str, str], there: Iterable[str]) -> Iterator[tuple[str, int, str]]:
    """Page, line and message of each link inside a site that leads to no file or to no anchor.

    Args:
        pages: name relative to the site -> text.
        there: the names of all files of the site.
    """
    files = set(there)
    anchors = {
        name: {html.unescape(one or two) for one, two in _ANCHOR.findall(text)}
        for name, text in pages.items()
    }
    for name, text in pages.items():
        seen: set[str] = set()
        for match in _LINK.finditer(_SCRIPT.sub(lambda found: "\n" * found[0].count("\n"), text)):
            link = html.unescape(match[1] if match[1] is not None else match[2]).strip()
            if link in seen:
                continue
            seen.add(link)
            problem = _problem(name, link, files, anchors)
            if problem:
                yield name, text.count("\n", 0, match.start()) + 1, problem


def _problem(page: str, link: str, files: set[str], anchors: Mapping[str, set[str]]) -> str:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or not link:
        return ""
    path, fragment = unquote(parts.path), unquote(parts.fragment)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    if path.startswith("/"):
        return ""  # from the root of a host that is not known here
    if target not in files:
        inside = "index.html" if target == "." else f"{target}/index.html"
        if inside not in files:
            return f"the link {link!r} leads to no file of the site"
        target = inside
    if (
        fragment
        and target in anchors
        and fragment not in anchors[target]
        and parts.fragment not in anchors[target]
    ):
        return f"the link {link!r} leads to no anchor of {target}"
    return ""


# -- the rules

_PAGE = "<html><body>\n<p>{}</p>\n</body></html>\n".format


def _rule(code: str, title: str, text: str, bad: Mapping[str, str], good: Mapping[str, str]) -> Rule:
    return Rule(code, "error", None, title, text, Example(bad), Example(good), needs="site")


RULES = (
    _rule(
        "site-anchor",
        "A link inside the site that leads to no file or to no anchor.",
        "Links to other sites are asked for with ``--online``.",
        {
            "index.html": _PAGE('<a href="loops/index.html#wheel">loops</a>'),
            "loops/index.html": _PAGE('<i id="loop">x</i>'),
        },
        {
            "index.html": _PAGE('<a href="loops/index.html#loop">loops</a>'),
            "loops/index.html": _PAGE('<i id="loop">x</i>'),
        },
    ),
    _rule(
        "site-bundle",
        "A bundle of the site is missing, or differs from what its page gives.",
        "They are made from the same entries, annotations and provenance, and compared to the byte.",
        {BIB: "@misc{lee2024, title = {Title}}", "exports/loops.bib": "@misc{lee2024, title = {Another}}"},
        {BIB: "@misc{lee2024, title = {Title}}", "exports/loops.bib": "@misc{lee2024, title = {Title}}"},
    ),
)
