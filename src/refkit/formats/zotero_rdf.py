"""Zotero RDF: the one format that Zotero reads without loss; types, people, tags, notes and collections.

Namespaces and predicates are those of Zotero's own export (translators ``Zotero RDF`` and ``RDF``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from refkit import hub
from refkit.formats import zotero

if TYPE_CHECKING:
    from refkit.formats import Groups
    from refkit.hub import Item, Note

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
xmlns:z="http://www.zotero.org/namespaces/export#" \
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" \
xmlns:bib="http://purl.org/net/biblio#" xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:so="http://schema.org/">
"""
SEPARATOR = ""
TAIL = "</rdf:RDF>\n"
#: What XML 1.0 does not allow, escaped or not. Named by what is in it: the complement compiles slowly.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

#: CSL role -> element of a list of people, besides author.
_ROLES = {
    "editor": "bib:editors",
    "contributor": "bib:contributors",
    "translator": "z:translators",
    "container-author": "z:bookAuthors",
    "compiler": "bib:contributors",
    "director": "bib:contributors",
    "organizer": "bib:contributors",
}


def without_forbidden(text: str) -> str:
    """Text without the characters that XML 1.0 forbids."""
    return _NO_XML.sub("", text)


def escape(text: str) -> str:
    """Text for XML content and for attributes in double quotes; characters that XML forbids are left out."""
    text = without_forbidden(text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def one(item: Item) -> str:
    """One item and its notes."""
    csl = item.csl
    about = escape(f"#{item.key}")
    lines = [f'<rdf:Description rdf:about="{about}">', _element("z:itemType", zotero.item_type(item))]
    lines += [_element(f"z:{field}", value) for field, value in zotero.fields(item)]
    lines.append(_element("dc:title", csl.get("title", "")))
    lines.append(_element("dc:date", zotero.iso(csl.get("issued"))))
    lines.append(_element("dcterms:abstract", csl.get("abstract", "")))
    lines += _people(item)
    lines.append(_element("dc:description", "\n".join(zotero.extra_lines(item))))
    lines += [_element("dc:subject", tag) for tag in item.tags]
    notes = list(_notes(item))
    names = [f"{about}~{number}" for number in range(1, len(notes) + 1)]
    lines += [f'  <dcterms:isReferencedBy rdf:resource="{name}"/>' for name in names]
    lines.append("</rdf:Description>")
    lines += [_memo(name, html, tags) for name, (html, tags) in zip(names, notes, strict=True)]
    return "".join(f"{line}\n" for line in lines if line)


def _element(name: str, text: str) -> str:
    text = escape(text)
    return f"  <{name}>{text}</{name}>" if text else ""


def _people(item: Item) -> list[str]:
    out = []
    if "author" in item.csl:
        out.append(
            _list(
                "bib:authors" if zotero.item_type(item) in zotero.AUTHORED else "so:author",
                item.csl["author"],
            )
        )
    merged: dict[str, list[dict[str, str]]] = {}
    for role, element in _ROLES.items():
        if role in item.csl:
            merged.setdefault(element, []).extend(item.csl[role])
    return out + [_list(element, people) for element, people in merged.items()]


def _list(element: str, people: Iterable[dict[str, str]]) -> str:
    return f"  <{element}><rdf:Seq>{''.join(_person(name) for name in people)}</rdf:Seq></{element}>"


def _person(name: dict[str, str]) -> str:
    """A name; without a given name it becomes a name of one field."""
    surname = name.get("literal") or " ".join(
        part
        for part in (name.get("non-dropping-particle"), name.get("dropping-particle"), name.get("family"))
        if part
    )
    given = ", ".join(part for part in (name.get("given"), name.get("suffix")) if part)
    given = f"<foaf:givenName>{escape(given)}</foaf:givenName>" if given else ""
    return (
        f"<rdf:li><foaf:Person><foaf:surname>{escape(surname)}</foaf:surname>{given}</foaf:Person></rdf:li>"
    )


def _notes(item: Item) -> Iterable[tuple[str, list[str]]]:
    """(HTML, tags) of each note: one per annotation, then the entry's own remarks."""
    notes = item.notes
    for note in notes:
        yield annotation(note, titled=len(notes) > 1), [f"section: {note.section}"] if note.section else []
    for remark in item.remarks:
        yield f"<p>{escape(remark)}</p>", []


def annotation(note: Note, *, titled: bool) -> str:
    """An annotation as the HTML of a Zotero note, under its section's title where there are several."""
    heading = f"<strong>{escape(note.section)}.</strong> " if titled and note.section else ""
    return f"<p>Annotation: {heading}{_paragraphs(note.html)}</p>"


def _paragraphs(html: str) -> str:
    return "</p><p>".join(" ".join(part.split()) for part in html.split("\n\n"))


def _memo(name: str, html: str, tags: Iterable[str]) -> str:
    subjects = "".join(f"<dc:subject>{escape(tag)}</dc:subject>" for tag in tags)
    return f'<bib:Memo rdf:about="{name}"><rdf:value>{escape(html)}</rdf:value>{subjects}</bib:Memo>'


def grouped(groups: Groups, title: str) -> str:
    """One group is a collection of its own; several stand in a collection of the list's title."""
    numbered = [(str(number), name, keys) for number, (name, keys) in enumerate(groups, 1)]
    root = ""
    if len(numbered) > 1:
        root = _collection("0", title or "Bibliography", [f"#collection~{number}" for number, *_ in numbered])
    return root + "".join(
        _collection(number, name, [f"#{key}" for key in keys]) for number, name, keys in numbered
    )


def _collection(number: str, title: str, parts: Iterable[str]) -> str:
    inside = "".join(f'<dcterms:hasPart rdf:resource="{escape(part)}"/>' for part in parts)
    name = f"<dc:title>{escape(title)}</dc:title>"
    return f'<z:Collection rdf:about="#collection~{number}">{name}{inside}</z:Collection>\n'


def lost(item: Item) -> list[str]:
    """The fields of the entry that the format cannot carry."""
    return hub.lost(item)
