"""The verdict log at the desk: found by a whole id, read in words, judged again at the press of a button."""

import html
import re

import pytest
from django.utils import timezone

from compliance.models import VerdictRecord
from compliance.signin.groups import PARTNER_MANAGER
from rules import corpus, verdicts
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.publishing.actions.releases import publish_release
from tests.compliance.records.verdict_log.answers import keep
from tests.support.desk.visiting import member
from tests.support.factories import a_user

pytestmark = [pytest.mark.usefixtures("world_rows", "fresh_desk"), pytest.mark.django_db]

LIST = "/admin/compliance/verdictrecord/"
ROUTE = (Leg("XA", "XB", "N1"), Leg("XB", "XC", "N1"))


@pytest.fixture
def records() -> list[VerdictRecord]:
    """A flight with a unit whose serial was given, and a trip."""
    publish_release(by=a_user("publisher"), note="First.", now=timezone.now(), cases=[])
    release, now = corpus.refresh(), timezone.now()
    unit = Unit(model_id="lynx-10k", quantity=2, serial="LX-0001")
    leg = Question(unit=unit, leg=ROUTE[0], travel_date=now.date())
    trip = TripQuestion(unit=Unit(model_id="lynx-27k"), legs=ROUTE, travel_date=now.date())
    return keep(
        verdicts.answer_from(release, leg, now=now), verdicts.trip_answer_from(release, trip, now=now)
    )


def text(page: str) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def test_a_whole_id_finds_its_record_and_that_of_a_flight_its_trip(records: list[VerdictRecord]) -> None:
    visitor = member(PARTNER_MANAGER)
    leg, trip = records
    for asked, found, other in (
        (leg.verdict_id, leg, trip),
        (trip.verdict_id, trip, leg),
        (trip.segment_ids[1], trip, leg),
    ):
        page = visitor.page(f"{LIST}?q={asked}")
        assert str(found.pk) in page
        assert str(other.pk) not in page
    nothing = visitor.page(f"{LIST}?q={leg.verdict_id[:-1]}")
    assert str(leg.pk) not in nothing


def test_a_record_is_told_in_the_words_of_the_person_who_asked(records: list[VerdictRecord]) -> None:
    page = member(PARTNER_MANAGER).page(f"{LIST}{records[0].pk}/change/")
    said = text(page)
    for words in (
        "2 of Lynx 10K (lynx-10k)",
        "in a cabin bag",
        "Northland to Southland with Northwing (N1)",
        "the unit is recalled. A serial was given. It is not stored.",
        "banned",
    ):
        assert words in said
    assert "LX-0001" not in page
    assert "With its own release" not in said


def test_the_button_judges_again_by_both_releases_and_says_that_a_serial_decided(
    records: list[VerdictRecord],
) -> None:
    visitor = member(PARTNER_MANAGER)
    said = text(visitor.post(f"{LIST}{records[0].pk}/replay/").content.decode())
    assert "A serial number decided." in said
    assert said.count("recall.serial_unknown") == 2
    said = text(visitor.post(f"{LIST}{records[1].pk}/replay/").content.decode())
    assert "Its own release gives the same verdict again." in said
    assert "XA to XB with N1:" in said


def test_what_is_no_record_is_not_found() -> None:
    visitor = member(PARTNER_MANAGER)
    for pk in ("nonsense", "00000000-0000-0000-0000-000000000000"):
        assert visitor.get(f"{LIST}{pk}/change/").status_code == 404
