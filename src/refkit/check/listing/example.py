"""The small list that the examples of rules are made from: two works in one section."""

from __future__ import annotations

from collections.abc import Mapping

BIB = (
    "@misc{lee2024, author = {Lee, Ada}, title = {Fast Kernels for Small Devices}, date = {2024}, url = "
    "{https://example.org/a}}\n"
    "@misc{poe2023, author = {Poe, Bo}, title = {Slow Wheels}, date = {2023}, url = "
    "{https://example.org/b}}\n"
)
#: What the page says of the one, and of the other.
LEE = "Defines the kernel that all later ones are measured by; the wheels are shown by :cite:t:`poe2023`."
POE = "Measures wheels of nine kinds at rest and in motion, and says why none of them is fast."

_INDEX = "List\n====\n\n.. toctree::\n\n   part/loops\n"
_CONFIG = "[tool.refkit]\n"


def source(key: str, annotation: str, options: str = "") -> str:
    """A placement, as a page has it; options are whole lines."""
    indented = "\n".join(f"   {line}" for line in annotation.splitlines())
    return f".. source:: {key}\n{options}\n{indented}\n\n"


def setting(text: str) -> str:
    """A configuration with settings of ``refkit check``."""
    return f"[tool.refkit.check]\n{text}\n"


def project(page: str, config: str = _CONFIG, bib: str = BIB) -> Mapping[str, str]:
    """The files of a project whose section has these placements."""
    return {
        "pyproject.toml": config,
        "docs/index.rst": _INDEX,
        "docs/part/loops.rst": f"Loops\n=====\n\nAbout loops.\n\n{page}",
        "bib/loops.bib": bib,
    }


#: Both works placed.
BOTH = source("lee2024", LEE) + source("poe2023", POE)
#: A project without fault.
GOOD = project(BOTH)
