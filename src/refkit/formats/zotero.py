"""Zotero's item types and fields, as its RDF and its metadata tags name them.

Names are those of Zotero's schema (``zotero-schema``, version 36 and later). A variable that a type has no
field for becomes a labelled line of the field "Extra", which Zotero keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refkit.hub import Item

#: CSL type -> Zotero's item type.
ITEM_TYPES: Mapping[str, str] = {
    "article": "preprint",
    "article-journal": "journalArticle",
    "article-magazine": "magazineArticle",
    "article-newspaper": "newspaperArticle",
    "book": "book",
    "chapter": "bookSection",
    "dataset": "dataset",
    "document": "document",
    "entry-encyclopedia": "encyclopediaArticle",
    "graphic": "artwork",
    "legal_case": "case",
    "legislation": "statute",
    "manuscript": "manuscript",
    "motion_picture": "film",
    "paper-conference": "conferencePaper",
    "patent": "patent",
    "personal_communication": "letter",
    "post-weblog": "blogPost",
    "report": "report",
    "software": "computerProgram",
    "song": "audioRecording",
    "speech": "presentation",
    "standard": "standard",
    "thesis": "thesis",
    "webpage": "webpage",
}

#: Item types whose first kind of creator is called author; for others ``so:author`` is read as that kind.
AUTHORED = frozenset(ITEM_TYPES.values()) - {
    "artwork", "audioRecording", "computerProgram", "film", "patent", "presentation",
}  # fmt: skip

#: CSL variable -> field, for every type.
_FIELDS: Mapping[str, str] = {
    "title-short": "shortTitle",
    "ISBN": "ISBN",
    "ISSN": "ISSN",
    "volume": "volume",
    "issue": "issue",
    "page": "pages",
    "edition": "edition",
    "number-of-pages": "numPages",
    "number-of-volumes": "numberOfVolumes",
    "version": "versionNumber",
    "publisher-place": "place",
    "container-title-short": "journalAbbreviation",
    "call-number": "callNumber",
    "status": "status",
    "language": "language",
}

#: Variables that one field of a type takes: type -> variable -> field.
_BY_TYPE: Mapping[str, Mapping[str, str]] = {
    "preprint": {"publisher": "repository", "genre": "genre", "collection-title": "series"},
    "journalArticle": {
        "container-title": "publicationTitle",
        "publisher": "publisher",
        "collection-title": "series",
    },
    "magazineArticle": {"container-title": "publicationTitle", "publisher": "publisher"},
    "newspaperArticle": {"container-title": "publicationTitle", "publisher": "publisher"},
    "book": {"publisher": "publisher", "collection-title": "series", "collection-number": "seriesNumber"},
    "bookSection": {
        "container-title": "bookTitle",
        "publisher": "publisher",
        "collection-title": "series",
        "collection-number": "seriesNumber",
    },
    "encyclopediaArticle": {
        "container-title": "encyclopediaTitle",
        "publisher": "publisher",
        "collection-title": "series",
        "collection-number": "seriesNumber",
    },
    "conferencePaper": {
        "container-title": "proceedingsTitle",
        "event-title": "conferenceName",
        "event-place": "eventPlace",
        "publisher": "publisher",
        "collection-title": "series",
    },
    "dataset": {"publisher": "repository", "number": "identifier", "genre": "type"},
    "document": {"publisher": "publisher", "container-title": "publicationTitle", "genre": "type"},
    "artwork": {"medium": "artworkMedium"},
    "case": {"publisher": "court", "number": "docketNumber"},
    "statute": {"number": "publicLawNumber"},
    "manuscript": {"publisher": "institution", "genre": "manuscriptType"},
    "film": {"publisher": "distributor", "genre": "genre"},
    "patent": {"publisher": "assignee", "number": "patentNumber", "genre": "type"},
    "letter": {"genre": "letterType"},
    "blogPost": {"container-title": "blogTitle", "genre": "websiteType"},
    "report": {
        "publisher": "institution",
        "number": "reportNumber",
        "genre": "reportType",
        "collection-title": "seriesTitle",
    },
    "computerProgram": {"publisher": "company", "collection-title": "seriesTitle"},
    "audioRecording": {
        "publisher": "label",
        "medium": "audioRecordingFormat",
        "collection-title": "seriesTitle",
    },
    "presentation": {"event-title": "meetingName", "genre": "presentationType"},
    "standard": {
        "authority": "organization",
        "publisher": "publisher",
        "number": "number",
        "genre": "type",
    },
    "thesis": {"publisher": "university", "genre": "thesisType"},
    "webpage": {"container-title": "websiteTitle", "publisher": "publisher", "genre": "websiteType"},
}

#: The label of a variable in "Extra" where the type has no field for it. Zotero moves these into fields as
#: soon as the type has one.
LABELS: Mapping[str, str] = {
    "number": "Number",
    "version": "Version",
    "publisher": "Publisher",
    "container-title": "Container Title",
    "collection-title": "Series",
    "collection-number": "Series Number",
    "event-title": "Event Title",
    "event-place": "Event Place",
    "genre": "Genre",
    "medium": "Medium",
    "chapter-number": "Chapter Number",
    "part": "Part Number",
    "PMID": "PMID",
    "PMCID": "PMCID",
    "original-title": "Original Title",
    "original-publisher": "Original Publisher",
    "original-publisher-place": "Original Publisher Place",
}
DATE_LABELS: Mapping[str, str] = {"event-date": "Event Date", "original-date": "Original Date"}
#: Item types with a field for the version.
_VERSIONED = frozenset(("computerProgram", "standard", "dataset"))


#: Labels of lines that Zotero reads in Extra: its fields and CSL's variables, in any spelling.
_READ_LABELS = frozenset(
    "type title shorttitle titleshort date issued accessed accessdate submitted abstract abstractnote "
    "annote author editor translator contributor director composer guest publisher publisherplace place "
    "archive archiveid archivelocation archiveplace authority callnumber chapternumber citationkey "
    "collectiontitle collectionnumber containertitle containertitleshort dimensions division doi "
    "edition event eventdate eventplace eventtitle genre isbn issn issue journalabbreviation "
    "jurisdiction keyword language license medium note number numberofpages numberofvolumes numpages "
    "organization originaldate originalpublisher originalpublisherplace originaltitle page pages part "
    "partnumber parttitle pmcid pmid references repository rights scale section series seriesnumber "
    "seriestitle source status supplement url version volume volumetitle websitetitle websitetype "
    "yearsuffix".split()
)


def is_labelled(line: str) -> bool:
    """Whether a reader would take a line of Extra for a field: a label it knows, up to the last colon
    (Zotero) or the first (pandoc).
    """
    label, colon, _ = line.rpartition(":")
    return bool(colon) and any(
        "".join(filter(str.isalpha, one)).lower() in _READ_LABELS for one in (label, label.partition(":")[0])
    )


def item_type(item: Item) -> str:
    """Zotero's item type."""
    return ITEM_TYPES[item.type]


