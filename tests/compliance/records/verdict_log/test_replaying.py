"""A record is judged again by its own release and by today's; a stored answer is proved with no record."""

import datetime
import json
import uuid
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.test import Client
from msgspec.structs import replace
from pytest_django import Settings

from compliance.api.verdicts.proof import prove
from compliance.models import VerdictRecord
from compliance.records.verdict_log import actions, spool
from compliance.records.verdict_log.actions import forget_verdicts
from compliance.records.verdict_log.finding import records_of
from compliance.records.verdict_log.replaying import replay
from compliance.records.verdict_log.shipping import Shipping
from compliance.records.verdict_log.tasks import forget_verdicts_of_old
from rules import corpus
from rules.editing.actions import approve_rules, change_rule, revise_rules, submit_rules
from rules.engine.facts import Params
from rules.publishing.actions.releases import publish_release
from tests.support.api_requests import ITINERARIES, TRIPS, VERIFY
from tests.support.factories import a_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("world_rows", "fresh_process")]

NOON = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
ROUTE = {"origin": "XA", "destination": "XB", "airline": "N1"}


@pytest.fixture(autouse=True)
def _world() -> None:
    """The test world, published."""
    publish()


def publish(now: datetime.datetime = NOON) -> None:
    publish_release(by=a_user("publisher"), note="News.", now=now, cases=())
    corpus.refresh()


def ask(path: str, body: dict[str, Any], now: datetime.datetime = NOON) -> dict[str, Any]:
    """Ask the API, and bring the answer's record into the table."""
    with time_machine.travel(now, tick=False):
        answer = Client().post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == 200, answer.content
    Shipping(spool.spool(), connection, None).work()
    found: dict[str, Any] = answer.json()
    return found


def a_leg(model_id: str = "lynx-27k", **unit: Any) -> dict[str, Any]:
    return {"model_id": model_id, "trip": ROUTE, **unit}


def a_trip(**device: Any) -> dict[str, Any]:
    legs = [ROUTE, {"origin": "XB", "destination": "XC", "airline": "ZZ"}]
    return {"device": {"model_id": "lynx-27k", **device}, "trip": {"legs": legs}}


def an_itinerary(**item: Any) -> dict[str, Any]:
    """Two items, one by its label, on a flight that is covered and on one that is not."""
    flights = [("XA", "XB", "N1"), ("XB", "XC", "ZZ")]
    return {
        "passengers": 2,
        "items": [{"ref": "lynx", "model_id": "lynx-27k", **item}, {"label": {"watt_hour": 74.5}}],
        "segments": [
            {"origin": start, "destination": end, "operating_airline": airline}
            for start, end, airline in flights
        ],
    }


def one_unit_only() -> None:
    """Change what Northwing allows, and publish it the day after."""
    editor, name = a_user("editor"), ["n1.two-units"]
    rule = replace(corpus.current().shelf.rules[name[0]], params=Params(max_units=1))
    revise_rules(by=editor, rule_ids=name, reason="The airline says so.")
    change_rule(by=editor, rule=rule)
    submit_rules(by=editor, rule_ids=name)
    approve_rules(by=a_user("reviewer"), rule_ids=name)
    publish(NOON + DAY)


def run(*arguments: str | Path) -> str:
    out = StringIO()
    call_command("verdict", *map(str, arguments), stdout=out)
    return out.getvalue()


def record_of(answer: dict[str, Any]) -> VerdictRecord:
    return records_of(answer.get("verdict_id") or answer["trip_verdict_id"]).get()


# --- Replay ---


def test_as_long_as_its_release_is_current_both_sides_say_the_same() -> None:
    answer = ask(VERIFY, a_leg(quantity=2))
    again = replay(record_of(answer), now=NOON)
    assert again.agrees
    assert [step.step for step in again.own.path] == answer["verdict_path"]
    assert again.own.says == answer["summary"]
    assert not any(pair.differs for pair in again.pairs)


def test_after_a_change_both_paths_stand_side_by_side_and_what_differs_is_marked() -> None:
    answer = ask(VERIFY, a_leg(quantity=2))
    one_unit_only()
    again = replay(record_of(answer), now=NOON + DAY)
    assert again.agrees
    assert (again.own.verdict, again.today.verdict) == ("allowed", "banned")
    assert again.own.ruleset_version != again.today.ruleset_version
    assert [step.step for step in again.own.path] == answer["verdict_path"]
    differing = {
        (pair.own.step if pair.own else "", pair.today.step if pair.today else "")
        for pair in again.pairs
        if pair.differs
    }
    assert differing == {("n1.two-units", "n1.two-units"), ("verdict.allowed", "verdict.banned")}
    said = run("replay", answer["verdict_id"])
    assert "  - n1.two-units" in said
    assert "  + n1.two-units" in said
    assert "Its own release gives the same verdict again." in said


