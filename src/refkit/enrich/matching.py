"""Whether a record is about the work of an entry, and whether two values say the same.

Two texts are the same if they differ in nothing but case, accents, punctuation, dashes, markup and blanks:
of such differences people fill pages with findings that nobody reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize

from refkit import hub, identifiers
from refkit.enrich import foreign
from refkit.model import Entry, NameList, Person

if TYPE_CHECKING:
    from refkit.enrich.records import Record

#: Titles at least this alike (0 to 1) are one title with a slip in it.
SAME_TITLE = 0.9
#: The part of the shorter list of people that must be in the longer one.
SAME_PEOPLE = 0.6
#: By how many years a work may appear after its preprint, and two services may differ about one work.
LATEST, APART = 4, 2

_WORD = re.compile(r"[^\W_]+")
_VERSION = re.compile(
    r"[\s:,(–—-]*\(?(?:v|version\s*|release\s*)?\d+(?:\.\d+){0,4}[\w.+-]{0,20}\)?$", re.IGNORECASE
)
_JOINT = re.compile(r"\s*[:.?!–—(]\s*|\s-+\s")
_FOLDED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"}
)
_LONGEST = 600


def normal(text: str) -> str:
    """The words of a text without case and accents, one blank between two."""
    plain = "".join(char for char in normalize("NFKD", text[:_LONGEST].casefold()) if not combining(char))
    return " ".join(_WORD.findall(plain.translate(_FOLDED)))


def similarity(one: str, other: str) -> float:
    """How alike two texts are: 1 for equal words, 0 for nothing in common. Blanks do not count."""
    first, second = normal(one).replace(" ", ""), normal(other).replace(" ", "")
    if first == second:
        return 1.0
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def same_title(one: str, other: str) -> bool:
    """Whether two titles are the same, one of them perhaps without its subtitle or version."""
    if similarity(one, other) == 1.0:
        return True
    shorter, longer = sorted((one, other), key=len)
    heads = [longer[: joint.start()] for joint in _JOINT.finditer(longer)]
    without_version = _VERSION.sub("", longer)
    return bool(normal(shorter)) and any(
        normal(head) == normal(shorter) for head in (*heads, without_version)
    )


def abbreviates(one: str, other: str) -> bool:
    """Whether a name is short for another: ``Mach. Test`` for ``Machine Testing``, or its initials."""
    shorter, longer = sorted(
        (normal(one).split(), normal(other).split()), key=lambda words: len("".join(words))
    )
    if not shorter:
        return False
    if len(shorter) == 1 and len(longer) > 1:
        initials = "".join(word[0] for word in longer)
        minor = "".join(word[0] for word in longer if word not in _MINOR)
        if shorter[0] in (initials, minor):
            return True
    rest = iter(longer)
    return all(any(_short_for(word, full) for full in rest) for word in shorter)


_MINOR = frozenset("a an and der die und of on the for in le la les des du de et".split())


def _short_for(word: str, full: str) -> bool:
    return full.startswith(word) or (
        len(word) > 2 and full[0] == word[0] and full[-1] == word[-1] and len(full) > len(word)
    )


# -- people ----------------------------------------------------------------------------------------------


def same_person(one: Person, other: Person) -> bool:
    """Whether two names may be those of one person: family names agree, given names do not contradict."""
    if frozenset(normal(one.full).split()) == frozenset(normal(other.full).split()):
        return True
    if not _family(one) & _family(other):
        return False
    first, second = normal(one.given).split(), normal(other.given).split()
    return not first or not second or first[0][0] == second[0][0]


def _family(person: Person) -> set[str]:
    family = normal(person.literal or person.family)
    whole = normal(f"{person.prefix} {person.family}")
    return {name.replace(" ", "") for name in (family, whole, normal(person.literal)) if name}


class People(NamedTuple):
    """How two lists of people compare."""

    #: Whether the first persons are the same.
    first: bool
    #: The part of the shorter list that is in the longer one.
    overlap: float
    #: Whether all persons are the same, in the same order (as far as the list goes that ends in "and
    #: others").
    equal: bool
    #: Whether the same persons stand in another order.
    reordered: bool


def compare_people(ours: NameList, theirs: Sequence[Person]) -> People | None:
    """How two lists of people compare; ``None`` where one of them is empty."""
    if not ours.people or not theirs:
        return None
    mine, rest = list(ours.people), list(theirs)
    equal = (len(mine) == len(rest) or (ours.others and len(mine) < len(rest))) and all(
        same_person(*pair) for pair in zip(mine, rest, strict=False)
    )
    if equal:
        return People(True, 1.0, True, False)
    shared = _shared(mine, rest)
    overlap = shared / min(len(mine), len(rest))
    reordered = len(mine) == len(rest) == shared
    return People(same_person(mine[0], rest[0]), overlap, False, reordered)


def _shared(mine: Sequence[Person], theirs: Sequence[Person]) -> int:
    """How many persons of the first list have a namesake of their own in the second."""
    by_letter: dict[str, list[Person]] = {}
    for person in theirs:
        for word in set(normal(person.full).split()):
            by_letter.setdefault(word, []).append(person)
    used: set[int] = set()
    for person in mine:
        candidates = [found for word in normal(person.full).split() for found in by_letter.get(word, ())]
        namesake = next(
            (found for found in candidates if id(found) not in used and same_person(person, found)), None
        )
        if namesake is not None:
            used.add(id(namesake))
    return len(used)


# -- works -----------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """What provenance has of other versions of a work and of values that lost."""

    titles: tuple[str, ...] = ()
    people: tuple[tuple[Person, ...], ...] = ()
    years: frozenset[int] = frozenset()
    #: DOIs (lower case) and arXiv ids of other versions.
    ids: frozenset[str] = frozenset()
    #: Field -> texts that lost.
    lost: Mapping[str, tuple[str, ...]] = {}

    def has_title(self, title: str) -> bool:
        """Whether another version is known to have this title; having lost here does not make it one."""
        return any(same_title(title, known) for known in self.titles)

    def has_people(self, people: Sequence[Person]) -> bool:
        """Whether another version is known to have these authors."""
        comparisons = (compare_people(NameList(known), people) for known in self.people)
        return any(found is not None and found.equal for found in comparisons)


class Match(NamedTuple):
    """Whether a record is about the work."""

    #: Only then may anything be taken from it.
    matches: bool
    #: What speaks against it.
    reason: str = ""
    #: Where one thing alone speaks against it, so that it may be another version of the work: ``title`` or
    #: ``date``. Empty where it is another work.
    differs: str = ""


def match(entry: Entry, record: Record, known: Known) -> Match:
    """Compares title, first author and year; what one side lacks says nothing."""
    title = foreign.plain(record.title)
    ours = entry.text("title")
    title_agrees = not title or not ours or _titles_agree(entry, title, known)
    people = compare_people(entry.names("author"), record.authors)
    people_agree = (
        people is None or people.first or people.overlap >= SAME_PEOPLE or known.has_people(record.authors)
    )
    years = _years_agree(entry, record, known)
    if title_agrees and people_agree and years:
        return Match(True)
    against = []
    if not title_agrees:
        against.append(f"the title here is {_quoted(ours)}, there {_quoted(title)}")
    if not people_agree:
        against.append(
            f"the first author here is {entry.names('author').people[0].full}, there {record.authors[0].full}"
        )
    if not years and entry.date and record.date:
        against.append(f"the year here is {entry.date.year}, there {record.date.year}")
    doubtful = (title_agrees and people_agree) or (
        people is not None and people.first and people.overlap >= SAME_PEOPLE
    )
    differs = "date" if title_agrees and people_agree else "title" if doubtful else ""
    return Match(False, "; ".join(against), differs)


def _titles_agree(entry: Entry, title: str, known: Known) -> bool:
    ours = entry.text("title")
    with_subtitle = f"{ours}: {entry.text('subtitle')}" if entry.get("subtitle") else ours
    if same_title(with_subtitle, title) or known.has_title(title):
        return True
    return similarity(with_subtitle, title) >= SAME_TITLE


def _years_agree(entry: Entry, record: Record, known: Known) -> bool:
    if entry.date is None or not record.years:
        return True
    year = entry.date.year
    if record.service == "arxiv" and not describes_preprint(entry):
        return any(-1 <= year - found <= LATEST for found in record.years) or bool(known.years & record.years)
    return any(abs(year - found) <= APART for found in record.years) or bool(known.years & record.years)


_CONTAINERS = ("journal", "journaltitle", "booktitle")
_PREPRINT_TYPES = frozenset("misc online electronic www unpublished article report techreport".split())
_ARXIV_AS_JOURNAL = re.compile(r"(?i)arxiv|corr\b")


def describes_preprint(entry: Entry) -> bool:
    """Whether the entry is about the preprint, not about what became of it: it names no container."""
    subtype = entry.text("entrysubtype")
    if subtype:
        return hub.classify(entry.type, subtype)[0] == "preprint"
    container = entry.text(*_CONTAINERS)
    if container and not _ARXIV_AS_JOURNAL.match(container):
        return False
    if entry.type == "article" and entry.doi and not identifiers.arxiv(entry.doi):
        return False  # its journal is missing, that is all
    return entry.type in _PREPRINT_TYPES and bool(entry.arxiv)


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= 200 else text[:197] + '…'}”"


def years_of(dates: Iterable[str]) -> frozenset[int]:
    """The years of EDTF dates."""
    from refkit.values.dates import parse

    return frozenset(found.year for found in map(parse, dates) if found)
