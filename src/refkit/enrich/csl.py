"""Records in CSL-JSON, as content negotiation gives them, and in Crossref's REST shape, close to it.

Sources: citation-style-language/schema, csl-data.json 1.0.2; api.crossref.org/swagger-ui ("Work"). What is of
the wrong type is passed over, never a crash: the services deliver what publishers deposited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refkit import identifiers
from refkit.enrich import people
from refkit.enrich.records import Notice, NoticeKind, Record, Service, Text
from refkit.values import tex
from refkit.values.dates import Date, of_parts

#: Dates of publication, as opposed to those of the record (created, deposited, indexed).
_PUBLICATION_DATES = ("issued", "published", "published-print", "published-online")

#: Crossmark's words for what an update does (Crossref, "Registering updates").
_UPDATES: Mapping[str, NoticeKind] = {
    "retraction": "retracted",
    "partial_retraction": "retracted",
    "withdrawal": "withdrawn",
    "removal": "withdrawn",
    "correction": "corrected",
    "corrigendum": "corrected",
    "erratum": "corrected",
    "expression_of_concern": "corrected",
    "addendum": "corrected",
}


def parse(work: Mapping[str, Any], service: Service, retrieved: str = "") -> Record:
    """The record of a work.

    Args:
        work: the JSON object.
        service: who gave it.
        retrieved: the day on which it was fetched.
    """
    type = text(work.get("type")).lower()
    container = text(work.get("container-title"))
    return Record(
        service=service,
        id=text(work.get("DOI")),
        retrieved=retrieved,
        type=type,
        title=Text(title(work)),
        authors=people.of_csl(work.get("author")),
        editors=people.of_csl(work.get("editor")),
        date=next(filter(None, (date(work.get(name)) for name in _PUBLICATION_DATES)), None),
        years=frozenset(found.year for name in _PUBLICATION_DATES if (found := date(work.get(name)))),
        container=Text(container),
        volume=text(work.get("volume")),
        number=text(work.get("issue")),
        pages=text(work.get("page")),
        publisher=Text(text(work.get("publisher"))),
        isbn=isbns(work.get("ISBN")),
        version=text(work.get("version")),
        preprints=_related(work, "has-preprint"),
        published_dois=tuple(
            found for found in _related(work, "is-preprint-of") if not identifiers.arxiv(found)
        ),
        notices=tuple(_notices(work)),
    )


def title(work: Mapping[str, Any]) -> str:
    """Title and subtitle; the subtitle only if the title does not have it yet."""
    main, sub = text(work.get("title")), text(work.get("subtitle"))
    if main and sub and sub.casefold() not in main.casefold():
        joint = " " if main[-1] in ":?!.–—" else ": "
        return f"{main}{joint}{sub}"
    return main


def text(value: object) -> str:
    """A text, or the first text of a list; empty for ``null``, ``[]`` and whatever else is none."""
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, str) and item.strip()), "")
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        value = str(value)
    return value.strip() if isinstance(value, str) else ""


def date(value: object) -> Date | None:
    """A CSL date; ``None`` for ``[[null]]``, ``[[]]`` and what is no date."""
    parts = value.get("date-parts") if isinstance(value, Mapping) else None
    if not isinstance(parts, list):
        return None
    rows = [[item for item in row if item is not None] for row in parts[:1] if isinstance(row, list)]
    found = of_parts(rows)
    return found if found and 1000 <= found.year <= 2999 else None


def isbns(value: object) -> tuple[str, ...]:
    """ISBNs with a right check digit, as 13 digits; Crossref also writes them as addresses."""
    values = value if isinstance(value, list) else [value]
    numbers = [identifiers.isbn13(item.rpartition("/")[2]) for item in values if isinstance(item, str)]
    return tuple(dict.fromkeys(number for number in numbers if number))


def _related(work: Mapping[str, Any], relation: str) -> tuple[str, ...]:
    relations = work.get("relation")
    found = relations.get(relation) if isinstance(relations, Mapping) else None
    names = (
        [text(item.get("id")) for item in found if isinstance(item, Mapping)]
        if isinstance(found, list)
        else []
    )
    return tuple(dict.fromkeys(name for name in names if name))


def _notices(work: Mapping[str, Any]) -> list[Notice]:
    """``updated-by`` stands on the work that was retracted, ``update-to`` on the notice that says so."""
    notices: list[Notice] = []
    for member, about in (("updated-by", False), ("update-to", True)):
        updates = work.get(member)
        rows = [row for row in updates if isinstance(row, Mapping)] if isinstance(updates, list) else []
        notices += [notice for row in rows if (notice := _notice(row, about_another=about))]
    heading = tex.clean(text(work.get("title"))).upper()
    if heading.startswith(("RETRACTED:", "RETRACTED ARTICLE", "[RETRACTED]")) and not notices:
        notices.append(Notice("retracted", "title", detail="its title says so"))
    return list(dict.fromkeys(notices))


def _notice(update: Mapping[str, Any], *, about_another: bool) -> Notice | None:
    word = text(update.get("type")).lower().replace(" ", "_").replace("-", "_")
    kind = _UPDATES.get(word)
    if kind is None:
        return None
    if about_another:
        if kind not in ("retracted", "withdrawn"):
            return None
        kind = "retraction-notice"
    when = date(update.get("updated"))
    return Notice(
        kind,
        text(update.get("source")) or "publisher",
        when.iso if when else "",
        text(update.get("DOI")),
        word,
    )
