"""What provenance itself says: there, of this entry, and once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from refkit import identifiers
from refkit.check import vocabulary
from refkit.check.model import Finding, rule
from refkit.check.record.example import RIGHT, files, provenance
from refkit.provenance import RELATED_KINDS, Work

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry


@rule(
    "no-provenance",
    "warning",
    needs="provenance",
    bad=files(
        RIGHT + "\n" + RIGHT.replace("lee2024", "lee2025").replace("Kernels", "Loops").replace("/1", "/2"),
        provenance(),
    ),
    good=files(RIGHT, provenance()),
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
    bad=files(RIGHT, provenance().replace("lee2024", "lee2023")),
    good=files(RIGHT, provenance()),
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
    bad=files(RIGHT, provenance().replace('"works": {', '"works": {"lee2024": {"added": "2024-01-01"},')),
    good=files(RIGHT, provenance()),
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
