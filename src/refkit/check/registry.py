"""The table of rules: a family a line, in the order of the manual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refkit.check.model import Rule

#: Module of this package -> heading of its rules in the manual.
FAMILIES: Mapping[str, str] = {
    "identity": "Identity: keys, identifiers, works that stand twice",
    "names": "Names",
    "tex": "TeX",
    "titles": "Titles",
    "characters": "Characters and markup",
    "numbers": "Numbers and dates",
    "venues": "Venues",
    "entry_model": "The model: types, fields, vocabularies",
    "life": "The life of a work",
    "record": "Provenance",
    "listing": "The list",
    "online": "With the network",
    "site": "The built site",
    "suppress": "Suppressions",
}


@lru_cache(maxsize=1)
def families() -> Mapping[str, tuple[Rule, ...]]:
    """Module -> its rules."""
    return {name: import_module(f"refkit.check.{name}").RULES for name in FAMILIES}


@lru_cache(maxsize=1)
def rules() -> Mapping[str, Rule]:
    """All rules by code."""
    return {rule.code: rule for family in families().values() for rule in family}


def chosen(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> set[str]:
    """The codes that run: those selected, or all but the ones that are off by default; without those ignored.

    A name is a code or that of a family.

    Raises:
        KeyError: no rule and no family has the name.
    """
    wanted = _codes(select) or {code for code, rule in rules().items() if rule.default}
    return wanted - _codes(ignore)


def _codes(names: Iterable[str]) -> set[str]:
    out: set[str] = set()
    for name in names:
        if name in FAMILIES:
            out.update(rule.code for rule in families()[name])
        elif name in rules():
            out.add(name)
        else:
            raise KeyError(name)
    return out
