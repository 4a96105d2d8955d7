"""Works that may be one: nearly the same title and the same first author."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from refkit.model import Entry

#: An entry, the words of its title and the family name of its first author, folded.
Title = tuple[Entry, list[str], str]


def near_titles(titles: Iterable[Title]) -> Iterator[tuple[Entry, Entry]]:
    """Pairs of entries with one first author and nearly one title; each entry at most once as the second.

    Titles that differ by one word share their first or their last words; only such pairs are compared.
    """
    seen: dict[str, list[Title]] = {}
    for title in titles:
        entry, found, first = title
        keys = (f"{first}<{' '.join(found[:3])}", f"{first}>{' '.join(found[-3:])}")
        done = False
        for key in keys:
            known = seen.get(key)
            if known is None:
                seen[key] = [title]
                continue
            for other, words, _ in known:
                if not done and alike(found, words) and not _told_apart(entry, other):
                    yield other, entry
                    done = True
            known.append(title)


def alike(one: list[str], other: list[str]) -> bool:
    """Whether two titles are the same, but for a slip or a changed word."""
    if one == other:
        return True
    if min(len(one), len(other)) < 4 or len(set(one) & set(other)) < 0.6 * max(len(one), len(other)):
        return False
    return SequenceMatcher(None, " ".join(one), " ".join(other), autojunk=False).ratio() >= 0.9


_PARTS = (
    "titleaddon", "booktitle", "journaltitle", "volume", "edition", "number", "chapter", "part", "maintitle",
)  # fmt: skip


def _told_apart(one: Entry, other: Entry) -> bool:
    """Whether the entries say that they are different parts, editions or pages of one name."""
    if belong_together(one, other):
        return True
    differ = [
        name for name in _PARTS if one.get(name) and other.get(name) and one.get(name) != other.get(name)
    ]
    if differ == ["booktitle"]:
        return one.get("doi", "eprint") != other.get("doi", "eprint")
    return bool(differ)


def belong_together(one: Entry, other: Entry) -> bool:
    """Whether one of two entries is part of the other, or names it."""
    for entry, key in ((one, other.key), (other, one.key)):
        named = ",".join(entry.get(field) for field in ("crossref", "xref", "related", "entryset"))
        if key in [part.strip() for part in named.split(",")]:
            return True
    return False
