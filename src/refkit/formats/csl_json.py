"""CSL-JSON 1.0.2, for pandoc, Quarto, citeproc and Zotero.

Zotero's reader asks for some care: one item of type ``software`` makes it refuse the whole file, a ``book``
with a ``version`` becomes a program, and ``note`` is its field "Extra", whose ``Label: value`` lines move
into fields.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from refkit import hub
from refkit.formats import zotero
from refkit.model import Diagnostic

if TYPE_CHECKING:
    from refkit.hub import Item
    from refkit.model import Entry

HEAD = "[\n"
SEPARATOR = ",\n"
TAIL = "\n]\n"

#: Types of which Zotero takes ``version``; for others it is repeated in ``note``.
_VERSIONED = frozenset(("software", "standard", "dataset"))
#: Types of which Zotero takes ``number``.
_NUMBERED = frozenset(("article", "report", "standard", "patent", "legal_case", "legislation"))

_text = json.encoder.encode_basestring
_encoded = json.JSONEncoder(ensure_ascii=False).encode


def one(item: Item) -> str:
    """One item, a variable a line."""
    lines = [f'    "{name}": {_value(value)}' for name, value in variables(item).items()]
    return "  {\n" + ",\n".join(lines) + "\n  }"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict) and len(value) == 1 and "date-parts" in value:
        return f'{{"date-parts": {value["date-parts"]}}}'  # Python writes lists of numbers as JSON does
    return _encoded(value)


def variables(item: Item) -> dict[str, Any]:
    """The item's variables as they stand in the file."""
    csl = dict(item.csl)
    lines = list(notes(item))
    if item.type == "software":
        csl["type"] = "book" if "version" in csl else "document"
    elif item.type == "book":
        csl.pop("version", None)
    if lines:
        csl.pop("note", None)
        csl["note"] = "\n".join(lines)
    if "abstract" not in csl and "annote" in csl:
        # The only prose that Zotero takes from CSL-JSON is the abstract.
        csl["abstract"] = csl["annote"]
    return csl


def notes(item: Item) -> Sequence[str]:
    """The lines of ``note``: what Zotero reads from its field "Extra", then the entry's own remarks."""
    csl = item.csl
    lines = []
    if item.type == "software":
        lines.append("Type: software")
    if item.arxiv:
        lines.append(f"arXiv: {item.arxiv}")
        if item.arxiv_class:
            lines.append(f"arXiv class: {item.arxiv_class}")
    if "version" in csl and item.type not in _VERSIONED:
        lines.append(f"Version: {csl['version']}")
    if "number" in csl and item.type not in _NUMBERED:
        lines.append(f"Number: {csl['number']}")
    if licence := item.licence:
        lines.append(f"Rights: {licence}")
    lines += [f"Remark: {remark}" if zotero.is_labelled(remark) else remark for remark in item.remarks]
    return lines


def lost(item: Item) -> list[str]:
    """The fields of the entry that the format cannot carry."""
    return hub.lost(item)


def loads(text: str) -> list[Entry]:
    """The entries of a CSL-JSON file; :func:`read` says what of it is lost.

    Raises:
        ValueError: The text is not CSL-JSON.
    """
    return read(text)[0]


def read(text: str, file: str = "") -> tuple[list[Entry], list[Diagnostic]]:
    """The entries of a CSL-JSON file (an array of items, or one item), and what could not be kept.

    Raises:
        ValueError: The text is not JSON, or holds no items; says where.
    """
    from refkit.formats.csl_entry import entry, unique_keys

    entries, diagnostics = [], []
    for number, csl in enumerate(_items(text), 1):
        if not isinstance(csl, dict):
            message = f"item {number} of the array is not an object; it is left out"
            diagnostics.append(Diagnostic("error", "parse-error", message, "", file or None))
            continue
        one, unknown = entry(csl)
        one.file = file
        entries.append(one)
        if unknown:
            message = f"no field holds the variables {', '.join(unknown)}; they are left out"
            diagnostics.append(Diagnostic("warning", "not-carried", message, one.key, file or None))
    if diagnostics and not entries:
        raise ValueError("not CSL-JSON: no item of the array is an object")
    return unique_keys(entries), diagnostics


def _items(text: str) -> list[Any]:
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise ValueError("not CSL-JSON: nested too deeply") from error
    if isinstance(data, dict):
        items = data.get("items")  # as Zotero's web interface wraps them
        return items if isinstance(items, list) else [data]
    if not isinstance(data, list):
        raise ValueError("not CSL-JSON: neither an array of items nor an item")
    return data
