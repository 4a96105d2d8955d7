"""The way back: from CSL variables to an entry with BibLaTeX fields. CSL-JSON and RIS are read through it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any

from refkit import identifiers
from refkit.formats.bib_text import address, name
from refkit.model import Entry, Person
from refkit.values import dates, tex

#: CSL type -> (entry type, entrysubtype).
_TYPES: Mapping[str, tuple[str, str]] = {
    "article": ("misc", "preprint"),
    "article-journal": ("article", ""),
    "article-magazine": ("article", "magazine"),
    "article-newspaper": ("article", "newspaper"),
    "review": ("article", ""),
    "review-book": ("article", ""),
    "book": ("book", ""),
    "chapter": ("incollection", ""),
    "entry-encyclopedia": ("inreference", ""),
    "entry-dictionary": ("inreference", ""),
    "entry": ("inreference", ""),
    "paper-conference": ("inproceedings", ""),
    "thesis": ("thesis", ""),
    "report": ("report", ""),
    "standard": ("report", "standard"),
    "webpage": ("online", ""),
    "post": ("online", ""),
    "post-weblog": ("online", "blog"),
    "software": ("software", ""),
    "dataset": ("dataset", ""),
    "manuscript": ("unpublished", ""),
    "patent": ("patent", ""),
    "graphic": ("image", ""),
    "song": ("audio", ""),
    "motion_picture": ("video", ""),
    "legislation": ("legislation", ""),
    "bill": ("legislation", ""),
    "treaty": ("legislation", ""),
    "regulation": ("legislation", ""),
    "legal_case": ("jurisdiction", ""),
    "personal_communication": ("letter", ""),
}

_TEXTS: Mapping[str, str] = {
    "title-short": "shorttitle",
    "shortTitle": "shorttitle",
    "collection-title": "series",
    "volume": "volume",
    "number-of-volumes": "volumes",
    "part": "part",
    "chapter-number": "chapter",
    "edition": "edition",
    "publisher-place": "location",
    "event-title": "eventtitle",
    "event": "eventtitle",
    "event-place": "venue",
    "version": "version",
    "number-of-pages": "pagetotal",
    "ISBN": "isbn",
    "ISSN": "issn",
    "PMID": "pmid",
    "PMCID": "pmcid",
    "container-title-short": "shortjournal",
    "journalAbbreviation": "shortjournal",
    "call-number": "library",
    "status": "pubstate",
    "original-title": "origtitle",
    "original-publisher": "origpublisher",
    "original-publisher-place": "origlocation",
    "abstract": "abstract",
    "annote": "annotation",
    "language": "language",
    "medium": "howpublished",
    "license": "copyright",
}
_NAMES: Mapping[str, str] = {
    "author": "author",
    "editor": "editor",
    "translator": "translator",
    "container-author": "bookauthor",
    "contributor": "editora",
}
_EDITOR_ROLES = ("director", "compiler", "organizer")
_DATES: Mapping[str, str] = {"accessed": "urldate", "event-date": "eventdate", "original-date": "origdate"}
_CONTAINERS: Mapping[str, str] = {"article": "journaltitle", "online": "titleaddon", "software": "titleaddon"}
_PUBLISHERS: Mapping[str, str] = {
    "thesis": "institution",
    "report": "institution",
    "online": "organization",
    "software": "organization",
    "patent": "holder",
}
#: Kinds that the entry type or subtype says already.
_PLAIN_GENRES = frozenset(("preprint", "blog post", "documentation"))
#: Variables that have been read, or that say nothing about the work.
_KNOWN = frozenset(
    (
        *_TEXTS, *_NAMES, *_DATES, "id", "citation-key", "type", "title", "issued", "container-title",
        "publisher", "authority", "page", "page-first", "number", "issue", "collection-number", "genre",
        "DOI",
        "URL", "keyword", "note", "categories", "source", "custom",
    )
)  # fmt: skip

#: A line of Zotero's field "Extra".
_LABELLED = re.compile(r"\s*([A-Za-z][A-Za-z -]{1,30}?)\s*:\s*(\S.*)")
_MARKUP = re.compile(r"<(/?)(i|b|sup|sub|sc|span)((?:\s[^<>]{0,80})?)>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_COMMANDS = {"i": "emph", "b": "textbf", "sup": "textsuperscript", "sub": "textsubscript", "sc": "textsc"}
_NO_KEY = re.compile(r"[\s{}()\\\"#%~,'=^$&<>]+")
_WORD = re.compile(r"\w+")


def entry(csl: Mapping[str, Any]) -> tuple[Entry, list[str]]:
    """An entry with the facts of a CSL item, and the variables that no field can hold.

    Text becomes TeX; the title's capitals are protected. The key is ``citation-key``, else ``id`` where
    BibTeX can have it as a key, else it is made from people, year and title.
    """
    extra = _extra(_string(csl.get("note")))
    told = _TYPES.get(extra.pop("type", ""))
    type, subtype = told or _TYPES.get(_string(csl.get("type")), ("misc", ""))
    fields: dict[str, str] = {}
    _add_people(fields, csl)
    _set(fields, "title", _title(_string(csl.get("title"))))
    _add_dates(fields, csl)
    _set(fields, _CONTAINERS.get(type, "booktitle"), _title(_string(csl.get("container-title"))))
    _set(fields, _PUBLISHERS.get(type, "publisher"), _text(csl.get("publisher") or csl.get("authority")))
    if "holder" in fields:  # a list of names, which would be split
        fields["holder"] = f"{{{fields['holder']}}}"
    for variable, field in _TEXTS.items():
        if field not in fields and not (variable == "abstract" and csl.get("abstract") == csl.get("annote")):
            _set(fields, field, _text(csl.get(variable)))
    _set(fields, "pages", _pages(_string(csl.get("page") or csl.get("page-first"))))
    known = {*_KNOWN, _editor_role(csl)}
    unknown = [*_add_number(fields, csl, type), *(name for name in csl if name not in known)]
    _add_genre(fields, csl, type)
    _add_identifiers(fields, csl, extra, subtype)
    keywords = _string(csl.get("keyword"))
    separator = ";" if ";" in keywords else ","
    _set(
        fields,
        "keywords",
        ", ".join(tex.encode(tag.strip()) for tag in keywords.split(separator) if tag.strip()),
    )
    _add_extra(fields, extra)
    _set(fields, "entrysubtype", subtype)
    return Entry(_key(csl, fields), type, fields), unknown


def _set(fields: dict[str, str], field: str, value: str) -> None:
    if value and field not in fields:
        fields[field] = value


def _string(value: Any) -> str:
    """A variable's text; numbers as their digits, everything else as nothing.

    Publishers' sites export texts and addresses that are still escaped for HTML; nobody writes so by hand.
    """
    if isinstance(value, str):
        if "&" in value and ";" in value:
            value = _ENTITY.sub(lambda found: unescape(found[0]), value)
        return " ".join(value.split()) if "\n" not in value else value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _text(value: Any) -> str:
    return marked_up(" ".join(_string(value).split()))


def _title(text: str) -> str:
    return tex.protect(_text(text))


def marked_up(text: str) -> str:
    """Text that may hold CSL's markup, as TeX; protected words go into braces."""
    if "<" not in text:
        return tex.encode(text)
    out: list[str] = []
    open_tags: list[str] = []
    at = 0
    for found in _MARKUP.finditer(text):
        out.append(_kept_blanks(text[at : found.start()]))
        at = found.end()
        tag = found[2].lower()
        if found[1]:
            if tag in open_tags:
                while open_tags and open_tags.pop() != tag:
                    out.append("}")
                out.append("}")
        else:
            open_tags.append(tag)
            out.append(_opening(tag, found[3]))
    out.append(_kept_blanks(text[at:]))
    return "".join(out) + "}" * len(open_tags)


