"""Synthetic bibliographies and Sphinx projects: seeded, so that two runs measure the same bytes.

An entry has about 1.6 kB and what real lists have: raw and TeX-accented names, particles and corporate
authors, macros and ``#`` joins, nested braces, mathematics, an abstract over many lines, doi, eprint and url.
All of it is legal BibTeX, so that a reader which returns fewer entries has lost some.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

GIVEN = """
Maria José Łukasz Zoë Björn Søren Chloé Jürgen Hélène Noël Ümit Øyvind Åsa Jan Wei Xiaoming Yuki Hiroshi
Priya Arjun Fatima Omar Elena Dmitri Katarzyna Tomáš Petr Ana João Sofia Lucas Emma Liam Noah Olivia
""".split()
FAMILY = """
Müller Schröder Weiß Núñez García Łoś Dvořák Novák Horváth Ångström Sørensen Öztürk Šimek Žižek Çelik
Erdős Gödel Kovačević Nguyễn Papadopoulos Ivanov Zhang Wang Li Liu Chen Tanaka Suzuki Kim Park Smith
Brown Jones Wilson Taylor Moore Clark Young Scott Hill Baker O'Connor D'Angelo Saint-Exupéry
""".split()
PARTICLES = ["van der", "von", "de la", "van", "de"]
ACCENTS = {
    "ü": '{\\"u}', "ö": '{\\"o}', "é": "{\\'e}", "è": "{\\`e}", "ñ": "{\\~n}", "ø": "{\\o}",
    "å": "{\\aa}", "ß": "{\\ss}", "ł": "{\\l}", "Ł": "{\\L}", "š": "{\\v{s}}", "ž": "{\\v z}",
    "č": "\\v{c}", "í": "{\\'\\i}", "ç": "\\c{c}", "Ö": '{\\"O}', "Å": "{\\AA}", "ć": "\\'c",
    "á": "\\'{a}", "ő": "{\\H{o}}", "ř": "\\v{r}", "ó": "{\\'o}", "ś": "{\\'s}", "Š": "{\\v S}",
    "Ž": "{\\v Z}", "Ø": "{\\O}", "ë": '{\\"e}', "ã": "{\\~a}", "Ç": "{\\c C}", "Ü": '{\\"U}',
    "ú": "{\\'u}",
}  # fmt: skip
WORDS = """
kernel tensor memory bandwidth warp register tile pipeline cache page block thread occupancy latency
throughput attention softmax decode prefill batch scheduler token sequence head expert router
quantisation integer floating point precision scale outlier weight activation gradient collective ring
topology link switch network compiler layout fusion schedule loop swizzle bank conflict barrier copy
asynchronous descriptor cluster grid graph speculative draft verify sampling constraint grammar
automaton prefix tree eviction offload migration parallel shard stage bubble balance load queue deadline
fairness benchmark trace profile counter model roofline bound
""".split()
SMALL = "the of and in for with to a on by from that this is are as at using under over which can be".split()
JOURNALS = {
    "tacm": "Transactions on Computing Machinery",
    "jpp": "Journal of Parallel Programming",
    "tcs": "Theory of Computing Systems",
    "mlj": "Machine Learning Journal",
    "cpe": "Concurrency: Practice and Experience",
}
MEETINGS = {
    "sysml": "Conference on Systems for Machine Learning",
    "parco": "International Conference on Parallel Computing",
    "arch": "Symposium on Computer Architecture",
    "lang": "Conference on Programming Languages",
}
PUBLISHERS = ["Example Press", "University Press of Nowhere", "North {B.V.}", "World {\\&} Sons"]
ACRONYMS = ["GPU", "SIMT", "TMA", "MLA", "FP8", "HBM", "NUMA", "TLB"]
FORMULAS = ["$\\alpha_s$", "$\\mathcal{O}(N \\log N)$", "$\\sqrt{d}$", "$2^{-3}$", "$k \\leq n$"]
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
TYPES = (
    ["article"] * 40
    + ["inproceedings"] * 25
    + ["misc"] * 23
    + ["book"] * 4
    + ["phdthesis"] * 4
    + ["techreport"] * 4
)


class Record(NamedTuple):
    """A synthetic entry: the BibTeX and what a page without refkit says about the work."""

    key: str
    bibtex: str
    title: str
    people: str
    venue: str
    year: int
    url: str


def bibliography(size: int, seed: int = 1) -> Iterator[str]:
    """The text of a .bib file with this many entries, piece by piece."""
    source = random.Random(seed)
    yield preamble()
    for number in range(size):
        yield record(source, number).bibtex + "\n"


def preamble() -> str:
    """The macros that entries use."""
    macros = "".join(f'@string{{{name} = "{text}"}}\n' for name, text in (JOURNALS | MEETINGS).items())
    return "@comment{synthetic}\n" + macros + "@string{proc = {Proceedings of the}}\n\n"


def record(source: random.Random, number: int, prefix: str = "") -> Record:
    """One entry; the number keeps keys apart."""
    kind = source.choice(TYPES)
    year = source.randint(1985, 2026)
    names = _people(source)
    title = _title(source)
    venue, fields = _container(source, kind)
    key = f"{prefix}{re.sub('[^a-z]', '', names[0].split(',')[0].lower()) or 'work'}{year}x{number}"
    url = f"https://example.org/{kind}/{number}?x=%20{source.randint(1, 99)}&y=~u#s"
    fields = {
        "author": _accented(source, _joined(source, names)),
        "title": braced(title) if source.random() < 0.3 else title,
        **fields,
        "year": str(year),
        **_identifiers(source, kind, number, year),
    }
    if source.random() < 0.5:
        fields["month"] = "#" + source.choice(MONTHS)
    if source.random() < 0.9:
        fields["abstract"] = "\n              ".join(
            _lines(" ".join(sentences(source, source.randint(700, 1300))))
        )
    if source.random() < 0.4:
        fields["keywords"] = ", ".join(_words(source, source.randint(2, 6)))
    fields["url"] = url
    body = "".join(f"  {name:<13}= {_value(source, value)},\n" for name, value in fields.items())
    return Record(
        key, f"@{kind}{{{key},\n{body}}}\n", plain(title), ", ".join(names), plain(venue), year, url
    )


def _people(source: random.Random) -> list[str]:
    """Names as ``Family, Given``."""
    if source.random() < 0.04:
        return ["{Example Systems Laboratory}"]
    count = source.choice([1, 2, 2, 3, 3, 4, 5, 6, 9, 14])
    return [_name(source) for _ in range(count)]


def _name(source: random.Random) -> str:
    given = source.choice(GIVEN)
    if source.random() < 0.35:
        given += f" {source.choice('ABCDEFGHJKLMNPRST')}."
    family = source.choice(FAMILY)
    if source.random() < 0.06:
        family = f"{source.choice(PARTICLES)} {family}"
    return f"{family}, Jr., {given}" if source.random() < 0.03 else f"{family}, {given}"


def _joined(source: random.Random, names: list[str]) -> str:
    ending = " and others" if source.random() < 0.04 else ""
    return (" and " if source.random() < 0.85 else " and\n               ").join(names) + ending


def _accented(source: random.Random, text: str) -> str:
    """The text with TeX accents, in about half of all cases."""
    return text if source.random() < 0.55 else "".join(ACCENTS.get(letter, letter) for letter in text)


def _words(source: random.Random, count: int) -> list[str]:
    return [source.choice(SMALL if place % 3 == 1 else WORDS) for place in range(count)]


def _title(source: random.Random) -> str:
    words = _words(source, source.randint(5, 12))
    if source.random() < 0.45:
        words[source.randrange(len(words))] = braced(source.choice(ACRONYMS))
    if source.random() < 0.12:
        words[source.randrange(len(words))] = source.choice(FORMULAS)
    title = " ".join(words)
    ending = ": Schr{\\\"o}dinger's {\\emph{ab initio}} view \\& more" if source.random() < 0.08 else ""
    return title[0].upper() + title[1:] + ending


def sentences(source: random.Random, size: int) -> Iterator[str]:
    """Sentences of TeX text, until there are ``size`` characters."""
    while size > 0:
        words = _words(source, source.randint(9, 24))
        if source.random() < 0.18:
            words[source.randrange(len(words))] = source.choice(FORMULAS)
        if source.random() < 0.10:
            words[source.randrange(len(words))] = "50\\% \\textit{better}"
        sentence = " ".join(words)
        yield sentence[0].upper() + sentence[1:] + "."
        size -= len(sentence) + 2


def _lines(text: str, width: int = 88) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _container(source: random.Random, kind: str) -> tuple[str, dict[str, str]]:
    """What the work is part of or published by, and the fields that say so; ``#`` begins an expression."""
    first = source.randint(1, 3000)
    pages = {"pages": f"{first}--{first + source.randint(3, 60)}"}
    if kind == "article":
        macro = source.choice(list(JOURNALS))
        name = "#" + macro if source.random() < 0.3 else JOURNALS[macro]
        return JOURNALS[macro], {
            "journal": name,
            "volume": str(source.randint(1, 400)),
            "number": "3",
        } | pages
    if kind == "inproceedings":
        macro = source.choice(list(MEETINGS))
        name = f'#proc # " " # {macro}' if source.random() < 0.2 else f"Proceedings of the {MEETINGS[macro]}"
        return MEETINGS[macro], {"booktitle": name} | pages
    if kind == "book":
        publisher = source.choice(PUBLISHERS)
        return publisher, {"publisher": publisher, "edition": "2nd"}
    if kind == "phdthesis":
        return "Université de Genève", {"school": "Universit{\\'e} de Gen{\\`e}ve"}
    if kind == "techreport":
        return "Example Institute", {"institution": "Example Institute", "number": f"EX-{first:04}"}
    return "arXiv", {}


