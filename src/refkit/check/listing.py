"""The list: placements, sections, annotations, the section to start with, the watchlist."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from refkit.check.characters import MOJIBAKE
from refkit.check.fold import words
from refkit.check.model import Finding, reported, rule
from refkit.values import dates

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry
    from refkit.pages.model import Inline, Placement, Section

_BIB = (
    "@misc{lee2024, author = {Lee, Ada}, title = {Fast Kernels for Small Devices}, date = {2024}, url = "
    "{https://example.org/a}}\n"
    "@misc{poe2023, author = {Poe, Bo}, title = {Slow Wheels}, date = {2023}, url = "
    "{https://example.org/b}}\n"
)
_INDEX = "List\n====\n\n.. toctree::\n\n   part/loops\n"
_CONFIG = "[tool.refkit]\n"


def _source(key: str, annotation: str, options: str = "") -> str:
    indented = "\n".join(f"   {line}" for line in annotation.splitlines())
    return f".. source:: {key}\n{options}\n{indented}\n\n"


_LEE = "Defines the kernel that all later ones are measured by; the wheels are shown by :cite:t:`poe2023`."
_POE = "Measures wheels of nine kinds at rest and in motion, and says why none of them is fast."


def _project(page: str, config: str = _CONFIG, bib: str = _BIB, **more: str) -> Mapping[str, str]:
    files = {
        "pyproject.toml": config,
        "docs/index.rst": _INDEX,
        "docs/part/loops.rst": f"Loops\n=====\n\nAbout loops.\n\n{page}",
        "bib/loops.bib": bib,
    }
    return {**files, **{name.replace("__", "/").replace("_rst", ".rst"): text for name, text in more.items()}}


_GOOD = _project(_source("lee2024", _LEE) + _source("poe2023", _POE))


_NUMBERS = range(10, 21)
_MANY = "".join(
    _source(f"lee20{number}", f"Defines loop {number} of many, and says what it is good for.")
    for number in _NUMBERS
)
_MANY_BIB = "".join(
    f"@misc{{lee20{number}, author = {{Lee, Ada}}, title = {{Loop Number {number}}}, date = "
    f"{{20{number}}}}}\n"
    for number in _NUMBERS
)


def _setting(text: str) -> str:
    return f"[tool.refkit.check]\n{text}\n"


BAD_SLUG = reported(
    "bad-slug",
    "error",
    "A page whose name cannot be a section's slug, or that another section has.",
    bad={
        **_GOOD,
        "docs/other/loops.rst": "More\n====\n\n"
        + _source("poe2023", "Another text about the same wheels, written for this place."),
    },
    good=_GOOD,
)
ANNOTATION_MARKUP = reported(
    "annotation-markup",
    "error",
    "An annotation with more than inline markup, which exports cannot carry.",
    bad=_project(_source("lee2024", "* a list\n* of things") + _source("poe2023", _POE)),
    good=_GOOD,
)


def _placements(library: Library) -> Iterator[tuple[Section, Placement]]:
    for section in library.pages.sections if library.pages else ():
        for placed in section.placements:
            yield section, placed


def _at(library: Library, placed: Placement, message: str) -> Finding:
    return Finding(
        message,
        key=placed.key,
        file=library.pages_prefix + placed.file,
        line=placed.line,
        about=placed.section,
    )


# -- coverage and order


@rule(
    "unknown-key",
    "error",
    needs="pages",
    bad=_project(_source("lee2024", _LEE) + _source("poe2032", _POE)),
    good=_GOOD,
)
def unknown_key(library: Library) -> Iterator[Finding]:
    """A page places or cites a key that no .bib file has. A key among an entry's ``ids`` counts as there."""
    known = {
        *library.by_key,
        *(key.strip() for _, value in library.column("ids") for key in value.split(",")),
    }
    for _, placed in _placements(library):
        if placed.key not in known:
            yield _at(
                library, placed, f"no .bib file has the key {placed.key!r}: correct it, or add the entry"
            )
    for key, places in (library.pages.cited if library.pages else {}).items():
        if key not in known:
            for file, line in places:
                yield Finding(
                    f"no .bib file has the key {key!r}, which is cited here: correct it",
                    key=key,
                    file=library.pages_prefix + file,
                    line=line,
                )


