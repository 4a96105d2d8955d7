"""Rules that ask services (``--online``): whose an identifier is, what became of a work, whether links are
alive.

Identifiers are asked for by ``refkit.enrich.verify``, on the same polite session; its findings come under the
codes below. Links are asked for by `refkit.check.links`. What is not answered is
said to be unverified, and is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from refkit.check.links import links
from refkit.check.model import BIB, Example, Finding, Rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.enrich.records import Answer
    from refkit.enrich.session import Session
    from refkit.model import Diagnostic, Severity


class Asked(NamedTuple):
    """What the services said."""

    #: About identifiers.
    diagnostics: tuple[Diagnostic, ...] = ()
    #: About links, with their codes.
    findings: tuple[tuple[str, Finding], ...] = ()
    #: Whether something could not be verified.
    unverified: bool = False


def ask(
    library: Library, session: Session, codes: set[str], tell: Callable[[Answer], None] = lambda _: None
) -> Asked:
    """Ask the services about the entries of a library, as far as these rules are to run.

    Raises:
        KeyboardInterrupt: as it comes; the session is closed.
    """
    diagnostics: tuple[Diagnostic, ...] = ()
    unverified = False
    if codes & _OF_IDENTIFIERS:
        from refkit.enrich.verify import verify

        verified = verify(library.entries, session, library.provenance, tell=tell)
        diagnostics = tuple(one for one in verified.diagnostics if one.code in _OF_IDENTIFIERS)
        unverified = verified.unverified
    findings: list[tuple[str, Finding]] = []
    if codes & _OF_LINKS:
        findings = [pair for pair in links(library, session) if pair[0] in codes]
    unverified |= any(code == "link-unreachable" for code, _ in findings)
    return Asked(diagnostics, tuple(findings), unverified)


# -- the rules

_DOI = (
    "@article{lee2024, author = {Lee, Ada}, title = {Fast Sorting on {GPUs}}, journal = {Journal of "
    "Sorting}, year = {2024}, doi = {10.5555/sort.1}}"
)
_ARXIV = (
    "@misc{lee2024, author = {Lee, Ada}, title = {Fast Sorting on {GPUs}}, year = {2024}, eprint = "
    "{2401.00001}, archiveprefix = {arXiv}, primaryclass = {cs.LG}}"
)
_LINK = (
    "@online{{lee2024, author = {{Lee, Ada}}, title = {{Title}}, date = {{2024}}, url = {{SITE/{}}}, "
    "urldate = {{2024-06-01}}}}"
).format
_CSL: Mapping[str, object] = {
    "DOI": "10.5555/sort.1", "type": "journal-article", "source": "Crossref", "title": "Fast Sorting on GPUs",
    "author": [{"given": "Ada", "family": "Lee"}], "issued": {"date-parts": [[2024]]},
    "container-title": "Journal of Sorting",
}  # fmt: skip
_PAPER: Mapping[str, object] = {
    "id": "2401.00001",
    "title": "Fast Sorting on GPUs",
    "authors": ["Ada Lee"],
    "published": "2024-01-02",
}
_FINE: Mapping[str, object] = {
    "doi": [_CSL],
    "arxiv": [_PAPER],
    "site": {"/a": (200, {}, b"<title>Title</title>")},
}


def _asked(
    code: str, severity: Severity, title: str, text: str, bad: str, answers: Mapping[str, object], good: str
) -> Rule:
    """A rule whose examples bring what the services answer: DOI records, arXiv papers, pages, faults."""
    failing, passing = Example({BIB: bad}, {**_FINE, **answers}), Example({BIB: good}, _FINE)
    return Rule(code, severity, None, title, text, failing, passing, needs="network")


def _with(**members: object) -> Mapping[str, object]:
    return {"doi": [{**_CSL, **members}]}


_BANNER = b"<div>This repository has been archived by the owner on Jan 1, 2026.</div>"
_UPDATE = [
    {
        "type": "retraction",
        "DOI": "10.5555/notice",
        "source": "retraction-watch",
        "updated": {"date-parts": [[2025, 1, 2]]},
    }
]

RULES = (
    _asked(
        "doi-dead",
        "error",
        "A DOI that is not registered.",
        "Only the resolver's 404 and 410 count. Known to bibtexupdater, bibtex-autocomplete.",
        _DOI,
        {"doi": []},
        _DOI,
    ),
    _asked(
        "doi-unreachable",
        "warning",
        "A DOI that could not be asked for.",
        "A service that does not answer says nothing about the work. The exit status is 3.",
        _DOI,
        {"fail": ["doi", "crossref", "datacite"]},
        _DOI,
    ),
    _asked(
        "doi-no-metadata",
        "warning",
        "A DOI whose agency gives no metadata, so that nothing could be compared.",
        "",
        _DOI,
        {"doi": [{**_CSL, "agency": "mEDRA"}]},
        _DOI,
    ),
    _asked(
        "doi-bad-answer",
        "error",
        "A DOI for which a service answered what cannot be right.",
        "HTML in place of a record, an answer cut short, a redirect that must not be followed.",
        _DOI,
        {"garbage": ["doi", "crossref"]},
        _DOI,
    ),
    _asked(
        "doi-component",
        "warning",
        "A DOI of a part of a work: a figure, a supplement.",
        "",
        _DOI,
        _with(type="component"),
        _DOI,
    ),
    _asked(
        "arxiv-dead",
        "error",
        "An arXiv identifier that arXiv calls malformed.",
        "",
        _ARXIV,
        {"malformed": ["arxiv"]},
        _ARXIV,
    ),
    _asked(
        "arxiv-missing",
        "error",
        "An arXiv identifier that arXiv does not have.",
        "Known to bibtexupdater.",
        _ARXIV,
        {"arxiv": []},
        _ARXIV,
    ),
    _asked(
        "arxiv-unreachable",
        "warning",
        "An arXiv identifier that could not be asked for.",
        "The exit status is 3.",
        _ARXIV,
        {"fail": ["arxiv"]},
        _ARXIV,
    ),
    _asked(
        "arxiv-bad-answer",
        "error",
        "An arXiv identifier for which arXiv answered what cannot be right.",
        "",
        _ARXIV,
        {"garbage": ["arxiv"]},
        _ARXIV,
    ),
    _asked(
        "mismatch",
        "warning",
        "A service says something else about the work, or the identifier is another work's.",
        "Title, people and their order, date, journal, volume, pages are compared; case, punctuation, "
        "accents and TeX do not count, and differences that provenance knows are not told. Where title "
        "and people are of another work, or people are missing, it is an error. The order of Crossref "
        "under prefix 10.52202 is alphabetical and not trusted. Known to bibtexupdater, RefChecker.",
        _DOI,
        _with(title="Slow Sorting on Paper", author=[{"given": "Bo", "family": "Poe"}]),
        _DOI,
    ),
    _asked(
        "retracted",
        "error",
        "A work that was retracted.",
        "Crossref's record and Retraction Watch within it are read, on the work's side and on the "
        "notice's. No service knows all: what is not told may still be. Known to Zotero, RefChecker.",
        _DOI,
        _with(**{"updated-by": _UPDATE}),
        _DOI,
    ),
    _asked(
        "retraction-notice",
        "error",
        "A DOI of a notice of retraction, not of the work.",
        "",
        _DOI,
        _with(**{"update-to": _UPDATE}),
        _DOI,
    ),
    _asked(
        "corrected",
        "warning",
        "A work that was corrected, or about which concern was expressed.",
        "A correction is no retraction.",
        _DOI,
        _with(**{"updated-by": [{**_UPDATE[0], "type": "correction"}]}),
        _DOI,
    ),
    _asked(
        "withdrawn",
        "error",
        "A preprint that its authors withdrew.",
        "arXiv tells it in a comment only.",
        _ARXIV,
        {
            "arxiv": [
                {
                    **_PAPER,
                    "comment": "This paper has been withdrawn by the author due to an error in Lemma 3.",
                }
            ]
        },
        _ARXIV,
    ),
    _asked(
        "published",
        "info",
        "A preprint of which a service names a published version.",
        "Known to Linter for Zotero, bibtexupdater.",
        _ARXIV,
        {"arxiv": [{**_PAPER, "doi": "10.5555/sort.1", "journal_ref": "Journal of Sorting 12 (2024) 1-9"}]},
        _ARXIV,
    ),
    _asked(
        "link-gone",
        "error",
        "An address that is gone: status 404 or 410.",
        "Addresses in entries and the related ones of provenance are asked for. Known to lychee, MyST.",
        _LINK("b"),
        {},
        _LINK("a"),
    ),
    _asked(
        "link-moved",
        "info",
        "An address that leads elsewhere, or from http to https.",
        "One that leads to the front page of its site is a warning: the page may be gone.",
        _LINK("b"),
        {"site": {"/b": (301, {"Location": "/a"}, b""), "/a": (200, {}, b"")}},
        _LINK("a"),
    ),
    _asked(
        "link-blocked",
        "info",
        "An address that is not shown to programs.",
        "It may be alive: blocked is never called gone.",
        _LINK("b"),
        {"site": {"/b": (403, {}, b"")}},
        _LINK("a"),
    ),
    _asked(
        "link-unreachable",
        "warning",
        "An address that could not be verified: no answer, or an error of the site.",
        "The exit status is 3.",
        _LINK("b"),
        {"site": {"/b": (503, {"Retry-After": "0"}, b"")}},
        _LINK("a"),
    ),
    _asked(
        "repository-moved",
        "warning",
        "A repository that has another owner or name now.",
        "Known to RefChecker.",
        _LINK("b").replace("SITE/b", "https://github.com/lee/old"),
        {"moved": "https://github.com/lee/new"},
        _LINK("a"),
    ),
    _asked(
        "repository-archived",
        "warning",
        "A repository that its owner has archived.",
        "",
        _LINK("b").replace("SITE/b", "https://github.com/lee/old"),
        {"banner": _BANNER},
        _LINK("a"),
    ),
)

_OF_LINKS = frozenset(rule.code for rule in RULES if rule.code.startswith(("link-", "repository-")))
_OF_IDENTIFIERS = frozenset(rule.code for rule in RULES) - _OF_LINKS
