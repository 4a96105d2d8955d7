"""Pages and files that the build makes beside Sphinx's own: browse, timeline, feeds, redirects and so on.

A feature is one module with a function ``extras`` that takes the builder and the index and gives its pages
and files, in any order::

    def extras(builder: StandaloneHTMLBuilder, index: Index) -> Iterator[Page | File]:
        if not index.pages.sections:
            return                      # nothing to show: the feature is absent, and so are all links to it
        yield Page(
            name="browse",              # browse.html, or browse/index.html with dirhtml
            title=_("Browse"),
            template="refkit/browse.html",
            digest=digest([...]),       # of all that context() is made from
            context=lambda: {"works": [...]},
            scripts=("refkit-browse.js",),
            styles=("refkit-browse.css",),
        )
        yield File("_static/refkit-data/works.js", digest([...]), lambda: b"...")

Its module stands in :data:`FEATURES`; nothing else is to be done. The module is imported only in builds that
have something to write, and ``extras`` is called once in such a build, when all pages are read and written.
It must be cheap: whatever costs time goes into ``context`` or ``data``, which are called only where the
digest is not that of the last build or the output file is missing. A digest covers what the page or file is
made from and neither the template, nor the theme, nor the code: those are added here. ``index.digests`` has a
digest of each work (entry and label), ``index.collection`` everything that bundles are made from.

What happens to the output:

- A page or file with the digest of the last build whose output is there is not made again.
- One that no feature names any more is deleted, and so are folders that this leaves empty; what this module
  has not written itself is never deleted.
- A page of the project's own with the same name wins, with a warning (``refkit.page``). A file that the
  project gives through ``html_extra_path`` or ``html_static_path`` wins without one.
- A build with unchanged input asks no feature; it compares one digest of all input and looks whether the
  outputs are there. All input means: the .bib files, provenance, the pages, the settings ``refkit_*``,
  ``bibtex_*`` and those of the theme, the project's configuration file, and ``refkit/*.html`` in
  ``templates_path``.

Templates give the body of a page; the theme puts its frame around it. They are looked up in
``templates_path`` and then in ``templates/`` here, escape everything (``Markup`` apart), and have besides the
context: ``_`` (translation), ``title``, ``link(page)`` (the relative address of a page by name, of the
project's or of ours) and ``file(path)`` (that of a file by its path from the root of the output).

Links from pages: ``:refkit:page:`text <browse>```, which is a plain text where there is no such page. Links
from elsewhere: ``builder.get_relative_uri(docname, "browse")`` for pages,
:func:`sphinx.util.osutil.relative_uri` for files. ``index.collection.pages`` tells a feature what there is;
a feature that links to another one asks that one's module whether it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from sphinx.util import logging
from sphinx.util.osutil import relative_uri

from refkit.sphinxext import output, sites
from refkit.sphinxext.library import digest

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

    from refkit.sphinxext.index import Index
    from refkit.sphinxext.state import State
    from refkit.sphinxext.templates import Templates

logger = logging.getLogger(__name__)

#: The modules of features, in the order in which they are asked.
FEATURES: tuple[str, ...] = (
    "refkit.sphinxext.site.browse",
    "refkit.sphinxext.site.feeds",
    "refkit.sphinxext.site.redirects",
    "refkit.sphinxext.site.timeline",
    "refkit.sphinxext.site.listmap",
    "refkit.sphinxext.site.hosting",
)

#: What ``html-collect-pages`` takes: name, context and template of a page.
SphinxPage = tuple[str, dict[str, Any], str]


class Page(NamedTuple):
    """A page in the frame of the theme."""

    #: As Sphinx names pages: without ending, parts separated by ``/``.
    name: str
    #: Plain text.
    title: str
    #: The template of the body.
    template: str
    #: Of everything that the context is made from.
    digest: str
    #: The template's variables.
    context: Callable[[], Mapping[str, Any]]
    #: Style sheets and scripts (deferred) in ``_static`` that the page needs besides ``refkit.css`` and
    #: ``refkit.js``.
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    #: Plain text for ``<meta name="description">``; empty for none.
    description: str = ""


class File(NamedTuple):
    """A file of the output."""

    #: From the root of the output, parts separated by ``/``.
    path: str
    #: Of everything that the bytes are made from.
    digest: str
    #: The file's bytes.
    data: Callable[[], bytes]


class Extras:
    """What all features want of one build.

    Args:
        frame: a digest of what all pages of the theme share.
        templates: finds and fills templates.
    """

    def __init__(
        self, builder: StandaloneHTMLBuilder, index: Index, state: State, templates: Templates, frame: str
    ) -> None:
        self._builder = builder
        self._state = state
        self._templates = templates
        self._frame = frame
        self._digests: dict[str, str] = {}
        self._pages: dict[str, Page] = {}
        self._files: dict[str, File] = {}
        for feature in FEATURES:
            self._take(import_module(feature).extras(builder, index))
        self._take(self._sitemap(index))

    def _sitemap(self, index: Index) -> Iterator[File]:
        from refkit.sphinxext.site import sitemap

        return sitemap.files(self._builder, index, list(self._pages))

    def _take(self, found: Iterable[Page | File]) -> None:
        for one in found:
            if isinstance(one, Page):
                if sites.has_page(self._builder, one.name):
                    _warn_page(one.name)
                else:
                    self._pages[one.name] = one
            elif not _given(self._builder, _checked(one.path)):
                self._files[one.path] = one

    def page(self, name: str) -> Page | None:
        """The page of this name, if a feature makes it."""
        return self._pages.get(name)

    def pages(self) -> Iterator[SphinxPage]:
        """The pages that are to be written, as ``html-collect-pages`` takes them."""
        for page in self._pages.values():
            template = self._templates.digest(page.template)
            shown = (page.digest, page.title, page.styles, page.scripts, page.description)
            mark = digest((self._frame, template, page.template, shown))
            if self._is_new(self._path(page.name), mark):
                yield page.name, self._context(page), "page.html"

    def _path(self, name: str) -> str:
        return output_path(self._builder, name)

    def _context(self, page: Page) -> dict[str, Any]:
        own = self._builder.get_target_uri(page.name)

        def file(path: str) -> str:
            return relative_uri(own, path)

        def link(name: str) -> str:
            return self._builder.get_relative_uri(page.name, name)

        body = self._templates.render(page.template, **page.context(), title=page.title, link=link, file=file)
        return {
            "title": self._templates.escape(page.title),
            "body": body,
            "parents": [],
            "metatags": "",
            "sourcename": "",
            "page_source_suffix": "",
        }

    def _is_new(self, path: str, mark: str) -> bool:
        self._digests[path] = mark
        return self._state["extras"].get(path) != mark or not (Path(self._builder.outdir) / path).is_file()

    def write_files(self) -> None:
        """Write the files that changed, and delete pages and files that nothing asks for any more."""
        from refkit.sphinxext.site import offline

        outdir = Path(self._builder.outdir)
        for file in self._files.values():
            if self._is_new(file.path, file.digest):
                output.write(outdir / file.path, file.data())
        zipped = bool(self._builder.config.refkit_offline_zip)
        if zipped:
            self._digests[offline.NAME] = ""
        gone = self._state["extras"].keys() - self._digests.keys()
        output.delete_files(outdir, [path for path in gone if not _is_projects(self._builder, path)])
        if zipped:
            output.write(outdir / offline.NAME, offline.archive(outdir))
        self._state["extras"] = self._digests


def makes(builder: StandaloneHTMLBuilder, index: Index, name: str) -> bool:
    """Whether a feature makes a page of this name, for links to it (the role ``:refkit:page:``)."""
    return any(
        isinstance(one, Page) and one.name == name
        for feature in FEATURES
        for one in import_module(feature).extras(builder, index)
    )


def output_path(builder: StandaloneHTMLBuilder, name: str) -> str:
    """The file of a page, from the root of the output."""
    return Path(builder.get_output_path(name)).relative_to(Path(builder.outdir)).as_posix()


def _checked(path: str) -> str:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or "\\" in path or str(parts) != path:
        raise ValueError(f"a generated file must lie below the output folder: {path!r}")
    return path


def _given(builder: StandaloneHTMLBuilder, path: str) -> bool:
    """Whether the project itself gives this file of the output."""
    extra = [Path(builder.confdir, one) for one in builder.config.html_extra_path]
    found = any((one / path).is_file() if one.is_dir() else one.name == path for one in extra)
    inner = path.removeprefix("_static/")
    if found or inner == path:
        return found
    static = [Path(builder.confdir, one) for one in builder.config.html_static_path]
    return any((one / inner).is_file() if one.is_dir() else one.name == inner for one in static)


def _is_projects(builder: StandaloneHTMLBuilder, path: str) -> bool:
    """Whether a file that we wrote once is now a page or a file of the project's own."""
    pages = {output_path(builder, name) for name in builder.env.all_docs}
    return path in pages or _given(builder, path)


def _warn_page(name: str) -> None:
    logger.warning(
        "the page %r has the name of a page that refkit makes, which is left out; rename yours to have both",
        name, type="refkit", subtype="page",
    )  # fmt: skip
