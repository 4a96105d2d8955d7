"""Sections: a name, an introduction, works, and the order of their files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.listing.example import BOTH, GOOD, LEE, POE, project, setting, source
from refkit.check.model import Finding, reported, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry

BAD_SLUG = reported(
    "bad-slug",
    "error",
    "A page whose name cannot be a section's slug, or that another section has.",
    bad={
        **GOOD,
        "docs/other/loops.rst": "More\n====\n\n"
        + source("poe2023", "Another text about the same wheels, written for this place."),
    },
    good=GOOD,
)


@rule(
    "section-order",
    "error",
    needs="pages",
    bad=project(source("poe2023", POE) + source("lee2024", LEE), setting("files-by-section = true")),
    good=project(BOTH, setting("files-by-section = true")),
)
def section_order(library: Library) -> Iterator[Finding]:
    """A work in another file, or at another place in it, than the pages place it first.

    With ``files-by-section`` each section has a .bib file of its name, with the works that it places first,
    in that order: so the files are a second record of the list's order, and a placement that moved by
    accident is noticed.
    """
    if not library.settings.files_by_section:
        return
    expected: dict[str, list[str]] = {}
    seen: set[str] = set()
    for section, placed in library.placements:
        if placed.key not in seen and placed.key in library.by_key:
            seen.add(placed.key)
            expected.setdefault(section.slug, []).append(placed.key)
    by_file: dict[str, list[Entry]] = {}
    for entry in library.entries:
        if entry.key in seen:
            by_file.setdefault(_stem(entry.file), []).append(entry)
    home = {key: slug for slug, keys in expected.items() for key in keys}
    for stem, entries in by_file.items():
        strangers = [entry for entry in entries if home[entry.key] != stem]
        for entry in strangers:
            yield Finding(
                f"{home[entry.key]} places this work first: move it to {home[entry.key]}.bib, or change "
                f"the pages",
                entry,
            )
        inside = [entry for entry in entries if home[entry.key] == stem]
        right = [key for key in expected.get(stem, []) if key in {entry.key for entry in inside}]
        for entry, key in zip(inside, right, strict=False):
            if entry.key != key:
                yield Finding(
                    f"the page has {key!r} here: bring {stem}.bib and the page into one order", entry
                )
                break


@rule(
    "empty-section",
    "error",
    needs="pages",
    bad={
        **project(BOTH, setting("files-by-section = true")),
        "bib/wheels.bib": "% Nothing here yet.\n",
    },
    good=project(BOTH, setting("files-by-section = true")),
)
def empty_section(library: Library) -> Iterator[Finding]:
    """A section's .bib file without a page that places sources, or without works; a section without an
    introduction.
    """
    for section in library.pages.sections if library.pages else ():
        if not section.intro.strip():
            yield Finding(
                "the section has no introduction: say what it is about and in which order to read it",
                file=library.pages_prefix + section.file,
                line=1,
                about=section.slug,
                severity="warning",
            )
    if not library.settings.files_by_section or library.pages is None:
        return
    slugs = {section.slug for section in library.pages.sections}
    for file, document in library.documents.items():
        if _stem(file) not in slugs:
            yield Finding(
                f"no page {_stem(file)}.rst places sources: the section is empty",
                file=file,
                line=1,
                about=_stem(file),
            )
        elif not document.entries and not document.xdata:
            yield Finding(
                "the section's file has no works: remove it, or place a work",
                file=file,
                line=1,
                about=_stem(file),
            )


def _stem(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(".bib")
