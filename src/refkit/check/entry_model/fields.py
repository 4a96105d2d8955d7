"""Fields: those that a type requires, that belong to it, and that go together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from refkit.check import vocabulary
from refkit.check.library import BIBLATEX_FIELDS, Library
from refkit.check.model import Finding, reported, rule

if TYPE_CHECKING:
    from refkit.model import Entry

DUPLICATE_FIELD = reported(
    "duplicate-field", "error", "A field twice in one entry; BibTeX takes the first, biber the last."
)


@rule("missing-field", "error")
def missing_field(library: Library) -> Iterator[Finding]:
    """A field that the type requires is missing.

    Each type has groups of fields of which one must be there, as in the BibLaTeX manual; ``date`` and
    ``year`` are one group, inherited values count. A date is not asked for where provenance says that the
    page has none. A missing date of a web page is a warning. Known to biber, JabRef, biblint, papis.
    """
    table = vocabulary.types()
    required = {name: table.required.get(table.aliases.get(name, name), ()) for name in table.known}
    for entry in library.entries:
        fields = entry.fields
        groups = required.get(entry.type, ())
        subtype = fields.get("entrysubtype", "") if "entrysubtype" in fields else ""
        if subtype:
            groups = [*groups, *table.kinds.get(subtype.lower(), ())]
        for group in groups:
            if not any(fields.get(name) for name in group):
                yield from _missing(library, entry, group)
        if entry.type == "thesis" and not fields.get("type"):
            yield Finding("@thesis needs type: a doctoral or a master's thesis", entry)


def _missing(library: Library, entry: Entry, names: Sequence[str]) -> Iterator[Finding]:
    if "date" in names:
        if library.work(entry.key).no_date:
            return
        web = entry.type in ("online", "www", "electronic") and entry.get("entrysubtype") != "blog"
        hint = (
            "" if library.provenance is None else ', or set "no-date" in provenance where the page has none'
        )
        yield Finding(
            f"@{entry.type} needs a date: add date{hint}", entry, severity="warning" if web else None
        )
        return
    yield Finding(
        f"@{entry.type} needs {' or '.join(name for name in names if name != 'crossref')}: add it", entry
    )


@rule("unknown-field", "warning")
def unknown_field(library: Library) -> Iterator[Finding]:
    """A field whose name is nearly that of a known one: a slip, and every program ignores it.

    Names that are far from all known ones, or that many entries have, are somebody's own and left alone.
    Known to biber, JabRef, biblint.
    """
    known = vocabulary.fields()
    main = sorted(vocabulary.main_fields())
    for column in library.columns.values():
        name = column.name
        if name in known or name.startswith(_OWN) or len(column.entries) > max(3, len(library.entries) // 50):
            continue
        close = get_close_matches(name, main, 1, 0.8)
        if close:
            for entry in column.entries:
                message = f"no program knows the field {name!r}: did you mean {close[0]!r}?"
                yield Finding(message, entry, name)


#: How names of fields begin that are a person's or a program's own.
_OWN = ("x-", "bdsk-", "opt", "_", "user", "citeulike-")


@rule("misplaced-field", "warning")
def misplaced_field(library: Library) -> Iterator[Finding]:
    """A field that has no meaning in its type, so that styles leave the value out. Known to biber, JabRef."""
    table = vocabulary.types()
    for name, (instead, types) in table.misplaced.items():
        for entry in library.column(name).entries:
            type = table.aliases.get(entry.type, entry.type)
            if type in types:
                yield Finding(
                    f"{name} has no meaning in @{entry.type}: use {instead}, or correct the type", entry, name
                )


@rule("date-and-year", "warning", fixable=True)
def date_and_year(library: Library) -> Iterator[Finding]:
    """``date`` and ``year`` (or ``month``) side by side: programs read one or the other. Known to biber.

    Where they differ ``year-conflict`` says so.
    """
    for name in ("year", "month"):
        for entry, value in library.column(name):
            date = entry.fields.get("date", "") if "date" in entry.fields else ""
            if date and (name == "month" or date.startswith(value.strip("{}"))):
                yield Finding(f"{name} repeats date: keep date alone", entry, name, value, {name: None})


@rule("incomplete-set", "warning")
def incomplete_set(library: Library) -> Iterator[Finding]:
    """A field that says nothing without another: ``eprint`` without its archive, ``pages`` without a
    container, ``urldate`` without an address, ``volume`` without what it is a volume of.

    ``eprinttype`` and ``archiveprefix`` may stand side by side, for BibLaTeX and BibTeX. Known to biber.
    """
    for name, (needed, what) in _SETS.items():
        for entry in library.column(name).entries:
            fields = entry.fields
            if not any(fields.get(other) for other in needed) and entry.type not in _EXEMPT.get(name, ()):
                yield Finding(f"{name} without {what}: add it, or delete {name}", entry, name)


_SETS = {
    "eprint": (("eprinttype", "archiveprefix"), "eprinttype or archiveprefix"),
    "urldate": (("url", "doi", "eprint", "howpublished"), "url"),
    "pages": (
        (
            "booktitle",
            "journal",
            "journaltitle",
            "maintitle",
            "crossref",
            "series",
            "titleaddon",
            "howpublished",
        ),
        "a container",
    ),
    "volume": (
        (
            "booktitle",
            "journal",
            "journaltitle",
            "series",
            "maintitle",
            "crossref",
            "titleaddon",
            "volumes",
            "publisher",
        ),
        "what it is a volume of",
    ),
    "eventdate": (("eventtitle", "booktitle", "title"), "eventtitle"),
    "langidopts": (("langid",), "langid"),
    "relatedtype": (("related",), "related"),
}
_EXEMPT = {
    "pages": frozenset(
        (
            "book inbook thesis phdthesis mastersthesis report techreport booklet manual proceedings "
            "collection patent unpublished jurisdiction legislation legal"
        ).split()
    ),
    "volume": frozenset(
        "book proceedings collection mvbook periodical inbook jurisdiction legislation legal".split()
    ),
}


@rule(
    "inconsistent-fields",
    "info",
    default=False,
    bad="\n".join(
        f"@misc{{lee{n}, author = {{Lee, Ada}}, title = {{Title {n}}}, year = {{2024}}"
        + (", langid = {english}}" if n else "}")
        for n in range(12)
    ),
    good="\n".join(
        f"@misc{{lee{n}, author = {{Lee, Ada}}, title = {{Title {n}}}, year = {{2024}}, langid = "
        f"{{english}}}}"
        for n in range(12)
    ),
)
def inconsistent_fields(library: Library) -> Iterator[Finding]:
    """A field that nine of ten entries of the type have, and this one has not. Known to JabRef."""
    by_type: dict[tuple[str, str], list[Entry]] = {}
    for entry in library.entries:
        by_type.setdefault((entry.type, entry.get("entrysubtype")), []).append(entry)
    for (type, _), entries in by_type.items():
        if len(entries) < 10:
            continue
        counts = Counter(name for entry in entries for name in entry.fields)
        for name, count in counts.items():
            if 0.9 * len(entries) <= count < len(entries):
                for entry in entries:
                    if name not in entry:
                        yield Finding(
                            f"{count} of {len(entries)} entries of type @{type} have {name}, this one "
                            f"has not",
                            entry,
                        )


@rule("misused-field", "warning", fixable=True)
def misused_field(library: Library) -> Iterator[Finding]:
    """An address in ``howpublished`` or ``note``, pages of a whole proceedings, ``howpublished`` or ``note``
    in lower case.

    ``howpublished = {\\url{…}}`` alone is how classic BibTeX gives an address, and is left alone where no
    field is BibLaTeX's. Known to JabRef, bibcop.
    """
    for column in library.some(("howpublished", "note")):
        for hit in column.hits(_ADDRESS):
            yield from _address_in(hit.entry, column.name, hit.value)
        for hit in column.hits(_LOWER):
            value = hit.value
            yield Finding(
                f"{column.name} begins in lower case, and stands behind a full stop in styles",
                hit.entry,
                column.name,
                hit.part,
                {column.name: value[0].upper() + value[1:]},
                "info",
            )
    for entry, value in library.column("pages"):
        if entry.type in ("proceedings", "mvproceedings", "collection"):
            yield Finding(
                "a whole proceedings has no pages: use pagetotal, or make it @inproceedings",
                entry,
                "pages",
                value,
            )


_ADDRESS = re.compile(r"https?://[^ {}\n]+")
_LOWER = re.compile(r"(?m)^[a-z][a-z]+ ")


def _address_in(entry: Entry, field: str, value: str) -> Iterator[Finding]:
    alone = re.fullmatch(r"(?:\\url *\{)?(https?://[^ {}]+)\}?", value)
    biblatex = not BIBLATEX_FIELDS.isdisjoint(entry.fields)
    if alone and not biblatex and not entry.get("url"):
        return
    if alone and not entry.get("url"):
        yield Finding(
            f"an address in {field}: move it to url", entry, field, value, {"url": alone[1], field: None}
        )
    elif alone and entry.get("url") == alone[1]:
        yield Finding(f"{field} repeats url: delete it", entry, field, value, {field: None})
    elif field == "howpublished":
        yield Finding(f"an address in {field}: move it to url", entry, field, value)