def test_a_trip_is_replayed_flight_by_flight_and_found_by_the_id_of_each() -> None:
    answer = ask(TRIPS, a_trip())
    record = record_of(answer)
    again = replay(record, now=NOON)
    assert again.agrees
    flights = [step.says for step in again.own.path if step.step.startswith("flight.")]
    assert flights == ["XA to XB with N1:", "XB to XC with ZZ:"]
    assert again.own.path[-1].step == "airline.not_covered"
    for segment in answer["segments"]:
        assert records_of(segment["verdict"]["verdict_id"]).get() == record


@pytest.mark.parametrize(("serial", "then"), [("LX-0001", "banned"), ("LX-7777", "allowed")])
def test_where_a_serial_decided_the_replay_says_so(serial: str, then: str) -> None:
    answer = ask(VERIFY, a_leg("lynx-10k", serial=serial))
    assert answer["verdict"] == then
    again = replay(record_of(answer), now=NOON)
    assert again.serial_decided
    assert again.own.verdict == "conditional"
    assert "A serial decided" in run("replay", answer["verdict_id"])


@pytest.mark.parametrize("said", ["not_affected", "affected"])
def test_what_the_list_answered_is_recorded_and_counts_again(said: str) -> None:
    for path, body in (
        (VERIFY, a_leg("lynx-10k", recall_check=said)),
        (TRIPS, a_trip(model_id="lynx-10k", recall_check=said)),
    ):
        record = record_of(ask(path, body))
        assert record.question["unit"]["recall_check"] == said
        assert (record.verdict == "banned") == (said == "affected")
        assert replay(record, now=NOON).agrees
        assert f"list     {said}" in run("find", record.verdict_id)


def test_a_question_that_says_nothing_of_the_list_is_recorded_as_before_there_was_one() -> None:
    record = record_of(ask(VERIFY, a_leg("lynx-10k", recall_check="not_checked")))
    assert "recall_check" not in record.question["unit"]
    assert replay(record, now=NOON).agrees


def test_a_serial_that_decided_nothing_is_not_named() -> None:
    again = replay(record_of(ask(VERIFY, a_leg(serial="LX-0001"))), now=NOON)
    assert again.record.serial_given == "serial"
    assert not again.serial_decided
    assert again.agrees


def test_what_a_release_cannot_judge_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    record = record_of(ask(VERIFY, a_leg()))
    record.release_sha256 = "0" * 64
    record.question["unit"]["model_id"] = "gone-1"
    again = replay(record, now=NOON)
    assert (again.own.verdict, again.today.verdict) == ("", "")
    assert "has no release" in again.own.says
    assert "gone-1 is not in this release" in again.today.says
    assert not again.agrees
    assert not again.serial_decided


# --- Proof ---


@pytest.fixture
def files(tmp_path: Path) -> "Files":
    return Files(tmp_path)


class Files:
    """What a client stored."""

    def __init__(self, folder: Path) -> None:
        self.request, self.answer = folder / "request.json", folder / "answer.json"

    def store(self, request: Any, answer: Any) -> "Files":
        self.request.write_text(json.dumps(request))
        self.answer.write_text(json.dumps(answer))
        return self

    def verify(self) -> str:
        return run("verify", self.request, self.answer)


ASKED: list[tuple[str, dict[str, Any]]] = [
    (VERIFY, a_leg()),
    (VERIFY, a_leg("lynx-10k", serial="LX-0001", options={"language": "ja"})),
    (VERIFY, a_leg("puma-30k", serial_hash="0f" * 32)),
    (TRIPS, a_trip(quantity=2)),
    (ITINERARIES, an_itinerary(serial="LX-0001")),
    (VERIFY, a_leg(options={"citations": "deciding"})),
    (ITINERARIES, {**an_itinerary(quantity=2), "options": {"citations": "none"}}),
]


@pytest.mark.parametrize(("path", "request_body"), ASKED)
def test_a_stored_answer_is_proved_after_its_record_is_gone_and_its_release_is_past(
    path: str, request_body: dict[str, Any], files: Files
) -> None:
    answer = ask(path, request_body)
    one_unit_only()
    forget_verdicts(before=NOON + 9 * DAY)
    assert not VerdictRecord.objects.exists()
    said = files.store(request_body, answer).verify()
    assert "Ours:" in said
    assert "gives the same answer again" in said


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", "conditional"),
        ("generated_at", "2026-11-20T12:00:01Z"),
        ("verdict_id", "vdt_" + "a" * 26),
    ],
)
def test_an_answer_that_was_changed_is_not_ours(field: str, value: str, files: Files) -> None:
    answer = ask(VERIFY, a_leg())
    with pytest.raises(CommandError, match="Not ours"):
        files.store(a_leg(), answer | {field: value}).verify()


