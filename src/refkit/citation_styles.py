"""References as plain text in IEEE's and APA's style, set by citeproc-py from the official CSL styles.

The styles in ``styles/`` are kept unchanged. What the processor lacks of the CSL 1.0.2 specification is made
up for here: in what it is given where that is possible, else in the text that it gives back.

Importing this module is cheap; citeproc-py and lxml are loaded with the first :class:`Processor`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refkit.hub import Item

FOLDER = Path(__file__).parent / "styles"
#: Style -> what it is called.
STYLES = {"ieee": "IEEE", "apa": "APA"}

#: Variables that no reference shows.
_UNSHOWN = frozenset(("note", "annote", "abstract", "keyword", "citation-key", "title-short"))
_MARKUP = re.compile(r"</?(?:i|b|sup|sub|span|sc)(?: [^<>]*)?>")
_NICKNAME = re.compile(r"\s*\([^()]*\)")
_VERSION_WORD = re.compile(r"(?:version|revision|release)\s+(?=\d)|v(?=\d)", re.IGNORECASE)
#: Punctuation that CSL's rules of collision and "punctuation-in-quote" (en-US) leave: wrong -> right.
_COLLISIONS = (
    ("?”,", "?”"), ("!”,", "!”"), ("?”.", "?”"), ("!”.", "!”"),
    ("”,", ",”"), ("”.", ".”"), ("?.", "?"), ("!.", "!"), ("..", "."),
)  # fmt: skip


class Processor:
    """Sets references of single works; each style is read once.

    A text depends on the work alone: neither on other works nor on the order in which they are set.
    """

    def text(self, item: Item, style: str) -> str:
        """The reference of a work in a style of :data:`STYLES`, as plain text on one line.

        Raises:
            Exception: The processor, which is foreign code, cannot set the work.
        """
        return _finished(self._set(given(item, style), style))

    @cached_property
    def _styles(self) -> dict[str, Any]:
        return {name: _style(FOLDER / f"{name}.csl") for name in STYLES}

    @cached_property
    def _item(self) -> Callable[[str], Any]:
        """Citeproc-py's item, but one that looks up once which work it is: it is asked hundreds of times."""
        from citeproc import CitationItem

        def reference(item: Any) -> Any:
            return item.bibliography.source[item.key]

        found = cached_property(reference)
        made = type("Item", (CitationItem,), {"reference": found})
        found.__set_name__(made, "reference")
        return made

    def _set(self, csl: dict[str, Any], style: str) -> str:
        from citeproc import Citation, CitationStylesBibliography, formatter
        from citeproc.source.json import CiteProcJSON

        with warnings.catch_warnings():
            # It warns of variables that are new in CSL 1.0.2 ("event-title"), and sets them all the same.
            warnings.simplefilter("ignore", UserWarning)
            source = CiteProcJSON([{**csl, "id": "work"}])  # it takes keys in small letters only
        bibliography = CitationStylesBibliography(self._styles[style], source, formatter.plain)
        bibliography.register(Citation([self._item("work")]))
        entries = bibliography.bibliography()
        return str(entries[0]) if entries else ""


def _style(path: Path) -> Any:
    """A style that looks up each macro and each term once.

    citeproc-py searches the whole style or locale with XPath for each use of a macro or a term, and asks anew
    whether a macro has variables: two thirds of its time. All of that follows from the style alone.
    """
    from citeproc import CitationStylesStyle

    style = CitationStylesStyle(str(path), validate=False)
    root = style.root
    elements = [*_fixed(root), *(one for locale in root.locales for one in _fixed(locale))]
    macros = list(root.iterfind("cs:macro", root.nsmap))
    for macro in macros:
        macro.calls_variable = cache(macro.calls_variable)
    _substituting(root)
    for locale in root.locales:
        locale.get_term = _remembered(locale.get_term)
        locale.get_option = _remembered(locale.get_option)
    for text in root.iter("{*}text"):
        # Small letters at the beginning of an identifier ("arXiv:…") are no oversight.
        if text.get("variable") == "number" and text.get("text-case") == "capitalize-first":
            del text.attrib["text-case"]
    for text in list(root.find("cs:bibliography", root.nsmap).iter("{*}text")):
        if text.get("variable") == "citation-number":  # a number in a list of one says nothing
            text.getparent().remove(text)
    _capital_roles(root)
    style.elements = elements  # lxml forgets what is set on an element that nothing refers to
    return style


def _fixed(root: Any) -> list[Any]:
    """All elements of a style or locale; each knows its root and its macros, and searches once."""

    def get_root() -> Any:
        return root

    is_locale = root.tag.endswith("}locale")

    def get_formatter() -> Any:
        return (root.style if is_locale else root).formatter  # a bibliography sets it

    get_macro = {one.get("name"): one for one in root.iterfind("cs:macro", root.nsmap)}.__getitem__
    elements = list(root.iter("{*}*"))
    for element in elements:
        element.get_root, element.get_formatter, element.get_macro = get_root, get_formatter, get_macro
        element.xpath_search = cache(element.xpath_search)
    return elements


