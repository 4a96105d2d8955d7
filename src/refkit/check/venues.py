"""Venues: names in full, spelled one way, of one event."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from refkit.check import vocabulary
from refkit.check.fold import words
from refkit.check.model import Finding, rule
from refkit.check.titles.capitals import MINOR_WORDS

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry


@rule("abbreviated-venue", "warning")
def abbreviated_venue(library: Library) -> Iterator[Finding]:
    """Shortened words (Proc., Conf., Trans., Int.) in a container's name, in a library that writes names in
    full.

    A library is taken to write names in full when more of them are full than shortened, by these words or any
    others with a full stop. Known to bibcop, JabRef.
    """
    columns = tuple(library.some(_VENUES))
    found = [(column, hit) for column in columns for hit in column.hits(_SHORTENED)]
    if not found:
        return
    dotted = [(column, hit) for column in columns for hit in column.hits(_DOTTED)]
    shortened = len({(id(hit.entry), column.name) for column, hit in found + dotted})
    if 2 * shortened >= sum(len(column.values) for column in columns):
        return
    for column, hit in found:
        yield Finding(
            f"{hit.match[0]!r} is shortened where others are in full: write the name in full",
            hit.entry,
            column.name,
            hit.match[0],
        )


_VENUES = ("booktitle", "journaltitle", "journal", "eventtitle")
_SHORTENED = re.compile(
    r"\b(?:Proc|Procs|Conf|Trans|Symp|Int|Intl|Int'l|Adv|Ann|Annu|Lett|Rev|Comput|Commun|Sci|Eng"
    r"|Technol|Assoc|Soc|Sys|Syst|Mach|Learn|Neural Inf|Softw|Wkshp|Wksp|Jour|Archit|Distrib)\b\."
    r"|\b(?:Intl|Symp|Conf|Procs?|Wkshp)\b(?= (?:of|on|for|Conf|Symp|Workshop))"
)


@rule("mixed-abbreviations", "info")
def mixed_abbreviations(library: Library) -> Iterator[Finding]:
    """One journal named in full and shortened in one library. Known to JabRef."""
    full: dict[str, str] = {}
    short: dict[str, list[tuple[Entry, str, str]]] = {}
    for column in library.some(("journaltitle", "journal")):
        for value in dict.fromkeys(column.values):
            if "." not in value:
                full.setdefault(value, value)
        for hit in column.hits(_DOTTED):
            short.setdefault(hit.value, []).append((hit.entry, column.name, hit.value))
    for value, places in short.items():
        other = next((name for name in full if _shortens(value, name)), None)
        if other:
            for entry, field, _ in places:
                yield Finding(
                    f"{value!r} is {other!r} elsewhere: write one of them throughout", entry, field, value
                )


_DOTTED = re.compile(r"[A-Za-z]\.(?: |$)", re.MULTILINE)


def _shortens(short: str, full: str) -> bool:
    pieces = [piece.strip(".").lower() for piece in short.replace(".", ". ").split()]
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", full) if word.lower() not in MINOR_WORDS]
    return len(pieces) == len(words) and all(
        word.startswith(piece) for piece, word in zip(pieces, words, strict=True)
    )


@rule("venue-detail", "warning")
def venue_detail(library: Library) -> Iterator[Finding]:
    """An address, a page range, a date or a country inside a title or a container's name; they have their own
    fields.

    A year that is part of the proceedings' name is left alone: at the beginning, or in parentheses with the
    acronym. Known to JabRef, bibcop.
    """
    for column in library.some(("title", "booktitle", "journaltitle", "journal")):
        for hit in column.hits(_DETAIL):
            kind = str(hit.match.lastgroup)
            if column.name == "title" and kind in ("year", "place"):
                continue
            if kind == "date" and hit.part.split()[0].strip(".") not in _MONTHS:
                continue
            if kind == "place" and hit.match[0].split()[-1].strip(",") not in vocabulary.countries():
                continue
            yield Finding(
                f"{hit.part!r} in {column.name}: {_DETAIL_FIELD[kind]}", hit.entry, column.name, hit.part
            )


_MONTHS = frozenset(
    "January February March April May June July August September October November December "
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
)
_DETAIL = re.compile(
    r"(?m)(?P<url>https?://[^ \n]+)|(?P<pages>\bp(?:p?\. ?|ages? )\d+)"
    r"|(?P<date>[JFMASOND][a-z]{2,8}\.? \d{1,2}\b)"
    r"|(?P<year>, (?:19|20)\d\d$)|(?P<place>, [A-Z][A-Za-z]+$)"
)
_DETAIL_FIELD = {
    "url": "it belongs into url",
    "pages": "they belong into pages",
    "date": "it belongs into eventdate",
    "year": "it belongs into date",
    "place": "it belongs into venue",
}


@rule("venue-spelling", "warning")
def venue_spelling(library: Library) -> Iterator[Finding]:
    """One venue spelled in two ways, or otherwise than its proceedings do.

    Years, ordinals, acronyms and "Proceedings of the" do not count. A table of the field's venues knows usual
    slips; for others the spelling that more entries of the same event and publisher have is right. Known to
    JabRef.
    """
    wrong: set[str] = set()
    by_event: dict[tuple[str, str], dict[str, list[Entry]]] = {}
    for entry, value in library.column("booktitle"):
        acronym = _acronym(entry)
        core = venue_core(value)
        venue = vocabulary.venues().get(acronym.lower())
        if venue and _is_slip(core, venue):
            wrong.add(entry.key)
            yield Finding(
                f"the proceedings of {acronym} are called {venue.names[0]!r}: correct {core!r}",
                entry,
                "booktitle",
                core,
            )
        if acronym and core:
            by_event.setdefault((acronym, entry.get("publisher")), {}).setdefault(core, []).append(entry)
    for (acronym, _), spellings in by_event.items():
        most = max(spellings, key=lambda core: len(spellings[core]))
        for core, entries in spellings.items():
            if core != most and len(entries) < len(spellings[most]):
                for entry in entries:
                    if entry.key not in wrong:
                        yield Finding(
                            f"{core!r} is {most!r} in other entries of {acronym}: spell one venue one way",
                            entry,
                            "booktitle",
                            core,
                        )


def _is_slip(core: str, venue: vocabulary.Venue) -> bool:
    spelled = {name.lower(): name for name in (*venue.names, *venue.also)}
    known = spelled.get(core.lower())
    return known is not None and core not in venue.names


_NOISE = re.compile(
    r"\{|\}|\([^()]*\)|^Proceedings of (?:the )?|^[A-Z]+ ?['’]\d\d: |(?:19|20)\d\d|\b\d+(?:st|nd|rd|th)\b"
    r"|\b(?:Twenty|Thirty|Forty|Fifty|Sixty)?-?(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth"
    r"|Ninth|Tenth|Eleventh|Twelfth"
    r"|Thirteenth|Fourteenth|Fifteenth|Sixteenth|Seventeenth|Eighteenth|Nineteenth|Twentieth|Thirtieth"
    r"|Fortieth|Fiftieth)\b"
    r"|(?<= )\d+\b|^The\b|['’]\d\d"
)


@lru_cache(maxsize=4096)
def venue_core(booktitle: str) -> str:
    """A container's name without year, ordinal, acronym in parentheses and "Proceedings of the"."""
    core = booktitle
    for _ in range(3):
        core = " ".join(_NOISE.sub(" ", core).split()).strip(" ,:")
    return core


