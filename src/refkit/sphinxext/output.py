"""Everything the build writes beside Sphinx's own pages: bundles of sections, pages of works and their
unAPI files.

Only what changed is written, and what is no longer wanted is deleted, so that an output folder that was
built in steps equals one that was built at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refkit import provenance
from refkit.bundles import Bundle, all_bundles, listing, section_bundles
from refkit.formats import FORMATS, unapi
from refkit.sphinxext import cards, counts, sites
from refkit.sphinxext.library import digest
from refkit.sphinxext.sites import EXPORTS

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.builders import Builder
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.pages import Section
    from refkit.sphinxext.domain import CiteDomain
    from refkit.sphinxext.index import Index
    from refkit.sphinxext.state import State

#: The formats of bundles.
BUNDLES = tuple(name for name in FORMATS if name != "json")

# what a page shows ---------------------------------------------------------------


def page_digests(domain: CiteDomain, builder: Builder) -> dict[str, str]:
    """For each page a digest of all that refkit puts on it and that its source does not say."""
    index = domain.index
    pages = {*domain.cited, *domain.listings, *domain.footcited, *index.placements.pages}
    works = sites.has_work_pages(builder)
    bundles = sites.has_bundles(builder)
    common = None
    if sites.is_site(builder) and index.pages.sections:
        from refkit.sphinxext.site import head

        pages.update(domain.env.all_docs)
        common = head.common(index, builder)
    return {
        page: digest((common, *_shown(domain, page, works=works, bundles=bundles))) for page in sorted(pages)
    }


def _shown(domain: CiteDomain, page: str, *, works: bool, bundles: bool) -> Iterator[object]:
    index, digests = domain.index, domain.library.digests
    for cited in domain.cited.get(page, ()):
        for key, _pre, _post in cited.targets:
            target = index.target(page, key, works=works)
            yield target and (tuple(target), list(cards.marks(index, [target.key])))
    for entries in index.listed.get(page, ()):
        yield [(tuple(one), digests[one.key]) for one in entries]
    for key in domain.footcited.get(page, ()):
        yield digests.get(key)
    for other, named in counts.sections_on(domain.builder, index, page):
        yield other, [(one.key, digests.get(one.key)) for one in named.placements]
    placed = index.placements.placed.get(page, ())
    if placed:
        section = index.sections.get(page)
        yield bundles and section and section.slug, section and section.title
        if section and sites.is_site(domain.builder):
            from refkit.sphinxext.site import feeds

            yield feeds.feed_of(domain.builder, index, page)
        yield section and index.is_path(section)
    for one in placed:
        yield (
            one.key,
            digests.get(one.key),
            index.collection.links(one.key),
            index.old_keys(one.key),
            works and index.works.get(one.key),
        )


def frame_digest(builder: StandaloneHTMLBuilder, made_by: str) -> str:
    """What all generated pages share: the theme's settings and the sidebar."""
    env = builder.env
    contents = [
        (docname, title.astext(), env.tocs[docname].astext(), _tables(env.tocs[docname]))
        for docname, title in sorted(env.titles.items())
        if docname in env.tocs
    ]
    return digest((made_by, getattr(getattr(builder, "build_info", None), "config_hash", ""), contents))


def _tables(contents: nodes.Node) -> list[str]:
    """The tables of contents in a page: pages and addresses, captions and titles, which no text of it has."""
    from sphinx.addnodes import toctree

    return [table.starttag() for table in contents.findall(toctree)]


# bundles -------------------------------------------------------------------------


def write_bundles(index: Index, outdir: Path, state: State) -> None:
    """Bring the folder of bundles up to date."""
    folder = outdir / EXPORTS
    known, files, digests = state["files"], {}, {}
    for section in index.pages.sections:
        mark = section_digest(index, section)
        digests[section.slug] = mark
        names = [*bundle_names(section.slug), f"{section.slug}.{sites.UNAPI}"]
        _update(folder, names, mark, state["sections"].get(section.slug), _of_section(index, section))
        files.update(dict.fromkeys(names, section.slug))
    if index.pages.sections:
        places = [(entry.file, entry.line) for entry in map(index.collection.entries.__getitem__, index.used)]
        mark = digest(
            (list(digests.items()), index.collection.title, places)
        )  # the listing gives file and line
        digests[""] = mark
        names = [*bundle_names("all"), "all.refkit.json"]
        _update(folder, names, mark, state["sections"].get(""), _of_all(index))
        files.update(dict.fromkeys(names, ""))
    _delete(folder / name for name in known if name not in files)
    state["files"], state["sections"] = files, digests


