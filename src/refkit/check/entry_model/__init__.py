"""The model: types, fields, vocabularies."""

from __future__ import annotations

from refkit.check.entry_model import fields, kinds, organisations, references, strings, syntax, types

#: In the order of the manual.
RULES = (
    syntax.PARSE_ERROR,
    syntax.COMMENT_IN_ENTRY,
    syntax.COMMENTED_ENTRY,
    syntax.LIMIT,
    types.unknown_type,
    types.alias_type,
    fields.missing_field,
    fields.DUPLICATE_FIELD,
    fields.unknown_field,
    fields.misplaced_field,
    fields.date_and_year,
    fields.incomplete_set,
    fields.inconsistent_fields,
    types.preprint_as_article,
    references.DANGLING,
    references.CIRCULAR,
    references.XDATA_CONFLICT,
    strings.UNDEFINED_STRING,
    strings.DUPLICATE_STRING,
    strings.unused_string,
    fields.misused_field,
    kinds.unknown_kind,
    organisations.organisation_spelling,
)
