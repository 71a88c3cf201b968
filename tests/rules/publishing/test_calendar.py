"""The calendar of the page that publishes: each day on which a rule begins or ends, and each plan, once."""

import datetime

from hypothesis import given
from hypothesis import strategies as st

from rules.engine.document import Content
from rules.engine.facts import Rule
from rules.publishing.admin.calendar import MOST_EVENTS, Calendar, Event, calendar
from rules.publishing.selection import Key
from rules.publishing.units import Waiting
from tests.support.factories import a_rule

TODAY = datetime.date(2026, 11, 20)
DAYS = st.none() | st.dates(TODAY - datetime.timedelta(days=40), TODAY + datetime.timedelta(days=400))
ENDS = st.tuples(DAYS, DAYS)


def a_rule_of(name: str, ends: tuple[datetime.date | None, datetime.date | None]) -> Rule:
    return a_rule(rule_id=name, effective_from=ends[0], effective_until=ends[1])


def shown(before: list[Rule], after: list[Rule], due: dict[Key, datetime.datetime] | None = None) -> Calendar:
    old, new = ({one.rule_id: one for one in rules} for rules in (before, after))
    differ = {
        ("rules", name): (old.get(name), new.get(name))
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    }
    waits = Waiting(Content(rules=tuple(before)), Content(rules=tuple(after)), differ, {})
    return calendar(waits, [], due or {}, today=TODAY, address_of=lambda key: f"?q={key[1]}")


def events(found: Calendar) -> list[Event]:
    return [event for month in found.months for day in month.days for event in day.events]


@given(st.dictionaries(st.sampled_from("abcdefgh"), ENDS), st.dictionaries(st.sampled_from("abcdefgh"), ENDS))
def test_each_day_to_come_is_there_as_published_and_as_approved(
    before: dict[str, tuple[datetime.date | None, datetime.date | None]],
    after: dict[str, tuple[datetime.date | None, datetime.date | None]],
) -> None:
    old, new = ([a_rule_of(name, ends) for name, ends in one.items()] for one in (before, after))
    found = shown(old, new)
    expected = {
        (day, words.format(name))
        for rules in (before, after)
        for name, ends in rules.items()
        for day, words in zip(ends, ("rule {} begins", "last day of rule {}"), strict=True)
        if day is not None and day >= TODAY
    }
    said = events(found)
    assert {(one.day, one.what) for one in said} == expected
    assert len(said) == len(expected) == found.shown
    assert [one.day for one in said] == sorted(one.day for one in said)
    assert all(day.day.month == month.day.month for month in found.months for day in month.days)


def test_each_date_says_whether_it_is_published_approved_or_planned() -> None:
    first, later = datetime.date(2026, 12, 1), datetime.date(2027, 3, 1)
    stays, moved, new = (a_rule_of(name, (first, None)) for name in ("stays", "moved", "new"))
    due = {("rules", "new"): datetime.datetime(2026, 12, 5, 8, tzinfo=datetime.UTC)}
    found = shown([stays, moved], [stays, a_rule_of("moved", (later, None)), new], due)
    assert [(one.day, one.what, one.note) for one in events(found)] == [
        (first, "rule moved begins", "published, but no longer in what is approved"),
        (first, "rule new begins", "planned for 5 December 2026, 08:00 UTC, after that day"),
        (first, "rule stays begins", "published"),
        (later, "rule moved begins", "approved, and not planned"),
    ]


def test_a_long_calendar_shows_what_comes_first_and_counts_the_rest() -> None:
    rules = [
        a_rule_of(f"rule-{number:03}", (TODAY + datetime.timedelta(days=number), None))
        for number in range(MOST_EVENTS + 7)
    ]
    found = shown(rules, rules)
    assert (found.shown, found.more) == (MOST_EVENTS, 7)
    assert [one.what for one in events(found)] == [
        f"rule rule-{number:03} begins" for number in range(MOST_EVENTS)
    ]
