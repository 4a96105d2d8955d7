"""Pages of works: one for each work that the project places, lists or cites."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from markupsafe import Markup
from sphinx.locale import _
from sphinx.util.osutil import relative_uri

from refkit import identifiers, provenance
from refkit.citation_styles import STYLES
from refkit.enrich import explain
from refkit.formats import FORMATS, unapi
from refkit.pages.inline import citation
from refkit.sphinxext import cards, output, reference, render, richtext, sites
from refkit.sphinxext.library import digest
from refkit.sphinxext.site import redirects
from refkit.sphinxext.styled import References

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.hub import Item
    from refkit.model import Entry
    from refkit.pages import Inline
    from refkit.sphinxext.index import Index
    from refkit.sphinxext.templates import Templates

TEMPLATE = "refkit/work.html"


class Place(NamedTuple):
    """One placement, as a work's page shows it."""

    address: str
    section: str
    name: str
    annotation: Markup
    waits_for: str
    review: str


class Form(NamedTuple):
    """One form of a reference, to be copied."""

    #: A word for scripts and styles.
    id: str
    name: str
    text: str


class Works:
    """Makes the pages of works for one builder; ``made_by`` says by which version of all that makes them."""

    def __init__(
        self, builder: StandaloneHTMLBuilder, index: Index, templates: Templates, made_by: str = ""
    ) -> None:
        self._builder = builder
        self._index = index
        self._templates = templates
        self._references = References(Path(builder.doctreedir) / "refkit-references.json", made_by)

    def common_digest(self, frame: str) -> str:
        """What all pages of works share: the template, the frame of the theme, the repository."""
        return digest((frame, self._templates.digest(TEMPLATE), self._index.repository))

    def save(self) -> None:
        """Keep what costs time to make for the next build."""
        self._references.save(self._index.digests[key] for key in self._index.works)

    def page(self, key: str, pagename: str) -> tuple[str, dict[str, Any], str]:
        """Name, context and template of one page, as ``html-collect-pages`` takes them."""
        entry = self._index.collection.entries[key]
        root = f"{pagename}.html"
        item = self._index.collection.one(key)
        name = entry.text("shorttitle", "title") or key
        cited: dict[str, str] = {}
        places = list(self._places(key, root, cited))
        body = self._templates.render(
            TEMPLATE,
            key=key,
            aliases=self._index.old_keys(key),
            title=_html(reference.titled(entry)) or key,
            byline=Markup(cards.byline(reference.byline(entry))),  # noqa: S704 - escaped there
            kind=render.kind_word(item.kind),
            pages=reference.page_count(entry),
            reference=_html(reference.reference(entry, all_people=True)),
            links=render.links_of(entry, self._index),
            places=places,
            plain=list(self._plain_forms(key)),
            commands=list(_commands(key)),
            records=list(self._records(key)),
            related=list(_related(self._index, key)),
            record=_Record(self._index, entry),
            correction=correction(self._index.repository, key, name),
            cards=self._cards(cited),
        )
        parents = [{"link": place.address, "title": html.escape(place.section)} for place in places[:1]]
        context = {
            "title": html.escape(name),
            "body": body,
            "parents": parents,
            "metatags": "".join(self._head(item)),
            "sourcename": "",
            "page_source_suffix": "",
        }
        return pagename, context, "page.html"

    def _plain_forms(self, key: str) -> Iterator[Form]:
        texts = self._references.of(self._index.bare_item(key), self._index.digests[key])
        for style, name in STYLES.items():
            if style in texts:
                yield Form(style, name, texts[style])

    def _records(self, key: str) -> Iterator[Form]:
        item = self._index.bare_item(key)
        for id, name in RECORDS.items():
            yield Form(id, name, FORMATS[id].dumps([item]).strip().replace("\r\n", "\n"))

    def _head(self, item: Item) -> Iterator[str]:
        yield f'\n<link rel="unapi-server" type="application/xml" title="unAPI" href="{sites.UNAPI}">\n'
        for name, content in unapi.meta_tags(item):
            yield f'<meta name="{html.escape(name)}" content="{html.escape(content)}">\n'

    def _places(self, key: str, root: str, cited: dict[str, str]) -> Iterator[Place]:
        for docname, one in self._index.places.get(key, ()):
            section = self._index.sections.get(docname)
            address = f"{relative_uri(root, self._builder.get_target_uri(docname))}#{one.id}"
            title = section.title if section else docname
            annotation = Markup(self._annotation(one.annotation, root, cited))  # noqa: S704 - made of escaped parts
            yield Place(address, title, one.shown, annotation, one.waits_for, one.review)

    def _cards(self, cited: Mapping[str, str]) -> Markup:
        """The hover cards of what the page cites, where the builder shows any."""
        text = cards.cards(self._index, cited) if cards.wanted(self._builder) else ""
        return Markup(text)  # noqa: S704 - escaped there

    def _annotation(self, tree: Sequence[Inline], root: str, cited: dict[str, str]) -> str:
        """An annotation as HTML, its citations as links to the pages of the works.

        ``cited`` takes the work by the address of each of these links.
        """
        out = []
        for node in tree:
            kind = node[0]
            if kind == "text":
                out.append(html.escape(node[1]))
            elif kind == "code":
                out.append(f'<code class="docutils literal notranslate">{html.escape(node[1])}</code>')
            elif kind == "cite":
                out.append(self._citation(node[1], node[2], root, cited))
            elif kind == "link":
                url, inner = identifiers.url(node[2]), self._annotation(node[1], root, cited)
                out.append(
                    f'<a class="reference external" href="{html.escape(url)}">{inner}</a>' if url else inner
                )
            else:
                out.append(f"<{kind}>{self._annotation(node[1], root, cited)}</{kind}>")
        return "".join(out)

    def _citation(self, style: str, keys: Sequence[str], root: str, cited: dict[str, str]) -> str:
        labels = self._index.collection.labels
        out = []
        for key in keys:
            text = html.escape(citation(style, [key], labels.get).strip("[]" if style != "t" else ""))
            page = self._index.works.get(key)
            if page:
                address = relative_uri(root, f"{page}.html")
                cited.setdefault(address, key)
                text = f'<a class="reference internal" href="{html.escape(address)}">{text}</a>'
            out.append(text)
        text = ", ".join(out) if style == "t" else f"[{'; '.join(out)}]"
        return f'<span class="bibtex-citation">{text}</span>'

    # beside the pages ------------------------------------------------------------------

    def write_unapi(self, key: str, pagename: str) -> None:
        """The file beside a work's page that the Zotero Connector asks for."""
        path = (Path(self._builder.outdir) / pagename).with_name(sites.UNAPI)
        output.write(path, unapi.dumps([self._index.collection.one(key)]).encode())

    def write_moved(self) -> dict[str, str]:
        """The pages at old addresses of works, which lead to the new ones with and without scripts.

        Returns: by page what it leads to.
        """
        written: dict[str, str] = {}
        for page, target in self._index.moved_works.items():
            if page in self._builder.env.all_docs:
                continue
            address = relative_uri(f"{page}.html", f"{target}.html")
            said = _("This work has another key now.")
            text = redirects.page(address, said, self._builder.config.language)
            path = Path(self._builder.outdir) / f"{page}.html"
            output.write(path, text.encode())
            path.with_name(sites.UNAPI).unlink(missing_ok=True)
            written[page] = target
        return written


