"""The bibliography of a Sphinx project: read in a build by refkit's own reader, never by pybtex.

What every build asks for (keys, labels, digests, what is wrong) is kept beside the doctrees and taken from
there while the .bib files have the same bytes; entries are read when something must be formatted. Nothing
of this is stored in Sphinx's environment.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pybtex.database import BibliographyData
from sphinxcontrib.bibtex.bibfile import BibData, BibFile, get_mtime

from refkit.config import shown
from refkit.files import write_if_changed
from refkit.labels import Label, labels
from refkit.model import Diagnostic, Entry

if TYPE_CHECKING:
    from refkit.bibtex import Bibliography
    from refkit.sphinxext.pybtex_entries import PybtexEntry


class Summary(NamedTuple):
    """What every build asks of a library; plain data."""

    #: By key, in the order of the files, a digest of all that a page can show: the entry and its label.
    digests: dict[str, str]
    #: By key the two parts of the label.
    labels: dict[str, tuple[str, str]]
    #: By file, as messages name it, its keys.
    keys: dict[str, list[str]]
    #: By old key the key that it stands for.
    aliases: dict[str, str]
    #: What was wrong in the files.
    diagnostics: list[Diagnostic]


class Library:
    """All entries of a project's .bib files, with what a build derives from them.

    Args:
        files: the .bib files, absolute, in the order in which they are configured.
        root: the project's folder; messages name files relative to it.
        provenance: the content of provenance.json.
        aliases: old keys and new ones, as the project's configuration has them.
        cache: where the summary may be kept; ``made_by`` says by what.
    """

    def __init__(
        self,
        files: Sequence[Path],
        root: Path,
        provenance: Mapping[str, Any] | None = None,
        aliases: Mapping[str, str] | None = None,
        *,
        cache: Path | None = None,
        made_by: str = "",
    ) -> None:
        self.files = tuple(files)
        self.provenance: Mapping[str, Any] = provenance or {}
        self._root = root
        self._configured_aliases = aliases or {}
        self._unopened: list[Diagnostic] = []
        self._contents = dict(self._open())
        #: A digest of all input: equal while nothing that a build could show has changed.
        self.contents = digest((made_by, self._hashes(), self._unopened, aliases, provenance))
        self._summary = self._load(cache) or self._summarise(cache)
        self._pybtex: dict[str, PybtexEntry] = {}
        self._plain: dict[str, str] = {}

    # reading -----------------------------------------------------------------

    def _open(self) -> Iterator[tuple[str, bytes]]:
        for path in self.files:
            name = shown(path, self._root)
            try:
                yield name, path.read_bytes()
            except OSError as error:
                why = f"cannot be opened ({error.strerror or error}); correct bibtex_bibfiles or the file"
                self._unopened.append(_unusable(name, why))

    def _hashes(self) -> list[tuple[str, str]]:
        return [
            (name, hashlib.blake2b(data, digest_size=16).hexdigest()) for name, data in self._contents.items()
        ]

    @cached_property
    def _read(self) -> tuple[Bibliography, list[Diagnostic]]:
        """The files' entries, and the files that are no .bib files: each costs only itself."""
        from refkit.bibtex import UnreadableError, read_bytes, read_sources

        try:
            return read_sources(self._contents.items()), []
        except UnreadableError:
            unreadable: list[Diagnostic] = []
            readable: dict[str, bytes] = {}
        for name, data in self._contents.items():
            try:
                read_bytes(data, name)
            except UnreadableError as error:
                unreadable.append(_unusable(name, f"cannot be read: {error}"))
            else:
                readable[name] = data
        return read_sources(readable.items()), unreadable

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Entries by key, exact: keys that differ by case are different works here."""
        return self._read[0].by_key

    # the summary ---------------------------------------------------------------

    def _load(self, cache: Path | None) -> Summary | None:
        try:
            data: Any = json.loads(cache.read_bytes()) if cache else None
        except (OSError, ValueError):
            return None
        if not isinstance(data, dict) or data.get("contents") != self.contents:
            return None
        found = Summary(**data["summary"])
        return found._replace(diagnostics=[Diagnostic(*one) for one in found.diagnostics])

    def _summarise(self, cache: Path | None) -> Summary:
        bibliography, unreadable = self._read
        entries = bibliography.by_key
        named = labels(entries.values())
        keys: dict[str, list[str]] = {}
        for key, entry in entries.items():
            keys.setdefault(entry.file, []).append(key)
        found = Summary(
            digests={key: digest((entry.type, entry.fields, named[key])) for key, entry in entries.items()},
            labels={key: (label.name, label.year) for key, label in named.items()},
            keys=keys,
            aliases=_aliases(self._configured_aliases, entries),
            diagnostics=[*self._unopened, *unreadable, *bibliography.diagnostics],
        )
        if cache:
            cache.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"contents": self.contents, "summary": found._asdict()})
            write_if_changed(cache, text.encode())
        return found

    @property
    def digests(self) -> Mapping[str, str]:
        """By key, in the order of the files, a digest of all that a page can show of a work."""
        return self._summary.digests

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """What was wrong in the files."""
        return self._summary.diagnostics

    @property
    def aliases(self) -> Mapping[str, str]:
        """Old keys and the keys that they stand for."""
        return self._summary.aliases

    @cached_property
    def labels(self) -> dict[str, Label]:
        """Citation labels by key, computed once for all pages."""
        return {key: Label(*parts) for key, parts in self._summary.labels.items()}

    @cached_property
    def keys_of(self) -> dict[Path, tuple[str, ...]]:
        """The keys of each file, in its order."""
        keys = self._summary.keys
        return {path: tuple(keys.get(shown(path, self._root), ())) for path in self.files}

    # keys ------------------------------------------------------------------------

    def key(self, key: str) -> str:
        """The key under which a work is known now: the one given, unless that is an old one."""
        return key if key in self.digests else self.aliases.get(key, key)

    def old_keys(self, key: str) -> list[str]:
        """The old keys of a work."""
        return [old for old, new in self.aliases.items() if new == key] if self.aliases else []

    def renamed(self, names: Container[str]) -> dict[str, str]:
        """Old names that the project configures and that now stand for one of these names."""
        return _followed(self._configured_aliases, names)

    def mark(self, key: str) -> str:
        """What changes when that changes which a page shows for a key."""
        now = self.key(key)
        return self.digests.get(now, "") if now == key else f"{now} {self.digests[now]}"

    # what is formatted -------------------------------------------------------------

    @cached_property
    def sort_keys(self) -> dict[str, tuple[str, str, str, str]]:
        """By key what bibliographies are sorted by: people or title as in the label, date, title, key."""
        out = {}
        for key, entry in self.entries.items():
            date = entry.date
            title = entry.text("title").casefold()
            out[key] = (self.labels[key].name.casefold(), date.iso if date else "", title, key)
        return out

    def plain_reference(self, key: str) -> str:
        """The reference as plain text, for tooltips."""
        from refkit.sphinxext import reference, richtext

        found = self._plain.get(key)
        if found is None:
            found = self._plain[key] = richtext.plain(reference.reference(self.entries[key]))
        return found

    def pybtex_entry(self, key: str) -> PybtexEntry:
        """The entry as pybtex's styles want it, made once.

        Raises:
            KeyError: there is no such work.
        """
        from refkit.sphinxext.pybtex_entries import PybtexEntry

        found = self._pybtex.get(key)
        if found is None:
            found = self._pybtex[key] = PybtexEntry(self.entries[key])
        return found

    def bibdata(self, encoding: str) -> BibData:
        """The library in the shape that sphinxcontrib-bibtex keeps, up to date by its own test."""
        from refkit.sphinxext.pybtex_entries import PybtexEntries

        data = BibliographyData()
        data.entries = PybtexEntries(self)
        keys = self.keys_of
        files = {path: BibFile(mtime=get_mtime(path), keys=dict.fromkeys(keys[path])) for path in self.files}
        return BibData(encoding=encoding, bibfiles=files, data=data)


def _unusable(name: str, why: str) -> Diagnostic:
    return Diagnostic("error", "bib-file", f"this .bib file {why}", file=name)


def _aliases(configured: Mapping[str, str], entries: Mapping[str, Entry]) -> dict[str, str]:
    """Old keys: those that the project configures, then those of the field ``ids``."""
    from refkit.bibtex.inherit import keys_of

    found = _followed(configured, entries)
    for key, entry in entries.items():
        for old in keys_of(entry.fields.get("ids", "")):
            if old not in entries:
                found.setdefault(old, key)
    return found


def _followed(configured: Mapping[str, str], names: Container[str]) -> dict[str, str]:
    """Each old name and the one of ``names`` to which it leads, through others and at any remove."""
    found: dict[str, str] = {}
    for old in configured:
        key, seen = old, {old}
        while key not in names and isinstance(new := configured.get(key), str) and new not in seen:
            key = new
            seen.add(key)
        if key != old and key in names:
            found[old] = key
    return found


def digest(value: object) -> str:
    """A short digest of plain data: strings, numbers, tuples, lists and dictionaries of them."""
    return hashlib.blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
