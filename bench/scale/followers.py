"""Web processes that follow one ledger: how long after a publishing the last one has the release.

All of them load the release at the same time here, on the cores of one machine. The figures of one process
are what each has on a machine of its own.
"""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench import release
from bench.http.client import processor_seconds
from bench.report import say
from bench.scale.database_load import calm_load
from bench.scale.kept import Figures
from bench.scale.releasing import Publisher
from compliance.services.embedded import REPOSITORY

SWAPS = 5
CALM_SECONDS = 10.0


class Seen(NamedTuple):
    """When a follower had a release: clock seconds, and its own processor seconds until then."""

    at: float
    processor: float


def measure(count: int, folder: Path) -> Figures:
    """Start so many followers, publish some releases, and wait each time until all have it."""
    with release.published(), _followers(count) as followers:
        publisher = Publisher()
        start = [_next(one).processor for one in followers]
        calm = calm_load(CALM_SECONDS)
        last, costs = [], []
        for number in range(SWAPS):
            publisher.record()
            idle = [processor_seconds([str(one.pid)]) for one in followers]
            published = publisher.publish()
            seen = [_next(one) for one in followers]
            last.append(max(one.at for one in seen) - published)
            costs += [one.processor - spent for one, spent in zip(seen, idle, strict=True)]
            say(f"  Swap {number + 1}: the last has it after {last[-1]:.2f} s")
    return {
        "until the last has it, median s": median(last),
        "until the last has it, slowest s": max(last),
        "a swap, processor s of each": median(costs),
        "the start, processor s of each": median(start),
        **calm,
    }


@contextlib.contextmanager
def _followers(count: int) -> Iterator[list["subprocess.Popen[str]"]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(_follower()) for _ in range(count)]


@contextlib.contextmanager
def _follower() -> Iterator["subprocess.Popen[str]"]:
    """Run a process that ends when its input ends, so also with this process."""
    with subprocess.Popen(
        [sys.executable, "-m", "bench.scale.following"],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as follower:
        yield follower
        assert follower.stdin is not None
        follower.stdin.close()


def _next(follower: "subprocess.Popen[str]") -> Seen:
    """Wait until a follower has another release."""
    assert follower.stdout is not None
    return Seen(**json.loads(follower.stdout.readline()))
