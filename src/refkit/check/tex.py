"""TeX in values: characters that must be escaped, formulas, braces, commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.characters import ENTITY
from refkit.check.library import PEOPLE_FIELDS, TEXT_FIELDS, TITLE_FIELDS, Library
from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.model import Severity

#: Pieces of a value in which the special characters of TeX are meant, or are no TeX at all.
_EXEMPT = re.compile(
    r"\$(?:[^$\\]|\\.)*+\$|\\\((?:[^\\]|\\[^)])*+\\\)|\\(?:url|path|nolinkurl|ensuremath|ce|si"
    r"|num)\*? *\{(?:[^{}]|\{[^{}]*\})*+\}"
    r"|\\href *\{[^{}]*\}|\\."
)
_SPECIAL = re.compile(r"[&%#_^]")


@rule("unescaped-special", "error", fixable=True)
def unescaped_special(library: Library) -> Iterator[Finding]:
    r"""``& % # _`` or ``^`` in a field that TeX reads, without a backslash and outside formulas and
    addresses.

    LaTeX stops at them, or (``%``) drops the rest of the line. Known to JabRef, biblint, bibcop.
    """
    for column in library.some(TEXT_FIELDS):
        for hit in column.hits(_MAYBE_SPECIAL, "&", "%", "#", "_", "^"):
            found = list(_special_places(hit.value))
            if not found or _is_address(hit.value):
                continue
            signs = "".join(dict.fromkeys(hit.value[at] for at in found))
            fix = (
                None
                if "^" in signs or ENTITY.search(hit.value)
                else {column.name: _escaped(hit.value, found)}
            )
            yield Finding(
                f"{' '.join(signs)} in {column.name} without a backslash: LaTeX cannot set it",
                hit.entry,
                column.name,
                hit.value[found[0]],
                fix,
            )


_MAYBE_SPECIAL = re.compile(r"(?<!\\)[&%#_^]")


def _special_places(value: str) -> Iterator[int]:
    masked = _EXEMPT.sub(lambda match: "x" * len(match[0]), value) if "$" in value or "\\" in value else value
    return (match.start() for match in _SPECIAL.finditer(masked))


def _is_address(value: str) -> bool:
    return "://" in value and " " not in value


def _escaped(value: str, places: list[int]) -> str:
    at = set(places)
    return "".join(f"\\{char}" if place in at else char for place, char in enumerate(value))


@rule("bad-tex", "error")
def bad_tex(library: Library) -> Iterator[Finding]:
    r"""TeX that does not parse: a formula that is never closed, ``\left`` without ``\right``, a backslash at
    the end.

    Whether a command is defined only LaTeX knows; what the reader would lose is looked at by
    ``unknown-command``. Known to JabRef.
    """
    for column in library.some(TEXT_FIELDS):
        if not column.has(*_TEX_SIGNS) and not column.text.endswith("\\"):
            continue
        for hit in column.hits(_MATH_OR_END):
            problem = _tex_problem(hit.value)
            if problem:
                yield Finding(
                    f"{problem} in {column.name}: LaTeX cannot set it", hit.entry, column.name, hit.part
                )


_TEX_SIGNS = ("$", "\\begin", "\\end", "\\left", "\\right", "\\(", "\\)", "\\[", "\\]", "\\\n")
_MATH_OR_END = re.compile(r"(?m)(?<!\\)\$|\\(?:begin|end|left|right|[()\[\]])|\\$")
_COMMANDS = re.compile(r"\\(begin|end|left|right)(?![A-Za-z])|\\([()\[\]])")


def _tex_problem(value: str) -> str:
    if value.endswith("\\") and not value.endswith("\\\\"):
        return "a backslash at the end"
    bare = value.replace("\\\\", "").replace("\\$", "")
    if bare.count("$") % 2:
        return "a $ that is never closed"
    counts: dict[str, int] = {}
    for match in _COMMANDS.finditer(bare):
        counts[match[1] or match[2]] = counts.get(match[1] or match[2], 0) + 1
    for opening, closing in (("begin", "end"), ("left", "right"), ("(", ")"), ("[", "]")):
        if counts.get(opening, 0) != counts.get(closing, 0):
            return f"\\{opening} without \\{closing}, or the other way round,"
    return ""


@rule("unbalanced-braces", "error")
def unbalanced_braces(library: Library) -> Iterator[Finding]:
    r"""Braces that do not balance once ``\{`` and ``\}`` are taken as the characters that TeX sees.

    BibTeX counts every brace, TeX only those that are not escaped; a value must balance for both. Known to
    JabRef, biblint.
    """
    for column in library.some(TEXT_FIELDS):
        for hit in column.hits(_ESCAPED_BRACE, "\\{", "\\}"):
            bare = _ESCAPED_BRACE.sub("", hit.value.replace("\\\\", ""))
            if bare.count("{") != bare.count("}"):
                yield Finding(
                    f"the braces of {column.name} do not balance for TeX: escape both of a pair, or neither",
                    hit.entry,
                    column.name,
                )


_ESCAPED_BRACE = re.compile(r"\\[{}]")


@rule("unknown-command", "info")
def unknown_command(library: Library) -> Iterator[Finding]:
    """A TeX command that no export knows: its name is dropped, its arguments stay as text.

    Told once a command, at its first use; commands that a ``@preamble`` defines are known. In a name it is a
    warning: a letter of TeX that ran into the next word, so that letters are lost.
    """
    defined = {name for document in library.documents.values() for name in _DEFINED.findall(document.text)}
    seen: set[str] = set()
    for column in library.some((*PEOPLE_FIELDS, *TITLE_FIELDS)):
        worse: Severity | None = "warning" if column.name in PEOPLE_FIELDS else None
        for hit in column.hits(_COMMAND_WORD, "\\"):
            for command in _COMMAND_WORD.findall(_EXEMPT_MATH.sub("", hit.value)):
                if command in seen:
                    continue
                seen.add(command)
                if command not in defined and not _is_known_command(command):
                    yield Finding(
                        f"\\{command} is no command that exports know: write it in another way",
                        hit.entry,
                        column.name,
                        f"\\{command}",
                        severity=worse,
                    )


#: What a ``@preamble`` defines.
_DEFINED = re.compile(
    r"\\(?:(?:new|renew|provide)command|DeclareRobustCommand|DeclareMathOperator|def|gdef|let)\*? *"
    r"\{? *\\([A-Za-z]+)"
)
_COMMAND_WORD = re.compile(r"\\([A-Za-z]{2,})")
_EXEMPT_MATH = re.compile(r"\$(?:[^$\\]|\\.)*+\$|\\ensuremath *\{(?:[^{}]|\{[^{}]*\})*+\}")
#: Commands that style text or stand for nothing: known though they give no character.
_STYLING = frozenset(
    (
        "emph textit textbf textsc texttt textrm textsf textsl textup textmd textnormal textsuperscript "
        "textsubscript mkbibemph mkbibquote mkbibbold enquote bibinfo bibstring url href path nolinkurl "
        "noopsort mbox hbox text mathrm mathbb mathcal mathsf mathbf mathit bf it sc tt em rm sf sl small "
        "large tiny relax protect nocase textcolor uppercase lowercase underline nobreak allowbreak "
        "hyphenation newline linebreak xspace par bibsc hspace vspace"
    ).split()
)


def _is_known_command(command: str) -> bool:
    from refkit.values import tex

    if command in _STYLING:
        return True
    return tex.decode(f"\\{command}{{}}").strip() != ""


RULES = (
    unescaped_special,
    bad_tex,
    unbalanced_braces,
    unknown_command,
)
