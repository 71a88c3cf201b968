"""From the disk into the table: nothing is lost and nothing is there twice, whatever goes away meanwhile."""

import functools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from pytest_django import Settings
from redis import Redis as Client
from redis import RedisError

from catalog.database.dedicated_connection import close, own_connection
from compliance.models import VerdictRecord
from compliance.records.verdict_log import draining, segments, shipping, spool, storing, stream
from compliance.records.verdict_log.backlog import backlog
from compliance.records.verdict_log.recording import record
from compliance.records.verdict_log.shipping import Shipping
from compliance.records.verdict_log.stream import Stream
from compliance.records.verdict_log.tasks import drain_verdicts
from compliance.services.redis import Redis, find
from rules.verdicts import Answer
from tests.compliance.records.verdict_log.answers import a_leg, a_trip

pytestmark = pytest.mark.usefixtures("committing_db")


@pytest.fixture
def streaming(redis: Redis, settings: Settings) -> Stream:
    """A stream in a Redis of its own."""
    settings.REDIS_URL = redis.url
    return Stream(redis.url, 2)


def shipper(to: Stream | None = None) -> Shipping:
    """What the thread of this process does, step by step."""
    return Shipping(spool.spool(), connection, to)


def give(count: int = 5) -> list[str]:
    """Record some answers and return their ids."""
    answers: list[Answer] = [a_leg() for _ in range(count)]
    for answer in answers:
        record(answer, channel="api", language="en")
    return [answer.verdict_id for answer in answers]


def stored() -> list[str]:
    return list(VerdictRecord.objects.order_by("generated").values_list("verdict_id", flat=True))


