"""Fields that BibLaTeX takes as they stand: url, doi, file, keywords."""

from __future__ import annotations

import re

from refkit.values.patterns import pattern
from refkit.values.tex.clean import without_controls

_ESCAPED = r"""
    \\(?:url|path|nolinkurl)\ *\{(?P<url>[^{}]*)\}
  | \\href\ *\{(?P<href>[^{}]*)\}\ *\{[^{}]*\}
  | \{?\\(?P<word>textasciitilde|textunderscore|textbackslash|textasciicircum|slash|sim|allowbreak|relax)
       (?![A-Za-z])(?:\{\}|\ +)?\}?
  | (?P<tilde>\$\\sim\ *\$)
  | \\char(?P<code>126|95|37|35|38|'176|'137|"7E|"5F|"25|"23|"26)(?![0-9A-Fa-f])\ ?
  | (?P<backslashes>\\\\)
  | \\(?P<sign>[~^])\{?\ ?\}?
  | (?P<accent>\\[`'"=.](?:[A-Za-z]|\{[A-Za-z]\}))
  | \\(?P<nothing>[-/])
  | \\(?P<escape>[_%&\#$~^{} ])
  | (?P<brace>[{}])
"""
_WORDS = {
    "textasciitilde": "~",
    "textunderscore": "_",
    "textbackslash": "\\",
    "textasciicircum": "^",
    "slash": "/",
    "sim": "~",
    "allowbreak": "",
    "relax": "",
}
_CODES = {
    "126": "~", "'176": "~", '"7E': "~", "95": "_", "'137": "_", '"5F': "_", "37": "%", '"25': "%",
    "35": "#", '"23': "#", "38": "&", '"26': "&",
}  # fmt: skip


def verbatim(raw: str) -> str:
    r"""The text of a verbatim field, as plain text.

    Nothing is typeset: ``% _ # & ~ $ --`` stay. What other programs escaped is undone: ``\_``, ``{\_}``,
    ``\~{}``, ``{\textasciitilde}``, ``$\sim$``; ``\url{…}`` and braces are unwrapped, for no address holds
    them. A backslash that escapes nothing stays (``C:\data``).
    """
    if "\\" in raw or "{" in raw or "}" in raw:
        raw = pattern(_ESCAPED, re.VERBOSE).sub(_unescaped, raw)
    return without_controls(raw).strip()


def _unescaped(found: re.Match[str]) -> str:
    kind, text = str(found.lastgroup), found[str(found.lastgroup)]
    if kind in ("url", "href"):
        return verbatim(text)  # it holds no braces, so this goes no deeper
    if kind == "word":
        return _WORDS[text]
    if kind == "code":
        return _CODES[text]
    if kind == "accent":
        from refkit.values.tex.read import decode

        return decode(text)
    return {"tilde": "~", "nothing": "", "brace": ""}.get(kind, text)
