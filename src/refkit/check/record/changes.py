"""What has changed since a person checked the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from refkit.check import seal
from refkit.check.model import Finding, rule
from refkit.check.record.example import ENTRY, RIGHT, files, sealed

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry
    from refkit.provenance import Work


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


def _changed(library: Library, names: Iterable[str]) -> Iterator[tuple[Entry, Work, str]]:
    """The fields among these that have changed, each with its work."""
    for entry, work, fields in _checked(library):
        for field in fields:
            if field in names:
                yield entry, work, field


def _changed_people(library: Library) -> Iterator[tuple[Entry, Work, str, list[str], list[str]]]:
    """The lists of people that have changed, with the digests of the people now and when checked."""
    for entry, work, field in _changed(library, ("author", "editor")):
        yield entry, work, field, seal.of_people(entry, field).split(), work.checked_facts[field].split()


def _is_given(entry: Entry, work: Work, field: str) -> bool:
    """Whether a service gave the field's present value, so that it has its own source."""
    recorded = work.fields.get(field) or {}
    return bool(entry.get(field)) and recorded.get("value") == entry.get(field)


def _when(work: Work) -> str:
    against = f" against {work.checked_against[0]}" if work.checked_against else ""
    return f"on {work.checked_on}{against}"


_IDENTIFIERS = ("doi", "eprint", "isbn", "issn")
_DATES = ("date", "year", "month")
_ACCEPT = "put it right, or record the new value with refkit check --accept"


def _other_value(entry: Entry, work: Work, field: str) -> Finding:
    message = (
        f"{field} {entry.get(field) or '(gone)'} is not the one that was checked {_when(work)}: {_ACCEPT}"
    )
    return Finding(message, entry, _if_there(entry, field))


def _if_there(entry: Entry, field: str) -> str:
    """The field to point at; none where it is gone."""
    return field if entry.get(field) else ""


@rule(
    "author-order",
    "warning",
    needs="provenance",
    bad=files(ENTRY("Poe, Bo and Lee, Ada and Ray, Cy", "Fast Kernels", "2024", "1"), sealed()),
    good=files(RIGHT, sealed()),
)
def author_order(library: Library) -> Iterator[Finding]:
    """The same people in another order than when the work was checked.

    Services deposit lists in other orders: Crossref's under prefix 10.52202 are alphabetical. With
    ``--online`` the order is compared with the services' too. Known to bibtexupdater.
    """
    for entry, work, field, now, before in _changed_people(library):
        if entry.get(field) and sorted(now) == sorted(before):
            at = next(number for number, (a, b) in enumerate(zip(now, before, strict=True), 1) if a != b)
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
    bad=files(ENTRY("Lee, Ada and Poe, Bo", "Fast Kernels", "2024", "1"), sealed()),
    good=files(RIGHT, sealed()),
)
def author_cut(library: Library) -> Iterator[Finding]:
    """People are missing from the list who were in it when the work was checked. Known to bibtexupdater."""
    for entry, work, field, now, before in _changed_people(library):
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
    bad=files(ENTRY("Lee, Ada and Poe, Bob and Ray, Cy", "Fast Kernels", "2024", "1"), sealed()),
    good=files(RIGHT, sealed()),
)
def changed_people(library: Library) -> Iterator[Finding]:
    """A name is spelled otherwise than when the work was checked, or somebody has joined the list."""
    for entry, work, field, now, before in _changed_people(library):
        new = [at for at, digest in enumerate(now) if digest not in before]
        if entry.get(field) and new:
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
    bad=files(ENTRY("Lee, Ada and Poe, Bo and Ray, Cy", "Fast Wheels", "2024", "1"), sealed()),
    good=files(RIGHT, sealed()),
)
def changed_title(library: Library) -> Iterator[Finding]:
    """The title is another than when the work was checked: of another version, or joined from pieces of two
    works.

    Capitals count, TeX and braces do not.
    """
    for entry, work, field in _changed(library, ("title",)):
        title = entry.text(field)
        known = next((one.what for one in work.versions if one.title and one.title == title), "")
        hint = f" (it is that of another version: {known})" if known else ""
        yield Finding(
            f"the title is not the one that was checked {_when(work)}{hint}: {_ACCEPT}",
            entry,
            _if_there(entry, field),
        )


@rule(
    "changed-identifier",
    "error",
    needs="provenance",
    bad=files(ENTRY("Lee, Ada and Poe, Bo and Ray, Cy", "Fast Kernels", "2024", "2"), sealed()),
    good=files(RIGHT, sealed()),
)
def changed_identifier(library: Library) -> Iterator[Finding]:
    """A DOI, arXiv identifier, ISBN or ISSN is another than when the work was checked: it may be another
    work's.

    With ``--online`` the services say whose it is.
    """
    for entry, work, field in _changed(library, _IDENTIFIERS):
        yield _other_value(entry, work, field)


@rule(
    "changed-date",
    "error",
    needs="provenance",
    bad=files(ENTRY("Lee, Ada and Poe, Bo and Ray, Cy", "Fast Kernels", "2023", "1"), sealed()),
    good=files(RIGHT, sealed()),
)
def changed_date(library: Library) -> Iterator[Finding]:
    """The date is another than when the work was checked."""
    for entry, work, field in _changed(library, _DATES):
        yield _other_value(entry, work, field)


@rule(
    "changed-since-checked",
    "warning",
    needs="provenance",
    bad=files(RIGHT.replace("title =", "publisher = {Poe Press}, title ="), sealed()),
    good=files(RIGHT, sealed()),
)
def changed_since_checked(library: Library) -> Iterator[Finding]:
    """Another fact of the entry (venue, publisher, pages, version, address, type …) differs from what was
    checked, or is new.

    So provenance is never older than the entry. A value that a service gave later has its own source, and is
    not reported. ``refkit check --accept KEY`` records the present values as checked today.
    """
    own = ("author", "editor", "title", *_DATES, *_IDENTIFIERS)
    for entry, work, fields in _checked(library):
        for field in fields:
            if field not in own:
                what = "the type" if field == "kind" else field
                gone = "" if field == "kind" or entry.get(field) else " (gone)"
                yield Finding(
                    f"{what}{gone} is not as checked {_when(work)}: {_ACCEPT}",
                    entry,
                    _if_there(entry, field),
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
