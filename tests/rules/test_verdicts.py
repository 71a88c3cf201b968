"""What users of the door rely on: one release, one instant, an honest expiry, an id that proves itself."""

import base64
import datetime
import hashlib
import hmac
import json
from typing import Any

import msgspec
import pytest
import rfc8785
from django.conf import LazySettings
from hypothesis import given
from hypothesis import strategies as st

from aeo import editions
from rules import verdicts
from rules.corpus import Published, RulesetVersionNotCurrent
from rules.engine.errors import AirlineNotCovered, ModelNotFound
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.engine.verdict_ids import canonical, trip_verdict_id, verdict_id
from rules.engine.vocabulary import STRICTNESS, ListAnswer
from tests.support import door
from tests.support.starter import NOW, published, starter_content

TODAY = NOW.date()
TOMORROW = TODAY + datetime.timedelta(days=1)

QUESTION = Question(unit=Unit(model_id="anker-a1289"), leg=Leg("JP", "SG", "SQ"), travel_date=TODAY)
TRIP = TripQuestion(
    unit=Unit(model_id="anker-a1289", quantity=2),
    legs=(Leg("JP", "CN", "CA"), Leg("CN", "CN", "CA"), Leg("CN", "SG", "ZZ")),
    travel_date=TODAY,
)

HOW = {"key": "a key", "release_sha256": "0" * 64, "generated_at": NOW, "verdict": "allowed"}


def text() -> st.SearchStrategy[str]:
    """Any text that JSON can hold, whatever callers think of."""
    return st.text(st.characters(exclude_categories=["Cs"]))


def units() -> st.SearchStrategy[Unit]:
    return st.builds(Unit, model_id=text(), serial=st.none() | text(), serial_hash=st.none() | text())


def any_leg() -> st.SearchStrategy[Leg]:
    return st.builds(Leg, text(), text(), text())


def questions() -> st.SearchStrategy[Question]:
    return st.builds(Question, unit=units(), leg=any_leg(), travel_date=st.dates())


def trips() -> st.SearchStrategy[TripQuestion]:
    return st.builds(TripQuestion, unit=units(), legs=st.lists(any_leg()).map(tuple), travel_date=st.dates())


# --- The id ---


@given(questions() | trips())
def test_what_an_id_digests_is_canonical_json(question: Question | TripQuestion) -> None:
    written = canonical(question)
    assert written == rfc8785.dumps(json.loads(written))


def test_what_an_id_digests_is_the_question_without_what_identifies_the_unit() -> None:
    question = msgspec.structs.replace(
        QUESTION, unit=Unit(model_id="anker-a1289", serial="SN-4711", serial_hash="f" * 64)
    )
    assert json.loads(canonical(question)) == {
        "unit": {
            "model_id": "anker-a1289",
            "quantity": 1,
            "ccc_mark": "unknown",
            "capacity_label": "unknown",
            "condition": "unknown",
        },
        "leg": {"origin": "JP", "destination": "SG", "airline": "SQ"},
        "travel_date": "2026-11-21",
        "compartment_intent": "carry_on",
    }
    assert canonical(question) == canonical(QUESTION)


@pytest.mark.parametrize("said", ["not_affected", "affected"])
def test_what_the_list_answered_is_digested_once_it_is_said(said: ListAnswer) -> None:
    unit = Unit(model_id="anker-a1289", recall_check=said)
    written = canonical(msgspec.structs.replace(QUESTION, unit=unit))
    assert written == rfc8785.dumps(json.loads(written))
    assert json.loads(written)["unit"]["recall_check"] == said


def test_anyone_who_holds_the_key_can_prove_an_answer_from_what_a_client_stored(
    starter_release: Published, settings: LazySettings
) -> None:
    answer = door.verify(QUESTION, now=NOW)
    asked: dict[str, Any] = {
        "unit": {
            "model_id": "anker-a1289",
            "quantity": 1,
            "ccc_mark": "unknown",
            "capacity_label": "unknown",
            "condition": "unknown",
        },
        "leg": {"origin": "JP", "destination": "SG", "airline": "SQ"},
        "travel_date": "2026-11-21",
        "compartment_intent": "carry_on",
    }
    parts = [rfc8785.dumps(asked), starter_release.sha256.encode(), b"2026-11-21T09:30:15Z", b"allowed"]
    digest = hmac.new(settings.VERDICT_KEY.encode(), b"\n".join(parts), hashlib.sha256).digest()
    assert answer.verdict_id == "vdt_" + base64.b32encode(digest).decode().lower()[:26]


