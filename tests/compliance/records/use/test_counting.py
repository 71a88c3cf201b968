"""What the service is used for: counted once a day, without what few people asked about."""

import datetime
import itertools

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec import structs
from pytest_django.fixtures import Settings

from compliance.models import DailyUse, MostAsked, VerdictRecord
from compliance.records.use import counting, tasks
from compliance.records.verdict_log import entries
from compliance.records.verdict_log.actions import record_verdicts
from compliance.records.verdict_log.models import Channel
from rules import verdicts
from rules.engine.facts import Leg, Question, Unit
from rules.verdicts import AnyAnswer
from tests.compliance.records.verdict_log.answers import UNIT, a_leg, a_trip, an_itinerary
from tests.support.starter import NOW, starter_release

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
TODAY = NOW.replace(hour=0, minute=0, second=0, microsecond=0)

_minutes = itertools.count()


def ask(answer: AnyAnswer, *, days_ago: int, times: int = 1, channel: Channel = "api") -> None:
    """Record an answer as if it had been given at noon of an earlier day, so often."""
    lines = b"".join(entries.line(answer, channel, "en", "") for _ in range(times))
    found, _ = entries.read(lines)
    given = TODAY - days_ago * DAY + DAY / 2
    moved = [
        structs.replace(one, generated=given + datetime.timedelta(seconds=next(_minutes))) for one in found
    ]
    record_verdicts(rows=entries.rows(moved), database=connection)


def insufficient(model_id: str = "anker-a1289") -> AnyAnswer:
    """Return an answer that says that the verdict is open."""
    question = Question(unit=Unit(model_id=model_id), leg=Leg("AD", "LI", "SQ"), travel_date=NOW.date())
    answer = verdicts.answer_from(starter_release(), question, now=NOW)
    return structs.replace(answer, outcome=structs.replace(answer.outcome, verdict="insufficient"))


def count(at: datetime.datetime = NOW) -> MostAsked:
    with time_machine.travel(at, tick=False):
        tasks.count_use()
    return MostAsked.objects.get()


def test_answers_are_counted_by_day_channel_and_verdict() -> None:
    verdict = a_leg().outcome.verdict
    ask(a_leg(), days_ago=2, times=2)
    ask(a_leg(), days_ago=2, channel="mcp")
    ask(a_trip(), days_ago=1, times=3)
    count()
    assert list(DailyUse.objects.values_list("day", "channel", "verdict", "answers")) == [
        ((TODAY - 2 * DAY).date(), "api", verdict, 2),
        ((TODAY - 2 * DAY).date(), "mcp", verdict, 1),
        ((TODAY - DAY).date(), "api", a_trip().outcome.verdict, 3),
    ]


def test_today_is_not_counted_before_it_ends() -> None:
    ask(a_leg(), days_ago=0)
    count()
    assert not DailyUse.objects.exists()
    count(NOW + DAY)
    assert DailyUse.objects.get().day == TODAY.date()


def test_a_verdict_that_reached_the_log_late_is_counted_with_its_day() -> None:
    ask(a_leg(), days_ago=1)
    count()
    ask(a_leg(), days_ago=1)
    count(NOW + DAY)
    assert DailyUse.objects.get().answers == 2


def test_days_stay_counted_until_the_log_has_forgotten_them(settings: Settings) -> None:
    settings.VERDICT_LOG_DAYS = 60
    ask(a_leg(), days_ago=60)
    ask(a_leg(), days_ago=61)
    count()
    assert DailyUse.objects.get().day == (TODAY - 60 * DAY).date()
    VerdictRecord.objects.all().delete()
    count(NOW + DAY)
    assert not DailyUse.objects.exists()


def test_it_is_counted_once_a_day_and_another_run_asks_one_query() -> None:
    count()
    with CaptureQueriesContext(connection) as queries:
        count(NOW + datetime.timedelta(hours=1))
    # One is the job's, one the test's.
    assert len(queries) == 2
    assert count(NOW + DAY).day == (TODAY + DAY).date()


@pytest.mark.parametrize(
    ("times", "days", "shown"),
    [
        (counting.FEWEST_ANSWERS // counting.FEWEST_DAYS, counting.FEWEST_DAYS, True),
        (counting.FEWEST_ANSWERS // counting.FEWEST_DAYS - 1, counting.FEWEST_DAYS, False),
        (counting.FEWEST_ANSWERS * 10, counting.FEWEST_DAYS - 1, False),
    ],
)
def test_what_few_asked_about_is_not_kept(times: int, days: int, shown: bool) -> None:
    for day in range(1, days + 1):
        ask(insufficient(), days_ago=day, times=times)
    kept = count()
    assert bool(kept.routes) is shown
    assert bool(kept.unanswered) is shown


def test_one_itinerary_with_many_flights_is_one_question() -> None:
    for day in range(1, counting.FEWEST_DAYS + 1):
        ask(an_itinerary("SQ", "SQ", "SQ", "SQ", "SQ", "SQ"), days_ago=day)
    assert count().routes == []


def test_the_most_asked_routes_come_first_and_numbers_are_rounded_down() -> None:
    for day in range(1, 8):
        ask(a_leg(), days_ago=day, times=4)
        ask(a_trip("SQ", "KE"), days_ago=day, times=5)
    assert count().routes == [["JP", "KR", 30], ["KR", "SG", 30], ["JP", "SG", 20]]


def test_models_without_an_answer_are_counted_with_all_their_answers() -> None:
    for day in range(1, 8):
        ask(insufficient("anker-a1289"), days_ago=day, times=4)
        ask(a_leg(UNIT), days_ago=day, times=5)
        # Of several items, nothing says which of them has no answer.
        ask(an_itinerary(), days_ago=day, times=9)
    assert count().unanswered == [["anker-a1289", 20, 60]]


def test_nothing_of_who_asked_is_kept() -> None:
    columns = {field.name for field in [*DailyUse._meta.get_fields(), *MostAsked._meta.get_fields()]}
    assert columns == {
        *{"id", "day", "channel", "verdict", "answers"},
        *{"days", "finished", "routes", "unanswered"},
    }
