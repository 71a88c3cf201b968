"""Limits over the real web server: exact whichever process answers, with Redis and without."""

import os
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client.mmap_dict import MmapedDict

from compliance.services import redis as service
from compliance.services.redis import Redis
from tests.support.processes import Start, wait_until
from tests.support.web_server import Server, serve_starter

# Windows so long that none ends during a test, or once in a hundred years of tests.
RATE, ALLOWED = "40/d", 40


def statuses(server: Server, requests: int, **headers: str) -> Counter[int]:
    """Count the statuses of requests that are all sent at once."""
    with ThreadPoolExecutor(requests) as threads:
        answers = threads.map(lambda _: server.verify(**headers).status, range(requests))
        return Counter(answers)


def metric(server: Server, name: str) -> float:
    """Return the sum of a metric over all its labels; 0 where it was never counted."""
    lines = server.ask("GET", "/metrics").body.decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith((f"{name} ", f"{name}{{")))


def test_two_processes_let_exactly_as_many_callers_through_as_the_limit_says(
    start: Start, redis: Redis, tmp_path: Path
) -> None:
    server = serve_starter(start, tmp_path, REDIS_URL=redis.url, ANONYMOUS_RATE=RATE, WEB_WORKERS="2")
    assert statuses(server, 100) == {200: ALLOWED, 429: 100 - ALLOWED}
    # All of them together, whichever process answers this.
    assert metric(server, "compliance_rate_limited_total") == 100 - ALLOWED
    assert metric(server, "compliance_limits_without_redis") == 0
    log = server.stop()
    assert "Redis" not in log


def refusals_of_processes(folder: Path) -> dict[int, float]:
    """Return how many requests each web process has refused, by its id."""
    refused: dict[int, float] = {}
    for file in folder.glob("compliance-metrics-*/counter_*.db"):
        values = MmapedDict.read_all_values_from_file(str(file))
        counts = [value for key, value, *_ in values if "compliance_rate_limited_total" in key]
        refused[int(file.stem.removeprefix("counter_"))] = sum(counts)
    return refused


def test_two_processes_count_together_without_redis_also_when_one_of_them_dies(
    start: Start, tmp_path: Path
) -> None:
    server = serve_starter(start, tmp_path, ANONYMOUS_RATE=RATE, WEB_WORKERS="2")
    assert statuses(server, 100) == {200: ALLOWED, 429: 100 - ALLOWED}

    def refused_by(processes: int) -> bool:
        assert server.verify().status == 429
        return sum(count > 0 for count in refusals_of_processes(tmp_path).values()) == processes

    wait_until(lambda: refused_by(2))
    os.kill(next(iter(refusals_of_processes(tmp_path))), signal.SIGKILL)
    wait_until(lambda: refused_by(3))


def test_a_forged_address_gets_no_one_more(start: Start, redis: Redis, tmp_path: Path) -> None:
    server = serve_starter(
        start, tmp_path, REDIS_URL=redis.url, ANONYMOUS_RATE="5/d", TRUSTED_PROXIES="1", WEB_WORKERS="2"
    )
    # What a proxy makes of a client that sends another address each time: its own word stands last.
    sent = [server.verify(X_Forwarded_For=f"203.0.113.{number}, 198.51.100.7").status for number in range(8)]
    assert sent == [200] * 5 + [429] * 3
    assert server.verify(X_Forwarded_For="203.0.113.1").status == 200


def test_when_redis_goes_away_verdicts_go_on_and_the_limit_holds_over_all_processes(
    start: Start, redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve_starter(start, tmp_path, REDIS_URL=redis.url, ANONYMOUS_RATE=RATE, WEB_WORKERS="2")
    assert [server.verify().status for _ in range(ALLOWED)] == [200] * ALLOWED
    assert server.verify().status == 429

    redis.stop()
    assert statuses(server, 100) == {200: ALLOWED, 429: 100 - ALLOWED}
    assert metric(server, "compliance_limits_without_redis") >= 1
    assert metric(server, "compliance_limits_outages_total") >= 1

    port = int(redis.url.rsplit(":", 1)[1].split("/")[0])
    monkeypatch.setattr(service, "free_port", lambda: port)
    redis.start()
    # The new Redis knows of no request, so the first that is counted there is let through.
    wait_until(lambda: server.verify().status == 200)

    def all_noticed() -> bool:
        server.verify()
        return metric(server, "compliance_limits_without_redis") == 0

    # A process notices it by its next request.
    wait_until(all_noticed)
    log = server.stop()
    outages = log.count("this machine counts requests against limits by itself")
    assert 1 <= outages <= 2
    assert log.count("Redis answers again") == outages
    assert redis.url not in log


def test_metrics_are_for_programs_on_this_machine(start: Start, tmp_path: Path) -> None:
    server = serve_starter(start, tmp_path)
    assert server.ask("GET", "/metrics").status == 200
    assert server.ask("HEAD", "/metrics").status == 200
    for header in ("X_Forwarded_For", "Forwarded", "Via", "X_Real_IP", "X_Forwarded_Host"):
        assert server.ask("GET", "/metrics", **{header: "127.0.0.1"}).status == 404
    assert server.ask("POST", "/metrics", {}).headers["allow"] == "GET, HEAD"


def test_a_stopped_server_leaves_no_metrics_behind(start: Start, tmp_path: Path) -> None:
    server = serve_starter(start, tmp_path)
    assert list(tmp_path.glob("compliance-metrics-*"))
    server.stop()
    assert not list(tmp_path.glob("compliance-metrics-*"))
