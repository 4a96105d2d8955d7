"""Every rule finds fault with its failing example and none with its passing one."""

from __future__ import annotations

import re

import pytest

from refkit.check.model import BIB, Rule
from refkit.check.registry import families, rules

from .conftest import Check

OFFLINE = [rule for rule in rules().values() if rule.needs not in ("network", "site")]
#: Those whose example is an entry, not a whole project, of which other rules may ask more.
OF_ENTRIES = [rule for rule in OFFLINE if list(rule.good.files) == [BIB]]


@pytest.mark.parametrize("rule", OFFLINE, ids=lambda rule: rule.code)
def test_a_rule_finds_fault_with_its_failing_example(rule: Rule, check: Check) -> None:
    found = [
        diagnostic
        for diagnostic in check(rule.bad.files, rule.code).diagnostics
        if diagnostic.code == rule.code
    ]
    assert found, f"{rule.code} is silent on\n{rule.bad.text}"
    assert any(diagnostic.severity == rule.severity for diagnostic in found)
    for diagnostic in found:
        assert diagnostic.file, diagnostic
        assert diagnostic.line or diagnostic.file.endswith((".toml", ".json")), diagnostic


@pytest.mark.parametrize("rule", OFFLINE, ids=lambda rule: rule.code)
def test_a_rule_finds_no_fault_with_its_passing_example(rule: Rule, check: Check) -> None:
    assert check(rule.good.files, rule.code).diagnostics == []


@pytest.mark.parametrize("rule", OF_ENTRIES, ids=lambda rule: rule.code)
def test_a_passing_example_of_an_entry_passes_all_rules_of_entries(rule: Rule, check: Check) -> None:
    errors = [
        diagnostic for diagnostic in check(rule.good.files).diagnostics if diagnostic.severity == "error"
    ]
    assert errors == []


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.code)
def test_a_rule_is_documented(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(?:-[a-z]+)*", rule.code)
    assert rule.title.endswith("."), rule.code
    assert rule.bad != rule.good


def test_codes_are_unique() -> None:
    codes = [rule.code for family in families().values() for rule in family]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("rule", [rule for rule in OFFLINE if rule.fixable], ids=lambda rule: rule.code)
def test_a_fixable_rule_can_fix_its_failing_example(rule: Rule, check: Check) -> None:
    found = [
        diagnostic
        for diagnostic in check(rule.bad.files, rule.code).diagnostics
        if diagnostic.code == rule.code
    ]
    assert any(diagnostic.fixable for diagnostic in found)


@pytest.mark.parametrize("rule", [rule for rule in OFFLINE if not rule.fixable], ids=lambda rule: rule.code)
def test_a_rule_that_is_not_fixable_offers_no_fix(rule: Rule, check: Check) -> None:
    found = [
        diagnostic
        for diagnostic in check(rule.bad.files, rule.code).diagnostics
        if diagnostic.code == rule.code
    ]
    assert not any(diagnostic.fixable for diagnostic in found)