def delete_bundles(outdir: Path, state: State) -> None:
    """Delete the bundles of an earlier build."""
    _delete(outdir / EXPORTS / name for name in state["files"])
    state["files"], state["sections"] = {}, {}


def bundle_names(stem: str) -> list[str]:
    """The files of a section's bundles."""
    return [stem + FORMATS[name].ending for name in BUNDLES]


def _of_section(index: Index, section: Section) -> Iterator[Bundle]:
    yield from section_bundles(index.collection, section, BUNDLES)
    yield Bundle(f"{section.slug}.{sites.UNAPI}", unapi.dumps(index.collection.items(section)))


def _of_all(index: Index) -> Iterator[Bundle]:
    yield from all_bundles(index.collection, BUNDLES)
    yield listing(index.collection)


def section_digest(index: Index, section: Section) -> str:
    """All that a section's bundles are made from: the page, its works and what provenance relates to them."""
    labels = index.collection.labels
    notes = [index.collection.note(section, placed) for placed in section.placements]
    works = [
        (placed.key, index.digests.get(placed.key), index.collection.links(placed.key))
        for placed in section.placements
    ]
    return digest((section, notes, works, [labels.get(placed.key) for placed in section.placements]))


def _update(folder: Path, names: list[str], mark: str, known: str | None, bundles: Iterator[Bundle]) -> None:
    if mark == known and all((folder / name).is_file() for name in names):
        return
    folder.mkdir(parents=True, exist_ok=True)
    for bundle in bundles:
        write(folder / bundle.name, bundle.text.encode())


def write(path: Path, data: bytes) -> None:
    """Write a file of the output unless it has these bytes already."""
    try:
        if path.stat().st_size == len(data) and path.read_bytes() == data:
            return
    except OSError:
        path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _delete(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
        _remove_empty(path.parent)


def delete_files(outdir: Path, paths: Iterable[str]) -> None:
    """Delete files of the output by their paths from its root, and the folders that this leaves empty."""
    for path in paths:
        file = outdir / path
        if ".." in file.parts or not file.is_relative_to(outdir):
            continue  # a state file that somebody edited: nothing outside the output is ours
        file.unlink(missing_ok=True)
        for folder in list(file.parents)[: len(file.relative_to(outdir).parts) - 1]:
            _remove_empty(folder)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # not empty
        folder.rmdir()


# pages of works ------------------------------------------------------------------


def work_digests(index: Index, common: str) -> dict[str, str]:
    """For each page of a work a digest of all that it is made from."""
    return {
        page: digest(
            (common, key, index.old_keys(key), index.digests[key], _places(index, key), _record(index, key))
        )
        for key, page in index.works.items()
    }


def _places(index: Index, key: str) -> list[object]:
    sections = index.sections
    out: list[object] = []
    for docname, one in index.places.get(key, ()):
        section = sections.get(docname)
        cited = [
            (index.works.get(other), index.collection.labels.get(other), list(cards.marks(index, [other])))
            for other in _cited(one.annotation)
        ]
        out.append((docname, tuple(one), section and section.title, section and section.slug, cited))
    return out


def _cited(annotation: Any) -> list[str]:
    from refkit.pages.inline import cited

    return cited(annotation)


def _record(index: Index, key: str) -> provenance.Work:
    return provenance.work(index.collection.provenance, key)


def delete_gone_works(outdir: Path, state: State, wanted: Iterable[str]) -> None:
    """Delete the pages of works that are gone, and what lies beside them."""
    for page in state["works"].keys() - set(wanted):
        folder = (outdir / page).parent
        if folder.parent != outdir / "works" or os.sep in folder.name:
            continue  # a state file that somebody edited: nothing outside the folder of works is ours
        for name in ("index.html", sites.UNAPI):
            (folder / name).unlink(missing_ok=True)
        _remove_empty(folder)
    _remove_empty(outdir / "works")
