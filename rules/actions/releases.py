"""The verb that publishes: approved rows become the next release of the ledger.

Called by `manage.py release publish` and by the editors' desk. Nobody else writes a release.
"""

import datetime
from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import connection, transaction

from rules.cases import Case, Failure, failures, load_cases
from rules.drafting import compile_content
from rules.engine.document import Content, Problem, ReleaseDocument, problems
from rules.ledger import canonical_text, digest
from rules.models import Release
from rules.signals import release_published


class ReleaseRefused(Exception):
    """A release that was not published; the message says why. Nothing has changed."""


class NoteMissing(ReleaseRefused):
    """A release without a note."""

    def __init__(self) -> None:
        super().__init__("a release needs a note that says what is new")


class NothingToPublish(ReleaseRefused):
    """The approved rows say exactly what the `current` release says."""

    def __init__(self, current: Release) -> None:
        super().__init__(f"nothing has changed since release {current.ruleset_version}")
        self.current = current


class NotPublishable(ReleaseRefused):
    """Rows that no release may hold, or verdict cases that would fail: all of them."""

    def __init__(self, found: Sequence[Problem | Failure]) -> None:
        reasons = [f"{one.where}: {one.reason}" if isinstance(one, Problem) else str(one) for one in found]
        super().__init__("\n  ".join(["these rows and cases stand against it:", *reasons]))
        self.reasons = tuple(reasons)


class ClockBehindLedger(ReleaseRefused):
    """The date is earlier than that of the current release, so the next version would stand before it."""

    def __init__(self, today: str, current: Release) -> None:
        super().__init__(f"the clock says {today}, which is before release {current.ruleset_version}")


def publish_release(
    *,
    by: User,
    note: str,
    now: datetime.datetime,
    cases: Iterable[Case] | None = None,
    only_first: bool = False,
) -> Release:
    """Publish the approved rows as the next release, which is current from then on.

    Args:
        by: Who publishes.
        note: What is new, in a sentence for readers of the ledger.
        now: The instant of publishing; its date in UTC makes the version.
        cases: The verdict cases that must pass; by default all of `rules/cases`.
        only_first: Return the current release, and publish nothing, where one is published already.

    Raises:
        ReleaseRefused: As `NoteMissing`, `NothingToPublish`, `NotPublishable` or `ClockBehindLedger`.
        rules.cases.CaseError: A case file cannot be read.

    """
    if not note.strip():
        raise NoteMissing
    nested = connection.in_atomic_block
    with transaction.atomic():
        _wait_for_the_ledger(one_snapshot=not nested)
        before = Release.objects.without_document().current()
        if before is not None and only_first:
            return before
        content = compile_content()
        content_sha256 = digest(canonical_text(content))
        if before is not None and before.content_sha256 == content_sha256:
            raise NothingToPublish(before)
        _check(content, load_cases() if cases is None else cases)
        document = ReleaseDocument(
            ruleset_version=_next_version(before, now),
            predecessor=None if before is None else before.sha256,
            content=content,
        )
        text = canonical_text(document)
        release = Release.objects.create(
            ruleset_version=document.ruleset_version,
            sequence=1 if before is None else before.sequence + 1,
            document=text,
            sha256=digest(text),
            content_sha256=content_sha256,
            predecessor=before,
            note=note.strip(),
            published_at=now,
            published_by=by,
        )
        # Robust: the release is out, whatever becomes of what others make of it.
        transaction.on_commit(lambda: release_published.send(sender=Release, release=release), robust=True)
        return release


def _wait_for_the_ledger(*, one_snapshot: bool) -> None:
    """Let publishers go one after the other: the next one sees what this one has published.

    With `one_snapshot` all rows are read as of one instant, so that a release cannot hold one half of what an
    editor saves meanwhile. Inside a caller's transaction that is no longer ours to say.
    """
    with connection.cursor() as cursor:
        if one_snapshot:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        # A lock on the table is taken before the snapshot. An advisory lock is taken by a query, so after it:
        # the one who waited would not see the release that it waited for.
        cursor.execute("LOCK TABLE rules_release IN EXCLUSIVE MODE")


def _check(content: Content, cases: Iterable[Case]) -> None:
    # Content with problems cannot be asked, so the cases come second.
    found: Sequence[Problem | Failure] = problems(content) or failures(content, cases)
    if found:
        raise NotPublishable(found)


def _next_version(before: Release | None, now: datetime.datetime) -> str:
    today = now.astimezone(datetime.UTC).date().isoformat()
    if before is None:
        return today
    day, _, number = before.ruleset_version.partition(".")
    if day > today:
        raise ClockBehindLedger(today, before)
    return today if day < today else f"{today}.{int(number or 1) + 1}"
