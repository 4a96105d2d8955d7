"""What a service says about a work, in one shape for all services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from refkit.model import Person
    from refkit.values.dates import Date

#: Services a record may come from.
Service = Literal["arxiv", "crossref", "datacite", "doi", "page"]

#: How a text of a record is written: plain, with HTML or JATS elements and entities, or in TeX as arXiv has
#: it.
Markup = Literal["html", "tex"]

#: What became of asking for an identifier: ``found``; ``dead`` (no such identifier is registered);
#: ``missing`` (the service does not know it); ``no-metadata`` (registered, but nothing is said of the
#: work); ``unreachable`` (nobody answered, nothing is known); ``bad-answer`` (what was answered cannot be
#: right); ``offline`` (nothing is recorded and nobody may be asked).
State = Literal["found", "dead", "missing", "no-metadata", "unreachable", "bad-answer", "offline"]

NoticeKind = Literal["retracted", "corrected", "withdrawn", "retraction-notice"]


class Notice(NamedTuple):
    """Something that happened to a work after it was published."""

    kind: NoticeKind
    #: Who says so: ``publisher``, ``retraction-watch``, ``arXiv``.
    source: str
    #: EDTF, or empty.
    date: str = ""
    #: The DOI of the notice; for a retraction notice that of the work it is about.
    doi: str = ""
    #: The service's own word for it (``expression_of_concern``) or its text.
    detail: str = ""


class Text(NamedTuple):
    """A text as a service wrote it."""

    raw: str = ""
    markup: Markup = "html"

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self.raw)


class Record(NamedTuple):
    """The facts that a service has about one work. What it does not say is empty."""

    service: Service
    #: The identifier as the service writes it: a DOI, an arXiv id without version, an address.
    id: str
    #: The day on which it was fetched, YYYY-MM-DD.
    retrieved: str = ""
    #: The service's own type: ``journal-article``, ``Software``.
    type: str = ""
    title: Text = Text()
    authors: tuple[Person, ...] = ()
    editors: tuple[Person, ...] = ()
    #: When the work appeared; of a preprint when its first version did.
    date: Date | None = None
    #: Years of other dates of publication (print, online), which an entry may give as well.
    years: frozenset[int] = frozenset()
    #: Journal, proceedings, book.
    container: Text = Text()
    volume: str = ""
    number: str = ""
    pages: str = ""
    publisher: Text = Text()
    #: ISBNs, as 13 digits where they are valid.
    isbn: tuple[str, ...] = ()
    #: Version of a software or data set.
    version: str = ""
    #: arXiv: the version that the record describes, and the primary class.
    arxiv_version: int | None = None
    arxiv_class: str = ""
    #: DOIs of the published work, as a record of a preprint names them.
    published_dois: tuple[str, ...] = ()
    #: Where the preprint says it was published: ``J. Test 12 (2022) 34``; or its comment, if that says so.
    published_in: str = ""
    #: arXiv ids and DOIs of the preprint, as a record of the published work names them.
    preprints: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    #: The address that the page itself names as its own.
    url: str = ""

    @property
    def source(self) -> str:
        """How provenance names the record: ``Crossref 10.1145/…``, ``arXiv 2205.14135v2``."""
        version = f"v{self.arxiv_version}" if self.arxiv_version else ""
        return f"{SERVICE_NAMES[self.service]} {self.id}{version}"

    @property
    def is_component(self) -> bool:
        """Whether it describes a part of a work: a figure, a supplement."""
        return self.type == "component"


SERVICE_NAMES = {
    "arxiv": "arXiv",
    "crossref": "Crossref",
    "datacite": "DataCite",
    "doi": "DOI metadata",
    "page": "page",
}


class Answer(NamedTuple):
    """What became of asking for one identifier."""

    #: ``arxiv`` or ``doi``.
    scheme: str
    #: The identifier as it was asked for.
    id: str
    state: State
    record: Record | None = None
    #: For other states than ``found``: what happened, in a sentence.
    message: str = ""