def test_an_itinerary_is_judged_again_as_a_whole() -> None:
    answer = ask(ITINERARIES, an_itinerary(serial="LX-0001"))
    [record] = records_of(answer["itinerary_verdict_id"])
    assert (record.kind, record.serial_given) == ("itinerary", "serial")
    assert "LX-0001" not in json.dumps(record.question)
    again = replay(record, now=NOON)
    assert again.agrees
    steps = [step.step for step in again.own.path]
    assert steps[:2] == ["flight.XA-XB", "item_1"]
    assert 'lynx"' not in json.dumps(record.question)
    assert "airline.not_covered" in steps
    said = run("find", answer["itinerary_verdict_id"])
    assert "a label: watt_hour 74.50" in said
    assert "XA to XB with N1, XB to XC with ZZ" in said


def test_the_table_takes_no_serial_of_an_item() -> None:
    answer = ask(ITINERARIES, an_itinerary())
    [record] = records_of(answer["itinerary_verdict_id"])
    question = json.loads(json.dumps(record.question))
    question["items"][0]["unit"]["serial_hash"] = "0f" * 32
    record.pk, record.question = uuid.uuid4(), question
    with pytest.raises(IntegrityError, match="verdict_record_names_no_unit"):
        record.save(force_insert=True)


def test_an_answer_to_another_question_is_not_ours(files: Files) -> None:
    answer = ask(VERIFY, a_leg())
    with pytest.raises(CommandError, match="Not ours"):
        files.store(a_leg(quantity=2), answer).verify()


def test_under_another_key_nothing_is_ours(files: Files, settings: Settings) -> None:
    files.store(a_leg(), ask(VERIFY, a_leg()))
    settings.VERDICT_KEY = "another"
    with pytest.raises(CommandError, match="Not ours"):
        files.verify()


def test_each_field_that_the_id_does_not_cover_is_compared(files: Files) -> None:
    answer = ask(VERIFY, a_leg(quantity=2))
    files.store(a_leg(quantity=2), answer)
    for field in answer.keys() - {"verdict_id", "ruleset_version", "generated_at", "verdict"}:
        changed = prove(files.request.read_bytes(), json.dumps(answer | {field: "changed"}).encode())
        assert (changed.is_ours, changed.differs) == (True, (field,))
    inner = answer | {"device_resolved": answer["device_resolved"] | {"watt_hour": 1.0}}
    with pytest.raises(CommandError, match=r"device_resolved\.watt_hour"):
        files.store(a_leg(quantity=2), inner).verify()


@pytest.mark.parametrize(
    ("request_body", "changes", "why"),
    [
        ([], {}, "are JSON objects"),
        ({}, {}, "VALIDATION_ERROR"),
        (a_leg(), {"generated_at": "yesterday"}, "is not one of"),
        (a_leg(), {"ruleset_version": "1999-01-01"}, "has no release 1999-01-01"),
        (a_leg("gone-1"), {}, "Not ours"),
    ],
)
def test_what_cannot_be_proved_is_refused_with_the_reason(
    request_body: Any, changes: dict[str, str], why: str, files: Files
) -> None:
    answer = ask(VERIFY, a_leg())
    with pytest.raises(CommandError, match=why):
        files.store(request_body, answer | changes).verify()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nowhere\.json: No such file"):
        run("verify", tmp_path / "nowhere.json", tmp_path / "nowhere.json")


# --- Finding and forgetting ---


def test_a_record_is_found_by_its_whole_id_alone() -> None:
    name = ask(VERIFY, a_leg("lynx-10k", serial="LX-0001"))["verdict_id"]
    said = run("find", f" {name} ")
    assert name in said
    assert "1 x lynx-10k, carry_on" in said
    assert "affected (serial given: serial)" in said
    assert "LX-0001" not in said
    for other in (name[:-1], name.upper(), "vdt_" + "a" * 26):
        with pytest.raises(CommandError, match="There is no record"):
            run("find", other)


def test_records_go_when_they_are_old_enough_and_not_before(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "FORGET_AT_ONCE", 2)
    for days in range(7):
        ask(VERIFY, a_leg(), NOON + days * DAY)
    settings.VERDICT_LOG_DAYS = 4
    with time_machine.travel(NOON + 6 * DAY, tick=False):
        assert forget_verdicts_of_old() == 2
        assert "3 records older than 1 days" in run("purge", "--days", "1")
    kept = VerdictRecord.objects.order_by("generated").values_list("generated", flat=True)
    assert list(kept) == [NOON + 5 * DAY, NOON + 6 * DAY]


def test_a_record_does_not_change() -> None:
    record = record_of(ask(VERIFY, a_leg()))
    with pytest.raises(IntegrityError, match="does not change"):
        VerdictRecord.objects.filter(pk=record.pk).update(verdict="banned")
