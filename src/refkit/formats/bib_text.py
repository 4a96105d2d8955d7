"""What the two BibTeX formats share: how an entry is laid out, people, addresses, annotations, keywords.

Values come from a .bib file and stay the TeX that they are; only what would stop LaTeX or a reader is mended.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from refkit.hub import annotation_text
from refkit.model import NAME_FIELDS, Person
from refkit.values import names, tex

if TYPE_CHECKING:
    from refkit.formats import Groups
    from refkit.hub import Item
    from refkit.model import Entry

#: Fields that point to other entries (their values are in the entry already) or belong to one person's
#: files, and fields that are written anew.
LEFT_OUT = frozenset(
    "crossref xref xdata ids file pdf groups timestamp owner howpublished url doi keywords".split()
)

# The character first, then what stands before it: so the matcher skips from one to the next.
_MATHEMATICS = ("$", "\\ensuremath", "\\(")
_ADDRESSES = ("\\url", "\\href", "\\path")
_BARE = re.compile(r"([&%#])(?<!\\.)")
_UNDERSCORE = re.compile(r"_(?<!\\.)")
_NOT_IN_URL = re.compile(r'[\x00-\x20"<>\\^`{|}\x7f]|[^\x00-\x7f]')
_ARXIV_VERSION = re.compile(r"v[1-9]\d?(?!\d)")
_TAG_BREAKS = re.compile(r"\s*[,;]\s*")


#: Who, what, where in it, published by whom, when, where to find it; then what others call it; notes last.
_ORDER = (
    "key author editor translator title titleaddon shorttitle journal journaltitle booktitle maintitle "
    "series volume number issue chapter pages edition version type eventtitle venue publisher institution "
    "school organization address location date year month howpublished url doi eprint eprinttype "
    "eprintclass archiveprefix primaryclass isbn issn urldate"
).split()
_LAST = "entrysubtype addendum note keywords abstract annote".split()
_RANKS = {name: rank for rank, name in enumerate(_ORDER)}
_RANKS |= {name: 200 + rank for rank, name in enumerate(_LAST)}


def layout(type: str, key: str, fields: Mapping[str, str], bare: Iterable[str] = ()) -> str:
    """An entry, a field a line in a fixed order. ``bare`` names fields whose value is a macro."""
    names = sorted(fields, key=_rank)
    lines = [
        f"  {name} = {fields[name]},\n" if name in bare else f"  {name} = {{{fields[name]}}},\n"
        for name in names
    ]
    return f"@{type}{{{key},\n{''.join(lines)}}}\n"


def _rank(name: str) -> int:
    return _RANKS.get(name, 100)


def mended(raw: str) -> str:
    """A text value without what stops LaTeX: bare ``& % #``, and ``_`` outside mathematics; braces balanced.

    Values that hold addresses are left alone. A journal that is a command of styles of astronomy is named.
    """
    if raw[:1] == "\\" and raw[1:] in tex.tables.JOURNALS:
        return tex.tables.JOURNALS[raw[1:]]
    # Counting is many times as fast as a search with a pattern, and most values are in order.
    bare = (
        ("&" in raw and raw.count("&") != raw.count("\\&"))
        or ("%" in raw and raw.count("%") != raw.count("\\%"))
        or ("#" in raw and raw.count("#") != raw.count("\\#"))
    )
    underscore = (
        "_" in raw and not any(sign in raw for sign in _MATHEMATICS) and raw.count("_") != raw.count("\\_")
    )
    if not (bare or underscore) or any(command in raw for command in _ADDRESSES):
        return raw
    raw = _BARE.sub(r"\\\1", raw) if bare else raw
    return _UNDERSCORE.sub(r"\\_", raw) if underscore else raw


def address(url: str) -> str:
    """An address as a verbatim field can hold it: what RFC 3986 does not allow is percent-encoded."""
    return _NOT_IN_URL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url)


def arxiv(item: Item) -> str:
    """The arXiv identifier, with its version where the entry gives one."""
    _, found, after = item.entry.text("eprint").partition(item.arxiv)
    version = _ARXIV_VERSION.match(after) if found else None
    return item.arxiv + (version[0] if version else "")


# --------------------------------------------------------------------------- people


def people(entry: Entry, field: str) -> str:
    """A name list with every person as ``Family, Given``, which no reader can misread.

    A name that stands so already, or is an organisation in braces, keeps its TeX.
    """
    raw = entry.fields[field]
    written = raw.split(" and ")
    if raw.lower().count(" and ") >= len(written) or any(map(_is_open, written)):
        written = names.split(raw)
    if all(map(_is_clear, written)):
        return raw
    found = entry.names(field)
    if len(written) != len(found.people) + found.others:
        return " and ".join([*map(name, found.people), *(["others"] if found.others else [])])
    clear = [
        part if _is_clear(part) else name(person) for part, person in zip(written, found.people, strict=False)
    ]
    return " and ".join([*clear, "others"] if found.others else clear)


def _is_open(raw: str) -> bool:
    return raw.count("{") != raw.count("}")


def _is_clear(raw: str) -> bool:
    """Whether a raw name has a comma outside of braces, or is one word or one group in braces."""
    at = raw.find(",")
    brace = raw.find("{")
    if "=" in raw and "family" in raw:
        return False
    if brace < 0:
        return at >= 0 or " " not in raw
    if 0 <= at < brace:
        return True
    while at >= 0:
        before = raw[:at]
        if before.count("{") <= before.count("}"):
            return True
        at = raw.find(",", at + 1)
    return raw[0] == "{" and raw[-1] == "}" and _is_one_group(raw)


def _is_one_group(raw: str) -> bool:
    depth = 0
    for at, char in enumerate(raw, 1):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return at == len(raw)
    return False


def name(person: Person) -> str:
    """A person as BibTeX reads it back whole: ``von Family, Jr, Given``, an organisation in braces."""
    if person.literal:
        return f"{{{tex.encode(person.literal)}}}"
    family = _family(person.family)
    last = f"{person.prefix} {family}" if person.prefix else family
    parts = [last, person.suffix, person.given] if person.suffix else [last, person.given]
    return ", ".join(tex.encode(part) if part is not last else part for part in parts if part)


def _family(family: str) -> str:
    """A family name; in braces where BibTeX would take its first word for a particle or cut it."""
    text = tex.encode(family)
    first = family[:1]
    unsafe = (" " in family and first.islower()) or "," in family or " and " in family.lower()
    return f"{{{text}}}" if unsafe else text


#: Fields of people whose names a reader shows.
PEOPLE = NAME_FIELDS - {"shortauthor", "shorteditor", "sortname"}


# --------------------------------------------------------------------------- what a list adds


def annotation(item: Item) -> str:
    """Annotations as one paragraph: several one after another, each under its section's title.

    A list's are written without markup, because reference managers read none of it: Zotero makes "emphmemory"
    of ``\\emph{memory}``. An entry's own annotation stays the TeX that it is.
    """
    if not item.context.notes:
        return item.entry.get("annotation", "annote")
    return tex.encode(annotation_text(item.notes, " "))


def keywords(item: Item) -> str:
    """Tags with commas between; a tag itself can hold neither comma nor semicolon here."""
    return ", ".join(tex.encode(_TAG_BREAKS.sub(" ", tag)) for tag in item.tags)


def jabref_groups(groups: Groups) -> str:
    """Groups as JabRef and Zotero read them: a comment of version 3 with the keys of each group."""
    if len(groups) < 2:
        return ""
    lines = ["0 AllEntriesGroup:;"]
    for title, keys in groups:
        inside = "".join(f"{_group_text(key)}\\;" for key in keys)
        lines.append(f"1 ExplicitGroup:{_group_text(title)}\\;0\\;{inside};")
    tree = "\n".join(lines)
    return f"\n@comment{{jabref-meta: groupsversion:3;}}\n\n@comment{{jabref-meta: groupstree:\n{tree}\n}}\n"


def _group_text(text: str) -> str:
    """A title or key within the tree; braces would end the comment."""
    return text.replace("\\", "").replace("{", "(").replace("}", ")").replace(";", ",")


def lost(item: Item) -> list[str]:
    """The fields that neither format writes: somebody's files, an address that is no safe link."""
    written = {"howpublished", "url"} if item.own_url else set()
    if "medium" in item.csl:
        written.add("howpublished")
    if item.doi:
        written.add("doi")
    written |= {"crossref", "xref", "xdata", "ids", "keywords"}
    return [
        name for name, raw in item.entry.fields.items() if raw and name in LEFT_OUT and name not in written
    ]
