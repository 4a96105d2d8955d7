"""The manual of the rules: one of them for the terminal, all of them as a page of reStructuredText."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from refkit.check.characters import MOJIBAKE
from refkit.check.coverage import LEFT_OUT, TOPICS
from refkit.check.model import BIB, Example, Rule
from refkit.check.registry import FAMILIES, families, rules


def explanation(rule: Rule) -> str:
    """A rule as ``refkit check --explain`` prints it."""
    out = [f"{rule.code} ({_qualities(rule)})", "", *textwrap.wrap(_plain(rule.title), 88)]
    for paragraph in rule.text.split("\n\n") if rule.text else []:
        out += ["", *textwrap.wrap(_plain(" ".join(paragraph.split())), 88)]
    for label, example in _examples(rule):
        if not example.files:
            continue
        out += ["", f"{label}:", "", _indented(example.text)]
    return "\n".join(out)


def _examples(rule: Rule) -> list[tuple[str, Example]]:
    """The examples to show, with what is said above them. What services answer makes the difference in
    some.
    """
    if rule.needs == "network":
        return [] if rule.bad.text == rule.good.text else [("Asks for", rule.bad)]
    paths = dict.fromkeys((*rule.bad.files, *rule.good.files))
    differ = {path for path in paths if rule.bad.files.get(path) != rule.good.files.get(path)}
    return [
        (label, Example({path: text for path, text in example.files.items() if path in differ}))
        for label, example in (("Fails", rule.bad), ("Passes", rule.good))
    ]


def _qualities(rule: Rule) -> str:
    parts: list[str] = [rule.severity]
    parts += ["needs --online"] if rule.needs == "network" else []
    parts += ["needs --site"] if rule.needs == "site" else []
    parts += ["fixable"] if rule.fixable else []
    parts += [] if rule.default else ["off unless selected"]
    return ", ".join(parts)


def _plain(text: str) -> str:
    return text.replace("``", "")


def _indented(text: str) -> str:
    return textwrap.indent(_shown(text), "    ")


def _shown(text: str) -> str:
    """An example without what a terminal or a page cannot show, long lines cut."""
    lines = []
    text = MOJIBAKE.sub(lambda match: "".join(f"<U+{ord(char):04X}>" for char in match[0]), text)
    for line in text.splitlines():
        line = "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in line)
        lines.append(line if len(line) <= 400 else line[:120] + " …")
    return "\n".join(lines)


# -- the page


def page() -> str:
    """``docs/refkit/rules.rst``: the introduction; it includes `body`."""
    return "\n".join(_INTRODUCTION).rstrip() + "\n"


def body() -> str:
    """``docs/refkit/rules.inc``: all rules.

    Apart from the page, so that readers of pages that look for sources need not parse the examples in it.
    """
    return "\n".join([*_families(), *_coverage()]).strip() + "\n"


_INTRODUCTION = """\
Rules of ``refkit check``
=========================

.. This page and rules.inc are generated from the registry: python -m refkit.check.manual docs/refkit

``refkit check`` reads the bibliography, the pages and the provenance and says what is wrong. Without
``--online`` it never uses the network. Each rule has a code:

.. code-block:: console

   $ refkit check                          all rules, over the project
   $ refkit check --bib refs.bib           over a file alone
   $ refkit check --select names           one family of rules, or single codes
   $ refkit check --ignore title-case
   $ refkit check --fix                    put right what has one right answer
   $ refkit check --online                 ask arXiv, the DOI services and the linked pages too
   $ refkit check --site _build/html       look at the built site too
   $ refkit check --explain invalid-doi

An *error* is wrong, a *warning* most probably so, a *note* (info) is worth a look. What could not be
verified is said to be so, and is neither right nor wrong. The exit status is 1 where there is an error, 3
where there is none but something could not be verified, else 0.