@rule("unplaced-work", "error", needs="pages", bad=_project(_source("lee2024", _LEE)), good=_GOOD)
def unplaced_work(library: Library) -> Iterator[Finding]:
    """A work that no page places, so that no reader finds it."""
    placed = {placement.key for _, placement in _placements(library)}
    for entry in library.entries:
        if (
            entry.key
            and entry.key not in placed
            and entry.type not in ("set", "xdata")
            and not _is_parent(library, entry)
        ):
            yield Finding("no page places this work: place it with a source block, or remove it", entry)


def _is_parent(library: Library, entry: Entry) -> bool:
    """Whether other entries take values from this one."""
    return any(value == entry.key for _, value in library.column("crossref"))


@rule(
    "placed-twice",
    "error",
    needs="pages",
    bad=_project(
        _source("lee2024", _LEE)
        + _source("poe2023", _POE)
        + _source("lee2024", "Read it a second time after the wheels, for the proof in its appendix.")
    ),
    good=_GOOD,
)
def placed_twice(library: Library) -> Iterator[Finding]:
    """A work twice in one section. In two sections it has two annotations, each for its place."""
    seen: dict[tuple[str, str], int] = {}
    for section, placed in _placements(library):
        first = seen.setdefault((section.slug, placed.key), placed.line)
        if first != placed.line:
            yield _at(
                library,
                placed,
                f"{placed.key!r} stands in this section at line {first} already: keep one place",
            )


@rule(
    "section-order",
    "error",
    needs="pages",
    bad=_project(_source("poe2023", _POE) + _source("lee2024", _LEE), _setting("files-by-section = true")),
    good=_project(_source("lee2024", _LEE) + _source("poe2023", _POE), _setting("files-by-section = true")),
)
def section_order(library: Library) -> Iterator[Finding]:
    """A work in another file, or at another place in it, than the pages place it first.

    With ``files-by-section`` each section has a .bib file of its name, with the works that it places first,
    in that order: so the files are a second record of the list's order, and a placement that moved by
    accident is noticed.
    """
    if not library.settings.files_by_section:
        return
    expected: dict[str, list[str]] = {}
    seen: set[str] = set()
    for section, placed in _placements(library):
        if placed.key not in seen and placed.key in library.by_key:
            seen.add(placed.key)
            expected.setdefault(section.slug, []).append(placed.key)
    by_file: dict[str, list[Entry]] = {}
    for entry in library.entries:
        if entry.key in seen:
            by_file.setdefault(_stem(entry.file), []).append(entry)
    home = {key: slug for slug, keys in expected.items() for key in keys}
    for stem, entries in by_file.items():
        strangers = [entry for entry in entries if home[entry.key] != stem]
        for entry in strangers:
            yield Finding(
                f"{home[entry.key]} places this work first: move it to {home[entry.key]}.bib, or change "
                f"the pages",
                entry,
            )
        inside = [entry for entry in entries if home[entry.key] == stem]
        right = [key for key in expected.get(stem, []) if key in {entry.key for entry in inside}]
        for entry, key in zip(inside, right, strict=False):
            if entry.key != key:
                yield Finding(
                    f"the page has {key!r} here: bring {stem}.bib and the page into one order", entry
                )
                break


