"""Rules that ask services."""

from __future__ import annotations

from refkit.check.model import Rule

RULES: tuple[Rule, ...] = ()
