"""The actions of answers that are given once: give one, delete the old ones.

What a request creates and the record of its answer are one transaction: a killed process leaves neither.
"""

import datetime
from collections.abc import Callable, Collection
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction

from catalog.errors import Refused
from compliance.records.idempotency.models import KeptAnswer
from compliance.records.idempotency.sealing import Seal, digest_of

KEPT = datetime.timedelta(hours=24)
"""How long an answer is kept."""


class Made(NamedTuple):
    """The id of what was created, and the answer that says so."""

    about: str
    answer: bytes


class InProgress(Refused):
    """Another request with the same key is being answered."""

    def __init__(self) -> None:
        super().__init__("request", "another request with this key is being answered")


class KeyReused(Refused):
    """The key was used with another request."""

    def __init__(self) -> None:
        super().__init__("request", "the key was used with another request")


@transaction.atomic
def answer_once(
    *, caller: str, key: str, request: bytes, now: datetime.datetime, act: Callable[[], Made]
) -> bytes:
    """Act and return the answer, or return the one that this caller got before for this key.

    `request` is what must be the same: the operation and its body. What `act` raises is not kept, and nothing
    that it wrote stays. Raises `InProgress` or `KeyReused`.
    """
    seal = Seal(service_key=settings.VERDICT_KEY, caller=caller, key=key)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [seal.lock])
        if not cursor.fetchone()[0]:
            raise InProgress
    kept = KeptAnswer.objects.filter(digest=seal.digest).first()
    if kept is not None and kept.made > now - KEPT:
        if kept.request_digest != seal.of_request(request):
            raise KeyReused
        return seal.open(bytes(kept.sealed))
    about, answer = act()
    KeptAnswer.objects.update_or_create(
        digest=seal.digest,
        defaults={
            "request_digest": seal.of_request(request),
            "sealed": seal.close(answer),
            "about": digest_of(settings.VERDICT_KEY, about),
            "made": now,
        },
    )
    return answer


def forget_answers_about(ids: Collection[str]) -> None:
    """Delete the answers about what was created and is gone."""
    KeptAnswer.objects.filter(about__in=[digest_of(settings.VERDICT_KEY, one) for one in ids]).delete()


def forget_answers(*, now: datetime.datetime) -> int:
    """Delete the answers that are no longer kept, and return how many."""
    deleted, _ = KeptAnswer.objects.filter(made__lte=now - KEPT).delete()
    return deleted
