"""Chunks of work: handed out, taken by any free worker, collected in order.

A worker does a chunk in one transaction that locks its row. If it dies in the middle, even by `kill -9`,
nothing is done, and the next worker takes the chunk. No chunk is done twice. Messages only wake workers: an
extra message finds nothing to do, and the waiting caller sends a lost one again.

Called by the jobs and actions whose work is large: bulk verification and the recomputation of pages.
"""

import datetime
import logging
import os
import platform
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from django.db import DatabaseError, transaction

from catalog.chunks.models import Chunk, ChunkedWork

logger = logging.getLogger(__name__)

SENT_AGAIN_AFTER = datetime.timedelta(seconds=20)

Do = Callable[[Mapping[str, Any], bytes], bytes]
"""Works on a task with the input that all tasks share, and returns the result."""


class ChunkFailed(Exception):
    """Some work cannot be done. The message gives the reason in one sentence."""


class Result(NamedTuple):
    """The result of a chunk, and who worked on it."""

    content: bytes
    worker: str


def begin(kind: str, key: str, given: Mapping[str, Any], *, now: datetime.datetime) -> ChunkedWork:
    """Return the work of a key. A caller that asks for the same key again continues the same work."""
    work, _ = ChunkedWork.objects.get_or_create(
        kind=kind, key=key, defaults={"given": given, "asked": now, "sent": now}
    )
    return work


@transaction.atomic
def begin_whole(
    kind: str, key: str, given: Mapping[str, Any], tasks: Iterable[bytes], *, now: datetime.datetime
) -> ChunkedWork:
    """Begin work whose chunks are all known, or return the work of that key that was begun before."""
    work, is_new = ChunkedWork.objects.get_or_create(
        kind=kind, key=key, defaults={"given": given, "asked": now, "sent": now}
    )
    if is_new:
        # Other work of this kind is outdated, and no one needs it any more.
        ChunkedWork.objects.filter(kind=kind).exclude(pk=work.pk).delete()
        hand_out(work, 0, *tasks)
    return work


def hand_out(work: ChunkedWork, first: int, *tasks: bytes) -> None:
    """Hand out chunks, numbered from `first`. Those that were handed out before do not change."""
    rows = [Chunk(work=work, number=number, task=task) for number, task in enumerate(tasks, start=first)]
    Chunk.objects.bulk_create(rows, ignore_conflicts=True)


def do_one(work_id: int, do: Do) -> bool:
    """Work on one chunk that is not done and that no other worker has. Return whether there was one."""
    work = ChunkedWork.objects.filter(pk=work_id, failure="").first()
    if work is None:
        return False
    try:
        with transaction.atomic():
            free = work.pieces.select_for_update(skip_locked=True).filter(result__isnull=True)
            chunk = free.order_by("number").first()
            if chunk is None:
                return False
            chunk.result, chunk.worker = do(work.given, bytes(chunk.task or b"")), worker_name()
            chunk.save(update_fields=["result", "worker"])
    except DatabaseError:
        raise
    except Exception as error:
        # It would fail for every worker. Without the exception's message: it could quote a question.
        logger.exception("%s cannot be done.", work)
        failure = f"{type(error).__name__} in a chunk; see the log of {worker_name()}"
        ChunkedWork.objects.filter(pk=work.pk).update(failure=failure)
        return False
    return True


def result_of(work: ChunkedWork, number: int) -> Result | None:
    """Return the result of a chunk; none if it is not done. Raises `ChunkFailed`."""
    found = Chunk.objects.filter(work=work, number=number)
    for content, worker, failure in found.values_list("result", "worker", "work__failure"):
        if failure:
            raise ChunkFailed(failure)
        return None if content is None else Result(bytes(content), worker)
    raise ChunkFailed("its chunks were removed")


def collect(work: ChunkedWork) -> list[Result] | None:
    """Return the results of all chunks, in order; none if one of them is not done."""
    rows = list(work.pieces.order_by("number").values_list("result", "worker"))
    done = [Result(bytes(content), worker) for content, worker in rows if content is not None]
    return done if len(done) == len(rows) else None


def drop(work: ChunkedWork, *, below: int) -> None:
    """Remove the chunks before a number: their results are stored elsewhere."""
    work.pieces.filter(number__lt=below).delete()


def is_due(work: ChunkedWork, *, now: datetime.datetime) -> bool:
    """Return whether to call workers again, and note that this was done."""
    late = ChunkedWork.objects.filter(pk=work.pk, sent__lte=now - SENT_AGAIN_AFTER)
    return bool(late.update(sent=now))


def end(kind: str, *, key: str) -> None:
    """Remove some work with its chunks, if there is any."""
    ChunkedWork.objects.filter(kind=kind, key=key).delete()


def forget_before(instant: datetime.datetime) -> int:
    """Remove old work that was never collected, and return how much there was."""
    _, deleted = ChunkedWork.objects.filter(asked__lt=instant).delete()
    return deleted.get(ChunkedWork._meta.label, 0)


def worker_name() -> str:
    """Return a name that is unique to this process on all machines."""
    return f"{platform.node()[:100]}:{os.getpid()}"