#: Format -> its name for readers; in the order shown.
RECORDS = {"bibtex": "BibTeX", "biblatex": "BibLaTeX", "ris": "RIS", "csl-json": "CSL-JSON"}

#: Keys that Typst takes after "@" (https://typst.app/docs/reference/model/ref/), and Pandoc without braces
#: (Pandoc's manual, "Citation syntax").
_TYPST_KEY = re.compile(r"[^\W\d](?:[\w:.-]*[\w-])?\Z")
_PANDOC_KEY = re.compile(r"\w(?:[:.#$%&+?<>~/-]?\w)*\Z")


def _commands(key: str) -> Iterator[Form]:
    """How a text cites the work in each of the systems that take a key."""
    yield Form("latex", "LaTeX", f"\\cite{{{key}}}")
    typst = f"@{key}" if _TYPST_KEY.match(key) else f"#cite(label({json.dumps(key, ensure_ascii=False)}))"
    yield Form("typst", "Typst", typst)
    yield Form("pandoc", "Pandoc, Quarto", f"[@{key}]" if _PANDOC_KEY.match(key) else f"[@{{{key}}}]")


def _related(index: Index, key: str) -> Iterator[tuple[str, str, str]]:
    """Kind, text and address of what belongs to a work: code, proceedings, slides and so on."""
    for link in render.related(index, key):
        yield link.kind, link.label or link.url, link.url


