"""A round that is killed in the middle loses nothing and repeats nothing."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction

from catalog.devices.actions import record_devices
from catalog.jobs.actions import AlreadyRunning
from catalog.models import Run
from catalog.sources.actions import record_sources
from compliance.services.embedded import REPOSITORY
from recalls.feeds.syncing import sync
from recalls.models import FeedNotice, FeedRecall, FeedVersion, Recall
from tests.recalls.feeds import samples
from tests.recalls.feeds.rows import TODAY
from tests.recalls.feeds.server import NETWORK, FeedServer
from tests.support.factories import a_device, a_source, a_user
from tests.support.processes import wait_until

NUMBERS = range(1000, 1020)
ADDRESS = "https://recalls-rappels.canada.ca/en/alert-recall"
FILE = samples.as_json(
    [
        samples.a_canadian_row(NID=str(n), URL=f"{ADDRESS}/{n}", Title="Power banks", Product=f"Acme ZZ{n}")
        for n in NUMBERS
    ]
)


@pytest.fixture
def many_models(committing_db: None) -> None:
    """A catalog that knows the model of every notice."""
    record_sources(by=a_user(), sources=[a_source()])
    devices = [
        a_device(model_id=f"zz-{n}", brand="Acme", model_name="Bank", model_number=f"ZZ{n}") for n in NUMBERS
    ]
    record_devices(by=a_user(), devices=devices)


@pytest.fixture
def start(server: FeedServer) -> Iterator[Callable[[], "subprocess.Popen[bytes]"]]:
    """Begin a round in a process of its own."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    processes = []

    def begin() -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "manage.py", "feeds", "sync", "--feed", "health_canada"],
            cwd=REPOSITORY,
            env=os.environ
            | {
                "DATABASE_URL": database.geturl(),
                "FEED_HEALTH_CANADA_URL": server.addresses()["health_canada"],
                "FETCH_TEST_NETWORKS": NETWORK,
                "FETCH_HOST_PAUSE_SECONDS": "0",
            },
            stdout=subprocess.DEVNULL,
        )
        processes.append(process)
        return process

    yield begin
    for process in processes:
        process.kill()
        process.wait()


def kill_at(number: int, start: Callable[[], "subprocess.Popen[bytes]"]) -> None:
    """Kill a round in the middle of the transaction that takes in this notice; no other can begin before."""
    with transaction.atomic():
        # Whoever records the same source waits for what becomes of this one.
        record_sources(by=a_user(), sources=[a_source(id=f"ca-hc-{number}-notice")])
        process = start()
        wait_until(is_waiting)
        with pytest.raises(AlreadyRunning):
            sync("health_canada", clock=lambda: TODAY)
        process.kill()
        process.wait()
        transaction.set_rollback(True)
    wait_until(lambda: not is_waiting())


def is_waiting() -> bool:
    """Tell whether somebody waits for a lock. Other views of PostgreSQL stand still in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        [(count,)] = cursor.fetchall()
    return bool(count)


def is_over() -> bool:
    """Run a round to its end, once the killed one has let go of its lock."""
    try:
        sync("health_canada", clock=lambda: TODAY)
    except AlreadyRunning:
        return False
    return True


def test_a_round_killed_twice_in_the_middle_loses_nothing_and_repeats_nothing(
    many_models: None, server: FeedServer, start: Callable[[], "subprocess.Popen[bytes]"]
) -> None:
    server.answers["/HCRSAMOpenData.json"] = FILE
    for at in (1005, 1013):
        kill_at(at, start)
        # What was whole is there, and nothing of what was not.
        kept = set(FeedNotice.objects.values_list("native_id", flat=True))
        assert kept == {str(n) for n in range(NUMBERS.start, at)}
        assert set(Recall.objects.values_list("device_id", flat=True)) == {f"zz-{n}" for n in map(int, kept)}
    wait_until(is_over)
    once = {f"ca-hc-{n}-zz-{n}": 1 for n in NUMBERS}
    assert Counter(Recall.objects.values_list("recall_id", flat=True)) == once
    assert Counter(FeedRecall.objects.values_list("recall_id", flat=True)) == once
    assert FeedNotice.objects.count() == FeedVersion.objects.count() == len(NUMBERS)
    outcomes = list(Run.objects.order_by("pk").values_list("outcome", flat=True))
    assert outcomes == ["interrupted", "interrupted", "done"]
