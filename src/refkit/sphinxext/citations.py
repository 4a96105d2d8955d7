"""Setting citations: the links in the text that lead to a placement, a bibliography or a work's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from docutils import nodes
from pybtex.style import FormattedEntry
from sphinx.util import logging
from sphinx.util.nodes import make_refnode
from sphinx.util.osutil import relative_uri
from sphinxcontrib.bibtex.nodes import raw_latex
from sphinxcontrib.bibtex.style.referencing import format_references
from sphinxcontrib.bibtex.style.template import SphinxReferenceInfo

from refkit.sphinxext import cards, sites
from refkit.sphinxext.style import CitationStyle

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.addnodes import pending_xref
    from sphinx.builders import Builder

    from refkit.model import NameList
    from refkit.sphinxext.domain import CiteDomain
    from refkit.sphinxext.index import Target
    from refkit.sphinxext.library import Library

logger = logging.getLogger(__name__)

#: One work of a citation: its key, and the texts before and after it.
Wanted = tuple[str, str, str]


def resolve(
    domain: CiteDomain,
    builder: Builder,
    fromdocname: str,
    typ: str,
    wanted: Sequence[Wanted],
    node: pending_xref,
) -> Element:
    """The nodes of one citation role."""
    works = sites.has_work_pages(builder)
    result = nodes.inline("", "", classes=["bibtex-citation"])
    found: list[tuple[Wanted, Target | None]] = []
    for one in wanted:
        target = domain.index.target(fromdocname, one[0], works=works)
        if target is None:
            _warn(domain, one[0], node)
        found.append((one, target))
    if typ == "empty":
        return result
    if not isinstance(domain.reference_style, CitationStyle):
        result += _by_other_style(domain, builder, fromdocname, typ, found)
    else:
        result += _Setter(domain.library, builder, fromdocname).citation(typ, found)
    return result


def _warn(domain: CiteDomain, key: str, node: pending_xref) -> None:
    if key in domain.library.digests:
        message, subtype = (
            "no page lists or places the work %r that is cited here; add it to a bibliography",
            "unlisted",
        )
    else:
        message, subtype = "no .bib file has the key %r; correct the key or add the entry", "unknown-key"
    logger.warning(message, key, location=node, type="refkit", subtype=subtype)


class _Setter:
    """Sets citations by label, in the shapes that the roles ask for."""

    def __init__(self, library: Library, builder: Builder, fromdocname: str) -> None:
        self._library = library
        self._builder = builder
        self._fromdocname = fromdocname

    def citation(self, typ: str, found: Sequence[tuple[Wanted, Target | None]]) -> list[nodes.Node]:
        """All works of one role, in order."""
        brackets = typ in ("p", "ps", "authorpar", "authorpars", "yearpar", "labelpar")
        set_one = self._textual if typ in ("t", "ts", "ct", "cts") else self._parenthetical
        out: list[nodes.Node] = [nodes.Text("[")] if brackets else []
        for number, (wanted, target) in enumerate(found):
            if number:
                out.append(nodes.Text("; " if set_one == self._parenthetical else ", "))
            out += set_one(typ, wanted, target)
        return [*out, nodes.Text("]")] if brackets else out

    def _parenthetical(self, typ: str, wanted: Wanted, target: Target | None) -> list[nodes.Node]:
        key, pre, post = wanted
        text = _TEXTS.get(typ, _label_text)(self._library, target, typ) if target else key
        out: list[nodes.Node] = [nodes.Text(f"{pre} ")] if pre else []
        out.append(self._link(target, text))
        return [*out, nodes.Text(f", {post}")] if post else out

    def _textual(self, typ: str, wanted: Wanted, target: Target | None) -> list[nodes.Node]:
        key, pre, post = wanted
        if target is None:
            return [nodes.Text(key)]
        text, year = self._textual_parts(typ, target)
        if typ.startswith("c"):
            text = text[:1].upper() + text[1:]
        if year and (pre or post):
            notes = ", ".join(part for part in (f"{pre} {year}".strip(), post) if part)
            return [self._link(target, f"{text} ({notes})")]
        out = [self._link(target, f"{text} ({year})" if year else text)]
        notes = ", ".join(part for part in (pre, post) if part)
        return [*out, nodes.Text(f" ({notes})")] if notes else out

    def _textual_parts(self, typ: str, target: Target) -> tuple[str, str]:
        """Name and year of a textual citation; where a bibliography has labels of its own, people and
        label.
        """
        label = self._library.labels[target.key]
        if not target.label.endswith(label.text):
            return f"{_author_text(self._library, target, typ)} [{target.label}]", ""
        if typ.endswith("s") and label.year:
            return _author_text(self._library, target, typ), label.year
        return label.name, label.year

    def _link(self, target: Target | None, text: str) -> nodes.Node:
        if target is None:
            return nodes.Text(text)
        wants_title = self._builder.config.bibtex_tooltips and not cards.wanted(self._builder)
        title = self._library.plain_reference(target.key) if wants_title else None
        return link(self._builder, self._fromdocname, target, [nodes.inline("", text)], title)


def link(
    builder: Builder, fromdocname: str, target: Target, children: list[nodes.Node], title: str | None
) -> nodes.Element:
    """A link to where a citation leads."""
    if target.kind == "work":
        refuri = relative_uri(builder.get_target_uri(fromdocname), f"{target.docname}.html")
        node = nodes.reference("", "", *children, internal=True, refuri=refuri)
        node[cards.KEY] = target.key
        if title:
            node["reftitle"] = title
        return node
    if builder.format == "latex":
        wrapper = nodes.inline("", "")
        wrapper += raw_latex(f"\\hyperlink{{cite.{target.docname}:{target.id}}}{{")
        wrapper += children
        wrapper += raw_latex("}")
        return wrapper
    node = make_refnode(builder, fromdocname, target.docname, target.id, children, title)
    node[cards.KEY] = target.key
    if node.get("refuri", "").count("#") > 1:  # singlehtml gives "#document-PAGE#ANCHOR", which leads nowhere
        node["refuri"] = f"#{target.id}"
    return node


# the texts of roles ----------------------------------------------------------


def _label_text(library: Library, target: Target, typ: str) -> str:
    del library, typ
    return target.label


def _author_text(library: Library, target: Target, typ: str) -> str:
    entry = library.entries[target.key]
    found = entry.names("author")
    found = found if found.people else entry.names("editor")
    if not found.people:
        return entry.text("shorttitle", "title") or target.key
    text = _names(found, everybody=typ.endswith("s"))
    return text[:1].upper() + text[1:] if typ.startswith("c") else text


def _names(found: NameList, *, everybody: bool) -> str:
    names = [person.short for person in found.people]
    if found.others or (len(names) > 2 and not everybody):
        return f"{', '.join(names) if everybody else names[0]} et al."
    if len(names) > 2:
        return f"{', '.join(names[:-1])} & {names[-1]}"
    return " & ".join(names)


def _year_text(library: Library, target: Target, typ: str) -> str:
    del typ
    date = library.entries[target.key].date
    return str(date.year) if date is not None else "n.d."


_TEXTS: dict[str, Callable[[Library, Target, str], str]] = {
    **dict.fromkeys(("author", "authors", "cauthor", "cauthors", "authorpar", "authorpars"), _author_text),
    **dict.fromkeys(("year", "yearpar"), _year_text),
}


# other styles ----------------------------------------------------------------


def _by_other_style(
    domain: CiteDomain,
    builder: Builder,
    fromdocname: str,
    typ: str,
    found: Sequence[tuple[Wanted, Target | None]],
) -> list[nodes.Node]:
    """A citation in a referencing style of sphinxcontrib-bibtex or of the project itself."""
    references: list[Any] = []
    for (_key, pre, post), target in found:
        if target is None:
            continue
        entry = domain.library.pybtex_entry(target.key)
        title = domain.library.plain_reference(target.key) if builder.config.bibtex_tooltips else None
        info = SphinxReferenceInfo(builder, fromdocname, target.docname, target.id, title, pre, post)
        references.append((entry, FormattedEntry(target.key, None, target.label), info))
    made: list[nodes.Node] = format_references(domain.reference_style, typ, references).render(domain.backend)
    return made
