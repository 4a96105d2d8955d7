"""The integrity of a bibliography and of the list made from it.

A rule is a function from a library to findings, with a code, a severity, an example that fails and one that
passes (`model`). The rules stand in one module per family; `registry` lists the families. `runner` runs them,
`places` finds where a finding stands in the file, `suppress` reads the answers a person has given, `fix`
edits the files.
"""
