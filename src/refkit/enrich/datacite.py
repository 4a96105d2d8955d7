"""DataCite: its REST interface answers in JSON:API (support.datacite.org/docs/api-get-doi)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from refkit import identifiers
from refkit.enrich import people
from refkit.enrich.csl import isbns, text
from refkit.enrich.records import Notice, Record, Text
from refkit.model import Person
from refkit.values import dates

if TYPE_CHECKING:
    from refkit.values.dates import Date

ACCEPT = "application/vnd.api+json"

_ISSUED = ("Issued", "Available", "Created", "Submitted")


def url(api: str, doi: str) -> str:
    """The address of a DOI's record."""
    return f"{api}/dois/{doi}"


def payload(answer: object) -> Mapping[str, Any] | None:
    """The attributes of the record in an answer; ``None`` if it is of another shape."""
    data = answer.get("data") if isinstance(answer, Mapping) else None
    attributes = data.get("attributes") if isinstance(data, Mapping) else None
    return attributes if isinstance(attributes, Mapping) else None


def parse(attributes: Mapping[str, Any], retrieved: str = "") -> Record:
    """The record of a work."""
    types = attributes.get("types")
    container = attributes.get("container")
    container = container if isinstance(container, Mapping) else {}
    first, last = text(container.get("firstPage")), text(container.get("lastPage"))
    return Record(
        service="datacite",
        id=text(attributes.get("doi")),
        retrieved=retrieved,
        type=text(types.get("resourceTypeGeneral")) if isinstance(types, Mapping) else "",
        title=Text(_title(attributes)),
        authors=_people(attributes.get("creators")),
        date=_date(attributes),
        years=frozenset(found.year for found in (_date(attributes), _year(attributes)) if found),
        container=Text(text(container.get("title"))),
        volume=text(container.get("volume")),
        number=text(container.get("issue")),
        pages=f"{first}-{last}" if first and last else first,
        publisher=Text(_publisher(attributes.get("publisher"))),
        isbn=isbns([item.get("identifier") for item in _maps(attributes.get("identifiers"))]),
        version=text(attributes.get("version")),
        published_dois=_related(attributes, ("IsPreprintOf", "IsVersionOf", "IsPreviousVersionOf")),
        preprints=_related(attributes, ("HasPreprint",)),
        notices=tuple(_notices(attributes)),
    )


def _maps(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _title(attributes: Mapping[str, Any]) -> str:
    titles = _maps(attributes.get("titles"))
    main = next(
        (found for item in titles if not item.get("titleType") and (found := text(item.get("title")))), ""
    )
    sub = next(
        (
            found
            for item in titles
            if item.get("titleType") == "Subtitle" and (found := text(item.get("title")))
        ),
        "",
    )
    return f"{main}: {sub}" if main and sub and sub.casefold() not in main.casefold() else main


def _people(creators: object) -> tuple[Person, ...]:
    found = (_person(creator) for creator in _maps(creators))
    return tuple(person for person in found if person)


def _person(creator: Mapping[str, Any]) -> Person | None:
    family, given, name = (text(creator.get(member)) for member in ("familyName", "givenName", "name"))
    if creator.get("nameType") == "Organizational":
        return Person(literal=name) if name else None
    if family:
        found = people.of_csl([{"family": family, "given": given}])
        return found[0] if found else None
    return people.of_text(name) if name else None


def _date(attributes: Mapping[str, Any]) -> Date | None:
    """The date of issue; else another date of the year of publication; else that year."""
    year = _year(attributes)
    rows = {
        text(row.get("dateType")): dates.parse(text(row.get("date"))[:10])
        for row in _maps(attributes.get("dates"))
    }
    if rows.get("Issued"):
        return rows["Issued"]
    same_year = (rows.get(kind) for kind in _ISSUED)
    return next((found for found in same_year if found and year and found.year == year.year), year)


def _year(attributes: Mapping[str, Any]) -> Date | None:
    found = dates.parse(text(attributes.get("publicationYear")))
    return found if found and 1000 <= found.year <= 2999 else None


def _publisher(value: object) -> str:
    """A text, or since schema 4.5 an object with a name; ``(:unav)`` and the like mean unknown."""
    name = text(value.get("name")) if isinstance(value, Mapping) else text(value)
    return "" if name.startswith("(:") else name


def _related(attributes: Mapping[str, Any], relations: tuple[str, ...]) -> tuple[str, ...]:
    found = [
        text(item.get("relatedIdentifier"))
        for item in _maps(attributes.get("relatedIdentifiers"))
        if item.get("relationType") in relations and item.get("relatedIdentifierType") in ("DOI", "arXiv")
    ]
    own = identifiers.doi_key(text(attributes.get("doi")))
    # A version of Zenodo's is a version of the record for all versions: not a publication of it.
    if own.startswith("10.5281/zenodo"):
        found = [item for item in found if not identifiers.doi_key(item).startswith("10.5281/zenodo")]
    return tuple(dict.fromkeys(found))


def _notices(attributes: Mapping[str, Any]) -> list[Notice]:
    """A date of withdrawal is all that DataCite's schema has for it."""
    rows = _maps(attributes.get("dates"))
    return [
        Notice("withdrawn", "DataCite", text(row.get("date"))[:10], detail=text(row.get("dateInformation")))
        for row in rows
        if row.get("dateType") == "Withdrawn"
    ]
