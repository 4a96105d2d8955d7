"""Changes to a project that go through all its files: bibliography, pages, provenance, configuration.

All files are read inside the lock, changed in memory, and written together when every part of the change has
succeeded: a change that is refused anywhere has happened nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from refkit import config_edit, files, provenance
from refkit.bibtex import read_text
from refkit.bibtex.edit import EditError, Editor, key_problem
from refkit.config import Config, ConfigError
from refkit.pages import edit as pages_edit
from refkit.pages.edit import PageError
from refkit.project import Project


class WorkspaceError(ValueError):
    """A change that is refused; the message says why, where and what to do."""


class Place(NamedTuple):
    """Where a key is named: a file relative to the project's folder, a 1-based line, and in what."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        """The place as a line of a list."""
        return f"{self.file}:{self.line}: {self.what}"


class InUseError(WorkspaceError):
    """A work cannot be removed because others need it."""

    def __init__(self, key: str, places: list[Place]) -> None:
        """The work and where it is named."""
        super().__init__(f"{key!r} is still needed; change these first")
        self.places = places


class Workspace:
    """The files of a project while they change; made by `opened`. Nothing is written before `commit`."""

    def __init__(self, config: Config) -> None:
        """Start from the files as they are; they are read when they are asked for."""
        self.config = config
        self.project = Project(config)
        #: New contents of the files that changed, besides the .bib files.
        self._contents: dict[Path, bytes] = {}

    # -- files

    @cached_property
    def _editors(self) -> dict[Path, Editor]:
        """The .bib files by path."""
        documents = self.project.bibliography.documents
        return {self.config.root / document.file: Editor(document) for document in documents}

    def commit(self) -> list[Path]:
        """Write what changed, all of it or nothing; returns the files.

        Raises:
            OSError: a file cannot be written; all are as they were.
        """
        bib = {path: editor.bytes() for path, editor in self._editors.items()}
        return files.replace_all({**bib, **self._contents})

    def _read(self, path: Path) -> bytes:
        return self._contents[path] if path in self._contents else path.read_bytes()

    def _pages_with(self, key: str) -> Iterator[tuple[Path, str]]:
        folder = self.project.pages_folder
        for path in pages_edit.files(folder) if folder.is_dir() else ():
            data = self._read(path)
            if key.encode() in data:
                yield path, pages_edit.decode(data)

    def _edit_page(self, path: Path, edit: Callable[[str], str]) -> None:
        try:
            self._contents[path] = pages_edit.encode(edit(pages_edit.decode(self._read(path))))
        except PageError as error:
            raise WorkspaceError(f"{self.config.shown(path)}: {error}") from error

    def _edit_provenance(self, edit: Callable[[dict[str, object]], bool]) -> None:
        """Change the works of the provenance file; ``edit`` tells whether it changed anything."""
        path = self.project.provenance_file
        data = provenance.load(path)
        if edit(data["works"]):
            self._contents[path] = provenance.dumps(data).encode()

    def _edit_config(self, edit: Callable[[Path, str], str]) -> None:
        path = self.config.file or self.config.root / "refkit.toml"
        text = self._read(path).decode("utf-8-sig") if path.exists() else ""
        mark = "\ufeff" if path.exists() and self._read(path).startswith(b"\xef\xbb\xbf") else ""
        changed = edit(path, text)
        if changed != text:
            self._contents[path] = (mark + changed).encode()

    # -- entries

    def _holder(self, key: str) -> tuple[Path, Editor]:
        """The file that a work's entry stands in.

        Raises:
            WorkspaceError: there is no such entry, or several have its key.
        """
        found = [(path, editor) for path, editor in self._editors.items() if key in editor]
        if not found:
            raise WorkspaceError(f"there is no entry {key!r} in {self._bib_names()}{self._hint(key)}")
        if len(found) > 1:
            names = ", ".join(self.config.shown(path) for path, _ in found)
            raise WorkspaceError(
                f"the key {key!r} stands in several files ({names}); give all but one another key"
            )
        return found[0]

    def _bib_names(self) -> str:
        return " and ".join(self.config.bib)

    def _hint(self, key: str) -> str:
        if key in self.config.aliases:
            return f"; it is an old name of {self.config.aliases[key]!r}"
        similar = next(filter(None, (editor.clash(key) for editor in self._editors.values())), None)
        return f"; did you mean {similar!r}?" if similar else ""

    def check_new_key(self, key: str, own: str | None = None) -> None:
        """Make sure that a key can be given to a work; ``own`` is the key that the work has now.

        Raises:
            WorkspaceError: it cannot be a key, or it names another work.
        """
        problem = key_problem(key)
        if not problem and not key.isascii():
            problem = f"the key {key!r} must be ASCII: file names and addresses are made from it"
        elif not problem and not {"", ".", ".."}.isdisjoint(key.split("/")):
            problem = f"the key {key!r} must not read like a path: file names and addresses are made from it"
        if problem:
            raise WorkspaceError(problem)
        for path, editor in self._editors.items():
            taken = editor.clash(key)
            if taken is not None and taken != own:
                case = "" if taken == key else f" as {taken!r}, and BibTeX does not tell case"
                raise WorkspaceError(
                    f"the key {key!r} is taken in {self.config.shown(path)}{case}; choose another"
                )
        target = self.config.aliases.get(key)
        if target is not None and target != own:
            raise WorkspaceError(
                f"{key!r} is an old name of {target!r}, which links still use; choose another key"
            )
        other = self.project.bibliography.get(key)
        if other is not None and other.key != own:
            raise WorkspaceError(f"{key!r} stands among the ids of {other.key!r}; choose another key")

    # -- sections

    def section_page(self, slug: str) -> Path:
        """The page of a section; a page without sources counts, so that it can get its first.

        Raises:
            WorkspaceError: there is no such page, or several.
        """
        section = self.project.pages.section(slug)
        folder = self.project.pages_folder
        if section is not None:
            return folder / section.file
        found = [path for path in pages_edit.files(folder) if path.stem == slug] if folder.is_dir() else []
        if len(found) != 1:
            listed = ", ".join(section.slug for section in self.project.pages.sections) or "none"
            raise WorkspaceError(
                f"there is no section {slug!r} below {self.config.pages}; sections are: {listed}"
            )
        return found[0]

    def _order(self) -> dict[str, list[str]]:
        """The keys placed on each section, in reading order."""
        return {
            section.slug: [placed.key for placed in section.placements]
            for section in self.project.pages.sections
        }

    def _bib_file(self, slug: str) -> Path | None:
        """The section's own .bib file, there or not; ``None`` where the project keeps no file per section."""
        for path in self._editors:
            if path.stem == slug:
                return path
        slugs = {section.slug for section in self.project.pages.sections}
        if self.config.bib[0].endswith(".bib") or not any(path.stem in slugs for path in self._editors):
            return None
        return self.config.bib_folder / f"{slug}.bib"

    def _editor(self, path: Path, slug: str) -> Editor:
        """The editor of a section's .bib file, begun where there is none yet."""
        editor = self._editors.get(path)
        if editor is None:
            title = pages_edit.title_of(pages_edit.decode(self._read(self.section_page(slug)))) or slug
            begun = f'% Section "{title}": the works that appear here first, in reading order.\n'
            editor = self._editors[path] = Editor(read_text(begun, self.config.shown(path)))
        return editor

    # -- changes

    def rename(self, old: str, new: str) -> None:
        """Give a work another key, everywhere: entry, references, pages, provenance; the old key is an alias.

        Raises:
            WorkspaceError: there is no such work, or the new key cannot be given to it.
        """
        _, editor = self._holder(old)
        if old == new:
            raise WorkspaceError(f"{old!r} has that key already")
        self.check_new_key(new, own=old)
        keys = [key.casefold() for one in self._editors.values() for key in one.keys()]  # noqa: SIM118 (an Editor)
        exact = keys.count(old.casefold()) > 1
        with _told():
            editor.rename(old, new, exact=exact)
            for other in self._editors.values():
                other.rename_references(old, new, exact=exact)
        for page, _ in list(self._pages_with(old)):
            self._edit_page(page, lambda text: pages_edit.rename(text, old, new))
        self._edit_provenance(lambda works: self._renamed_work(works, old, new))
        self._edit_config(lambda file, text: config_edit.renamed(file, text, old, new))

    def _renamed_work(self, works: dict[str, object], old: str, new: str) -> bool:
        if old not in works:
            return False
        if new in works:
            name = self.config.shown(self.project.provenance_file)
            raise WorkspaceError(
                f"{name}: knows a work {new!r} already; delete that record or choose another key"
            )
        works[new] = works.pop(old)
        return True

    def move(self, key: str, section: str, after: str | None = None, source: str | None = None) -> None:
        """Place a work on another section, or elsewhere on its own.

        The entry goes to the section's .bib file if that is now the first section to place the work.

        Args:
            key: the work's key.
            section: the slug of the section to move it to.
            after: the key of the source to stand behind; the last one by default.
            source: the slug of the section to move it from, where it is placed on several.

        Raises:
            WorkspaceError: the work is not placed there, or it cannot be placed as asked.
        """
        self._holder(key)
        if after == key:
            raise WorkspaceError(f"{key!r} cannot stand behind itself")
        order = self._order()
        target = self.section_page(section)
        origin = self._origin(key, section, source, order)
        block = ""

        def take(text: str) -> str:
            nonlocal block
            text, block = pages_edit.take(text, key)
            return text

        self._edit_page(self.section_page(origin), take)
        self._edit_page(target, lambda text: pages_edit.place(text, block, after))
        before = _first(order, key)
        order[origin].remove(key)
        keys = order.setdefault(section, [])
        keys.insert(keys.index(after) + 1 if after in keys else len(keys), key)
        now = _first(order, key)
        if section == now or before != now:
            self._move_entry(key, before, now, order)

    def _origin(self, key: str, section: str, source: str | None, order: Mapping[str, list[str]]) -> str:
        """The section that a work is taken from."""
        placed = [slug for slug, keys in order.items() if key in keys]
        if source is not None:
            if source not in placed:
                raise WorkspaceError(f"{key!r} is not placed on {source!r}, but on {_listed(placed)}")
            return source
        if section in placed:
            return section
        if len(placed) != 1:
            more = "; say from which with --from" if placed else "; place it with a source directive"
            raise WorkspaceError(f"{key!r} is placed on {_listed(placed)}{more}")
        return placed[0]

    def _move_entry(self, key: str, before: str, now: str, order: Mapping[str, list[str]]) -> None:
        """Let an entry follow its first placement, where the project keeps a .bib file per section."""
        path, editor = self._holder(key)
        if path.stem != before:
            return
        target = self._bib_file(now)
        if target is None:
            return
        macros = {} if target == path else self._macros_unknown_to(target)
        with _told():
            text = editor.expanded_text(key, macros)
            other = self._editor(target, now)
            after, front = _neighbours(key, order[now], other)
            if target == path and _stands_behind(editor, key, after, front):
                return
            editor.remove_entry(key)
            other.add_text(text, after, front)

    def _macros_unknown_to(self, path: Path) -> dict[str, str]:
        """The macros of the bibliography that this file does not define."""
        documents = self.project.bibliography.documents
        own = [document.strings for document in documents if self.config.root / document.file == path]
        known = {name for strings in own for name in strings}
        others = (item for document in documents for item in document.strings.items())
        return {name: value for name, value in others if name not in known}

    def remove(self, key: str) -> None:
        """Remove a work: entry, places, provenance, its aliases and the answers to findings about it.

        Raises:
            InUseError: other entries or annotations name it.
            WorkspaceError: there is no such work.
        """
        _, editor = self._holder(key)
        for page, _ in list(self._pages_with(key)):
            self._edit_page(page, lambda text: pages_edit.without(text, key))
        places = list(self._needed_by(key))
        if places:
            raise InUseError(key, places)
        with _told():
            editor.remove_entry(key)

        def forget(works: dict[str, object]) -> bool:
            return works.pop(key, None) is not None

        self._edit_provenance(forget)
        self._edit_config(lambda file, text: config_edit.forgotten(file, text, key))

    def _needed_by(self, key: str) -> Iterator[Place]:
        """What names a work besides its own places."""
        for path, editor in self._editors.items():
            for found in editor.references(key):
                yield Place(self.config.shown(path), found.line, f"{found.field} of {found.key}")
        for path, _ in self._pages_with(key):
            text = pages_edit.decode(path.read_bytes())
            own = [(block.start, block.end) for block in pages_edit.blocks(text) if block.key == key]
            for at in pages_edit.find(text, key).citations:
                if not any(start <= at < end for start, end in own):
                    yield Place(self.config.shown(path), pages_edit.line_of(text, at), f"cites {key}")


