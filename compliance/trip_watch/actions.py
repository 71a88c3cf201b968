"""The actions of watched trips: make, end, judge again, delete.

Watches are judged again after each release and when a day (UTC) begins, in chunks that any worker takes
(`catalog.chunks.actions`). A chunk reads and writes in one transaction, so a killed worker has changed
nothing. A watch that is judged twice by one release has the same result.
"""

import datetime
import logging
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from catalog.chunks import actions
from catalog.errors import Refused
from catalog.models import ChunkedWork
from compliance.partners.models import Partner
from compliance.partners.webhooks.actions import notify_partner
from compliance.partners.webhooks.bodies import WatchChanged
from compliance.records.idempotency.actions import forget_answers_about
from compliance.trip_watch import questions
from compliance.trip_watch.evaluation import Judged, failed, judge
from compliance.trip_watch.models import TripWatch, TripWatchState
from compliance.trip_watch.questions import Watched
from compliance.trip_watch.secret import digest, make_secret
from rules import corpus
from rules.corpus import Published
from rules.engine.vocabulary import Verdict

logger = logging.getLogger(__name__)

MOST_WATCHES = 200_000
"""The limit of watches, against flooding of the table.

Judging so many again takes one worker two minutes.
"""

MOST_STATES = 20
"""How many states of a watch are kept; the oldest are deleted first."""

_KIND = "judge-trip-watches"

_AT_ONCE = 200
"""The number of watches in a chunk."""

_Range = tuple[int, int]
"""The first and the last number of the watches of a chunk."""


class MadeWatch(NamedTuple):
    """A new watch: its row and the secret, which cannot be read again later."""

    row: TripWatch
    secret: str


class Shared(NamedTuple):
    """Watches that are being judged: the id of the work, and whether to start workers."""

    work_id: int
    wants_workers: bool


class TooManyWatches(Refused):
    """The maximum number of watches is reached."""

    def __init__(self) -> None:
        super().__init__("watch", f"there are {MOST_WATCHES:,} already; try again another day")


class QuotaReached(Refused):
    """A partner has as many watches as it may have."""

    def __init__(self, partner: str) -> None:
        super().__init__(partner, f"has {settings.PARTNER_WATCHES:,} watches; end some of them first")


@transaction.atomic
def make_watch(
    *,
    release: Published,
    question: Watched,
    language: str,
    now: datetime.datetime,
    partner: str | None = None,
) -> MadeWatch:
    """Watch a trip or an itinerary from now on, until the end of the day (UTC) after its last flight.

    The serial of a question is not stored and has no effect. `partner` is the slug of the partner whose key
    asks. Raises `TooManyWatches` or, for a partner, `QuotaReached`.
    """
    if partner is not None:
        _check_quota(partner)
    if TripWatch.objects.count() >= MOST_WATCHES:
        raise TooManyWatches
    content = questions.stored(question)
    # The question as it is read again later, so that a serial changes no state.
    judged = judge(release, questions.asked(content), now=now, language=language)
    secret = make_secret()
    watch = TripWatch.objects.create(
        digest=digest(secret),
        question=content,
        language=language,
        partner_id=partner,
        made=now,
        ends=end_of(question),
        release_sha256=release.sha256,
        judged_on=now.astimezone(datetime.UTC).date(),
    )
    _state(watch, 0, judged, release, now).save(force_insert=True)
    return MadeWatch(watch, secret)


def end_of(question: Watched) -> datetime.datetime:
    """Return when a watch ends: at the end of the day after the last flight, in UTC."""
    midnight = datetime.datetime.combine(questions.days(question)[-1], datetime.time(), datetime.UTC)
    return midnight + datetime.timedelta(days=2)


@transaction.atomic
def end_watch(secret: str) -> bool:
    """Delete the watch of a secret with all its data. Return whether there was one."""
    return bool(_delete(TripWatch.objects.filter(digest=digest(secret))))


@transaction.atomic
def end_watch_of(partner: str, watch_id: str) -> bool:
    """Delete a watch of a partner with all its data. Return whether there was one."""
    return bool(_delete(TripWatch.objects.filter(partner=partner, watch_id=watch_id)))


@transaction.atomic
def forget_watches(*, now: datetime.datetime) -> int:
    """Delete the watches that are over, and return how many."""
    return _delete(TripWatch.objects.filter(ends__lte=now))


def share_watches(*, release: Published, now: datetime.datetime) -> Shared | None:
    """Start judging watches that a release and a day have not judged yet; return none if nothing is due."""
    key = _key(release, now)
    work = ChunkedWork.objects.filter(kind=_KIND, key=key).first()
    if work is not None:
        return Shared(work.pk, actions.is_due(work, now=now))
    numbers = list(due(release.sha256, _day(now), now).order_by("pk").values_list("pk", flat=True))
    if not numbers:
        return None
    given = {"release_sha256": release.sha256, "now": now.isoformat()}
    tasks = [msgspec.json.encode(part) for part in _ranges(numbers)]
    return Shared(actions.begin_whole(_KIND, key, given, tasks, now=now).pk, wants_workers=True)