def _stem(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(".bib")


@rule(
    "empty-section",
    "error",
    needs="pages",
    bad={
        **_project(_source("lee2024", _LEE) + _source("poe2023", _POE), _setting("files-by-section = true")),
        "bib/wheels.bib": "% Nothing here yet.\n",
    },
    good=_project(_source("lee2024", _LEE) + _source("poe2023", _POE), _setting("files-by-section = true")),
)
def empty_section(library: Library) -> Iterator[Finding]:
    """A section's .bib file without a page that places sources, or without works; a section without an
    introduction.
    """
    for section in library.pages.sections if library.pages else ():
        if not section.intro.strip():
            yield Finding(
                "the section has no introduction: say what it is about and in which order to read it",
                file=library.pages_prefix + section.file,
                line=1,
                about=section.slug,
                severity="warning",
            )
    if not library.settings.files_by_section or library.pages is None:
        return
    slugs = {section.slug for section in library.pages.sections}
    for file, document in library.documents.items():
        if _stem(file) not in slugs:
            yield Finding(
                f"no page {_stem(file)}.rst places sources: the section is empty",
                file=file,
                line=1,
                about=_stem(file),
            )
        elif not document.entries and not document.xdata:
            yield Finding(
                "the section's file has no works: remove it, or place a work",
                file=file,
                line=1,
                about=_stem(file),
            )


@rule(
    "stated-count",
    "warning",
    needs="pages",
    bad=_project("There are 12 works here.\n\n" + _MANY, bib=_MANY_BIB),
    good=_project("There are 11 works here, and 300 more elsewhere.\n\n" + _MANY, bib=_MANY_BIB),
)
def stated_count(library: Library) -> Iterator[Finding]:
    """A page says how many works, placements or sections the list has, and it has nearly so many.

    Numbers from 10 on that are within a tenth of the true one, and not equal, were true once.
    """
    sections = library.pages.sections if library.pages else ()
    works = len({entry.key for entry in library.entries})
    counts = {"works": works, "placements": sum(1 for _ in _placements(library)), "sections": len(sections)}
    for file, text in library.page_texts.items():
        for match in _COUNTED.finditer(text):
            said, true = int(match[1]), counts[match[2]]
            if said != true and abs(said - true) <= max(true // 10, 1):
                message = f"the page says {said} {match[2]}, the list has {true}: correct the number"
                yield _in_text(library, file, match, message)


_COUNTED = re.compile(r"(?<![\d.,-])(\d{2,6})\s+(works|placements|sections)\b")


@rule(
    "page-characters",
    "warning",
    needs="pages",
    bad=_project(_source("lee2024", _LEE.replace("later", "lat\u200ber")) + _source("poe2023", _POE)),
    good=_GOOD,
)
def page_characters(library: Library) -> Iterator[Finding]:
    """Text on a page that was read in the wrong encoding, or characters that nobody sees."""
    for file, text in library.page_texts.items():
        for match in _ODD_ON_PAGE.finditer(text):
            shown = "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in match[0])
            what = (
                "is a character that nobody sees"
                if len(match[0]) == 1 and not match[0].isprintable()
                else ("was read in the wrong encoding")
            )
            yield _in_text(library, file, match, f"{shown!r} {what}: type it anew")


def _in_text(library: Library, file: str, match: re.Match[str], message: str) -> Finding:
    """A finding about what was found in the text of a page."""
    line = match.string.count("\n", 0, match.start()) + 1
    return Finding(message, file=library.pages_prefix + file, line=line, about=file)


_ODD_ON_PAGE = re.compile(f"{MOJIBAKE.pattern}|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")


@rule(
    "list-count",
    "error",
    needs="pages",
    bad=_project(_source("lee2024", _LEE) + _source("poe2023", _POE), _setting("works = 2\nplacements = 3")),
    good=_project(_source("lee2024", _LEE) + _source("poe2023", _POE), _setting("works = 2\nplacements = 2")),
)
def list_count(library: Library) -> Iterator[Finding]:
    """The list has more or fewer works or placements than the project says (``works``, ``placements``).

    With ``unplaced-work``, ``placed-twice`` and ``section-order`` this makes sure that every placement is
    there once and in order.
    """
    counts = {
        "works": len({entry.key for entry in library.entries}),
        "placements": sum(1 for _ in _placements(library)),
    }
    for name, wanted in (("works", library.settings.works), ("placements", library.settings.placements)):
        if wanted and counts[name] != wanted:
            yield Finding(
                f"the list has {counts[name]} {name}, the configuration says {wanted}: find what is "
                f"missing or too many, or correct the number",
                file=library.config_file,
                about=name,
            )


# -- annotations


def _annotations(library: Library) -> Iterator[tuple[Placement, str]]:
    for _, placed in _placements(library):
        text = library.annotations.get((placed.section, placed.position), "")
        if text:
            yield placed, text


@rule(
    "missing-annotation",
    "error",
    needs="pages",
    bad=_project(".. source:: lee2024\n\n" + _source("poe2023", _POE)),
    good=_GOOD,
)
def missing_annotation(library: Library) -> Iterator[Finding]:
    """A placement without an annotation: nothing says why the source stands there. Awesome lists are checked
    for it.
    """
    for _, placed in _placements(library):
        if not library.annotations.get((placed.section, placed.position)):
            yield _at(
                library,
                placed,
                "the placement has no annotation: say what the source establishes, and why here",
            )


@rule(
    "annotation-length",
    "warning",
    needs="pages",
    bad=_project(_source("lee2024", "On kernels.") + _source("poe2023", _POE)),
    good=_GOOD,
)
def annotation_length(library: Library) -> Iterator[Finding]:
    """An annotation with fewer or more words than the project wants (``annotation-words``); a citation is one
    word.
    """
    fewest, most = library.settings.annotation_words
    for placed, text in _annotations(library):
        count = len(text.split())
        if not fewest <= count <= most:
            yield _at(
                library,
                placed,
                f"the annotation has {count} words, {'fewer' if count < fewest else 'more'} than the "
                f"{fewest if count < fewest else most} that the project sets",
            )


@rule(
    "annotation-end",
    "warning",
    needs="pages",
    bad=_project(_source("lee2024", _LEE.rstrip(".")) + _source("poe2023", _POE)),
    good=_GOOD,
)
def annotation_end(library: Library) -> Iterator[Finding]:
    """An annotation that does not begin with a capital, or does not end in a full stop. Known to
    awesome-lint.
    """
    for placed, text in _annotations(library):
        if not text.rstrip(")”’\"'").endswith((".", "!", "?")):
            yield _at(library, placed, "the annotation does not end in a full stop")


@rule(
    "annotation-repeats-title",
    "warning",
    needs="pages",
    bad=_project(
        _source(
            "lee2024", "Fast Kernels for Small Devices. It defines a kernel and measures it on four machines."
        )
        + _source("poe2023", _POE)
    ),
    good=_GOOD,
)
def annotation_repeats_title(library: Library) -> Iterator[Finding]:
    """An annotation that says the title again, which stands above it."""
    for placed, text in _annotations(library):
        entry = library.by_key.get(placed.key)
        said = words(text)
        for title in dict.fromkeys((entry.text("title") if entry else "", placed.title)):
            wanted = words(title)
            if len(wanted) >= 3 and (
                said[: len(wanted)] == wanted or (len(wanted) >= 5 and _has_run(said, wanted))
            ):
                yield _at(
                    library,
                    placed,
                    "the annotation repeats the title: say what the source establishes instead",
                )
                break


def _has_run(said: list[str], wanted: list[str]) -> bool:
    return any(said[at : at + len(wanted)] == wanted for at in range(len(said) - len(wanted) + 1))


@rule(
    "annotation-twice",
    "error",
    needs="pages",
    bad=_project(_source("lee2024", _LEE) + _source("poe2023", _LEE)),
    good=_GOOD,
)
def annotation_twice(library: Library) -> Iterator[Finding]:
    """A sentence that another annotation has too: each is written for its place."""
    seen: dict[str, Placement] = {}
    for placed, text in _annotations(library):
        for sentence in re.split(r"(?<=[.!?;]) +", text):
            folded = " ".join(words(sentence))
            if folded.count(" ") < 4:
                continue
            first = seen.setdefault(folded, placed)
            if first is not placed:
                yield _at(
                    library,
                    placed,
                    f"the annotation of {first.key!r} in {first.section!r} says the same: {sentence!r}; "
                    f"write one for this place",
                )
                break


@rule(
    "annotation-cites-itself",
    "warning",
    needs="pages",
    bad=_project(_source("lee2024", _LEE.replace("poe2023", "lee2024")) + _source("poe2023", _POE)),
    good=_GOOD,
)
def annotation_cites_itself(library: Library) -> Iterator[Finding]:
    """An annotation that points to its own source: another key was meant."""
    from refkit.pages.inline import cited

    for _, placed in _placements(library):
        if placed.key in cited(placed.annotation):
            yield _at(library, placed, "the annotation cites its own source: another key was meant")


_HARDWARE = re.compile(
    r"\b(?:A10|A40|A100|A6000|B100|B200|B300|GB200|GB300|GH200|H20|H100|H200|H800|L4|L40S?|P100|P4|T4"
    r"|V100|K80|GTX ?\d+|RTX ?\d+|G80|GT200|MI\d{2,3}X?|TPU ?v?\d\w*"
    r"|Trainium\d?|Inferentia\d?|Gaudi ?\d?|Xeon|EPYC|Opteron|Haswell|Ice Lake|DGX|HGX|Tesla|Titan|8800)\b"
)
_BASELINE = re.compile(
    r"\b(?:than|over|against|versus|vs|compared|relative to|baseline|of (?:the )?(?:peak|cuBLAS|cuDNN))\b"
)
_CLAIM = re.compile(
    r"\b\d+(?:[.,]\d+)?(?: ?(?:×|x\b|-fold\b|times (?:faster|slower|higher|lower|more|less|as)|%"
    r"|per ?cent|percent)"
    r"| ?(?:[KMGTPE]?(?:FLOPS?|FLOP/s|OPS|OP/s)|[KMGT]i?B/s|tokens?(?: per second|/s)|tok/s"
    r"|requests?(?: per second|/s)|QPS|images?/s|[µmn]s|milliseconds|microseconds)\b)"
    r"|\b(?:twice|double|doubles|doubled|halves|halved|triples|tenfold|twofold|threefold) (?:as (?:fast"
    r"|high|much)|the (?:speed|throughput|latency|bandwidth|performance))",
    re.IGNORECASE,
)


@rule(
    "performance-claim",
    "warning",
    needs="pages",
    bad=_project(
        _source(
            "lee2024", "Defines a kernel that is 2.3 times faster; the wheels are shown by :cite:t:`poe2023`."
        )
        + _source("poe2023", _POE)
    ),
    good=_GOOD,
)
def performance_claim(library: Library) -> Iterator[Finding]:
    """A performance number in an annotation without the hardware it was measured on or without what it is
    compared with.

    A number that is no measurement (a size, a format, a count) is none of this.
    """
    for placed, text in _annotations(library):
        found = _CLAIM.search(text)
        if found and not (_HARDWARE.search(text) and _BASELINE.search(text)):
            lacks = " and ".join(
                what
                for what, pattern in (("hardware", _HARDWARE), ("a baseline", _BASELINE))
                if not pattern.search(text)
            )
            yield _at(
                library,
                placed,
                f"{found[0]!r} without {lacks}: add them, with workload and precision, or leave the "
                f"number out",
            )


# -- the section to start with


_START = _setting('start = "loops"')
_PAID = _BIB.replace(
    "@misc{lee2024, author = {Lee, Ada}", "@book{lee2024, publisher = {Loop Press}, author = {Lee, Ada}"
)


@rule(
    "start-not-open",
    "error",
    needs="pages",
    bad=_project(_source("lee2024", _LEE) + _source("poe2023", _POE), _START, _PAID),
    good=_project(
        _source("lee2024", "A book to buy or to borrow: " + _LEE) + _source("poe2023", _POE), _START, _PAID
    ),
)
def start_not_open(library: Library) -> Iterator[Finding]:
    """A work of the section to start with (``start``) that cannot be read without pay, and an annotation that
    does not say so.

    A book, or an address at a publisher that sells, without an arXiv identifier or another open copy in
    provenance. Words such as "buy", "borrow", "paid" or "library" say so.
    """
    section = library.section(library.settings.start) if library.settings.start else None
    for placed in section.placements if section else ():
        entry = library.by_key.get(placed.key)
        if entry is not None and _is_sold(library, entry):
            text = library.annotations.get((placed.section, placed.position), "")
            if not _SAYS_SO.search(text):
                yield _at(
                    library,
                    placed,
                    "the work is sold and no open copy is known: say so in the annotation, or add the copy",
                )
    if library.settings.start and section is None and library.pages is not None:
        yield Finding(
            f"there is no section {library.settings.start!r} to start with: correct 'start' in the "
            f"configuration",
            file=library.config_file,
            about="start",
        )


_SAYS_SO = re.compile(
    r"\b(?:buy|bought|borrow(?:ed)?|paid|pay|sold|sale|purchase|librar(?:y|ies)|priced|not free"
    r"|behind a paywall)\b",
    re.IGNORECASE,
)
_SELLERS = frozenset(
    "elsevier.com sciencedirect.com springer.com link.springer.com ieeexplore.ieee.org wiley.com "
    "onlinelibrary.wiley.com "
    "tandfonline.com oreilly.com amazon.com manning.com packtpub.com pearson.com cambridge.org oup.com "
    "academic.oup.com "
    "nature.com science.org sagepub.com store.elsevier.com shop.elsevier.com".split()
)
_BOOKS = frozenset("book inbook incollection collection mvbook mvcollection bookinbook".split())


def _is_sold(library: Library, entry: Entry) -> bool:
    if entry.arxiv:
        return False
    links = (link.url for link in library.work(entry.key).related if link.kind in ("paper", "other version"))
    if any(not _at_seller(url) for url in links):
        return False
    sold = _at_seller(entry.url) or (not entry.url and bool(entry.get("doi")))
    return sold or (entry.type in _BOOKS and bool(entry.get("isbn", "publisher")))


def _at_seller(url: str) -> bool:
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    return host in _SELLERS


@rule(
    "prerequisite-order",
    "error",
    needs="pages",
    bad=_project(
        _source("lee2024", "Defines the kernel; read :cite:t:`poe2023` first for its wheels.")
        + _source("poe2023", "Measures wheels; read :cite:t:`lee2024` first for the kernel.")
    ),
    good=_GOOD,
)
def prerequisite_order(library: Library) -> Iterator[Finding]:
    """Annotations that ask to read each other first; in the section to start with, one that asks for a later
    work first.

    "Read X first" and "after X" make X a prerequisite. What a page only points to is none.
    """
    edges: dict[str, dict[str, Placement]] = {}
    for section, placed in _placements(library):
        for key in _read_first(placed.annotation):
            edges.setdefault(placed.key, {}).setdefault(key, placed)
            later = [
                other for other in section.placements if other.key == key and other.position > placed.position
            ]
            if later and section.slug == library.settings.start:
                yield _at(
                    library,
                    placed,
                    f"asks to read {key!r} first, which stands later in this section: change the order "
                    f"or the words",
                )
    for key in edges:
        loop = _loop(edges, key)
        if loop and key == min(loop):
            placed = edges[key][loop[1] if len(loop) > 1 else key]
            yield _at(
                library, placed, f"the works ask to be read before each other: {' → '.join((*loop, key))}"
            )


def _read_first(nodes: tuple[Inline, ...]) -> Iterator[str]:
    """The keys that an annotation asks to read before its own work."""
    for at, node in enumerate(nodes):
        if node[0] != "cite":
            continue
        before = nodes[at - 1][1] if at and nodes[at - 1][0] == "text" else ""
        after = nodes[at + 1][1] if at + 1 < len(nodes) and nodes[at + 1][0] == "text" else ""
        if re.search(r"\b[Rr]ead(?: [\w-]+){0,3} ?$", before) and re.match(r" first\b", after):
            yield from node[2]


def _loop(edges: Mapping[str, Mapping[str, Placement]], start: str) -> list[str]:
    """A way from a key back to itself, without the last step; empty if there is none."""
    stack: list[tuple[str, list[str]]] = [(start, [start])]
    seen: set[str] = set()
    while stack:
        key, path = stack.pop()
        for following in edges.get(key, ()):
            if following == start:
                return path
            if following not in seen:
                seen.add(following)
                stack.append((following, [*path, following]))
    return []


# -- the watchlist


_WATCH = _setting('watchlist = "loops"')
_WAITS = "   :waits-for: a measurement by others\n   :review: 2999-01-01\n"


@rule(
    "watchlist-entry",
    "warning",
    needs="pages",
    bad=_project(
        _source("lee2024", _LEE)
        + _source("poe2023", _POE, "   :waits-for: a measurement\n   :review: 2020-01-01\n"),
        _WATCH,
    ),
    good=_project(_source("lee2024", _LEE, _WAITS) + _source("poe2023", _POE, _WAITS), _WATCH),
)
def watchlist_entry(library: Library) -> Iterator[Finding]:
    """A source of the watchlist (``watchlist``) that does not say what it waits for, or when it is looked at
    again.

    Also one whose review is over, or with a date that is none; anywhere, one of the two without the other.
    """
    for section, placed in _placements(library):
        watched = section.slug == library.settings.watchlist
        if not watched and not placed.waits_for and not placed.review:
            continue
        if not placed.waits_for.strip():
            yield _at(library, placed, "does not say what it waits for: add :waits-for:")
        if not placed.review.strip():
            yield _at(library, placed, "does not say when it is reviewed: add :review: YYYY-MM-DD")
        elif dates.parse(placed.review) is None or len(placed.review) != 10:
            yield _at(library, placed, f"the review date {placed.review!r} is none: write YYYY-MM-DD")
        elif placed.review < library.today.isoformat():
            yield _at(
                library,
                placed,
                f"its review was due on {placed.review}: move it, drop it, or set another date",
            )
    if (
        library.settings.watchlist
        and library.pages is not None
        and library.section(library.settings.watchlist) is None
    ):
        yield Finding(
            f"there is no section {library.settings.watchlist!r}: correct 'watchlist' in the configuration",
            file=library.config_file,
            about="watchlist",
        )


RULES = (
    BAD_SLUG,
    ANNOTATION_MARKUP,
    unknown_key,
    unplaced_work,
    section_order,
    empty_section,
    missing_annotation,
    annotation_length,
    annotation_end,
    annotation_repeats_title,
    annotation_twice,
    annotation_cites_itself,
    performance_claim,
    placed_twice,
    start_not_open,
    prerequisite_order,
    watchlist_entry,
    list_count,
    stated_count,
    page_characters,
)
