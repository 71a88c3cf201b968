"""Somebody ends a watch in the very moment in which a worker judges it."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from pytest_django.fixtures import Settings

from compliance.models import TripWatch, TripWatchState
from compliance.trip_watch import actions
from compliance.trip_watch.evaluation import Judged, judge
from compliance.trip_watch.tasks import catch_up
from rules import corpus
from tests.compliance.trip_watch.test_watches import BANNED
from tests.compliance.trip_watch.watching import browser, make, released
from tests.support.ledger import DAY, FIRST, publish, world_content
from tests.support.releasing import elsewhere

ENDER_WAITS_SECONDS = 0.5


@pytest.fixture
def watched(committing_db: None, settings: Settings) -> Iterator[str]:
    """The path of a watch that others see, with a release by which it is yet to be judged."""
    settings.SITE_URL = "http://127.0.0.1:8000"
    with time_machine.travel(FIRST, tick=False) as clock:
        released()
        clock.shift(DAY / 2)
        path = make()
        publish(world_content(rules=BANNED), now=FIRST + DAY)
        corpus.refresh()
        yield path


def test_a_watch_that_is_ended_while_it_is_judged_is_gone_afterwards(
    watched: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging, ending = threading.Event(), threading.Event()

    def slowly(*given: Any, **named: Any) -> Judged:
        judging.set()
        assert ending.wait(10)
        time.sleep(ENDER_WAITS_SECONDS)
        return judge(*given, **named)

    monkeypatch.setattr(actions, "judge", slowly)
    worker = elsewhere(catch_up)
    assert judging.wait(10)
    ending.set()
    answer = browser().post(f"{watched}/end")
    worker.result(20)
    assert answer.status_code == 303
    assert not TripWatch.objects.exists()
    assert not TripWatchState.objects.exists()
