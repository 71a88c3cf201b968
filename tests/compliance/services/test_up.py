"""`make up` from the outside: each part is kept running, and all of them end together."""

import json
import os
import signal
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from checks import migrated_cluster
from compliance.services import ServiceError, environments, throwaway
from compliance.services.controlling import Production, production, wait_until
from compliance.services.postgres import Cluster
from tests.support.processes import variables_of


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


def everything_of(up: Production) -> list[int]:
    """Return the process ids of all parts, and of all that they started."""
    pids = [pid for name in up.names() for pid in up.pids(name)]
    assert len(pids) > len(up.names())
    return pids


def test_parts_are_kept_running_and_all_of_them_end_together(
    tmp_path: Path, bare_environment: dict[str, str]
) -> None:
    throwaway.unpack(migrated_cluster.archive(), tmp_path)
    with production(tmp_path, bare_environment | {"NOT_OF_THE_SERVICE": "1"}) as up:
        assert up.names() == ["postgres", "redis", "web", "publisher", "worker-1", "beat"]
        assert status(up) == 200
        jobs_give_way_to_answers(up)
        alone(up, bare_environment)
        what_is_killed_comes_back(up)
        each_part_has_only_its_own_variables(up)
        all_files_are_private(up.data_dir)
        what_is_stopped_stays_stopped(up)
        a_reload_refuses_no_request(up)
        everything = everything_of(up)
        os.kill(up.supervisor, signal.SIGKILL)
        wait_until(lambda: not any(map(lives, everything)), "something outlived its supervisor", 10)
    assert Cluster(tmp_path / "postgres").pid() is None

    with production(tmp_path, bare_environment) as up:
        assert status(up) == 200
        everything = everything_of(up)
        os.kill(up.supervisor, signal.SIGINT)
        wait_until(lambda: not any(map(lives, everything)), "something is not stopped")


def jobs_give_way_to_answers(up: Production) -> None:
    """Every process of a worker is nicer than every one of the web server."""
    web, worker = (
        [os.getpriority(os.PRIO_PROCESS, pid) for pid in up.pids(name)] for name in ("web", "worker-1")
    )
    assert min(worker) > max(web)


def alone(up: Production, environment: dict[str, str]) -> None:
    """A second one with the same data is refused."""
    with (
        pytest.raises(ServiceError, match="another copy already uses the data in"),
        production(up.data_dir, environment),
    ):
        pass


def what_is_killed_comes_back(up: Production) -> None:
    """Each part is started again, on the same address."""
    for name in up.names():
        before = up.pid(name)
        assert up.kill(name) == before
        assert up.pid(name) not in (None, before)
    assert status(up) == 200


def each_part_has_only_its_own_variables(up: Production) -> None:
    """Not even after the supervisor, which has all keys, has started it again."""
    secret = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "VERDICT_KEY", "RECEIPT_KEYS"}
    keys = keys_of(up.data_dir)
    for name in up.names():
        for pid in up.pids(name):
            variables = variables_of(pid)
            assert "NOT_OF_THE_SERVICE" not in variables
            assert ("RELEASE_KEY" in variables) == (name == "publisher")
            if name in {"postgres", "redis"}:
                assert not secret & variables.keys()
            elif name == "beat":
                assert not keys & {*variables.values()}
                assert variables["DATABASE_URL"] == environments.NOWHERE
            else:
                role = name if name in {"web", "publisher"} else "worker"
                assert {*variables.values()} >= keys
                assert variables["DATABASE_URL"].startswith(f"postgresql://compliance_{role}:")
                assert not [value for value in variables.values() if "compliance_owner" in value]


def keys_of(data_dir: Path) -> set[str]:
    """Return the keys that the service keeps in its folder."""
    return {*json.loads((data_dir / "secrets").read_text()).values()}


def all_files_are_private(data_dir: Path) -> None:
    """Nobody but its owner opens a folder or a file."""
    found = [data_dir, *data_dir.rglob("*")]
    assert len(found) > 100
    assert [path for path in found if not path.is_symlink() and path.stat().st_mode & 0o077] == []


def what_is_stopped_stays_stopped(up: Production) -> None:
    """Until it is started; the others go on."""
    for name in ("worker-1", "redis"):
        up.stop(name)
    assert status(up) == 200
    assert (up.pid("worker-1"), up.pid("redis")) == (None, None)
    for name in ("redis", "worker-1"):
        up.start(name)
        assert up.pid(name) is not None


def a_reload_refuses_no_request(up: Production) -> None:
    """Others answer then, below the same parent, and not one request was refused."""
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
    assert set(heard) == {200}
    assert up.pid("web") == web[0]


def test_a_number_of_workers_that_is_none_is_reported(
    tmp_path: Path, bare_environment: dict[str, str]
) -> None:
    with (
        pytest.raises(ServiceError, match="UP_WORKERS is '0', but must be a whole number"),
        production(tmp_path, bare_environment | {"UP_WORKERS": "0"}),
    ):
        pass
