"""Makes a library of a project's files, or of .bib files alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from refkit import config, provenance
from refkit.bibtex.reader import Bibliography
from refkit.check.library import Library
from refkit.check.settings import settings
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
        provenance_file=_relative(project.provenance_file, configuration.root),
        config_file=configuration.file.name if configuration.file else "pyproject.toml",
    )


def of_files(bibliography: Bibliography, configuration: config.Config, files: Sequence[str]) -> Library:
    """Entries of .bib files alone, with the project's settings, and its provenance if the files are its own."""
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
        provenance_file=_relative(record, configuration.root),
        whole=False,
    )


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
