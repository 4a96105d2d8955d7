"""A new source from an identifier: looked up, given a key, placed in a section's .bib file and on its page.

Looking up (`find`) asks the services; making the entry (`draft`) and placing it (`place`) do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit import files, identifiers, provenance
from refkit.bibtex import Bibliography, Document, read_bytes
from refkit.bibtex.edit import Bare, EditError, Editor, key_problem
from refkit.bibtex.layout import FIELD_ORDER
from refkit.enrich import foreign, keys, matching, merge, page
from refkit.enrich.lookup import Wanted, lookup
from refkit.enrich.values import Flavour, flavour
from refkit.model import Diagnostic, Entry, NameList
from refkit.pages import Pages, Section
from refkit.pages import edit as page_edit

if TYPE_CHECKING:
    from refkit.enrich.records import Answer, Record
    from refkit.enrich.session import Session
    from refkit.project import Project

#: The service's type -> entry type and subtype, as this project's files are written.
_TYPES: Mapping[str, tuple[str, str]] = {
    "preprint": ("misc", "preprint"),
    "posted-content": ("misc", "preprint"),
    "journal-article": ("article", ""),
    "article-journal": ("article", ""),
    "journalarticle": ("article", ""),
    "proceedings-article": ("inproceedings", ""),
    "paper-conference": ("inproceedings", ""),
    "conferencepaper": ("inproceedings", ""),
    "book-chapter": ("incollection", ""),
    "book-section": ("incollection", ""),
    "chapter": ("incollection", ""),
    "bookchapter": ("incollection", ""),
    "book": ("book", ""),
    "monograph": ("book", ""),
    "reference-book": ("book", ""),
    "edited-book": ("collection", ""),
    "proceedings": ("proceedings", ""),
    "report": ("report", ""),
    "report-component": ("report", ""),
    "standard": ("report", "standard"),
    "dissertation": ("thesis", ""),
    "thesis": ("thesis", ""),
    "software": ("software", ""),
    "computationalnotebook": ("software", ""),
    "dataset": ("software", "dataset"),
    "documentation": ("online", "documentation"),
    "blog": ("online", "blog"),
    "webpage": ("online", ""),
}
#: A preprint and its publication are one work only if their titles are this alike (0 to 1).
_SAME_WORK = 0.95


class AddError(ValueError):
    """The source cannot be added: the message says why, and where it is if it is there already."""


class Request(NamedTuple):
    """What is to be added."""

    #: As the user wrote it.
    text: str
    #: ``arxiv``, ``doi`` or ``url``.
    scheme: str
    #: The identifier in its normal form.
    id: str


class Found(NamedTuple):
    """What the services say of one request."""

    request: Request
    answers: tuple[Answer, ...]

    @property
    def records(self) -> list[Record]:
        """The records, the one that was asked for first."""
        return [answer.record for answer in self.answers if answer.record]


class Draft(NamedTuple):
    """A new entry."""

    entry: Entry
    #: Fields whose value is a macro.
    bare: frozenset[str]
    #: What provenance records of it.
    provenance: Mapping[str, Any]
    diagnostics: tuple[Diagnostic, ...]
    #: What nobody has: to be filled by hand.
    missing: tuple[str, ...]


class Placed(NamedTuple):
    """Files with a new source in them."""

    #: Path -> old and new bytes; the old ones are ``None`` for a new file.
    contents: Mapping[Path, tuple[bytes | None, bytes]]
    #: The .bib file and the page, as the user knows them.
    bib: str
    page: str


def request(text: str) -> Request:
    """What an identifier is.

    Raises:
        AddError: it is none that can be looked up.
    """
    found = identifiers.detect(text)
    if found is None or found[0] not in ("arxiv", "doi", "url") or found[1].startswith(("ftp:", "mailto:")):
        raise AddError(
            f"{text!r} is no arXiv id, DOI or web address; for anything else write the entry by hand"
        )
    return Request(text, *found)


# -- looking up ------------------------------------------------------------------------------------------


def find(
    session: Session, requests: Sequence[Request], tell: Callable[[Answer], None] = lambda _: None
) -> list[Found]:
    """Asks for everything: identifiers first, then what the answers name (publication, preprint)."""
    pages = {one.id: page.lookup(session, one.id) for one in requests if one.scheme == "url"}
    first = {one: _identifiers(one, pages.get(one.id)) for one in requests}
    answers = lookup(session, _wanted(first.values()), tell=tell)
    second = {one: _further(answers.of(*wanted)) for one, names in first.items() for wanted in names}
    more = lookup(session, _wanted(second.values()), tell=tell)
    found = []
    for one in requests:
        own = [answer for scheme, id in first[one] if (answer := answers.of(scheme, id))]
        further = [answer for scheme, id in second.get(one, ()) if (answer := more.of(scheme, id))]
        of_page = pages.get(one.id)
        base = [of_page] if of_page and not any(answer.record for answer in own) else []
        found.append(Found(one, (*own, *base, *_same_work(own, further))))
    return found


_Names = list[tuple[str, str]]


def _identifiers(one: Request, of_page: Answer | None) -> _Names:
    """The identifiers to look up for a request: its own, or those that the page names."""
    if one.scheme != "url":
        return [(one.scheme, one.id)]
    record = of_page.record if of_page else None
    if record is None or record.type in ("software", "dataset"):
        return []
    arxiv = next((id for text in record.preprints if (id := identifiers.arxiv(text))), None)
    return [("arxiv", str(arxiv))] if arxiv else [("doi", doi) for doi in record.published_dois[:1]]


def _further(answer: Answer | None) -> _Names:
    """What a record names beside itself: the publication of a preprint, the preprint of a publication."""
    record = answer.record if answer else None
    if record is None:
        return []
    if record.service == "arxiv":
        return [("doi", doi) for doi in record.published_dois[:1]]
    preprint = next((id for text in record.preprints if (id := identifiers.arxiv(text))), None)
    return [("arxiv", preprint.id)] if preprint else []


def _wanted(names: Iterable[_Names]) -> Wanted:
    flat = dict.fromkeys(name for some in names for name in some)
    ids = (identifiers.arxiv(id) for scheme, id in flat if scheme == "arxiv")
    return Wanted(tuple(id for id in ids if id), tuple(id for scheme, id in flat if scheme == "doi"))


def _same_work(own: Sequence[Answer], further: Sequence[Answer]) -> list[Answer]:
    """Of what was found further, that which is the same work beyond doubt."""
    record = next((answer.record for answer in own if answer.record), None)
    if record is None:
        return []
    return [answer for answer in further if answer.record and _is_same(record, answer.record)]


def _is_same(one: Record, other: Record) -> bool:
    titles = foreign.plain(one.title), foreign.plain(other.title)
    people = matching.compare_people(NameList(one.authors), other.authors)
    return (
        matching.similarity(*titles) >= _SAME_WORK
        and people is not None
        and people.overlap >= matching.SAME_PEOPLE
    )


# -- making the entry ------------------------------------------------------------------------------------


def draft(found: Found, style: Flavour, key: str, taken: Callable[[str], bool], today: str) -> Draft:
    """The entry for what was found.

    Raises:
        AddError: nothing was found, or it is no work; the message says what the services said.
    """
    records = found.records
    if not records:
        raise AddError("; ".join(f"{found.request.text}: {answer.message}" for answer in found.answers))
    main = next((record for record in records if record.service != "arxiv"), records[0])
    if main.is_component:
        raise AddError(
            f"{found.request.text}: the DOI names a component (a figure or another part), not a work"
        )
    type, subtype = _TYPES.get(main.type.lower(), ("misc", ""))
    fields = _own_fields(main)
    gained: dict[str, Any] = {}
    diagnostics: list[Diagnostic] = []
    bare: set[str] = set()
    # The publication's record first, while the entry names no preprint; then arXiv's.
    for record in sorted(records, key=lambda record: record.service == "arxiv"):
        entry = Entry(key, type, fields | ({"entrysubtype": subtype} if subtype else {}))
        answer = next(answer for answer in found.answers if answer.record is record)
        merged = merge.merge(entry, [answer], style, provenance.Work())
        for change in merged.changes:
            fields.setdefault(change.field, change.new)
            bare |= {change.field} if change.bare else set()
        _join(gained, merged.provenance)
        diagnostics += [one for one in merged.diagnostics if one.code not in ("incomplete", "published")]
    _finish(fields, main, records, found.request, subtype, today)
    entry = Entry(key, type, _ordered(fields))
    if not key:
        entry = Entry(keys.propose(entry, taken), type, entry.fields)
    missing = tuple(
        word
        for word, names in _NEEDED.items()
        if not entry.get(*names) and not (word == "author" and entry.get("editor"))
    )
    work = _provenance(gained, records, missing, today)
    told = tuple(one._replace(key=entry.key) for one in diagnostics)
    return Draft(entry, frozenset(bare), work, told, missing)


_NEEDED = {"title": ("title",), "author": ("author",), "date": ("date", "year")}


def _own_fields(main: Record) -> dict[str, str]:
    """The DOI that the record is of."""
    doi = "" if main.service in ("arxiv", "page") else identifiers.doi(main.id) or ""
    if main.service == "page" and main.type in ("software", "dataset"):
        doi = next(iter(main.published_dois), "")
    return {"doi": doi.lower()} if doi else {}


def _finish(
    fields: dict[str, str], main: Record, records: Sequence[Record], one: Request, subtype: str, today: str
) -> None:
    """What is not a record's to say: short title, address, the day on which it was seen."""
    from refkit.values import tex

    if subtype:
        fields["entrysubtype"] = subtype
    if main.service == "page":
        site, publisher = (tex.encode(foreign.plain(text)) for text in (main.container, main.publisher))
        if site and site != fields.get("title"):
            fields.setdefault("titleaddon", site)
        if publisher:
            fields.setdefault("organization", publisher)
    head, colon, _ = tex.decode(fields.get("title", "")).partition(":")
    if colon and 0 < len(head.split()) <= 4:
        fields["shorttitle"] = tex.encode(head)
    arxiv = next((record for record in records if record.service == "arxiv"), None)
    url = identifiers.arxiv(arxiv.id) if arxiv else None
    address = (
        url.url
        if url
        else main.url or (one.text if identifiers.url(one.text) and one.scheme == "doi" else "")
    )
    if address and not identifiers.doi(address):
        fields["url"] = identifiers.url(address) or address
        fields["urldate"] = today


