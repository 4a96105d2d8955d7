"""The acceptance data as the services would answer with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.enrich.server import Paper, Work


def load(folder: Path) -> list[Paper | Work]:
    """What the services know of the works of the acceptance data."""
    facts: list[dict[str, Any]] = json.loads((folder / "data" / "facts.json").read_text("utf-8"))
    papers = [_paper(work) for work in facts if work.get("arxiv")]
    return papers + [_work(work) for work in facts if work.get("doi")]


def _paper(work: dict[str, Any]) -> Paper:
    return Paper(
        id=work["arxiv"],
        title=work.get("title_arxiv", work["title"]),
        authors=[_in_reading_order(name) for name in work.get("arxiv_author", work["author"])],
        published=work["arxiv_first_submitted"],
        category=work["arxiv_class"],
        version=3,
        doi=work.get("doi", ""),
        journal_ref=work.get("container", ""),
    )


def _in_reading_order(name: dict[str, str]) -> str:
    return name.get("literal") or f"{name.get('given', '')} {name['family']}".strip()


def _work(work: dict[str, Any]) -> Work:
    authors = work["author"]
    if work["doi"].startswith("10.52202/"):  # deposited in the order of the alphabet
        authors = sorted(authors, key=lambda name: name["family"])
    csl = {
        "DOI": work["doi"].lower(),
        "type": "proceedings-article",
        "source": "Crossref",
        "title": work.get("title_published", work["title"]),
        "author": authors,
        "issued": {"date-parts": [[int(part) for part in work["issued"].split("-")]]},
        "container-title": work["container"],
        "page": work.get("pages", "").replace("--", "-"),
        "publisher": work.get("publisher", ""),
        "volume": work.get("volume"),
        "ISBN": [work["isbn"]] if work.get("isbn") else [],
        "editor": work.get("editor", []),
        "abstract": "<jats:p>An abstract that must not be taken.</jats:p>",
    }
    return Work({name: value for name, value in csl.items() if value})
