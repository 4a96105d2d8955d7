"""The record: what provenance says about the works, and what has changed since a person checked them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from refkit import identifiers
from refkit.check import seal, vocabulary
from refkit.check.model import Finding, rule
from refkit.provenance import RELATED_KINDS, Work

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry

_BIB = "bib/refs.bib"
_PROVENANCE = "bib/provenance.json"
_ENTRY = "@misc{{lee2024, author = {{{}}}, title = {{{}}}, date = {{{}}}, doi = {{10.5555/{}}}}}".format
_RIGHT = _ENTRY("Lee, Ada and Poe, Bo and Ray, Cy", "Fast Kernels", "2024", "1")


def _provenance(**members: Any) -> str:
    import json

    checked = {"on": "2024-06-01", "against": ["the title page"]}
    return json.dumps(
        {"version": 1, "works": {"lee2024": {"added": "2024-06-01", "checked": checked, **members}}}, indent=1
    )


def _sealed(**members: Any) -> str:
    """Provenance in which the facts of the right entry are sealed."""
    from refkit.bibtex.reader import read_text

    entry = read_text(_RIGHT).entries[0]
    checked = {"on": "2024-06-01", "against": ["the title page"], "facts": seal.facts(entry)}
    return _provenance(**{"checked": checked, **members})


def _files(bib: str, provenance: str) -> dict[str, str]:
    return {_BIB: bib, _PROVENANCE: provenance}


def _checked(library: Library) -> Iterator[tuple[Entry, Work, list[str]]]:
    """The works whose facts are sealed and have changed, and the fields."""
    for entry in library.entries:
        work = library.work(entry.key)
        if work.checked_facts:
            fields = [
                name for name in seal.changed(entry, work.checked_facts) if not _is_given(entry, work, name)
            ]
            if fields:
                yield entry, work, fields


def _is_given(entry: Entry, work: Work, field: str) -> bool:
    """Whether a service gave the field's present value, so that it has its own source."""
    recorded = work.fields.get(field) or {}
    return bool(entry.get(field)) and recorded.get("value") == entry.get(field)


def _when(work: Work) -> str:
    against = f" against {work.checked_against[0]}" if work.checked_against else ""
    return f"on {work.checked_on}{against}"


_ACCEPT = "put it right, or record the new value with refkit check --accept"


@rule(
    "author-order",
    "warning",
    needs="provenance",
    bad=_files(_ENTRY("Poe, Bo and Lee, Ada and Ray, Cy", "Fast Kernels", "2024", "1"), _sealed()),
    good=_files(_RIGHT, _sealed()),
)
def author_order(library: Library) -> Iterator[Finding]:
    """The same people in another order than when the work was checked.

    Services deposit lists in other orders: Crossref's under prefix 10.52202 are alphabetical. With
    ``--online`` the order is compared with the services' too. Known to bibtexupdater.
    """
    for entry, work, fields in _checked(library):
        for field in fields:
            if field in ("author", "editor") and entry.get(field):
                now, before = seal.of_people(entry, field).split(), work.checked_facts[field].split()
                if sorted(now) == sorted(before):
                    at = next(
                        number for number, (a, b) in enumerate(zip(now, before, strict=True), 1) if a != b
                    )
                    yield Finding(
                        f"the {field}s stand in another order, from place {at} on, than when checked "
                        f"{_when(work)}: {_ACCEPT}",
                        entry,
                        field,
                    )


@rule(
    "author-cut",
    "error",
    needs="provenance",
    bad=_files(_ENTRY("Lee, Ada and Poe, Bo", "Fast Kernels", "2024", "1"), _sealed()),
    good=_files(_RIGHT, _sealed()),
)
def author_cut(library: Library) -> Iterator[Finding]:
    """People are missing from the list who were in it when the work was checked. Known to bibtexupdater."""
    for entry, work, fields in _checked(library):
        for field in fields:
            if field in ("author", "editor"):
                now, before = seal.of_people(entry, field).split(), work.checked_facts[field].split()
                if len(now) < len(before) and set(now) - {"+"} <= set(before):
                    yield Finding(
                        f"the list has {len(now)} of the {len(before)} people it had when checked "
                        f"{_when(work)}: {_ACCEPT}",
                        entry,
                        field if now else "",
                    )


