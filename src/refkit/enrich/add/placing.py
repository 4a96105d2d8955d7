"""Places a new entry: in the section's .bib file, on its page, in provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from refkit import files, provenance
from refkit.bibtex import Bibliography, Document, read_bytes
from refkit.bibtex.edit import Bare, EditError, Editor, key_problem
from refkit.enrich.add.model import AddError, Draft, Placed
from refkit.pages import Pages, Section
from refkit.pages import edit as page_edit

if TYPE_CHECKING:
    from refkit.project import Project


def section_of(pages: Pages, slug: str) -> Section:
    """The section of a slug.

    Raises:
        AddError: there is none.
    """
    section = pages.section(slug)
    if section is None:
        listed = ", ".join(section.slug for section in pages.sections) or "none"
        raise AddError(f"there is no section {slug!r}; sections are: {listed}")
    return section


def check_key(key: str, bibliography: Bibliography, aliases: Mapping[str, str]) -> None:
    """Refuses a key that cannot be one, or is in use.

    Raises:
        AddError: and why.
    """
    problem = key_problem(key)
    if problem:
        raise AddError(problem)
    if key.startswith("-") or any(part in ("", ".", "..") for part in key.split("/")):
        raise AddError(f"the key {key!r} reads like an option or a path; choose another")
    if taken(bibliography, aliases)(key):
        raise AddError(f"the key {key!r} is in use already, perhaps in another case or as an alias")


def taken(bibliography: Bibliography, aliases: Mapping[str, str]) -> Callable[[str], bool]:
    """Tells whether a key is in use, in any case."""
    folded = {entry.key.casefold() for entry in (*bibliography.entries, *bibliography.xdata)}
    folded |= {alias.casefold() for alias in aliases}
    return lambda key: key.casefold() in folded


def place(project: Project, new: Draft, slug: str, after: str | None, annotation: str) -> Placed:
    """The contents of the files with the new source in them: .bib file, page, provenance.

    Raises:
        AddError: there is no such section or place, or the page or file cannot take it.
    """
    section = section_of(project.pages, slug)
    page_path = project.pages_folder / section.file
    page_bytes = page_path.read_bytes()
    title = new.entry.text("shorttitle") or new.entry.text("title")
    try:
        page_text = page_edit.insert(page_edit.decode(page_bytes), new.entry.key, title, annotation, after)
        path, before, after_bytes = _with_entry(project, new, section, after)
    except (page_edit.PageError, EditError) as error:
        raise AddError(f"{project.config.pages}/{section.file}: {error}") from error
    record = {
        **project.provenance,
        "works": {**project.provenance["works"], new.entry.key: dict(new.provenance)},
    }
    noted = project.provenance_file
    # In this order they are written: what is cut off in between is never a value of unknown origin.
    contents: dict[Path, tuple[bytes | None, bytes]] = {
        noted: (noted.read_bytes() if noted.is_file() else None, provenance.dumps(record).encode()),
        path: (before, after_bytes),
        page_path: (page_bytes, page_edit.encode(page_text)),
    }
    return Placed(contents, project.config.shown(path), project.config.shown(page_path))


def write(placed: Placed) -> None:
    """Write the files, or none of them.

    Raises:
        OSError: one cannot be written; all are as they were.
    """
    files.replace_all({path: new for path, (_, new) in placed.contents.items()})


def _with_entry(
    project: Project, new: Draft, section: Section, after: str | None
) -> tuple[Path, bytes | None, bytes]:
    path = _bib_file(project, section)
    if path.is_file():
        before: bytes | None = path.read_bytes()
        document = read_bytes(before or b"", project.config.shown(path))
    else:
        before = None
        heading = f'% Section "{section.title}": the works that appear here first, in reading order.\n'
        document = read_bytes(heading.encode(), project.config.shown(path))
    editor = Editor(document)
    values = {name: Bare(value) if name in new.bare else value for name, value in new.entry.fields.items()}
    editor.add_entry(new.entry.type, new.entry.key, values, after=_entry_before(document, section, after))
    return path, before, editor.bytes()


def _entry_before(document: Document, section: Section, after: str | None) -> str | None:
    """The entry of this file that comes last before the new one in reading order."""
    here = {entry.key for entry in document.entries}
    before: str | None = None
    for placed in section.placements:
        if placed.key in here:
            before = placed.key
        if placed.key == after:
            break
    return before


def _bib_file(project: Project, section: Section) -> Path:
    """The file that has the section's works: named after it, or the one that most of them are in."""
    named = project.config.bib_folder / f"{section.slug}.bib"
    paths = project.config.bib_files()
    if named in paths or not paths:
        return named
    # One file for each section is the usual layout: then a section without a file of its own gets one.
    if {path.stem for path in paths} & {other.slug for other in project.pages.sections}:
        return named
    entries = (project.bibliography.get(placed.key) for placed in section.placements)
    count = Counter(entry.file for entry in entries if entry is not None)
    by_name = {project.config.shown(path): path for path in paths}
    best = max(count, key=lambda name: count[name], default="")
    return by_name.get(best, paths[0])
