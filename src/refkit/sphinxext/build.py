"""A build from beginning to end: what happens at each of Sphinx's events.

A build that finds all input as it was does nothing but say so: it does not even load the modules that format.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import sphinx
from sphinx.util import logging

from refkit import __version__, config, provenance
from refkit.sphinxext import html, sites, sources, style, transforms
from refkit.sphinxext.bibliography import BibliographyDirective, FootDirective, FootRole
from refkit.sphinxext.domain import CiteDomain, CiteRole, RefkitDomain, cite_domain, refkit_domain
from refkit.sphinxext.library import Library, digest
from refkit.sphinxext.nodes import bibliography, bundle_links, markup, source, source_name
from refkit.sphinxext.page_context import PageContext
from refkit.sphinxext.site import assets
from refkit.sphinxext.state import Report, State

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from refkit.model import Diagnostic
    from refkit.sphinxext.index import Index
    from refkit.sphinxext.templates import Templates

logger = logging.getLogger(__name__)

_FOLDER = Path(__file__).parent
#: Settings that change what pages show.
_SETTINGS = ("refkit_", "bibtex_")


def connect(app: Sphinx) -> dict[str, Any]:
    """Register everything."""
    app.setup_extension("sphinxcontrib.bibtex")
    style.register()
    app.add_config_value("refkit_work_pages", True, "html", bool)
    app.add_config_value("refkit_bundles", True, "html", bool)
    app.add_config_value("refkit_offline_zip", False, "html", bool)
    app.add_domain(CiteDomain, override=True)
    app.add_domain(RefkitDomain)
    app.add_role("cite", CiteRole(), override=True)
    app.add_role("footcite", FootRole(), override=True)
    for name in ("p", "ps", "t", "ts", "ct", "cts"):
        app.add_role_to_domain("footcite", name, FootRole(), override=True)
    app.add_directive("bibliography", BibliographyDirective, override=True)
    app.add_directive("footbibliography", FootDirective, override=True)
    app.add_directive("source", sources.SourceDirective)
    _add_nodes(app)
    app.add_transform(sources.NotePage)
    app.add_post_transform(transforms.BibliographyTransform)
    app.add_post_transform(transforms.SourceTransform)
    app.add_post_transform(transforms.CardTransform)
    Build(app).connect()
    return {"version": __version__, "env_version": 3, "parallel_read_safe": True, "parallel_write_safe": True}


def _add_nodes(app: Sphinx) -> None:
    app.add_node(source, html=(html.visit_source, html.depart_source))
    app.add_node(source_name, html=(html.visit_source_name, html.depart_source_name))
    app.add_node(markup, html=(html.visit_markup, None))
    app.add_node(bundle_links)
    app.add_node(bibliography, override=True)


class Build:
    """One run of Sphinx; its methods answer Sphinx's events."""

    def __init__(self, app: Sphinx) -> None:
        self._app = app
        #: Whether the output shows all input as it is, so that nothing is to be done.
        self._is_current = False
        #: Pages that were written before this build, and what they showed.
        self._shown: dict[str, str] = {}
        #: Pages that this build writes.
        self._written: set[str] = set()
        self._context = PageContext(app)

    def connect(self) -> None:
        """Answer the events of this build."""
        connect = self._app.connect
        connect("config-inited", self.set_defaults)
        connect("builder-inited", self.open_library, priority=400)  # before sphinxcontrib-bibtex would parse
        connect("builder-inited", self.close_library, priority=600)
        connect("builder-inited", self.add_static_folder)
        connect("env-get-outdated", self.outdated_pages)
        connect("env-updated", self.pages_read, priority=600)  # after Sphinx's own collectors
        connect("doctree-resolved", self.note_written)
        connect("html-collect-pages", self.generated_pages)
        self._context.connect()
        connect("build-finished", self.finish)

    @cached_property
    def _made_by(self) -> str:
        """What makes the output: with another version of it all is written again."""
        package = _FOLDER.parent
        files = [*package.rglob("*.py"), *_FOLDER.rglob("*.html"), *(_FOLDER / "static").iterdir()]
        marks = [
            (str(path.relative_to(package)), path.stat().st_size, path.stat().st_mtime_ns) for path in files
        ]
        return f"refkit {__version__} {digest(sorted(marks))}, Sphinx {sphinx.__display_version__}"

    @cached_property
    def _project(self) -> config.Config:
        """The project's configuration, found upwards from conf.py; the defaults where it cannot be used."""
        folder = Path(self._app.confdir)
        try:
            return config.load(start=folder)
        except config.ConfigError as error:
            _warn("config", str(error))
            return config.Config(root=folder)

    @cached_property
    def _state(self) -> State:
        """What the output folder shows."""
        file = Path(self._app.doctreedir) / f"refkit-{self._app.builder.name}.json"
        return State(file, Path(self._app.outdir), self._made_by)

    # configuration -----------------------------------------------------------------

    def set_defaults(self, app: Sphinx, settings: Config) -> None:
        """The project's .bib files and address and refkit's styles, where conf.py sets no others."""
        if settings.bibtex_bibfiles is None:
            found = self._project.bib_files()
            settings.bibtex_bibfiles = [Path(os.path.relpath(path, app.confdir)).as_posix() for path in found]
            if not found:
                _warn("config", "there are no .bib files; set bibtex_bibfiles, or 'bib' in [tool.refkit]")
        if not settings.html_baseurl and self._project.site_url:
            settings["html_baseurl"] = f"{self._project.site_url}/"
        chosen = getattr(settings, "_raw_config", {})
        for name in ("bibtex_default_style", "bibtex_reference_style"):
            if name not in chosen and name not in settings.overrides:
                settings[name] = style.NAME

    def add_static_folder(self, app: Sphinx) -> None:
        """Style and script, for builders that write HTML."""
        if app.builder.format == "html":
            folder = Path(app.doctreedir) / "refkit-static"
            assets.write(folder)
            app.config.html_static_path.append(str(folder))

    # the bibliography ----------------------------------------------------------------

    def open_library(self, app: Sphinx) -> None:
        """Read the .bib files and give them to the cite domain, which then has nothing to parse."""
        files = [(Path(app.confdir) / file).resolve() for file in app.config.bibtex_bibfiles or ()]
        project = self._project
        library = Library(
            files, project.root.resolve(), _provenance(project, files), project.aliases,
            cache=Path(app.doctreedir) / "refkit-library.json", made_by=self._made_by,
        )  # fmt: skip
        for found in library.diagnostics:
            _report(found)
        cite_domain(app.env).open(library, app.builder, project)

    def close_library(self, app: Sphinx) -> None:
        """Leave nothing of the library in what the environment stores."""
        cite_domain(app.env).close()

    # pages ---------------------------------------------------------------------------

    def outdated_pages(
        self, app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
    ) -> Iterable[str]:
        """Pages that place or cite a work which has changed, or whose label has; times do not count."""
        del app, added, changed, removed
        return cite_domain(env).changed_pages()

    def pages_read(self, app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
        """All pages are read: say what the list lacks, and name the pages that must be written again."""
        domain, state = cite_domain(env), self._state
        domain.forget()
        gc.freeze()  # all of this stays to the end: looking through it for cycles again and again takes long
        inputs = self._inputs(env)
        if inputs == state.inputs and self._output_is_there():
            self._is_current = True
        else:
            state.inputs, state.report = inputs, list(_faults(env))
        for subtype, message, location in state.report:
            _warn(subtype, message, location)
        if self._is_current:
            return []
        from refkit.sphinxext import output

        self._shown, state["pages"] = state["pages"], output.page_digests(domain, app.builder)
        return [
            page
            for page, mark in state["pages"].items()
            if self._shown.get(page) != mark and page in env.all_docs
        ]

    def _inputs(self, env: BuildEnvironment) -> str:
        """A digest of all that the output is made from."""
        builder = self._app.builder
        settings = [(one.name, one.value) for one in builder.config if one.name.startswith(_SETTINGS)]
        folders = [Path(self._app.confdir, folder) for folder in builder.config.templates_path]
        templates = [
            (path.name, _mark(path)) for folder in folders for path in sorted(folder.glob("refkit/*.html"))
        ]
        theme = getattr(getattr(builder, "build_info", None), "config_hash", "")
        return digest(
            (
                cite_domain(env).library.contents,
                sorted(env.all_docs.items()),
                settings,
                templates,
                theme,
                self._project[2:],
            )
        )

    def _output_is_there(self) -> bool:
        outdir, state = Path(self._app.outdir), self._state
        works = all((outdir / f"{page}.html").is_file() for page in state["works"])
        bundles = all((outdir / sites.EXPORTS / name).is_file() for name in state["files"])
        return works and bundles and all((outdir / path).is_file() for path in state["extras"])

    # writing -------------------------------------------------------------------------

    def note_written(self, app: Sphinx, doctree: nodes.document, docname: str) -> None:
        """A page is written."""
        del app, doctree
        self._written.add(docname)

    def generated_pages(self, app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
        """Pages of works and of features that changed; those that are gone are deleted."""
        if self._is_current or not sites.is_site(app.builder):
            return
        from refkit.sphinxext import output
        from refkit.sphinxext.site.extras import Extras
        from refkit.sphinxext.templates import Templates

        builder, index = cast("StandaloneHTMLBuilder", app.builder), cite_domain(app.env).index
        if index.pages.sections and not sites.address(builder):
            logger.info(
                "without site-url in [tool.refkit] there are no feeds, sitemap and canonical addresses"
            )
        templates, frame = Templates(builder), output.frame_digest(builder, self._made_by)
        self._context.extras = extras = Extras(builder, index, self._state, templates, frame)
        yield from self._work_pages(builder, index, templates, frame)
        yield from extras.pages()

    def _work_pages(
        self, builder: StandaloneHTMLBuilder, index: Index, templates: Templates, frame: str
    ) -> Iterator[tuple[str, dict[str, Any], str]]:
        from refkit.sphinxext import output
        from refkit.sphinxext.works import Works

        state, outdir = self._state, Path(builder.outdir)
        digests: dict[str, str] = {}
        if sites.has_work_pages(builder) and index.works:
            works = Works(builder, index, templates, self._made_by)
            digests = output.work_digests(index, works.common_digest(frame))
            for key, page in index.works.items():
                if page in builder.env.all_docs:
                    _warn("work-page", f"the page {page!r} is named like that of the work {key!r}; rename it")
                elif state["works"].get(page) != digests[page] or not (outdir / f"{page}.html").is_file():
                    yield works.page(key, page)
                    works.write_unapi(key, page)
            works.save()
            digests |= works.write_moved()
        output.delete_gone_works(outdir, state, digests)
        state["works"] = digests

    def finish(self, app: Sphinx, exception: Exception | None) -> None:
        """Bundles, and the record of what the output folder shows."""
        try:
            if exception is None and not self._is_current:
                self._write_files(app)
                self._keep_unwritten()
                self._state.save()
        finally:
            gc.unfreeze()

    def _write_files(self, app: Sphinx) -> None:
        """The bundles, and what features add to the site."""
        if not sites.is_site(app.builder):
            return
        from refkit.sphinxext import output

        if sites.has_bundles(app.builder):
            output.write_bundles(cite_domain(app.env).index, Path(app.outdir), self._state)
        else:
            output.delete_bundles(Path(app.outdir), self._state)
        if self._context.extras:
            self._context.extras.write_files()

    def _keep_unwritten(self) -> None:
        """Where only some pages were asked for, the others show what they showed before."""
        pages = self._state["pages"]
        missed = [
            page
            for page, mark in pages.items()
            if self._shown.get(page) != mark and page not in self._written
        ]
        for page in missed:
            pages[page] = self._shown.get(page, "")
            self._state.inputs = ""


def _mark(path: Path) -> tuple[int, int] | None:
    """What changes when a file is written; ``None`` without the file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _provenance(project: config.Config, files: list[Path]) -> dict[str, Any]:
    """What is known about the facts: beside the .bib files that the project names, else beside the first."""
    folder = project.bib_folder if project.file or not files else files[0].parent
    try:
        return provenance.load(folder / "provenance.json")
    except provenance.ProvenanceError as error:
        _warn("provenance", str(error))
        return {}


def _faults(env: BuildEnvironment) -> Iterator[Report]:
    """What is wrong with the annotated list: names of sections, works that nothing shows."""
    domain = cite_domain(env)
    if not refkit_domain(env).placed:
        return
    for found in domain.index.pages.diagnostics:
        yield found.code, found.message, f"{found.file}:{found.line or 1}"
    used = set(domain.index.used)
    for key in domain.library.digests:
        if key not in used:
            entry = domain.library.entries[key]
            message = (
                f"no page places, lists or cites {key!r}; place it with '.. source:: {key}' or remove it"
            )
            yield "unused", message, f"{entry.file}:{entry.line}"


def _report(found: Diagnostic) -> None:
    location = f"{found.file}:{found.line or 1}" if found.file else None
    message = found.message
    if found.key and found.key not in message:
        message += f" [{found.key}]"
    if found.severity == "info":
        logger.info("%s: %s", location, message)
    else:
        _warn(found.code, message, location)


def _warn(subtype: str, message: str, location: str | None = None) -> None:
    logger.warning("%s", message, location=location, type="refkit", subtype=subtype)