def _substituting(root: Any) -> None:
    """Let what stands in place of missing people not be shown again (CSL 1.0.2, "Substitute").

    citeproc-py knows that of single text variables, not of names and macros.
    """
    from citeproc.source import VariableError

    text_tag = f"{{{root.nsmap['cs']}}}text"
    substitutes, names = list(root.iter("{*}substitute")), list(root.iter("{*}names"))

    def suppress(child: Any, context: Any) -> None:
        suppressed = context.get_layout().repressed
        suppressed.setdefault(child.tag, []).append(child.get("variable"))
        suppressed.setdefault(text_tag, []).extend(_title_variables(root, child.get("macro")))

    def processed(element: Any) -> Callable[..., Any]:
        process = element.process

        roles = element.get("variable").split()

        def process_once(item: Any, *arguments: Any, context: Any = None, **options: Any) -> Any:
            if context is not None:
                shown = context.get_layout().repressed.get(element.tag, ())
                present = [role for role in roles if role in item.reference]
                if present and all(role in shown for role in present):
                    raise VariableError
            return process(item, *arguments, context=context, **options)

        return process_once

    for element in substitutes:
        element.add_to_repressed_list = suppress
    for element in names:
        element.process = processed(element)


def _title_variables(root: Any, macro: str | None) -> set[str]:
    """The variables that identify a work, of those that a macro shows."""
    found: set[str] = set()
    todo, seen = [macro], set()
    while todo:
        name = todo.pop()
        if name is None or name in seen:
            continue
        seen.add(name)
        for text in root.get_macro(name).iter("{*}text"):
            todo.append(text.get("macro"))
            found.add(text.get("variable") or "")
    return found & {"title", "title-short", "version", "number", "volume-title", "part-title"}


def _remembered(find: Callable[..., Any]) -> Callable[..., Any]:
    """A search that is made once for each question; that nothing was found is remembered as well."""
    answers: dict[object, Any] = {}

    def look_up(*arguments: Any, **options: Any) -> Any:
        asked = (arguments, tuple(options.items()))
        if asked not in answers:
            try:
                answers[asked] = find(*arguments, **options)
            except IndexError:
                answers[asked] = None
        if answers[asked] is None:
            raise IndexError
        return answers[asked]

    return look_up


def _capital_roles(root: Any) -> None:
    """Where a style writes the short terms of roles with a capital, as APA does: "(Eds.)".

    citeproc-py passes over ``text-case`` on the label of names.
    """
    labels = [one for one in root.iter("{*}label") if one.getparent().tag.endswith("}names")]
    if not any(one.get("text-case") in ("title", "capitalize-first") for one in labels):
        return
    for locale in root.locales:
        for term in locale.iter("{*}term"):
            if term.get("form") == "short" and term.get("name") in (
                "editor",
                "translator",
                "editortranslator",
            ):
                for text in term:
                    text.text = text.text[:1].upper() + text.text[1:]


def given(item: Item, style: str) -> dict[str, Any]:
    """What the processor is given of a work: its CSL variables, plain, with names that it can shorten."""
    from refkit.formats import csl_json

    csl = csl_json.variables(item) if item.type != "software" else dict(item.csl)
    out = {name: _plain(value) for name, value in csl.items() if name not in _UNSHOWN}
    if style == "ieee" and item.arxiv and out.get("number") == f"arXiv:{item.arxiv}":
        out["number"] = item.arxiv  # the style says "arXiv" itself
    if isinstance(out.get("version"), str):
        out["version"] = _VERSION_WORD.sub("", out["version"])
    return out


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        # The hub escapes a "<" that is none of CSL's tags, and nothing else.
        return _MARKUP.sub("", value).replace("&lt;", "<") if "<" in value or "&lt;" in value else value
    if isinstance(value, list):
        return [_name(one) if isinstance(one, dict) else one for one in value]
    return value


def _name(name: dict[str, Any]) -> dict[str, Any]:
    first = name.get("given")
    if not isinstance(first, str):
        return name
    first = _NICKNAME.sub("", first).strip() or first
    head, *parts = first.split("-")
    # "Wen-mei" is shortened to one letter: U+2011 is a hyphen at which citeproc-py does not cut.
    return {
        **name,
        "given": head + "".join(("\u2011" if part[:1].islower() else "-") + part for part in parts),
    }


def _finished(text: str) -> str:
    text = " ".join(text.split()).replace("\u2011", "-")
    for wrong, right in _COLLISIONS:
        text = text.replace(wrong, right)
    return text
