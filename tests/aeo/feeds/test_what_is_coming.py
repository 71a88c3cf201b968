"""What is known ahead is told ahead: in the answer, on the page of changes and in the calendar."""

import datetime
import re

import pytest
import time_machine
from django.test import Client
from icalendar import Calendar

from aeo import editions
from aeo.feeds.calendar import effective_dates
from catalog.records import Device
from rules import verdicts
from rules.corpus import Published, answering_from
from rules.engine.facts import Leg, Question, Unit
from tests.support import starter

CHANGE = datetime.date(2027, 1, 1)
RULE = "intl.iata.2027.over-100wh-refusal-likely"


def over_100_wh() -> Device:
    """A model of more than 100 Wh that no recall concerns."""
    content = starter.starter_content()
    recalled = {recall.model_id for recall in content.recalls}
    return next(
        device
        for device in content.devices
        if device.watt_hour is not None
        and 100 < device.watt_hour < 152
        and device.watt_hour_basis == "rated"
        and device.model_id not in recalled
    )


def warnings(day: datetime.date) -> dict[str, dict[str, object]]:
    question = Question(
        unit=Unit(model_id=over_100_wh().model_id), leg=Leg("US", "GB", "UA"), travel_date=day
    )
    answer = verdicts.answer_from(starter.starter_release(), question, now=starter.NOW)
    assert answer.outcome.verdict == "conditional"
    return {one.name: dict(one.params) for one in answer.outcome.warnings}


@pytest.mark.parametrize("day", [datetime.date(2026, 12, 20), datetime.date(2026, 12, 31)])
def test_a_flight_shortly_before_a_change_is_told_of_it(day: datetime.date) -> None:
    upcoming = warnings(day)
    assert upcoming["rule_change_upcoming"]["date"] == "2027-01-01"
    assert "over_100wh_refusal_likely" not in upcoming


@pytest.mark.parametrize("day", [CHANGE, datetime.date(2027, 1, 2), datetime.date(2027, 11, 20)])
def test_a_flight_after_it_is_warned_of_a_refusal(day: datetime.date) -> None:
    upcoming = warnings(day)
    assert "over_100wh_refusal_likely" in upcoming
    assert "rule_change_upcoming" not in upcoming


def test_a_flight_long_before_it_is_told_nothing() -> None:
    assert not warnings(datetime.date(2026, 11, 21)).keys() & {
        "rule_change_upcoming",
        "over_100wh_refusal_likely",
    }


def test_the_page_of_changes_lists_each_rule_that_starts_or_ends_from_today_on(
    starter_release: Published,
) -> None:
    coming = {
        rule.rule_id
        for rule in starter_release.shelf.rules.values()
        for day in (rule.effective_from, rule.effective_until)
        if day is not None and day >= starter.NOW.date()
    }
    assert RULE in coming
    with time_machine.travel(starter.NOW, tick=False):
        page = Client(headers={"accept": "text/markdown"}).get("/policy-changes").content.decode()
    section = page.partition("## Rules that start or end soon")[2].partition("## ")[0]
    assert set(re.findall(r"/api/rules/([\w.-]+)", section)) == coming
    assert "In force from 1 January 2027." in section
    assert "on a future day" not in page


def test_the_calendar_has_the_day(starter_release: Published) -> None:
    with answering_from(starter_release):
        found = Calendar.from_ical(effective_dates(editions.of(starter_release, starter.NOW), {}))
    starts = {str(event["uid"]).partition("@")[0]: event for event in found.walk("VEVENT")}
    event = starts[f"{RULE}.starts"]
    assert event.decoded("dtstart") == CHANGE
    assert "International Air Transport Association" in str(event["summary"]) + str(event["description"])
