"""When to ask again, and when to give up. A pure function, so both clients wait in the same way.

A question changes nothing at the service, so asking twice is harmless. The client always respects the
service's own `Retry-After`. If that is longer than the patience, the failure is the answer.
"""

import datetime
from typing import Final, NamedTuple

from battery_travel.replies import Reply, http_date

WORTH_ANOTHER_TRY: Final = frozenset({429, 500, 502, 503, 504})
FIRST_PAUSE_SECONDS: Final = 0.5

NO_TIME_SECONDS: Final = 0.001
"""The time limit when no time is left: for example, the machine slept during a pause."""


class Patience(NamedTuple):
    """The limits of all attempts.

    Attributes:
        attempts: The maximum number of attempts.
        seconds: How long all attempts and pauses may take together.
        seconds_each: How long one attempt may take.

    """

    attempts: int = 3
    seconds: float = 30.0
    seconds_each: float = 10.0

    def next_attempt_seconds(self, spent: float) -> float:
        """Return how long the next attempt may take after so many seconds; it is more than zero."""
        return max(min(self.seconds_each, self.seconds - spent), NO_TIME_SECONDS)


def pause_after(
    reply: Reply, *, attempt: int, spent: float, patience: Patience, jitter: float
) -> float | None:
    """Return the seconds to wait before asking again; None if this reply is the last.

    Args:
        reply: The last reply.
        attempt: How many attempts there were.
        spent: The seconds since the first began.
        patience: The limits.
        jitter: A random number from 0 to 1, so that clients that failed together do not return together.

    """
    if attempt >= patience.attempts or not (reply.failure or reply.status in WORTH_ANOTHER_TRY):
        return None
    asked_for = retry_after_seconds(reply)
    own = FIRST_PAUSE_SECONDS * 2 ** (attempt - 1)
    pause = (own if asked_for is None else asked_for) + own * jitter
    return pause if spent + pause < patience.seconds else None


def retry_after_seconds(reply: Reply) -> float | None:
    """Return how long the service asks to wait; None if it does not say so."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    then = http_date(text)
    if then is None:
        return None
    now = reply.date() or reply.received.wall
    return max(0.0, (then - now) / datetime.timedelta(seconds=1))
