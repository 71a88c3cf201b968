"""The calendar of the page that publishes: on which day rules begin or end, and when plans go out.

It has what the current release says and what is approved, from today on, in the order of the days. Pure, but
for the addresses. Called by `choosing`.
"""

import datetime
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from django.urls import reverse

from catalog.dates import moment_words
from rules.engine.facts import Rule
from rules.publishing.models import PlannedRelease
from rules.publishing.selection import Key
from rules.publishing.units import Waiting

MOST_EVENTS = 100
"""How many events are shown, the next ones first; the rest is counted."""


class Event(NamedTuple):
    """What happens on a day: a rule begins or ends, or a plan goes out, then `at` a time."""

    day: datetime.date
    at: datetime.datetime | None
    what: str
    address: str
    note: str


class Day(NamedTuple):
    """A day, and what happens on it: rules first, then plans by their time."""

    day: datetime.date
    events: list[Event]


class Month(NamedTuple):
    """A month by its first shown day, and its days on which something happens."""

    day: datetime.date
    days: list[Day]


class Calendar(NamedTuple):
    """The months to come, how many events they have, and how many of later days are not shown."""

    months: list[Month]
    shown: int
    more: int


def calendar(
    waits: Waiting | None,
    plans: Collection[PlannedRelease],
    due: Mapping[Key, datetime.datetime],
    *,
    today: datetime.date,
    address_of: Callable[[Key], str],
) -> Calendar:
    """Return the days from today on. `plans` are to go out, `due` says when each of their records does."""
    events = [*map(_of_plan, plans)]
    if waits is not None:
        events += _of_rules(waits, due, today, address_of)
    events.sort(key=lambda one: (one.day, one.at is not None, one.at, one.what))
    days = [Day(day, list(found)) for day, found in groupby(events[:MOST_EVENTS], key=lambda one: one.day)]
    months = [list(found) for _, found in groupby(days, key=lambda one: (one.day.year, one.day.month))]
    shown = min(len(events), MOST_EVENTS)
    return Calendar([Month(found[0].day, found) for found in months], shown, len(events) - shown)


def _of_plan(plan: PlannedRelease) -> Event:
    return Event(
        day=plan.due.date(),
        at=plan.due,
        what=f"{plan.created_by} publishes: {plan.note}",
        address=f"{reverse('admin:rules_release_publish')}#plan-{plan.pk}",
        note="planned",
    )


def _of_rules(
    waits: Waiting,
    due: Mapping[Key, datetime.datetime],
    today: datetime.date,
    address_of: Callable[[Key], str],
) -> Iterator[Event]:
    """Yield the days on which rules begin or end, as published and as approved."""
    rules: dict[Key, tuple[Rule | None, Rule | None]] = {
        ("rules", rule.rule_id): (rule, rule) for rule in waits.before.rules
    }
    rules |= {key: versions for key, versions in waits.differ.items() if key[0] == "rules"}
    for key, (old, new) in rules.items():
        name = key[1]
        for what, end in (
            (f"rule {name} begins", "effective_from"),
            (f"last day of rule {name}", "effective_until"),
        ):
            before: datetime.date | None = getattr(old, end, None)
            after: datetime.date | None = getattr(new, end, None)
            if before is not None and before >= today:
                note = "published" if before == after else "published, but no longer in what is approved"
                yield Event(before, None, what, address_of(key), note)
            if after is not None and after >= today and after != before:
                yield Event(after, None, what, address_of(key), _note(after, due.get(key)))


def _note(day: datetime.date, due: datetime.datetime | None) -> str:
    if due is None:
        return "approved, and not planned"
    if due.date() > day:
        return f"planned for {moment_words(due)}, after that day"
    return f"planned for {moment_words(due)}"
