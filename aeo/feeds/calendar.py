"""The calendar of effective dates (RFC 5545): all future days on which rules start and end.

Days of the past year stay, so that no event vanishes from a reader's calendar on its day. All-day events have
ids that never change, so a subscribed calendar replaces an event whose day moved. `DTSTAMP` is when the rule
got its present content. Called by the views.
"""

import datetime
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from icalendar import Calendar, Event

from aeo.editions import Edition
from aeo.web.addresses import address
from catalog.free_text import writable
from rules.corpus import Published
from rules.engine.facts import Rule

PRODUCT = "-//Battery travel compliance//Effective dates//EN"

BOUNDARY = "Informational and cited; not legal advice and no guarantee of acceptance."


KEPT = datetime.timedelta(days=366)
"""How long a past day stays in the calendar."""


class Day(NamedTuple):
    """A day on which a rule starts, or its last day in force."""

    date: datetime.date
    rule: Rule
    starts: bool


# One release is shown at a time.
@lru_cache(maxsize=1)
def every_day(release: Published) -> tuple[Day, ...]:
    """Return all days on which rules of a release start or end, in order."""
    found = (day for rule in release.shelf.rules.values() for day in _days(rule))
    return tuple(sorted(found, key=lambda day: (day.date, day.rule.rule_id, day.starts)))


def days(edition: Edition) -> list[Day]:
    """Return the days of the past year and all future ones, in order."""
    since = edition.today - KEPT
    return [day for day in every_day(edition.release) if day.date >= since]


def effective_dates(edition: Edition, changed: Mapping[str, datetime.datetime]) -> bytes:
    """Return the calendar. `changed` says when rules got their present content, by their ids."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Power bank rules: effective dates")
    for day in days(edition):
        at = changed.get(day.rule.rule_id, edition.release.published_at)
        calendar.add_component(_event(day, at))
    return bytes(calendar.to_ical())


def _days(rule: Rule) -> Iterator[Day]:
    if rule.effective_from is not None:
        yield Day(rule.effective_from, rule, starts=True)
    if rule.effective_until is not None:
        yield Day(rule.effective_until, rule, starts=False)


def _event(day: Day, changed: datetime.datetime) -> Event:
    rule = day.rule
    event = Event()
    host = urlsplit(settings.SITE_URL).hostname
    event.add("uid", f"{rule.rule_id}.{'starts' if day.starts else 'ends'}@{host}")
    event.add("dtstamp", changed.astimezone(datetime.UTC).replace(microsecond=0))
    event.add("dtstart", day.date)
    # Most summaries name the issuer.
    said = rule.summary if rule.authority in rule.summary else f"{rule.authority}: {rule.summary}"
    event.add("summary", writable(f"{'Starts' if day.starts else 'Last day'}: {said}"))
    about = f"Rule {rule.rule_id} of {rule.authority} ({rule.jurisdiction}). {BOUNDARY}"
    event.add("description", writable(about))
    event.add("categories", [rule.airline or rule.jurisdiction])
    event.add("url", address(f"/api/rules/{rule.rule_id}"))
    # The day is not busy because a rule starts.
    event.add("transp", "TRANSPARENT")
    return event
