"""Identity: keys, identifiers, works that stand twice, titles of no work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from refkit import identifiers
from refkit.check import vocabulary
from refkit.check.alike import Title, belong_together
from refkit.check.fold import words
from refkit.check.model import Finding, reported, rule

if TYPE_CHECKING:
    from refkit.check.library import Column, Library
    from refkit.model import Entry, Severity

_GOOD = "@misc{key2024, author = {Lee, Ada}, title = {Title}, year = {2024}"

MISSING_KEY = reported("missing-key", "error", "An entry without a key, which nothing can cite.")
DUPLICATE_KEY = reported(
    "duplicate-key", "error", "Two entries with one key; BibTeX refuses the second, biber takes the first."
)
CASE_COLLISION = reported(
    "case-collision", "error", "Two keys that differ only in case, which BibTeX and Sphinx take as one."
)

_BAD_IN_KEY = re.compile(r"""[\s"#%'(),={}~\\@`<>\x00-\x1f\x7f]""")


@rule("invalid-key", "error")
def invalid_key(library: Library) -> Iterator[Finding]:
    r"""A key with a character that BibTeX, TeX or a citation role takes as something else.

    These are blanks and ``" # % ' ( ) , = { } ~ \ @ ` < >``. A key that is not ASCII is a warning: biber and
    Typst read it, BibTeX with most styles does not. Known to JabRef.
    """
    for entry in library.entries:
        key = entry.key
        if key.isalnum() and key.isascii():
            continue
        found = _BAD_IN_KEY.search(key)
        if found:
            yield Finding(f"the key {key!r} holds {found[0]!r}: use letters, digits and - _ : . + /", entry)
        elif not key.isascii():
            yield Finding(
                f"the key {key!r} is not ASCII, which BibTeX cannot cite: spell it in ASCII",
                entry,
                severity="warning",
            )


@rule(
    "key-pattern",
    "info",
    bad={
        "pyproject.toml": "[tool.refkit.check]\nkey-pattern = '[a-z]+[0-9]{4}[a-z]+'",
        "bib/refs.bib": "@misc{LeeA:24, author = {Lee, Ada}, title = {Title}, year = {2024}}",
    },
    good={
        "pyproject.toml": "[tool.refkit.check]\nkey-pattern = '[a-z]+[0-9]{4}[a-z]+'",
        "bib/refs.bib": "@misc{lee2024title, author = {Lee, Ada}, title = {Title}, year = {2024}}",
    },
)
def key_pattern(library: Library) -> Iterator[Finding]:
    """A key that departs from the project's pattern (``key-pattern`` in the configuration).

    Without a pattern the rule is silent. A key is public once it is cited: rename it with ``refkit rename``,
    which keeps the old one as an alias. Known to JabRef.
    """
    pattern = library.settings.key_pattern
    if not pattern:
        return
    match = re.compile(pattern).fullmatch
    for entry in library.entries:
        if match(entry.key) is None:
            yield Finding(
                f"the key {entry.key!r} does not match {pattern!r}: rename it, or widen the pattern", entry
            )


_NAMED_KEY = re.compile(r"([a-z]+)((?:19|20)[0-9]{2})([a-z][a-z0-9]*)?\Z")


@rule("key-mismatch", "info")
def key_mismatch(library: Library) -> Iterator[Finding]:
    """A key that names another first author or another year than the entry has.

    Only keys of the form family name, year, word are looked at. Keys never change by themselves, so this may
    be the trace of a value that did.
    """
    for entry in library.entries:
        found = _NAMED_KEY.match(entry.key)
        if found is None:
            continue
        authors = library.authors.get(entry.key)
        if authors and _is_latin(authors[0]) and not _is_named(found[1], authors[0]):
            yield Finding(
                f"the key {entry.key!r} names another first author than {authors[0]!r}: check the "
                f"author list",
                entry,
                "author",
                authors[0],
            )
        year = _year(entry)
        if year and year != found[2]:
            field = "date" if "date" in entry else "year"
            yield Finding(
                f"the key {entry.key!r} names another year than {year}: check the {field}", entry, field, year
            )


def _is_latin(name: str) -> bool:
    """Whether a name can be compared with a key: of a name in another script a key has a transcription."""
    return any(word.isascii() and word.isalpha() for word in words(name))


