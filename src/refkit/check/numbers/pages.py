"""Page ranges: whole, forwards, and of one work alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry


@rule("page-range", "warning", fixable=True)
def page_range(library: Library) -> Iterator[Finding]:
    """Pages that run backwards, are empty or the same twice, are cut, or use another dash than ``--``.

    ``82:1--82:14`` and ``e12--e19`` are ranges too. A paper in proceedings that begins on page 1 is a
    placeholder only if another paper of the same proceedings does so too. Known to JabRef, biblint, bibcop.
    """
    for column in library.some(("pages", "bookpages")):
        for hit in column.hits(_NOT_PLAIN):
            yield from _odd_range(hit.entry, column.name, hit.value)
        for entry, value in column:
            first, dash, last = value.partition("--")
            if (
                dash
                and first.isdecimal()
                and last.isdecimal()
                and len(first) < 12
                and len(last) < 12
                and int(first) >= int(last)
            ):
                fix = {column.name: first} if first == last else None
                yield Finding(_backwards(first, last), entry, column.name, value, fix)
    yield from _placeholders(library)


_NOT_PLAIN = re.compile(r"(?m)^(?!\d+(?:--\d+)?$)[^\n]+$|^(?=\n)")
_HYPHENATED = re.compile(r"([A-Za-z]?\d+(?:[:.]\d+)?) ?(-|–|—|−|---|~) ?([A-Za-z]?\d+(?:[:.]\d+)?)")
_LABELLED = re.compile(r"(?i)(?:pp?\.?|pages?|S\.) ?")


def _odd_range(entry: Entry, field: str, value: str) -> Iterator[Finding]:
    if _LABELLED.match(value):
        yield Finding(
            f"the pages {value!r} carry a label, which styles add: take it off",
            entry,
            field,
            value,
            {field: _LABELLED.sub("", value, count=1)},
        )
        return
    if re.search(r"(?:^|[, ])--|--(?:$|,)|^-|-$", value):
        yield Finding(f"the pages {value!r} lack an end: give both, or one page", entry, field, value)
        return
    parts = [part.strip() for part in value.split(",")]
    fixed = [_HYPHENATED.sub(r"\1--\3", part) if _HYPHENATED.fullmatch(part) else part for part in parts]
    if fixed != parts:
        ends = [end for part in fixed for end in part.split("--")]
        right = ", ".join(fixed)
        sound = len(ends) != 2 or _number(ends[0]) < _number(ends[1])
        yield Finding(
            f"the pages {value!r} use another dash than --: write {right}",
            entry,
            field,
            value,
            {field: right} if sound else None,
        )
    for part in fixed:
        first, dash, last = part.partition("--")
        if (
            dash
            and _number(first) >= _number(last) >= 0
            and _prefix(first) == _prefix(last)
            and not (first.isdecimal() and last.isdecimal() and fixed == parts and len(parts) == 1)
        ):
            yield Finding(_backwards(first, last), entry, field, part)


def _number(text: str) -> int:
    digits = re.findall(r"\d+", text)
    return int(digits[-1][:12]) if digits else -1


def _prefix(text: str) -> str:
    return re.sub(r"\d+$", "", text)


def _backwards(first: str, last: str) -> str:
    if _number(first) == _number(last):
        return f"the pages {first}--{last} name one page twice: write {first}"
    if len(last) < len(first):
        return f"the pages {first}--{last} are cut or run backwards: write both ends in full"
    return f"the pages {first}--{last} run backwards: compare them with the source"


def _placeholders(library: Library) -> Iterator[Finding]:
    starts: dict[tuple[str, str], list[Entry]] = {}
    for hit in library.column("pages").hits(_FROM_ONE):
        entry = hit.entry
        if entry.type in ("inproceedings", "conference") and entry.get("booktitle"):
            starts.setdefault((entry.get("booktitle"), entry.get("volume")), []).append(entry)
    for entries in starts.values():
        if len(entries) > 1:
            for entry in entries:
                others = ", ".join(repr(other.key) for other in entries if other is not entry)
                yield Finding(
                    f"the pages begin at 1, as those of {others} in the same proceedings: they are "
                    f"placeholders",
                    entry,
                    "pages",
                )


_FROM_ONE = re.compile(r"(?m)^1--?\d+$")


@rule("page-overlap", "warning")
def page_overlap(library: Library) -> Iterator[Finding]:
    """Pages that overlap those of another work of the same volume: one of them has another work's.

    Ranges of numbers are compared, of works with the same container, year, volume, number and publisher;
    articles need volume and number for it. The last page of one may be the first of the next.
    """
    volumes: dict[tuple[str, ...], list[tuple[int, int, Entry]]] = {}
    for hit in library.column("pages").hits(_PLAIN_RANGE):
        entry = hit.entry
        container = entry.get("booktitle", "journaltitle", "journal")
        first, last = int(hit.match[1]), int(hit.match[2])
        numbered = entry.get("booktitle") or (entry.get("volume") and entry.get("number"))
        if container and first < last and numbered:
            year = entry.get("date", "year")[:4]
            volume = (container, year, *(entry.get(name) for name in ("volume", "number", "publisher")))
            volumes.setdefault(volume, []).append((first, last, entry))
    for ranges in volumes.values():
        ranges.sort(key=lambda item: item[:2])
        for (first, last, one), (begin, end, other) in pairwise(ranges):
            if begin < last:
                for entry, twin, pages in ((one, other, f"{begin}--{end}"), (other, one, f"{first}--{last}")):
                    yield Finding(
                        f"the pages overlap those of {twin.key!r} ({pages}) in the same volume: one of "
                        f"them is wrong",
                        entry,
                        "pages",
                    )


_PLAIN_RANGE = re.compile(r"(?m)^(\d{1,7})--(\d{1,7})$")