def left(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def come_back(redis: Redis) -> None:
    """Start a Redis that was stopped, on the port that it had. It has forgotten everything."""
    redis._launch(find())
    assert redis._wait_until_ready()


# --- Straight to the table ---


def test_without_redis_a_row_says_what_the_answer_said_and_the_disk_is_empty(folder: Path) -> None:
    leg, trip = a_leg(serial="X1"), a_trip("SQ", "ZZ")
    record(leg, channel="api", language="en", partner="btk_k3vq7m2a")
    record(trip, channel="page", language="fr")
    shipper().work()
    assert left(folder) == []
    first, second = VerdictRecord.objects.order_by("generated")
    assert (first.verdict_id, first.kind, first.channel) == (leg.verdict_id, "leg", "api")
    assert first.question["leg"] == {"origin": "JP", "destination": "SG", "airline": "SQ"}
    assert (first.generated, first.expires) == (leg.generated_at, leg.expires_at)
    assert (first.release_sha256, first.partner) == (leg.release.sha256, "btk_k3vq7m2a")
    assert (first.serial_given, first.segment_ids) == ("serial", [])
    assert (second.verdict, second.language) == ("insufficient", "fr")
    assert second.segment_ids == list(trip.segment_ids)


def test_while_the_table_cannot_be_written_the_files_stay(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids, work = give(), shipper()
    with monkeypatch.context() as patch:
        patch.setattr(storing, "record_verdicts", _away)
        with pytest.raises(OperationalError):
            work.work()
    ids += give()
    work.work()
    assert stored() == ids
    assert left(folder) == []


def _away(**_: object) -> int:
    raise OperationalError


def test_the_thread_sends_on_after_the_database_was_away(
    folder: Path, settings: Settings, outage: Callable[[bool], None], caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = ""
    settings.VERDICT_SHIP_SECONDS = 0.05
    ids = give()
    wait_until(lambda: stored() == ids)
    outage(True)
    ids += give()
    wait_until(lambda: "stay on this machine's disk" in caplog.text)
    time.sleep(0.3)
    ids += give()
    assert backlog().pending_bytes > 0
    outage(False)
    wait_until(lambda: stored() == ids)
    # What is in the table is then taken from the disk.
    wait_until(lambda: left(folder) == [])
    assert caplog.text.count("stay on this machine's disk") == 1
    assert [one.name for one in threading.enumerate()].count("verdict-shipper") == 1


def test_at_its_end_a_process_sends_on_what_it_wrote_last(folder: Path, settings: Settings) -> None:
    settings.REDIS_URL = ""
    settings.VERDICT_SHIP_SECONDS = 60
    ids = give()
    shipping.stop()
    assert stored() == ids
    assert left(folder) == []


def test_what_came_before_counts_once(folder: Path) -> None:
    ids = give()
    (segment,) = spool.spool().take()
    data = segment.read()
    assert storing.store(data, connection) == len(ids)
    assert storing.store(data + data, connection) == 0
    segment.remove()
    assert stored() == ids


def test_a_row_that_the_table_refuses_holds_up_no_other(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ids = give(3)
    (segment,) = spool.spool().take()
    lines = segment.read().split(b"\n")[1:]
    segment.remove()
    lines[1] = lines[1].replace(b'"quantity":1', b'"serial":"57VQX8GKPZR2M4"')
    assert storing.store(b"\n".join(lines), connection) == 2
    assert stored() == [ids[0], ids[2]]
    assert ids[1] in caplog.text
    assert "57VQX8GKPZR2M4" not in caplog.text


def test_files_of_the_dead_are_taken_up_once_and_those_of_the_living_are_left(folder: Path) -> None:
    ids = give()
    (dead,) = spool.spool().take()
    dead.leave()
    give()
    assert shipping.adopt() == len(ids)
    assert stored() == ids
    assert shipping.adopt() == 0
    assert len(left(folder)) == 1


def test_a_file_is_removed_only_by_its_holder(folder: Path) -> None:
    give()
    (segment,) = spool.spool().take()
    assert list(segments.orphans(folder)) == []
    segment.leave()
    (taken,) = segments.orphans(folder)
    assert list(segments.orphans(folder)) == []
    taken.remove()
    assert list(segments.orphans(folder)) == []


# --- By the stream ---


def test_by_the_stream_a_file_stays_until_a_worker_has_confirmed_it(folder: Path, streaming: Stream) -> None:
    ids, work = give(), shipper(streaming)
    work.work()
    assert stored() == []
    assert (backlog().stream_length, len(left(folder))) == (1, 1)
    assert draining.drain(streaming, seconds=5) == len(ids)
    work.work()
    assert stored() == ids
    assert (backlog().stream_length, left(folder)) == (0, [])


def test_nothing_is_left_in_redis(folder: Path, streaming: Stream, redis: Redis) -> None:
    give()
    work = shipper(streaming)
    work.work()
    draining.drain(streaming, seconds=5)
    work.work()
    with Client.from_url(redis.url) as client:
        assert [key for key in client.scan_iter() if client.type(key) != b"stream"] == []


def test_a_redis_that_forgets_everything_loses_nothing(
    folder: Path, streaming: Stream, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids, work = give(), shipper(streaming)
    work.work()
    redis.stop()
    ids += give()
    with pytest.raises((RedisError, OSError)):
        work.work()
    come_back(redis)
    monkeypatch.setattr(shipping, "RESEND_SECONDS", 0)
    work.work()
    assert draining.drain(streaming, seconds=5) == len(ids)
    work.work()
    assert stored() == ids
    assert left(folder) == []


def test_a_batch_that_is_on_its_way_is_not_sent_again(
    folder: Path, streaming: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    give()
    work = shipper(streaming)
    monkeypatch.setattr(shipping, "RESEND_SECONDS", 0)
    for _ in range(3):
        work.work()
    assert streaming.length() == 1


def test_a_full_stream_leaves_the_rest_on_the_disk(
    folder: Path, streaming: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MAX_BATCHES", 2)
    work, ids = shipper(streaming), []
    for _ in range(4):
        ids += give(2)
        work.work()
    assert (streaming.length(), len(left(folder))) == (2, 4)
    for _ in range(3):
        draining.drain(streaming, seconds=5)
        work.work()
    assert stored() == ids
    assert left(folder) == []


def test_a_worker_that_dies_after_its_commit_leaves_a_batch_that_counts_once(
    folder: Path, streaming: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids, work = give(), shipper(streaming)
    work.work()
    with monkeypatch.context() as patch:
        patch.setattr(Stream, "confirm", _away_from_redis)
        with pytest.raises(RedisError):
            draining.drain(streaming, seconds=5)
    assert stored() == ids
    monkeypatch.setattr(stream, "CLAIM_MILLISECONDS", 0)
    assert draining.drain(streaming, seconds=5) == 0
    work.work()
    assert stored() == ids
    assert left(folder) == []


def _away_from_redis(*_: object) -> None:
    raise RedisError


def test_two_workers_at_once_store_everything_once(folder: Path, streaming: Stream) -> None:
    ids, work = [], shipper(streaming)
    for _ in range(60):
        ids += give(5)
        work.work()
    counts: list[int] = []

    def worker() -> None:
        try:
            while streaming.length():
                counts.append(draining.drain(Stream(streaming_url, 2), seconds=5))
        finally:
            connection.close()

    streaming_url = _url(streaming)
    threads = [threading.Thread(target=worker) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    work.work()
    assert sum(counts) == len(ids)
    assert stored() == ids
    assert left(folder) == []


def _url(of: Stream) -> str:
    known = of._redis.connection_pool.connection_kwargs
    return f"redis://:{known['password']}@{known['host']}:{known['port']}/0"


def test_the_job_does_nothing_while_redis_is_away_and_says_no_address(
    folder: Path, streaming: Stream, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    redis.stop()
    assert drain_verdicts() == 0
    assert "wait to be recorded" in caplog.text
    assert "127.0.0.1" not in caplog.text


def wait_until(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"still not true after {seconds} seconds"
        time.sleep(0.02)


@pytest.fixture
def outage() -> Iterator[Callable[[bool], None]]:
    """Switch the database off (and on again) for whoever has no connection; the thread loses its own."""
    name = connection.settings_dict["NAME"]

    def switch(off: bool) -> None:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"ALTER DATABASE {connection.ops.quote_name(name)} ALLOW_CONNECTIONS {not off}")
        if off:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'verdict-shipper' AND datname = current_database()"
                )

    yield switch
    switch(False)


def test_the_connection_of_the_thread_is_its_own_and_closes() -> None:
    own = own_connection("somebody")
    with own.cursor() as cursor:
        cursor.execute("SHOW application_name")
        assert cursor.fetchone() == ("somebody",)
    closing = functools.partial(close, own)
    closing()
    closing()
