"""A build from beginning to end: what happens at each of Sphinx's events."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import sphinx
from sphinx.util import logging

from refkit import __version__, config, provenance
from refkit.sphinxext import output, render, sites, sources, style
from refkit.sphinxext.bibliography import (
    BibliographyDirective,
    BibliographyTransform,
    FootDirective,
    FootRole,
)
from refkit.sphinxext.domain import CiteDomain, CiteRole, RefkitDomain, cite_domain, refkit_domain
from refkit.sphinxext.library import Library
from refkit.sphinxext.nodes import bibliography, bundle_links, markup, source, source_name
from refkit.sphinxext.state import State
from refkit.sphinxext.works import Works, write_moved, write_unapi

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from refkit.model import Diagnostic

logger = logging.getLogger(__name__)

_STATIC = Path(__file__).parent / "static"
#: What made an output folder: with another version all of it is written again.
_MADE_BY = f"refkit {__version__}, Sphinx {sphinx.__display_version__}"


def connect(app: Sphinx) -> dict[str, Any]:
    """Register everything."""
    app.setup_extension("sphinxcontrib.bibtex")
    style.register()
    app.add_config_value("refkit_work_pages", True, "html", bool)
    app.add_config_value("refkit_bundles", True, "html", bool)
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
    app.add_post_transform(BibliographyTransform)
    app.add_post_transform(render.SourceTransform)
    _connect_events(app)
    return {"version": __version__, "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}


def _add_nodes(app: Sphinx) -> None:
    app.add_node(source, html=(render.visit_source, render.depart_source))
    app.add_node(source_name, html=(render.visit_source_name, render.depart_source_name))
    app.add_node(markup, html=(render.visit_markup, None))
    app.add_node(bundle_links)
    app.add_node(bibliography, override=True)


def _connect_events(app: Sphinx) -> None:
    app.connect("config-inited", _set_defaults)
    app.connect("builder-inited", _open_library, priority=400)  # before sphinxcontrib-bibtex would parse
    app.connect("builder-inited", _close_library, priority=600)
    app.connect("builder-inited", _add_static_folder)
    app.connect("env-get-outdated", _outdated_pages)
    app.connect("env-updated", _pages_read, priority=600)
    app.connect("html-collect-pages", _collect_pages)
    app.connect("html-page-context", _page_context, priority=400)  # before the theme asks for the sidebar
    app.connect("html-page-context", _page_contents, priority=600)  # after the theme has decided
    app.connect("build-finished", _finish)


# configuration -------------------------------------------------------------------


def _set_defaults(app: Sphinx, settings: Config) -> None:
    """The project's .bib files where ``bibtex_bibfiles`` is not set, and refkit's styles where none is
    chosen.
    """
    if settings.bibtex_bibfiles is None:
        found = _project(app).bib_files()
        settings.bibtex_bibfiles = [Path(os.path.relpath(path, app.confdir)).as_posix() for path in found]
        if not found:
            _warn(
                "config", "there are no .bib files; set bibtex_bibfiles in conf.py, or 'bib' in [tool.refkit]"
            )
    chosen = getattr(settings, "_raw_config", {})
    for name in ("bibtex_default_style", "bibtex_reference_style"):
        if name not in chosen and name not in settings.overrides:
            settings[name] = style.NAME


def _project(app: Sphinx) -> config.Config:
    """The project's configuration, found upwards from conf.py; the defaults where it cannot be used."""
    folder = Path(app.confdir)
    try:
        return config.load(start=folder)
    except config.ConfigError as error:
        _warn("config", str(error))
        return config.Config(root=folder)


def _warn(subtype: str, message: str, location: str | None = None) -> None:
    logger.warning("%s", message, location=location, type="refkit", subtype=subtype)


# the bibliography ------------------------------------------------------------------


def _open_library(app: Sphinx) -> None:
    """Read the .bib files and give them to the cite domain, which then has nothing to parse."""
    files = [(Path(app.confdir) / file).resolve() for file in app.config.bibtex_bibfiles or ()]
    project = _project(app)
    library = Library(files, project.root.resolve(), _provenance(project, files), project.aliases)
    for found in library.diagnostics:
        _report(found)
    cite_domain(app.env).open(library, app.builder)


def _provenance(project: config.Config, files: list[Path]) -> dict[str, Any]:
    """What is known about the facts: beside the .bib files that the project names, else beside the first
    one.
    """
    folder = project.bib_folder if project.file or not files else files[0].parent
    try:
        return provenance.load(folder / "provenance.json")
    except provenance.ProvenanceError as error:
        _warn("provenance", str(error))
        return {}


def _report(found: Diagnostic) -> None:
    location = f"{found.file}:{found.line or 1}" if found.file else None
    message = (
        f"{found.message} [{found.key}]" if found.key and found.key not in found.message else found.message
    )
    if found.severity == "info":
        logger.info("%s: %s", location, message)
    else:
        _warn(found.code, message, location)


def _close_library(app: Sphinx) -> None:
    cite_domain(app.env).close()