@rule(
    "changed-people",
    "warning",
    needs="provenance",
    bad=_files(_ENTRY("Lee, Ada and Poe, Bob and Ray, Cy", "Fast Kernels", "2024", "1"), _sealed()),
    good=_files(_RIGHT, _sealed()),
)
def changed_people(library: Library) -> Iterator[Finding]:
    """A name is spelled otherwise than when the work was checked, or somebody has joined the list."""
    for entry, work, fields in _checked(library):
        for field in fields:
            if field in ("author", "editor") and entry.get(field):
                now, before = seal.of_people(entry, field).split(), work.checked_facts[field].split()
                new = [at for at, digest in enumerate(now) if digest not in before]
                if new:
                    people = entry.names(field).people
                    shown = "and others" if new[0] >= len(people) else people[new[0]].full
                    yield Finding(
                        f"{shown!r} was not in the list when it was checked {_when(work)}: {_ACCEPT}",
                        entry,
                        field,
                    )


@rule(
    "changed-title",
    "warning",
    needs="provenance",
    bad=_files(_ENTRY("Lee, Ada and Poe, Bo and Ray, Cy", "Fast Wheels", "2024", "1"), _sealed()),
    good=_files(_RIGHT, _sealed()),
)
def changed_title(library: Library) -> Iterator[Finding]:
    """The title is another than when the work was checked: of another version, or joined from pieces of two
    works.

    Capitals count, TeX and braces do not.
    """
    for entry, work, fields in _checked(library):
        if "title" in fields:
            known = next(
                (
                    version.what
                    for version in work.versions
                    if version.title and version.title == entry.text("title")
                ),
                "",
            )
            hint = f" (it is that of another version: {known})" if known else ""
            yield Finding(
                f"the title is not the one that was checked {_when(work)}{hint}: {_ACCEPT}",
                entry,
                "title" if entry.get("title") else "",
            )


@rule(
    "changed-identifier",
    "error",
    needs="provenance",
    bad=_files(_ENTRY("Lee, Ada and Poe, Bo and Ray, Cy", "Fast Kernels", "2024", "2"), _sealed()),
    good=_files(_RIGHT, _sealed()),
)
def changed_identifier(library: Library) -> Iterator[Finding]:
    """A DOI, arXiv identifier, ISBN or ISSN is another than when the work was checked: it may be another
    work's.

    With ``--online`` the services say whose it is.
    """
    for entry, work, fields in _checked(library):
        for field in fields:
            if field in _IDENTIFIERS:
                yield Finding(
                    f"{field} {entry.get(field) or '(gone)'} is not the one that was checked "
                    f"{_when(work)}: {_ACCEPT}",
                    entry,
                    field if entry.get(field) else "",
                )


_IDENTIFIERS = ("doi", "eprint", "isbn", "issn")


@rule(
    "changed-date",
    "error",
    needs="provenance",
    bad=_files(_ENTRY("Lee, Ada and Poe, Bo and Ray, Cy", "Fast Kernels", "2023", "1"), _sealed()),
    good=_files(_RIGHT, _sealed()),
)
def changed_date(library: Library) -> Iterator[Finding]:
    """The date is another than when the work was checked."""
    for entry, work, fields in _checked(library):
        for field in fields:
            if field in ("date", "year", "month"):
                yield Finding(
                    f"{field} {entry.get(field) or '(gone)'} is not the one that was checked "
                    f"{_when(work)}: {_ACCEPT}",
                    entry,
                    field if entry.get(field) else "",
                )


@rule(
    "changed-since-checked",
    "warning",
    needs="provenance",
    bad=_files(_RIGHT.replace("title =", "publisher = {Poe Press}, title ="), _sealed()),
    good=_files(_RIGHT, _sealed()),
)
def changed_since_checked(library: Library) -> Iterator[Finding]:
    """Another fact of the entry (venue, publisher, pages, version, address, type …) differs from what was
    checked, or is new.

    So provenance is never older than the entry. A value that a service gave later has its own source, and is
    not reported. ``refkit check --accept KEY`` records the present values as checked today.
    """
    own = ("author", "editor", "title", "date", "year", "month", *_IDENTIFIERS)
    for entry, work, fields in _checked(library):
        for field in fields:
            if field not in own:
                what = "the type" if field == "kind" else field
                gone = "" if field == "kind" or entry.get(field) else " (gone)"
                yield Finding(
                    f"{what}{gone} is not as checked {_when(work)}: {_ACCEPT}",
                    entry,
                    field if entry.get(field) else "",
                )
    for entry in library.entries:
        work = library.work(entry.key)
        if work.checked_facts:
            for field in seal.added(entry, work.checked_facts):
                if not _is_given(entry, work, field):
                    yield Finding(
                        f"{field} was added after the work was checked {_when(work)}, and has no "
                        f"source: {_ACCEPT}",
                        entry,
                        field,
                    )


