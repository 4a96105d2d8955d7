"""A work as readers see it: the formatted reference, its people, its venue, its addresses.

Everything here is made once per work, as parts (see :mod:`refkit.sphinxext.richtext`). Nothing raises: a
field that is missing, or cannot be read, is left out. A type that is not known is set like ``@misc``.
Titles keep their case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from refkit import identifiers
from refkit.hub.variables import COUNTRIES
from refkit.sphinxext.richtext import comma, in_sentences, of_markup, of_text, plain
from refkit.values import dates, tex

if TYPE_CHECKING:
    from refkit.model import Entry, NameList, Person
    from refkit.sphinxext.richtext import Parts
    from refkit.values.dates import Date

#: A list of more people than this shows the first few and "et al.".
MOST_PEOPLE = 8
FEW_PEOPLE = 3

_MONTHS = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip
_SEASONS = {21: "Spring", 22: "Summer", 23: "Autumn", 24: "Winter"}
_PAGES = re.compile(r"\s*(?:--?-?|–|—)\s*")
_PLAIN_NUMBER = re.compile(r"\d+\Z")

#: BibTeX's and BibLaTeX's types -> how the reference is built; any other type is set like misc.
_SHAPES = {
    **dict.fromkeys(("article", "periodical", "suppperiodical"), "article"),
    **dict.fromkeys(("book", "mvbook", "collection", "mvcollection", "proceedings", "mvproceedings",
                     "reference", "mvreference", "manual", "booklet"), "book"),
    **dict.fromkeys(("inbook", "incollection", "inproceedings", "conference", "suppbook", "suppcollection",
                     "inreference", "bookinbook"), "part"),
    **dict.fromkeys(("thesis", "phdthesis", "mastersthesis"), "thesis"),
    **dict.fromkeys(("report", "techreport", "standard"), "report"),
}  # fmt: skip
_KIND_WORDS = {"phdthesis": "PhD thesis", "mathesis": "Master's thesis", "mastersthesis": "Master's thesis",
               "candthesis": "Candidate thesis", "techreport": "Technical report",
               "resreport": "Research report",
               "thesis": "Thesis", "report": "Report", "standard": "Standard", "software": "Software",
               "dataset": "Dataset", "patent": "Patent", "unpublished": "Unpublished",
               "bathesis": "Bachelor's thesis", "patentus": "U.S. patent", "patenteu": "European patent",
               "patentde": "German patent", "patentfr": "French patent", "patentuk": "British patent",
               "patreq": "Patent request"}  # fmt: skip
#: Scripts in which the family name stands first, with nothing between: Han, kana, Hangul.
_FAMILY_FIRST = re.compile(r"[\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


class Address(NamedTuple):
    """A link of a work: what it is, as a word, and where it leads."""

    kind: str
    url: str
    #: A text that says more than the kind; may be empty.
    label: str = ""

    @property
    def text(self) -> str:
        """Kind and label: ``arXiv:2205.14135``, ``code``, ``docs: Tile IR specification``."""
        if not self.label or self.label.lower().startswith(self.kind.lower()):
            return self.label or self.kind
        return f"{self.kind}: {self.label}"


# the whole reference ---------------------------------------------------------


def reference(entry: Entry, *, all_people: bool = False) -> Parts:
    """The formatted reference of a work; with ``all_people`` everybody is named, where long lists are cut
    else.
    """
    shape = _SHAPES.get(entry.type, "misc")
    people = _people_text(entry.names("author"), all_people)
    editors = _people_text(entry.names("editor"), all_people)
    sentences: list[Parts] = []
    if people:
        sentences.append(of_text(people))
    elif editors and shape == "book":
        sentences.append(of_text(f"{editors} ({_editors_word(entry)})"))
        editors = ""
    sentences += [_title(entry, shape), *_BODIES[shape](entry)]
    if editors:
        sentences.append(of_text(f"Edited by {editors}"))
    sentences += [
        _imprint(entry),
        of_text(date_text(entry.date) or entry.text("year") or _accessed(entry)),
    ]
    sentences += [of_text(entry.text("note"))] if entry.text("note") else []
    sentences += _addresses(entry)
    return in_sentences(sentences)


def _title(entry: Entry, shape: str) -> Parts:
    title = titled(entry)
    if not title:
        return ()
    return (("em", title),) if shape in ("book", "report", "thesis") else title


def titled(entry: Entry) -> Parts:
    """Title and subtitle, with their markup; empty where the work has none."""
    title, subtitle = _rich(entry, "title"), _rich(entry, "subtitle")
    if title and subtitle:
        separator = " " if plain(title)[-1:] in ":?!." else ": "
        return (*title, ("text", separator), *subtitle)
    return title or subtitle


def _article(entry: Entry) -> list[Parts]:
    journal = _rich(entry, "journaltitle") or _rich(entry, "journal")
    return [comma(((("em", journal),) if journal else ()), of_text(_place(entry)))]


def _place(entry: Entry) -> str:
    """Where it stands in a journal: ``12(3):45–67``; an article's own number (``eid``) in place of pages."""
    where = entry.text("volume")
    number = entry.text("number", "issue")
    where += f"({number})" if number and where else f"no. {number}" if number else ""
    pages = _pages(entry) or entry.text("eid")
    if where and pages:
        return f"{where}:{pages}"
    return where or _pages_words(pages)


