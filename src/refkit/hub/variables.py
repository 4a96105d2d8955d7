"""From an entry's fields to CSL variables.

The rules are data: a variable, and the fields that give it, first match wins. Variables are those of CSL-JSON
1.0.2 (``csl-data.json``); BibLaTeX's fields are described in its manual, 2.2.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from refkit.values import dates, tex

if TYPE_CHECKING:
    from refkit.hub.item import Item, Note
    from refkit.model import Entry, NameList

Csl = dict[str, Any]

_ARTICLES = frozenset(("article-journal", "article-magazine", "article-newspaper"))
_IN_BOOKS = frozenset(("paper-conference", "chapter", "entry-encyclopedia"))
WEB = frozenset(("webpage", "post-weblog"))
#: Types whose ``number`` counts within a series when there is one.
_IN_SERIES = _IN_BOOKS | {"book"}

#: Field -> text variable, where that is the same for every type. Of two fields for one variable the first in
#: the entry counts.
_COMMON: Mapping[str, str] = {
    "series": "collection-title",
    "maintitle": "collection-title",
    "volume": "volume",
    "volumes": "number-of-volumes",
    "part": "part",
    "chapter": "chapter-number",
    "edition": "edition",
    "address": "publisher-place",
    "location": "publisher-place",
    "eventtitle": "event-title",
    "venue": "event-place",
    "version": "version",
    "pagetotal": "number-of-pages",
    "isbn": "ISBN",
    "issn": "ISSN",
    "pmid": "PMID",
    "pmcid": "PMCID",
    "shortjournal": "container-title-short",
    "library": "call-number",
    "lccn": "call-number",
    "pubstate": "status",
    "origtitle": "original-title",
    "origpublisher": "original-publisher",
    "origlocation": "original-publisher-place",
    "shorttitle": "title-short",
    "abstract": "abstract",
}

_PUBLISHER: Mapping[str, tuple[str, ...]] = {
    "thesis": ("school", "institution", "publisher", "organization"),
    "report": ("institution", "organization", "publisher", "school"),
    "standard": ("institution", "organization", "publisher", "school"),
    "webpage": ("organization", "publisher", "institution", "school"),
    "post-weblog": ("organization", "publisher", "institution", "school"),
    "software": ("organization", "publisher", "institution", "school"),
    "patent": ("holder", "publisher", "organization", "institution"),
}
_PERIODICAL = (
    ("journaltitle", "journalsubtitle"),
    ("journal", "journalsubtitle"),
    ("booktitle", "booksubtitle"),
)
_BOOK = (("booktitle", "booksubtitle"), *_PERIODICAL[:2])
#: A site's name stands in titleaddon; our BibLaTeX export has it in journaltitle alone.
_SITE = (*_PERIODICAL[:2], ("titleaddon", ""), _PERIODICAL[2])
_CONTAINERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "webpage": _SITE,
    "post-weblog": _SITE,
    "paper-conference": _BOOK,
    "chapter": _BOOK,
    "entry-encyclopedia": _BOOK,
}

_ANY_PUBLISHER = ("publisher", "organization", "institution", "school")

#: Field -> variable whose value is a list of names.
_NAMES: Mapping[str, str] = {
    "author": "author",
    "editor": "editor",
    "translator": "translator",
    "bookauthor": "container-author",
    "editora": "contributor",
    "foreword": "contributor",
    "introduction": "contributor",
    "afterword": "contributor",
    "commentator": "contributor",
    "annotator": "contributor",
}
#: Fields in which reference managers keep the licence.
LICENCE_FIELDS = ("copyright", "license", "licence", "rights")

#: ``editortype`` -> CSL role (BibLaTeX manual, 2.3.6).
_EDITOR_ROLES = {"compiler": "compiler", "organizer": "organizer", "director": "director"}

#: Field -> date variable, besides the date of publication.
_DATES: Mapping[str, str] = {"urldate": "accessed", "eventdate": "event-date", "origdate": "original-date"}

#: Variables whose text may hold CSL's markup.
_RICH = frozenset(("title", "container-title"))

#: Fields that steer BibTeX, biber or a reference manager and say nothing about the work.
MACHINERY = frozenset(
    "crossref xref xdata ids options entryset related relatedtype relatedstring sortkey sortname sorttitle "
    "sortshorthand sortyear presort key label shorthand gender indextitle indexsorttitle langidopts "
    "keywords entrysubtype nameaddon authortype editortype bookpagination pagination hyphenation".split()
)

_GENRES: Mapping[str, str] = {
    "techreport": "Technical report",
    "resreport": "Research report",
    "phdthesis": "PhD thesis",
    "mathesis": "Master's thesis",
    "bathesis": "Bachelor's thesis",
    "candthesis": "Candidate thesis",
    "software": "Computer software",
    "datacd": "Data CD",
    "audiocd": "Audio CD",
    "patent": "Patent",
    "patentus": "U.S. patent",
    "patenteu": "European patent",
    "patentde": "German patent",
    "patentfr": "French patent",
    "patentuk": "British patent",
    "patreq": "Patent request",
}
#: BibLaTeX's words for the countries of a patent (manual, 4.9.2.11).
COUNTRIES: Mapping[str, str] = {
    "countryde": "Germany",
    "countryeu": "European Union",
    "countryep": "European Union",
    "countryfr": "France",
    "countryuk": "United Kingdom",
    "countryus": "United States",
}
_TYPE_GENRES = {"phdthesis": "PhD thesis", "mastersthesis": "Master's thesis"}
_KIND_GENRES = {"preprint": "Preprint", "blog": "Blog post"}

#: Babel's names of languages -> language tags (BCP 47), as CSL has them.
_LANGUAGES: Mapping[str, str] = {
    "english": "en", "american": "en-US", "usenglish": "en-US", "british": "en-GB", "ukenglish": "en-GB",
    "german": "de", "ngerman": "de", "austrian": "de-AT", "french": "fr", "spanish": "es", "italian": "it",
    "portuguese": "pt", "brazilian": "pt-BR", "brazil": "pt-BR", "dutch": "nl", "polish": "pl",
    "russian": "ru", "chinese": "zh", "japanese": "ja", "korean": "ko", "swedish": "sv", "danish": "da",
    "norwegian": "no",
    "finnish": "fi", "czech": "cs", "greek": "el", "turkish": "tr", "hungarian": "hu", "latin": "la",
}  # fmt: skip

_DASH = re.compile(r"\s*(?:-{2,3}|[–—‒−])\s*")
#: A command with the brace of its argument, which protects nothing; or a group that holds no other and stands
#: behind no word.
_SMALL = re.compile(r"\\(?:(?:[A-Za-z]+\*?|[`'^\"~=.])\s*\{?|.)|(?<![\w}])\{([^{}\\$]*)\}", re.DOTALL)
_ADDRESS = re.compile(r"(?:\\url\s*\{|https?://|ftp://)", re.IGNORECASE)


def variables(one: Item) -> Csl:
    """The CSL variables of an item, in the order in which they are written."""
    entry = one.entry
    csl: Csl = {"id": entry.key, "citation-key": entry.key, "type": one.type}
    _set(csl, "title", _rich_title(entry, "title", "subtitle"))
    _add_people(csl, entry)
    _add_dates(csl, one)
    _set(csl, "container-title", container(entry, one.type, rich=True))
    _set(csl, "publisher", _publisher(one))
    if one.type == "standard" and "publisher" in csl:
        csl["authority"] = csl["publisher"]
    for name, raw in entry.fields.items():
        variable = _COMMON.get(name)
        if variable and raw and variable not in csl:
            csl[variable] = entry.text(name)
    _add_places(csl, entry)
    _add_numbers(csl, one)
    _set(csl, "genre", _genre(entry, one.kind))
    _set(csl, "language", _language(entry))
    _set(csl, "medium", _medium(entry))
    _set(csl, "DOI", one.doi)
    _set(csl, "URL", one.url)
    _set(csl, "keyword", "; ".join(one.tags))
    _set(csl, "annote", annotation_text(one.notes))
    _set(csl, "note", "; ".join(one.remarks))
    return csl


def _set(csl: Csl, variable: str, value: Any) -> None:
    if value:
        csl[variable] = value


def joined(entry: Entry, title: str, subtitle: str) -> str:
    """Title and subtitle as one plain text."""
    return _with_subtitle(entry.text(title), entry.text(subtitle) if subtitle in entry.fields else "")


def _with_subtitle(main: str, sub: str) -> str:
    if not (main and sub):
        return main or sub
    return f"{main} {sub}" if main[-1] in "?!:" else f"{main}: {sub}"


def _rich_title(entry: Entry, title: str, subtitle: str) -> str:
    return _with_subtitle(rich(entry, title), rich(entry, subtitle))


def rich(entry: Entry, field: str) -> str:
    """A title as CSL has it: plain text that may hold ``<i> <b> <sup> <sub> <span>`` (CSL-JSON, "rich text").

    A style in title case raises words of small letters and leaves all others: only those need protection.
    """
    raw = entry.fields.get(field)
    if not raw:
        return ""
    marked = _SMALL.sub(_marked_if_small, raw) if "{" in raw else raw
    if marked == raw and "\\" not in raw and "$" not in raw:
        return entry.text(field)
    text = tex.decode_html(marked, escape=False)
    return text.replace("\ue000", '<span class="nocase">').replace("\ue001", "</span>")


def _marked_if_small(match: re.Match[str]) -> str:
    """A group of small letters between two characters of private use, which no title holds."""
    text = match[1]
    if text and text == text.lower() and any(map(str.isalpha, text)):
        return f"\ue000{text}\ue001"
    return match[0]


def container(entry: Entry, type: str, *, rich: bool) -> str:
    """The title of what contains the work, plain or with CSL's markup."""
    found = _container_fields(entry.fields, type)
    if not found:
        return ""
    return _rich_title(entry, *found) if rich else joined(entry, *found)


