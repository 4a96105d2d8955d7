project = "A list"
extensions = ["refkit.sphinxext"]
html_theme = "basic"
html_copy_source = False
