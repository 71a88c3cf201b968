"""Real processes, really killed: no verdict that was given is without a record, and none has two."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.models import VerdictRecord
from compliance.records.verdict_log import draining, shipping
from compliance.records.verdict_log.stream import Stream
from compliance.services.controlling import descendants
from compliance.services.embedded import REPOSITORY
from compliance.services.redis import Redis
from tests.support.processes import wait_until
from tests.support.roles import url_of

pytestmark = pytest.mark.usefixtures("committing_db")


@pytest.fixture
def givers(folder: Path) -> Iterator["Givers"]:
    """Processes that give verdicts; whatever still runs at the end is killed."""
    started = Givers(folder)
    yield started
    started.kill()


class Givers:
    """Processes on one folder, each in a group of its own, and what they said."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._output = folder.with_name("said")
        self._groups: list[subprocess.Popen[bytes]] = []

    def start(self, *arguments: str, ship_seconds: float = 0, redis_url: str = "") -> None:
        """Start one."""
        variables = {
            "DJANGO_SETTINGS_MODULE": "compliance.settings",
            "DATABASE_URL": url_of("web"),
            "REDIS_URL": redis_url,
            "VERDICT_SHIP_SECONDS": str(ship_seconds),
            "VERDICT_SPOOL_DIR": str(self._folder),
            "VERDICT_SPOOL_MAX_BYTES": str(2**30),
        }
        with self._output.open("ab") as output:
            self._groups.append(
                subprocess.Popen(
                    [sys.executable, "-m", "tests.compliance.records.verdict_log.giver", *arguments],
                    cwd=REPOSITORY,
                    env=os.environ | variables,
                    stdout=output,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            )

    def kill(self) -> None:
        """Kill all of them, children included, at whatever they are."""
        for process in self._groups:
            family = [Path(f"/proc/{pid}") for pid in (process.pid, *descendants(process.pid))]
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            # A child may die a moment later than its parent.
            wait_until(lambda family=family: not any(one.exists() for one in family))  # type: ignore[misc]
        self._groups.clear()

    @property
    def given(self) -> list[str]:
        """The ids of the verdicts that left, in whole lines."""
        said = self._output.read_text()
        return said[: said.rfind("\n") + 1].split()

    def wait_for(self, count: int) -> None:
        """Wait until so many were given."""
        deadline = time.monotonic() + 60
        while len(self.given) < count:
            assert time.monotonic() < deadline
            time.sleep(0.02)


def records() -> Counter[str]:
    return Counter(VerdictRecord.objects.values_list("verdict_id", flat=True))


def check(givers: Givers, folder: Path) -> None:
    """Each verdict that left is in the table as often as it was given; the disk is empty."""
    given, kept = Counter(givers.given), records()
    assert given - kept == Counter()
    # At most one for each thread was written down when the process was killed, and had not left yet.
    assert (kept - given).total() <= 16
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("arguments", [(), ("fork",)])
def test_what_a_killed_process_wrote_down_is_taken_up(
    givers: Givers, folder: Path, arguments: tuple[str, ...]
) -> None:
    givers.start(*arguments)
    givers.wait_for(3000)
    givers.kill()
    shipping.adopt()
    check(givers, folder)


def test_the_files_of_a_parent_are_taken_up_although_its_child_lives(givers: Givers, folder: Path) -> None:
    givers.start("fork")
    givers.wait_for(500)
    os.kill(givers._groups[0].pid, signal.SIGKILL)
    givers._groups[0].wait()
    before = {*folder.iterdir()}
    assert shipping.adopt() > 0
    givers.wait_for(len(givers.given) + 100)
    # What the child still writes is its own, and it may have begun more files.
    after = {*folder.iterdir()}
    assert before - after
    assert after


def test_killed_in_the_middle_of_sending_on_nothing_is_lost_and_nothing_is_there_twice(
    givers: Givers, folder: Path
) -> None:
    for count in (2000, 4000, 6000):
        # Each one also takes up what the one before it left.
        givers.start(ship_seconds=0.01)
        givers.wait_for(count)
        givers.kill()
    shipping.adopt()
    check(givers, folder)


def test_the_same_by_the_stream_with_a_worker_next_to_them(
    givers: Givers, folder: Path, redis: Redis
) -> None:
    stream = Stream(redis.url, 2)
    for count in (2000, 4000):
        givers.start(ship_seconds=0.01, redis_url=redis.url)
        while len(givers.given) < count:
            draining.drain(stream, seconds=0.2)
        givers.kill()
    draining.drain(stream, seconds=20)
    shipping.adopt()
    check(givers, folder)
