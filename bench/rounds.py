"""Measuring in rounds: all that is compared has its turn in every round, and the order rotates.

A shared machine is now fast, now slow, for seconds at a time. Two sides that are measured one after the
other differ by the machine; two sides that are measured within the same few milliseconds differ by
themselves.
"""

import time
from collections.abc import Callable, Mapping

Work = Callable[[], Callable[[], object]]
"""Prepares one turn, untimed (draws its questions, say), and returns what is then timed."""

Seconds = dict[str, list[float]]
"""How long each turn took, by name, in the order of the rounds."""


def in_turns(works: Mapping[str, Work], rounds: int) -> Seconds:
    """Time every work once in each round, after one round that does not count."""
    names = list(works)
    seconds: Seconds = {name: [] for name in names}
    for turn in range(rounds + 1):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            timed = works[name]()
            started = time.perf_counter()
            timed()
            seconds[name].append(time.perf_counter() - started)
    return {name: turns[1:] for name, turns in seconds.items()}
