"""Makes a library of a project's files, or of .bib files alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from refkit import config, provenance
from refkit.check.library import Library
from refkit.check.settings import settings

if TYPE_CHECKING:
    from refkit.bibtex.reader import Bibliography
    from refkit.project import Project


def of_project(project: Project) -> Library:
    """Everything a project has.

    Raises:
        ConfigError, ProvenanceError: a file cannot be used.
        UnreadableError, OSError: a .bib file cannot be read.
    """
    configuration = project.config
    bibliography = project.bibliography
    has_record = project.provenance_file.is_file()
    return Library(
        bibliography.entries,
        bibliography.documents,
        settings=settings(configuration),
        root=configuration.root,
        pages=project.pages,
        pages_folder=configuration.pages,
        provenance=project.provenance if has_record else None,
        provenance_file=configuration.shown(project.provenance_file),
        provenance_text=project.provenance_file.read_text("utf-8") if has_record else "",
        page_texts=_texts(project.pages_folder),
        config_file=configuration.file.name if configuration.file else "pyproject.toml",
    )


def _texts(folder: Path) -> dict[str, str]:
    """The pages as written. A folder that begins with a stop or a low line holds none."""
    if not folder.is_dir():
        return {}
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8", "replace")
        for path in sorted(folder.rglob("*.rst"))
        if not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    }


def of_files(bibliography: Bibliography, configuration: config.Config, files: Sequence[str]) -> Library:
    """Entries of .bib files alone, with the project's settings, and its provenance if the files are its
    own.
    """
    record = configuration.bib_folder / "provenance.json"
    folder = configuration.bib_folder.resolve()
    own = (
        bool(files)
        and all(Path(file).resolve().is_relative_to(folder) for file in files)
        and record.is_file()
    )
    return Library(
        bibliography.entries,
        bibliography.documents,
        settings=settings(configuration),
        root=Path.cwd(),
        provenance=provenance.load(record) if own else None,
        provenance_file=configuration.shown(record),
        whole=False,
    )
