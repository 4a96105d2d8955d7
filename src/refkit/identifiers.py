"""Identifiers: DOI, arXiv, ISBN, ISSN, addresses. One table of schemes; every function is pure and total.

Each scheme reads any usual spelling and gives one normal form, or ``None`` where the text is no such
identifier. Sources: DOI Handbook 2.2 (syntax); "Understanding the arXiv identifier"; ISO 2108 (ISBN), ISO
3297 (ISSN); RFC 3986.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from refkit.values.patterns import pattern
from refkit.values.tex import verbatim

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

_CONTROL = r"[\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\ufeff]"
_PERCENT = r"%([0-9A-Fa-f]{2})"


#: No identifier is longer; what is, is not looked at.
_LONGEST = 2000


def _bare(text: str) -> str:
    """The text without TeX's escapes, blanks around it, and angle brackets or quotes around the whole."""
    if len(text) > _LONGEST:
        return ""
    text = verbatim(text)
    if text[:1] + text[-1:] in ("<>", '""', "''"):
        text = text[1:-1].strip()
    return text


def _unquoted(text: str) -> str:
    """Percent-encoding undone, once."""
    if "%" not in text:
        return text
    decoded = bytearray()
    at = 0
    for found in pattern(_PERCENT).finditer(text):
        decoded += text[at : found.start()].encode("utf-8", "surrogatepass")
        decoded.append(int(found[1], 16))
        at = found.end()
    decoded += text[at:].encode("utf-8", "surrogatepass")
    return decoded.decode("utf-8", "replace")


def _quoted(text: str, unsafe: str) -> str:
    """Percent-encodes what a pattern finds."""
    return pattern(unsafe).sub(
        lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode("utf-8", "replace")), text
    )


# -- DOI -----------------------------------------------------------------------------------------------------

_DOI = r"(?a)10\.[1-9]\d{3,8}(?:\.\d{1,9}){0,8}/[^\s\x00-\x1f\x7f]+"
_DOI_PREFIX = r"(?i)(?:info:|urn:)?doi\s*(?:[:=]|\s)\s*|(?:info:doi/|urn:doi:|hdl:|handle:)"
# doi.org itself, and library proxies that put their own name behind it: doi-org.ezproxy.example.edu
_DOI_HOST = r"(?i)(?:https?:)?/{0,2}(?:www\.|dx[.-])?doi[.-]org(?:\.[a-z0-9.-]+)?(?::\d+)?/(?:doi:\s*)?"
_SICI = r"(?i)\(sici\)|<[^>]*::"
_UNSAFE_IN_DOI = r"[^A-Za-z0-9/:;()._~!$&'*+,=@-]+"
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}


def doi(text: str) -> str | None:
    """The bare DOI in the spelling it was given (``10.1145/3600006.3613165``), or ``None``.

    Reads ``doi:``, ``https://doi.org/`` and its older and proxied forms, percent-encoding, TeX's escapes, and
    drops punctuation that a sentence left at the end. DOIs are compared without regard to case: see
    :func:`doi_key`.
    """
    text = _bare(text)
    found = pattern(_DOI_PREFIX).match(text)
    if found:
        text = text[found.end() :].lstrip()
    found = pattern(_DOI_HOST).match(text)
    if found:
        text = _without_query(_unquoted(text[found.end() :]) if "%" in text else text[found.end() :])
    elif text[3:12].find("%2") >= 0:
        text = _unquoted(text)
    text = _trimmed(text)
    return text if pattern(_DOI).fullmatch(text) else None


def doi_key(text: str) -> str:
    """The form in which DOIs are compared: bare and lower case; ``""`` if there is none in the text."""
    return (doi(text) or "").lower()


def doi_url(doi: str) -> str:
    """The address of a bare DOI at the resolver, percent-encoded once (SICI DOIs hold ``<``, ``>`` and
    ``#``)."""
    return "https://doi.org/" + doi_path(doi)


def doi_path(doi: str) -> str:
    """A bare DOI as the path of an address."""
    return _quoted(doi, _UNSAFE_IN_DOI)


def _without_query(text: str) -> str:
    """Cuts the query and fragment that a browser's address bar leaves; a SICI DOI has neither."""
    if pattern(_SICI).search(text):
        return text
    return pattern(r"[?#]").split(text, maxsplit=1)[0]


def _trimmed(text: str) -> str:
    """Without punctuation at the end that cannot belong to it: a stop, a quote, a bracket that closes
    nothing."""
    while text:
        last = text[-1]
        if last in ".,;:'\"”’" or (last in _CLOSING and text.count(last) > text.count(_CLOSING[last])):
            text = text[:-1].rstrip()
        else:
            return text
    return text


