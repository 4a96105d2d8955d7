"""What must hold for any bytes given as a .bib file; `make fuzz` looks for those for which it does not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from refkit.bibtex import Document, UnreadableError, read_bytes
from refkit.bibtex.edit import EditError, Editor
from refkit.bibtex.layout import of_document
from refkit.values import names, tex

if TYPE_CHECKING:
    from refkit.model import Entry

SEEDS = sorted((Path(__file__).resolve().parent.parent / "data").rglob("*.bib"))
#: Pieces that .bib files are made of, for mutations.
WORDS = [
    *(
        b"@",
        b"@misc{",
        b"@string{",
        b"@comment{",
        b"{",
        b"}",
        b'"',
        b"(",
        b")",
        b",",
        b"=",
        b"#",
        b"%",
        b"\\",
        b"$",
    ),
    *(b"\n", b"\r", b"\xef\xbb\xbf", b"\xff", b"\0", b"\xe2\x80\xa8", b" and "),
]


def check(data: bytes) -> None:
    """Read, edit and lay out some bytes, and make sure that nothing is lost."""
    try:
        document = read_bytes(data, "fuzz.bib")
    except UnreadableError:
        return
    assert document.encode() == data
    assert "".join(document.text[block.start : block.end] for block in document.blocks) == document.text
    assert Editor(document).bytes() == data
    for entry in document.entries:
        for field, value in entry.fields.items():
            names.parse(value)
            tex.decode(value)
            tex.verbatim(value)
            assert entry.text(field) is not None
    check_layout(document)
    check_edit(document)


def check_layout(document: Document) -> None:
    """The layout keeps all facts, and is its own layout."""
    data, left = of_document(document)
    again = read_bytes(data)
    assert facts(again) == facts(document)
    assert of_document(again)[0] == data
    sound = [block for block in document.blocks if block.kind == "entry" and not block.broken]
    assert len(sound) >= len(facts(document)) - len([block for block in left if block.broken])


def check_edit(document: Document) -> None:
    """Setting a field of the first sound entry changes that field alone."""
    for entry in document.entries:
        editor = Editor(document)
        try:
            editor.set(entry.key, "fuzzed", "New {value}")
        except EditError:
            continue
        again = read_bytes(editor.bytes())
        pairs = list(zip(document.entries, again.entries, strict=True))
        changed = [(before, after) for before, after in pairs if own(before) != own(after)]
        assert [own(after) for _, after in changed] == [{**own(changed[0][0]), "fuzzed": "New {value}"}]
        return


def facts(document: Document) -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """Keys, types and fields of all entries."""
    return [(entry.key, entry.type, tuple(sorted(entry.fields.items()))) for entry in document.entries]


def own(entry: Entry) -> dict[str, str]:
    """The fields that an entry has itself."""
    return {name: value for name, value in entry.fields.items() if name not in entry.inherited}


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
def test_nothing_is_lost_from_the_files_of_the_tests(path: Path) -> None:
    check(path.read_bytes())


@pytest.mark.parametrize("seed", range(60))
def test_nothing_is_lost_from_damaged_files(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(chance.choice(SEEDS).read_bytes())
    start = chance.randrange(max(len(data) - 2000, 1))
    data = data[start : start + 2000]
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(data) + 1)
        data[at : at + chance.choice([0, 0, 1, 5, 40])] = chance.choice(WORDS)
    check(bytes(data))
