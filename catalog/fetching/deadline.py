"""How long one fetch may take in all, even if the server draws it out.

Each read and write gets the time that is left, never a new timeout: otherwise a fetch would wait without end
for a server that sends one byte a second. The time in which a fetch waits for its turn is counted separately.
Made by `fetcher`; `connecting` limits each operation of the network by it, `turns` each wait.
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
        """The seconds that are left to wait for turns."""
        return self._to_wait

    def waited(self, seconds: float) -> None:
        """Count seconds as spent on a turn."""
        self._to_wait -= seconds
        self._ends_at += seconds