# -- arXiv ---------------------------------------------------------------------------------------------------


class ArxivId(NamedTuple):
    """An arXiv identifier."""

    #: Without version or subject class: ``2205.14135``, ``math/0309136``.
    id: str
    #: The version, from 1; ``None`` where none was given.
    version: int | None = None
    #: The subject class, where the text names one: ``math.GT``, ``cs.LG``.
    archive_class: str = ""

    def __str__(self) -> str:
        """The identifier with its version, as arXiv's interface takes it."""
        return self.id if self.version is None else f"{self.id}v{self.version}"

    @property
    def url(self) -> str:
        """The abstract's page, of the version if one was given."""
        return f"https://arxiv.org/abs/{self}"

    @property
    def doi(self) -> str:
        """The DOI that arXiv registers with DataCite; it has no version."""
        return f"10.48550/arXiv.{self.id}"


_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|"
    "funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|"
    "q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_MONTH = r"\d{2}(?:0[1-9]|1[0-2])"
_ARXIV = rf"""(?aix)
    (?: (?P<new>{_MONTH}\.\d{{4,5}})
      | (?P<archive>{_ARCHIVES})(?:\.(?P<subject>[A-Z]{{2}}|[A-Z]+-[A-Z]+))?/(?P<old>{_MONTH}\d{{3}}) )
    (?:v(?P<version>[1-9]\d{{0,2}}))?
    (?:\.pdf|\.html)?
    (?:\s*\[(?P<class>[a-z-]{{2,10}}(?:\.[a-z-]{{2,12}})?)\])?
"""
_ARXIV_PREFIX = r"(?i)(?:arxiv\s+(?:e-?prints?|preprints?)?[\s,:]*)?(?:arxiv\s*:\s*)?(?:abs/)?"
_ARXIV_PAGE = r"""(?ix)(?:https?:)?/{0,2}
        (?: (?:[a-z0-9-]+\.){0,2}arxiv\.org/(?:abs|pdf|html|format|ps|src|e-print|tex|cits|list)/(?:arxiv:)?
          | (?:www\.)?(?:ar5iv\.org|alphaxiv\.org)/(?:abs|html|pdf|overview)/
          | (?:www\.)?(?:ar5iv\.org|scirate\.com/arxiv|huggingface\.co/papers|doi\.org/10\.48550/arxiv[.:])/?
        )"""
_ARXIV_DOI = r"(?i)10\.48550/arxiv[.:]"


def arxiv(text: str) -> ArxivId | None:
    """Reads an arXiv identifier in any spelling: bare, ``arXiv:``, an address, ``.pdf``, arXiv's DOI."""
    text = _bare(text)
    page = pattern(_ARXIV_PAGE).match(text)
    if page:
        text = pattern(r"[?#]").split(_unquoted(text[page.end() :]), maxsplit=1)[0].rstrip("/")
    else:
        name = doi(text) if "48550" in text else None
        if name is not None:
            registered = pattern(_ARXIV_DOI).match(name)
            text = name[registered.end() :] if registered else text
        else:
            prefix = pattern(_ARXIV_PREFIX).match(text)
            text = text[prefix.end() :] if prefix else text
    found = pattern(_ARXIV).fullmatch(_trimmed(text))
    return _arxiv_of_match(found) if found else None


def _arxiv_of_match(found: re.Match[str]) -> ArxivId:
    archive = (found["archive"] or "").lower()
    subject = found["class"] or ""
    if found["subject"]:
        named = found["subject"]
        subject = f"{archive}.{named.upper() if len(named) == 2 else named}"
    return ArxivId(
        found["new"] or f"{archive}/{found['old']}",
        int(found["version"]) if found["version"] else None,
        subject,
    )


_IN_TEXT = rf"(?i)arxiv\s*:\s*(?P<id>{_MONTH}\.\d{{4,5}}|(?:{_ARCHIVES})(?:\.[a-z]{{2}})?/\d{{7}})(?!\d)"


def arxiv_id_of(fields: Mapping[str, str]) -> ArxivId | None:
    """The arXiv identifier of an entry, from its raw fields.

    Looked for in ``eprint`` (if ``eprinttype`` or ``archiveprefix`` says arXiv, or neither says anything),
    then in ``doi``, ``url``, and where Google Scholar and DBLP put it (``journal``, ``volume``, ``note``,
    ``howpublished``).
    """
    eprint = fields.get("eprint")
    kind = (fields.get("eprinttype") or fields.get("archiveprefix") or "").strip("{} ").lower()
    if eprint and kind in ("", "arxiv"):
        found = arxiv(eprint)
        if found:
            return found
    doi_field = fields.get("doi", "")
    found = arxiv(doi_field) if "48550" in doi_field else None
    if found is None and "arxiv" in fields.get("url", "").lower():
        found = arxiv(fields["url"])
    return found or _arxiv_in_words(fields)


