"""Where figures of watt-hours are drawn.

100 Wh and 160 Wh are at the same place in every picture. Around each figure that is a limit there is some
room, so that a unit at a limit and one just beyond it can be told apart.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from decimal import Decimal
from itertools import pairwise

SHARES = {Decimal(0): 0.0, Decimal(100): 0.5, Decimal(160): 0.8}
"""The places of the figures that are the same in all pictures, as shares of the scale."""

LOWEST_TOP, STEP = 200, 50
"""The scale ends at 200 Wh, or at the next multiple of 50 Wh above a higher figure."""


class Scale:
    """The places of figures: equal ones at the same place, higher ones further to the right.

    `left` and `right` are the ends of the scale. Between a limit and every other figure there is at least
    `room`, if there is space.
    """

    def __init__(
        self,
        limits: Collection[Decimal],
        figures: Collection[Decimal],
        *,
        left: float,
        right: float,
        room: float,
    ) -> None:
        self._left, self._right, self._most_room = left, right, room
        highest = max((*limits, *figures), default=Decimal(0))
        self.top = Decimal(max(LOWEST_TOP, int(highest // STEP + 1) * STEP))
        fixed = [*SHARES.items(), (self.top, 1.0)]
        self._figures = sorted({*SHARES, self.top, *limits})
        self._places = [left + (right - left) * _share(fixed, one) for one in self._figures]

    def place(self, figure: Decimal) -> float:
        """Return where a figure is drawn."""
        at = bisect_left(self._figures, figure)
        if self._figures[at] == figure:
            return self._places[at]
        low, high = self._figures[at - 1], self._figures[at]
        start, end = self._places[at - 1], self._places[at]
        room = self._room(start, end)
        return start + room + (end - start - 2 * room) * float((figure - low) / (high - low))

    def edge(self, limit: Decimal, *, inclusive: bool) -> float:
        """Return where the figures up to a limit end: just after the limit, or just before it."""
        at = bisect_left(self._figures, limit)
        here, near = self._places[at], self._places[at + 1 if inclusive else at - 1]
        room = self._room(here, near)
        return here + room / 2 if inclusive else here - room / 2

    def _room(self, one: float, other: float) -> float:
        return min(self._most_room, abs(other - one) / 3)


def _share(fixed: Sequence[tuple[Decimal, float]], figure: Decimal) -> float:
    """Return the place of a figure, in proportion between two fixed ones."""
    for (low, start), (high, end) in pairwise(fixed):
        if figure <= high:
            return start + (end - start) * float((figure - low) / (high - low))
    raise ValueError(f"{figure} is beyond the scale")
