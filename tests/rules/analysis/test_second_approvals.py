"""Which approved revisions owe a second approval, and who can give it: noted by a job, read by the desk."""

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from celery.exceptions import OperationalError
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec.structs import replace
from pytest_django.fixtures import Settings

from catalog.editorial.selectors import not_measured_for, owes_approval_of
from catalog.models import MeasuredRevision
from rules.analysis import second_approvals
from rules.analysis.second_approvals import note_second_approvals
from rules.analysis.tasks import note_owed_approvals
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    discard_rules,
    draft_rule,
    revise_rules,
    submit_rules,
    withdraw_rules,
)
from rules.impact.actions.measuring import work_off
from rules.impact.models import ImpactMeasurement
from rules.models import Rule
from tests.support.factories import a_rule, a_user

pytestmark = pytest.mark.usefixtures("published_rows", "fresh_cache")

LIMIT = "n1.two-units"


@pytest.fixture
def fresh_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def withdraw() -> None:
    """Approve once that a limit ends, which makes answers less strict."""
    withdraw_rules(by=a_user("author"), rule_ids=[LIMIT], reason="The page no longer says it.")
    submit_rules(by=a_user("author"), rule_ids=[LIMIT])
    approve_rules(by=a_user("first"), rule_ids=[LIMIT])


def approve_another() -> None:
    """Approve a new rule once."""
    name = f"n1.new-{Rule.objects.count()}"
    draft_rule(by=a_user("author"), rule=a_rule(rule_id=name, sources=("northwing-page",)))
    submit_rules(by=a_user("author"), rule_ids=[name])
    approve_rules(by=a_user("first"), rule_ids=[name])


def owed_to(name: str) -> list[str]:
    return list(Rule.objects.filter(owes_approval_of(a_user(name), Rule)).values_list("rule_id", flat=True))


def unmeasured_for(name: str) -> int:
    return Rule.objects.filter(not_measured_for(a_user(name), Rule)).count()


def test_what_makes_answers_less_strict_waits_for_all_but_its_author_and_its_first_approver(db: None) -> None:
    withdraw()
    assert unmeasured_for("second") == 1

    note_second_approvals(timezone.now())

    assert owed_to("second") == [LIMIT]
    assert owed_to("author") == owed_to("first") == []
    assert unmeasured_for("second") == 0
    approve_rules_again(by=a_user("second"), rule_ids=[LIMIT])
    assert owed_to("third") == []


def test_what_makes_no_answer_less_strict_waits_for_no_one(db: None) -> None:
    revise_rules(by=a_user("author"), rule_ids=[LIMIT], reason="Clearer.")
    old = Rule.objects.get(rule_id=LIMIT, revision=2).to_record()
    stricter = replace(old, params=replace(old.params, max_units=1))
    change_rule(by=a_user("author"), rule=stricter)
    submit_rules(by=a_user("author"), rule_ids=[LIMIT])
    approve_rules(by=a_user("first"), rule_ids=[LIMIT])

    note_second_approvals(timezone.now())

    assert owed_to("second") == []
    assert unmeasured_for("second") == 0


def test_it_does_not_wait_for_whose_second_approval_would_not_count(db: None) -> None:
    withdraw()
    note_second_approvals(timezone.now())
    assert owed_to("second") == [LIMIT]

    # Their words stay in the history, and could be written again.
    revise_rules(by=a_user("second"), rule_ids=[LIMIT], reason="Another way.")
    discard_rules(by=a_user("second"), rule_ids=[LIMIT], reason="No.")
    note_second_approvals(timezone.now())

    assert owed_to("second") == []
    assert owed_to("third") == [LIMIT]


def test_nothing_is_measured_again_while_nothing_changes(db: None) -> None:
    withdraw()
    note_second_approvals(timezone.now())
    noted = MeasuredRevision.objects.get().noted

    with CaptureQueriesContext(connection) as queries:
        note_second_approvals(timezone.now())

    assert ImpactMeasurement.objects.count() == 1
    assert not any("rules_release" in query["sql"] and '"document"' in query["sql"] for query in queries)
    assert MeasuredRevision.objects.get().noted == noted


def test_a_large_change_is_noted_once_the_workers_have_measured_it(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.impact.actions.measuring.SMALL", 0)
    monkeypatch.setattr(second_approvals, "work", lambda *_, **__: False)
    withdraw()

    note_second_approvals(timezone.now())
    assert owed_to("second") == []
    assert unmeasured_for("second") == 1

    work_off(ImpactMeasurement.objects.get())
    note_second_approvals(timezone.now())
    assert owed_to("second") == [LIMIT]
    assert ImpactMeasurement.objects.count() == 1


def test_what_is_approved_is_measured_as_soon_as_it_is_committed(
    db: None, settings: Settings, django_capture_on_commit_callbacks: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    with mock.patch("rules.tasks.note_owed_approvals.apply_async") as asked:
        with django_capture_on_commit_callbacks(execute=True):
            withdraw()
            assert not asked.called
        assert asked.call_count == 1
        with django_capture_on_commit_callbacks(execute=True):
            approve_another()
        # One job waits already, and it will see both.
        assert asked.call_count == 1
        note_owed_approvals()
        assert LIMIT in owed_to("second")
        with django_capture_on_commit_callbacks(execute=True):
            approve_another()
        assert asked.call_count == 2


def test_an_approval_that_is_undone_measures_nothing(
    db: None, settings: Settings, django_capture_on_commit_callbacks: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    with mock.patch("rules.tasks.note_owed_approvals.apply_async") as asked:
        with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
            withdraw()
            transaction.set_rollback(True)
        assert not asked.called


def test_an_approval_counts_although_no_queue_answers(
    db: None, settings: Settings, django_capture_on_commit_callbacks: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    away = mock.patch("rules.tasks.note_owed_approvals.apply_async", side_effect=OperationalError)
    with away, django_capture_on_commit_callbacks(execute=True):
        withdraw()
    assert unmeasured_for("second") == 1