def _arxiv_in_words(fields: Mapping[str, str]) -> ArxivId | None:
    for name in ("journal", "journaltitle", "howpublished", "note", "number"):
        value = fields.get(name, "")
        found = pattern(_IN_TEXT).search(value) if "rxiv" in value.lower() else None
        if found:
            return arxiv(found["id"])
    if fields.get("journal", fields.get("journaltitle", "")).strip("{} ") == "CoRR":
        return arxiv(fields.get("volume", ""))
    return None


def arxiv_of(fields: Mapping[str, str]) -> str | None:
    """The arXiv identifier of an entry without its version, or ``None``. See :func:`arxiv_id_of`."""
    found = arxiv_id_of(fields)
    return found.id if found else None


# -- ISBN and ISSN -------------------------------------------------------------------------------------------

_ISBN_LABEL = r"(?i)^(?:isbn(?:-?1[03])?|urn:isbn)\s*[:=]?\s*"
_HYPHENS = r"[\s\u00ad\u2010-\u2015\u2212-]+"


def isbn(text: str) -> str | None:
    """The 10 or 13 characters of an ISBN, without hyphens; ``None`` for another length or other characters.

    The check digit is not looked at: see :func:`isbn_valid`.
    """
    compact = pattern(_HYPHENS).sub("", pattern(_ISBN_LABEL).sub("", _bare(text))).upper()
    return compact if pattern(r"(?a)\d{9}[\dX]|97[89]\d{10}").fullmatch(compact) else None


def isbn_valid(text: str) -> bool:
    """Whether the text is one ISBN with the right check digit."""
    compact = isbn(text)
    if compact is None:
        return False
    if len(compact) == 10:
        return _weighted(compact, range(10, 0, -1)) % 11 == 0
    return sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(compact)) % 10 == 0


def isbn13(text: str) -> str | None:
    """A valid ISBN in its 13-digit form, so that both forms of one number compare equal."""
    compact = isbn(text)
    if compact is None or not isbn_valid(compact):
        return None
    if len(compact) == 13:
        return compact
    head = "978" + compact[:9]
    total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(head))
    return head + str(-total % 10)


def issn(text: str) -> str | None:
    """An ISSN as ``1234-567X``; ``None`` for another length or other characters."""
    compact = (
        pattern(_HYPHENS).sub("", pattern(r"(?i)^e?-?issn(?:-l)?\s*[:=]?\s*").sub("", _bare(text))).upper()
    )
    return f"{compact[:4]}-{compact[4:]}" if pattern(r"(?a)\d{7}[\dX]").fullmatch(compact) else None


def issn_valid(text: str) -> bool:
    """Whether the text is one ISSN with the right check digit."""
    number = issn(text)
    return number is not None and _weighted(number.replace("-", ""), range(8, 0, -1)) % 11 == 0


def _weighted(digits: str, weights: range) -> int:
    return sum(
        (10 if digit == "X" else int(digit)) * weight for digit, weight in zip(digits, weights, strict=True)
    )


# -- addresses -----------------------------------------------------------------------------------------------

_WEB = r"(?s)(?i)(https?|ftp)://([^/?#\\\s]+)(.*)"
_MAIL = r"(?i)mailto:[^\s<>\"\\{}|^`@]+@[^\s<>\"\\{}|^`@]+"
_HOST = (
    r"(?a)(?:[\w.~!$&'()*+,;=:%-]+@)?"
    r"(?:[\w-]+(?:\.[\w-]+)*\.?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?"
)
#: An address in which nothing needs a second look.
_USUAL_URL = (
    r"(?a)https?://[\w-]+(?:\.[\w-]+)*(?:/(?:[\w/:;()._~!$&'*+,=@?-]|%[0-9A-Fa-f]{2})*)?"
    r"(?:#(?:[\w/:;()._~!$&'*+,=@?-]|%[0-9A-Fa-f]{2})*)?"
)
_UNSAFE_IN_URL = r"[^A-Za-z0-9/?#:;()._~!$&'*+,=@%-]+|%(?![0-9A-Fa-f]{2})"


