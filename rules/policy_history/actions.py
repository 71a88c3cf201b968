"""The action that keeps the history of policies: what each release changed, computed once from the ledger.

Comparing two releases takes some 20 ms of computing and two documents of a megabyte. Readers of the history
must not wait for that, and a ledger of thousands of releases cannot be compared during a request. So a job
does it, once per release and in the order of the ledger. Each release is one transaction: killing it at any
instant, running it twice or in parallel loses and repeats nothing.

Called by the task after each publishing.
"""

import datetime
import logging

import msgspec
from django.db import connection, transaction
from django.db.models import Max

from rules.engine.document import Content, UnreadableDocument
from rules.policy_history.comparison import PolicyNews, policy_news
from rules.policy_history.models import PolicyEntry, PolicyHistory
from rules.releases import signing
from rules.releases.ledger import digest
from rules.releases.models import Release
from rules.selectors.evidence import citation

logger = logging.getLogger(__name__)

_LOCK = 5_704_213
"""The advisory lock that lets only one process compare releases: any number that nothing else uses."""

MOST_RELEASES = 200
"""How many releases one job compares, so that a long ledger does not delay other jobs."""


def keep_policy_history(*, now: datetime.datetime, most: int = MOST_RELEASES) -> list[str]:
    """Compute what releases changed, the oldest first, for those without a history; return their versions.

    A release that this program cannot read gets an empty history; the one after it is compared with the one
    before it.
    """
    kept: list[str] = []
    last: tuple[Release, Content] | None = None
    for _ in range(most):
        done = _keep_next(last, now)
        if done is None:
            break
        release, last = done
        kept.append(release.ruleset_version)
    return kept


@transaction.atomic
def _keep_next(
    last: tuple[Release, Content] | None, now: datetime.datetime
) -> tuple[Release, tuple[Release, Content] | None] | None:
    """Store what the oldest release without a history changed; return it, and the newest one that was read.

    `last` is the newest release that was read, if it is in memory.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    newest = PolicyHistory.objects.aggregate(newest=Max("sequence"))["newest"] or 0
    release = Release.objects.filter(sequence__gt=newest).order_by("sequence").first()
    if release is None:
        return None
    before = _before(release, last)
    content = _read(release)
    history = PolicyHistory.objects.create(
        release=release,
        sequence=release.sequence,
        compared_with=None if content is None or before is None else before[0],
        back_to=_same_as(release),
        is_readable=content is not None,
        worked_out=now,
    )
    if content is None:
        return release, before
    if before is not None:
        date = release.published_at.astimezone(datetime.UTC).date()
        news = enumerate(policy_news(before[1], content))
        PolicyEntry.objects.bulk_create(
            (_entry(history, position, date, one) for position, one in news), batch_size=1_000
        )
    return release, (release, content)


def _before(release: Release, last: tuple[Release, Content] | None) -> tuple[Release, Content] | None:
    """Return the newest readable release before another one, and its content."""
    known = PolicyHistory.objects.filter(is_readable=True, sequence__lt=release.sequence)
    newest = known.values_list("release_id", flat=True).first()
    if newest is None:
        return None
    if last is not None and last[0].pk == newest:
        return last
    found = Release.objects.get(pk=newest)
    content = _read(found)
    return None if content is None else (found, content)


def _read(release: Release) -> Content | None:
    """Return the content of a release; None if it was altered or this program cannot read it."""
    if digest(release.document) != release.sha256:
        logger.error("Release %s has no history: its document was altered.", release.ruleset_version)
        return None
    if found := signing.problems(signing.row_of(release), signing.signatures_of(release)):
        logger.error("Release %s has no history: %s.", release.ruleset_version, "; ".join(found))
        return None
    try:
        return release.read().content
    except UnreadableDocument as error:
        logger.error("Release %s has no history: it cannot be read: %s", release.ruleset_version, error)
        return None


def _same_as(release: Release) -> Release | None:
    """Return the earliest release with the same content; None if there is no other."""
    earlier = Release.objects.filter(
        content_sha256=release.content_sha256, sequence__lt=release.sequence
    ).without_document()
    return earlier.order_by("sequence").first()


def _entry(history: PolicyHistory, position: int, date: datetime.date, one: PolicyNews) -> PolicyEntry:
    return PolicyEntry(
        history=history,
        sequence=history.sequence,
        position=position,
        date=date,
        subject=one.subject,
        change=one.change,
        record_id=one.record_id,
        airline=one.airline or "",
        jurisdiction=one.jurisdiction,
        starts=one.starts,
        fields=[list(field) for field in one.fields],
        before=one.before,
        after=one.after,
        citations=[msgspec.to_builtins(citation(source)) for source in one.sources],
    )
