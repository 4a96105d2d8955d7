"""The record: what provenance says about the works, and what has changed since a person checked them."""

from __future__ import annotations

from refkit.check.record import changes, contents, versions

#: In the order of the manual.
RULES = (
    changes.author_cut,
    changes.author_order,
    changes.changed_people,
    changes.changed_title,
    changes.changed_identifier,
    versions.version_mismatch,
    changes.changed_date,
    changes.changed_since_checked,
    contents.no_provenance,
    contents.stale_provenance,
    contents.duplicate_record,
    versions.published_version_known,
    versions.open_copy_lost,
)