def fields(item: Item) -> list[tuple[str, str]]:
    """(field, value) of everything but title, date, people, tags, notes and Extra."""
    csl, type = item.csl, item_type(item)
    found = [
        ("citationKey", item.key),
        ("url", item.url),
        ("accessDate", iso(csl.get("accessed"))),
        ("DOI", item.doi),
    ]
    own = _BY_TYPE[type]
    for variable, field in (*_FIELDS.items(), *own.items()):
        value = csl.get(variable, "")
        if variable == "version" and type not in _VERSIONED:
            continue
        if variable == "language" and type == "computerProgram":
            continue  # its field of that name is for programming languages
        found.append((field, value))
    found.append(("archiveID", f"arXiv:{item.arxiv}" if type == "preprint" and item.arxiv else ""))
    found.append(("rights", item.licence))
    return [(field, value) for field, value in found if value]


def extra_lines(item: Item) -> list[str]:
    """The lines of Extra: arXiv identifier, what the type has no field for, related addresses."""
    csl, type = item.csl, item_type(item)
    own = _BY_TYPE[type]
    lines = []
    if item.arxiv:
        lines.append(f"arXiv: {item.arxiv}")
        if item.arxiv_class:
            lines.append(f"arXiv class: {item.arxiv_class}")
    for variable, label in LABELS.items():
        if variable == "version" and type in _VERSIONED:
            continue
        if variable == "number" and type == "preprint" and item.arxiv:
            continue  # it is the arXiv identifier
        if variable in csl and variable not in own:
            lines.append(f"{label}: {csl[variable]}")
    lines += [f"{label}: {iso(csl[name])}" for name, label in DATE_LABELS.items() if name in csl]
    return lines + [
        f"{_label(link.kind, link.label)}: {url}" for link in item.context.links if (url := safe(link.url))
    ]


def _label(kind: str, label: str) -> str:
    words = f"{kind} ({label})" if label else kind
    return (words[:1].upper() + words[1:]).replace(":", " -").replace("\n", " ")


def safe(url: str) -> str:
    """The address if it is one that may become a link, else ``""``."""
    from refkit import identifiers

    return identifiers.url(url) or ""


def iso(date: Any) -> str:
    """A CSL date as ``2022-05-27``, a range as ``2013-09/2013-10``; what is no date as its words."""
    if not date:
        return ""
    if "date-parts" not in date:
        return str(date.get("literal", ""))
    ends = [
        "-".join(f"{part:04d}" if i == 0 else f"{part:02d}" for i, part in enumerate(parts))
        for parts in date["date-parts"]
    ]
    season = {1: "Spring ", 2: "Summer ", 3: "Autumn ", 4: "Winter "}.get(date.get("season", 0), "")
    return season + "/".join(ends)
