"""Templates of generated pages: the project's own where there is one, else ours."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader
from sphinx.locale import _

from refkit.sphinxext.library import digest

if TYPE_CHECKING:
    from sphinx.builders import Builder

FOLDER = Path(__file__).parent / "templates"


class Templates:
    """Finds templates in ``templates_path`` and then in ours; fills them, escaping everything."""

    def __init__(self, builder: Builder) -> None:
        folders = [Path(builder.confdir, path) for path in builder.config.templates_path]
        self._loader = FileSystemLoader([*folders, FOLDER])
        self._environment = Environment(
            loader=self._loader, autoescape=True, trim_blocks=True, lstrip_blocks=True
        )
        self._environment.globals["_"] = _

    def digest(self, name: str) -> str:
        """A digest of a template's text."""
        source, *_rest = self._loader.get_source(self._environment, name)
        return digest(source)

    def render(self, name: str, **context: Any) -> str:
        """The template's text with these variables."""
        return self._environment.get_template(name).render(context)

    @staticmethod
    def escape(text: str) -> str:
        """Plain text as HTML."""
        return html.escape(text)
