"""Enriching the entries of .bib files: which to ask for, what to change, and writing it.

Reading, asking and writing are apart. The files are read again, under a lock, when the answers are there:
whoever changed them in the meantime loses nothing. Provenance is written before the .bib files, so that a
run that is cut off between the two leaves fields to be filled again from the same records, and never a
value of unknown origin.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit import files, identifiers, provenance
from refkit.bibtex import Bibliography, Document, read_files
from refkit.bibtex.edit import Bare, EditError, Editor
from refkit.enrich import merge
from refkit.enrich.lookup import Answers, Tell, Wanted, lookup, recorded
from refkit.enrich.merge import Change, Merged
from refkit.enrich.values import SYNONYMS, Flavour, flavour
from refkit.model import Diagnostic, Entry

if TYPE_CHECKING:
    from refkit.enrich.session import Session
    from refkit.identifiers import ArxivId


class Options(NamedTuple):
    """What a run is to do."""

    #: Only these entries; all where none is named.
    keys: Collection[str] = ()
    #: Write nothing.
    dry_run: bool = False
    #: Ask nobody: use what is recorded.
    offline: bool = False
    #: Ask also for what is recorded.
    refresh: bool = False
    #: Key -> fields whose values are to be taken though the entry has them.
    overwrite: Mapping[str, Collection[str]] = {}


class Edit(NamedTuple):
    """A file that changes."""

    path: Path
    #: Its name as diagnostics have it.
    name: str
    before: str
    after: str
    data: bytes


class Report(NamedTuple):
    """What a run found and did."""

    changes: tuple[Change, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    edits: tuple[Edit, ...] = ()
    #: Whether something could not be verified.
    unverified: bool = False
    #: Entries that were looked at, and those of them without DOI and arXiv id.
    entries: int = 0
    without_id: int = 0


class UnknownKeyError(ValueError):
    """There is no entry of this key; the message says so."""


_ALL = Options()


def enrich(
    paths: Sequence[Path],
    session: Session,
    options: Options = _ALL,
    *,
    root: Path | None = None,
    provenance_file: Path | None = None,
    start: Callable[[Wanted], None] = lambda _: None,
    tell: Tell = lambda _: None,
) -> Report:
    """Fill in and verify the entries of .bib files.

    Args:
        paths: the files.
        session: the connection to the services.
        options: what to do.
        root: files below it are named relative to it.
        provenance_file: where provenance is kept; nowhere if ``None``.
        start: is told what will be asked for.
        tell: is told each answer as it comes.

    Raises:
        UnknownKeyError: an entry that was named is not there. OSError, UnreadableError, ProvenanceError: a
        file cannot be read or written; none is left half-written.
    """
    bibliography = read_files(paths, relative_to=root)
    chosen = _chosen(bibliography, options)
    wanted = wanted_of(chosen)
    start(wanted)
    if options.offline:
        answers = recorded(session, wanted)
    else:
        answers = lookup(session, wanted, refresh=options.refresh, tell=tell)
    plan = _plan(
        bibliography,
        answers,
        options,
        _load(provenance_file),
        dict(zip(_names(bibliography), paths, strict=True)),
    )
    if options.dry_run or not (plan.report.edits or plan.new_provenance):
        return plan.report
    with ExitStack() as held:
        for folder in sorted({path.resolve().parent for path in (*paths, *filter(None, (provenance_file,)))}):
            held.enter_context(files.lock(folder))
        again = read_files(paths, relative_to=root)
        plan = _plan(
            again, answers, options, _load(provenance_file), dict(zip(_names(again), paths, strict=True))
        )
        if provenance_file is not None and plan.new_provenance:
            files.write_if_changed(provenance_file, provenance.dumps(plan.new_provenance).encode())
        for edit in plan.report.edits:
            files.write_if_changed(edit.path, edit.data)
    return plan.report


def wanted_of(entries: Iterable[Entry]) -> Wanted:
    """The identifiers to ask for. arXiv's own DOIs are asked for at arXiv, not at DataCite."""
    ids: dict[str, ArxivId] = {}
    dois: dict[str, str] = {}
    for entry in entries:
        id, doi = identifiers_of(entry)
        if id:
            ids.setdefault(str(id), id)
        if doi:
            dois.setdefault(doi.lower(), doi)
    return Wanted(tuple(ids.values()), tuple(dois.values()))


def identifiers_of(entry: Entry) -> tuple[ArxivId | None, str]:
    """The arXiv id and the publisher's DOI of an entry."""
    doi = entry.doi
    id = identifiers.arxiv_id_of(entry.fields)
    return (id._replace(archive_class="") if id else None), "" if doi and identifiers.arxiv(doi) else doi


# -- planning --------------------------------------------------------------------------------------------


class _Plan(NamedTuple):
    report: Report
    #: The new content of the provenance file; empty where it stays.
    new_provenance: Mapping[str, Any] = {}