def _part(entry: Entry) -> list[Parts]:
    book = _rich(entry, "booktitle") or _rich(entry, "maintitle")
    series, number = entry.text("series"), entry.text("number")
    out: list[Parts] = []
    if book:
        tail = [of_text(f"chapter {entry.text('chapter')}")] if entry.text("chapter") else []
        volume = entry.text("volume")
        tail += [of_text(f"{series} {number or volume}".strip())] if series else []
        tail += [of_text(f"volume {volume}")] if volume and not series and _not_said(volume, book) else []
        tail += [of_text(_pages_words(_pages(entry)))]
        tail = [of_text(entry.text("venue")), *tail]
        out.append((("text", "In "), *comma((("em", book),), *tail)))
    elif _pages(entry):
        out.append(of_text(_pages_words(_pages(entry))))
    return out


def _book(entry: Entry) -> list[Parts]:
    edition, volume = entry.text("edition"), entry.text("volume")
    series, number = entry.text("series"), entry.text("number")
    facts = [of_text(_edition(edition))] if edition else []
    facts += [of_text(f"volume {volume}")] if volume else []
    facts += [of_text(f"{series} {number}".strip())] if series else []
    facts += [_version(entry, first=not any(facts))]
    facts += [of_text(entry.text("organization", "institution"))] if "publisher" not in entry else []
    return [comma(*facts)]


def _report(entry: Entry) -> list[Parts]:
    word = _kind_word(entry) or _KIND_WORDS["report"]
    facts = [of_text(f"{word} {entry.text('number')}".strip()), _version(entry, first=False)]
    return [comma(*facts, of_text(entry.text("institution", "organization")))]


def _thesis(entry: Entry) -> list[Parts]:
    word = _kind_word(entry) or _KIND_WORDS["thesis"]
    return [comma(of_text(word), of_text(entry.text("institution", "school")))]


def _misc(entry: Entry) -> list[Parts]:
    """Pages, software, data, preprints, everything else: what it is, where it belongs, who publishes it."""
    inside = next(filter(None, (_rich(entry, name) for name in _CONTAINERS)), ())
    number, word = entry.text("number"), _kind_word(entry)
    how = "" if identifiers.url(entry.text("howpublished")) else entry.text("howpublished")
    if entry.type == "jurisdiction" and inside and entry.text("volume"):  # as courts do: 347 U.S. 483
        cited = (*of_text(f"{entry.text('volume')} "), *inside, *of_text(f" {_pages(entry)}".rstrip()))
        facts = [of_text(word), cited, of_text(number)]
    else:
        place = _place(entry) if entry.text("volume") or _pages(entry) else number
        if entry.type == "patent":
            word, place = f"{word} {place}".strip(), ""
        facts = [of_text(word), (("em", inside),) if inside else (), of_text(place)]
    facts += [_version(entry, first=not any(facts)), of_text(how)]
    facts += [of_text(entry.text("organization", "institution", "school"))]
    return [comma(*facts)]


