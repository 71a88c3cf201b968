"""How many requests a caller may send: as many as agreed, told truthfully, whatever happens to Redis."""

import datetime
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter

import pytest
import redis as redis_client
import time_machine
from django.conf import LazySettings
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from prometheus_client import REGISTRY

from compliance.limits import cache as limits_cache
from compliance.limits.cache import REDIS_TIMEOUT_SECONDS, Counters, LimitsCache, RedisCounters
from compliance.limits.rates import Rate, parse_rate
from compliance.partners import register
from compliance.partners.keys import make_key
from compliance.services.redis import Redis
from tests.support.api_callers import a_client, ask, new_address
from tests.support.api_requests import VERIFY, a_request, problem
from tests.support.partners import Desk, new_slug
from tests.support.starter import NOW

DEVICES = "/api/devices"
Process = Callable[[], RedisCounters]
FIELDS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy", "RateLimit")

pytestmark = pytest.mark.usefixtures("starter_release")

# --- What callers see -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rate"),
    [("60/m", (60, 60)), ("5/s", (5, 1)), ("100/10s", (100, 10)), ("9/2h", (9, 7200)), ("1/d", (1, 86400))],
)
def test_a_rate_is_requests_in_seconds(text: str, rate: Rate) -> None:
    assert parse_rate(text) == rate


@pytest.mark.usefixtures("asked_now")
def test_an_answer_says_what_is_left_until_nothing_is(settings: LazySettings) -> None:
    settings.ANONYMOUS_RATE = "3/h"
    client = a_client()
    for remaining in ("2", "1", "0"):
        answered = ask(client, "POST", VERIFY, a_request())
        assert answered.status_code == 200
        assert "Retry-After" not in answered
        assert [answered[field] for field in FIELDS][:2] == ["3", remaining]
        assert answered["RateLimit-Policy"] == '"api";q=3;w=3600'
        assert answered["RateLimit"] == f'"api";r={remaining};t={answered["RateLimit-Reset"]}'
        assert 1 <= int(answered["RateLimit-Reset"]) <= 3600
    spent = ask(client, "POST", VERIFY, a_request())
    assert (spent.status_code, problem(spent)["code"]) == (429, "RATE_LIMITED")
    assert [spent[field] for field in FIELDS][:2] == ["3", "0"]
    assert spent["RateLimit"] == f'"api";r=0;t={spent["Retry-After"]}'
    assert spent["Retry-After"] == spent["RateLimit-Reset"]
    assert ask(a_client(), "POST", VERIFY, a_request()).status_code == 200