def url(text: str) -> str | None:
    """A safe address (http, https, ftp, mailto), or ``None``.

    The text is plain, not TeX: of a BibTeX field, :func:`url_of` reads it. What RFC 3986 does not allow
    inside an address (blanks, braces, quotes, ``\\``, letters that are not ASCII) is percent-encoded; what is
    percent-encoded already stays. No other scheme passes, nor an address with control characters in it, which
    browsers drop before they look at the scheme.
    """
    text = text.strip()
    if pattern(_USUAL_URL).fullmatch(text):
        return text
    if text[:1] == "<" and text[-1:] == ">":
        text = text[1:-1].strip()
    if pattern(_CONTROL).search(text):
        return None
    found = pattern(_WEB).fullmatch(text)
    if found is None:
        return text if pattern(_MAIL).fullmatch(text) else None
    host = _host(found[2])
    if host is None:
        return None
    return f"{found[1].lower()}://{host}{_quoted_tail(found[3])}"


def _quoted_tail(tail: str) -> str:
    """Path, query and fragment; the second ``#`` and later ones are data."""
    head, sign, fragment = tail.partition("#")
    return _quoted(head, _UNSAFE_IN_URL) + sign + _quoted(fragment, _UNSAFE_IN_URL).replace("#", "%23")


def _host(text: str) -> str | None:
    """Host, port and user in ASCII; ``None`` where they hold anything that does not belong there."""
    if not text.isascii():
        try:
            text = text.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    return text if pattern(_HOST).fullmatch(text) else None


def url_of(fields: Mapping[str, str]) -> str | None:
    """The address of an entry, from its raw fields: ``url``, or ``howpublished`` where that is only an
    address."""
    raw = fields.get("url")
    if raw:
        found = url(verbatim(raw))
        if found:
            return found
    raw = fields.get("howpublished", "")
    if "://" not in raw:
        return None
    text = verbatim(raw)
    return url(text.removesuffix(".")) if pattern(r"(?:https?|ftp)://\S+").fullmatch(text) else None


# -- the table -----------------------------------------------------------------------------------------------

_DOI_IN_URL = r"(?a)(?<![0-9A-Za-z.])10\.[1-9]\d{3,8}(?:\.\d{1,9}){0,8}/[^\s?#]+"
#: What publishers put behind the DOI in the addresses of their pages.
_PAGE_SUFFIX = (
    r"(?i)(?:/(?:full|abstract|pdf|epdf|meta|html|xml|references|citations?|fulltext(?:\.pdf)?)"
    r"|(?:v\d{1,2})?\.(?:full|abstract|full-text)(?:\.pdf)?|\.pdf|/)$"
)
_NATURE = r"(?i)https?://(?:www\.)?nature\.com/articles/([a-z0-9.-]+?)(?:\.pdf|_reference\.pdf)?(?:[?#].*)?"
_ZENODO = r"(?i)https?://(?:www\.)?zenodo\.org/records?/(\d{1,12})(?:[/?#].*)?"


def doi_in_url(text: str) -> str | None:
    """The DOI that the address of a publisher's page shows: ``dl.acm.org/doi/10.1145/…``,
    ``nature.com/articles/…``."""
    text = _bare(text)
    if not text.lower().startswith(("http://", "https://")):
        return None
    for address, prefix in ((_NATURE, "10.1038/"), (_ZENODO, "10.5281/zenodo.")):
        page = pattern(address).fullmatch(text)
        if page:
            return prefix + page[1]
    found = pattern(_DOI_IN_URL).search(_unquoted(text))
    if found is None:
        return None
    name = found[0]
    preprint = name.startswith("10.1101/")  # bioRxiv's pages end in the version, which is no part of the DOI
    for _ in range(3):  # /full.pdf, /pdf/
        name = pattern(_PAGE_SUFFIX).sub("", name)
    return doi(pattern(r"v\d{1,2}$").sub("", name) if preprint else name)


class Scheme(NamedTuple):
    """One kind of identifier: its name and the function that gives its normal form."""

    name: str
    normalise: Callable[[str], str | None]


def _arxiv_text(text: str) -> str | None:
    found = arxiv(text)
    return str(found) if found else None


def _any_doi(text: str) -> str | None:
    return doi(text) or doi_in_url(text)


def _valid_isbn(text: str) -> str | None:
    return isbn(text) if isbn_valid(text) else None


#: In the order in which :func:`detect` tries them: what is more particular comes first.
SCHEMES = (
    Scheme("arxiv", _arxiv_text),
    Scheme("doi", _any_doi),
    Scheme("isbn", _valid_isbn),
    Scheme("url", url),
)


def detect(text: str) -> tuple[str, str] | None:
    """What an identifier is, and its normal form: ``("arxiv", "2205.14135v2")``, ``("doi", …)``, ``("url",
    …)``."""
    for scheme in SCHEMES:
        found = scheme.normalise(text)
        if found is not None:
            return scheme.name, found
    return None