def _ordered(fields: Mapping[str, str]) -> dict[str, str]:
    order = {name: number for number, name in enumerate(FIELD_ORDER)}
    return dict(sorted(fields.items(), key=lambda item: order.get(item[0], len(order))))


def _join(gained: dict[str, Any], more: Mapping[str, Any]) -> None:
    for field, record in more.get("fields", {}).items():
        gained.setdefault("fields", {}).setdefault(field, record)
    status = more.get("status")
    if status and "status" in gained:
        gained["status"]["sources"] = sorted({*gained["status"]["sources"], *status["sources"]})
    elif status:
        gained["status"] = dict(status)


def _provenance(
    gained: Mapping[str, Any], records: Sequence[Record], missing: Sequence[str], today: str
) -> dict[str, Any]:
    arxiv = next((record for record in records if record.service == "arxiv"), None)
    work: dict[str, Any] = {
        **gained,
        "added": today,
        "checked": {"on": today, "against": [record.source for record in records]},
    }
    if missing:
        work["unverified"] = dict.fromkeys(missing, "missing; to be filled in by hand")
    if arxiv and len(records) > 1 and arxiv.date:
        id = identifiers.arxiv(arxiv.id)
        version = {
            "what": "preprint",
            "date": arxiv.date.iso,
            "eprint": arxiv.id,
            "url": id.url if id else "",
        }
        work["versions"] = [{name: value for name, value in version.items() if value}]
    return work