def _container_fields(fields: Mapping[str, str], type: str) -> tuple[str, str] | None:
    """The fields with title and subtitle of what contains the work."""
    return next((pair for pair in _CONTAINERS.get(type, _PERIODICAL) if fields.get(pair[0])), None)


def _publisher(one: Item) -> str:
    name = _first(one.entry.fields, _PUBLISHER.get(one.type, _ANY_PUBLISHER))
    if name:
        return one.entry.text(name)
    return "arXiv" if one.type == "article" and one.arxiv else ""


def _add_places(csl: Csl, entry: Entry) -> None:
    """``address`` beside ``location``: the publisher's place and, as Zotero writes it, the event's."""
    if not entry.get("location"):
        return
    place = entry.text("location")
    if place in COUNTRIES:
        csl["publisher-place"] = place = COUNTRIES[place]
    if not entry.get("address"):
        if place == csl.get("event-place"):
            del csl["publisher-place"]
        return
    csl["publisher-place"] = entry.text("address")
    if place != csl["publisher-place"]:
        csl.setdefault("event-place", place)


def _add_numbers(csl: Csl, one: Item) -> None:
    entry, type = one.entry, one.type
    pages = entry.text("pages", "eid") if entry.get("pages", "eid") else ""
    _set(csl, "page", page_range(pages))
    number = entry.text("number") if "number" in entry.fields else ""
    issue = entry.text("issue") if "issue" in entry.fields else ""
    if type in _ARTICLES:
        _set(csl, "issue", number or issue)
        return
    if type == "article" and not number:
        _set(csl, "number", f"arXiv:{one.arxiv}" if one.arxiv else "")
        return
    _set(csl, "collection-number" if type in _IN_SERIES and "collection-title" in csl else "number", number)
    _set(csl, "issue", issue)


