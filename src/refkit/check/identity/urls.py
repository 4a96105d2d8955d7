"""Addresses: well formed, safe to link, and of the same work as the identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from refkit import identifiers
from refkit.check.identity.arxiv import is_arxiv
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry, Severity

#: The schemes that pages link to.
_SCHEMES = ("http", "https", "ftp", "mailto")
#: Those that run programs or show local files.
_DANGEROUS = frozenset(
    ("javascript", "data", "vbscript", "file", "blob", "about", "chrome", "filesystem", "jar")
)
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
        if scheme and scheme[1].lower() not in _SCHEMES and not _LOOKS_LIKE_HOST.fullmatch(plain):
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
    own = identifiers.arxiv(entry.get("eprint")) if is_arxiv(entry) else None
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
