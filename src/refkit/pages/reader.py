"""Reading section pages for the command line, which must not need a build.

The extension reads the same pages with Sphinx. A page of titles, paragraphs and sources alone is read by
:mod:`refkit.pages.plain`, any other by :mod:`refkit.pages.rst` with docutils: both give the same.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from refkit.model import Diagnostic
from refkit.pages import inline, plain
from refkit.pages.model import Page, Pages, Placement, Section, Toctree

_TOCTREE_ENTRY = re.compile(r"(?:.+?)\s*(?<!\x00)<(?P<target>[^<>]+)>\Z", re.DOTALL)
#: A slug becomes a file name: a letter or digit first, then those, ``-``, ``_`` and ``.``.
SLUG = re.compile(r"[^\W_][\w.-]*\Z")


class _Loaded(NamedTuple):
    """A page and where it lies."""

    #: The page's name from the root, without an ending.
    name: str
    file: str
    page: Page

    @property
    def title(self) -> str:
        """The page's title, or the last part of its name where it has none."""
        return self.page.title or posixpath.basename(self.name)


def read_page(text: str, path: str = "") -> Page:
    """What a page says; ``path`` is where its includes are looked for."""
    page = plain.read(text)
    if page is None:
        from refkit.pages import rst

        page = rst.read(text, path)
    return page


def read_pages(root: Path, root_document: str = "index") -> Pages:
    """All pages below a folder: sections in the order of the tables of contents, from the root document.

    Pages that no table of contents names come last, by name. Only pages that can matter are parsed.
    """
    loaded = _load(root, root_document)
    diagnostics: list[Diagnostic] = []
    sections: list[Section] = []
    taken: dict[str, str] = {}
    captions = _part_titles(loaded)
    for name in _reading_order(loaded, root_document):
        page = loaded[name]
        section = _section(page, captions, diagnostics)
        if section is None:
            continue
        clash = taken.get(section.slug.casefold())
        problem = slug_problem(section.slug, clash)
        if problem:
            diagnostics.append(Diagnostic("error", "bad-slug", problem, file=section.file, line=1))
            continue
        taken[section.slug.casefold()] = section.file
        sections.append(section)
    cited, lists_all = _citations(loaded)
    return Pages(tuple(sections), cited, lists_all, tuple(diagnostics))


def slug_problem(slug: str, clash: str | None) -> str:
    """Why a page's name cannot be a section's slug; empty where it can. ``clash`` is the page that has it
    already."""
    if slug.casefold() == "all":
        return "A section cannot be named 'all', which names the bundles of all sections; rename the page"
    if not SLUG.match(slug):
        return f"{slug!r} cannot name bundles; use letters, digits, '-', '_' and '.' in the page's name"
    if clash:
        return (
            f"The section's name {slug!r} is taken by {clash} (case does not count); rename one of the pages"
        )
    return ""


def _load(root: Path, root_document: str) -> dict[str, _Loaded]:
    loaded: dict[str, _Loaded] = {}
    for path in sorted(root.rglob("*.rst")):
        relative = path.relative_to(root)
        if any(part.startswith((".", "_")) for part in relative.parts[:-1]):
            continue
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        name = relative.with_suffix("").as_posix()
        if name == root_document or any(
            word in text for word in ("source::", "toctree::", "cite:", "bibliography::")
        ):
            loaded[name] = _Loaded(name, relative.as_posix(), read_page(text, str(path)))
    return loaded


def _targets(page: _Loaded, toctree: Toctree, names: Sequence[str]) -> list[str]:
    """The pages that a table of contents names, as names from the root."""
    import fnmatch

    out: list[str] = []
    folder = posixpath.dirname(page.name)
    for entry in toctree.entries:
        match = _TOCTREE_ENTRY.match(entry)
        target = match["target"] if match else entry
        target = target.removesuffix(".rst")
        name = posixpath.normpath(target[1:] if target.startswith("/") else posixpath.join(folder, target))
        if toctree.glob and any(c in name for c in "*?["):
            out += sorted(
                n for n in names if fnmatch.fnmatchcase(n, name) and n != page.name and n not in out
            )
        else:
            out.append(name)
    return out[::-1] if toctree.backwards else out


def _reading_order(loaded: dict[str, _Loaded], root_document: str) -> list[str]:
    order: dict[str, None] = {}
    names = sorted(loaded)
    stack = [root_document]
    while stack:
        name = stack.pop()
        if name in order or name not in loaded:
            continue
        order[name] = None
        below: list[str] = []
        for toctree in loaded[name].page.toctrees:
            below += _targets(loaded[name], toctree, names)
        stack.extend(reversed(below))
    return [*order, *(name for name in names if name not in order)]


def _part_titles(loaded: dict[str, _Loaded]) -> dict[str, str]:
    """Page name -> caption of the table of contents that names it, or the title of the page that holds it."""
    out: dict[str, str] = {}
    names = sorted(loaded)
    for page in loaded.values():
        for toctree in page.page.toctrees:
            for target in _targets(page, toctree, names):
                out.setdefault(target, toctree.caption or ("" if page.name == "index" else page.title))
    return out


def _section(loaded: _Loaded, captions: dict[str, str], diagnostics: list[Diagnostic]) -> Section | None:
    page = loaded.page
    if not page.sources:
        return None
    slug = posixpath.basename(loaded.name)
    part = posixpath.dirname(loaded.name)
    placements = []
    for position, found in enumerate(page.sources, 1):
        if found.refused:
            diagnostics.append(annotation_problem(found.refused, found.key, loaded.file, found.line))
        placements.append(
            Placement(
                found.key, slug, position, found.title, found.annotation, loaded.file, found.line,
                found.waits_for, found.review,
            )
        )  # fmt: skip
    return Section(
        slug, loaded.title, part, captions.get(loaded.name) or part, loaded.file, page.intro,
        tuple(placements),
    )  # fmt: skip


def annotation_problem(refused: Sequence[str], key: str, file: str, line: int) -> Diagnostic:
    """The finding that an annotation holds more than inline markup."""
    what = ", ".join(sorted(set(refused)))
    message = f"The annotation holds {what}; only {inline.ALLOWED} are kept, rewrite it without"
    return Diagnostic("error", "annotation-markup", message, key, file, line)


def _citations(loaded: dict[str, _Loaded]) -> tuple[dict[str, tuple[tuple[str, int], ...]], bool]:
    cited: dict[str, list[tuple[str, int]]] = {}
    for one in loaded.values():
        for key, line in one.page.citations:
            cited.setdefault(key, []).append((one.file, line))
    lists_all = any(one.page.lists_all for one in loaded.values())
    return {key: tuple(places) for key, places in cited.items()}, lists_all