@contextmanager
def opened(config: Config) -> Iterator[Workspace]:
    """A project's workspace, inside the lock.

    Raises:
        WorkspaceError: a change is refused; nothing was written.
        OSError: a file cannot be read or written.
    """
    folders = {path.parent for path in config.bib_files()} | {config.bib_folder}
    with files.lock_all(folder for folder in folders if folder.is_dir()):
        try:
            yield Workspace(config)
        except (ConfigError, provenance.ProvenanceError) as error:
            raise WorkspaceError(str(error)) from error


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except EditError as error:
        raise WorkspaceError(str(error)) from error


def _first(order: Mapping[str, list[str]], key: str) -> str:
    """The first section in reading order that places a work; empty where none does."""
    return next((slug for slug, keys in order.items() if key in keys), "")


def _neighbours(key: str, keys: list[str], editor: Editor) -> tuple[str | None, str | None]:
    """The work to stand behind in a .bib file so that it is in reading order, or the one to stand before."""
    at = keys.index(key)
    after = next((other for other in reversed(keys[:at]) if other in editor), None)
    front = next((other for other in keys[at + 1 :] if other in editor), None)
    return after, front if after is None else None


def _stands_behind(editor: Editor, key: str, after: str | None, front: str | None) -> bool:
    keys = editor.keys()
    at = keys.index(key)
    if after is not None:
        return at > 0 and keys[at - 1] == after
    return front is None or keys[at + 1 : at + 2] == [front]


def _listed(slugs: list[str]) -> str:
    return " and ".join(repr(slug) for slug in slugs) or "no section"
