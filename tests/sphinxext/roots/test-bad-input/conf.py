project = "Bad input"
extensions = ["refkit.sphinxext"]
bibtex_bibfiles = ["refs.bib", "missing.bib", "binary.bib"]
html_theme = "basic"