def _outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Iterable[str]:
    """Pages that place or cite a work which has changed, or whose label has; nothing depends on times of
    files.
    """
    del app, added, changed, removed
    return cite_domain(env).changed_pages()


# pages -----------------------------------------------------------------------------


def _pages_read(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    """All pages are read: report what the list lacks, and name the pages that must be written again."""
    domain = cite_domain(env)
    domain.forget()
    _report_list(env)
    state = _state(app)
    digests = output.page_digests(domain, app.builder)
    known = state["pages"]
    state["pages"] = digests
    return [page for page, mark in digests.items() if known.get(page) != mark and page in env.all_docs]


def _report_list(env: BuildEnvironment) -> None:
    domain = cite_domain(env)
    if not refkit_domain(env).placed:
        return
    for found in domain.index.pages.diagnostics:
        _warn(found.code, found.message, f"{found.file}:{found.line or 1}")
    used = set(domain.index.used)
    for key, entry in domain.library.entries.items():
        if key not in used:
            location = f"{entry.file}:{entry.line}"
            _warn(
                "unused",
                f"no page places, lists or cites {key!r}; place it with '.. source:: {key}' or remove it",
                location,
            )


def _state(app: Sphinx) -> State:
    """What the output folder shows, loaded once in a build."""
    found = getattr(app, "_refkit_state", None)
    if found is None:
        file = Path(app.doctreedir) / f"refkit-{app.builder.name}.json"
        found = State(file, Path(app.outdir), _MADE_BY)
        app._refkit_state = found  # type: ignore[attr-defined] # lives as long as the build
    return cast("State", found)


# writing ---------------------------------------------------------------------------


def _add_static_folder(app: Sphinx) -> None:
    if app.builder.format == "html":
        app.config.html_static_path.append(str(_STATIC))


def _collect_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The pages of works that changed; those of works that are gone are deleted."""
    state, outdir = _state(app), Path(app.outdir)
    if not sites.is_site(app.builder):
        return
    index = cite_domain(app.env).index
    digests: dict[str, str] = {}
    if sites.has_work_pages(app.builder) and index.works:
        works = Works(cast("StandaloneHTMLBuilder", app.builder), index)
        digests = output.work_digests(index, works.common_digest(_MADE_BY))
        for key, page in index.works.items():
            if page in app.env.all_docs:
                _warn(
                    "work-page", f"the page {page!r} has the name of the page of the work {key!r}; rename it"
                )
            elif state["works"].get(page) != digests[page] or not (outdir / f"{page}.html").is_file():
                yield works.page(key, page)
                write_unapi(index, outdir, key, page)
        for page, target in index.moved_works.items():
            if page not in app.env.all_docs:
                write_moved(outdir, page, target)
                digests[page] = target
    output.delete_gone_works(outdir, state, digests)
    state["works"] = digests


def _page_context(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Style and script where they are needed, the link for Zotero, and one sidebar for all pages of works."""
    del templatename
    index = cite_domain(app.env).index
    is_work = doctree is None and pagename.startswith("works/") and pagename in index.work_pages
    if not is_work and pagename not in index.placements.placed:
        return
    app.add_css_file("refkit.css", priority=550)
    app.add_js_file("refkit.js", priority=550, loading_method="defer")
    if is_work:
        for name in ("toctree", "css_tag", "js_tag"):
            if name in context:
                context[name] = _shared(app, name, context[name])
    elif sites.has_bundles(app.builder) and (section := index.sections.get(pagename)):
        address = context["pathto"](f"{render.EXPORTS}/{section.slug}.unapi.xml", 1)
        link = f'\n<link rel="unapi-server" type="application/xml" title="unAPI" href="{address}">'
        context["metatags"] = context.get("metatags", "") + link


def _page_contents(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """The sources of a page stand in its table of contents."""
    del templatename, doctree
    placed = refkit_domain(app.env).placed.get(pagename)
    if placed:
        context["toc"] = sources.contents(cast("StandaloneHTMLBuilder", app.builder), pagename, placed)
        context["display_toc"] = True
        context["furo_hide_toc"] = "hide-toc" in (context.get("meta") or {})


def _shared(app: Sphinx, name: str, make: Callable[..., str]) -> Callable[..., str]:
    """A function of the template that is asked once for all pages of works.

    All lie equally deep and none stands in a table of contents, so that the sidebar and the addresses of
    style sheets and scripts are the same for all.
    """
    made: dict[str, str] = app.__dict__.setdefault(f"_refkit_{name}", {})

    def shared(*arguments: Any, **options: Any) -> str:
        asked = repr((arguments, sorted(options.items())))
        if asked not in made:
            made[asked] = make(*arguments, **options)
        return made[asked]

    return shared


def _finish(app: Sphinx, exception: Exception | None) -> None:
    """Bundles, and the record of what the output folder shows."""
    if exception is not None:
        return
    state = _state(app)
    if sites.has_bundles(app.builder):
        output.write_bundles(cite_domain(app.env).index, Path(app.outdir), state)
    elif sites.is_site(app.builder):
        output.delete_bundles(Path(app.outdir), state)
    state.save()
