"""The list: placements, sections, annotations, the section to start with, the watchlist."""

from refkit.check.listing import (
    annotations,
    counts,
    page_text,
    performance_claims,
    placements,
    prerequisites,
    sections,
    start,
    watchlist,
)

#: In the order of the manual.
RULES = (
    sections.BAD_SLUG,
    annotations.ANNOTATION_MARKUP,
    placements.unknown_key,
    placements.unplaced_work,
    sections.section_order,
    sections.empty_section,
    annotations.missing_annotation,
    annotations.annotation_length,
    annotations.annotation_end,
    annotations.annotation_repeats_title,
    annotations.annotation_twice,
    annotations.annotation_cites_itself,
    performance_claims.performance_claim,
    placements.placed_twice,
    start.start_not_open,
    prerequisites.prerequisite_order,
    watchlist.watchlist_entry,
    counts.list_count,
    counts.stated_count,
    page_text.page_characters,
)
