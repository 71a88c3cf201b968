"""Work on many hosts at once, with one job per host at a time and a pause between two jobs. Pure.

A host that pauses delays no other: another host takes its place meanwhile.
"""

import heapq
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar


class Hosted(Protocol):
    """A job to be done at a host."""

    @property
    def host(self) -> str: ...  # noqa: D102


Thing = TypeVar("Thing", bound=Hosted)
Outcome = TypeVar("Outcome")


def in_turns(
    things: Iterable[Thing],
    do: Callable[[Thing], Outcome],
    *,
    at_once: int,
    pause_seconds: float,
    seconds: float,
) -> Generator[tuple[Thing, "Future[Outcome]"]]:
    """Do jobs in threads, and yield each with its result, in the order in which they finish.

    No job starts after `seconds`; jobs that run then are waited for. The jobs of one host start in their
    order.
    """
    queues: dict[str, deque[Thing]] = {}
    for thing in things:
        queues.setdefault(thing.host, deque()).append(thing)
    # When each host is ready; the number keeps hosts with the same instant in their order.
    ready = [(0.0, number, host) for number, host in enumerate(queues)]
    begun: dict[Future[Outcome], tuple[Thing, int]] = {}
    end = time.monotonic() + seconds
    with ThreadPoolExecutor(at_once, "visit") as threads:
        try:
            while begun or (ready and time.monotonic() < end):
                now = time.monotonic()
                while ready and len(begun) < at_once and ready[0][0] <= now < end:
                    _, number, host = heapq.heappop(ready)
                    thing = queues[host].popleft()
                    begun[threads.submit(do, thing)] = (thing, number)
                idle = max(ready[0][0] - now, 0) if ready and len(begun) < at_once else None
                if not begun:
                    time.sleep(min(idle or 0, max(end - now, 0)))
                    continue
                done, _ = wait(begun, timeout=idle, return_when=FIRST_COMPLETED)
                for future in done:
                    thing, number = begun.pop(future)
                    if queues[thing.host]:
                        heapq.heappush(ready, (time.monotonic() + pause_seconds, number, thing.host))
                    yield thing, future
        finally:
            threads.shutdown(cancel_futures=True)
