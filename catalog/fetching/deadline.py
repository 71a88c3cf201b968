"""How long one fetch may take in all, whatever the server does to draw it out.

Reads and writes get what is left, never a fresh patience of their own: a server that sends one byte a second
would otherwise be waited for without end. Time in which a fetch waits for its turn is counted apart. Made by
`fetcher`; `connecting` holds each operation of the network to it, `turns` each wait.
"""

import time

from catalog.fetching.answers import FetchFailed


class Deadline:
    """So many seconds from now on, and so many more to wait for turns."""

    def __init__(self, seconds: float, turn_seconds: float) -> None:
        self._seconds = seconds
        self._ends_at = time.monotonic() + seconds
        self._to_wait = turn_seconds

    def left(self) -> float:
        """Return the seconds that are left, more than 0. Raises `FetchFailed`, reason `timed_out`."""
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise self.missed()
        return left

    def missed(self) -> FetchFailed:
        """Return the failure of a fetch that took too long."""
        return FetchFailed(
            "timed_out", f"The server did not answer completely within {self._seconds:g} seconds."
        )

    @property
    def left_to_wait(self) -> float:
        """The seconds for which turns may still be waited for."""
        return self._to_wait

    def waited(self, seconds: float) -> None:
        """Count seconds as spent on a turn."""
        self._to_wait -= seconds
        self._ends_at += seconds