@rule(
    "no-provenance",
    "warning",
    needs="provenance",
    bad=_files(
        _RIGHT + "\n" + _RIGHT.replace("lee2024", "lee2025").replace("Kernels", "Loops").replace("/1", "/2"),
        _provenance(),
    ),
    good=_files(_RIGHT, _provenance()),
)
def no_provenance(library: Library) -> Iterator[Finding]:
    """A work of which provenance says nothing: neither what it was checked against nor where a value came
    from.
    """
    for entry in library.entries:
        work = library.work(entry.key)
        if not work.checked_against and not work.fields:
            yield Finding(
                "provenance does not say where the facts come from: add what they were checked against", entry
            )


@rule(
    "stale-provenance",
    "warning",
    needs="provenance",
    bad=_files(_RIGHT, _provenance().replace("lee2024", "lee2023")),
    good=_files(_RIGHT, _provenance()),
)
def stale_provenance(library: Library) -> Iterator[Finding]:
    """Provenance of a work that is not there, or that contradicts the entry.

    A record for an unknown key, a field with a source that the entry has not, a lost value that is the
    entry's own, "no-date" beside a date, an unverified field that is gone, a related address of an unknown
    kind.
    """
    for key in (library.provenance or {}).get("works", {}):
        if library.whole and key not in library.by_key:
            yield Finding(
                f"provenance has the key {key!r}, and no .bib file has: rename or remove it",
                file=library.provenance_file,
                key=key,
            )
    for entry in library.entries:
        for problem in _contradictions(entry, library.work(entry.key), library.today.isoformat()):
            yield Finding(f"{problem}: correct provenance.json", entry)


def _contradictions(entry: Entry, work: Work, today: str) -> Iterator[str]:
    yield from _odd_days(work, today)
    yield from _odd_fields(entry, work)
    if work.no_date and entry.get("date", "year"):
        yield 'provenance says "no-date", and the entry has a date'
    for link in work.related:
        if link.kind not in RELATED_KINDS:
            known = ", ".join(RELATED_KINDS)
            yield f"provenance has a related address of unknown kind {link.kind!r} (known are {known})"
        elif identifiers.url(link.url) is None:
            yield f"provenance has a related address that is none: {link.url!r}"
    for version in work.versions:
        told = (version.author, version.date, version.url, version.doi, version.eprint, version.remark)
        if version.title and not any(told) and version.title == entry.text("title"):
            yield f"provenance has a version ({version.what}) that does not differ"


def _odd_days(work: Work, today: str) -> Iterator[str]:
    for what, day in (("added", work.added), ("checked", work.checked_on)):
        if day > today:
            yield f"provenance says that the work was {what} on {day}, which lies in the future"
        elif day and not _DAY(day):
            yield f"provenance says that the work was {what} on {day!r}, which is no day (YYYY-MM-DD)"


def _odd_fields(entry: Entry, work: Work) -> Iterator[str]:
    for field in work.unverified:
        if field not in entry and field not in vocabulary.fields() and field not in _UNVERIFIED:
            yield f"provenance calls {field!r} unverified, which no field is called"
    for field, recorded in work.fields.items():
        lost = [one.get("value") if isinstance(one, dict) else one for one in recorded.get("lost", ())]
        if not entry.get(field) and recorded.get("value"):
            yield f"provenance has a source of {field}, and the entry has no {field}"
        elif entry.get(field) and entry.get(field) in lost:
            yield f"provenance says that the present value of {field} has lost"


_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])").fullmatch
#: What may be unverified besides fields.
_UNVERIFIED = frozenset(("related", "cite-as", "versions"))


@rule(
    "duplicate-record",
    "error",
    needs="provenance",
    bad=_files(_RIGHT, _provenance().replace('"works": {', '"works": {"lee2024": {"added": "2024-01-01"},')),
    good=_files(_RIGHT, _provenance()),
)
def duplicate_record(library: Library) -> Iterator[Finding]:
    """A name twice in one object of provenance.json, as a merge leaves it: programs read the last only."""
    text = library.provenance_text
    for name in _repeated_names(text):
        lines = [number for number, line in enumerate(text.splitlines(), 1) if f'"{name}":' in line]
        yield Finding(
            f"provenance has {name!r} twice in one place, and the last alone is read: merge the two",
            file=library.provenance_file,
            line=lines[-1] if lines else 1,
            key=name if name in library.by_key else "",
            about=name,
        )


