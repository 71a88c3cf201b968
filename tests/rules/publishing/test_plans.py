"""Planned publishings: what was shown goes out once, at its instant; or nothing does, and we are told why."""

import datetime
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings

from catalog.editorial.selectors import audit_log
from catalog.errors import Unfit, WrongState
from rules.cases import Case, Expect, Given
from rules.impact import measurements
from rules.impact.actions import measuring, workers
from rules.impact.actions.measuring import measure_publishing, work_off
from rules.models import ImpactMeasurement, PlannedRelease, Release
from rules.publishing.actions import plans
from rules.publishing.actions.plans import cancel_plan, carry_out_plans, plan_release
from rules.publishing.actions.releases import Shown
from rules.publishing.candidate import candidate
from rules.publishing.refusals import ChangedMeanwhile, NothingToPublish, PublishedMeanwhile, ReleaseRefused
from tests.support.releasing import NOON, Desk, elsewhere

HOUR = datetime.timedelta(hours=1)


@pytest.fixture(autouse=True)
def _no_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    put_cases(monkeypatch)


def put_cases(monkeypatch: pytest.MonkeyPatch, *cases: Case) -> None:
    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", lambda: cases)


def publisher(desk: Desk) -> User:
    desk.editor.groups.add(Group.objects.get(name="Publisher"))
    return User.objects.get(pk=desk.editor.pk)


def shown() -> Shown:
    current = Release.objects.current()
    return Shown(str(current) if current else "", candidate(()).content_sha256)


def plan(by: User, *, in_hours: float = 1, seen: Shown | None = None) -> PlannedRelease:
    return plan_release(by=by, note="News.", due=NOON + in_hours * HOUR, shown=seen or shown(), now=NOON)


def the_plan() -> PlannedRelease:
    return PlannedRelease.objects.get()


def test_it_goes_out_at_its_instant_and_not_before(desk: Desk) -> None:
    by = publisher(desk)
    desk.record("FR")
    plan(by)

    assert carry_out_plans(now=NOON + HOUR / 2) is None
    assert not Release.objects.exists()
    carry_out_plans(now=NOON + HOUR)

    release = Release.objects.get()
    assert (the_plan().state, the_plan().release, the_plan().ended_at) == ("done", release, NOON + HOUR)
    assert (release.published_by, release.note, release.published_at) == (by, "News.", NOON + HOUR)
    assert carry_out_plans(now=NOON + 2 * HOUR) is None
    assert [entry.verb for entry in audit_log("plan", str(the_plan().pk))] == ["plan"]


def test_what_is_late_goes_out_as_soon_as_a_person_runs(desk: Desk) -> None:
    by = publisher(desk)
    desk.record("FR")
    plan(by)
    carry_out_plans(now=NOON + 50 * HOUR)
    assert str(Release.objects.get()) == "2026-11-22"


