"""The note of a release, written from what differs: what is new, changed or withdrawn, where and since when.

A pure function of two contents. Called if the publisher wrote no note.
"""

from collections.abc import Iterable

from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Rule
from rules.releases.comparison import RecordChange, compare

WORDS = {"added": "added", "changed": "changed", "removed": "withdrawn"}

MOST_NAMED = 12
"""How many ids are named for one kind of change; the rest is counted."""


def release_note(before: Content | None, after: Content) -> str:
    """Return what a release changes, in a few plain sentences."""
    if before is None:
        return f"First release: {len(after.rules):,} rules, {len(after.recalls):,} recalls."
    changes = compare(before, after)
    if not changes:
        return "Nothing has changed."
    sentences = [_sentence(kind, list(changes)) for kind, changes in _by_kind(changes).items()]
    return " ".join([*sentences, *_reach(changes, before, after)])


def _by_kind(changes: Iterable[RecordChange]) -> dict[str, list[RecordChange]]:
    """Return the changes by kind of record, those that affect travelers first."""
    groups: dict[str, list[RecordChange]] = {"rules": [], "recalls": [], "disagreements": []}
    for change in changes:
        groups.setdefault(change.kind, []).append(change)
    return {kind: group for kind, group in groups.items() if group}


def _sentence(kind: str, changes: list[RecordChange]) -> str:
    parts = []
    for sign, word in WORDS.items():
        names = [change.id for change in changes if change.change == sign]
        if names:
            parts.append(f"{len(names):,} {word} ({_listed(names)})")
    return f"{kind.capitalize()}: {', '.join(parts)}."


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _reach(changes: Iterable[RecordChange], before: Content, after: Content) -> Iterable[str]:
    """Say whose rules differ, and on which days new rules begin."""
    rows = {rule.rule_id: rule for content in (before, after) for rule in content.rules}
    rules = [rows[change.id] for change in changes if change.kind == "rules"]
    airlines = sorted({rule.airline for rule in rules if rule.airline is not None})
    places = sorted({rule.jurisdiction for rule in rules if rule.airline is None})
    if airlines:
        yield f"Airlines: {_listed(airlines)}."
    if places:
        named = ["the international baseline" if place == INTERNATIONAL else place for place in places]
        yield f"Jurisdictions: {_listed(named)}."
    days = sorted({day for rule in rules for day in _days(rule)})
    if days:
        yield f"Dates: {_listed(days)}."


def _days(rule: Rule) -> Iterable[str]:
    if rule.effective_from is not None:
        yield f"from {rule.effective_from}"
    if rule.effective_until is not None:
        yield f"until {rule.effective_until}"
