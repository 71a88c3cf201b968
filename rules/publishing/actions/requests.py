"""Requests to publish: the desk writes them, and the publisher process carries them out.

A process that answers people has no key and adds no release. It writes down what a person was shown and
wants; a publisher checks everything again from the rows, signs and appends, or notes why not.
"""

import datetime
from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import connection, transaction

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.errors import Refused
from catalog.tables.actions.inserting import insert
from rules.cases import CaseError
from rules.publishing.actions.alone import publish_alone
from rules.publishing.actions.appending import wait_for_the_ledger
from rules.publishing.actions.failing import FAILURE, is_tried_again
from rules.publishing.actions.releases import Shown, publish_release
from rules.publishing.actions.rolling_back import roll_back_release
from rules.publishing.chosen import Chosen
from rules.publishing.models import PublishRequest, RequestKind, RequestState
from rules.publishing.refusals import NothingChosen, NotMeasured, ReleaseRefused
from rules.publishing.release_notes import typed_note
from rules.publishing.selection import Key
from rules.releases.models import Release

NEEDED = {
    RequestKind.PUBLISH: EditorAction.PUBLISH,
    RequestKind.ALONE: EditorAction.PUBLISH,
    RequestKind.ROLL_BACK: EditorAction.ROLL_BACK,
}
"""What the person must still be allowed to do when their request is carried out."""


def request_publishing(
    *, by: User, note: str, shown: Shown, now: datetime.datetime, only: Collection[Key] | None = None
) -> PublishRequest:
    """Ask the publisher to publish exactly what a person was shown: all, or the records `only`.

    Raises `NothingChosen`, `NoteMissing` or `NoteUnfit`.
    """
    if only is not None and not only:
        raise NothingChosen
    return _ask(
        PublishRequest(
            kind=RequestKind.PUBLISH,
            base=shown.base,
            content_sha256=shown.content_sha256,
            records=sorted(only or ()),
            note=note,
            created_at=now,
            created_by=by,
        )
    )


def request_publishing_alone(
    *,
    by: User,
    reason: str,
    shown: Shown,
    now: datetime.datetime,
    chosen: Chosen,
) -> PublishRequest:
    """Ask the publisher to publish the revisions that one person chose to publish alone, as they were shown.

    The digest in `shown` is that of `alone.digest_of_shown`. Raises `NoteMissing` or `NoteUnfit`, and
    `NotRecorded` or `WrongState` for an id whose newest revision is neither approved nor in review.
    """
    typed_note(reason, reason=True)
    chosen.require_choosable()
    return _ask(
        PublishRequest(
            kind=RequestKind.ALONE,
            base=shown.base,
            content_sha256=shown.content_sha256,
            note=reason,
            rule_ids=list(chosen.rule_ids),
            recall_ids=list(chosen.recall_ids),
            created_at=now,
            created_by=by,
        )
    )


def request_rolling_back(
    *, by: User, to: str, reason: str, shown: str, now: datetime.datetime
) -> PublishRequest:
    """Ask the publisher to roll back. Raises `NoteMissing` or `NoteUnfit`."""
    return _ask(
        PublishRequest(
            kind=RequestKind.ROLL_BACK,
            base=shown,
            back_to=to,
            note=reason,
            created_at=now,
            created_by=by,
        )
    )


def carry_out_request(*, now: datetime.datetime) -> PublishRequest | None:
    """Carry out the oldest request, and return it; None if none waits.

    Request and release are written in one transaction, after the ledger is locked, so two publishers never
    carry out the same one. If a publisher is killed, the next one finds the request unchanged. An error ends
    the request; raises it if the connection was lost, and the request waits then (`failing`).
    """
    oldest = PublishRequest.objects.filter(state=RequestState.WAITING).first()
    if oldest is None:
        return None
    try:
        return _carry_out(oldest, now)
    except Exception as error:
        if is_tried_again(oldest, error):
            raise
        return _end(oldest, RequestState.REFUSED, now, refusal=FAILURE)


def _carry_out(asked: PublishRequest, now: datetime.datetime) -> PublishRequest | None:
    """Carry out a request, or refuse it; None if another publisher was faster."""
    nested = connection.in_atomic_block
    with transaction.atomic():
        wait_for_the_ledger(one_snapshot=not nested)
        waiting = PublishRequest.objects.filter(pk=asked.pk, state=RequestState.WAITING)
        request = waiting.select_related("created_by").first()
        if request is None:
            return None
        try:
            with transaction.atomic():
                release = _publish(request, now)
        except (ReleaseRefused, Refused, CaseError) as refused:
            return _end(request, RequestState.REFUSED, now, refusal=str(refused))
        return _end(request, RequestState.DONE, now, release=release)


def _ask(request: PublishRequest) -> PublishRequest:
    request.note = typed_note(request.note, reason=request.kind != RequestKind.PUBLISH)
    insert([request])
    return request


def _publish(request: PublishRequest, now: datetime.datetime) -> Release:
    by = request.created_by
    if not may(by, NEEDED[RequestKind(request.kind)], Release):
        raise ReleaseRefused(f"{by.get_username()} may no longer publish")
    match request.kind:
        case RequestKind.PUBLISH:
            shown = Shown(request.base, request.content_sha256)
            only = [(kind, name) for kind, name in request.records] or None
            return publish_release(by=by, note=request.note, now=now, shown=shown, only=only)
        case RequestKind.ALONE:
            return _publish_alone(request, now)
    return roll_back_release(by=by, to=request.back_to, reason=request.note, now=now, shown=request.base)


def _publish_alone(request: PublishRequest, now: datetime.datetime) -> Release:
    try:
        return publish_alone(
            by=request.created_by,
            reason=request.note,
            now=now,
            shown=Shown(request.base, request.content_sha256),
            chosen=Chosen(request.rule_ids, request.recall_ids),
        )
    except NotMeasured as refused:
        raise ReleaseRefused(
            f"{refused}: press “Measure first” below, with the same revisions ticked"
        ) from refused


def _end(
    request: PublishRequest, state: RequestState, at: datetime.datetime, **marks: object
) -> PublishRequest:
    """End a request, unless it has ended meanwhile."""
    waiting = PublishRequest.objects.filter(pk=request.pk, state=RequestState.WAITING)
    waiting.update(state=state, finished=at, **marks)
    request.refresh_from_db()
    return request
