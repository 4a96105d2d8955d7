"""A project: its configuration, bibliography, pages and provenance, each read once and when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refkit import provenance
from refkit.labels import Label, labels

if TYPE_CHECKING:
    from refkit.bibtex import Bibliography
    from refkit.config import Config
    from refkit.model import Diagnostic
    from refkit.pages import Pages


class Project:
    """The files of a project, read lazily. Nothing here writes."""

    def __init__(self, config: Config) -> None:
        self.config = config

    @property
    def pages_folder(self) -> Path:
        """The folder of pages."""
        return self.config.root / self.config.pages

    @property
    def provenance_file(self) -> Path:
        """Where provenance is kept."""
        return self.config.bib_folder / "provenance.json"

    @cached_property
    def bibliography(self) -> Bibliography:
        """All entries of all .bib files; file names are relative to the project's folder where they lie in
        it."""
        from refkit.bibtex import read_files

        return read_files(self.config.bib_files(), relative_to=self.config.root)

    @cached_property
    def pages(self) -> Pages:
        """All sections in reading order; empty where there is no folder of pages."""
        from refkit.pages import Pages

        if not self.pages_folder.is_dir():
            return Pages()
        from refkit.pages.reader import read_pages

        return read_pages(self.pages_folder)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong with the files as such; file names are relative to the project's folder."""
        folder = self.config.pages
        pages = [
            found._replace(file=f"{folder}/{found.file}") if found.file else found
            for found in self.pages.diagnostics
        ]
        return [*self.bibliography.diagnostics, *pages]

    @cached_property
    def provenance(self) -> Mapping[str, Any]:
        """The content of provenance.json."""
        return provenance.load(self.provenance_file)

    @cached_property
    def labels(self) -> dict[str, Label]:
        """Citation label of each work by key."""
        return labels(self.bibliography.entries)