def _is_named(word: str, name: str) -> bool:
    """Whether a key's first word is the name's family name, or a part of it."""
    if name[:1] == "{":
        return word in "".join(words(name)) or word.startswith("".join(part[0] for part in words(name)))
    whole = "".join(words(name.partition(",")[0] if "," in name else name.split(" ")[-1]))
    return word.startswith(whole) or whole.startswith(word) or whole.endswith(word)


def _year(entry: Entry) -> str:
    value = entry.get("date", "year").strip("{} ")
    return value[:4] if value[:4].isdecimal() else ""


# -- DOI


@rule("invalid-doi", "error", fixable=True)
def invalid_doi(library: Library) -> Iterator[Finding]:
    """A DOI that is none, or that is not bare: it carries the resolver's address, ``doi:``, or punctuation.

    Styles put the address before it themselves. Letters keep their case. Known to JabRef, Linter for Zotero,
    bibcop.
    """
    for entry, value in library.column("doi"):
        if _PLAIN_DOI(value):
            continue
        bare = identifiers.doi(value)
        if not value:
            continue
        if bare is None:
            yield Finding(f"{value!r} is not a DOI: expected 10.PREFIX/SUFFIX", entry, "doi", value)
        elif bare != value and bare != value.replace("\\_", "_").replace("\\", ""):
            yield Finding(f"the DOI is not bare: write {bare}", entry, "doi", value, {"doi": bare})


_PLAIN_DOI = re.compile(r"10\.[1-9][0-9]{3,8}(?:\.[0-9]{1,9})*/[A-Za-z0-9._:/()-]*[A-Za-z0-9_)/-]").fullmatch


# -- arXiv

_NEW_ID = re.compile(r"(\d\d)(0[1-9]|1[0-2])\.(\d{4,5})\Z")


def _is_arxiv(entry: Entry) -> bool:
    kind = entry.get("eprinttype", "archiveprefix").strip("{} ").lower()
    return kind == "arxiv"


@rule("invalid-arxiv-id", "error", fixable=True)
def invalid_arxiv_id(library: Library) -> Iterator[Finding]:
    """An arXiv identifier that cannot be one, that is not bare, or that lies in the future.

    The month ends at 12; numbers have four digits until the end of 2014 and five since. Identifiers before
    April 2007 name an archive (``hep-th/9901001``). A prefix or an address is taken off; a version belongs to
    ``version``, where a preprint has one, and is a warning. Known to bibcop, JabRef.
    """
    for entry, value in library.column("eprint"):
        if not _is_arxiv(entry):
            continue
        found = _NEW_ID.match(value)
        if found:
            problem = _problem_of_id(found, library)
            if problem:
                yield Finding(f"arXiv has no {value!r}: {problem}", entry, "eprint", value)
            continue
        known = identifiers.arxiv(value)
        if known is None:
            yield Finding(
                f"{value!r} is not an arXiv identifier: expected YYMM.NNNNN", entry, "eprint", value
            )
        elif known.id != value:
            yield _not_bare(entry, value, known)


def _problem_of_id(found: re.Match[str], library: Library) -> str:
    year, month, number = 2000 + int(found[1]), int(found[2]), found[3]
    if (year, month) < (2007, 4):
        return "identifiers of this form begin in April 2007"
    if len(number) != (5 if year >= 2015 else 4):
        return f"numbers of {year} have {5 if year >= 2015 else 4} digits"
    if int(number) == 0:
        return "numbers begin at 1"
    if (year, month) > (library.today.year, library.today.month):
        return "its month has not come yet"
    return ""


def _not_bare(entry: Entry, value: str, known: identifiers.ArxivId) -> Finding:
    fix: dict[str, str | None] = {"eprint": known.id}
    if known.version is None:
        return Finding(f"the arXiv identifier is not bare: write {known.id}", entry, "eprint", value, fix)
    if "version" not in entry:
        fix["version"] = str(known.version)
    message = f"the version does not belong into eprint: write {known.id}, and version = {{{known.version}}}"
    sound = entry.get("version") in ("", str(known.version))
    return Finding(message, entry, "eprint", value, fix if sound else None, "warning")


@rule("arxiv-class", "warning")
def arxiv_class(library: Library) -> Iterator[Finding]:
    """A primary class that arXiv does not have, or none beside an arXiv identifier.

    Identifiers before April 2007 carry their archive in themselves. A missing class is an information only.
    """
    known = vocabulary.arxiv_classes()
    for entry, value in library.column("eprint"):
        if not _is_arxiv(entry) or not value:
            continue
        name = "eprintclass" if "eprintclass" in entry else "primaryclass"
        given = entry.get("primaryclass", "eprintclass").strip("{} ")
        if not given:
            if "/" not in value:
                yield Finding(
                    "the arXiv identifier has no primaryclass beside it: add it",
                    entry,
                    "eprint",
                    severity="info",
                )
        elif given.lower() not in known:
            yield Finding(f"arXiv has no class {given!r}: correct it", entry, name, given)


