"""Findings that a person has answered: ``[tool.refkit.suppress]``.

Each is answered one by one, for a reason, and if it is to come up again, until a day::

    [tool.refkit.suppress]
    "name-variants:austin2025inference" = "the page prints the name without its accent"
    "date-order:lee2024.urldate" = { reason = "the page is dated ahead", until = 2027-06-30 }

The name is a code, a colon, and the key that the finding is about; behind a full stop may follow the field.
For findings that are about no work a section's slug or a file's name stands in place of the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from refkit.check.model import Finding, rule

if TYPE_CHECKING:
    from refkit.check.library import Library


class Answer(NamedTuple):
    """One line of the table."""

    #: As it stands in the configuration: ``code:key`` or ``code:key.field``.
    name: str
    code: str
    key: str
    reason: str
    until: date | None
    #: What is wrong with the line itself; a line with a problem answers nothing.
    problem: str = ""

    def covers(self, code: str, keys: Iterable[str], field: str) -> bool:
        """Whether a finding of this code, about one of these names, is answered."""
        if self.problem or code != self.code:
            return False
        return any(self.key in (key, f"{key}.{field}") for key in keys if key)

    def expired(self, today: date) -> bool:
        """Whether its day is over."""
        return self.until is not None and self.until < today


def answers(table: Mapping[str, Any]) -> list[Answer]:
    """The answers of the table, in its order."""
    return [_answer(name, value) for name, value in table.items()]


def _answer(name: str, value: Any) -> Answer:
    code, _, key = name.partition(":")
    reason, until, problem = "", None, ""
    if isinstance(value, str):
        reason = value
    elif isinstance(value, dict):
        reason, until = value.get("reason", ""), value.get("until")
        if extra := sorted(set(value) - {"reason", "until"}):
            problem = f"has unknown members: {', '.join(extra)}"
    else:
        problem = "must be a reason, or a table with reason and until"
    if isinstance(until, datetime):
        until = until.date()
    if isinstance(until, str):
        try:
            until = date.fromisoformat(until)
        except ValueError:
            until, problem = None, f"has an until that is no day: {value['until']!r}"
    elif until is not None and not isinstance(until, date):
        until, problem = None, f"has an until that is no day: {until!r}"
    if not code or not key:
        problem = "must name a code and what it is about: 'code:key'"
    elif not isinstance(reason, str) or len(reason.split()) < 2:
        problem, reason = (
            problem or "gives no reason: say in a few words why the finding is not to be followed",
            "",
        )
    return Answer(name, code, key, reason, until, problem)


_CONFIG = "[tool.refkit.suppress]\n{}\n".format
_FILES = {"bib/refs.bib": "@misc{lee2024, author = {Lee, Ada}, title = {Title.}, year = {2024}}"}


@rule(
    "suppression",
    "warning",
    bad={"pyproject.toml": _CONFIG('"final-stop:lee2024" = ""'), **_FILES},
    good={"pyproject.toml": _CONFIG('"final-stop:lee2024" = "the title ends so in print"'), **_FILES},
)
def suppression(_: Library) -> Iterator[Finding]:
    """A suppression without a reason, past its day, of an unknown code, or that answers nothing any more."""
    return iter(())  # found by the runner, which knows what each answer covered


RULES = (suppression,)


def problems(
    table: Iterable[Answer], used: set[str], known: Mapping[str, Any], ran: set[str], today: date, file: str
) -> Iterator[Finding]:
    """What is wrong with the answers themselves, once all rules have run."""
    for answer in table:
        if answer.problem:
            message = f"the suppression {answer.name!r} {answer.problem}"
        elif answer.code not in known:
            message = f"the suppression {answer.name!r} names a code that no rule has"
        elif answer.expired(today):
            message = (
                f"the suppression {answer.name!r} was for a time, until {answer.until}: look at the finding "
                f"again"
            )
        elif answer.name not in used and answer.code in ran:
            message = f"the suppression {answer.name!r} answers no finding any more: delete it"
        else:
            continue
        yield Finding(message, file=file, about=answer.name)