def _identifiers(source: random.Random, kind: str, number: int, year: int) -> dict[str, str]:
    found = {}
    if kind == "misc" or source.random() < 0.45:
        month = source.randint(1, 12)
        found |= {"eprint": f"{year % 100:02}{month:02}.{number % 100_000:05}", "archivePrefix": "arXiv"}
        found["primaryClass"] = source.choice(["cs.DC", "cs.LG", "cs.AR", "cs.PL"])
    if source.random() < (0.2 if kind == "misc" else 0.8):
        found["doi"] = f"10.5555/example.{year}.{number:06}"
    return found


def _value(source: random.Random, value: str) -> str:
    if value.startswith("#"):
        return value[1:]
    return f'"{value}"' if '"' not in value and source.random() < 0.12 else braced(value)


def braced(text: str) -> str:
    """The text in one more pair of braces."""
    return "{" + text + "}"


def plain(text: str) -> str:
    """The text without TeX, as a page without refkit would have it."""
    return re.sub(r"\\[a-z]+|[\\{}$`*_|^\"]", "", text)


# Sphinx projects


class Site(NamedTuple):
    """A synthetic project on disk."""

    root: Path
    #: The file in which ``OLD_YEAR`` is replaced by ``NEW_YEAR`` to edit one entry.
    edited: Path
    #: The file that a bare touch is tried on: a .bib file, or a page where there is none.
    touched: Path

    def edit(self) -> None:
        """Changes the year of one work, and nothing else."""
        text = self.edited.read_text("utf-8")
        assert text.count(OLD_YEAR) == 1, f"{self.edited} names {OLD_YEAR} {text.count(OLD_YEAR)} times"
        self.edited.write_text(text.replace(OLD_YEAR, NEW_YEAR), "utf-8")

    def restore(self) -> None:
        """Undoes ``edit``."""
        self.edited.write_text(self.edited.read_text("utf-8").replace(NEW_YEAR, OLD_YEAR), "utf-8")


