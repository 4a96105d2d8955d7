project = "Bibliographies"
extensions = ["sphinxcontrib.bibtex", "refkit.sphinxext"]
bibtex_bibfiles = ["refs.bib"]
html_theme = "basic"