def page_range(pages: str) -> str:
    """Pages with a plain hyphen between first and last, as CSL has them.

    A dash separates; where page numbers themselves hold hyphens an en dash stays between them.
    """
    if not pages:
        return ""
    parts = _DASH.split(pages)
    return ("–" if any("-" in part for part in parts) and len(parts) > 1 else "-").join(parts)


def _genre(entry: Entry, kind: str) -> str:
    raw = entry.get("type")
    if raw:
        return _GENRES.get(raw.strip().lower()) or entry.text("type")
    if kind == "documentation" and entry.type != "manual":
        return "Documentation"
    return _TYPE_GENRES.get(entry.type) or _KIND_GENRES.get(kind, "")


def _language(entry: Entry) -> str:
    if not entry.get("language", "langid", "hyphenation"):
        return ""
    text = entry.text("language", "langid", "hyphenation")
    return _LANGUAGES.get(text.lower(), text)


def _medium(entry: Entry) -> str:
    raw = entry.get("howpublished")
    return "" if not raw or _ADDRESS.search(raw) else entry.text("howpublished")


def annotation_text(notes: Iterable[Note], between: str = "\n\n") -> str:
    """Annotations as plain text: one as it is, several one after another under their sections' titles."""
    found = list(notes)
    if len(found) == 1:
        return found[0].text
    return between.join(f"{note.section}: {note.text}" if note.section else note.text for note in found)


# --------------------------------------------------------------------------- people and dates


