r"""TeX to Unicode and back.

Reading: :func:`decode` gives the plain text of a BibTeX value, :func:`decode_html` the same with CSL's few
elements, :func:`verbatim` the text of a field that is no TeX (url, doi, file). Each is total (any string
gives a result, none raises), takes time linear in the length of the value, and keeps its own stack, so that
no nesting is too deep for it.

Writing: :func:`encode` makes text safe for a TeX that reads UTF-8, :func:`encode_ascii` for classic BibTeX,
:func:`encode_tex_like` takes text that already holds formulas, :func:`ascii_tex` a TeX value; :func:`protect`
braces what a sentence-casing style would lower.

What becomes of what the tables do not know: of an unknown command only its name is lost, its arguments stay
as text, as pandoc and Zotero's users expect of ``\foo{bar}``; ``%`` is no comment inside a value (BibTeX
copies it through); an unescaped ``&``, ``#``, ``_`` or ``^`` stands for itself; ``'`` stays the straight
apostrophe unless it closes a quotation that a backquote opened. Every blank, ``~`` and ``\,`` included,
becomes one ordinary blank.
"""

from __future__ import annotations

from refkit.values.tex.clean import clean
from refkit.values.tex.protect import protect
from refkit.values.tex.read import decode, decode_html
from refkit.values.tex.verbatim import verbatim
from refkit.values.tex.write import ascii_tex, encode, encode_ascii, encode_tex_like, unencodable

__all__ = [
    "ascii_tex",
    "clean",
    "decode",
    "decode_html",
    "encode",
    "encode_ascii",
    "encode_tex_like",
    "protect",
    "unencodable",
    "verbatim",
]