def _version(entry: Entry, *, first: bool) -> Parts:
    """``version 4.3``, with a capital where it is the first of a sentence."""
    version = entry.text("version")
    return of_text(f"{'V' if first else 'v'}ersion {version}" if version else "")


#: Where else the title of what contains a work may stand.
_CONTAINERS = ("titleaddon", "booktitle", "journaltitle", "journal")

_BODIES: dict[str, Callable[[Entry], list[Parts]]] = {
    "article": _article, "part": _part, "book": _book, "report": _report, "thesis": _thesis, "misc": _misc,
}  # fmt: skip


def _kind_word(entry: Entry) -> str:
    """What the work says it is (``type``), or the word of its kind; empty where the reader sees it anyway."""
    said = entry.text("type")
    if said:
        return _KIND_WORDS.get(said.lower(), said)
    subtype = entry.text("entrysubtype").lower()
    if subtype == "preprint":
        return "Preprint"
    return _KIND_WORDS.get(subtype) or _KIND_WORDS.get(entry.type, "")


def _imprint(entry: Entry) -> Parts:
    place = entry.text("location", "address")
    return comma(of_text(entry.text("publisher")), of_text(COUNTRIES.get(place, place)))


def _accessed(entry: Entry) -> str:
    """When an undated work was seen, which is all that dates it."""
    seen = entry.text("urldate")
    return f"Accessed {date_text(dates.parse(seen)) or seen}" if seen else ""


def _editors_word(entry: Entry) -> str:
    found = entry.names("editor")
    return "editors" if len(found.people) > 1 or found.others else "editor"


def _edition(edition: str) -> str:
    if not _PLAIN_NUMBER.match(edition) or len(edition) > 4:
        return edition if edition.lower().endswith("edition") else f"{edition} edition"
    number = int(edition)
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending} edition"


def _pages(entry: Entry) -> str:
    return _PAGES.sub("–", entry.text("pages"))


def _pages_words(pages: str) -> str:
    if not pages:
        return ""
    return f"pages {pages}" if "–" in pages or "," in pages else f"page {pages}"


def _not_said(volume: str, book: Parts) -> bool:
    """Whether a volume adds something: "Advances … 35" with volume 35 does not need it twice."""
    return volume not in re.split(r"\W+", plain(book))


def _addresses(entry: Entry) -> list[Parts]:
    out: list[Parts] = []
    doi, arxiv, url = entry.doi, entry.arxiv, entry.url
    if arxiv:
        out.append((("link", of_text(f"arXiv:{arxiv}"), arxiv_url(arxiv)),))
    if doi:
        out.append((("link", of_text(f"doi:{doi}"), identifiers.doi_url(doi)),))
    if url and url not in {arxiv_url(arxiv) if arxiv else "", identifiers.doi_url(doi) if doi else ""}:
        out.append((("link", of_text(url), url),))
    return out


def arxiv_url(arxiv: str) -> str:
    """The abstract page of an arXiv identifier."""
    return f"https://arxiv.org/abs/{arxiv}"


# parts of the reference ------------------------------------------------------


def people_text(entry: Entry, *, all_people: bool = False) -> str:
    """The people of a work as a text, the editors where there is no author; empty where nobody is named."""
    authors = entry.names("author")
    return _people_text(authors if authors.people else entry.names("editor"), all_people)


def _people_text(found: NameList, all_people: bool) -> str:
    names = [name for name in map(in_order, found.people) if name]
    others = found.others
    if len(names) > MOST_PEOPLE and not all_people:
        names, others = names[:FEW_PEOPLE], True
    if others:
        return f"{', '.join(names)} et al." if names else ""
    if len(names) > 2:
        return f"{', '.join(names[:-1])}, and {names[-1]}"
    return " and ".join(names)


def in_order(person: Person) -> str:
    """The name as it is read: ``Ludwig van Beethoven``, ``夏目漱石``."""
    if person.family and _FAMILY_FIRST.fullmatch(person.family + person.given):
        return person.family + person.given
    return person.full