def _add_people(csl: Csl, entry: Entry) -> None:
    fields = entry.fields
    useprefix = _useprefix(fields["options"]) if "options" in fields else None
    for name in fields:
        variable = _NAMES.get(name)
        if variable is None or not (people := csl_names(entry.names(name), useprefix)):
            continue
        if name == "editor" and "editortype" in fields:
            variable = _EDITOR_ROLES.get(fields["editortype"].strip().lower(), "editor")
        csl[variable] = [*csl[variable], *people] if variable in csl else people


def _useprefix(options: str) -> bool | None:
    """What the entry's ``options`` say about particles (BibLaTeX manual, 3.1.3)."""
    for option in options.split(","):
        name, _, value = option.partition("=")
        if name.strip().lower() == "useprefix":
            return value.strip().lower() in ("", "true")
    return None


def csl_names(names: NameList, useprefix: bool | None = None) -> list[dict[str, str]]:
    """People as CSL name objects; ``and others`` has no counterpart and is no person.

    A particle is non-dropping, as BibTeX's styles treat it, unless ``useprefix=false`` says otherwise.
    """
    out: list[dict[str, str]] = []
    for person in names.people:
        if person.literal:
            out.append({"literal": person.literal})
            continue
        name = {"family": person.family or person.given}
        if person.given and person.family:
            name["given"] = person.given
        if person.prefix:
            kept = useprefix if person.useprefix is None else person.useprefix
            name["dropping-particle" if kept is False else "non-dropping-particle"] = person.prefix
        if person.suffix:
            name["suffix"] = person.suffix
        out.append(name)
    return out


def _add_dates(csl: Csl, one: Item) -> None:
    entry, issued = one.entry, one.date
    if issued is not None:
        csl["issued"] = csl_date(issued)
    elif literal := entry.text("date", "year"):
        csl["issued"] = {"literal": literal}
    for name, variable in _DATES.items():
        if name in entry.fields and (text := entry.text(name)):
            date = dates.parse(text)
            csl[variable] = csl_date(date) if date is not None else {"literal": text}


def csl_date(date: dates.Date) -> dict[str, Any]:
    """A date as CSL has it: parts as numbers; season (1 to 4) and circa beside them."""
    out: dict[str, Any] = {"date-parts": date.date_parts()}
    if date.season:
        out["season"] = date.season - 20
    if date.circa or date.uncertain:
        out["circa"] = True
    return out


# --------------------------------------------------------------------------- what gets lost


def lost(one: Item) -> list[str]:
    """The fields of the entry that no variable carries, in the entry's order; of lists of people that end in
    "and others" that end, which no format but BibTeX's can say.
    """
    entry, known = one.entry, sources(one)
    out = []
    for name, raw in entry.fields.items():
        if raw and name not in known:
            out.append(name)
        elif name in _NAMES and "others" in raw and entry.names(name).others:
            out.append(f"{name} (and others)")
    return out


def sources(one: Item) -> set[str]:
    """The fields of the entry that reach a variable, a tag, a note or the key's own machinery."""
    entry, fields = one.entry, one.entry.fields
    used = {*_NAMES, *_CARRIED, *MACHINERY, *LICENCE_FIELDS}
    used.update(_container_fields(fields, one.type) or ())
    taken: set[str] = set()
    for name, raw in fields.items():
        if raw and name in _COMMON and _COMMON[name] not in taken:
            taken.add(_COMMON[name])
            used.add(name)
    for names in (
        _PUBLISHER.get(one.type, _ANY_PUBLISHER),
        ("pages", "eid"),
        () if one.context.notes else ("annotation", "annote"),
        ("primaryclass", "eprintclass") if one.arxiv else (),
    ):
        used.add(_first(fields, names))
    if "event-place" in one.csl:
        used.update(("address", "location"))
    if one.arxiv:
        used.update(("eprint", "eprinttype", "archiveprefix"))
    if "issued" in one.csl:
        used.update(("date",) if entry.get("date") else ("year", "month", "day"))
    for name, carried in (
        ("doi", one.doi),
        ("url", entry.url),
        ("howpublished", "medium" in one.csl or entry.url),
    ):
        used.update((name,) if carried else ())
    if one.type not in WEB:
        used.add("titleaddon")
    return used


#: Fields that every type carries.
_CARRIED = frozenset(
    "title subtitle shorttitle number issue type language langid note addendum "
    "urldate eventdate origdate".split()
)


def _first(fields: Mapping[str, str], names: Iterable[str]) -> str:
    return next((name for name in names if fields.get(name)), "")