@settings(
    max_examples=60,
    deadline=None,
    # On a busy machine many examples take too much real time.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
@given(
    period=st.sampled_from(["s", "2s", "7s", "m", "h", "d"]),
    after=st.floats(0, 200_000, allow_nan=False, width=32),
)
def test_retry_after_is_the_truth_to_the_second(settings: LazySettings, period: str, after: float) -> None:
    settings.ANONYMOUS_RATE = f"1/{period}"
    client = a_client()
    begin = NOW + datetime.timedelta(seconds=after)
    real_time = perf_counter()
    with time_machine.travel(begin, tick=False) as clock:
        ask(client, "GET", DEVICES)
        spent = ask(client, "GET", DEVICES)
        wait = int(spent.get("Retry-After", "0"))
        # One second earlier is too early, unless that is now.
        clock.move_to(begin + datetime.timedelta(seconds=max(wait - 1, 0)))
        early = ask(client, "GET", DEVICES)
        clock.move_to(begin + datetime.timedelta(seconds=wait))
        on_time = ask(client, "GET", DEVICES)
    # Redis counts real seconds, and is given up after a fifth of one.
    assume(perf_counter() - real_time < REDIS_TIMEOUT_SECONDS)
    assert spent.status_code == 429
    assert 1 <= wait <= parse_rate(settings.ANONYMOUS_RATE).seconds
    assert early.status_code == 429
    assert on_time.status_code == 200


@pytest.mark.usefixtures("asked_now")
def test_every_answer_of_the_api_says_what_is_left(db: None) -> None:
    register.forget()
    client = a_client()
    etag = ask(client, "GET", DEVICES)["ETag"]
    seen = []
    for method, path, body, headers in (
        ("POST", VERIFY, a_request(), {}),
        ("POST", VERIFY, {}, {}),
        ("POST", VERIFY, a_request(model_id="no-such-model"), {}),
        ("POST", VERIFY, a_request(), {"x_service_key": make_key().reveal()}),
        ("POST", VERIFY, a_request(), {"accept": "text/html"}),
        ("GET", VERIFY, None, {}),
        ("OPTIONS", VERIFY, None, {}),
        ("GET", DEVICES, None, {"if_none_match": etag}),
        ("HEAD", DEVICES, None, {}),
    ):
        answered = ask(client, method, path, body, **headers)
        seen.append(answered.status_code)
        assert all(field in answered for field in FIELDS), seen
    assert seen == [200, 400, 404, 401, 406, 405, 204, 304, 200]


@pytest.mark.usefixtures("asked_now")
def test_preflights_and_unknown_addresses_cost_nothing_and_wrong_keys_do(
    db: None, settings: LazySettings
) -> None:
    register.forget()
    settings.ANONYMOUS_RATE = "2/h"
    client = a_client()
    for _ in range(5):
        assert ask(client, "GET", "/api/nothing").status_code == 404
        preflight = {"origin": "https://a.example", "access_control_request_method": "POST"}
        assert ask(client, "OPTIONS", VERIFY, **preflight).status_code == 200
    guesses = [ask(client, "GET", DEVICES, x_service_key=make_key().reveal()) for _ in range(3)]
    assert [guess.status_code for guess in guesses] == [401, 401, 429]
    assert ask(client, "GET", DEVICES).status_code == 429


@pytest.mark.usefixtures("asked_now")
def test_a_partner_has_the_rate_that_was_agreed_for_each_key_wherever_it_calls_from(
    db: None, settings: LazySettings
) -> None:
    settings.ANONYMOUS_RATE = "1/h"
    desk = Desk()
    small = desk.record(new_slug(), rate_per_minute=2).slug
    first, second = (desk.issue(small).plain.reveal() for _ in range(2))
    register.forget()
    for key in (first, second):
        answers = [ask(a_client(), "GET", DEVICES, x_service_key=key) for _ in range(3)]
        assert [answered.status_code for answered in answers] == [200, 200, 429]
        assert answers[0]["RateLimit-Policy"] == '"api";q=2;w=60'
        assert "Link" in answers[2]
    register.forget()


@pytest.mark.usefixtures("asked_now")
def test_a_key_in_place_of_an_ended_one_begins_no_new_window(db: None) -> None:
    desk = Desk()
    small, other = (desk.record(new_slug(), rate_per_minute=2).slug for _ in range(2))
    live = [desk.issue(small), desk.issue(small)]
    got = Counter[int]()
    for turn in range(6):
        register.forget()
        for issued in live:
            key = issued.plain.reveal()
            got.update(ask(a_client(), "GET", DEVICES, x_service_key=key).status_code for _ in range(3))
        # The older one and the newer one in turn.
        desk.revoke(live.pop(turn % 2))
        live.append(desk.issue(small))
    # As many as two keys that stay.
    assert got == {200: 4, 429: 32}
    of_another = desk.issue(other).plain.reveal()
    register.forget()
    assert ask(a_client(), "GET", DEVICES, x_service_key=of_another).status_code == 200
    register.forget()


@pytest.mark.usefixtures("asked_now")
def test_refusals_are_counted_by_who_asked(settings: LazySettings) -> None:
    settings.ANONYMOUS_RATE = "1/h"
    labels = {"caller": "anonymous"}
    before = REGISTRY.get_sample_value("compliance_rate_limited_total", labels) or 0
    client = a_client()
    for _ in range(3):
        ask(client, "GET", DEVICES)
    assert REGISTRY.get_sample_value("compliance_rate_limited_total", labels) == before + 2


@pytest.mark.usefixtures("asked_now")
def test_neither_an_address_nor_a_key_is_in_redis_and_every_counter_ends(
    db: None, settings: LazySettings
) -> None:
    key = Desk().issue().plain.reveal()
    register.forget()
    address = new_address()
    client = a_client()
    ask(client, "GET", DEVICES, x_service_key=key)
    client.defaults["REMOTE_ADDR"] = address
    ask(client, "GET", DEVICES)
    with redis_client.Redis.from_url(settings.CACHES["limits"]["LOCATION"], decode_responses=True) as redis:
        names = list(redis.scan_iter("compliance:limits:*"))
        assert len(names) >= 2
        everything = " ".join(f"{name} {redis.get(name)}" for name in names)
        # One that has ended meanwhile is gone (-2); one that never ends says -1.
        assert -1 not in {redis.ttl(name) for name in names}
    for secret in (address, address.removesuffix("1"), key, key.rpartition("_")[2], key[:12]):
        assert secret not in everything
    register.forget()


# --- Counting in this process -----------------------------------------------------------------------------


class Clock:
    """The monotonic clock of the counters, which moves when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(limits_cache, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_counter_begins_once_counts_and_ends(clock: Clock) -> None:
    counters = Counters()
    assert counters.add("a", 1, 60)
    assert not counters.add("a", 1, 60)
    assert [counters.increase("a", 1) for _ in range(3)] == [2, 3, 4]
    clock.now += 59.9
    assert counters.increase("a", 1) == 5
    clock.now += 0.1
    with pytest.raises(ValueError, match="no such counter"):
        counters.increase("a", 1)
    assert counters.add("a", 1, 60)


def test_threads_lose_no_count() -> None:
    counters = Counters()
    counters.add("a", 0, 60)

    def count() -> None:
        for _ in range(2000):
            counters.increase("a", 1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counters.increase("a", 1) == 8001


def test_the_memory_for_counters_is_bounded(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_cache, "MAX_COUNTERS", 10)
    counters = Counters()
    for number in range(8):
        counters.add(f"short {number}", 1, 10)
    counters.add("long", 1, 1000)
    clock.now += 11
    for number in range(4):
        counters.add(f"new {number}", 1, 10)
    assert counters.increase("long", 1) == 2
    for number in range(1000):
        counters.add(f"flood {number}", 1, 1000)
        assert len(counters._counts) <= 10


def test_a_counter_without_an_end_is_refused() -> None:
    cache = LimitsCache("", {})
    for timeout in (None, 0, 0.5, -1):
        with pytest.raises(ValueError, match="ends after"):
            cache.add("a", 1, timeout)


def test_threads_that_come_first_at_once_count_together() -> None:
    together = threading.Barrier(8)
    made = []

    def begin() -> None:
        together.wait()
        made.append(limits_cache._counters("redis://127.0.0.1:1/first-at-once"))

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(counters) for counters in made}) == 1


# --- Counting in Redis ------------------------------------------------------------------------------------


@pytest.fixture
def process(redis: Redis) -> Iterator[Process]:
    """Begin to count as a process does that has just started."""
    begun: list[RedisCounters] = []

    def begin() -> RedisCounters:
        begun.append(RedisCounters(redis.url))
        return begun[-1]

    yield begin
    for counters in begun:
        counters._redis.close()


def count(counters: RedisCounters, key: str = "a") -> int:
    """Count a request as django-ratelimit does."""
    return 1 if counters.add(key, 1, 60) else counters.increase(key, 1)


def test_two_processes_count_together(process: Process) -> None:
    one, other = process(), process()
    assert [count(one), count(other), count(one), count(other)] == [1, 2, 3, 4]


def test_a_caller_who_comes_again_costs_one_round_trip(redis: Redis, process: Process) -> None:
    counters = process()
    with redis_client.Redis.from_url(redis.url) as watcher:

        def calls() -> tuple[int, int]:
            stats = watcher.info("commandstats")
            return stats["cmdstat_set"]["calls"], stats["cmdstat_evalsha"]["calls"]

        assert [count(counters), count(counters)] == [1, 2]
        begun, counted = calls()
        for _ in range(10):
            count(counters)
        assert calls() == (begun, counted + 10)


def test_a_counter_that_redis_lost_begins_again_with_an_end(redis: Redis, process: Process) -> None:
    counters = process()
    assert [count(counters), count(counters)] == [1, 2]
    with redis_client.Redis.from_url(redis.url) as other:
        other.flushall()
        assert [count(counters), count(counters)] == [1, 2]
        assert 0 < other.ttl("a") <= 60
        # So does one that lost its end.
        other.persist("a")
        assert count(counters) == 3
        assert 0 < other.ttl("a") <= 60


def test_while_redis_is_away_a_process_counts_alone_and_says_so_once(
    redis: Redis,
    process: Process,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def alone() -> float | None:
        return REGISTRY.get_sample_value("compliance_limits_without_redis")

    counters = process()
    assert [count(counters), count(counters)] == [1, 2]
    port = redis.url.rpartition(":")[2]
    redis.stop()
    with caplog.at_level(logging.INFO):
        assert [count(counters), count(counters), count(counters, "b")] == [1, 2, 1]
        assert alone() == 1
        assert len(caplog.records) == 1
        assert "by itself" in caplog.text
        # Redis is back, and nobody asks it within a second.
        monkeypatch.setattr("compliance.services.redis.free_port", lambda: int(port.partition("/")[0]))
        redis.start()
        assert count(counters) == 3
        clock.now += limits_cache.RETRY_AFTER_SECONDS
        assert [count(counters), count(counters, "b")] == [1, 1]
        assert alone() == 0
        assert len(caplog.records) == 2
        assert "answers again" in caplog.text
    assert redis.url.partition("@")[0] not in caplog.text


def test_a_redis_that_is_away_is_asked_by_one_request_in_a_second(
    redis: Redis, process: Process, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    counters = process()
    redis.stop()
    asked = []
    connect = redis_client.Connection.connect

    def noting(connection: redis_client.Connection) -> None:
        asked.append(connection)
        connect(connection)

    monkeypatch.setattr(redis_client.Connection, "connect", noting)
    for _ in range(20):
        count(counters)
    assert len(asked) == 1
    clock.now += limits_cache.RETRY_AFTER_SECONDS
    for _ in range(20):
        count(counters)
    assert len(asked) == 2
