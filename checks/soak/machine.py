"""What the service takes of its machine, and what other machines take of it."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

STOLEN, ALL = 7, 8
"""The place of the stolen time in the first line of /proc/stat, and how many numbers add up to all time."""

SECONDS_APART = 5


class Stolen(NamedTuple):
    """The shares of the processors that their host gave to other machines: on average, and at most."""

    average: float
    most: float


def megabytes(pids: Iterable[int]) -> float:
    """Return the memory of processes in MiB; shared memory is counted once (PSS)."""
    return sum(_kilobytes(pid) for pid in pids) / 1024


@contextmanager
def stolen_time() -> Iterator[list[Stolen]]:
    """Measure the stolen time while the block runs; the list has it afterwards.

    Processors that are given to others answer no one. A slow answer says something about the service only
    where little was stolen.
    """
    measured, over = list[Stolen](), threading.Event()
    ticks = [_ticks()]

    def watch() -> None:
        while not over.wait(SECONDS_APART):
            ticks.append(_ticks())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield measured
    finally:
        over.set()
        thread.join()
    average = _share(ticks[0], _ticks())
    measured.append(Stolen(average, max(map(_share, ticks, ticks[1:]), default=average)))


class _Ticks(NamedTuple):
    stolen: int
    passed: int


def _ticks() -> _Ticks:
    numbers = [int(number) for number in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return _Ticks(numbers[STOLEN], sum(numbers[:ALL]))


def _share(before: _Ticks, after: _Ticks) -> float:
    return (after.stolen - before.stolen) / max(1, after.passed - before.passed)


def _kilobytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        # It ended meanwhile.
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
