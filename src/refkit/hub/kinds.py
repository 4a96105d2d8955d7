"""What kind of work an entry is: from its type and its ``entrysubtype``, and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping

#: Entry type -> (kind, CSL type). BibTeX's types, BibLaTeX's, and their aliases (BibLaTeX manual, 2.1).
_TYPES: Mapping[str, tuple[str, str]] = {
    "article": ("article", "article-journal"),
    "suppperiodical": ("article", "article-journal"),
    "review": ("article", "article-journal"),
    "periodical": ("misc", "book"),
    "inproceedings": ("paper", "paper-conference"),
    "conference": ("paper", "paper-conference"),
    "book": ("book", "book"),
    "mvbook": ("book", "book"),
    "booklet": ("book", "book"),
    "collection": ("book", "book"),
    "mvcollection": ("book", "book"),
    "reference": ("book", "book"),
    "mvreference": ("book", "book"),
    "proceedings": ("book", "book"),
    "mvproceedings": ("book", "book"),
    "inbook": ("chapter", "chapter"),
    "bookinbook": ("chapter", "chapter"),
    "suppbook": ("chapter", "chapter"),
    "incollection": ("chapter", "chapter"),
    "suppcollection": ("chapter", "chapter"),
    "inreference": ("chapter", "entry-encyclopedia"),
    "preprint": ("preprint", "article"),
    "thesis": ("thesis", "thesis"),
    "phdthesis": ("thesis", "thesis"),
    "mastersthesis": ("thesis", "thesis"),
    "report": ("report", "report"),
    "techreport": ("report", "report"),
    "standard": ("standard", "standard"),
    "manual": ("documentation", "report"),
    "online": ("misc", "webpage"),
    "electronic": ("misc", "webpage"),
    "www": ("misc", "webpage"),
    "software": ("software", "software"),
    "dataset": ("dataset", "dataset"),
    "unpublished": ("misc", "manuscript"),
    "patent": ("misc", "patent"),
    "artwork": ("misc", "graphic"),
    "image": ("misc", "graphic"),
    "audio": ("misc", "song"),
    "music": ("misc", "song"),
    "movie": ("misc", "motion_picture"),
    "video": ("misc", "motion_picture"),
    "performance": ("misc", "speech"),
    "letter": ("misc", "personal_communication"),
    "jurisdiction": ("misc", "legal_case"),
    "legislation": ("misc", "legislation"),
}
_OTHER_TYPE = ("misc", "document")

#: ``entrysubtype`` -> (kind, CSL type), for entry types that say little by themselves.
_SUBTYPES: Mapping[str, tuple[str, str]] = {
    "preprint": ("preprint", "article"),
    "documentation": ("documentation", "webpage"),
    "blog": ("blog", "post-weblog"),
    "software": ("software", "software"),
    "dataset": ("dataset", "dataset"),
    "standard": ("standard", "standard"),
}
_SUBTYPED = frozenset("misc other online electronic www report techreport software unpublished".split())
_ARTICLE_SUBTYPES = {"magazine": "article-magazine", "newspaper": "article-newspaper"}


def classify(type: str, subtype: str = "") -> tuple[str, str]:
    """(kind, CSL type) of an entry type and its ``entrysubtype``.

    The kind is one of paper, preprint, article, book, chapter, thesis, report, standard, documentation, blog,
    software, dataset, misc.
    """
    subtype = subtype.strip().lower()
    if subtype:
        if type in _SUBTYPED and subtype in _SUBTYPES:
            return _SUBTYPES[subtype]
        if type == "article" and subtype in _ARTICLE_SUBTYPES:
            return "article", _ARTICLE_SUBTYPES[subtype]
    return _TYPES.get(type, _OTHER_TYPE)
