"""Nobody waits long for a server that does not answer, and nobody is told anything that is not known."""

import threading
import time

from compliance.health.bounded_calls import BoundedCall


def test_what_was_found_is_held_for_a_moment() -> None:
    calls: list[None] = []

    def call() -> int:
        calls.append(None)
        return len(calls)

    asked = BoundedCall(call, cache_seconds=0.2)
    assert [asked.facts() for _ in range(5)] == [1] * 5
    time.sleep(0.25)
    assert asked.facts() == 2


def test_a_look_that_fails_tells_nothing() -> None:
    def call() -> int:
        raise OSError("10.0.0.7 refused")

    assert BoundedCall(call).facts() is None


def test_a_look_that_hangs_keeps_no_one_and_begins_only_once() -> None:
    answers = threading.Event()
    begun: list[None] = []

    def call() -> str:
        begun.append(None)
        answers.wait(60)
        return "back"

    asked = BoundedCall(call, cache_seconds=60, patience_seconds=0.2)
    before = time.monotonic()
    assert [asked.facts() for _ in range(20)] == [None] * 20
    # Whoever comes after the first one waits no more.
    assert time.monotonic() - before < 2
    assert len(begun) == 1
    answers.set()
    deadline = time.monotonic() + 10
    while asked.facts() != "back":
        assert time.monotonic() < deadline
    assert len(begun) == 1


def test_all_who_ask_at_once_share_one_look() -> None:
    calls: list[None] = []

    def call() -> int:
        calls.append(None)
        time.sleep(0.2)
        return len(calls)

    asked, heard = BoundedCall(call, patience_seconds=30), []
    threads = [threading.Thread(target=lambda: heard.append(asked.facts())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == [1] * 8