def judge_watches(work_id: int, *, seconds: float) -> int | None:
    """Judge chunks of watches until no free chunk is left, or until so many seconds are over.

    After the last chunk of the work, return how many watches have a new state; otherwise none. The next
    `share_watches` begins failed work again.
    """
    until = monotonic() + seconds
    while monotonic() < until and actions.do_one(work_id, _judge_chunk):
        pass
    with transaction.atomic():
        work = ChunkedWork.objects.select_for_update().filter(pk=work_id).first()
        results = None if work is None else actions.collect(work)
        if work is None or (results is None and not work.failure):
            return None
        actions.end(_KIND, key=work.key)
    return sum(int(result.content) for result in results or ())


def due(release_sha256: str, day: datetime.date, now: datetime.datetime) -> QuerySet[TripWatch]:
    """Return the active watches that a release has not judged on a day."""
    return TripWatch.objects.filter(Q(ends__gt=now), ~Q(release_sha256=release_sha256) | ~Q(judged_on=day))


def _judge_chunk(given: Mapping[str, Any], task: bytes) -> bytes:
    """Judge the watches of a range, and return how many have a new state."""
    first, last = msgspec.json.decode(task, type=_Range)
    release = corpus.by_digest(given["release_sha256"])
    now = datetime.datetime.fromisoformat(given["now"])
    newest = TripWatchState.objects.filter(watch=OuterRef("pk")).order_by("-number")
    # A person who ends a watch meanwhile waits, and then ends it (`_delete`).
    waiting = due(release.sha256, _day(now), now).filter(pk__range=(first, last)).order_by("pk")
    locked = waiting.select_for_update(of=("self",)).annotate(
        number=Subquery(newest.values("number")[:1]),
        verdict=Subquery(newest.values("verdict")[:1]),
        fingerprint=Subquery(newest.values("fingerprint")[:1]),
    )
    states, numbers = [], []
    for watch in locked:
        numbers.append(watch.pk)
        judged = _judged(release, watch, now)
        if judged.fingerprint != watch.fingerprint:
            state = _state(watch, watch.number + 1, judged, release, now)
            states.append(state)
            if watch.partner_id is not None:
                notify_partner(watch.partner_id, watch.pk, _changed(watch, state, watch.verdict), now=now)
    TripWatchState.objects.bulk_create(states)
    for state in states:
        TripWatchState.objects.filter(watch=state.watch_id, number__lte=state.number - MOST_STATES).delete()
    judged_now = TripWatch.objects.filter(pk__in=numbers)
    judged_now.update(release_sha256=release.sha256, judged_on=_day(now))
    return str(len(states)).encode()


def _check_quota(slug: str) -> None:
    """Refuse a watch beyond the quota of a partner. Its other new watches wait until this one is made."""
    partner = Partner.objects.select_for_update(no_key=True).get(pk=slug)
    if partner.trip_watches.count() >= settings.PARTNER_WATCHES:
        raise QuotaReached(slug)


def _delete(watches: QuerySet[TripWatch]) -> int:
    """Delete watches when no worker judges them any more, and return how many.

    With them go the kept answers, which have their secrets.
    """
    locked = dict(watches.order_by("pk").select_for_update().values_list("pk", "watch_id"))
    _, deleted = TripWatch.objects.filter(pk__in=locked.keys()).delete()
    forget_answers_about([str(watch_id) for watch_id in locked.values()])
    return deleted.get(TripWatch._meta.label, 0)


def _judged(release: Published, watch: TripWatch, now: datetime.datetime) -> Judged:
    """Judge a watch.

    A watch that cannot be judged gets a state that says so, and does not block the others.
    """
    try:
        return judge(release, questions.asked(watch.question), now=now, language=watch.language)
    except Exception:
        logger.exception("Watch %s cannot be judged.", watch)
        return failed(questions.model_ids(watch.question), language=watch.language)


def _state(
    watch: TripWatch, number: int, judged: Judged, release: Published, now: datetime.datetime
) -> TripWatchState:
    return TripWatchState(
        watch=watch,
        number=number,
        since=now.replace(microsecond=0),
        ruleset_version=release.ruleset_version,
        verdict=judged.verdict,
        fingerprint=judged.fingerprint,
        content=msgspec.to_builtins(judged.content),
    )


def _changed(watch: TripWatch, state: TripWatchState, before: Verdict) -> WatchChanged:
    return WatchChanged(
        watch_id=watch.watch_id,
        number=state.number,
        since=state.since,
        ruleset_version=state.ruleset_version,
        verdict=state.verdict,  # type: ignore[arg-type]
        verdict_before=before,
        travel_date=questions.first_day(watch.question),
        told=state.content,
    )


def _ranges(numbers: Sequence[int]) -> list[_Range]:
    parts = (numbers[at : at + _AT_ONCE] for at in range(0, len(numbers), _AT_ONCE))
    return [(part[0], part[-1]) for part in parts]


def _key(release: Published, now: datetime.datetime) -> str:
    return f"{release.sha256} {_day(now)}"


def _day(now: datetime.datetime) -> datetime.date:
    return now.astimezone(datetime.UTC).date()