@rule("archive-without-eprint", "error")
def archive_without_eprint(library: Library) -> Iterator[Finding]:
    """``archiveprefix``, ``eprinttype`` or a class without ``eprint``: the identifier has been lost. Known to
    bibcop.
    """
    for name in ("archiveprefix", "eprinttype", "primaryclass", "eprintclass"):
        for entry, _ in library.column(name):
            if not entry.get("eprint"):
                yield Finding(f"{name} without eprint: add the identifier, or delete {name}", entry, name)


# -- other identifiers


@rule("invalid-isbn", "error")
def invalid_isbn(library: Library) -> Iterator[Finding]:
    """An ISBN, ISSN or ISMN of wrong length or with a wrong check digit. Known to JabRef, biber."""
    checks: Mapping[str, Callable[[str], bool]] = {
        "isbn": identifiers.isbn_valid,
        "issn": identifiers.issn_valid,
        "ismn": _ismn_valid,
    }
    for name, valid in checks.items():
        for entry, value in library.column(name):
            for number in re.split(r"[,;/]|\band\b| (?=97[89])", re.sub(r"\([^()]*\)", "", value)):
                bare = number.strip("{} ")
                if bare.strip("?-") and not valid(bare):
                    yield Finding(
                        f"{bare!r} is not a valid {name.upper()}: compare it with the source",
                        entry,
                        name,
                        bare,
                    )


def _ismn_valid(text: str) -> bool:
    digits = re.sub(r"[\s-]", "", text.upper().removeprefix("ISMN"))
    digits = "9790" + digits[1:] if digits[:1] == "M" else digits
    if not re.fullmatch(r"9790\d{9}", digits):
        return False
    return sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits)) % 10 == 0


