"""What the scripts of a site need: their texts, the sections with their works, the pieces of each bundle.

Reading progress, basket and keyboard shortcuts are scripts alone (``refkit-reading.js``); pages are complete
without them. Data comes in scripts and not as JSON, because a page opened from disk may not fetch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sphinx.locale import _

from refkit.formats import BUNDLES, FORMATS
from refkit.sphinxext import sites
from refkit.sphinxext.library import digest
from refkit.sphinxext.site import extras
from refkit.sphinxext.site.scripts import BROWSE, FOLDER, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.sphinxext.index import Index

#: What the files of formats are called on buttons.
_LABELS = {"zotero-rdf": "Zotero RDF", "bibtex": "BibTeX", "biblatex": "BibLaTeX", "ris": "RIS",
           "csl-json": "CSL-JSON"}  # fmt: skip


def data(name: str, value: object) -> bytes:
    """A script that puts plain data where the others look for it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"(window.refkitData ??= {{}})[{json.dumps(name)}] = {text};\n".encode()


def has_sections(index: Index) -> bool:
    """Whether there is something to read: a page that places a work."""
    return bool(index.pages.sections)


def extras_of(builder: StandaloneHTMLBuilder, index: Index, mark: str) -> Iterator[extras.File]:
    """Texts, sections and formats.

    Args:
        mark: a digest of all works and placements.
    """
    site = _site(builder)
    yield _file("site", digest(site), lambda: site)
    sections = list(_sections(builder, index))
    aliases = sorted(index.aliases.items())
    yield _file("sections", digest((sections, aliases)), lambda: _overview(sections, aliases))
    if sites.has_bundles(builder):
        for name in BUNDLES:
            yield _file(name, mark, _pieces(index, name))


def _file(name: str, mark: str, value: Callable[[], object]) -> extras.File:
    return extras.File(f"{FOLDER}/{name}.js", mark, lambda: data(name, value()))


def _sections(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[tuple[str, list[str]]]:
    """Address and works of each section, as far as its page shows them."""
    for docname, section in index.sections.items():
        keys = dict.fromkeys(one.key for one in section.placements)
        yield ROOT + builder.get_target_uri(docname), list(keys)


def _overview(sections: list[tuple[str, list[str]]], aliases: list[tuple[str, str]]) -> Mapping[str, Any]:
    keys = dict.fromkeys(key for _address, own in sections for key in own)
    return {"list": sections, "keys": list(keys), "aliases": aliases}


def _pieces(index: Index, name: str) -> Callable[[], object]:
    """The text of each work in a format and what stands around them; together they are what
    ``FORMATS[name].dumps`` gives for the works, each with all its placements.
    """

    def pieces() -> Mapping[str, Any]:
        format = FORMATS[name]
        writer = format.writer
        texts = [(key, format.text(index.collection.one(key))) for key in index.used]
        return {"head": writer.HEAD, "separator": writer.SEPARATOR, "tail": writer.TAIL, "texts": texts}

    return pieces


def _site(builder: StandaloneHTMLBuilder) -> Mapping[str, Any]:
    formats = BUNDLES if sites.has_bundles(builder) else ()
    has_browse = not sites.has_page(builder, BROWSE)
    return {
        "name": str(builder.config.project),
        "browse": ROOT + builder.get_target_uri(BROWSE) if has_browse else "",
        "formats": [(name, FORMATS[name].ending, _LABELS.get(name, name)) for name in formats],
        "texts": texts(),
    }


def states() -> dict[str, str]:
    """How far a reader may be with a work."""
    return {"none": _("Not read"), "later": _("Read later"), "reading": _("Reading"), "read": _("Read")}


def texts() -> dict[str, str]:
    """What the scripts say, in the language of the site; names in braces are filled in.

    ``NAME-one`` is said instead of ``NAME`` where the count is one.
    """
    return {
        "progress": _("Reading progress"),
        "progress-section": _("Your progress in this section"),
        "progress-all": _("Your progress in the whole list"),
        **{f"state-{name}": text for name, text in states().items()},
        "count-read": _("{read} of {all} read"),
        "count-reading": _("{reading} begun"),
        "count-later": _("{later} for later"),
        "not-kept": _(
            "The browser keeps nothing of this site: what you mark holds until you leave the page."
        ),
        "export": _("Save progress"),
        "import": _("Load progress"),
        "reset": _("Reset"),
        "reset-question": _("Forget the progress of these {count} works? Save it first to have it back."),
        "reset-question-one": _("Forget the progress of this work? Save it first to have it back."),
        "was-reset": _("The progress is reset."),
        "imported": _("Progress of {count} works is loaded."),
        "imported-one": _("Progress of one work is loaded."),
        "import-partly": _("Progress of {count} works is loaded; {bad} entries could not be understood."),
        "import-from": _("The file was saved on another site: {site}."),
        "import-no-json": _("This file is no JSON. Choose a file that “Save progress” has written."),
        "import-other": _(
            "This file holds no reading progress. Choose one that “Save progress” has written."
        ),
        "import-version": _("This file is of version {version}; this page reads version 1."),
        "add": _("Add to basket"),
        "remove": _("In basket ✓"),
        "take-out": _("Take {name} out of the basket"),
        "added": _("{name} is in the basket, which holds {count}."),
        "removed": _("{name} is no longer in the basket, which holds {count}."),
        "basket": _("Basket ({count})"),
        "add-all": _("Add these {count} works"),
        "add-all-one": _("Add this work"),
        "taken-one": _("{file} holds one work."),
        "taken": _("{file} holds {count} works."),
        "not-loaded": _("The texts of the works could not be loaded. Try again."),
        "copied": _("BibTeX of {name} copied"),
        "not-copied": _("The browser does not let this page copy."),
        "keys": _("Keyboard"),
        "keys-title": _("Keyboard shortcuts"),
        "keys-on": _("Use these single-key shortcuts on this site"),
        "close": _("Close"),
        "key-/": _("search all works"),
        "key-j": _("next work"),
        "key-k": _("previous work"),
        "key-c": _("cite: copy the BibTeX of the work"),
        "key-r": _("change its reading progress"),
        "key-b": _("put it into the basket, or take it out"),
        "key-?": _("show this help"),
        "hits": _("{count} of {all} works"),
        "more": _("Show more ({count} left)"),
        "nothing": _("No work fits all of this. What would help:"),
        "drop": _("any {facet} ({count})"),
        "drop-words": _("without the search words ({count})"),
        "drop-value": _("Remove the filter {value}"),
        "clear": _("Start again"),
    }
