"""What is asked about is counted from the verdict log, once a day, and kept as numbers of flights alone."""

import datetime

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from aeo.coverage import asked
from aeo.coverage.asked import Asked
from aeo.coverage.models import AskedFlights
from compliance.records.verdict_log import tasks
from compliance.records.verdict_log.tasks import asked_flights
from rules.corpus import Published
from tests.compliance.records.verdict_log.answers import a_leg, a_trip, an_itinerary, keep
from tests.support.starter import NOW

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
TOMORROW = NOW + DAY


@pytest.fixture
def counted_tomorrow(starter_release: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job runs on the day after tests ask, for the starter corpus."""
    monkeypatch.setattr("rules.corpus.refresh", lambda: starter_release)


def count(at: datetime.datetime = TOMORROW) -> AskedFlights:
    with time_machine.travel(at, tick=False):
        tasks.count_asked_flights()
    return AskedFlights.objects.get()


def test_flights_are_counted_by_airline_and_route_each_flight_of_a_trip_once() -> None:
    keep(a_leg(), a_leg(), a_trip("SQ", "KE"))
    found = asked_flights(since=NOW - DAY, before=TOMORROW)
    assert sorted(found) == [
        Asked("KE", "KR", "SG", 1),
        Asked("SQ", "JP", "KR", 1),
        Asked("SQ", "JP", "SG", 2),
    ]


def test_flights_of_an_itinerary_are_counted_by_the_airline_whose_rules_decide() -> None:
    keep(an_itinerary("KE", None))
    assert sorted(asked_flights(since=NOW - DAY, before=TOMORROW)) == [
        Asked("KE", "JP", "SG", 1),
        Asked("SQ", "JP", "SG", 1),
    ]


def test_only_what_was_given_in_the_span_counts() -> None:
    [row] = keep(a_leg())
    given = row.generated
    assert asked_flights(since=given, before=given + DAY)
    assert not asked_flights(since=given + datetime.timedelta(seconds=1), before=given + DAY)
    assert not asked_flights(since=given - DAY, before=given)


@pytest.mark.usefixtures("counted_tomorrow")
def test_a_flight_counts_for_its_airline_both_countries_their_region_and_the_baseline() -> None:
    keep(a_leg(), a_trip("SQ", "KE"))
    kept = count()
    assert kept.flights == 3
    assert kept.airlines == {"SQ": 2, "KE": 1}
    assert kept.places == {"JP": 2, "SG": 2, "KR": 2, "INTL": 3}
    assert (kept.day, kept.days) == (TOMORROW.date(), 30)


def test_a_region_is_touched_by_a_flight_once_and_a_domestic_flight_touches_its_country_once(
    starter_release: Published,
) -> None:
    totals = asked.totals([Asked("LH", "DE", "FR", 5), Asked("LH", "DE", "DE", 2)], starter_release)
    assert totals.flights == 7
    assert totals.places == {"DE": 7, "FR": 5, "EU": 7, "INTL": 7}


@pytest.mark.usefixtures("counted_tomorrow")
def test_the_day_on_which_it_is_counted_and_days_before_the_span_do_not_count() -> None:
    keep(a_leg())
    assert count(NOW).flights == 0
    assert count(NOW + 31 * DAY).flights == 0
    assert count(NOW + 30 * DAY).flights == 1


@pytest.mark.usefixtures("counted_tomorrow")
def test_it_is_counted_once_a_day_and_the_count_before_is_not_kept() -> None:
    keep(a_leg())
    first = count()
    keep(a_leg())
    with CaptureQueriesContext(connection) as queries:
        assert count(TOMORROW + datetime.timedelta(hours=1)).flights == first.flights
    # The job asks one question, the test the other one.
    assert len(queries) == 2
    assert count(TOMORROW + DAY).flights == 2
    assert AskedFlights.objects.count() == 1


@pytest.mark.usefixtures("counted_tomorrow")
def test_where_the_log_is_kept_for_a_shorter_time_fewer_days_count(settings: Settings) -> None:
    settings.VERDICT_LOG_DAYS = 7
    assert count().days == 7


@pytest.mark.usefixtures("counted_tomorrow")
def test_nothing_of_who_asked_is_kept() -> None:
    keep(a_leg(), a_trip())
    count()
    columns = {field.name for field in AskedFlights._meta.get_fields()}
    assert columns == {"day", "days", "finished", "flights", "airlines", "places"}


def test_without_a_release_nothing_is_counted(fresh_process: None) -> None:
    tasks.count_asked_flights()
    assert not AskedFlights.objects.exists()
