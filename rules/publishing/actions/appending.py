"""How releases are added to the ledger: one after the other, at the end of the chain.

Called by `releases` and `rolling_back`; nothing else writes a release.
"""

import datetime
from collections.abc import Collection, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction

from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from rules.proof.actions import proving
from rules.publishing.models import SoloRelease
from rules.publishing.refusals import ClockBehindLedger
from rules.publishing.trusting import trusted_statement
from rules.releases import head, log_pieces, signing
from rules.releases.actions import store
from rules.releases.head import Head
from rules.releases.ledger import digest
from rules.releases.models import Release
from rules.releases.signals import release_published


def wait_for_the_ledger(*, one_snapshot: bool) -> None:
    """Make publishers run one after the other: the next one sees what this one has published.

    With `one_snapshot` all rows are read at one instant, so that a release cannot contain one half of what an
    editor saves at the same time. Inside a caller's transaction this cannot be set any more.
    """
    with connection.cursor() as wrapper, connection.wrap_database_errors:
        # The driver's own cursor: if a request records history, Django's cursor would send a query before
        # ours.
        cursor = wrapper.cursor
        if one_snapshot:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        # Lock the table before the snapshot is taken. An advisory lock is taken by a query, so after the
        # snapshot: a process that waited would not see the release that it waited for. Actions wait too, so
        # that exactly the rows marked as published are published. Readers do not wait.
        cursor.execute(
            "LOCK TABLE rules_release, rules_rule, recalls_recall, rules_disagreement IN EXCLUSIVE MODE"
        )


def next_version(before: Release | None, now: datetime.datetime) -> str:
    """Return the version of a release published now. Raises `ClockBehindLedger`."""
    today = now.astimezone(datetime.UTC).date().isoformat()
    if before is None:
        return today
    day, _, number = before.ruleset_version.partition(".")
    if day > today:
        raise ClockBehindLedger(today, before)
    return today if day < today else f"{today}.{int(number or 1) + 1}"


def append(
    *,
    by: User,
    now: datetime.datetime,
    before: Release | None,
    version: str,
    text: str,
    content_sha256: str,
    note: str,
    action: EditorAction,
    reason: str,
    details: Mapping[str, Any],
) -> Release:
    """Write a release with the canonical text of its document, log and sign it. The commit makes it current.

    Raises `ReleaseRefused` if this process has no key, or `before` may not be believed.
    """
    stated = trusted_statement(before)
    release = Release.objects.create(
        ruleset_version=version,
        sequence=1 if before is None else before.sequence + 1,
        document=text,
        sha256=digest(text),
        content_sha256=content_sha256,
        predecessor=before,
        note=note,
        published_at=now,
        published_by=by,
    )
    log(
        by=by,
        at=now,
        action=action,
        kind="release",
        subjects=[(version, None)],
        reason=reason,
        details=details,
    )
    text = signing.statement(
        release,
        before=None if stated is None else stated.text,
        log=log_pieces.piece_after(None if stated is None else stated.fields["log"]),
        publisher=by.get_username(),
        cases_sha256=details.get("cases_sha256"),
    )
    store(release, signing.sign(text))
    last = Head(release.sequence, release.sha256)
    transaction.on_commit(lambda: head.note_published(last), robust=True)
    # Robust: the release is published, even if a receiver of the signal fails.
    transaction.on_commit(lambda: release_published.send(sender=Release, release=release), robust=True)
    transaction.on_commit(lambda: proving.begin(release, now=now), robust=True)
    return release


def open_approval(
    release: Release, *, by: User, now: datetime.datetime, reason: str, authors: Collection[int]
) -> None:
    """Note that one person published a release alone: another person has to approve it."""
    SoloRelease.objects.create(
        release=release,
        reason=reason.strip(),
        authors=sorted({*authors, by.pk}),
        created_at=now,
        created_by=by,
    )
