"""What a work's values were when a person checked them: short digests, kept in provenance.

``checked.facts`` holds for each field a digest of its plain text, for a list of people one digest a person.
So a value that changes afterwards is noticed without any service, and a list that was cut or put in another
order is told from one that was corrected. Spelling a value in another way of TeX changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING
from unicodedata import normalize

if TYPE_CHECKING:
    from refkit.model import Entry

#: Fields that are facts about a work. The visit's date and notes of the list are not.
FACTS = (
    "author editor title shorttitle subtitle booktitle journaltitle journal titleaddon number volume "
    "series edition eventtitle venue publisher organization institution type version date year month "
    "pages isbn issn doi eprint primaryclass url"
).split()
_PEOPLE = ("author", "editor")


def facts(entry: Entry) -> dict[str, str]:
    """The digests of an entry's facts, by field."""
    out = {
        name: of_people(entry, name) if name in _PEOPLE else _digest(entry.text(name))
        for name in FACTS
        if entry.get(name)
    }
    out["kind"] = _digest(f"{entry.type} {entry.get('entrysubtype')}".strip())
    return out


def of_people(entry: Entry, field: str) -> str:
    """One digest for each person, in order, joined by blanks; ``+`` at the end where the list ends in "and
    others".
    """
    names = entry.names(field)
    digests = [_digest(person.full, 3) for person in names.people]
    return " ".join([*digests, "+"] if names.others else digests)


def changed(entry: Entry, sealed: Mapping[str, str]) -> list[str]:
    """The sealed fields whose value is another now, or gone."""
    now = facts(entry)
    return [name for name, digest in sealed.items() if now.get(name, "") != digest]


def added(entry: Entry, sealed: Mapping[str, str]) -> list[str]:
    """The facts that were not there when the work was checked."""
    return [name for name in facts(entry) if name not in sealed]


def _digest(text: str, size: int = 4) -> str:
    return blake2b(normalize("NFC", text).encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()
