"""Sphinx configuration of the annotated bibliography. Build it with ``make html``."""

project = "GPU performance engineering and LLM inference"
author = "The refkit authors"
version = release = "0.1.0"
copyright = "2026, the refkit authors; annotations CC BY 4.0, bibliographic data CC0"
html_title = "GPU performance engineering and LLM inference"
html_short_title = "GPU & LLM inference bibliography"
language = "en"

extensions = ["refkit.sphinxext"]
exclude_patterns = ["LICENSE*"]

html_theme = "furo"
html_favicon = "docs/_static/favicon.svg"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "source_view_link": "",
    "source_edit_link": "",
}

# make offline: the site as one file as well; the page on bundles links it then.
refkit_offline_zip = tags.has("offline")  # noqa: F821 - Sphinx gives it

latex_engine = "lualatex"
epub_show_urls = "no"
