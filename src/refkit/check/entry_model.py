"""The model: types, required fields, fields that do not belong, sets that go together."""

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
    from refkit.model import Entry, Severity

_MISC = "@misc{{lee2024, author = {{Lee, Ada}}, title = {{Title}}, year = {{2024}}{}}}".format
_PAPER = (
    "@inproceedings{{lee2024, author = {{Lee, Ada}}, title = {{Title}}, booktitle = {{Proceedings of "
    "Loops}}, date = {{2024}}{}}}"
).format
_GOOD = _MISC("")

PARSE_ERROR = reported(
    "parse-error",
    "error",
    "Text that is no BibTeX: a missing comma or brace, something between fields. What can be read is read.",
)
DUPLICATE_FIELD = reported(
    "duplicate-field", "error", "A field twice in one entry; BibTeX takes the first, biber the last."
)
UNDEFINED_STRING = reported(
    "undefined-string", "warning", "A macro that no @string defines, or that is defined further on."
)
DUPLICATE_STRING = reported("duplicate-string", "warning", "A macro defined twice with different texts.")
COMMENT_IN_ENTRY = reported(
    "comment-in-entry", "warning", "A comment inside an entry, which biber skips and BibTeX does not."
)
COMMENTED_ENTRY = reported(
    "commented-entry", "info", "An entry on a line that begins with %, which biber skips and BibTeX reads."
)
DANGLING = reported(
    "dangling-crossref",
    "error",
    "crossref, xdata, xref, related or entryset names an entry that is not there.",
)
CIRCULAR = reported("circular-crossref", "error", "crossref or xdata leads back to the entry itself.")
XDATA_CONFLICT = reported(
    "xdata-conflict", "warning", "A field set in the entry and in its xdata with different values."
)
LIMIT = reported(
    "limit",
    "error",
    "A value too deep or too long to be read.",
    bad="@misc{lee2024, title = " + "{" * 1100 + "}" * 1100 + "}",
    good=_GOOD,
)


@rule("unknown-type", "error")
def unknown_type(library: Library) -> Iterator[Finding]:
    """An entry type that neither BibTeX nor BibLaTeX has; styles set it as @misc or not at all.

    A name close to a known one is an error, any other a warning, once a type: programs add types of their
    own. Known to biber, papis, JabRef.
    """
    known = vocabulary.types().known
    unknown: dict[str, list[Entry]] = {}
    for entry in library.entries:
        if entry.type not in known:
            unknown.setdefault(entry.type, []).append(entry)
    for type, entries in unknown.items():
        close = get_close_matches(type, sorted(known), 1, 0.75)
        message = f"@{type} is no type of BibTeX or BibLaTeX"
        if close:
            for entry in entries:
                yield Finding(f"{message}: did you mean @{close[0]}?", entry)
        else:
            more = f" ({len(entries)} entries have it)" if len(entries) > 1 else ""
            message += f": use a type that styles know, as @misc{more}"
            yield Finding(message, entries[0], severity="warning")


@rule("alias-type", "info")
def alias_type(library: Library) -> Iterator[Finding]:
    """A type of BibTeX in an entry written for BibLaTeX (with ``date``, ``urldate`` …), which takes it as an
    alias.
    """
    aliases = vocabulary.types().aliases
    for entry in library.entries:
        if entry.type in aliases and not BIBLATEX_FIELDS.isdisjoint(entry.fields):
            yield Finding(f"@{entry.type} is an alias of @{aliases[entry.type]} in BibLaTeX: use that", entry)


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


@rule("preprint-as-article", "warning")
def preprint_as_article(library: Library) -> Iterator[Finding]:
    """A preprint typed as an article of a journal "arXiv" or "CoRR", or a web page as an article without a
    journal.

    Types never change by themselves, so there is no fix. Known to Linter for Zotero.
    """
    for column in library.some(("journal", "journaltitle", "booktitle")):
        for hit in column.hits(_ARXIV_JOURNAL):
            yield Finding(
                f"{hit.value!r} is no {'journal' if column.name != 'booktitle' else 'container'}: make "
                f"it @misc with eprint and archiveprefix = {{arXiv}}",
                hit.entry,
                column.name,
                hit.value,
            )
    for column in library.some(("publisher", "howpublished", "institution")):
        for hit in column.hits(_ARXIV_PUBLISHER):
            yield Finding(
                f"{column.name} {hit.value!r}: the archive belongs into eprint and archiveprefix",
                hit.entry,
                column.name,
                hit.value,
                severity="info",
            )
    for entry in library.entries:
        if (
            entry.type == "article"
            and not entry.get("journal", "journaltitle")
            and entry.get("url")
            and entry.get("urldate")
        ):
            yield Finding("a web page typed as an article: make it @online", entry)


