"""Reads real .bib files and compares what refkit reads with what biber reads.

Usage: corpus.py [--biber FOLDER] [--jobs N] [--list] PATH...

A PATH is a .bib file, a folder of them (.bib.gz too), or a source distribution (.tar.gz) that holds some.
Every file is read, laid out and encoded again. With --biber, names, titles and dates of all entries that
biber reads are compared; FOLDER keeps its answers for the next time. --list shows every difference. The exit
status is 1 if a file could not be read, or a difference is of a kind that README.md does not explain.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import hashlib
import re
import subprocess
import sys
import tarfile
import time
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from refkit.bibtex import Document, UnreadableError, read_bytes
from refkit.bibtex.edit import Editor
from refkit.bibtex.layout import of_document
from refkit.values import tex

if TYPE_CHECKING:
    from refkit.model import Entry, Person

#: Fields that are compared as lists of names, and as texts.
NAMES = ("author", "editor", "translator", "bookauthor", "editora")
TEXTS = ("title", "booktitle", "subtitle")
#: Seconds that biber gets for a file.
BIBER_TIMEOUT = 1800
_XML = "{http://biblatex-biber.sourceforge.net/biblatexml}"


class File(NamedTuple):
    """A .bib file of a corpus."""

    name: str
    data: bytes


class Difference(NamedTuple):
    """What refkit and biber read differently."""

    file: str
    key: str
    field: str
    raw: str
    ours: str
    biber: str
    #: The kind that explains it; empty for one that nothing explains.
    kind: str


# -- files ---------------------------------------------------------------------------------------------------


def files(paths: list[Path]) -> Iterator[File]:
    """All .bib files of these places, equal ones once."""
    seen: set[bytes] = set()
    for path in paths:
        for file in _files(path):
            digest = hashlib.sha256(file.data).digest()
            if digest not in seen:
                seen.add(digest)
                yield file


def _files(path: Path) -> Iterator[File]:
    if path.is_dir():
        for found in sorted((*path.rglob("*.bib"), *path.rglob("*.bib.gz"))):
            if found.is_file():
                yield from _files(found)
    elif path.name.endswith(".tar.gz"):
        with tarfile.open(path) as archive:
            for member in archive:
                content = archive.extractfile(member) if member.name.endswith(".bib") else None
                if content is not None:
                    yield File(f"{path.name}:{member.name}", content.read())
    elif path.suffix == ".gz":
        yield File(str(path), gzip.decompress(path.read_bytes()))
    else:
        yield File(str(path), path.read_bytes())


# -- reading -------------------------------------------------------------------------------------------------


def check(file: File) -> Document:
    """Read a file, all of it to plain values; make sure that editing and layout lose nothing.

    Raises:
        AssertionError: something was lost.
        UnreadableError: the file is no text.
    """
    document = read_bytes(file.data, file.name)
    assert document.encode() == file.data, "the bytes of the text are not those of the file"
    assert Editor(document).bytes() == file.data, "the editor changes a file by itself"
    for entry in document.entries:
        for name in entry:
            entry.text(name)
        for name in NAMES:
            entry.names(name)
        assert entry.date is None or entry.date.iso
    laid_out, _ = of_document(document)
    again = read_bytes(laid_out)
    assert _facts(again) == _facts(document), "layout changes values"
    assert of_document(again)[0] == laid_out, "layout is not idempotent"
    return document


def _facts(document: Document) -> list[tuple[str, str, dict[str, str]]]:
    return [(entry.key, entry.type, dict(entry.fields)) for entry in document.entries]


# -- biber ---------------------------------------------------------------------------------------------------


class Biber(NamedTuple):
    """What biber reads of an entry, as plain text."""

    names: dict[str, list[tuple[str, str, str, str]]]
    others: set[str]
    texts: dict[str, str]
    date: str


def biber(file: File, folder: Path) -> dict[str, Biber] | str:
    """What biber reads of a file, by key; or why it reads nothing."""
    stem = hashlib.sha256(file.data).hexdigest()[:20]
    answer = folder / f"{stem}.xml"
    if not answer.exists():
        _ask_biber(file, folder, answer)
    try:
        return {entry.get("id", ""): _biber_entry(entry) for entry in ET.parse(answer).getroot()}
    except ET.ParseError:
        return answer.read_text(encoding="utf-8", errors="replace").partition("\n")[0]


def _ask_biber(file: File, folder: Path, answer: Path) -> None:
    """Let biber write what it reads; where it reads nothing, the answer is one line that says why."""
    folder.mkdir(parents=True, exist_ok=True)
    source, unfinished = answer.with_suffix(".bib"), answer.with_suffix(".part")
    source.write_bytes(file.data)
    encoding = read_bytes(file.data).encoding
    options = (
        [] if encoding.startswith("utf") else ["--input-encoding", encoding.replace("iso8859", "iso-8859")]
    )
    command = ["biber", "--tool", "--quiet", "--no-bltxml-schema", "--output-format=biblatexml", *options]
    command += [f"--output-file={unfinished.name}", source.name]
    try:
        run = subprocess.run(
            command, cwd=folder, timeout=BIBER_TIMEOUT, capture_output=True, text=True, check=False
        )
    except subprocess.TimeoutExpired:
        answer.write_text(f"no answer in {BIBER_TIMEOUT} s", encoding="utf-8")
        return
    try:
        ET.parse(unfinished)
    except (OSError, ET.ParseError):
        why = "syntax error" if "syntax error" in run.stdout + run.stderr else f"exit status {run.returncode}"
        answer.write_text(f"biber reads nothing: {why}", encoding="utf-8")
    else:
        unfinished.replace(answer)


def _biber_entry(entry: ET.Element) -> Biber:
    names: dict[str, list[tuple[str, str, str, str]]] = {}
    others = set()
    for group in entry.findall(f"{_XML}names"):
        field = group.get("type", "")
        names[field] = [_biber_name(name) for name in group.findall(f"{_XML}name")]
        if group.get("morenames"):
            others.add(field)
    texts = {
        name: _plain("".join(found.itertext()))
        for name in TEXTS
        if (found := entry.find(_XML + name)) is not None
    }
    return Biber(names, others, texts, _biber_date(entry))


def _biber_name(name: ET.Element) -> tuple[str, str, str, str]:
    parts = {part.get("type"): _joined(part) for part in name.findall(f"{_XML}namepart")}
    family, given, prefix, suffix = (parts.get(part, "") for part in ("family", "given", "prefix", "suffix"))
    return family, given, prefix, suffix


def _joined(part: ET.Element) -> str:
    inner = part.findall(f"{_XML}namepart")
    return _plain(" ".join(piece.text or "" for piece in inner) if inner else part.text or "")


def _biber_date(entry: ET.Element) -> str:
    for date in entry.findall(f"{_XML}date"):
        if date.get("type"):
            continue
        start, end = date.find(f"{_XML}start"), date.find(f"{_XML}end")
        if start is None:
            return date.text or ""
        return (start.text or "") + ("" if end is None else "/" + (end.text or ""))
    return ""


# -- comparison ----------------------------------------------------------------------------------------------


def compare(document: Document, found: dict[str, Biber]) -> Iterator[Difference | None]:
    """One item for each value compared: a difference, or ``None`` where there is none."""
    mine: dict[str, Entry] = {}
    for entry in (*document.entries, *document.xdata):
        mine.setdefault(entry.key, entry)
    for key, theirs in found.items():
        entry = mine.get(key)
        if entry is None:
            yield Difference(document.file, key, "entry", "", "absent", "read", "")
            continue
        yield from _compared(document, entry, theirs)


def _compared(document: Document, entry: Entry, theirs: Biber) -> Iterator[Difference | None]:
    def own(*names: str) -> str:
        return next(
            (entry.fields[name] for name in names if name in entry.fields and name not in entry.inherited), ""
        )

    for field, people in theirs.names.items():
        if field in NAMES:
            listed = entry.names(field)
            ours = [_name(person) for person in listed.people]
            marks = ["others"] if listed.others else [], ["others"] if field in theirs.others else []
            yield _difference(document, entry, field, own(field), [*ours, *marks[0]], [*people, *marks[1]])
    for field, text in theirs.texts.items():
        yield _difference(document, entry, field, own(field), _plain(own(field)), text)
    if theirs.date:
        raw = own("date") or " ".join(filter(None, (own("year"), own("month"))))
        date = entry.date
        yield _difference(
            document, entry, "date", raw, _digits(date.iso) if date else "", _digits(theirs.date)
        )


def _difference(
    document: Document, entry: Entry, field: str, raw: str, ours: object, biber: object
) -> Difference | None:
    if ours == biber:
        return None
    difference = Difference(document.file, entry.key, field, raw, str(ours), str(biber), "")
    if [found.name for found in document.fields_of(entry)].count(field) > 1:
        return difference._replace(kind="repeated-field")
    kind = next((kind for kind, explains in KINDS.items() if explains(difference)), "")
    return difference._replace(kind=kind)


def _name(person: Person) -> tuple[str, str, str, str]:
    if person.literal:
        return _squeezed(person.literal), "", "", ""
    return tuple(_squeezed(part) for part in (person.family, person.given, person.prefix, person.suffix))  # type: ignore[return-value] # four


def _plain(text: str) -> str:
    """Biber decodes characters and leaves braces and commands, which are decoded here as refkit does."""
    return _squeezed(tex.decode(text))


def _squeezed(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _digits(date: str) -> str:
    """Years, months and days of a date, without marks of doubt, times and leading zeros of the year."""
    return re.sub(r"T[\d:.Z+-]+|[~?%]", "", date).strip("/")


def _starts_alike(found: Difference) -> bool:
    """Whether both dates begin with the same year."""
    return found.field == "date" and found.ours[:4] == found.biber[:4] != ""


_EDTF = re.compile(r"(?:-?\d{4}(?:-\d\d){0,2}|\.\.|)(?:/(?:-?\d{4}(?:-\d\d){0,2}|\.\.|))?\Z")
_MONTH = re.compile(r"\d{4}(?:-\d\d)?\Z")


def _years_stand_there(found: Difference) -> bool:
    """Whether each year that refkit reads, if any, stands in the field as it was written."""
    return all(year in found.raw for year in re.findall(r"\d{4}", found.ours))


def _as_many(found: Difference) -> bool:
    """Whether both have the same number of people, so that refkit has lost none."""
    return len(ast.literal_eval(found.ours)) == len(ast.literal_eval(found.biber))


def _same_letters(found: Difference) -> bool:
    """Whether the people of both are the same but for how their names are cut up."""
    return found.field in NAMES and _as_many(found) and _letters(found.ours) == _letters(found.biber)


#: Kind of difference -> whether it explains one. See README.md. A kind says what biber does *and* bounds what
#: refkit may have read, so that a wrong value of refkit's does not pass under it.
KINDS: dict[str, Callable[[Difference], bool]] = {
    "dotless-i": lambda found: _dotted(found.biber) == _dotted(found.ours),
    "year-in-words": lambda found: (
        found.field == "date" and not _EDTF.match(found.biber) and _years_stand_there(found)
    ),
    "month-in-words": lambda found: _starts_alike(found) and bool(_MONTH.match(found.biber)),
    "letter-in-braces": lambda found: bool(re.search(r"\{\w\}\w", found.raw)) and _same_letters(found),
    "word-of-a-command": lambda found: (
        found.field in NAMES
        and bool(re.search(r"(?:^|[\s{])\\[A-Za-z]+[{}]*(?:\s|\Z)", found.raw))
        and _as_many(found)
        and not Counter(_letters(found.biber)) - Counter(_letters(found.ours))
    ),
    "suffix-behind-given-names": lambda found: (
        bool(re.search(r", (?:Jr|Sr|I+)\b", found.raw)) and _same_letters(found)
    ),
    "command-between-words": lambda found: bool(re.search(r"\\[a-z]+ ", found.raw)) and _same_letters(found),
    "hyphen-of-tex": lambda found: (
        "\\-" in found.raw
        and found.ours.replace("-", "").replace("–", "") == found.biber.replace("-", "").replace("–", "")
    ),
}


def _dotted(text: str) -> str:
    """The text with accents on a dotless i as accents on an i."""
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", re.sub("ı(?=[\u0300-\u036f\u00b4`])", "i", apart))


def _letters(text: str) -> str:
    """The letters and digits of a text in alphabetical order: the same for the same words in any order."""
    return "".join(sorted(char for char in _dotted(text) if char.isalnum()))


# -- report --------------------------------------------------------------------------------------------------


def main() -> int:
    """Read and compare; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path)
    parser.add_argument("--biber", metavar="FOLDER", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", metavar="N", type=int, default=2)
    args = parser.parse_args()
    count: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    bad = 0
    found_files = sorted(files(args.paths), key=lambda file: len(file.data))
    if args.biber:
        with ThreadPoolExecutor(args.jobs) as pool:
            list(pool.map(lambda file: biber(file, args.biber), found_files))
    for file in found_files:
        began = time.perf_counter()
        try:
            document = check(file)
        except (UnreadableError, AssertionError) as error:
            bad += 1
            print(f"FAILED {file.name}: {error}")
            continue
        count.update(files=1, entries=len(document.entries), bytes=len(file.data))
        took = time.perf_counter() - began
        if took > 5 + len(file.data) / 100_000:
            print(f"slow: {file.name} took {took:.1f} s")
        faults.update(f"{found.severity} {found.code}" for found in document.diagnostics)
        theirs = biber(file, args.biber) if args.biber else {}
        if isinstance(theirs, str):
            compared[f"file: {theirs}"] += 1
            continue
        for found in compare(document, theirs):
            compared[_kind(found)] += 1
            if found is not None and (args.list or not found.kind):
                print("\t".join(found))
                bad += not found.kind
    _print("read", count)
    _print("diagnostics", faults)
    _print("compared with biber", compared)
    return 1 if bad else 0


def _kind(found: Difference | None) -> str:
    return "equal" if found is None else found.kind or "NOT EXPLAINED"


def _print(title: str, counts: Counter[str]) -> None:
    if counts:
        print(f"\n{title}")
        for name, number in counts.most_common():
            print(f"  {number:>9,}  {name}")


if __name__ == "__main__":
    sys.exit(main())