# -- where it is already ---------------------------------------------------------------------------------


def already(project: Project, found: Found) -> str:
    """Where a work is already, in a sentence; empty where it is not."""
    names = _names_of(found)
    for entry in project.bibliography.entries:
        known = merge.known_of(provenance.work(project.provenance, entry.key))
        own = {identifiers.doi_key(entry.get("doi")), entry.arxiv, _address(entry.url)} | known.ids
        if (names & own) or any(_is_entry(entry, record) for record in found.records):
            return _where(project, entry)
    return ""


def _names_of(found: Found) -> set[str]:
    """All identifiers of what was found, in the forms in which they are compared."""
    names = {_name(found.request.scheme, found.request.id)}
    for record in found.records:
        names.add(
            _name(
                "arxiv" if record.service == "arxiv" else "url" if record.service == "page" else "doi",
                record.id,
            )
        )
        names |= {_address(record.url)} if record.url else set()
        if record.service == "arxiv":
            names |= {identifiers.doi_key(doi) for doi in record.published_dois}
    return names - {""}


def _name(scheme: str, id: str) -> str:
    if scheme == "arxiv":
        found = identifiers.arxiv(id)
        return found.id if found else ""
    return identifiers.doi_key(id) if scheme == "doi" else _address(id)


def _address(url: str) -> str:
    """An address without what does not tell two pages apart: scheme, "www.", a final slash, the fragment."""
    bare = url.partition("#")[0].partition("://")[2].lower().removeprefix("www.")
    return bare.rstrip("/").removesuffix("/index.html").removesuffix(".git")


def _is_entry(entry: Entry, record: Record) -> bool:
    if (
        not record.title
        or record.is_component
        or matching.similarity(entry.text("title"), foreign.plain(record.title)) < 1
    ):
        return False
    people = matching.compare_people(entry.names("author"), record.authors)
    return people is not None and people.first


def _where(project: Project, entry: Entry) -> str:
    places = [
        f"section {section.slug!r}, position {placed.position}"
        for section, placed in project.pages.of(entry.key)
    ]
    listed = " and ".join(places) or "placed in no section"
    return f"it is there already as {entry.key!r} ({entry.file}:{entry.line}; {listed})"


# -- placing ---------------------------------------------------------------------------------------------


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
    return Placed(contents, _relative(path, project), _relative(page_path, project))


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
        document = read_bytes(before or b"", _relative(path, project))
    else:
        before = None
        heading = f'% Section "{section.title}": the works that appear here first, in reading order.\n'
        document = read_bytes(heading.encode(), _relative(path, project))
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
    by_name = {_relative(path, project): path for path in paths}
    best = max(count, key=lambda name: count[name], default="")
    return by_name.get(best, paths[0])


def _relative(path: Path, project: Project) -> str:
    root = project.config.root
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def style_of(project: Project) -> Flavour:
    """How the project's files write things."""
    return flavour(project.bibliography.entries)
