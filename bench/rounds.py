"""Measures in rounds: each side of a comparison has a turn in every round, in a rotating order.

A shared machine changes its speed for seconds at a time. If two sides are measured one after the other, the
difference comes from the machine. If they are measured within a few milliseconds, it comes from the sides.
"""

import math
import time
from collections.abc import Callable, Mapping

Work = Callable[[], Callable[[], object]]
"""Prepares one turn, untimed (draws its questions, say), and returns the timed part."""

Seconds = dict[str, list[float]]
"""How long each turn took, by name, in the order of the rounds."""


FEWEST = 10
"""Rounds: with fewer, the best turn may still be one that other programs slowed down."""


def in_turns(works: Mapping[str, Work], rounds: int, enough_seconds: float = math.inf) -> Seconds:
    """Time every work once in each round, after one round that does not count.

    After `enough_seconds` no round begins, if there were `FEWEST`: what takes long needs no short turns.
    """
    names = list(works)
    seconds: Seconds = {name: [] for name in names}
    began = time.perf_counter()
    for turn in range(rounds + 1):
        if turn > FEWEST and time.perf_counter() - began > enough_seconds:
            break
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            timed = works[name]()
            started = time.perf_counter()
            timed()
            seconds[name].append(time.perf_counter() - started)
    return {name: turns[1:] for name, turns in seconds.items()}