_ARXIV_JOURNAL = re.compile(r"(?mi)^\{?(?:arxiv\b|corr\b|ar[xχ]iv preprint|biorxiv|medrxiv|ssrn)")
_ARXIV_PUBLISHER = re.compile(r"(?mi)^\{?arxiv(?: preprint|:|\}?$)")


@rule("unused-string", "info")
def unused_string(library: Library) -> Iterator[Finding]:
    """A macro that nothing uses. Known to JabRef."""
    for document in library.documents.values():
        if not document.strings or not document.entries:
            continue
        for name in document.strings:
            if len(library.documents) == 1 and not _is_used(document.text, name):
                at = re.search(
                    rf"@string\s*[({{][^@]{{0,9999}}?\b{re.escape(name)}\s*=", document.text, re.IGNORECASE
                )
                line = document.place(at.end() - 1)[0] if at else None
                yield Finding(
                    f"the macro {name!r} is used nowhere: delete it",
                    file=document.file,
                    line=line,
                    about=name,
                )


def _is_used(text: str, name: str) -> bool:
    """Whether a bare word of this name stands behind ``=`` or ``#``."""
    at = text.find(name)
    while at >= 0:
        if text[max(at - 40, 0) : at].rstrip()[-1:] in ("=", "#") and text[
            at + len(name) : at + len(name) + 40
        ].lstrip()[:1] in (",", "#", "}", ")", ""):
            return True
        at = text.find(name, at + 1)
    pattern = rf"[=#]\s*{re.escape(name)}(?=\s*(?:[,#}})]|\Z))"
    return re.search(pattern, text, re.IGNORECASE) is not None


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


# -- vocabularies


@rule("unknown-kind", "error")
def unknown_kind(library: Library) -> Iterator[Finding]:
    """``entrysubtype`` is none of the words that exports know, or does not go with the type.

    In files without pages an unknown word is an information: styles have words of their own.
    """
    table = vocabulary.types().subtypes
    known = ", ".join(name for name in table if name)
    for entry, value in library.column("entrysubtype"):
        types = table.get(value.lower())
        if types is None:
            own: Severity | None = None if library.pages is not None else "info"
            message = f"the kind {value!r} is not known; known are {known}"
            yield Finding(message, entry, "entrysubtype", value, severity=own)
        elif entry.type not in types:
            yield Finding(
                f"{value!r} does not go with @{entry.type}: use "
                f"{' or '.join('@' + name for name in sorted(types))}",
                entry,
                "entrysubtype",
                value,
            )


@rule("organisation-spelling", "warning", fixable=True)
def organisation_spelling(library: Library) -> Iterator[Finding]:
    """An organisation spelled otherwise than elsewhere: ``Nvidia``, ``AMD`` for Advanced Micro Devices.

    The table lies beside the rules; whole names are compared. A name that is right by itself (``ACM``) is one
    spelling too many only where the library has the other, too. Tags are made from titles of sections and
    kinds, so they cannot leave their vocabulary.
    """
    table = vocabulary.vendor_spellings()
    names = vocabulary.vendor_names()
    for column in library.some(_BODIES):
        for hit in column.hits(_organisation(column.name)):
            bare = hit.value.strip("{}")
            right = table.get(bare)
            if right and (bare not in names or _is_spelled(library, right)):
                fixed = hit.value.replace(bare, right, 1)
                yield Finding(
                    f"{bare!r} is spelled {right!r} here", hit.entry, column.name, bare, {column.name: fixed}
                )


def _is_spelled(library: Library, name: str) -> bool:
    return any(value.strip("{}") == name for column in library.some(_BODIES) for value in column.values)


_BODIES = ("author", "editor", "organization", "institution", "publisher")


def _organisation(field: str) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in vocabulary.vendor_spellings())
    braces = r"\{" if field in ("author", "editor") else r"\{{0,2}"
    return re.compile(rf"(?m)^{braces}(?:{names})\}}*$")


RULES = (
    PARSE_ERROR,
    COMMENT_IN_ENTRY,
    COMMENTED_ENTRY,
    LIMIT,
    unknown_type,
    alias_type,
    missing_field,
    DUPLICATE_FIELD,
    unknown_field,
    misplaced_field,
    date_and_year,
    incomplete_set,
    inconsistent_fields,
    preprint_as_article,
    DANGLING,
    CIRCULAR,
    XDATA_CONFLICT,
    UNDEFINED_STRING,
    DUPLICATE_STRING,
    unused_string,
    misused_field,
    unknown_kind,
    organisation_spelling,
)
