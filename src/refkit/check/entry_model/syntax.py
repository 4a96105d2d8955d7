"""Syntax, as far as the reader can read it: what is skipped, and what is no BibTeX."""

from __future__ import annotations

from refkit.check.model import reported

PARSE_ERROR = reported(
    "parse-error",
    "error",
    "Text that is no BibTeX: a missing comma or brace, something between fields. What can be read is read.",
)
COMMENT_IN_ENTRY = reported(
    "comment-in-entry", "warning", "A comment inside an entry, which biber skips and BibTeX does not."
)
COMMENTED_ENTRY = reported(
    "commented-entry", "info", "An entry on a line that begins with %, which biber skips and BibTeX reads."
)
LIMIT = reported(
    "limit",
    "error",
    "A value too deep or too long to be read.",
    bad="@misc{lee2024, title = " + "{" * 1100 + "}" * 1100 + "}",
    good="@misc{lee2024, author = {Lee, Ada}, title = {Title}, year = {2024}}",
)