_LOOKS_LIKE_HOST = re.compile(r"(?:www\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}(?:[:/][^\s]*)?")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_SOUND_URL = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::\d+)?(?:[/?#][A-Za-z0-9/?#:;()._~!$&'*+,=@-]*(?:%[0-9A-Fa-f]{2}[A-Za-z0-9/?:;()._~!$&'*+,=@#-]*)*)?"
).fullmatch


@rule("invalid-url", "error", fixable=True)
def invalid_url(library: Library) -> Iterator[Finding]:
    """An address that RFC 3986 does not allow: no scheme, a blank or another character inside, a doubled
    scheme.

    TeX's escapes and ``\\url{}`` around the address are read, but other programs take the value as it stands,
    so they are taken off. Known to JabRef.
    """
    from refkit.values.tex import verbatim

    for entry, value in library.column("url"):
        if (_SOUND_URL(value) and value.find("://", 8) < 0) or not value:
            continue
        plain = verbatim(value)
        scheme = _SCHEME.match(plain)
        if (
            scheme
            and scheme[1].lower() not in ("http", "https", "ftp", "mailto")
            and not _LOOKS_LIKE_HOST.fullmatch(plain)
        ):
            continue  # unsafe-url
        yield from _url_problem(entry, value, plain)


def _url_problem(entry: Entry, value: str, plain: str) -> Iterator[Finding]:
    if re.match(r"https?://https?:", plain, re.IGNORECASE):
        yield Finding(
            "the address has its scheme twice: delete one",
            entry,
            "url",
            value,
            {"url": re.sub(r"^https?://", "", plain)},
        )
        return
    if re.search(r"[\s;,](?:https?|ftp)://", plain):
        yield Finding(
            "several addresses in one url: keep one, and put the others into note", entry, "url", value
        )
        return
    safe = identifiers.url(plain)
    if safe is None and _LOOKS_LIKE_HOST.fullmatch(plain.replace(" ", "%20")):
        fixed = identifiers.url("https://" + plain)
        yield Finding(
            f"the address {plain!r} has no scheme: write {fixed}",
            entry,
            "url",
            value,
            {"url": fixed} if fixed else None,
        )
    elif safe is None:
        yield Finding(f"{value!r} is not an address: expected https://…", entry, "url", value)
    elif safe != plain:
        yield Finding(
            f"the address holds characters that must be percent-encoded: write {safe}",
            entry,
            "url",
            value,
            {"url": safe},
        )
    elif plain != value:
        yield Finding(
            f"the address is written in TeX: write {plain}", entry, "url", value, {"url": plain}, "warning"
        )


@rule("tracking-parameters", "warning", fixable=True)
def tracking_parameters(library: Library) -> Iterator[Finding]:
    """An address with parameters that only track who follows it: ``utm_source``, ``fbclid`` and the like.

    Feeds and newsletters add them; the page is the same without.
    """
    for hit in library.column("url").hits(
        _TRACKING, "utm_", "clid=", "clkid=", "mc_", "mkt_tok=", "_hs", "igshid="
    ):
        address, mark, fragment = hit.value.partition("#")
        path, _, query = address.partition("?")
        kept = [part for part in query.split("&") if not _TRACKS(part)]
        fixed = path + ("?" + "&".join(kept) if kept else "") + mark + fragment
        yield Finding(
            f"{hit.match[1]!r} only tracks readers: write {fixed}",
            hit.entry,
            "url",
            hit.match[1],
            {"url": fixed},
        )


_TRACKED = r"(?:utm_[a-z_]+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|mkt_tok|_hsenc|_hsmi|igshid)=[^&#\n]*"
_TRACKING = re.compile(rf"[?&]({_TRACKED})")
_TRACKS = re.compile(_TRACKED).fullmatch


@rule("unsafe-url", "error")
def unsafe_url(library: Library) -> Iterator[Finding]:
    """An address with a scheme other than http, https, ftp and mailto, which no page links to.

    Schemes that run programs or show local files are errors, as are slips of http; others are warnings.
    """
    from refkit.values.tex import verbatim

    for entry, value in library.column("url"):
        if value[:4] == "http":
            continue
        found = _SCHEME.match(verbatim(value))
        scheme = found[1].lower() if found else ""
        if scheme and scheme not in _SCHEMES and not _LOOKS_LIKE_HOST.fullmatch(value):
            slip = get_close_matches(scheme, _SCHEMES, 1, 0.75)
            hint = f"did you mean {slip[0]}?" if slip else "give an address at http or https"
            worse: Severity = "error" if slip or scheme in _DANGEROUS else "warning"
            yield Finding(
                f"{scheme}: is not a scheme that is linked: {hint}", entry, "url", value, severity=worse
            )
    for column in library.some(("note", "howpublished", "title", "addendum")):
        for hit in column.hits(_UNSAFE_LINK):
            yield Finding(
                f"{hit.match[1]}: is not a scheme that is linked: give an address at http or https",
                hit.entry,
                column.name,
                hit.part,
            )


_SCHEMES = ("http", "https", "ftp", "mailto")
_DANGEROUS = frozenset(
    ("javascript", "data", "vbscript", "file", "blob", "about", "chrome", "filesystem", "jar")
)
_UNSAFE_LINK = re.compile(r"\\(?:href|url) *\{ *(javascript|data|vbscript|file) *:", re.IGNORECASE)


@rule("redundant-url", "info")
def redundant_url(library: Library) -> Iterator[Finding]:
    """An address at the DOI resolver beside the same DOI: styles print it twice.

    An arXiv address beside its identifier is left alone: it is the open copy that readers follow. There is no
    fix, because ``url`` is what pages link to. Known to JabRef.
    """
    column = library.column("url")
    for hit in column.hits(_RESOLVER):
        doi = hit.entry.get("doi")
        if doi and identifiers.doi_key(hit.value) == identifiers.doi_key(doi):
            yield Finding(
                "url repeats doi: give the address of an open copy, or delete it", hit.entry, "url", hit.value
            )


_RESOLVER = re.compile(r"(?m)^https?://(?:dx\.)?doi\.org/", re.IGNORECASE)


@rule("missing-identifier", "info", fixable=True)
def missing_identifier(library: Library) -> Iterator[Finding]:
    """The address is one of arXiv or of the DOI resolver, and ``eprint`` or ``doi`` is missing.

    The fix adds the identifier and leaves ``url`` as it is.
    """
    for hit in library.column("url").hits(_IDENTIFYING):
        entry = hit.entry
        if "arxiv" in hit.match[0].lower():
            found = identifiers.arxiv(hit.value)
            if found and not entry.get("eprint"):
                fix = {"eprint": found.id, "archiveprefix": "arXiv"}
                yield Finding(
                    f"url leads to arXiv {found.id}, and eprint is missing: add it",
                    entry,
                    "url",
                    hit.value,
                    fix,
                )
        elif not entry.get("doi"):
            doi = identifiers.doi(hit.value)
            if doi and "arxiv" not in doi.lower():
                yield Finding(
                    f"url leads to the DOI {doi}, and doi is missing: add it",
                    entry,
                    "url",
                    hit.value,
                    {"doi": doi},
                )


_IDENTIFYING = re.compile(
    r"(?m)^https?://(?:(?:dx\.|www\.)?doi\.org|(?:www\.|export\.)?arxiv\.org)/", re.IGNORECASE
)


@rule("url-mismatch", "error")
def url_mismatch(library: Library) -> Iterator[Finding]:
    """The address leads to another arXiv identifier or DOI than the entry has: one of them is another work's.

    The DOI that arXiv registers for each paper (10.48550/arXiv.ID) counts as its identifier. No other tool
    looks.
    """
    for hit in library.column("url").hits(_IDENTIFYING):
        yield from _contradiction(hit.entry, "url", hit.value)
    for hit in library.column("doi").hits(_ARXIV_DOI):
        yield from _contradiction(hit.entry, "doi", hit.value)


_ARXIV_DOI = re.compile(r"10\.48550/arxiv[.:]", re.IGNORECASE)


def _contradiction(entry: Entry, field: str, value: str) -> Iterator[Finding]:
    of_address = identifiers.arxiv(value)
    own = identifiers.arxiv(entry.get("eprint")) if _is_arxiv(entry) else None
    if of_address and own and of_address.id != own.id:
        yield Finding(
            f"{field} leads to arXiv {of_address.id}, eprint says {own.id}: one of them is another work's",
            entry,
            field,
            value,
        )
    elif not of_address and field == "url":
        doi = identifiers.doi_key(value)
        given = identifiers.doi_key(entry.get("doi"))
        if doi and given and doi != given:
            yield Finding(
                f"url leads to the DOI {doi}, doi says {given}: one of them is another work's",
                entry,
                field,
                value,
            )


# -- the same work twice


def _same(column: Column, key_of: Callable[[Entry, str], str], what: str) -> Iterator[Finding]:
    groups: dict[str, list[Entry]] = {}
    for entry, value in column:
        key = key_of(entry, value)
        if key:
            groups.setdefault(key, []).append(entry)
    for key, entries in groups.items():
        for at, entry in enumerate(entries) if len(entries) > 1 else ():
            other = entries[0] if at else entries[1]
            if other.key != entry.key and not belong_together(entry, other):
                # An address that many have is that of an issue or of a site.
                less: Severity | None = "info" if column.name == "url" and len(entries) > 3 else None
                yield Finding(
                    f"{what} {key} stands in {_where(other)} too: one of them is wrong, or they are one work",
                    entry,
                    column.name,
                    entry.fields[column.name],
                    severity=less,
                )


def _where(entry: Entry) -> str:
    return f"{entry.key!r} ({entry.file}:{entry.line})" if entry.file else repr(entry.key)


@rule("duplicate-doi", "error")
def duplicate_doi(library: Library) -> Iterator[Finding]:
    """Two entries have one DOI: they are one work, or one of them has another work's. Known to JabRef,
    biblint.
    """
    yield from _same(
        library.column("doi"),
        lambda _, value: value.lower() if _PLAIN_DOI(value) else identifiers.doi_key(value),
        "the DOI",
    )


@rule("duplicate-eprint", "error")
def duplicate_eprint(library: Library) -> Iterator[Finding]:
    """Two entries have one arXiv identifier: they are one work, or one of them has another work's."""

    def key_of(entry: Entry, value: str) -> str:
        if not _is_arxiv(entry):
            return ""
        if _NEW_ID.match(value):
            return value
        found = identifiers.arxiv(value)
        return found.id if found else ""

    yield from _same(library.column("eprint"), key_of, "the arXiv identifier")


@rule("duplicate-url", "warning")
def duplicate_url(library: Library) -> Iterator[Finding]:
    """Two entries have one address. Scheme, ``www.``, case and a final slash do not count; fragments do.
    Known to papis.
    """
    yield from _same(
        library.column("url"),
        lambda _, value: _URL_START.sub("", value.lower()).rstrip("/"),
        "the address",
    )


_URL_START = re.compile(r"https?://(?:www\.)?")


@rule("duplicate-work", "warning")
def duplicate_work(library: Library) -> Iterator[Finding]:
    """Two entries have the same first author and nearly the same title.

    Case, accents, TeX and punctuation do not count. Chapters of one name in different works (``titleaddon``,
    ``booktitle``, ``volume``, ``edition``, ``number`` differ) are not the same. Known to JabRef, biblint,
    papis.
    """
    for one, other in library.near_titles:
        if not _contained(one, other) and not _contained(other, one):
            yield Finding(
                f"nearly the title and first author of {_where(one)}: merge the entries if they are one work",
                other,
                "title",
            )


@rule("contained-entry", "warning")
def contained_entry(library: Library) -> Iterator[Finding]:
    """All that an entry says stands in another entry too. Known to biblint.

    There is no fix: which key is cited only you know.
    """
    for one, other in library.near_titles:
        for inner, outer in ((one, other), (other, one)):
            if _contained(inner, outer):
                yield Finding(f"all of this entry stands in {_where(outer)}: keep one of them", inner)
                break


def _contained(inner: Entry, outer: Entry) -> bool:
    return all(outer.fields.get(name) == value for name, value in inner.fields.items())


@rule("shorttitle-mismatch", "warning")
def shorttitle_mismatch(library: Library) -> Iterator[Finding]:
    """A short title that is another work's: its title has the words, and this one's has not."""
    column = library.column("shorttitle")
    owners: dict[str, list[Entry]] = {}
    for entry, value in column:
        owners.setdefault(" ".join(words(value)), []).append(entry)
    for short, entries in owners.items():
        if len(entries) < 2:
            continue
        having = [
            entry
            for entry in entries
            if f" {short} " in f" {' '.join(library.title_words.get(entry.key, []))} "
        ]
        for entry in entries:
            if having and entry not in having:
                yield Finding(
                    f"the shorttitle is that of {_where(having[0])}, whose title has it: correct it",
                    entry,
                    "shorttitle",
                    entry.fields["shorttitle"],
                )


@rule("chimeric-title", "warning")
def chimeric_title(library: Library) -> Iterator[Finding]:
    """A title that joins pieces of two works.

    Two works by different first authors do not begin or end in the same rare words, and no two works have the
    same subtitle behind another title: one of the titles was put together. A run of at least five words
    counts, two of which no third title has. Reviews, which have the reviewed title in theirs, are left alone.
    Whether any registry knows the title is asked with ``--online``. Known to bibtexupdater, RefChecker.
    """
    ends: dict[str, list[tuple[Entry, list[str], str]]] = {}
    for row in library.titles:
        found = row[1]
        if len(found) >= 5:
            for piece in {"< " + " ".join(found[:5]), "> " + " ".join(found[-5:])}:
                ends.setdefault(piece, []).append(row)
    counts = library.word_counts
    near = {(one.key, other.key) for one, other in library.near_titles}
    for piece, sharing in ends.items():
        if len(sharing) == 2 and sum(counts[word] <= 2 for word in piece.split()[1:]) >= 2:
            one, other = sharing[0][0], sharing[1][0]
            if (one.key, other.key) not in near and _may_be_joined(piece[0], *sharing):
                for entry, twin in ((one, other), (other, one)):
                    yield Finding(
                        f"the title shares {piece[2:]!r} with {_where(twin)}: one of them joins pieces "
                        f"of two works",
                        entry,
                        "title",
                    )


def _may_be_joined(end: str, one: Title, other: Title) -> bool:
    """Whether two titles that share their beginning or end are not two editions, or a work and its review."""
    (entry, title, first), (twin, words_of_twin, second) = one, other
    if belong_together(entry, twin):
        return False
    shorter, longer = sorted((title, words_of_twin), key=len)
    if shorter != longer and f" {' '.join(shorter)} " in f" {' '.join(longer)} ":
        return False
    if first != second:
        return True
    heads = [one.get("title").partition(":") for one in (entry, twin)]
    return end == ">" and all(tail for _, _, tail in heads) and words(heads[0][0]) != words(heads[1][0])


RULES = (
    MISSING_KEY,
    DUPLICATE_KEY,
    CASE_COLLISION,
    invalid_key,
    key_pattern,
    key_mismatch,
    duplicate_doi,
    duplicate_eprint,
    duplicate_url,
    duplicate_work,
    contained_entry,
    invalid_doi,
    invalid_arxiv_id,
    arxiv_class,
    archive_without_eprint,
    invalid_isbn,
    chimeric_title,
    shorttitle_mismatch,
    invalid_url,
    tracking_parameters,
    unsafe_url,
    redundant_url,
    missing_identifier,
    url_mismatch,
)
