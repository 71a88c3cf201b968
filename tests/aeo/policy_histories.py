"""Releases of the starter corpus in which an airline's policy, and rules around it, change in every way."""

import datetime
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from rules.engine.document import Content
from rules.engine.facts import Rule, When
from tests.support import starter

AIRLINE = "EK"


def histories() -> Iterator[Content]:
    """Yield what three releases say: the starter corpus, another policy of `AIRLINE`, and the first again."""
    content = starter.starter_content()
    own = [rule for rule in content.rules if rule.airline == AIRLINE]
    regulator = next(rule for rule in content.rules if rule.airline is None)
    dated, reworded, specified, *_, gone = own
    changed: dict[str, Rule | None] = {
        dated.rule_id: replace(
            dated,
            effective_from=datetime.date(2026, 12, 1),
            effective_until=datetime.date(2027, 1, 31),
            sources=dated.sources[:1] if len(dated.sources) > 1 else content.rules[0].sources,
        ),
        reworded.rule_id: replace(reworded, summary="Worded anew.", confidence="unverified"),
        specified.rule_id: replace(
            specified, when=When(compartment=("checked",)), summary="Checked bags alone."
        ),
        gone.rule_id: None,
        regulator.rule_id: None,
    }
    rules = tuple(kept for rule in content.rules if (kept := changed.get(rule.rule_id, rule)) is not None)
    airlines = tuple(
        replace(
            airline,
            confidence="reported",
            summary="Another policy.",
            policy_url="https://www.emirates.com/new",
            effective_from=datetime.date(2026, 10, 1),
            notes=("A remark for partners.",),
        )
        if airline.airline == AIRLINE
        else airline
        for airline in content.airlines
    )
    yield content
    yield _with(content, rules=rules, airlines=airlines)
    yield content


def _with(content: Content, **lists: Any) -> Content:
    return replace(content, **lists)