def page_count(entry: Entry) -> int:
    """How many pages a work has: ``pagetotal``, or one range in ``pages``; 0 where the entry says neither."""
    total = entry.text("pagetotal")
    if _PLAIN_NUMBER.match(total):
        return int(total)
    ends = _pages(entry).split("–")
    if len(ends) == 2 and all(_PLAIN_NUMBER.match(end) and len(end) < 9 for end in ends):
        return max(0, int(ends[1]) - int(ends[0]) + 1)
    return 0


def year(entry: Entry) -> int | None:
    """The year of a work; ``None`` for an undated one."""
    date = entry.date
    if date is not None:
        return date.year
    text = entry.text("year")
    return int(text) if _PLAIN_NUMBER.match(text) and len(text) == 4 else None


_VENUES = ("eventtitle", "journaltitle", "journal", "titleaddon", "booktitle", "school", "institution",
           "organization", "publisher")  # fmt: skip


def byline(entry: Entry) -> tuple[str, str, str]:
    """People, venue and year of a work, each a text that may be empty."""
    people = people_text(entry)
    venue = _venue(entry, people)
    date = entry.date
    year = str(date.year) if date is not None else entry.text("year")
    return people, venue, "" if year in re.split(r"\W+", venue) else year


def _venue(entry: Entry, people: str) -> str:
    if entry.text("entrysubtype").lower() == "preprint":
        return "arXiv preprint" if entry.arxiv else "Preprint"
    for name in _VENUES:
        venue = entry.text(name)
        if venue and venue != people:
            return _kind_word(entry) + ", " + venue if _SHAPES.get(entry.type) == "thesis" else venue
    return "arXiv" if entry.arxiv else _kind_word(entry)


def date_text(date: Date | None) -> str:
    """A date in words: ``27 May 2022``, ``May 2022``, ``2021–2023``, ``c. 1999``."""
    if date is None:
        return ""
    start, end = date.start, date.end
    if start is None:
        return f"until {_day(end)}" if end else ""
    if end is None:
        return f"{_day(start)}–"
    return _day(start) if start == end else f"{_day(start)}–{_day(end)}"


def _day(date: Date) -> str:
    year = (
        f"{date.year // 10}0s" if date.unspecified == 1 else date.iso if date.unspecified else str(date.year)
    )
    if date.season in _SEASONS:
        text = f"{_SEASONS[date.season]} {year}"
    elif date.month:
        text = f"{_MONTHS[date.month - 1]} {year}"
        text = f"{date.day} {text}" if date.day else text
    else:
        text = year
    return ("c. " if date.circa else "") + text + ("?" if date.uncertain else "")


def addresses(entry: Entry) -> list[Address]:
    """The links of a work by kind, the one to read first; each address once."""
    doi, arxiv, url = entry.doi, entry.arxiv, entry.url
    found: dict[str, Address] = {}
    if arxiv:
        found[arxiv_url(arxiv)] = Address("arXiv", arxiv_url(arxiv), f"arXiv:{arxiv}")
    if doi:
        found[identifiers.doi_url(doi)] = Address("DOI", identifiers.doi_url(doi), f"doi:{doi}")
    if url:
        found.setdefault(url, Address(_url_kind(entry), url))
    return list(found.values())


_URL_KINDS = {
    "software": "code",
    "dataset": "data",
    "documentation": "docs",
    "blog": "post",
    "standard": "standard",
}


def _url_kind(entry: Entry) -> str:
    subtype = entry.text("entrysubtype").lower()
    if found := _URL_KINDS.get(subtype) or _URL_KINDS.get(entry.type):
        return found
    return {"article": "paper", "part": "paper", "report": "report", "thesis": "thesis", "book": "book"}.get(
        _SHAPES.get(entry.type, "misc"), "paper" if entry.arxiv else "page"
    )


def home(entry: Entry) -> str:
    """The address that a work's name leads to; empty where it has none."""
    doi, arxiv = entry.doi, entry.arxiv
    return entry.url or (arxiv_url(arxiv) if arxiv else "") or (identifiers.doi_url(doi) if doi else "")


def _rich(entry: Entry, name: str) -> Parts:
    """A field with its markup."""
    raw = entry.fields.get(name, "")
    return of_markup(tex.decode_html(raw)) if raw else ()
