project = "Footnotes"
extensions = ["refkit.sphinxext"]
bibtex_bibfiles = ["refs.bib"]
html_theme = "basic"