@pytest.mark.parametrize(
    "change",
    [
        {"key": "another key"},
        {"release_sha256": "1" * 64},
        {"generated_at": NOW + datetime.timedelta(seconds=1)},
        {"verdict": "banned"},
    ],
)
def test_an_id_holds_for_nothing_else(change: dict[str, Any]) -> None:
    assert verdict_id(QUESTION, **HOW) != verdict_id(QUESTION, **{**HOW, **change})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"unit": Unit(model_id="anker-a1263")},
        {"unit": Unit(model_id="anker-a1289", quantity=2)},
        {"unit": Unit(model_id="anker-a1289", ccc_mark="present")},
        {"unit": Unit(model_id="anker-a1289", capacity_label="legible")},
        {"unit": Unit(model_id="anker-a1289", condition="intact")},
        {"unit": Unit(model_id="anker-a1289", recall_check="not_affected")},
        {"unit": Unit(model_id="anker-a1289", recall_check="affected")},
        {"leg": Leg("SG", "JP", "SQ")},
        {"leg": Leg("JP", "SG", "NH")},
        {"travel_date": TOMORROW},
        {"compartment_intent": "on_person"},
    ],
)
def test_an_id_holds_for_no_other_question(change: dict[str, Any]) -> None:
    other = msgspec.structs.replace(QUESTION, **change)
    assert verdict_id(QUESTION, **HOW) != verdict_id(other, **HOW)  # type: ignore[arg-type]


def test_the_id_of_a_leg_never_proves_a_trip() -> None:
    trip = TripQuestion(unit=QUESTION.unit, legs=(QUESTION.leg,), travel_date=TODAY)
    of_leg = verdict_id(QUESTION, **HOW)  # type: ignore[arg-type]
    of_trip = trip_verdict_id(trip, **HOW)  # type: ignore[arg-type]
    assert of_leg.removeprefix("vdt_") != of_trip.removeprefix("trip_")


def test_the_same_instant_in_another_time_zone_gives_the_same_id() -> None:
    elsewhere = NOW.astimezone(datetime.timezone(datetime.timedelta(hours=9)))
    assert verdict_id(QUESTION, **HOW) == verdict_id(QUESTION, **{**HOW, "generated_at": elsewhere})  # type: ignore[arg-type]


@pytest.mark.usefixtures("starter_release")
def test_a_segment_has_the_id_that_its_leg_has_alone() -> None:
    trip = door.verify_trip(TRIP, now=NOW)
    alone = [
        door.verify(Question(unit=TRIP.unit, leg=leg, travel_date=TODAY), now=NOW).verdict_id
        for leg in TRIP.legs[:2]
    ]
    assert list(trip.segment_ids[:2]) == alone
    assert trip.segment_ids[2].startswith("vdt_")
    assert trip.trip_verdict_id.startswith("trip_")
    assert len({*trip.segment_ids, trip.trip_verdict_id}) == 4


# --- Release and clock ---


def test_an_answer_names_the_release_it_rests_on(starter_release: Published) -> None:
    assert door.verify(QUESTION, now=NOW).release is starter_release
    assert door.verify_trip(TRIP, now=NOW).release is starter_release


@pytest.mark.usefixtures("starter_release")
def test_a_pinned_version_is_answered_only_while_it_is_current() -> None:
    assert door.verify(QUESTION, now=NOW, ruleset_version="2026-11-20") == door.verify(QUESTION, now=NOW)
    with pytest.raises(RulesetVersionNotCurrent) as refused:
        door.verify(QUESTION, now=NOW, ruleset_version="2026-11-19")
    assert refused.value.current == "2026-11-20"
    with pytest.raises(RulesetVersionNotCurrent):
        door.verify_trip(TRIP, now=NOW, ruleset_version="2026-11-20.2")


@pytest.mark.usefixtures("starter_release")
def test_times_are_whole_seconds_in_utc_wherever_the_caller_is() -> None:
    tokyo = NOW.astimezone(datetime.timezone(datetime.timedelta(hours=9)))
    answer = door.verify(QUESTION, now=tokyo)
    assert answer.generated_at == datetime.datetime(2026, 11, 21, 9, 30, 15, tzinfo=datetime.UTC)
    assert answer.generated_at.tzinfo is datetime.UTC
    assert answer == door.verify(QUESTION, now=NOW)


@pytest.mark.usefixtures("starter_release")
def test_an_instant_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        door.verify(QUESTION, now=NOW.replace(tzinfo=None))


@pytest.mark.usefixtures("starter_release")
def test_what_the_release_does_not_hold_is_said_and_not_guessed() -> None:
    with pytest.raises(ModelNotFound):
        door.verify(msgspec.structs.replace(QUESTION, unit=Unit(model_id="no-such")), now=NOW)
    with pytest.raises(AirlineNotCovered):
        door.verify(msgspec.structs.replace(QUESTION, leg=Leg("JP", "SG", "ZZ")), now=NOW)
    trip = door.verify_trip(TRIP, now=NOW)
    assert trip.outcome.segments[2].error is not None
    assert STRICTNESS[trip.outcome.verdict] >= STRICTNESS["insufficient"]


# --- Validity ---