def test_where_the_rows_have_changed_nothing_goes_out_and_the_plan_says_so(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    by = publisher(desk)
    desk.record("FR")
    plan(by)
    desk.record("DE")

    carry_out_plans(now=NOON + HOUR)

    assert not Release.objects.exists()
    assert the_plan().state == "failed"
    assert (
        the_plan().failure
        == "rows have changed since this page was shown, so something else would be published"
    )
    assert "was not carried out: rows have changed" in caplog.text
    # It is over: putting the rows back does not bring it to life, and another one can be planned.
    assert carry_out_plans(now=NOON + 2 * HOUR) is None
    plan(by, in_hours=9)


def test_where_a_person_published_before_it_fails(desk: Desk) -> None:
    by = publisher(desk)
    desk.record("FR")
    plan(by)
    release = desk.publish(now=NOON + HOUR / 2)
    carry_out_plans(now=NOON + HOUR)
    assert the_plan().failure.startswith(
        f"editor published release {release} at 20 November 2026, 12:30:00 UTC"
    )
    assert Release.objects.count() == 1


def test_where_a_case_fails_by_then_nothing_goes_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    by = publisher(desk)
    desk.record("FR")
    plan(by)
    case = Case(
        file="routes.yaml",
        name="It came with the last update of the program.",
        given=Given(on=NOON.date(), model_id="lynx-10k", route=("FR", "FR"), airline="7C"),
        expect=Expect(verdict="allowed"),
    )
    put_cases(monkeypatch, case)
    carry_out_plans(now=NOON + HOUR)
    assert "It came with the last update" in the_plan().failure


def test_anyone_who_may_no_longer_publish_does_not_publish_later_either(desk: Desk) -> None:
    by = publisher(desk)
    desk.record("FR")
    plan(by)
    by.groups.clear()
    carry_out_plans(now=NOON + HOUR)
    assert the_plan().failure == "editor may no longer publish"
    assert not Release.objects.exists()


def test_an_error_of_the_program_ends_the_plan_and_the_next_is_published(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    by = publisher(desk)
    desk.record("FR")
    plan(by)
    with monkeypatch.context() as patch:
        patch.setattr(plans, "publish_release", lambda **options: 1 / 0)
        ended = carry_out_plans(now=NOON + HOUR)

    assert ended == the_plan()
    assert (ended.state, ended.failure) == ("failed", "the publisher failed; its log says why")
    assert not Release.objects.exists()
    (line,) = [one for one in caplog.records if one.exc_info]
    assert line.exc_info is not None
    assert line.exc_info[0] is ZeroDivisionError

    plan_release(by=by, note="Again.", due=NOON + 2 * HOUR, shown=shown(), now=NOON + HOUR)
    assert carry_out_plans(now=NOON + 2 * HOUR) is not None
    assert Release.objects.get().note == "Again."


def test_a_plan_that_cannot_be_measured_ends_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    by = publisher(desk)
    desk.publish_news()
    desk.record("FR")
    plan(by)
    with monkeypatch.context() as patch:
        patch.setattr(plans, "measure_publishing", lambda **options: 1 / 0)
        patch.setattr("rules.publishing.gate.measured_changes", lambda *args, **options: 1 / 0)
        ended = carry_out_plans(now=NOON + HOUR)

    assert ended is not None
    assert (ended.state, ended.failure) == ("failed", "the publisher failed; its log says why")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is small enough to be measured at once."""
    for module in (measurements, measuring):
        monkeypatch.setattr(module, "SMALL", -1)


@pytest.mark.usefixtures("large")
def test_a_large_one_waits_for_the_workers_and_holds_up_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    by = publisher(desk)
    desk.publish_news()
    desk.record("FR")
    work_off(measure_publishing(by=by, now=NOON))
    planned = plan(by, in_hours=24)
    tomorrow = NOON + 24 * HOUR
    # With a queue the publisher itself measures nothing.
    settings.CELERY_TASK_ALWAYS_EAGER = False
    sent: list[int] = []
    monkeypatch.setattr(workers.measure_impact, "delay", sent.append)

    for _ in range(3):
        assert carry_out_plans(now=tomorrow) is None

    waiting = ImpactMeasurement.objects.get(day=tomorrow.date())
    assert (waiting.state, the_plan().state) == ("queued", "planned")
    workers.measure_impact(waiting.pk)
    assert carry_out_plans(now=tomorrow) == planned
    assert the_plan().state == "done"


@pytest.mark.usefixtures("large")
def test_without_a_queue_the_publisher_measures_a_moment_at_a_time(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    by = publisher(desk)
    desk.publish_news()
    desk.record("FR")
    work_off(measure_publishing(by=by, now=NOON))
    plan(by, in_hours=24)
    moments: list[float] = []

    def work(measurement_id: int, *, seconds: float) -> bool:
        moments.append(seconds)
        return workers.work(measurement_id, seconds=0)

    monkeypatch.setattr(plans, "work", work)
    ended = [carry_out_plans(now=NOON + 24 * HOUR) for _ in range(4)]

    assert ended[0] is None
    assert moments
    assert set(moments) == {plans.MEASURING_SECONDS}
    assert the_plan().state == "done"


@pytest.mark.usefixtures("large")
def test_a_plan_whose_measurement_never_ends_fails(desk: Desk, settings: Settings) -> None:
    by = publisher(desk)
    desk.publish_news()
    desk.record("FR")
    work_off(measure_publishing(by=by, now=NOON))
    plan(by, in_hours=20)
    settings.CELERY_TASK_ALWAYS_EAGER = False
    due = NOON + 20 * HOUR

    assert carry_out_plans(now=due) is None
    assert carry_out_plans(now=due + plans.MEASURING_PATIENCE) is None
    ended = carry_out_plans(now=due + plans.MEASURING_PATIENCE + HOUR)

    assert ended is not None
    assert "which must be measured, and this was not done today" in ended.failure


def test_it_can_be_canceled_until_it_is_over(desk: Desk) -> None:
    by = publisher(desk)
    desk.record("FR")
    planned = plan(by)
    cancel_plan(by=by, plan_id=planned.pk, now=NOON)
    assert carry_out_plans(now=NOON + HOUR) is None
    assert (the_plan().state, the_plan().ended_by) == ("canceled", by)
    for number in (planned.pk, 0):
        with pytest.raises(WrongState):
            cancel_plan(by=by, plan_id=number, now=NOON)
    assert [entry.verb for entry in audit_log("plan", str(planned.pk))] == ["plan", "cancel"]


def test_what_could_not_be_published_now_is_not_planned(desk: Desk) -> None:
    by = publisher(desk)
    desk.record("FR")
    seen = shown()
    with pytest.raises(Unfit, match="is in the past"):
        plan(by, in_hours=0)
    with pytest.raises(ChangedMeanwhile):
        plan(by, seen=Shown("", "0" * 64))
    desk.publish()
    with pytest.raises(PublishedMeanwhile):
        plan(by, seen=seen)
    with pytest.raises(NothingToPublish):
        plan(by)
    with pytest.raises(ReleaseRefused, match="needs a note"):
        plan_release(by=by, note=" ", due=NOON + HOUR, shown=seen, now=NOON)
    assert not PlannedRelease.objects.exists()


def test_of_two_workers_at_once_one_publishes(committing_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    by = publisher(committing_desk)
    committing_desk.record("FR")
    plan(by)
    inside, go_on = threading.Event(), threading.Event()

    def slow_cases() -> tuple[Case, ...]:
        inside.set()
        assert go_on.wait(20)
        return ()

    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", slow_cases)
    first = elsewhere(lambda: carry_out_plans(now=NOON + HOUR))
    assert inside.wait(20)
    # The other one does not even wait.
    assert elsewhere(lambda: carry_out_plans(now=NOON + HOUR)).result(20) is None
    go_on.set()
    assert first.result(20).state == "done"
    assert Release.objects.count() == 1


def test_a_worker_that_is_killed_leaves_the_plan_for_the_next_one(
    committing_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = publisher(committing_desk)
    committing_desk.record("FR")
    plan(by)
    killed = threading.Event()

    def killing_cases() -> tuple[Case, ...]:
        # What becomes of a worker's connection when it is killed.
        killed.set()
        connection.connection.close()
        return ()

    with monkeypatch.context() as patch:
        patch.setattr("rules.publishing.candidate.cases_in_force", killing_cases)
        with pytest.raises(Exception, match="closed"):
            elsewhere(lambda: carry_out_plans(now=NOON + HOUR)).result(20)
    assert killed.is_set()
    assert not Release.objects.exists()
    assert the_plan().state == "planned"

    assert elsewhere(lambda: carry_out_plans(now=NOON + HOUR)).result(20).state == "done"
    assert Release.objects.count() == 1


def writes(row: Any, release: Release) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Return writes past every verb, each with what the database says to it."""
    ended = {"ended_at": NOON + HOUR, "ended_by_id": release.published_by_id}
    plan = PlannedRelease.objects.get()
    values = {field.attname: getattr(plan, field.attname) for field in plan._meta.concrete_fields}
    del values["id"]

    def insert(**changes: Any) -> None:
        PlannedRelease.objects.bulk_create(
            [PlannedRelease(**{**values, "state": "canceled", **ended, **changes})]
        )

    yield "note_is_written", partial(insert, note=" ")
    yield "content_is_a_digest", partial(insert, content_sha256="abc")
    yield "is_for_later", partial(insert, due=NOON - HOUR)
    yield "state_is_known", partial(row.update, state="lost", **ended)
    yield "end_is_a_pair", partial(row.update, state="canceled", ended_at=NOON)
    yield "ends_once", partial(row.update, state="canceled")
    yield "ends_once", partial(row.update, **ended)
    yield "done_has_its_release", partial(row.update, state="done", **ended)
    yield "done_has_its_release", partial(row.update, state="canceled", release=release, **ended)
    yield "failed_says_why", partial(row.update, state="failed", **ended)
    yield "failed_says_why", partial(row.update, failure="So.")
    yield "stays as it was planned", partial(row.update, note="Another.")
    yield "never deleted", lambda: row._raw_delete("default")


def test_the_database_refuses_what_no_action_does(desk: Desk) -> None:
    by = publisher(desk)
    release = desk.publish_news()
    desk.record("FR")
    plan(by)
    row = PlannedRelease.objects.filter(state="planned")
    for said, write in writes(row, release):
        with pytest.raises(IntegrityError, match=said), transaction.atomic():
            write()
    cancel_plan(by=by, plan_id=row.get().pk, now=NOON)
    with pytest.raises(IntegrityError, match="what became of a plan"), transaction.atomic():
        PlannedRelease.objects.update(ended_at=NOON + HOUR)
