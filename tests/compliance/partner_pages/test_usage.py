"""What a partner used: counted once for each verdict, by key and day, and shown without persons."""

import datetime
import json
import re

import pytest
from django.db import connection
from django.utils import timezone

from compliance.models import KeyUsage, Partner
from compliance.partner_pages.usage import usage_of
from compliance.partners.actions.keys import issue_key, revoke_key
from compliance.records.verdict_log import entries
from compliance.records.verdict_log.actions import forget_verdicts, record_verdicts
from compliance.records.verdict_log.models import USE_DAYS as DAYS
from tests.compliance.records.verdict_log.answers import a_leg
from tests.support.factories import a_user
from tests.support.partner_people import a_person, signed_in

NOON = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0)
TODAY = NOON.date()
DAY = datetime.timedelta(days=1)


def a_key(partner: str = "acme") -> str:
    return issue_key(by=a_user("manager"), now=timezone.now(), partner=partner).row.pk


def rows(key: str, *generated: datetime.datetime) -> str:
    """Return the lines of a verdict at each of these instants, given with a key, as the log takes them."""
    found, _ = entries.read(b"".join(entries.line(a_leg(), "api", "en", key) for _ in generated))
    lines = json.loads(entries.rows(found))
    for line, instant in zip(lines, generated, strict=True):
        line["generated"] = instant.isoformat()
        line["expires"] = (instant + DAY).isoformat()
    return json.dumps(lines)


def record(lines: str) -> int:
    return record_verdicts(rows=lines, database=connection)


def used(key: str) -> dict[datetime.date, int]:
    return dict(KeyUsage.objects.filter(key=key).values_list("day", "verdicts"))


def test_each_verdict_counts_once_however_often_its_line_is_stored(acme: Partner) -> None:
    key = a_key()
    lines = rows(key, NOON, NOON, NOON - DAY)
    assert [record(lines) for _ in range(3)] == [3, 0, 0]
    assert used(key) == {TODAY: 2, TODAY - DAY: 1}
    # A part of them, with a new one.
    more = json.dumps(json.loads(lines)[:2] + json.loads(rows(key, NOON)))
    assert record(more) == 1
    assert used(key) == {TODAY: 3, TODAY - DAY: 1}


def test_a_day_is_one_of_utc(acme: Partner) -> None:
    key = a_key()
    east = datetime.timezone(datetime.timedelta(hours=13))
    record(rows(key, datetime.datetime(2026, 11, 20, 1, 0, tzinfo=east)))
    assert used(key) == {datetime.date(2026, 11, 19): 1}


def test_callers_without_a_key_are_not_counted(acme: Partner) -> None:
    record(rows("", NOON))
    assert not KeyUsage.objects.exists()


def test_the_use_of_a_partner_is_that_of_all_its_keys_and_no_others(acme: Partner, other: Partner) -> None:
    first, second, foreign = a_key(), a_key(), a_key("other")
    record(rows(first, NOON, NOON, NOON - DAY * (DAYS - 1), NOON - DAY * DAYS))
    record(rows(second, NOON))
    record(rows(foreign, NOON, NOON))
    revoke_key(by=a_user("manager"), now=timezone.now(), public_id=first)
    usage = usage_of(acme, NOON)
    assert len(usage.bars) == DAYS
    assert (usage.bars[0].verdicts, usage.bars[-1].verdicts, usage.total) == (1, 3, 4)
    assert dict(usage.keys) == {first: 3, second: 1}
    # The highest bar is the whole height, and a small one is seen.
    assert (usage.bars[-1].y, usage.bars[-1].height, usage.bars[1].height) == (0, 120, 0)
    assert usage.bars[0].height > 0


def test_the_page_shows_the_days_as_a_picture_and_as_a_table(acme: Partner) -> None:
    key = a_key()
    browser, _ = signed_in(a_person())
    assert '<svg viewBox="0 0 300' not in browser.page("/partners/usage")
    now = timezone.now()
    record(rows(key, *[now] * 1234))
    page = browser.page("/partners/usage")
    assert "1,234 verdicts in 30 days" in page
    assert len(re.findall(r"<rect ", page)) == DAYS
    assert len(re.findall(r'<th scope="row">20\d\d-\d\d-\d\d</th>', page)) == DAYS
    assert "600 requests a minute" in page
    assert "1,234 in 30 days" in browser.page("/partners")


def test_old_days_are_deleted_with_the_log(acme: Partner) -> None:
    key = a_key()
    record(rows(key, NOON, NOON - DAY * 5))
    assert forget_verdicts(before=NOON - DAY * 3) == 1
    assert used(key) == {TODAY: 1}


@pytest.mark.parametrize("days", [0, 1])
def test_no_use_is_no_error(acme: Partner, days: int) -> None:
    usage = usage_of(acme, NOON + DAY * days)
    assert (usage.total, usage.highest, usage.keys) == (0, 0, [])