def _plan(
    bibliography: Bibliography,
    answers: Answers,
    options: Options,
    recorded: dict[str, Any] | None,
    paths: Mapping[str, Path],
) -> _Plan:
    changes: list[Change] = []
    diagnostics: list[Diagnostic] = []
    edits: list[Edit] = []
    unverified = False
    count = without = 0
    chosen = {id(entry) for entry in _chosen(bibliography, options)}
    gained: dict[str, Mapping[str, Any]] = {}
    for document in bibliography.documents:
        style = flavour(document.entries)
        editor = Editor(document)
        for entry in document.entries:
            if id(entry) not in chosen:
                continue
            count += 1
            without += not any(identifiers_of(entry))
            merged = _merged(entry, answers, style, options, recorded or {})
            written, refused = _apply(editor, entry, merged.changes)
            changes += written
            diagnostics += (*local(entry), *merged.diagnostics, *refused)
            unverified |= merged.unverified
            if merged.provenance and not refused:
                gained[entry.key] = merged.provenance
        after = editor.text()
        if after != document.text:
            edits.append(Edit(paths[document.file], document.file, document.text, after, editor.bytes()))
    report = Report(tuple(changes), tuple(diagnostics), tuple(edits), unverified, count, without)
    return _Plan(report, _with(recorded, gained) if recorded is not None else {})


def _merged(
    entry: Entry, answers: Answers, style: Flavour, options: Options, recorded: Mapping[str, Any]
) -> Merged:
    work = provenance.work(recorded, entry.key)
    id, doi = identifiers_of(entry)
    found = [answers.of("doi", doi) if doi else None, answers.of("arxiv", str(id)) if id else None]
    asked = [answer for answer in found if answer]
    merged = merge.merge(entry, asked, style, work, options.overwrite.get(entry.key, ()))
    if options.offline and any(answer.state == "offline" for answer in asked):
        return _replayed(entry, work, merged)
    return merged


def _replayed(entry: Entry, work: provenance.Work, merged: Merged) -> Merged:
    """With the values that provenance has recorded, where no record is at hand."""
    if not work.fields:
        return merged
    filled = {change.field for change in merged.changes}
    changes = list(merged.changes)
    for field, record in work.fields.items():
        value = record.get("value")
        names = next((synonyms for synonyms in SYNONYMS.values() if field in synonyms), (field,))
        if value and field not in filled and not entry.get(*names, field):
            bare = field == "month" and str(value).isalpha()
            changes.append(Change(entry.key, field, None, str(value), str(record.get("source", "")), bare))
    told = tuple(found for found in merged.diagnostics if not found.code.endswith("-not-recorded"))
    return merged._replace(changes=tuple(changes), diagnostics=told)


def _apply(editor: Editor, entry: Entry, changes: Iterable[Change]) -> tuple[list[Change], list[Diagnostic]]:
    """Make the changes to an entry; tells of those that would break the file."""
    written: list[Change] = []
    refused: list[Diagnostic] = []
    for change in changes:
        try:
            editor.set(entry.key, change.field, Bare(change.new) if change.bare else change.new)
        except EditError as error:
            message = f"{change.field} was not written: {error}"
            refused.append(
                Diagnostic("error", "not-written", message, entry.key, entry.file or None, entry.line or None)
            )
        else:
            written.append(change)
    return written, refused


def local(entry: Entry) -> Iterator[Diagnostic]:
    """Identifiers that no service need be asked about."""
    doi, eprint = entry.get("doi"), entry.get("eprint")
    archive = entry.text("eprinttype", "archiveprefix").lower()
    if doi and not entry.doi:
        message = f"{doi[:200]!r} is not a DOI (10.NUMBER/NAME); correct it"
        yield Diagnostic("error", "invalid-doi", message, entry.key, entry.file or None, entry.line or None)
    if eprint and archive == "arxiv" and not identifiers.arxiv(eprint):
        message = f"{eprint[:200]!r} is not an arXiv id (2205.14135, math/0309136); correct it"
        yield Diagnostic("error", "invalid-arxiv", message, entry.key, entry.file or None, entry.line or None)


def _chosen(bibliography: Bibliography, options: Options) -> list[Entry]:
    """The entries to look at, without repeated keys: an edit could mean the other."""
    for key in (*options.keys, *options.overwrite):
        if bibliography.get(key) is None:
            raise UnknownKeyError(f"there is no entry {key!r} in {_listed(bibliography.documents)}")
    wanted = {entry.key for key in options.keys if (entry := bibliography.get(key))}
    return [
        entry
        for entry in bibliography.entries
        if entry.key and bibliography.by_key.get(entry.key) is entry and (not wanted or entry.key in wanted)
    ]


def _listed(documents: Sequence[Document]) -> str:
    names = [document.file for document in documents]
    return ", ".join(names) if len(names) <= 3 else f"{len(names)} files"


def _names(bibliography: Bibliography) -> list[str]:
    return [document.file for document in bibliography.documents]


# -- provenance ------------------------------------------------------------------------------------------


def _load(path: Path | None) -> dict[str, Any] | None:
    return provenance.load(path) if path is not None else None


def _with(recorded: dict[str, Any], gained: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The content of the file with what was gained; empty where that changes nothing."""
    import copy

    content = copy.deepcopy(recorded)
    for key, news in gained.items():
        work = content["works"].setdefault(key, {})
        if "status" in news:
            work["status"] = news["status"]
        for field, record in news.get("fields", {}).items():
            old = work.setdefault("fields", {}).setdefault(field, {})
            lost = [*old.get("lost", ()), *record.get("lost", ())]
            old.update({name: value for name, value in record.items() if name != "lost"})
            if lost:
                old["lost"] = lost
    return content if content != recorded else {}
