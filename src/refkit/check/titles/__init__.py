"""Titles: capitals, braces, punctuation, words."""

from __future__ import annotations

from refkit.check.titles import capitals, punctuation, wording

#: In the order of the manual.
RULES = (
    capitals.unprotected_capitals,
    capitals.braced_title,
    capitals.title_case,
    capitals.odd_capitals,
    punctuation.final_stop,
    punctuation.spacing,
    wording.line_break_hyphen,
    wording.repeated_word,
    punctuation.odd_dash,
    punctuation.straight_quotes,
    wording.cut_text,
)