def _opening(tag: str, attributes: str) -> str:
    if tag == "span":
        return "\\textsc{" if "small-caps" in attributes else "{"
    return f"\\{_COMMANDS[tag]}{{"


def _kept_blanks(text: str) -> str:
    """The text as TeX with the blanks at its ends, which tell words apart."""
    inner = tex.encode(text)
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and inner else ""
    return f"{before}{inner}{after}"


def _add_people(fields: dict[str, str], csl: Mapping[str, Any]) -> None:
    for variable, field in _NAMES.items():
        _set(fields, field, _people(csl.get(variable)))
    role = _editor_role(csl)
    if role:
        _set(fields, "editor", _people(csl.get(role)))
        _set(fields, "editortype", role)


def _editor_role(csl: Mapping[str, Any]) -> str:
    """The role whose people BibLaTeX has as editors of a type (manual, 2.3.6), where nobody is the editor."""
    return "" if csl.get("editor") else next((role for role in _EDITOR_ROLES if _people(csl.get(role))), "")


def _people(value: Any) -> str:
    if not isinstance(value, list):
        return ""
    return " and ".join(name(person) for one in value if (person := _person(one)) is not None)


def _person(value: Any) -> Person | None:
    if not isinstance(value, Mapping):
        return None
    part = {key: " ".join(_string(text).split()) for key, text in value.items()}
    literal = part.get("literal") or part.get("name", "")
    family, given = part.get("family", ""), part.get("given", "")
    if literal or not family:
        literal = literal or given
        return Person(literal=literal) if literal else None
    particles = [part.get("dropping-particle", ""), part.get("non-dropping-particle", "")]
    words = family.split()
    while len(words) > 1 and words[0][0].islower():
        particles.append(words.pop(0))
    return Person(" ".join(words), given, " ".join(one for one in particles if one), part.get("suffix", ""))


