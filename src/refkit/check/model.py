"""What a rule is, and what it finds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from refkit.check.examples import examples

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.model import Entry, Severity

#: What a rule needs besides entries. Rules that need more than there is do not run.
Needs = Literal["entries", "pages", "provenance", "network", "site"]

#: Field -> its new raw value; ``None`` takes the field out.
Fix = Mapping[str, str | None]
#: A fix, or what makes it, where that costs something.
LazyFix = Fix | Callable[[], Fix]


class Finding(NamedTuple):
    """Something that a rule found. Where it stands follows from the entry and the field, or from the
    place.
    """

    #: One sentence: what is wrong and what to do.
    message: str
    entry: Entry | None = None
    #: The field that is meant; empty for the whole entry.
    field: str = ""
    #: The piece of the field's raw value that is meant; empty for all of it.
    part: str = ""
    #: The one right answer, where there is one.
    fix: LazyFix | None = None
    #: Where it differs from the rule's.
    severity: Severity | None = None
    #: File and 1-based line, for findings that are not about a field: pages, provenance, configuration.
    file: str = ""
    line: int | None = None
    #: The key it is about, where there is no entry.
    key: str = ""
    #: A name in place of a key, for suppressions: a section's slug, a file.
    about: str = ""


class Example(NamedTuple):
    """A small project that a rule finds fault with, or does not: path -> text."""

    files: Mapping[str, str]
    #: Names of rules' needs that the example brings itself, such as answers of a service.
    answers: Mapping[str, object] = {}

    @property
    def text(self) -> str:
        """As the manual shows it."""
        if len(self.files) == 1:
            return next(iter(self.files.values())).strip("\n")
        return "\n\n".join(f"{path}:\n\n{text.strip(chr(10))}" for path, text in self.files.items())


#: The file of an example that is a text alone.
BIB = "bib/refs.bib"


class Rule(NamedTuple):
    """A rule: a row of the registry."""

    #: A stable word in kebab-case.
    code: str
    severity: Severity
    #: Runs over a whole library; ``None`` for what is found elsewhere: by the reader, by services, in a site.
    check: Callable[[Library], Iterable[Finding]] | None
    #: One sentence: what it catches.
    title: str
    #: Why, how it decides, what it leaves alone, which tools know it.
    text: str
    #: Its examples, where they are not in a file of `refkit.check.examples`.
    fails: Example | None = None
    passes: Example | None = None
    needs: Needs = "entries"
    #: Whether it runs unless selected by name.
    default: bool = True
    #: Whether some of its findings can be fixed without asking.
    fixable: bool = False

    @property
    def bad(self) -> Example:
        """A small project that it finds fault with."""
        return self.fails or Example({BIB: examples()[self.code, "fails"]})

    @property
    def good(self) -> Example:
        """One that it does not."""
        return self.passes or Example({BIB: examples()[self.code, "passes"]})


#: A .bib text, or a project as path -> text.
Given = str | Mapping[str, str]


def rule(
    code: str,
    severity: Severity,
    *,
    bad: Given | None = None,
    good: Given | None = None,
    needs: Needs = "entries",
    default: bool = True,
    fixable: bool = False,
) -> Callable[[Callable[[Library], Iterable[Finding]]], Rule]:
    """Make a rule of a function; its docstring says what the rule catches (first paragraph) and why.

    Args:
        code: its name.
        severity: that of its findings, where they do not say otherwise.
        bad, good: what it finds fault with and what not, if not in a file of `refkit.check.examples`.
        needs: what it looks at.
        default: whether it runs unless selected by name.
        fixable: whether some of its findings can be fixed without asking.
    """

    def decorate(check: Callable[[Library], Iterable[Finding]]) -> Rule:
        title, text = _described(check.__doc__ or "")
        return Rule(
            code, severity, check, title, text, _example(bad), _example(good), needs, default, fixable
        )

    return decorate


def reported(
    code: str, severity: Severity, title: str, *, bad: Given | None = None, good: Given | None = None
) -> Rule:
    """A rule that the reader keeps: the code stands in the registry, the finding comes with the text."""
    return Rule(code, severity, None, title, "Reported by the reader.", _example(bad), _example(good))


def _described(doc: str) -> tuple[str, str]:
    title, _, text = inspect.cleandoc(doc).partition("\n\n")
    return " ".join(title.split()), text.strip()


def _example(given: Given | None) -> Example | None:
    if given is None:
        return None
    return Example({BIB: given} if isinstance(given, str) else given)
