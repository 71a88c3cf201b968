"""`make up` from the outside: each part is kept running, and all of them end together."""

import os
import signal
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.services import ServiceError
from compliance.services.controlling import Production, production, wait_until
from compliance.services.postgres import Cluster


@pytest.fixture
def up(tmp_path: Path, bare_environment: dict[str, str]) -> Iterator[Production]:
    with production(tmp_path / "var", bare_environment) as running:
        yield running


def status(up: Production, path: str = "/about") -> int:
    """Return the status that a page is answered with, 0 where nobody answers."""
    try:
        with urllib.request.urlopen(up.address + path, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except OSError:
        return 0


def lives(pid: int) -> bool:
    """Say whether a process runs; one that has ended and that nobody asked about yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_is_killed_comes_back_and_nothing_outlives_the_supervisor(
    up: Production, bare_environment: dict[str, str]
) -> None:
    assert up.names() == ["postgres", "redis", "web", "worker-1", "beat"]
    assert status(up) == 200

    with (
        pytest.raises(ServiceError, match="another one runs with the data in"),
        production(up.data_dir, bare_environment),
    ):
        pass

    before = {name: up.pid(name) for name in up.names()}
    for name in up.names():
        killed = up.kill(name)
        assert killed == before[name]
        assert up.pid(name) is not None
    assert status(up) == 200

    heard: list[int] = []
    asking = threading.Event()

    def ask() -> None:
        while not asking.is_set():
            heard.append(status(up))

    web = up.pids("web")
    reader = threading.Thread(target=ask)
    reader.start()
    up.reload()
    wait_until(lambda: not any(map(lives, web[1:])), "the old web processes are still there")
    asking.set()
    reader.join()
    # Not one was refused, and those that answer now are others below the same parent.
    assert set(heard) == {200}
    assert up.pid("web") == web[0]

    everything = [pid for name in up.names() for pid in up.pids(name)]
    assert len(everything) > 8
    os.kill(up.supervisor, signal.SIGKILL)
    wait_until(lambda: not any(map(lives, everything)), "something outlived its supervisor", 10)
    assert Cluster(up.data_dir / "postgres").pid() is None


def test_what_is_stopped_stays_stopped_until_it_is_started(up: Production) -> None:
    up.stop("worker-1")
    up.stop("redis")
    assert (up.pid("worker-1"), up.pid("redis")) == (None, None)
    assert status(up) == 200
    up.start("redis")
    up.start("worker-1")
    assert None not in (up.pid("worker-1"), up.pid("redis"))

    everything = [pid for name in up.names() for pid in up.pids(name)]
    os.kill(up.supervisor, signal.SIGINT)
    wait_until(lambda: not any(map(lives, everything)), "something is not stopped")


def test_a_number_of_workers_that_is_none_is_reported(
    tmp_path: Path, bare_environment: dict[str, str]
) -> None:
    with (
        pytest.raises(ServiceError, match="UP_WORKERS is '0' and must be a whole number"),
        production(tmp_path, bare_environment | {"UP_WORKERS": "0"}),
    ):
        pass
