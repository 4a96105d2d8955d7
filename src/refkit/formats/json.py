"""refkit's own complete view of a bibliography: raw and plain values, people, identifiers in normal form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from refkit import identifiers
from refkit.model import NAME_FIELDS, Entry

if TYPE_CHECKING:
    from refkit.hub import Item
    from refkit.model import Person

HEAD = "[\n"
SEPARATOR = ",\n"
TAIL = "\n]\n"

_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(", ", ": ")).encode


def one(item: Item) -> str:
    """One item, a line."""
    return _encode(view(item.entry))


def lost(item: Item) -> list[str]:  # noqa: ARG001 - the same for all formats
    """Nothing: the view is complete."""
    return []


def view(entry: Entry) -> dict[str, Any]:
    """The entry as the interface shows it to programs. Scalars that it lacks are ``""``."""
    fields = entry.fields
    names = {name: entry.names(name) for name in fields if name in NAME_FIELDS}
    found: dict[str, Any] = {
        "key": entry.key,
        "type": entry.type,
        "file": entry.file,
        "line": entry.line,
        "fields": {name: {"raw": raw, "text": entry.text(name)} for name, raw in fields.items()},
        "names": {name: [_person(person) for person in people.people] for name, people in names.items()},
    }
    if any(people.others for people in names.values()):
        found["others"] = True
    arxiv = identifiers.arxiv_id_of(fields)
    date = entry.date
    found["doi"] = entry.doi
    found["eprint"] = str(arxiv) if arxiv else entry.text("eprint")
    found["primaryclass"] = entry.text("primaryclass", "eprintclass")
    found["url"] = entry.url
    found["date"] = date.iso if date else ""
    return found


def _person(person: Person) -> dict[str, str]:
    if person.literal:
        return {"literal": person.literal}
    parts = {"family": person.family, "given": person.given, "prefix": person.prefix, "suffix": person.suffix}
    return {name: part for name, part in parts.items() if part}


def loads(text: str) -> list[Entry]:
    """The entries of such a view, from their raw values.

    Raises:
        ValueError: the text is no such view; says what and where.
    """
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        msg = f"is not JSON: {error}"
        raise ValueError(msg) from error
    if not isinstance(data, list):
        msg = "is not an array of entries"
        raise ValueError(msg)
    return [_entry(value, number) for number, value in enumerate(data, 1)]


def _entry(value: object, number: int) -> Entry:
    try:
        if not isinstance(value, dict):
            raise TypeError
        fields = {str(name): str(field["raw"]) for name, field in value["fields"].items()}
        entry = Entry(str(value["key"]), str(value["type"]), fields, file=str(value.get("file", "")))
        entry.line = int(value.get("line", 0))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        msg = f"entry {number} is not of the form that refkit writes: key, type and fields with raw values"
        raise ValueError(msg) from error
    return entry