def _repeated_names(text: str) -> list[str]:
    """The names that stand twice in one JSON object."""
    import json

    repeated: dict[str, None] = {}

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names):
            repeated.update(dict.fromkeys(name for name in names if names.count(name) > 1))
        return dict(pairs)

    if text:
        json.loads(text, object_pairs_hook=note)
    return list(repeated)


@rule(
    "published-version-known",
    "warning",
    needs="provenance",
    bad=_files(
        _RIGHT.replace("@misc{lee2024, ", "@misc{lee2024, entrysubtype = {preprint}, "),
        _provenance(versions=[{"what": "published", "doi": "10.5555/9", "date": "2024"}]),
    ),
    good=_files(
        _RIGHT.replace("@misc{lee2024, ", "@misc{lee2024, entrysubtype = {preprint}, "),
        _provenance(versions=[{"what": "earlier preprint", "date": "2023"}]),
    ),
)
def published_version_known(library: Library) -> Iterator[Finding]:
    """A preprint of which provenance knows a published version. Known to Linter for Zotero, bibtexupdater.

    With ``--online`` arXiv's own DOI and journal reference are looked at too.
    """
    for entry in library.entries:
        if entry.get("entrysubtype").lower() == "preprint" or (
            entry.type == "misc" and entry.get("eprint") and not entry.get("howpublished")
        ):
            for version in library.work(entry.key).versions:
                if version.what in ("published", "publisher's record", "journal article"):
                    where = version.doi or version.url or version.date
                    yield Finding(
                        f"a published version is known ({where}): describe that, and keep eprint", entry
                    )


@rule(
    "open-copy-lost",
    "info",
    needs="provenance",
    bad=_files(
        _RIGHT, _provenance(versions=[{"what": "preprint", "eprint": "2401.01234", "date": "2024-01"}])
    ),
    good=_files(
        _RIGHT.replace(
            "doi =", "eprint = {2401.01234}, archiveprefix = {arXiv}, primaryclass = {cs.LG}, doi ="
        ),
        _provenance(versions=[{"what": "preprint", "eprint": "2401.01234", "date": "2024-01"}]),
    ),
)
def open_copy_lost(library: Library) -> Iterator[Finding]:
    """A published work whose preprint provenance knows, and whose entry has no ``eprint`` any more."""
    for entry in library.entries:
        if entry.get("eprint"):
            continue
        for version in library.work(entry.key).versions:
            if version.what == "preprint" and version.eprint and version.eprint not in entry.get("url"):
                yield Finding(
                    f"the preprint {version.eprint} is known and eprint is missing: add it as the open copy",
                    entry,
                )
                break


@rule(
    "version-mismatch",
    "error",
    needs="provenance",
    bad=_files(
        _RIGHT.replace(
            "doi =", "eprint = {2402.04321}, archiveprefix = {arXiv}, primaryclass = {cs.LG}, doi ="
        ),
        _provenance(versions=[{"what": "preprint", "eprint": "2401.01234", "date": "2024-01"}]),
    ),
    good=_files(
        _RIGHT.replace(
            "doi =", "eprint = {2401.01234}, archiveprefix = {arXiv}, primaryclass = {cs.LG}, doi ="
        ),
        _provenance(versions=[{"what": "preprint", "eprint": "2401.01234", "date": "2024-01"}]),
    ),
)
def version_mismatch(library: Library) -> Iterator[Finding]:
    """``eprint`` or ``doi`` is another than that of the version which provenance describes as this work's."""
    for entry in library.entries:
        for version in library.work(entry.key).versions:
            eprint = entry.get("eprint")
            if version.what == "preprint" and version.eprint and eprint and eprint != version.eprint:
                yield Finding(
                    f"eprint says {eprint}, the preprint in provenance is {version.eprint}: one of them "
                    f"is another work's",
                    entry,
                    "eprint",
                    eprint,
                )
            doi = identifiers.doi_key(entry.get("doi"))
            if (
                version.what in ("published", "publisher's record")
                and version.doi
                and doi
                and doi != version.doi.lower()
            ):
                yield Finding(
                    f"doi says {doi}, the published version in provenance is {version.doi}: one of them "
                    f"is another work's",
                    entry,
                    "doi",
                    entry.get("doi"),
                )


RULES = (
    author_cut,
    author_order,
    changed_people,
    changed_title,
    changed_identifier,
    version_mismatch,
    changed_date,
    changed_since_checked,
    no_provenance,
    stale_provenance,
    duplicate_record,
    published_version_known,
    open_copy_lost,
)
