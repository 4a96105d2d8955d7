"""The annotated list as the build sees it: the same sections, placements and bundles as ``refkit export``
makes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING

from refkit.bundles import Collection
from refkit.model import Diagnostic
from refkit.pages import Pages, Placement, Section
from refkit.pages.reader import slug_problem
from refkit.sphinxext.facts import PageFacts

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

    from refkit.sphinxext.domain import RefkitDomain
    from refkit.sphinxext.library import Library

_NO_FACTS = PageFacts("", "", ())


def pages_of(env: BuildEnvironment, domain: RefkitDomain) -> Pages:
    """The sections in reading order, with what is wrong with their names."""
    captions = _captions(env, domain.pages)
    sections: list[Section] = []
    diagnostics: list[Diagnostic] = []
    taken: dict[str, str] = {}
    for docname in domain.reading_order():
        if not domain.placed.get(docname):
            continue
        section = _section(env, domain, docname, captions)
        problem = slug_problem(section.slug, taken.get(section.slug.casefold()))
        if problem:
            diagnostics.append(Diagnostic("error", "bad-slug", problem, file=section.file, line=1))
            continue
        taken[section.slug.casefold()] = section.file
        sections.append(section)
    return Pages(tuple(sections), diagnostics=tuple(diagnostics))


def _captions(env: BuildEnvironment, pages: Mapping[str, PageFacts]) -> dict[str, str]:
    """Page -> caption of the table of contents that names it, or the title of the page that holds it."""
    out: dict[str, str] = {}
    for docname in sorted(pages):
        title = "" if docname == env.config.root_doc else pages[docname].title
        for caption, targets in pages[docname].toctrees:
            for target in targets:
                out.setdefault(target, caption or title)
    return out


def _section(
    env: BuildEnvironment, domain: RefkitDomain, docname: str, captions: Mapping[str, str]
) -> Section:
    facts = domain.pages.get(docname, _NO_FACTS)
    slug, part = posixpath.basename(docname), posixpath.dirname(docname)
    file = str(env.doc2path(docname, False))
    placements = tuple(
        Placement(one.key, slug, number, one.title, one.annotation, file, one.line, one.waits_for, one.review)
        for number, one in enumerate(domain.placed[docname], 1)
    )
    title = facts.title or slug
    return Section(slug, title, part, captions.get(docname) or part, file, facts.intro, placements)


def collection_of(library: Library, pages: Pages) -> Collection:
    """What the bundles are made from."""
    return Collection(library.entries, pages, library.provenance, library.labels)