def correction(repository: str, key: str, name: str) -> str:
    """Where one suggests a correction of a work: a new issue that names it; empty without a repository."""
    address = identifiers.url(repository)
    if not address or urlsplit(address).scheme not in ("http", "https"):
        return ""
    title, body = f"Correction: {key}", f"{name}\nKey: {key}\n\n"
    if "gitlab" in (urlsplit(address).hostname or ""):
        query = urlencode({"issue[title]": title, "issue[description]": body}, quote_via=quote)
        return f"{address.rstrip('/')}/-/issues/new?{query}"
    return f"{address.rstrip('/')}/issues/new?{urlencode({'title': title, 'body': body}, quote_via=quote)}"


class _Record:
    """Provenance of a work, ready to be shown."""

    def __init__(self, index: Index, entry: Entry) -> None:
        work = provenance.work(index.collection.provenance, entry.key)
        self.checked_on = work.checked_on
        self.checked_against = [_address(url) for url in work.checked_against]
        self.unverified = dict(work.unverified)
        self.versions = [_Version(version) for version in work.versions]
        self.cite_as = _cite_as(work.cite_as, entry)
        self.remarks = work.remarks
        self.no_date = work.no_date
        self.status = explain.status(entry, work) if work.status or entry.doi or entry.arxiv else ""
        self.fields = [
            (
                origin.field,
                _source(origin.source),
                origin.date,
                [(lost.value, _source(lost.source), lost.date) for lost in origin.lost],
            )
            for origin in explain.explain(entry, work)
            if origin.field in work.fields
        ]

    def __bool__(self) -> bool:
        return any(
            (
                self.status,
                self.checked_on,
                self.checked_against,
                self.unverified,
                self.remarks,
                self.no_date,
                self.fields,
            )
        )


class _Version:
    """Another version of a work, ready to be shown."""

    def __init__(self, version: provenance.Version) -> None:
        self.what = version.what
        self.title = version.title
        people = version.author
        few = len(people) > reference.MOST_PEOPLE
        self.people = "; ".join(people[: reference.FEW_PEOPLE] if few else people) + (
            " et al." if few else ""
        )
        self.date = version.date
        self.remark = version.remark
        arxiv = identifiers.arxiv(version.eprint) if version.eprint else None
        doi = identifiers.doi(version.doi) if version.doi else None
        found = [
            (f"arXiv:{arxiv.id}", reference.arxiv_url(arxiv.id)) if arxiv else None,
            (f"doi:{doi}", identifiers.doi_url(doi)) if doi else None,
            _address(version.url) if version.url else None,
        ]
        self.links = list(
            {link[1] or link[0]: link for link in reversed(found) if link is not None}.values()
        )[::-1]


def _address(text: str) -> tuple[str, str]:
    """A text and its address, which is empty where the text is none that may become a link."""
    return text, identifiers.url(text) or ""


def _source(name: str) -> tuple[str, str]:
    """A record's name ("Crossref 10.1145/…", "arXiv 2205.14135v2", "page https://…") and its address."""
    service, _, id = name.partition(" ")
    if service in ("Crossref", "DataCite", "DOI"):
        doi = identifiers.doi(id.removeprefix("metadata "))
        return name, identifiers.doi_url(doi) if doi else ""
    arxiv = identifiers.arxiv(id) if service == "arXiv" else None
    return name, arxiv.url if arxiv else identifiers.url(id) or ""


def _cite_as(wish: Any, entry: Entry) -> str:
    """How the authors ask to be cited, as BibTeX; empty where they do not ask."""
    fields = wish.get("fields") if hasattr(wish, "get") else None
    if not fields:
        return ""
    from refkit.values import tex

    lines = [f"  {name} = {{{_bibtex_value(tex.encode, value)}}}," for name, value in fields.items()]
    return "\n".join([f"@{wish.get('type') or entry.type}{{{entry.key},", *lines, "}"])


def _bibtex_value(encode: Callable[[str], str], value: object) -> str:
    if isinstance(value, (list, tuple)):
        return " and ".join(encode(str(part)) for part in value)
    return encode(str(value))


def _html(parts: richtext.Parts) -> Markup:
    return Markup(richtext.to_html(parts))  # noqa: S704 - escaped there
