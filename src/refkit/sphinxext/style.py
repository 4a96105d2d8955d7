"""refkit's styles for pybtex and sphinxcontrib-bibtex: how references and citations are set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pybtex.plugin import register_plugin
from pybtex.style import FormattedEntry
from pybtex.style.formatting import BaseStyle
from sphinxcontrib.bibtex.plugin import register_plugin as register_reference_plugin
from sphinxcontrib.bibtex.style.referencing.label import LabelReferenceStyle

from refkit.labels import labels
from refkit.model import Entry

#: The name under which both styles are registered.
NAME = "refkit"


class ReferenceStyle(BaseStyle):  # type: ignore[misc] # pybtex has no types
    """References as :mod:`refkit.sphinxext.reference` sets them, for any program that uses pybtex.

    pybtex's own constructor looks for three more plug-ins by scanning all installed distributions; this
    style needs none of them.
    """

    def __init__(self, **options: Any) -> None:
        self.abbreviate_names = options.get("abbreviate_names", False)
        self.min_crossrefs = options.get("min_crossrefs", 2)

    def sort(self, entries: Iterable[Any]) -> list[Any]:
        """By people (or title), then date."""
        return sorted(entries, key=_sort_key)

    def format_labels(self, sorted_entries: Iterable[Any]) -> Iterator[str]:
        """The label of each entry, in the order given."""
        sources = [source_entry(entry) for entry in sorted_entries]
        found = labels(sources)
        for source in sources:
            yield found[source.key].text

    def format_entry(self, label: str, entry: Any, bib_data: Any = None) -> FormattedEntry:  # noqa: ARG002 - pybtex passes it
        """One reference; never raises for what an entry lacks."""
        from refkit.sphinxext import reference, richtext

        text = richtext.to_pybtex(reference.reference(source_entry(entry)))
        return FormattedEntry(entry.key, text, label)


def _sort_key(entry: Any) -> tuple[str, str, str, str]:
    source = source_entry(entry)
    date = source.date
    people = source.names("author").people or source.names("editor").people
    name = " ".join(person.short for person in people) or source.text("title")
    return name.casefold(), date.iso if date else "", source.text("title").casefold(), source.key


def source_entry(entry: Any) -> Entry:
    """refkit's entry of one of pybtex's: the one it was made from, or one made from it."""
    from refkit.sphinxext.pybtex_entries import PybtexEntry

    if isinstance(entry, PybtexEntry):
        return entry.source
    people = {
        role: " and ".join(str(person) for person in persons) for role, persons in entry.persons.items()
    }
    fields = {name.lower(): value for name, value in (*people.items(), *entry.fields.items())}
    return Entry(entry.key, entry.type, fields)


@dataclass
class CitationStyle(LabelReferenceStyle):
    """Citations by label. The cite domain sets them itself where this style is chosen: see ``citations``."""


def register() -> None:
    """Make the styles known by name, in code: no entry point needs to be looked up for them."""
    register_plugin("pybtex.style.formatting", NAME, ReferenceStyle, force=True)
    register_reference_plugin("sphinxcontrib.bibtex.style.referencing", NAME, CitationStyle, force=True)
