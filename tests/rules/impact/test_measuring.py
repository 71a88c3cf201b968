"""Measuring what would change, part by part: shared, killed, run twice, and the same in the end."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from msgspec.structs import replace
from pytest_django import DjangoDbBlocker, Settings

from catalog.models import Source
from rules import tasks
from rules.editing.actions import (
    approve_rules,
    change_rule,
    draft_rule,
    revise_rules,
    submit_rules,
    withdraw_rules,
)
from rules.impact.actions import measuring, workers
from rules.impact.actions.measuring import NotMeasurable
from rules.impact.measurements import measured
from rules.impact.models import FORM
from rules.models import ImpactMeasurement, ImpactPart, Rule
from rules.publishing.actions.releases import publish_release
from tests.support.factories import a_rule, a_user
from tests.support.releasing import NOON
from tests.support.world import APPROVER

HOUR = datetime.timedelta(hours=1)
DAY = NOON.date()


@pytest.fixture(scope="module")
def stricter(world_rows: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The test world, which is published, and a stricter rule, which is approved."""
    with django_db_blocker.unblock():
        publish_and_approve(a_user())
        connection.check_constraints()


@pytest.fixture
def editor(stricter: None, db: None) -> User:
    """Who wrote all that."""
    return a_user()


def publish_and_approve(editor: User) -> None:
    publish_release(by=a_user("publisher"), note="The first.", now=NOON, cases=())
    like = Rule.objects.get(rule_id="s2.one-unit").to_record()
    stricter = replace(like, rule_id="n1.one-unit", airline="N1", jurisdiction="XA")
    draft_rule(by=editor, rule=stricter)
    submit_rules(by=editor, rule_ids=["n1.one-unit"])
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.one-unit"])


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is small; N1, to whom the new rule belongs, is a part, and the others are one."""
    monkeypatch.setattr(measuring, "SMALL", -1)
    monkeypatch.setattr(measuring, "PART", 1)


def ask(by: User) -> ImpactMeasurement:
    return measuring.measure_publishing(by=by, now=NOON)


def test_little_is_measured_at_once(editor: User) -> None:
    found = ask(editor)
    assert (found.state, found.started, found.finished, found.asked_by) == ("done", NOON, NOON, editor)
    result = measured(found)
    assert {row.name for row in result.airlines.rows} == {"N1"}
    assert result.flipped > 0 == result.lenient
    assert ImpactPart.objects.count() == 0


def test_much_is_measured_in_parts_and_comes_to_the_same(
    editor: User, monkeypatch: pytest.MonkeyPatch, in_parts: None
) -> None:
    waiting = ask(editor)
    assert (waiting.state, waiting.parts, waiting.parts_done) == ("queued", 2, 0)
    done = measuring.work_off(waiting)
    assert (done.state, done.parts_done, done.document) == ("done", 2, None)
    assert ImpactPart.objects.count() == 0
    ImpactMeasurement.objects.all().delete()
    monkeypatch.setattr(measuring, "SMALL", 1_000_000)
    assert measured(ask(editor)) == measured(done)


def test_anyone_who_asks_for_the_same_again_gets_the_same_measurement(editor: User, in_parts: None) -> None:
    first = ask(editor)
    assert ask(a_user("another")) == first
    measuring.work_off(first)
    assert ask(a_user("another")).asked_by == editor


def test_other_content_and_another_day_are_measured_by_themselves(editor: User) -> None:
    first = ask(editor)
    assert measuring.measure_publishing(by=editor, now=NOON + 24 * HOUR) != first
    draft_rule(by=editor, rule=a_rule(rule_id="n1.more"))
    assert ask(editor) == first
    submit_rules(by=editor, rule_ids=["n1.more"])
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.more"])
    assert ask(editor) != first


def test_a_part_runs_once_however_often_its_job_does(editor: User, in_parts: None) -> None:
    found = ask(editor)
    assert workers.work(found.pk, seconds=0)
    tallies = list(ImpactPart.objects.filter(tally__isnull=False).values_list("number", "tally"))
    assert [number for number, _ in tallies] == [1]
    for _ in range(5):
        tasks.measure_impact(found.pk)
    found.refresh_from_db()
    once = found.result
    tasks.measure_impact(found.pk)
    found.refresh_from_db()
    assert found.state == "done"
    assert found.result == once
    assert measured(found).evaluated == found.size


def test_drafts_are_measured_alone_against_the_release(editor: User) -> None:
    revise_rules(by=editor, rule_ids=["s2.one-unit"], reason="Two.")
    record = Rule.objects.get(rule_id="s2.one-unit", state="draft").to_record()
    change_rule(by=editor, rule=replace(record, params=replace(record.params, max_units=2)))
    found = measuring.measure_revisions(
        by=editor, now=NOON, revisions=[Rule.objects.get(rule_id="s2.one-unit", state="draft")]
    )
    result = measured(found)
    # What is agreed about N1 is not part of it.
    assert {row.name for row in result.airlines.rows} == {"S2"}
    assert [cause.record.record_id for cause in result.causes] == ["s2.one-unit"]
    assert result.lenient == result.flipped > 0


def test_a_draft_that_withdraws_takes_its_rule_out(editor: User) -> None:
    withdraw_rules(by=editor, rule_ids=["s2.one-unit"], reason="Over.")
    draft = Rule.objects.get(rule_id="s2.one-unit", withdraws=True)
    result = measured(measuring.measure_revisions(by=editor, now=NOON, revisions=[draft]))
    assert {cause.record.record_id for cause in result.causes} == {"s2.one-unit"}


def test_what_could_not_be_published_cannot_be_measured_and_is_named(editor: User) -> None:
    Source.objects.update(basis="general_knowledge")
    with pytest.raises(NotMeasurable, match=r"rule intl\.\S+ rests on no source.* more\.$"):
        ask(editor)


def test_a_release_in_between_makes_it_outdated(editor: User, in_parts: None) -> None:
    found = ask(editor)
    publish_release(by=a_user("publisher"), note="Another.", now=NOON + HOUR, cases=())
    assert not workers.work(found.pk, seconds=1)
    found.refresh_from_db()
    assert (found.state, found.document, found.result) == ("outdated", None, None)


def test_what_cannot_be_measured_fails_with_a_sentence_and_can_be_asked_for_again(
    editor: User, in_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ask(editor)
    with monkeypatch.context() as broken:
        broken.setattr(workers, "tally", _broken)
        workers.work(found.pk, seconds=1)
    found.refresh_from_db()
    assert (found.state, found.failure) == ("failed", "The answers of N1 could not be compared.")
    again = ask(editor)
    assert again.pk != found.pk
    assert measuring.work_off(again).state == "done"


def _broken(*_: Any) -> Any:
    raise ZeroDivisionError


def test_jobs_are_sent_for_a_measurement_and_again_when_they_got_lost(
    editor: User,
    in_parts: None,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    sent: list[int] = []
    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr(tasks.measure_impact, "delay", sent.append)

    def after(action: Callable[[], Any]) -> list[int]:
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            action()
        return list(sent)

    assert len(after(lambda: ask(editor))) == 2
    found = ImpactMeasurement.objects.get()
    assert after(lambda: measuring.keep_going(found, now=NOON + datetime.timedelta(seconds=10))) == []
    assert after(lambda: measuring.take_up_all(now=NOON + HOUR)) == [found.pk] * 2
    assert after(lambda: measuring.take_up_all(now=NOON + HOUR)) == []
    measuring.work_off(found)
    assert after(lambda: measuring.take_up_all(now=NOON + 2 * HOUR)) == []


def test_a_job_that_ran_long_enough_leaves_the_rest_to_another_one(
    editor: User, in_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(workers, "WORKING_SECONDS", 0)
    monkeypatch.setattr(tasks.measure_impact, "delay", sent.append)
    found = ask(editor)
    tasks.measure_impact(found.pk)
    assert sent == [found.pk]
    assert found.parts_done == 1


def test_what_another_version_of_the_program_measured_is_measured_again(editor: User, in_parts: None) -> None:
    found = ask(editor)
    ImpactMeasurement.objects.update(form=FORM - 1)
    again = ask(editor)
    assert (again.pk, again.form) != (found.pk, FORM - 1)
    assert not workers.work(found.pk, seconds=1)
    found.refresh_from_db()
    assert (found.state, found.is_readable) == ("outdated", False)
    assert measuring.work_off(again).state == "done"


def test_old_measurements_go_and_those_of_late_stay(editor: User) -> None:
    ask(editor)
    assert measuring.forget_before(DAY) == 0
    assert measuring.forget_before(DAY + datetime.timedelta(days=1)) == 1


REFUSED: dict[str, dict[str, Any]] = {
    "measurement_done_has_a_result": {"result": None},
    "measurement_state_is_known": {"state": "lost", "result": None},
    "measurement_content_is_a_digest": {"content_sha256": "x"},
    "measurement_has_parts": {"parts": 0},
    "measurement_keeps_the_content_until_it_is_finished": {"document": b"x"},
    "measurement_failed_says_why": {"failure": "Oh."},
    "measurement_queued_has_not_started": {"started": None},
    "measurement_finished_has_its_instant": {"finished": None},
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_database_refuses_a_measurement_that_contradicts_itself(editor: User, name: str) -> None:
    ask(editor)
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        ImpactMeasurement.objects.update(**REFUSED[name])


def test_the_database_keeps_one_measurement_of_a_content_and_one_part_of_a_number(
    editor: User, in_parts: None
) -> None:
    found = ask(editor)
    part = found.pieces.all()[0]
    part.pk = None
    with pytest.raises(IntegrityError, match="measurement_part_once"), transaction.atomic():
        part.save(force_insert=True)
    found.pk = None
    with (
        pytest.raises(IntegrityError, match="measurement_once_for_a_content_and_a_day"),
        transaction.atomic(),
    ):
        found.save(force_insert=True)