def _add_dates(fields: dict[str, str], csl: Mapping[str, Any]) -> None:
    issued = csl.get("issued")
    if isinstance(issued, Mapping):
        date = _date(issued)
        _set(fields, "date", date)
        if not date:
            _set(fields, "year", _text(issued.get("literal") or issued.get("raw")))
    for variable, field in _DATES.items():
        value = csl.get(variable)
        if isinstance(value, Mapping):
            _set(fields, field, _date(value))


def _date(value: Mapping[str, Any]) -> str:
    """A CSL date as EDTF, or ``""``."""
    parts = value.get("date-parts")
    date = (
        dates.of_parts(parts) if isinstance(parts, list) and all(isinstance(p, list) for p in parts) else None
    )
    if date is None:
        date = dates.of(_string(value.get("raw") or value.get("literal")), "", "", "")
    if date is None:
        return ""
    season = _string(value.get("season"))
    if season in ("1", "2", "3", "4") and not date.month:
        date = date._replace(season=20 + int(season))
    return (date._replace(circa=True) if value.get("circa") else date).iso


def _pages(text: str) -> str:
    """Pages, every range of a list with two hyphens."""
    parts = re.split(r"(\s*[,;]\s*)", text)
    return "".join(
        re.sub(r"\s*[-–—]\s*", "--", part) if re.fullmatch(r"\w+\s*[-–—]\s*\w+", part) else _kept_blanks(part)
        for part in parts
    )


def _add_number(fields: dict[str, str], csl: Mapping[str, Any], type: str) -> list[str]:
    """``number`` from the first of three variables; gives those that find no field.

    The number of an article beside its issue is its ``eid``.
    """
    names = [name for name in ("issue", "collection-number", "number") if _string(csl.get(name))]
    if not names:
        return []
    _set(fields, "number", _text(csl[names[0]]))
    rest = names[1:]
    if type == "article" and "number" in rest:
        _set(fields, "eid", _text(csl["number"]))
        rest.remove("number")
    return [name for name in rest if csl[name] != csl[names[0]]]


def _add_genre(fields: dict[str, str], csl: Mapping[str, Any], type: str) -> None:
    genre = _string(csl.get("genre"))
    if type == "thesis":
        lowered = genre.lower()
        known = {"phd": "phdthesis", "ph.d": "phdthesis", "doctor": "phdthesis", "master": "mathesis"}
        _set(fields, "type", next((key for word, key in known.items() if word in lowered), _text(genre)))
    elif genre.lower() not in _PLAIN_GENRES:
        _set(fields, "type", _text(genre))


