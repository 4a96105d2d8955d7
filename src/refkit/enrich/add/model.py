"""What is passed on from step to step, and the error of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from refkit.enrich.records import Answer, Record
    from refkit.model import Diagnostic, Entry


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
