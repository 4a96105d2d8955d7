"""The ``:filter:`` expressions of sphinxcontrib-bibtex, compiled once each.

The language is that package's: ``and or not``, comparisons, ``%`` (search by regular expression), sets, and
the names ``type``, ``key``, ``cited``, ``docname``, ``docnames``, ``author``, ``editor`` and every field.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from refkit.model import Entry, Person


class FilterError(ValueError):
    """An expression that is no filter: says why."""


class Subject(NamedTuple):
    """What an expression is asked about: an entry, the bibliography's page, and the pages that cite the
    entry.
    """

    entry: Entry
    docname: str
    cited_in: frozenset[str]


Test = Callable[[Subject], Any]

#: What each usual expression says about an entry without looking at it: only cited ones, only uncited ones.
CITED = "cited"
EVERYTHING = "True"
NOT_CITED = "not cited"
CITED_HERE = "docname in docnames"

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right, ast.NotIn: lambda left, right: left not in right,
}  # fmt: skip


def compile_filter(expression: str) -> Test:
    """The test that an expression stands for.

    Raises:
        FilterError: not Python, or more than a filter may hold. The test itself raises it for values that
        cannot
            be compared.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FilterError(f"{expression!r} cannot be read: {error}") from error
    return _compiled(tree.body)


def _compiled(node: ast.expr) -> Test:
    compile_node = _NODES.get(type(node))
    if compile_node is None:
        raise FilterError(f"a filter cannot hold {type(node).__name__}")
    return compile_node(node)


def _bool_op(node: ast.BoolOp) -> Test:
    tests = [_compiled(value) for value in node.values]
    if isinstance(node.op, ast.And):
        return lambda subject: all(test(subject) for test in tests)
    return lambda subject: any(test(subject) for test in tests)


def _unary_op(node: ast.UnaryOp) -> Test:
    if not isinstance(node.op, ast.Not):
        raise FilterError(f"a filter cannot hold {type(node.op).__name__}")
    test = _compiled(node.operand)
    return lambda subject: not test(subject)


def _bin_op(node: ast.BinOp) -> Test:
    left, right = _compiled(node.left), _compiled(node.right)
    if isinstance(node.op, ast.Mod):
        return lambda subject: _search(left(subject), right(subject))
    if isinstance(node.op, ast.BitOr):
        return lambda subject: _checked(operator.or_, left(subject), right(subject))
    if isinstance(node.op, ast.BitAnd):
        return lambda subject: _checked(operator.and_, left(subject), right(subject))
    raise FilterError(f"a filter cannot hold {type(node.op).__name__}")


def _search(text: Any, pattern: Any) -> bool:
    if not isinstance(text, str) or not isinstance(pattern, str):
        raise FilterError("both sides of % must be texts")
    try:
        return re.search(pattern, text, re.IGNORECASE) is not None
    except re.error as error:
        raise FilterError(f"{pattern!r} is no regular expression: {error}") from error


def _checked(apply: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    try:
        return apply(left, right)
    except TypeError as error:
        raise FilterError(f"values cannot be compared: {error}") from error


def _compare(node: ast.Compare) -> Test:
    if len(node.ops) != 1:
        raise FilterError("a filter compares two values at a time")
    left, right = _compiled(node.left), _compiled(node.comparators[0])
    apply = _COMPARISONS.get(type(node.ops[0]))
    if apply is None:
        raise FilterError(f"a filter cannot hold {type(node.ops[0]).__name__}")
    return lambda subject: _checked(apply, left(subject), right(subject))


def _name(node: ast.Name) -> Test:
    name = node.id
    known = _NAMES.get(name)
    return known or (lambda subject: subject.entry.fields.get(name.lower(), ""))


def _set(node: ast.Set) -> Test:
    tests = [_compiled(element) for element in node.elts]
    return lambda subject: frozenset(test(subject) for test in tests)


def _constant(node: ast.Constant) -> Test:
    value = node.value
    return lambda _: value


_NODES: dict[type[ast.expr], Callable[[Any], Test]] = {
    ast.BoolOp: _bool_op, ast.UnaryOp: _unary_op, ast.BinOp: _bin_op, ast.Compare: _compare,
    ast.Name: _name, ast.Set: _set, ast.Constant: _constant,
}  # fmt: skip


def _people(role: str) -> Test:
    def people(subject: Subject) -> str:
        found = subject.entry.names(role)
        names = [_written(person) for person in found.people]
        return " and ".join([*names, "others"] if found.others else names)

    return people


def _written(person: Person) -> str:
    """A name as pybtex writes it: ``van Beethoven, Jr, Ludwig``."""
    if person.literal:
        return person.literal
    parts = (f"{person.prefix} {person.family}".strip(), person.suffix, person.given)
    return ", ".join(part for part in parts if part)


_NAMES: dict[str, Test] = {
    "type": lambda subject: subject.entry.type,
    "key": lambda subject: subject.entry.key.lower(),
    "cited": lambda subject: bool(subject.cited_in),
    "docname": lambda subject: subject.docname,
    "docnames": lambda subject: subject.cited_in,
    "author": _people("author"),
    "editor": _people("editor"),
}
