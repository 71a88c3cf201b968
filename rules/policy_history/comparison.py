"""What a release changed in the policies of airlines and in the rules of authorities, record by record.

A pure function of two contents. Called by the action that keeps the history of policies.
"""

import datetime
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Literal

import msgspec

from catalog.tables.history import FieldChange
from rules.engine.document import Content
from rules.engine.facts import Airline, Rule, Source
from rules.releases.comparison import RecordChange, compare

PolicySubject = Literal["rule", "airline"]
"""A rule, or what is known of an airline's policy as a whole."""

PolicyChangeWord = Literal["added", "changed", "removed"]

SUBJECTS: dict[str, PolicySubject] = {"rules": "rule", "airlines": "airline"}

FIGURES = frozenset({"watt_hour_over", "watt_hour_at_least", "watt_hour_up_to", "limit_watt_hour"})
"""Decimals of a rule, which plain JSON has as text."""

APART = frozenset({"changes"})
"""Fields that are not news of a release: dated changes that editors recorded are entries of their own."""


class PolicyNews(msgspec.Struct, frozen=True, kw_only=True):
    """One record that a release added, changed or removed.

    `airline` is null for a rule of an authority. `starts` is the first day of the new version, if a rule has
    one. `before` and `after` are the whole record as plain JSON, null if it was absent. `sources` are those
    of the new version, or of the last version of a removed record, without sources that no one read.
    """

    subject: PolicySubject
    change: PolicyChangeWord
    record_id: str
    airline: str | None
    jurisdiction: str
    starts: datetime.date | None
    fields: tuple[FieldChange, ...]
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    sources: tuple[Source, ...]


def policy_news(before: Content, after: Content) -> list[PolicyNews]:
    """Return what differs, the records of airlines first, then rules; each by id.

    A dated change that editors recorded is not included: it has its own day and sentence.
    """
    # Models and recalls are most of a release, and no policies.
    found = compare(_policies(before), _policies(after))
    rows = {"airlines": (_airlines(before), _airlines(after)), "rules": (_rules(before), _rules(after))}
    sources = {source.id: source for content in (before, after) for source in content.sources}
    return [
        _news(change, fields, rows[change.kind], sources)
        for change in found
        if (fields := tuple(one for one in change.fields if _is_news(one))) or change.change != "changed"
    ]


def _is_news(field: FieldChange) -> bool:
    """Return whether a field really differs: `100` and `100.00` Wh are the same."""
    if field.field in APART:
        return False
    if field.field.rpartition(".")[2] in FIGURES and None not in (field.before, field.after):
        return Decimal(field.before) != Decimal(field.after)
    return True


def _policies(content: Content) -> Content:
    return Content(airlines=content.airlines, rules=content.rules)


def _airlines(content: Content) -> dict[str, Airline | Rule]:
    return {one.airline: one for one in content.airlines}


def _rules(content: Content) -> dict[str, Airline | Rule]:
    return {one.rule_id: one for one in content.rules}


def _news(
    change: RecordChange,
    fields: tuple[FieldChange, ...],
    rows: tuple[dict[str, Airline | Rule], dict[str, Airline | Rule]],
    sources: dict[str, Source],
) -> PolicyNews:
    before, after = (side.get(change.id) for side in rows)
    shown = after or before
    assert shown is not None
    return PolicyNews(
        subject=SUBJECTS[change.kind],
        change=change.change,
        record_id=change.id,
        airline=shown.airline,
        jurisdiction=shown.jurisdiction if isinstance(shown, Rule) else shown.country,
        starts=after.effective_from if isinstance(after, Rule) else None,
        fields=fields,
        before=None if before is None else msgspec.to_builtins(before, builtin_types=()),
        after=None if after is None else msgspec.to_builtins(after, builtin_types=()),
        sources=_read(shown.sources, sources),
    )


def _read(names: Iterable[str], sources: dict[str, Source]) -> tuple[Source, ...]:
    found = (sources[name] for name in dict.fromkeys(names) if name in sources)
    return tuple(source for source in found if source.citable)
