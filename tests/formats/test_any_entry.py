"""Whatever an entry holds, every format writes a whole file: nothing raises, nothing leaves its place."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

from hypothesis import example, given, settings
from hypothesis import strategies as st

from refkit.bibtex.reader import read_text
from refkit.formats import FORMATS, coins, unapi
from refkit.hub import Context, Item, Note, item
from refkit.model import Entry

TYPES = (
    "article inproceedings book incollection thesis phdthesis report standard online software dataset misc "
    "patent unpublished manual weird proceedings"
).split()
FIELDS = (
    "author editor title subtitle date year month pages number volume series publisher organization "
    "institution school url doi eprint eprinttype note annote abstract keywords urldate titleaddon "
    "journaltitle booktitle type version edition location address venue howpublished isbn language options "
    "editortype entrysubtype addendum x"
).split()
#: Raw values as a reader gives them: braces balance, white space is single blanks.
PIECES = [
    *("a", "Roe, Ann", " and ", "others", "{", "}", "\\", "\\&", "&", "%", "#", "_", "$", "~", "^", "<"),
    *(">", '"', "'", ",", ";", ":", "ER  - ", "TY  - BOOK", "@misc{x,", "]]>", "<i>", "&amp;", "é", "Ω"),
    *("x\u030c", "—", " ", "\u200b", "\x01", "1999", "2020-05-01", "--", "-", "12", "javascript:alert(1)"),
    *("https://ex.org/a_b", "10.5555/x", "2101.00001", "arXiv", "preprint", "Type: book"),
]  # fmt: skip
VALUES = st.lists(
    st.sampled_from(PIECES),
    max_size=6,
).map(lambda parts: balanced(" ".join("".join(parts).split())))


def balanced(raw: str) -> str:
    """The value with braces added and dropped until they balance as BibTeX counts them."""
    out, depth = [], 0
    for char in raw:
        if char == "}" and depth == 0:
            continue
        depth += (char == "{") - (char == "}")
        out.append(char)
    return "".join(out) + "}" * depth


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    fields = draw(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=8))
    return Entry(draw(st.sampled_from(["a", "Roe:2020/x+y", "müller"])), draw(st.sampled_from(TYPES)), fields)


CONTEXTS = st.sampled_from(
    [
        None,
        Context(),
        Context(notes=(Note("S; }", "s", "a\nb", "a<br>b", "a"),) * 2, sections=(("s", "S; }, x"),)),
    ]
)


@settings(max_examples=150)
@given(entries(), CONTEXTS)
@example(Entry("a", "thesis", {"type": ""}), Context())
def test_every_format_is_whole(entry: Entry, context: Context | None) -> None:
    found = item(entry, context)

    assert [one["id"] for one in json.loads(FORMATS["csl-json"].dumps([found, found]))] == [entry.key] * 2
    root = ElementTree.fromstring(FORMATS["zotero-rdf"].dumps([found], groups=[("S & <", [entry.key])]))
    assert len(root.findall("{http://www.zotero.org/namespaces/export#}Collection")) == 1
    ElementTree.fromstring(unapi.dumps([found]))
    ElementTree.fromstring(coins.span(found))
    assert all(name and content for name, content in unapi.meta_tags(found))
    check_ris(found)
    for format in ("bibtex", "biblatex"):
        check_bib(found, format)
    for format in FORMATS:
        assert set(FORMATS[format].writer.lost(found)) <= set(entry.fields)


def check_ris(found: Item) -> None:
    text = FORMATS["ris"].dumps([found, found])
    lines = text.split("\r\n")

    assert all(re.fullmatch(r"([A-Z][A-Z0-9]  - .*)?", line) for line in lines), text
    assert sum(line.startswith("TY  - ") for line in lines) == sum(line == "ER  - " for line in lines) == 2


def check_bib(found: Item, format: str) -> None:
    text = FORMATS[format].dumps([found])
    document = read_text(text)
    (entry,) = document.entries

    assert entry.key == found.key
    assert not [one for one in document.diagnostics if one.severity == "error"], text
    if format == "bibtex":
        assert text.replace(found.key, "").isascii()
    assert "javascript" not in entry.url
