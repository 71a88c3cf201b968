"""What is known, when a flight is asked about, of the days after it: for all units on it.

Called by `rules.engine.evaluate`.
"""

import msgspec

from rules.engine.corpus import InPlay
from rules.engine.matching import Entry
from rules.engine.outcomes import UPCOMING_DAYS


class Upcoming(msgspec.Struct, frozen=True):
    """A day soon after the travel date on which a rule in play starts.

    `differing` are the rules that are in force on one of the two days alone. `covered` says whether the
    airline has rules then, `same_origin` whether the departure country has rules on both days or on neither.
    """

    day: int
    differing: list[Entry]
    covered: bool
    same_origin: bool


class Outlook(msgspec.Struct, frozen=True):
    """The changes of the rules in play. `next_change` is the first day after today with one, if any."""

    next_change: int | None
    upcoming: list[Upcoming]


def outlook(in_play: InPlay, travel_day: int, today: int) -> Outlook:
    """Look ahead from the travel date, and from the day of asking."""
    return Outlook(
        in_play.next_change(today),
        [
            Upcoming(
                day,
                in_play.differing(travel_day, day),
                covered=bool(in_play.own.on(day)),
                same_origin=in_play.origin_has_rules(day) == in_play.origin_has_rules(travel_day),
            )
            for day in in_play.starts_between(travel_day, travel_day + UPCOMING_DAYS)
        ],
    )