def _acronym(entry: Entry) -> str:
    """The acronym of the event: from eventtitle, or in parentheses in booktitle."""
    event = entry.get("eventtitle") or next(iter(re.findall(r"\(([^()]+)\)", entry.get("booktitle"))), "")
    found = re.match(r"([A-Z][A-Za-z]+)(?: ?['’]?\d\d(?:\d\d)?)?$", event.strip("{}"))
    return found[1] if found else ""


@rule("unknown-event", "warning")
def unknown_event(library: Library) -> Iterator[Finding]:
    """The acronym of an event is nearly that of a known one, or belongs to other proceedings than
    ``booktitle`` names.

    The table of the field's venues lies beside the rules.
    """
    known = vocabulary.venues()
    names = [venue.acronym for venue in known.values()]
    for entry, value in library.column("eventtitle"):
        acronym = _acronym(entry)
        if not acronym:
            continue
        if acronym.lower() not in known:
            close = get_close_matches(acronym, names, 1, 0.75)
            if close:
                yield Finding(f"{acronym!r} is nearly {close[0]!r}: correct it", entry, "eventtitle", acronym)
        elif known[acronym.lower()].acronym != acronym:
            yield Finding(
                f"{acronym!r} is written {known[acronym.lower()].acronym!r}", entry, "eventtitle", acronym
            )
        else:
            yield from _other_venue(entry, acronym, value)


def _other_venue(entry: Entry, acronym: str, value: str) -> Iterator[Finding]:
    core = " ".join(words(venue_core(entry.get("booktitle"))))
    own = vocabulary.venues()[acronym.lower()]
    if any(" ".join(words(name)) == core for name in (*own.names, *own.also)):
        return
    for venue in vocabulary.venues().values():
        if venue.acronym not in (acronym, "NIPS") and any(
            " ".join(words(name)) == core for name in (*venue.names, *venue.also)
        ):
            yield Finding(
                f"eventtitle says {value}, booktitle is that of {venue.acronym}: one of them is wrong",
                entry,
                "eventtitle",
                value,
            )
            return


@rule("event-mismatch", "warning")
def event_mismatch(library: Library) -> Iterator[Finding]:
    """One paper of an event has another venue, volume, ISBN, publisher or name of the proceedings than all
    others.

    At least two others must agree. No other tool looks.
    """
    groups: dict[str, list[Entry]] = {}
    for entry, value in library.column("eventtitle"):
        groups.setdefault(value, []).append(entry)
    for event, entries in groups.items():
        for field in (
            ("venue", "volume", "isbn", "publisher", "booktitle", "series") if len(entries) > 2 else ()
        ):
            values = Counter(entry.get(field) for entry in entries if entry.get(field))
            most = values.most_common(1)[0] if values else ("", 0)
            if len(values) == 2 and most[1] >= 2 and values.total() == most[1] + 1:
                for entry in entries:
                    if entry.get(field) not in ("", most[0]):
                        yield Finding(
                            f"{field} is {most[0]!r} in the other papers of {event}: compare it with "
                            f"the source",
                            entry,
                            field,
                            entry.get(field),
                        )


RULES = (
    abbreviated_venue,
    mixed_abbreviations,
    venue_detail,
    venue_spelling,
    unknown_event,
    event_mismatch,
)
