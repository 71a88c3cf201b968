"""Clients that ask at a given rate, or as fast as the service answers, from a separate process."""

import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context

from checks.chaos.load import Ask, Client, Heard, questions

CLIENTS = 12
"""More than the threads of the web processes, so no thread waits for the next request."""

KEPT_OF = 20
"""One answer of this many is kept in full, to be judged later."""

RULESET = re.compile(rb'"ruleset_version":"([^"]+)"')

VERDICT_ID = re.compile(rb'"((?:vdt|trip)_[a-z2-7]{26})"')


@dataclass
class Measurements:
    """The answers that the clients got. Seconds run from the time at which a request was due.

    `due` are these times, in the same order, in seconds since the epoch. `first` is when the first verdict of
    each release arrived, by its version.
    """

    seconds: list[float] = field(default_factory=list)
    due: list[float] = field(default_factory=list)
    first: dict[str, float] = field(default_factory=dict)
    statuses: Counter[str] = field(default_factory=Counter)
    kept: list[Heard] = field(default_factory=list)
    verdict_ids: list[str] = field(default_factory=list)

    def note(self, heard: Heard, due: float) -> None:
        """Add an answer."""
        self.seconds.append(heard.ended - due)
        self.due.append(due)
        self.statuses[heard.broken or str(heard.status)] += 1
        if heard.ask.kind != "get" and (found := VERDICT_ID.search(heard.body)):
            self.verdict_ids.append(found[1].decode())
            if release := RULESET.search(heard.body):
                self.first.setdefault(release[1].decode(), heard.ended)
        if len(self.seconds) % KEPT_OF == 0:
            self.kept.append(heard)

    def between(self, first: float, last: float) -> list[float]:
        """Return the seconds of the answers that were due in a span of time, in order of size."""
        return sorted(
            seconds for seconds, due in zip(self.seconds, self.due, strict=True) if first <= due < last
        )


def ask(address: str, *, seed: int, seconds: float, per_second: float | None = None) -> Measurements:
    """Ask for some seconds, and return the answers."""
    # Not in this process, which does other things meanwhile.
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_ask, (address, seed, seconds, per_second))


def _ask(address: str, seed: int, seconds: float, per_second: float | None) -> Measurements:
    measured, lock, began = Measurements(), threading.Lock(), time.time()

    def go_on(number: int) -> None:
        client = Client(address)
        for due, question in _due(number, seed, began, seconds, per_second):
            time.sleep(max(0, due - time.time()))
            # A client without a rate waits only for its previous answer.
            heard = client.ask(question)
            with lock:
                measured.note(heard, due if per_second else heard.began)

    threads = [threading.Thread(target=go_on, args=[number]) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return measured


def _due(
    number: int, seed: int, began: float, seconds: float, per_second: float | None
) -> Iterator[tuple[float, Ask]]:
    """Yield the requests of one client, and when each is due; at once if there is no rate."""
    asked = questions(seed * CLIENTS + number)
    if per_second is None:
        while time.time() < began + seconds:
            yield 0, next(asked)
        return
    # The clients take turns.
    pause = CLIENTS / per_second
    first = began + number / per_second
    for turn, question in enumerate(islice(asked, round(seconds / pause))):
        yield first + turn * pause, question