A finding that is not to be followed is answered in the configuration, one by one and with a reason, for a
time where it is to come up again. An answer without a reason, past its day, or that answers nothing is itself
a finding.

.. code-block:: toml

   [tool.refkit.suppress]
   "name-variants:austin2025inference" = "the page prints the name without its accent"
   "date-order:lee2024.urldate" = { reason = "the page is dated ahead", until = 2027-06-30 }

Settings stand in ``[tool.refkit.check]``:

.. list-table::
   :header-rows: 1
   :widths: 26 74

   * - Key
     - Meaning
   * - ``select``, ``ignore``
     - codes or families, as the options of the same names
   * - ``key-pattern``
     - a regular expression that every citation key matches
   * - ``annotation-words``
     - fewest and most words of an annotation; ``[5, 150]`` if not set
   * - ``start``
     - slug of the section to start with, whose works must be readable without pay
   * - ``watchlist``
     - slug of the section whose sources say what they wait for
   * - ``works``, ``placements``
     - how many of them the list has
   * - ``files-by-section``
     - whether each .bib file holds the works that its section places first, in that order
   * - ``organisations``, ``terms``
     - names and words besides those that refkit knows

Facts that a person has checked are *sealed*: ``refkit check --accept KEY`` writes a short digest of each
value to provenance, with today's date; where the values are sealed already, nothing changes. A value that
changes afterwards is a finding until it is accepted again, or until a service has given it.

.. include:: rules.inc
""".splitlines()


def _families() -> Iterator[str]:
    for name, heading in FAMILIES.items():
        found = families()[name]
        if not found:
            continue
        yield from ("", heading, "-" * len(heading))
        for rule in found:
            yield from _entry(rule)


def _entry(rule: Rule) -> Iterator[str]:
    yield from ("", f".. _rule-{rule.code}:", "", rule.code, "~" * len(rule.code), "")
    yield from _filled(f"*{_qualities(rule).capitalize()}.* {rule.title}")
    for paragraph in rule.text.split("\n\n") if rule.text else []:
        yield from ("", *_filled(paragraph))
    for label, example in _examples(rule):
        if not example.files:
            continue
        yield from ("", f"{label}:", "", f".. code-block:: {_language(example)}", "   :force:", "")
        yield from (f"   {line}" if line else "" for line in _shown(_wrapped(example)).splitlines())


def _filled(text: str) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), 110, break_long_words=False, break_on_hyphens=False)


def _language(example: Example) -> str:
    return "bibtex" if list(example.files) == [BIB] else "text"


def _wrapped(example: Example) -> str:
    """An example's text, long entries one field a line."""
    lines: list[str] = []
    for line in example.text.splitlines():
        if len(line) > 100 and line.startswith("@"):
            line = line.replace("}, ", "},\n  ").replace(", author =", ",\n  author =", 1)
        lines += line.splitlines()
    return "\n".join(lines)


def _coverage() -> Iterator[str]:
    heading = "What checkers look for, and where it is here"
    yield from ("", heading, "-" * len(heading), "")
    yield (
        "The best checkers of bibliographies and lists look for these things, some for few of them and none "
        "for all."
    )
    yield "The codes say which rules look for each; where none does, the reason stands instead."
    yield from (
        "",
        ".. list-table::",
        "   :header-rows: 1",
        "   :widths: 6 50 44",
        "",
        "   * - No.",
        "     - What",
        "     - Rules",
    )
    for number, (what, codes) in enumerate(TOPICS, 1):
        shown = ", ".join(f":ref:`{code} <rule-{code}>`" for code in codes if code in rules())
        reason = LEFT_OUT.get(number, "")
        yield from (
            f"   * - {number}",
            f"     - {what}",
            f"     - {'. '.join(part for part in (shown, reason) if part)}",
        )


def write(folder: Path) -> None:
    """Write both files."""
    (folder / "rules.rst").write_text(page(), encoding="utf-8")
    (folder / "rules.inc").write_text(body(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
