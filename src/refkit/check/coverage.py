"""What the best checkers of bibliographies and lists look for, and which rules look for it here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: What is looked for, and the codes of the rules. The order is that of the manual.
TOPICS: Sequence[tuple[str, Sequence[str]]] = (
    ("a key is there, legal and ASCII", ("missing-key", "invalid-key")),
    ("keys are unique, without regard to case", ("duplicate-key", "case-collision")),
    ("keys follow the project's pattern", ("key-pattern", "key-mismatch")),
    (
        "no work stands twice: DOI, arXiv identifier, address, title",
        ("duplicate-doi", "duplicate-eprint", "duplicate-url", "duplicate-work"),
    ),
    ("no entry is contained in another", ("contained-entry",)),
    ("a DOI is valid and bare", ("invalid-doi",)),
    ("a DOI resolves", ("doi-dead", "doi-unreachable", "doi-no-metadata", "doi-component")),
    ("a DOI is this work's", ("mismatch", "changed-identifier", "version-mismatch", "url-mismatch")),
    (
        "an arXiv identifier is valid, bare and with its class",
        ("invalid-arxiv-id", "arxiv-class", "archive-without-eprint"),
    ),
    (
        "an arXiv identifier is this work's",
        ("mismatch", "arxiv-dead", "arxiv-missing", "changed-identifier", "version-mismatch", "url-mismatch"),
    ),
    ("ISBN, ISSN and ISMN have the right length and check digit", ("invalid-isbn",)),
    (
        "a title does not join pieces of two works",
        ("chimeric-title", "shorttitle-mismatch", "changed-title", "mismatch"),
    ),
    ("an address follows RFC 3986", ("invalid-url", "unsafe-url", "tracking-parameters")),
    ("an address does not repeat an identifier, nor replace it", ("redundant-url", "missing-identifier")),
    ("a list of names can be split", ("name-list",)),
    ("no 'et al.' where the list is known", ("truncated-list",)),
    ("a list is not cut", ("author-cut", "mismatch")),
    (
        "a family name is there, in capitals and lower case, initials with a stop",
        ("family-name-case", "initial-without-dot", "odd-name", "reversed-name"),
    ),
    ("an organisation is braced", ("unbraced-organisation",)),
    ("people stand in the paper's order", ("author-order", "mismatch")),
    ("no numbers that tell homonyms apart", ("homonym-number",)),
    ("one person is spelled one way", ("name-variants", "person-twice", "changed-people")),
    (
        "braces and dollars balance, special characters are escaped",
        ("unbalanced-braces", "unescaped-special"),
    ),
    ("TeX parses", ("bad-tex", "unknown-command", "parse-error")),
    ("capitals are protected, whole titles are not", ("unprotected-capitals", "braced-title")),
    ("minor and major words have the case that the title has", ("title-case",)),
    (
        "punctuation, blanks and dashes",
        ("final-stop", "spacing", "line-break-hyphen", "repeated-word", "odd-dash", "straight-quotes"),
    ),
    ("no shortened words where names are in full", ("abbreviated-venue",)),
    ("no HTML", ("markup",)),
    (
        "Unicode is composed, visible and rightly decoded",
        (
            "not-nfc",
            "invisible-character",
            "mojibake",
            "loose-accent",
            "mixed-scripts",
            "non-ascii",
            "encoding",
            "page-characters",
        ),
    ),
    ("no address, date, country or pages in a title", ("venue-detail",)),
    ("a container's name is whole", ("cut-text",)),
    ("no strange mix of capitals", ("odd-capitals",)),
    ("no value that says nothing", ("null-value",)),
    ("no emoji or Markdown", ("emoji",)),
    ("a year is plausible and contradicts nothing", ("invalid-year", "year-conflict", "changed-date")),
    ("dates are EDTF", ("invalid-date", "date-order")),
    ("a month is a macro or a number", ("month-form",)),
    ("page ranges are ranges", ("page-range", "page-overlap")),
    ("volume, number and edition have their form", ("number-form",)),
    ("counts are integers", ("not-integer",)),
    ("a type is known", ("unknown-type", "alias-type")),
    ("required fields are there", ("missing-field",)),
    (
        "a field belongs to its type; date and year agree",
        ("unknown-field", "misplaced-field", "date-and-year"),
    ),
    ("fields that go together are together", ("incomplete-set",)),
    ("entries of a type have the same fields", ("inconsistent-fields",)),
    ("a preprint or a web page is not typed as an article", ("preprint-as-article",)),
    (
        "references between entries lead somewhere; macros are defined and used",
        ("dangling-crossref", "circular-crossref", "undefined-string", "duplicate-string", "unused-string"),
    ),
    ("no pages of a whole proceedings, no address in howpublished", ("misused-field",)),
    (
        "a venue is spelled one way",
        ("venue-spelling", "unknown-event", "event-mismatch", "organisation-spelling"),
    ),
    ("journals are shortened throughout or nowhere", ("mixed-abbreviations",)),
    ("a published version is preferred where one is known", ("published-version-known",)),
    ("a published work keeps its open copy", ("open-copy-lost",)),
    (
        "nothing was retracted or withdrawn",
        ("retracted-title", "retracted", "retraction-notice", "corrected", "withdrawn"),
    ),
    ("links are alive", ("link-gone", "link-moved", "link-blocked", "link-unreachable")),
    ("a living page has the day it was read", ("missing-urldate",)),
    ("documentation is linked in a fixed version", ("latest-url",)),
    ("a repository has not moved or been archived", ("repository-moved", "repository-archived")),
    ("linked files are there", ("missing-file",)),
    ("placements and works answer each other", ("unknown-key", "unplaced-work")),
    ("sections are in order and not empty", ("section-order", "empty-section")),
    (
        "annotations are there, of the right length, written for their place",
        (
            "missing-annotation",
            "annotation-length",
            "annotation-end",
            "annotation-repeats-title",
            "annotation-twice",
            "annotation-cites-itself",
            "annotation-markup",
            "performance-claim",
        ),
    ),
    ("no work twice in one section", ("placed-twice",)),
    (
        "the section to start with is open, and its order holds",
        ("start-not-open", "prerequisite-order", "unknown-key"),
    ),
    ("the watchlist says what it waits for", ("watchlist-entry",)),
    (
        "kinds, organisations and classes are of the vocabulary",
        ("unknown-kind", "organisation-spelling", "arxiv-class"),
    ),
    ("the built site is whole and agrees with its pages", ("site-anchor", "site-bundle")),
    (
        "every placement is there once and in order",
        ("list-count", "stated-count", "section-order", "placed-twice", "unplaced-work"),
    ),
    (
        "provenance is there and not older than the entry",
        (
            "no-provenance",
            "stale-provenance",
            "duplicate-record",
            "changed-since-checked",
            "changed-people",
            "changed-title",
            "changed-date",
        ),
    ),
    ("a suppression has a reason and a day that is not over", ("suppression",)),
)

#: Number of a topic -> what of it is left out, and why.
LEFT_OUT: Mapping[int, str] = {
    5: "There is no fix, since only a person knows which key is cited",
    14: "``url`` itself is never changed",
    32: '"Proceedings of the" and organisers are part of many names and left alone',
    42: "Whether types differ between exports is no question here: each export maps them from one table",
    56: "Whether a page has drifted since is left to its readers: most living pages change in every build",
    57: "Off by default: lists link what is current on purpose",
    58: "A CITATION.cff is compared by hand when a work is checked, and kept in provenance (``cite-as``)",
    69: "There is no pin that could be out of date: a value is protected by standing in the file",
}
