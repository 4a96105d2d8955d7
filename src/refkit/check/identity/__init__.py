"""Identity: keys, identifiers, addresses, works that stand twice, titles of no work."""

from __future__ import annotations

from refkit.check.identity import arxiv, borrowed_titles, doi, duplicates, isbn, keys, urls

#: In the order of the manual.
RULES = (
    keys.MISSING_KEY,
    keys.DUPLICATE_KEY,
    keys.CASE_COLLISION,
    keys.invalid_key,
    keys.key_pattern,
    keys.key_mismatch,
    duplicates.duplicate_doi,
    duplicates.duplicate_eprint,
    duplicates.duplicate_url,
    duplicates.duplicate_work,
    duplicates.contained_entry,
    doi.invalid_doi,
    arxiv.invalid_arxiv_id,
    arxiv.arxiv_class,
    arxiv.archive_without_eprint,
    isbn.invalid_isbn,
    borrowed_titles.chimeric_title,
    borrowed_titles.shorttitle_mismatch,
    urls.invalid_url,
    urls.tracking_parameters,
    urls.unsafe_url,
    urls.redundant_url,
    urls.missing_identifier,
    urls.url_mismatch,
)
