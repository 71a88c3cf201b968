"""Celery workers answer rows, on this machine or others, and the answers come back in order.

A row leaves this process only if it certainly has no serial: it must match the contract's form of a request,
without anything that could be a serial. All other rows, also broken ones, are answered here. A caller's own
columns stay here as well. So no serial and no booking data is ever in the queue or its tables.

The number of chunks that are out is limited, so a large file takes no more memory and no more tables than a
small one. If no worker takes a chunk, because none runs or the queue is not reachable, this process answers
it itself.
"""

import datetime
import logging
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from celery.exceptions import OperationalError as QueueAway
from msgspec import UNSET

from catalog.chunks import actions
from catalog.models import ChunkedWork
from compliance.api.verdicts.bounds import LANGUAGES
from compliance.api.verdicts.requests import VerifyRequest
from compliance.channels.batch.answering import Answerer
from compliance.channels.batch.rows import Row
from compliance.channels.batch.tasks import verify_chunk
from compliance.channels.batch.worker import KIND, Task, do_one, pack, unpack
from rules.corpus import Published

logger = logging.getLogger(__name__)

ROWS = 1000
"""The rows of a chunk: a tenth of a second of work."""

WINDOW = 32
"""How many chunks are with workers at a time."""

PATIENCE = 20.0
"""After so many seconds without a result this process works on chunks too."""

_SHORTEST_WAIT, _LONGEST_WAIT = 0.005, 0.1

_read = msgspec.json.Decoder(VerifyRequest).decode


class _HandedOut(NamedTuple):
    """A chunk that is not collected yet: its number, and the answers of its rows that are known so far."""

    number: int
    answers: list[bytes | None]


class Shared:
    """The rows of one run, answered by workers. `shares` counts which worker did how many chunks."""

    def __init__(self, answerer: Answerer, run_id: str, given: Mapping[str, Any]) -> None:
        self.shares: Counter[str] = Counter()
        self._answerer = answerer
        self._is_alone = False
        now = datetime.datetime.now(datetime.UTC)
        self._work = actions.begin(KIND, run_id, given, now=now)

    def answers(self, parts: Iterable[tuple[int, Sequence[Row]]]) -> Iterator[list[bytes]]:
        """Yield the answers of each part of `ROWS` rows in order; the rows come with their numbers."""
        waiting: deque[_HandedOut] = deque()
        for number, rows in parts:
            waiting.append(self._hand_out(number, rows))
            if len(waiting) == WINDOW:
                yield from self._collected(waiting.popleft())
        while waiting:
            yield from self._collected(waiting.popleft())

    def _hand_out(self, number: int, rows: Sequence[Row]) -> _HandedOut:
        first = number * ROWS + 1
        task = Task([], [])
        answers: list[bytes | None] = []
        for at, row in enumerate(rows, start=first):
            if may_leave(row, self._answerer.release):
                task.numbers.append(at)
                task.bodies.append(msgspec.Raw(row.body))
                answers.append(None)
            else:
                answers.append(self._answerer.answer(row, at))
        if task.numbers:
            actions.hand_out(self._work, number, pack(msgspec.json.encode(task)))
            _send(self._work)
        return _HandedOut(number, answers)

    def _collected(self, handed_out: _HandedOut) -> Iterator[list[bytes]]:
        number, answers = handed_out
        if None in answers:
            came = iter(msgspec.json.decode(self._wait_for(number), type=list[msgspec.Raw]))
            yield [bytes(next(came)) if answer is None else answer for answer in answers]
        else:
            yield [answer for answer in answers if answer is not None]
        # A caller that asks for the next part has written this one.
        actions.drop(self._work, below=number + 1)

    def _wait_for(self, number: int) -> bytes:
        """Return the result of a chunk. Raises `ChunkFailed`."""
        pause, until = _SHORTEST_WAIT, time.monotonic() + PATIENCE
        while (result := actions.result_of(self._work, number)) is None:
            if not self._is_alone and time.monotonic() > until:
                logger.warning(
                    "No worker has answered for %.0f seconds; this process now answers rows, too.", PATIENCE
                )
                self._is_alone = True
                # The message may have been lost with a worker that died.
                _send(self._work)
            if not self._is_alone or not do_one(self._work.pk):
                time.sleep(pause)
                pause = min(pause * 1.5, _LONGEST_WAIT)
        # After a worker has answered, this is no longer needed.
        self._is_alone = self._is_alone and result.worker == actions.worker_name()
        self.shares[result.worker] += 1
        return unpack(result.content)


def may_leave(row: Row, release: Published) -> bool:
    """Say whether a row is a question that certainly has no serial."""
    if row.refusal is not None:
        return False
    try:
        asked = _read(row.body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    language = UNSET if asked.options is UNSET else asked.options.language
    # The contract does not restrict these two texts, so their values are checked here.
    return (
        asked.serial is UNSET
        and asked.serial_hash is UNSET
        and (language is UNSET or language in LANGUAGES)
        and asked.ruleset_version in {UNSET, release.ruleset_version}
    )


def _send(work: ChunkedWork) -> None:
    try:
        verify_chunk.delay(work.pk)
    except QueueAway as error:
        logger.warning("The queue is not reachable, so workers get no chunks: %s", type(error).__name__)
