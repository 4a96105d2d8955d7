"""What an entry gains from the records about it, and what there is to tell about them.

A value that stands in the entry is a person's and stays. Missing ones are filled from the record that is
trusted most; the values of the others, and those that differ from the entry's, are told and recorded as
values that lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit import identifiers
from refkit.enrich import foreign, matching, values
from refkit.enrich.matching import Known, Match, compare_people, normal
from refkit.enrich.values import SYNONYMS, Flavour, Value
from refkit.model import Diagnostic, Entry, NameList, Severity
from refkit.values import names

if TYPE_CHECKING:
    from refkit.enrich.records import Answer, Notice, Record
    from refkit.provenance import Work


class Change(NamedTuple):
    """A field that gets a value."""

    key: str
    field: str
    #: The raw value that stood there, or ``None``.
    old: str | None
    #: BibTeX value without delimiters.
    new: str
    #: The record that it comes from, as provenance names it.
    source: str
    #: Whether the value is a macro, to be written without braces.
    bare: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The members that ``enrich --json`` prints."""
        return {name: getattr(self, name) for name in ("key", "field", "old", "new", "source")}


class Merged(NamedTuple):
    """What becomes of one entry."""

    changes: tuple[Change, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    #: What provenance gains: ``fields`` and ``status``.
    provenance: Mapping[str, Any] = {}
    #: Whether something could not be verified.
    unverified: bool = False


def known_of(work: Work) -> Known:
    """What provenance knows of other versions of a work and of values that lost."""
    versions = work.versions
    lost = {
        field: tuple(
            str(item.get("value", "")) for item in record.get("lost", ()) if isinstance(item, Mapping)
        )
        for field, record in work.fields.items()
    }
    ids = {identifiers.doi_key(version.doi) for version in versions if version.doi}
    ids |= {
        found.id for version in versions if version.eprint and (found := identifiers.arxiv(version.eprint))
    }
    return Known(
        titles=tuple(version.title for version in versions if version.title),
        people=tuple(
            names.parse(" and ".join(version.author)).people for version in versions if version.author
        ),
        years=matching.years_of(version.date for version in versions if version.date),
        ids=frozenset(filter(None, ids)),
        lost=lost,
    )


def merge(
    entry: Entry,
    answers: Sequence[Answer],
    style: Flavour,
    work: Work,
    overwrite: Collection[str] = (),
) -> Merged:
    """What an entry gains from the answers about its identifiers.

    Args:
        entry: the entry.
        answers: those for its DOI and its arXiv id.
        style: how its file writes things.
        work: what provenance has of it.
        overwrite: fields whose values are to be taken from the records though the entry has them.
    """
    return _Merge(entry, answers, style, work, overwrite).result()


class _Merge:
    def __init__(
        self, entry: Entry, answers: Sequence[Answer], style: Flavour, work: Work, overwrite: Collection[str]
    ) -> None:
        self.entry = entry
        self.answers = answers
        self.style = style
        self.work = work
        self.known = known_of(work)
        self.overwrite = {_fact(field.lower()) for field in overwrite}
        #: The facts that some record offers.
        self.offered: set[str] = set()
        self.changes: list[Change] = []
        self.diagnostics: list[Diagnostic] = []
        self.fields: dict[str, dict[str, Any]] = {}
        self.unverified = False

    def result(self) -> Merged:
        records = [answer.record for answer in self.answers if answer.record]
        for answer in self.answers:
            self._tell_state(answer)
        for record in records:
            for notice in record.notices:
                self._tell_notice(record, notice)
        usable = [record for record in records if self._is_usable(record)]
        # What the publisher deposited comes before what arXiv has.
        usable.sort(key=lambda record: record.service == "arxiv")
        offers = [(record, values.values(self.entry, record, self.style)) for record in usable]
        for fact in SYNONYMS:
            self._settle(fact, [(record, offered[fact]) for record, offered in offers if fact in offered])
        self._tell_not_overwritten()
        for record in usable:
            self._tell_publication(record)
        if usable:
            self._tell_missing(usable)
        return Merged(
            tuple(self.changes), tuple(self.diagnostics), self._provenance(records, usable), self.unverified
        )

    # -- telling -----------------------------------------------------------------------------------------

    def _tell(self, severity: Severity, code: str, message: str) -> None:
        found = Diagnostic(
            severity, code, message, self.entry.key, self.entry.file or None, self.entry.line or None
        )
        if found not in self.diagnostics:
            self.diagnostics.append(found)

    def _tell_state(self, answer: Answer) -> None:
        if answer.state == "found":
            return
        severity, code = _STATES[answer.state]
        name = "arXiv id" if answer.scheme == "arxiv" else "DOI"
        self.unverified |= severity != "error"
        self._tell(severity, code.format(answer.scheme), f"{name} {answer.id}: {answer.message}")

    def _tell_notice(self, record: Record, notice: Notice) -> None:
        severity, code, says = _NOTICES[notice.kind]
        details = [f"on {notice.date}"] if notice.date else []
        details.append(f"says {notice.source}" + (f" ({notice.detail})" if notice.detail else ""))
        if notice.doi:
            details.append(f"see https://doi.org/{notice.doi}")
        self._tell(severity, code, f"{record.source} {says}: {', '.join(details)}")

    def _is_usable(self, record: Record) -> bool:
        """Whether values may be taken from a record; tells why not."""
        if record.is_component:
            message = (
                f"DOI {record.id} names a component (a figure or another part of a work), not the work itself"
            )
            self._tell("warning", "doi-component", f"{message}; nothing was taken from it")
            return False
        found = matching.match(self.entry, record, self.known)
        if not found.matches:
            self._tell_mismatch(record, found)
        return found.matches

    def _tell_mismatch(self, record: Record, found: Match) -> None:
        """An error is told always, a doubt until provenance has the record's value as one that lost."""
        if not found.differs:
            what = f"{record.source} is about another work: {found.reason}"
            advice = "nothing was taken from it; correct the identifier or the entry"
            self._tell("error", "mismatch", f"{what}; {advice}")
            return
        date = record.date if found.differs == "date" else None
        theirs = date.iso if date else foreign.plain(record.title)
        if any(_same(found.differs, lost, theirs) for lost in self._lost(found.differs)):
            return
        advice = "nothing was taken from it; correct the entry, or leave it if both are right"
        what = f"{record.source} may be about another version of the work"
        self._tell("warning", "mismatch", f"{what}: {found.reason}; {advice}")
        self._record_lost(self._field_of(found.differs), record, theirs)

    def _lost(self, fact: str) -> list[str]:
        """The values of a fact that have lost before."""
        return [lost for field in SYNONYMS[fact] for lost in self.known.lost.get(field, ())]

    def _field_of(self, fact: str) -> str:
        """The field of the entry that holds a fact."""
        return next((name for name in SYNONYMS[fact] if self.entry.get(name)), fact)

    def _tell_missing(self, usable: Sequence[Record]) -> None:
        """What every entry needs and nobody has."""
        filled = {_fact(change.field) for change in self.changes}
        sources = " nor ".join(record.source for record in usable)
        for fact, word in (("title", "title"), ("author", "author"), ("date", "date (year)")):
            needed = fact != "author" or not self.entry.get("editor")
            if needed and fact not in filled and not self._has(fact):
                self._tell(
                    "warning",
                    "incomplete",
                    f"no {word}: neither the entry nor {sources} has one; add it by hand",
                )

    def _tell_not_overwritten(self) -> None:
        for fact in sorted(self.overwrite - self.offered):
            message = (
                f"{fact} was not overwritten: no record of this work has one that the entry has a place for"
            )
            self._tell("warning", "not-overwritten", message)

    def _tell_publication(self, record: Record) -> None:
        """A published version of what the entry describes as a preprint: a proposal, with its evidence."""
        if not matching.describes_preprint(self.entry):
            return
        dois = [doi for doi in record.published_dois if identifiers.doi_key(doi) not in self.known.ids]
        if record.service != "arxiv" and not identifiers.arxiv(record.id):
            when = f", {record.date.iso}" if record.date else ""
            where = f" in “{foreign.plain(record.container)}”" if record.container else ""
            if identifiers.doi_key(record.id) not in self.known.ids:
                self._propose(f"{record.source} has it as published{where}{when}")
        elif dois or (record.published_in and not self.work.versions):
            evidence = [f"DOI {' and '.join(dois)}"] if dois else []
            evidence += [f"“{record.published_in}”"] if record.published_in else []
            self._propose(f"{record.source} names a published version: {', '.join(evidence)}")

    def _propose(self, evidence: str) -> None:
        advice = (
            "the entry stays the preprint's; to cite the other, change its type and say where it appeared"
        )
        self._tell("info", "published", f"{evidence}; {advice}")

    # -- values ------------------------------------------------------------------------------------------

    def _has(self, fact: str) -> bool:
        return any(self.entry.get(field) for field in SYNONYMS[fact])

    def _settle(self, fact: str, offers: list[tuple[Record, Value]]) -> None:
        """Fill a fact that is missing, or compare it."""
        if not offers:
            return
        self.offered.add(fact)
        if not self._has(fact) or fact in self.overwrite:
            record, value = self._best(fact, offers)
            self._take(fact, record, value)
            ours = value.text
        else:
            ours = ""
        for record, value in offers:
            if ours and (value.text == ours or _same(fact, ours, value.text)):
                continue
            if ours:
                self._record_lost(fact, record, value.text)
            elif fact in _COMPARED and not self._agrees(fact, record, value):
                self._tell_difference(fact, record, value)

    def _best(self, fact: str, offers: list[tuple[Record, Value]]) -> tuple[Record, Value]:
        if fact == "author":
            trusted = [offer for offer in offers if values.order_is_trusted(offer[0])]
            offers = trusted or offers
            first = offers[0][0].authors
            for offer in offers[1:]:
                same = compare_people(NameList(first), offer[0].authors)
                if (
                    same
                    and same.equal
                    and len(first) == len(offer[0].authors)
                    and _accents(offer) > _accents(offers[0])
                ):
                    return offer
        if fact == "title":
            return next((offer for offer in offers if not _shouts(offer[1].text)), offers[0])
        return offers[0]

    def _take(self, fact: str, record: Record, value: Value) -> None:
        if fact == "doi" and identifiers.doi_key(value.text) in self.known.ids:
            return  # provenance has it as that of another version
        for field, new in value.fields.items():
            old = self.entry.fields.get(field)
            target = self._written(fact, field)
            if old != new:
                self.changes.append(
                    Change(self.entry.key, target, old, new, record.source, field in value.bare)
                )
                self.fields.setdefault(target, {}).update(
                    source=record.source, date=record.retrieved, value=new
                )
        if fact == "title" and _shouts(value.text):
            message = (
                f"{record.source} has the title in capitals (upper case) only; write it in mixed case by hand"
            )
            self._tell("warning", "all-caps", message)

    def _written(self, fact: str, field: str) -> str:
        """The field of the entry that has the fact already, for overwriting; else the file's usual one."""
        present = [name for name in SYNONYMS[fact] if self.entry.get(name)]
        return field if not present or field in present or fact == "date" else present[0]

    def _agrees(self, fact: str, record: Record, value: Value) -> bool:
        """Whether the entry's value and the record's say the same, or provenance knows that they do not."""
        if any(_same(fact, lost, value.text) for lost in self._lost(fact)):
            return True
        if fact == "title":
            # The match has looked at it, and lets slips pass.
            return (
                matching.same_title(self.entry.text("title"), value.text)
                or self.known.has_title(value.text)
                or bool(self.entry.get("subtitle"))
            )
        if fact == "author":
            return self._authors_agree(record)
        if fact == "date":
            date = self.entry.date
            return date is None or date.year in record.years or bool(self.known.years & record.years)
        if fact == "doi":
            ours = identifiers.doi_key(self.entry.get("doi"))
            theirs = {identifiers.doi_key(doi) for doi in record.published_dois}
            return (
                not ours or bool(identifiers.arxiv(ours)) or ours in theirs or bool(theirs & self.known.ids)
            )
        return _same(fact, self.entry.text(*SYNONYMS[fact]), value.text)

    def _authors_agree(self, record: Record) -> bool:
        found = compare_people(self.entry.names("author"), record.authors)
        if found is None or found.equal or self.known.has_people(record.authors):
            return True
        return found.reordered and not values.order_is_trusted(record)

    def _tell_difference(self, fact: str, record: Record, value: Value) -> None:
        field = self._field_of(fact)
        ours = (
            values.listed(self.entry.names(field).people)
            if fact in ("author", "editor")
            else self.entry.text(field)
        )
        if fact == "date" and self.entry.date:
            ours = self.entry.date.iso
        message = f"{field} differs: here “{_cut(ours)}”, {record.source} has “{_cut(value.text)}”"
        self._tell(
            "warning", "mismatch", f"{message}; kept. To take the other: --overwrite {self.entry.key}.{field}"
        )
        self._record_lost(field, record, value.text)

    def _record_lost(self, field: str, record: Record, text: str) -> None:
        if not text or any(normal(text) == normal(lost) for lost in self.known.lost.get(field, ())):
            return
        lost = self.fields.setdefault(field, {}).setdefault("lost", [])
        if all(item["value"] != text for item in lost):
            lost.append({"value": text, "source": record.source, "date": record.retrieved})

    # -- provenance --------------------------------------------------------------------------------------

    def _provenance(self, records: Iterable[Record], usable: Sequence[Record]) -> dict[str, Any]:
        gained: dict[str, Any] = {}
        if self.fields:
            gained["fields"] = self.fields
        usable = [record for record in usable if record.service != "page"]
        if usable:
            notices = [notice for record in records for notice in record.notices]
            gained["status"] = {
                "state": _state_of(notices),
                "on": max(record.retrieved for record in usable),
                "sources": sorted(record.source for record in usable),
            }
            if notices:
                gained["status"]["notices"] = [
                    {name: text for name, text in notice._asdict().items() if text} for notice in notices
                ]
        return gained


#: State -> severity and code of what is told; ``{}`` is ``doi`` or ``arxiv``.
_STATES: Mapping[str, tuple[Severity, str]] = {
    "dead": ("error", "{}-dead"),
    "missing": ("error", "{}-missing"),
    "no-metadata": ("warning", "{}-no-metadata"),
    "unreachable": ("warning", "{}-unreachable"),
    "bad-answer": ("error", "{}-bad-answer"),
    "offline": ("info", "{}-not-recorded"),
}
_NOTICES: Mapping[str, tuple[Severity, str, str]] = {
    "retracted": ("error", "retracted", "was retracted"),
    "withdrawn": ("error", "withdrawn", "was withdrawn"),
    "corrected": ("warning", "corrected", "was corrected"),
    "retraction-notice": ("error", "retraction-notice", "is itself a notice of retraction, not the work"),
}
#: Facts whose differences are told. Names of publishers differ in as many ways as there are services.
_COMPARED = frozenset("title author date journal volume number pages version doi isbn".split())


def _state_of(notices: Collection[Notice]) -> str:
    kinds = {notice.kind for notice in notices}
    return next((kind for kind in ("retracted", "withdrawn", "corrected") if kind in kinds), "no notice")


def _fact(field: str) -> str:
    """The fact that a field holds: ``date`` for ``year``, ``journal`` for ``journaltitle``."""
    if field == "month":
        return "date"
    return next((fact for fact, fields in SYNONYMS.items() if field in fields), field)


def _same(fact: str, ours: str, theirs: str) -> bool:
    """Whether two plain texts say the same, for the kind of fact."""
    if normal(ours) == normal(theirs):
        return True
    if fact == "title":
        return matching.same_title(ours, theirs)
    if fact in ("journal", "booktitle", "publisher"):
        return matching.abbreviates(ours, theirs)
    if fact == "pages":
        return _first_page(ours) == _first_page(theirs) != ""
    if fact == "isbn":
        return identifiers.isbn13(ours) == identifiers.isbn13(theirs)
    if fact == "version":
        return ours.lower().lstrip("v. ") == theirs.lower().lstrip("v. ")
    if fact in ("volume", "number"):
        return ours.lstrip("0") == theirs.lstrip("0")
    if fact == "date":
        return ours[:4] == theirs[:4]
    return False


def _first_page(text: str) -> str:
    words = normal(text.replace("–", " ").replace("-", " ").replace(":", " ")).split()
    return words[0] if words else ""


def _shouts(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return len(letters) > 8 and text == text.upper() and text != text.lower()


def _accents(offer: tuple[Record, Value]) -> int:
    return sum(not char.isascii() for char in offer[1].text)


def _cut(text: str) -> str:
    return text if len(text) <= 300 else text[:297] + "…"