#: Years beyond all page numbers, so that no generated text holds them.
OLD_YEAR, NEW_YEAR = "3973", "3974"


def _sections(sections: int, entries: int) -> list[list[Record]]:
    source = random.Random(5)
    made = [
        [record(source, number, f"s{section:03}") for number in range(entries)] for section in range(sections)
    ]
    first = made[0][0]
    bibtex = re.sub(r"(year +=) .*", rf"\1 {{{OLD_YEAR}}},", first.bibtex)
    made[0][0] = first._replace(bibtex=bibtex, year=int(OLD_YEAR))
    return made


def _annotation(section: int, place: int) -> str:
    """About 300 characters of plain text, without the full stop."""
    source = random.Random(section * 1000 + place)
    return plain(" ".join(sentences(source, 300))).rstrip(".")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def _index(folder: Path, sections: int) -> None:
    tree = "".join(f"   sec{section:03}\n" for section in range(sections))
    _write(folder / "index.rst", f"Synthetic\n=========\n\n.. toctree::\n\n{tree}")


def _page(folder: Path, section: int, blocks: list[str]) -> None:
    heading = f"Section {section}\n===========\n\n{_annotation(section, 999)}.\n\n"
    _write(folder / f"sec{section:03}.rst", heading + "\n".join(blocks))


def plain_site(root: Path, sections: int, entries: int) -> Site:
    """A project without any extension whose pages say what refkit's sections show."""
    _write(root / "conf.py", "project = 'synthetic'\nhtml_theme = 'furo'\n")
    _index(root / "docs", sections)
    for section, records in enumerate(_sections(sections, entries)):
        blocks = []
        for place, work in enumerate(records):
            other = records[(place + 1) % entries]
            blocks.append(
                f"`{work.title} <{work.url}>`__\n   {plain(work.people)}. *{work.venue}*, {work.year}.\n\n"
                f"   {_annotation(section, place)}, see [{plain(other.people).split(',')[0]}].\n\n"
                f"   `paper <{work.url}>`__ `arXiv <https://arxiv.org/abs/2001.00001>`__\n"
            )
        _page(root / "docs", section, blocks)
    page = root / "docs" / "sec000.rst"
    return Site(root, page, page)


def refkit_site(root: Path, sections: int, entries: int, *, extras: bool) -> Site:
    """A project with refkit: a page and a .bib file per section; ``extras``: work pages and bundles."""
    options = f"refkit_work_pages = {extras}\nrefkit_bundles = {extras}\n"
    _write(
        root / "conf.py",
        f"project = 'synthetic'\nhtml_theme = 'furo'\nextensions = ['refkit.sphinxext']\n{options}",
    )
    _write(root / "refkit.toml", 'bib = "bib"\npages = "docs"\n')
    _index(root / "docs", sections)
    for section, records in enumerate(_sections(sections, entries)):
        _write(root / "bib" / f"sec{section:03}.bib", preamble() + "\n".join(work.bibtex for work in records))
        blocks = []
        for place, work in enumerate(records):
            other = records[(place + 1) % entries]
            text = f"{_annotation(section, place)}, see :cite:p:`{other.key}`."
            blocks.append(f".. source:: {work.key}\n   :title: {work.title}\n\n   {text}\n")
        _page(root / "docs", section, blocks)
    bib = root / "bib" / "sec000.bib"
    return Site(root, bib, bib)
