"""Measurements at once, on connections of their own."""

import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection

from rules import tasks
from rules.impact.actions import workers
from rules.impact.measurements import measured
from rules.impact.survey import tally
from rules.models import ImpactPart
from tests.rules.impact.test_measuring import ask, in_parts, publish_and_approve
from tests.support.factories import a_user
from tests.support.releasing import elsewhere
from tests.support.world import build_world

__all__ = ["in_parts"]


@pytest.fixture
def committed(committing_db: None) -> User:
    """Who wrote the test world, which is published, and a stricter rule, seen by all connections."""
    editor = a_user()
    build_world(by=editor)
    publish_and_approve(editor)
    return editor


def test_those_who_ask_at_once_share_one_measurement(committed: User, in_parts: None) -> None:
    asked = [elsewhere(lambda: ask(committed).pk) for _ in range(3)]
    assert len({future.result() for future in asked}) == 1
    assert ImpactPart.objects.count() == 2


def test_the_part_of_a_killed_worker_is_taken_up_by_the_next_one(
    committed: User, in_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ask(committed)
    busy, killed = threading.Event(), threading.Event()
    victim: list[int] = []

    def slow(*args: Any) -> Any:
        if not victim:
            victim.append(_pid())
            busy.set()
            killed.wait()
        return tally(*args)

    # What a `kill -9` leaves of a worker is its connection, which ends.
    with monkeypatch.context() as patched:
        patched.setattr(workers, "tally", slow)
        dying = elsewhere(lambda: workers.work(found.pk, seconds=60))
        busy.wait()
        others = [elsewhere(lambda: workers.work(found.pk, seconds=60)) for _ in range(2)]
        assert [future.result() for future in others] == [False, False]
        # The others did what was left, and nobody has touched the part that is being measured.
        assert [part.number for part in ImpactPart.objects.filter(tally__isnull=True)] == [1]
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", victim)
        killed.set()
        with pytest.raises(DatabaseError):
            dying.result()

    assert found.parts_done == 1
    tasks.measure_impact(found.pk)
    found.refresh_from_db()
    assert found.state == "done"
    assert measured(found).evaluated == found.size


def _pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]
