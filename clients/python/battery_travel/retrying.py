"""When to ask again, and when to give up. A pure function, so both clients wait alike.

A question changes nothing at the service, so asking twice is harmless. The service's own `Retry-After` is
never undercut: where it asks for more patience than there is, the failure is the answer.
"""

import datetime
from typing import Final, NamedTuple

from battery_travel.replies import Reply, http_date

WORTH_ANOTHER_TRY: Final = frozenset({429, 500, 502, 503, 504})
FIRST_PAUSE_SECONDS: Final = 0.5

NO_TIME_SECONDS: Final = 0.001
"""What is left where nothing is: a machine that slept in a pause has slept for longer than was meant."""


class Patience(NamedTuple):
    """How much is tried.

    Attributes:
        attempts: How often a question is asked at most.
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
    """Return the seconds to wait before asking again; none where this reply is the last.

    Args:
        reply: What came.
        attempt: How many attempts there were.
        spent: The seconds since the first began.
        patience: How much is tried.
        jitter: From 0 to 1, by chance: clients that failed together shall not come back together.

    """
    if attempt >= patience.attempts or not (reply.failure or reply.status in WORTH_ANOTHER_TRY):
        return None
    asked_for = retry_after_seconds(reply)
    own = FIRST_PAUSE_SECONDS * 2 ** (attempt - 1)
    pause = (own if asked_for is None else asked_for) + own * jitter
    return pause if spent + pause < patience.seconds else None


def retry_after_seconds(reply: Reply) -> float | None:
    """Return for how long the service asks to wait; none where it does not say so."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    then = http_date(text)
    if then is None:
        return None
    now = reply.date() or reply.received.wall
    return max(0.0, (then - now) / datetime.timedelta(seconds=1))
