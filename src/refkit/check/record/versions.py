"""Other versions of a work, which provenance knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit import identifiers
from refkit.check.model import Finding, rule
from refkit.check.record.example import RIGHT, files, provenance

if TYPE_CHECKING:
    from refkit.check.library import Library


@rule(
    "published-version-known",
    "warning",
    needs="provenance",
    bad=files(
        RIGHT.replace("@misc{lee2024, ", "@misc{lee2024, entrysubtype = {preprint}, "),
        provenance(versions=[{"what": "published", "doi": "10.5555/9", "date": "2024"}]),
    ),
    good=files(
        RIGHT.replace("@misc{lee2024, ", "@misc{lee2024, entrysubtype = {preprint}, "),
        provenance(versions=[{"what": "earlier preprint", "date": "2023"}]),
    ),
)
def published_version_known(library: Library) -> Iterator[Finding]:
    """A preprint of which provenance knows a published version. Known to Linter for Zotero, bibtexupdater.

    With ``--online`` arXiv's own DOI and journal reference are looked at too.
    """
    for entry in library.entries:
        if entry.get("entrysubtype").lower() == "preprint" or (
            entry.type == "misc" and entry.get("eprint") and not entry.get("howpublished")
        ):
            for version in library.work(entry.key).versions:
                if version.what in ("published", "publisher's record", "journal article"):
                    where = version.doi or version.url or version.date
                    yield Finding(
                        f"a published version is known ({where}): describe that, and keep eprint", entry
                    )


@rule(
    "open-copy-lost",
    "info",
    needs="provenance",
    bad=files(RIGHT, provenance(versions=[{"what": "preprint", "eprint": "2401.01234", "date": "2024-01"}])),
    good=files(
        RIGHT.replace(
            "doi =", "eprint = {2401.01234}, archiveprefix = {arXiv}, primaryclass = {cs.LG}, doi ="
        ),
        provenance(versions=[{"what": "preprint", "eprint": "2401.01234", "date": "2024-01"}]),
    ),
)
def open_copy_lost(library: Library) -> Iterator[Finding]:
    """A published work whose preprint provenance knows, and whose entry has no ``eprint`` any more."""
    for entry in library.entries:
        if entry.get("eprint"):
            continue
        for version in library.work(entry.key).versions:
            if version.what == "preprint" and version.eprint and version.eprint not in entry.get("url"):
                yield Finding(
                    f"the preprint {version.eprint} is known and eprint is missing: add it as the open copy",
                    entry,
                )
                break


@rule(
    "version-mismatch",
    "error",
    needs="provenance",
    bad=files(
        RIGHT.replace(
            "doi =", "eprint = {2402.04321}, archiveprefix = {arXiv}, primaryclass = {cs.LG}, doi ="
        ),
        provenance(versions=[{"what": "preprint", "eprint": "2401.01234", "date": "2024-01"}]),
    ),
    good=files(
        RIGHT.replace(
            "doi =", "eprint = {2401.01234}, archiveprefix = {arXiv}, primaryclass = {cs.LG}, doi ="
        ),
        provenance(versions=[{"what": "preprint", "eprint": "2401.01234", "date": "2024-01"}]),
    ),
)
def version_mismatch(library: Library) -> Iterator[Finding]:
    """``eprint`` or ``doi`` is another than that of the version which provenance describes as this work's."""
    for entry in library.entries:
        for version in library.work(entry.key).versions:
            eprint = entry.get("eprint")
            if version.what == "preprint" and version.eprint and eprint and eprint != version.eprint:
                yield Finding(
                    f"eprint says {eprint}, the preprint in provenance is {version.eprint}: one of them "
                    f"is another work's",
                    entry,
                    "eprint",
                    eprint,
                )
            doi = identifiers.doi_key(entry.get("doi"))
            if (
                version.what in ("published", "publisher's record")
                and version.doi
                and doi
                and doi != version.doi.lower()
            ):
                yield Finding(
                    f"doi says {doi}, the published version in provenance is {version.doi}: one of them "
                    f"is another work's",
                    entry,
                    "doi",
                    entry.get("doi"),
                )
