"""Where each value of an entry comes from, a record or a person; and the values that lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit.values import tex

if TYPE_CHECKING:
    from refkit.model import Entry
    from refkit.provenance import Work

#: Where a value is from that no record was the source of.
BY_HAND = "by hand"


class Lost(NamedTuple):
    """A value that a record has and the entry has not."""

    value: str
    source: str
    date: str


class Origin(NamedTuple):
    """Where the value of one field comes from."""

    field: str
    #: As plain text; empty where the entry has no such field.
    text: str
    #: The record's name, ``by hand``, or the key of the entry that it is inherited from.
    source: str
    #: The day on which it was fetched, YYYY-MM-DD; empty where nobody noted it.
    date: str = ""
    #: Whether a person has changed it since it was taken from the record.
    changed: bool = False
    #: What about it is not verified, in words.
    unverified: str = ""
    lost: tuple[Lost, ...] = ()


def explain(entry: Entry, work: Work) -> list[Origin]:
    """The origin of each value of an entry, in file order; then of values that are recorded and not there."""
    names = dict.fromkeys((*entry.fields, *work.fields, *work.unverified))
    return [_origin(entry, work, name) for name in names]


def _origin(entry: Entry, work: Work, name: str) -> Origin:
    record = work.fields.get(name, {})
    raw = entry.fields.get(name, "")
    written = str(record.get("value", ""))
    changed = bool(written) and bool(raw) and raw != written
    if name in entry.inherited:
        source = f"inherited from {entry.inherited[name]}"
    else:
        source = BY_HAND if changed or not record.get("source") else str(record["source"])
    return Origin(
        field=name,
        text=entry.text(name),
        source=source,
        date="" if source == BY_HAND else str(record.get("date", "")),
        changed=changed,
        unverified=work.unverified.get(name, ""),
        lost=(*_replaced(record, changed=changed), *_lost(record)),
    )


def _replaced(record: Mapping[str, Any], *, changed: bool) -> tuple[Lost, ...]:
    """The value that a person has replaced has lost too."""
    if not changed:
        return ()
    return (
        Lost(tex.decode(str(record["value"])), str(record.get("source", "")), str(record.get("date", ""))),
    )


def _lost(record: Mapping[str, Any]) -> tuple[Lost, ...]:
    values = record.get("lost", ())
    rows = [value if isinstance(value, Mapping) else {"value": value} for value in values]
    return tuple(Lost(*(str(row.get(name, "")) for name in ("value", "source", "date"))) for row in rows)


def status(entry: Entry, work: Work) -> str:
    """What services know of the work's life, in a sentence. That nobody was asked is said too."""
    found = work.status
    sources = ", ".join(found.get("sources", ()))
    if not found:
        if entry.doi or entry.arxiv:
            return "retraction, correction, withdrawal: not checked yet; refkit enrich asks"
        return "retraction, correction, withdrawal: not checkable, for it has no DOI and no arXiv id"
    if found.get("state") == "no notice":
        return f"no notice of retraction, correction or withdrawal found on {found.get('on', '')} ({sources})"
    notices = "; ".join(filter(None, map(_notice, found.get("notices", ()))))
    return f"{str(found.get('state', '')).upper()}: {notices or sources} (seen on {found.get('on', '')})"


def _notice(notice: Mapping[str, Any]) -> str:
    parts = [str(notice.get("kind", ""))]
    parts += [f"on {notice['date']}"] if notice.get("date") else []
    parts += [f"says {notice['source']}"] if notice.get("source") else []
    parts += [f"https://doi.org/{notice['doi']}"] if notice.get("doi") else []
    return ", ".join(parts)
