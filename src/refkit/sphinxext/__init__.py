"""refkit for Sphinx: annotated bibliographies, citations that lead somewhere, and files for every reader.

``extensions = ["refkit.sphinxext"]`` brings sphinxcontrib-bibtex with it. It needs only
``bibtex_bibfiles``, or nothing where the project has its .bib files in the folder that ``[tool.refkit]``
names (default: ``bib/``).

Configuration values:

``refkit_work_pages`` (bool, default ``True``)
    Whether html and dirhtml get a page for each work that the project places, lists or cites: ``works/KEY/``.
``refkit_bundles`` (bool, default ``True``)
    Whether html and dirhtml get the bundles of each section and of all sections, in ``exports/``.
``refkit_offline_zip`` (bool, default ``False``)
    Whether html and dirhtml get the whole site as ``offline.zip`` as well.

Values of sphinxcontrib-bibtex keep their meaning; ``bibtex_default_style`` and ``bibtex_reference_style`` are
``refkit`` where conf.py does not set them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Sphinx's entry point."""
    from refkit.sphinxext.build import connect

    return connect(app)
