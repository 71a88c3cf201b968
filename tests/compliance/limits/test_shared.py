"""The processes of a machine count together, and none of them waits for one that died or was stopped."""

import fcntl
import os
import signal
from collections.abc import Callable

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from compliance.limits import reading, shared
from compliance.limits.shared import PLACES, SharedCounters


@pytest.fixture
def counters() -> SharedCounters:
    return SharedCounters()


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the clock of the machine, which moves only when a test moves it."""
    clock = [1000.0]
    monkeypatch.setattr(shared, "monotonic", lambda: clock[0])
    return clock


def forked(work: Callable[[], object]) -> int:
    """Start another process that works and ends; return its id."""
    process = os.fork()
    if not process:
        try:
            work()
        finally:
            os._exit(0)
    return process


def count(counters: SharedCounters, name: str = "a") -> int:
    """Count a request as django-ratelimit does."""
    return 1 if counters.add(name, 1, 60) else counters.increase(name, 1)


def in_one_bucket(number: int) -> list[str]:
    """Return the names of so many counters that share a bucket."""
    wanted = shared._bucket(shared._digest("a"))
    names = (f"name {at}" for at in range(10**9))
    same = (name for name in names if shared._bucket(shared._digest(name)) == wanted)
    return ["a", *(next(same) for _ in range(number - 1))]


def test_processes_lose_no_count(counters: SharedCounters) -> None:
    def work() -> None:
        for _ in range(2000):
            count(counters)

    for process in [forked(work) for _ in range(3)]:
        os.waitpid(process, 0)
    assert count(counters) == 6001


def test_a_counter_begins_once_counts_ends_and_begins_again(
    counters: SharedCounters, now: list[float]
) -> None:
    assert [counters.add("a", 2, 60), counters.add("a", 2, 60)] == [True, False]
    assert [counters.increase("a", 5), counters.increase("a", 1)] == [7, 8]
    now[0] += 60
    with pytest.raises(ValueError, match="no such counter"):
        counters.increase("a", 1)
    assert count(counters) == 1
    assert count(counters) == 2
    assert count(counters, "b") == 1


def test_what_a_process_counted_is_still_counted_when_it_is_dead(counters: SharedCounters) -> None:
    def work() -> None:
        for _ in range(5):
            count(counters)
        # It dies while it has the lock of the counter.
        fcntl.lockf(counters._file, fcntl.LOCK_EX, 1, shared._bucket(shared._digest("a")))
        os.kill(os.getpid(), signal.SIGKILL)

    os.waitpid(forked(work), 0)
    assert count(counters) == 6


def test_a_process_that_is_stopped_in_the_middle_keeps_no_request_waiting(counters: SharedCounters) -> None:
    held, holds = os.pipe()

    def work() -> None:
        fcntl.lockf(counters._file, fcntl.LOCK_EX, 1, shared._bucket(shared._digest("a")))
        os.write(holds, b"1")
        signal.pause()

    process = forked(work)
    try:
        assert os.read(held, 1) == b"1"
        assert [count(counters), count(counters), count(counters, "b")] == [1, 2, 1]
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def test_a_flood_of_callers_forgets_none_who_has_asked_often(
    counters: SharedCounters, now: list[float]
) -> None:
    busy, *others = in_one_bucket(PLACES * 5)
    assert [count(counters, busy) for _ in range(3)] == [1, 2, 3]
    for name in others:
        assert count(counters, name) == 1
    assert count(counters, busy) == 4
    # A place whose counter has ended is taken before any other.
    now[0] += 60
    for name in others[:PLACES]:
        count(counters, name)
    assert [count(counters, name) for name in others[:PLACES]] == [2] * PLACES


def test_what_an_address_reads_is_counted_in_all_processes_together(
    counters: SharedCounters, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.READING_RATE = "10/m"
    monkeypatch.setattr(shared, "_of_machine", counters)
    reading._counters.cache_clear()
    request = RequestFactory().get("/about", REMOTE_ADDR="198.51.100.7")

    def work() -> None:
        for _ in range(5):
            reading.seconds_to_wait(request)

    try:
        for process in [forked(work) for _ in range(2)]:
            os.waitpid(process, 0)
        wait = reading.seconds_to_wait(request)
    finally:
        reading._counters.cache_clear()
    assert wait is not None
    assert 1 <= wait <= 61


def test_a_counter_says_when_it_ends(counters: SharedCounters, now: list[float]) -> None:
    count(counters)
    assert counters.seconds_left("a") == 61
    now[0] += 59.5
    assert counters.seconds_left("a") == 1
    now[0] += 0.5
    assert counters.seconds_left("a") is None
    assert counters.seconds_left("b") is None
