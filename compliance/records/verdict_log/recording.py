"""Writes a verdict down before it is given.

Called for every answer by `compliance.api.protocol.sending`, `compliance.channels.mcp` and
`compliance.middleware.pages`: about ten microseconds, no network, no waiting.
"""

import logging
import os
import threading
from time import monotonic

from django.conf import settings

from compliance.operations import metrics
from compliance.records.verdict_log import entries, shipping
from compliance.records.verdict_log.models import Channel
from compliance.records.verdict_log.spool import NotWritten, spool
from rules.verdicts import AnyAnswer

logger = logging.getLogger(__name__)

REMIND_SECONDS = 60
"""How often the log repeats that verdicts are given and not recorded."""

_lost = 0
_said = float("-inf")
_counting = threading.Lock()


class NotRecorded(Exception):
    """The verdict could not be recorded, and the setting says that it must not be given then."""


def record(answer: AnyAnswer, *, channel: Channel, language: str, partner: str = "") -> None:
    """Record a verdict.

    Args:
        answer: The verdict as it is given.
        channel: The channel: the API, a page of the checker, or a tool of an agent.
        language: The language of its text.
        partner: The public id of the key that was sent; empty for anonymous callers.

    Raises:
        NotRecorded: It could not be recorded, and `VERDICT_LOG_FULL` is `refuse`.

    """
    _write(entries.line(answer, channel, language, partner), 1)


class Together:
    """The records of verdicts that leave in one answer, written together."""

    def __init__(self, *, channel: Channel, partner: str = "") -> None:
        self._channel: Channel = channel
        self._partner = partner
        self._lines: list[bytes] = []

    def add(self, answer: AnyAnswer, language: str) -> None:
        """Prepare the record of a verdict."""
        self._lines.append(entries.line(answer, self._channel, language, self._partner))

    def write(self) -> None:
        """Write all of them. Raises the errors of `record`; some may be written then."""
        if self._lines:
            _write(b"".join(self._lines), len(self._lines))


def lost() -> int:
    """Return how many verdicts this process gave without a record."""
    return _lost


def _write(lines: bytes, verdicts: int) -> None:
    try:
        spool().append(lines)
    except NotWritten as error:
        refused = settings.VERDICT_LOG_FULL == "refuse"
        _note(error, verdicts, refused=refused)
        if refused:
            raise NotRecorded from error
    shipping.begin()


def _note(error: NotWritten, verdicts: int, *, refused: bool) -> None:
    global _lost, _said
    with _counting:
        _lost += 0 if refused else verdicts
        now = monotonic()
        remind = now - _said >= REMIND_SECONDS
        if remind:
            _said = now
    what = "refused" if refused else "given without a record"
    metrics.VERDICTS_NOT_RECORDED.labels(what).inc(verdicts)
    if remind:
        logger.critical("Verdicts cannot be recorded (%s) and are %s.", error, what)


def _reset_in_child() -> None:
    global _counting, _lost
    _counting, _lost = threading.Lock(), 0


os.register_at_fork(after_in_child=_reset_in_child)