@pytest.mark.usefixtures("starter_release")
def test_a_verdict_holds_as_long_as_the_setting_says(settings: LazySettings) -> None:
    answer = door.verify(QUESTION, now=NOW)
    assert answer.expires_at - answer.generated_at == datetime.timedelta(hours=24)
    settings.VERDICT_VALIDITY_HOURS = 6
    answer = door.verify(QUESTION, now=NOW)
    assert answer.expires_at - answer.generated_at == datetime.timedelta(hours=6)


def release_read(days_ago: int) -> Published:
    """The starter corpus as if all of its sources were weekly and had been read so many days ago."""
    content = starter_content()
    read_on = TODAY - datetime.timedelta(days=days_ago)
    sources = tuple(
        msgspec.structs.replace(source, cadence="weekly", read_on=read_on) for source in content.sources
    )
    return published(msgspec.structs.replace(content, sources=sources))


@pytest.mark.parametrize(
    ("days_ago", "severity", "hours"),
    [
        (0, None, 24),
        (89, None, 24),
        (91, "advisory", 12),
        (179, "advisory", 12),
        (181, "caution", 6),
        (900, "caution", 6),
    ],
)
def test_the_older_the_evidence_the_sooner_an_answer_ends(
    days_ago: int, severity: str | None, hours: int
) -> None:
    release, midnight = release_read(days_ago), NOW.replace(hour=0, minute=0, second=0)
    for answer in (
        verdicts.answer_from(release, QUESTION, now=midnight),
        verdicts.trip_answer_from(release, TRIP, now=midnight),
    ):
        assert answer.expires_at - answer.generated_at == datetime.timedelta(hours=hours)
    warned = [
        one
        for one in verdicts.answer_from(release, QUESTION, now=NOW).outcome.warnings
        if one.name == "evidence_stale"
    ]
    assert [one.severity for one in warned] == ([severity] if severity else [])
    for one in warned:
        assert dict(one.params) == {"read_on": (TODAY - datetime.timedelta(days=days_ago)).isoformat()}


@pytest.mark.parametrize("days_ago", [90, 180])
def test_no_answer_outlives_the_midnight_at_which_its_evidence_gets_staler(days_ago: int) -> None:
    """On the last good day, and on the last one before the advice becomes a caution."""
    release = release_read(days_ago)
    midnight = datetime.datetime.combine(TOMORROW, datetime.time(), datetime.UTC)
    late = midnight - datetime.timedelta(hours=2)
    for answer in (
        verdicts.answer_from(release, QUESTION, now=late),
        verdicts.trip_answer_from(release, TRIP, now=late),
    ):
        assert answer.expires_at == midnight
    assert verdicts.answer_from(release, QUESTION, now=midnight).outcome.staler_on != TOMORROW


def test_pages_end_no_later_than_their_answers_on_old_evidence() -> None:
    for days_ago in (0, 89, 90, 91, 180, 181):
        release = release_read(days_ago)
        for hour in range(0, 24, 3):
            edition = editions.of(release, NOW.replace(hour=hour))
            answer = verdicts.answer_from(release, QUESTION, now=edition.opened_at)
            assert edition.opened_at <= NOW.replace(hour=hour) < edition.ends_at <= answer.expires_at


@pytest.mark.parametrize("changes", [{"effective_from": TOMORROW}, {"effective_until": TODAY}])
def test_a_verdict_ends_at_the_midnight_at_which_a_rule_in_play_changes(
    changes: dict[str, datetime.date], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = starter_content()
    rules = tuple(
        msgspec.structs.replace(rule, **changes) if rule.rule_id == "sq.max-units" else rule
        for rule in content.rules
    )
    assert rules != content.rules
    release = published(msgspec.structs.replace(content, rules=rules))
    monkeypatch.setattr("rules.corpus._current", release)
    midnight = datetime.datetime.combine(TOMORROW, datetime.time(), datetime.UTC)
    assert door.verify(QUESTION, now=NOW).expires_at == midnight
    # One second before midnight the answer is still worth something; at midnight the next one holds a full
    # day.
    last = midnight - datetime.timedelta(seconds=1)
    assert door.verify(QUESTION, now=last).expires_at == midnight
    assert door.verify(QUESTION, now=midnight).expires_at == midnight + datetime.timedelta(hours=24)
    elsewhere = msgspec.structs.replace(QUESTION, leg=Leg("DE", "US", "LH"))
    assert door.verify(elsewhere, now=NOW).expires_at == door.verify(
        elsewhere, now=NOW
    ).generated_at + datetime.timedelta(hours=24)


# --- Serials ---


@pytest.mark.usefixtures("starter_release")
def test_no_text_form_of_an_answer_shows_the_serial() -> None:
    unit = Unit(model_id="anker-a1263", serial="SECRET-4711", serial_hash=None)
    leg = door.verify(msgspec.structs.replace(QUESTION, unit=unit), now=NOW)
    trip = door.verify_trip(msgspec.structs.replace(TRIP, unit=unit), now=NOW)
    for shown in (leg, trip, leg.question, trip.question):
        assert "4711" not in repr(shown)
        assert "4711" not in str(shown)