def _add_identifiers(
    fields: dict[str, str], csl: Mapping[str, Any], extra: dict[str, str], subtype: str
) -> None:
    doi = _string(csl.get("DOI"))
    _set(fields, "doi", address(identifiers.doi(doi) or doi))
    url = _string(csl.get("URL"))
    _set(fields, "url", address(identifiers.url(url) or url))
    arxiv = identifiers.arxiv(extra.pop("arxiv", ""))
    if arxiv is None and subtype == "preprint":
        arxiv = (
            identifiers.arxiv(_string(csl.get("number"))) or identifiers.arxiv(doi) or identifiers.arxiv(url)
        )
        if arxiv and arxiv.id in fields.get("number", ""):
            del fields["number"]
    if arxiv:
        if arxiv.id in fields.get("number", ""):
            del fields["number"]
        fields["eprint"] = arxiv.id
        fields["eprinttype"] = "arxiv"
        _set(fields, "primaryclass", extra.pop("arxiv class", ""))
        if fields.get("publisher", "").lower() == "arxiv":
            del fields["publisher"]


def _extra(note: str) -> dict[str, str]:
    """Labelled lines of a note by their label in lower case; the rest under ``note``."""
    out: dict[str, str] = {}
    rest = []
    for line in note.splitlines():
        found = _LABELLED.fullmatch(line)
        label = found[1].lower().replace("-", " ") if found else ""  # also by the name of its variable
        if found and label in _EXTRA and label not in out:
            out[label] = found[2].strip()
        else:
            rest.append(line.strip())
    text = " ".join(line for line in rest if line)
    return {**out, "note": text} if text else out


#: Label -> field.
_EXTRA: Mapping[str, str] = {
    "type": "",
    "arxiv": "",
    "arxiv class": "",
    "citation key": "",
    "archive id": "",
    "version": "version",
    "number": "number",
    "rights": "copyright",
    "license": "copyright",
    "publisher": "publisher",
    "organization": "",
    "event place": "venue",
    "event title": "eventtitle",
    "series": "series",
    "series number": "number",
    "edition": "edition",
    "genre": "type",
    "isbn": "isbn",
    "issn": "issn",
    "doi": "doi",
    "pmid": "pmid",
    "pmcid": "pmcid",
    "status": "pubstate",
    "language": "language",
    "event date": "eventdate",
    "original date": "origdate",
    "original title": "origtitle",
    "original publisher": "origpublisher",
    "original publisher place": "origlocation",
}


def _add_extra(fields: dict[str, str], extra: Mapping[str, str]) -> None:
    for label, text in extra.items():
        field = "note" if label == "note" else _EXTRA[label]
        if field == "type" and text.lower() in _PLAIN_GENRES:
            continue
        if field == "publisher" and ("institution" in fields or "organization" in fields):
            continue
        if field in ("eventdate", "origdate"):
            _set(fields, field, _date({"raw": text}) or _text(text))
        elif field:
            _set(fields, field, _text(text))


def _key(csl: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    for variable in ("citation-key", "id"):
        key = _string(csl.get(variable))
        if key and not _NO_KEY.search(key) and "://" not in key:
            return key
    return made_key(csl.get("author") or csl.get("editor"), fields)


def made_key(people: Any, fields: Mapping[str, str]) -> str:
    """A key from the first person's family name, the year and the title's first long word, in ASCII."""
    first = people[0] if isinstance(people, list) and people and isinstance(people[0], Mapping) else {}
    who = _ascii(_string(first.get("family") or first.get("literal") or first.get("name")))
    year = re.match(r"\d{4}", fields.get("date", fields.get("year", "")))
    words = (_ascii(word) for word in _WORD.findall(tex.decode(fields.get("title", ""))))
    word = next((word for word in words if len(word) > 3), "")
    return f"{who}{year[0] if year else ''}{word}" or "work"


def _ascii(text: str) -> str:
    from unicodedata import normalize

    decomposed = normalize("NFKD", text.split(",")[0]).encode("ascii", "ignore").decode().lower()
    return "".join(char for char in decomposed if char.isalnum())


def unique_keys(entries: Iterable[Entry], taken: Iterable[str] = ()) -> list[Entry]:
    """The entries, with a letter behind keys that came before, or that are taken."""
    seen = {key.lower() for key in taken}
    out = []
    for one in entries:
        key, number = one.key, 0
        while key.lower() in seen:
            number += 1
            key = one.key + _letters(number)
        seen.add(key.lower())
        one.key = key
        out.append(one)
    return out


def _letters(number: int) -> str:
    """a, b, … z, aa, ab …"""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
