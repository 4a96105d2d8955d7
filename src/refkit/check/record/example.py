"""The small projects that the examples of rules are made from: an entry, and what provenance says of it."""

from __future__ import annotations

from typing import Any

from refkit.check import seal
from refkit.check.model import BIB

_PROVENANCE = "bib/provenance.json"
ENTRY = "@misc{{lee2024, author = {{{}}}, title = {{{}}}, date = {{{}}}, doi = {{10.5555/{}}}}}".format
RIGHT = ENTRY("Lee, Ada and Poe, Bo and Ray, Cy", "Fast Kernels", "2024", "1")


def provenance(**members: Any) -> str:
    """A record of the entry, with these members besides."""
    import json

    checked = {"on": "2024-06-01", "against": ["the title page"]}
    return json.dumps(
        {"version": 1, "works": {"lee2024": {"added": "2024-06-01", "checked": checked, **members}}}, indent=1
    )


def sealed(**members: Any) -> str:
    """Provenance in which the facts of the right entry are sealed."""
    from refkit.bibtex.reader import read_text

    entry = read_text(RIGHT).entries[0]
    checked = {"on": "2024-06-01", "against": ["the title page"], "facts": seal.facts(entry)}
    return provenance(**{"checked": checked, **members})


def files(bib: str, provenance: str) -> dict[str, str]:
    """The files of a project with this bibliography and this provenance."""
    return {BIB: bib, _PROVENANCE: provenance}
