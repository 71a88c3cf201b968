"""What every result of a request has: how the service replied."""

from battery_travel.records import Problem
from battery_travel.replies import Reply
from battery_travel.retrying import retry_after_seconds


class Received:
    """The base of answers and look-ups. A subclass sets the reply, and the error in it if there is one."""

    __slots__ = ()

    _reply: Reply
    _problem: Problem | None

    @property
    def problem(self) -> Problem | None:
        """The error of the service, if it described one."""
        return self._problem

    @property
    def status(self) -> int:
        """The HTTP status; 0 if there is none."""
        return self._reply.status

    @property
    def retry_after_seconds(self) -> float | None:
        """How long the service asks the client to wait, if it does."""
        return retry_after_seconds(self._reply)
