"""Work at many hosts at once: one thing of each host at a time, nothing twice, nothing lost."""

import threading
import time
from collections import Counter, defaultdict

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.watch.host_queue import in_turns


class Thing(msgspec.Struct, frozen=True):
    host: str
    number: int
    seconds: float = 0.0


class Places:
    """Who is where at the same time, and when."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._there: Counter[str] = Counter()
        self.most_at_one_host = self.most_at_once = 0
        self.times: dict[str, list[tuple[float, float]]] = defaultdict(list)

    def visit(self, thing: Thing) -> int:
        with self._lock:
            self._there[thing.host] += 1
            self.most_at_one_host = max(self.most_at_one_host, self._there[thing.host])
            self.most_at_once = max(self.most_at_once, self._there.total())
        began = time.monotonic()
        time.sleep(thing.seconds)
        with self._lock:
            self._there[thing.host] -= 1
            self.times[thing.host].append((began, time.monotonic()))
        return thing.number


THINGS = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from([0.0, 0.001])), max_size=40).map(
    lambda drawn: [Thing(host, number, seconds) for number, (host, seconds) in enumerate(drawn)]
)


@settings(max_examples=50)
@given(things=THINGS, at_once=st.integers(1, 5))
def test_each_thing_is_done_once_in_its_hosts_order_and_never_two_at_one_host(
    things: list[Thing], at_once: int
) -> None:
    places = Places()
    done = [
        (thing, future.result())
        for thing, future in in_turns(things, places.visit, at_once=at_once, pause_seconds=0, seconds=60)
    ]
    assert sorted(number for _, number in done) == list(range(len(things)))
    assert all(thing.number == number for thing, number in done)
    for host in "abcdef":
        assert [thing for thing, _ in done if thing.host == host] == [
            thing for thing in things if thing.host == host
        ]
    assert places.most_at_one_host <= 1
    assert places.most_at_once <= at_once


def test_a_host_pauses_between_two_things_and_holds_no_other_host_up() -> None:
    places = Places()
    things = [Thing("slow", number) for number in range(3)] + [Thing(f"host {n}", 9) for n in range(20)]
    list(in_turns(things, places.visit, at_once=1, pause_seconds=0.1, seconds=60))
    first, second, third = sorted(places.times["slow"])
    assert second[0] - first[1] >= 0.1
    assert third[0] - second[1] >= 0.1
    assert all(end <= second[0] for host, times in places.times.items() if host != "slow" for _, end in times)


def test_nothing_is_begun_when_the_time_is_over_and_what_is_under_way_is_waited_for() -> None:
    places = Places()
    things = [Thing(f"host {number}", number, 0.2) for number in range(10)]
    done = list(in_turns(things, places.visit, at_once=2, pause_seconds=0, seconds=0.1))
    assert {thing.number for thing, _ in done} == {0, 1}


def test_a_pause_longer_than_the_time_that_is_left_is_not_waited_for() -> None:
    began = time.monotonic()
    done = list(
        in_turns([Thing("a", 0), Thing("a", 1)], Places().visit, at_once=2, pause_seconds=60, seconds=0.2)
    )
    assert len(done) == 1
    assert time.monotonic() - began < 30


def test_what_fails_is_given_as_a_failure_and_the_rest_is_done() -> None:
    def fail_at_two(thing: Thing) -> int:
        if thing.number == 2:
            raise ValueError("two")
        return thing.number

    things = [Thing("a", number) for number in range(4)]
    outcomes = [
        future.exception() or future.result()
        for _, future in in_turns(things, fail_at_two, at_once=3, pause_seconds=0, seconds=60)
    ]
    assert [str(outcome) for outcome in outcomes] == ["0", "1", "two", "3"]


def test_anyone_who_stops_reading_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    things = [Thing(f"host {number}", number, 0.01) for number in range(50)]
    for _ in (reading := in_turns(things, Places().visit, at_once=4, pause_seconds=0, seconds=60)):
        break
    reading.close()
    assert threading.active_count() == before
