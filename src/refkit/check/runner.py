"""Runs rules over a library: findings, those that were answered, diagnostics in file order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from refkit.check import suppress
from refkit.check.places import caret, line_of
from refkit.check.registry import rules
from refkit.model import Diagnostic

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding, Needs, Rule


class Result(NamedTuple):
    """What a run found."""

    #: With the finding that each came from; ``None`` for what the reader reports.
    found: list[tuple[Diagnostic, Finding | None]]
    #: How many findings were answered by suppressions.
    suppressed: int

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics, in the order of files and lines."""
        return [diagnostic for diagnostic, _ in self.found]


def run(
    library: Library,
    codes: set[str],
    *,
    reported: Iterable[Diagnostic] = (),
    answers: Sequence[suppress.Answer] = (),
    extra: Iterable[tuple[str, Finding]] = (),
    carets: bool = False,
) -> Result:
    """Run the rules of these codes.

    Args:
        library: what they look at.
        codes: the rules to run.
        reported: diagnostics of the readers, which pass the same gate.
        answers: suppressions.
        extra: findings made elsewhere (online, of a site), with their codes.
        carets: whether diagnostics get column and length, which costs a little for each.
    """
    gate = _Gate(library, answers)
    found: list[tuple[Diagnostic, Finding | None]] = [
        (diagnostic, None)
        for diagnostic in reported
        if (diagnostic.code in codes or diagnostic.code not in rules())
        and gate.passes(diagnostic.code, (diagnostic.key or "",), "")
    ]
    has = _available(library)
    for code, rule in rules().items():
        if code in codes and rule.check is not None and rule.needs in has:
            found += [
                (_diagnostic(library, rule, code, one, carets), one)
                for one in _limited(rule.check(library))
                if gate.passes_finding(code, one)
            ]
    for code, one in extra:
        if code in codes and gate.passes_finding(code, one):
            found.append((_diagnostic(library, rules()[code], code, one, carets), one))
    if suppress.RULES[0].code in codes:
        ran = {
            code
            for code in codes
            if library.whole and (rules()[code].check is None or rules()[code].needs in has)
        }
        for one in suppress.problems(answers, gate.used, rules(), ran, library.today, library.config_file):
            found.append((_diagnostic(library, suppress.RULES[0], suppress.RULES[0].code, one, carets), one))
    order = {file: number for number, file in enumerate(library.documents)}
    found.sort(
        key=lambda pair: (order.get(pair[0].file or "", len(order)), pair[0].file or "", pair[0].line or 0)
    )
    return Result(found, gate.count)


#: How many findings of one rule an entry gets; more say no more.
_MOST = 20
#: How long a message may be: long values are cut in the middle.
_LONGEST = 400


def _limited(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of a rule, of each entry at most so many."""
    counts: dict[int, int] = {}
    for one in findings:
        count = counts[id(one.entry)] = counts.get(id(one.entry), 0) + 1
        if count <= _MOST or one.entry is None:
            yield one


def _available(library: Library) -> set[Needs]:
    has: set[Needs] = {"entries"}
    if library.pages is not None and library.pages.sections:
        has.add("pages")
    if library.provenance is not None:
        has.add("provenance")
    return has


class _Gate:
    """Holds back what was answered."""

    def __init__(self, library: Library, answers: Sequence[suppress.Answer]) -> None:
        self._today = library.today
        self._answers: dict[str, list[suppress.Answer]] = {}
        for answer in answers:
            self._answers.setdefault(answer.code, []).append(answer)
        self.used: set[str] = set()
        self.count = 0

    def passes_finding(self, code: str, one: Finding) -> bool:
        if code not in self._answers:
            return True
        key = one.entry.key if one.entry is not None else one.key
        return self.passes(code, (key, one.about, one.file), one.field)

    def passes(self, code: str, keys: Iterable[str], field: str) -> bool:
        for answer in self._answers.get(code, ()):
            if answer.covers(code, keys, field) and not answer.expired(self._today):
                self.used.add(answer.name)
                self.count += 1
                return False
        return True


def _diagnostic(library: Library, rule: Rule, code: str, one: Finding, carets: bool) -> Diagnostic:
    entry = one.entry
    place = caret(library, one) if carets else None
    return Diagnostic(
        one.severity or rule.severity,
        code,
        one.message if len(one.message) <= _LONGEST else f"{one.message[:250]} … {one.message[-100:]}",
        (entry.key if entry is not None else one.key) or None,
        (entry.file if entry is not None else one.file) or None,
        line_of(library, one),
        one.fix is not None,
        place[0] if place else None,
        place[1] if place else None,
    )
