"""The note of a release: what a person typed, or what is new, changed or withdrawn, where and since when.

Pure functions. `release_note` writes one from two contents, and is called if the publisher wrote none.
"""

from collections.abc import Iterable

from catalog.dates import day_words
from catalog.free_text import MOST_OF_A_REASON, is_visible, reason_fault
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Rule
from rules.publishing.refusals import NoteMissing, NoteUnfit
from rules.releases.comparison import RecordChange, compare

WORDS = {"added": "added", "changed": "changed", "removed": "withdrawn"}

KINDS = {"devices": "models"}
"""What people call a kind of records, if a document calls it something else."""

MOST_NAMED = (12, 4, 1)
"""How many ids are named for one kind of change, less in a note that is too long; the rest is counted."""


def typed_note(text: str, *, reason: bool = False) -> str:
    """Return what a person typed as the note of a release, or as the reason for it, without outer spaces.

    Raises `NoteMissing` if no one would see anything of it, `NoteUnfit` if it is too long or has control
    characters.
    """
    if not is_visible(text):
        raise NoteMissing(reason=reason)
    if wrong := reason_fault(text):
        raise NoteUnfit(f"the {'reason' if reason else 'release note'} {wrong}")
    return text.strip()


def release_note(before: Content | None, after: Content) -> str:
    """Return what a release changes, in a few plain sentences."""
    if before is None:
        return f"First release: {len(after.rules):,} rules, {len(after.recalls):,} recalls."
    changes = compare(before, after)
    if not changes:
        return "Nothing has changed."
    notes = (_note(changes, before, after, most) for most in MOST_NAMED)
    fit = (note for note in notes if len(note) <= MOST_OF_A_REASON)
    return next(fit, f"{len(changes):,} records differ.")


def _note(changes: list[RecordChange], before: Content, after: Content, most: int) -> str:
    sentences = [_sentence(kind, list(changes), most) for kind, changes in _by_kind(changes).items()]
    return " ".join([*sentences, *_reach(changes, before, after, most)])


def _by_kind(changes: Iterable[RecordChange]) -> dict[str, list[RecordChange]]:
    """Return the changes by kind of record, those that affect travelers first."""
    groups: dict[str, list[RecordChange]] = {"rules": [], "recalls": [], "disagreements": []}
    for change in changes:
        groups.setdefault(change.kind, []).append(change)
    return {kind: group for kind, group in groups.items() if group}


def _sentence(kind: str, changes: list[RecordChange], most: int) -> str:
    parts = []
    for sign, word in WORDS.items():
        names = [change.id for change in changes if change.change == sign]
        if names:
            parts.append(f"{len(names):,} {word} ({_listed(names, most)})")
    return f"{KINDS.get(kind, kind).capitalize()}: {', '.join(parts)}."


def _listed(names: list[str], most: int) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _reach(changes: Iterable[RecordChange], before: Content, after: Content, most: int) -> Iterable[str]:
    """Say whose rules differ, and on which days new rules begin."""
    rows = {rule.rule_id: rule for content in (before, after) for rule in content.rules}
    rules = [rows[change.id] for change in changes if change.kind == "rules"]
    airlines = sorted({rule.airline for rule in rules if rule.airline is not None})
    places = sorted({rule.jurisdiction for rule in rules if rule.airline is None})
    if airlines:
        yield f"Airlines: {_listed(airlines, most)}."
    if places:
        named = ["the international baseline" if place == INTERNATIONAL else place for place in places]
        yield f"Jurisdictions: {_listed(named, most)}."
    days = sorted({day for rule in rules for day in _days(rule)})
    if days:
        yield f"Dates: {_listed(days, most)}."


def _days(rule: Rule) -> Iterable[str]:
    if rule.effective_from is not None:
        yield f"from {day_words(rule.effective_from)}"
    if rule.effective_until is not None:
        yield f"until {day_words(rule.effective_until)}"
