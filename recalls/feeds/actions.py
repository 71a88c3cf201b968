"""The only code that writes what the feeds have said, and turns a notice into the draft of a recall.

A program takes notices in, one transaction for each, so it may be killed at any instant. It drafts recalls
for exact models. If a notice is corrected, it writes its own draft again, as long as no one else has changed
it. Everything else is left to editors: what they have written, submitted, approved or published stays, and a
correction opens one review. Nothing here approves or publishes. All actions raise the errors of
`catalog.errors`.
"""

import datetime
from collections.abc import Collection
from typing import Literal

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from msgspec.structs import replace

from catalog.editorial.audit.actions import log
from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.workflow import EditorAction, State
from catalog.errors import NotRecorded, ReasonMissing, WrongState
from catalog.models import Device, Source
from catalog.sources.actions import record_source
from catalog.tables.actions.accounts import program_account
from recalls.editing.actions import change_recall, draft_recall
from recalls.editing.models import Recall
from recalls.feeds.drafts import recall_of, source_of
from recalls.feeds.existing_recalls import Match, matches
from recalls.feeds.matching import Candidate, Catalog
from recalls.feeds.models import (
    LIVE,
    FeedNotice,
    FeedRecall,
    FeedReview,
    FeedState,
    FeedVersion,
    NoticeState,
    ReviewKind,
)
from recalls.feeds.notices import ANNOUNCED_TWICE, Feed, Notice, Reading

IMPORTER = "recall-feeds"
"""The account for the drafts of programs."""

Outcome = Literal["new", "unchanged", "corrected", "older"]


# --- What a program does ---


@transaction.atomic
def take_in(notice: Notice, *, catalog: Catalog, now: datetime.datetime) -> Outcome:
    """Store a notice of a feed, and do with it what a program may do; return what was new."""
    importer = program_account(IMPORTER)
    row = _row(notice.feed, notice.native_id)
    sha256 = notice.raw_sha256
    if row is None:
        row = FeedNotice(feed=notice.feed, native_id=notice.native_id, first_seen=now)
        _write(row, notice, sha256)
        _add_version(row, notice, sha256, now)
        _place(row, notice, by=importer, catalog=catalog, now=now)
        return "new"
    if row.missing_since is not None:
        row.missing_since = None
        row.save(update_fields=["missing_since"])
    if row.raw_sha256 == sha256:
        return "unchanged"
    if notice.feed in ANNOUNCED_TWICE and notice.updated_on < row.updated_on:
        return "older"
    before = row.versions.latest("number")
    if notice.announced_precision != "day":
        # Such a day is the earliest known one, and an update does not move it.
        notice = replace(notice, announced_on=min(notice.announced_on, row.announced_on))
    _write(row, notice, sha256)
    after = _add_version(row, notice, sha256, now)
    _correct(row, notice, before, after, by=importer, catalog=catalog, now=now)
    return "corrected"


@transaction.atomic
def match_again(notice_id: int, *, catalog: Catalog, now: datetime.datetime) -> None:
    """Compare a waiting notice with the current catalog, which may contain its model by now."""
    row = FeedNotice.objects.select_for_update().get(pk=notice_id)
    if row.state in LIVE:
        _place(row, row.to_notice(), by=program_account(IMPORTER), catalog=catalog, now=now)


@transaction.atomic
def mark_missing(feed: Feed, native_ids: Collection[str], *, now: datetime.datetime) -> int:
    """Record which notices did not come again, and return how many. This takes nothing back."""
    rows = FeedNotice.objects.select_for_update().filter(
        feed=feed, native_id__in=native_ids, missing_since__isnull=True
    )
    missing = list(rows.order_by("pk"))
    for row in missing:
        row.missing_since = now
        row.save(update_fields=["missing_since"])
        version = row.versions.latest("number")
        if recalls := _relied_on(row):
            _open_review(row, ReviewKind.GONE, version, version, recalls, now)
    return len(missing)


@transaction.atomic
def suspect(feed: Feed, suspicion: str, *, now: datetime.datetime) -> None:
    """Record why the answer of a feed is not trusted."""
    state = _state(feed)
    if not state.suspicion:
        state.suspected = now
    state.suspicion = suspicion
    state.save()


@transaction.atomic
def finish(feed: Feed, reading: Reading) -> None:
    """Record how far a feed has been read. An acceptance given in advance is used up."""
    state = _state(feed)
    state.marks = reading.marks
    if reading.rows is not None:
        state.rows = reading.rows
    state.suspicion, state.suspected, state.reason = "", None, ""
    state.accepted_at = state.accepted_by = None
    state.save()


# --- What editors do ---


@transaction.atomic
def draft_from_notice(*, by: User, notice_id: int, model_id: str, now: datetime.datetime) -> str:
    """Draft the recall of a model from a notice, and return its id. The user is its author."""
    row = _locked(notice_id)
    if row.state == NoticeState.IRRELEVANT:
        raise WrongState(str(row), "is set aside; put it back in the queue first")
    if not Device.objects.filter(pk=model_id).exists():
        raise NotRecorded(str(row), f"there is no model `{model_id}`")
    notice = row.to_notice()
    known_candidate = next((one for one in candidates_of(row) if one.model_id == model_id), None)
    reason = known_candidate or Candidate(model_id, exact=True, by="number", words="", where="")
    recall = recall_of(notice, reason, _source(notice, by, now))
    if known_candidate is None:
        why = f"{by.get_username()} decided that it is about this model."
        recall = replace(recall, notes=recall.notes.replace(reason.why, why))
    draft_recall(by=by, recall=recall)
    FeedRecall.objects.update_or_create(
        notice=row, recall_id=recall.recall_id, defaults={"model_id": model_id, "drafted": True}
    )
    _move(row, NoticeState.DRAFTED)
    return recall.recall_id


@transaction.atomic
def link_recall(*, by: User, notice_id: int, recall_id: str, now: datetime.datetime) -> None:
    """Say that a notice is about an already recorded recall. Its corrections then open reviews."""
    row = _locked(notice_id)
    if row.state == NoticeState.IRRELEVANT:
        raise WrongState(str(row), "is set aside; put it back in the queue first")
    recall = Recall.objects.identified([recall_id]).first()
    if recall is None:
        raise NotRecorded(str(row), f"there is no recall `{recall_id}`")
    if row.recalls.filter(recall_id=recall_id).exists():
        raise WrongState(str(row), f"is already linked to {recall_id}")
    FeedRecall.objects.create(notice=row, recall_id=recall_id, model_id=recall.device_id, drafted=False)
    if row.state in LIVE:
        drafted = row.recalls.filter(drafted=True).exists()
        _move(row, NoticeState.DRAFTED if drafted else NoticeState.RECORDED)
    _log(row, by=by, now=now, action=EditorAction.CONFIRM, reason=f"It is {recall_id}.")


@transaction.atomic
def dismiss_notice(*, by: User, notice_id: int, reason: str, now: datetime.datetime) -> None:
    """Set aside a notice from which nothing was drafted."""
    row = _locked(notice_id)
    if row.state not in LIVE:
        raise WrongState(str(row), f"is {NoticeState(row.state).label.lower()}, so it cannot be set aside")
    row.reason = _required(row, reason)
    row.state, row.dismissed_at, row.dismissed_by = NoticeState.IRRELEVANT, now, by
    row.save(update_fields=["state", "reason", "dismissed_at", "dismissed_by"])
    _log(row, by=by, now=now, action=EditorAction.DISMISS, reason=reason)


@transaction.atomic
def take_up_notice(*, by: User, notice_id: int, now: datetime.datetime) -> None:
    """Reopen a notice that was set aside."""
    row = _locked(notice_id)
    if row.state != NoticeState.IRRELEVANT:
        raise WrongState(str(row), "is not set aside")
    _move(row, NoticeState.NEEDS_REVIEW)
    _log(row, by=by, now=now, action=EditorAction.REOPEN)


@transaction.atomic
def close_review(*, by: User, notice_id: int, seen: int, remark: str, now: datetime.datetime) -> None:
    """Say that an editor has reviewed a correction or a missing notice, and done what was necessary.

    `seen` is the number of the version that they reviewed.
    """
    row = _locked(notice_id)
    review = row.reviews.filter(closed_at__isnull=True).first()
    if review is None:
        raise WrongState(str(row), "has no open review")
    if review.after.number != seen:
        raise WrongState(str(row), "was corrected again meanwhile; read its present text")
    review.remark = _required(row, remark)
    review.closed_at, review.closed_by = now, by
    review.save(update_fields=["closed_at", "closed_by", "remark"])
    _log(row, by=by, now=now, action=EditorAction.CONFIRM, reason=remark)


@transaction.atomic
def accept_suspicion(*, by: User, feed: str, reason: str, now: datetime.datetime) -> None:
    """Trust the next answer of a feed once, whatever it has lost or corrected."""
    state = FeedState.objects.select_for_update().filter(pk=feed).first()
    if state is None:
        raise NotRecorded(feed, "was never read")
    if not state.suspicion:
        raise WrongState(feed, "has no doubt that could be accepted")
    if not reason.strip():
        raise ReasonMissing(feed, "a reason is required")
    state.accepted_at, state.accepted_by, state.reason = now, by, reason.strip()
    state.save()
    log(
        by=by,
        at=now,
        action=EditorAction.ACCEPT,
        kind="feed",
        subjects=[(feed, None)],
        reason=reason,
        details={"suspicion": state.suspicion},
    )


# --- Reading what is stored ---


def candidates_of(row: FeedNotice) -> list[Candidate]:
    """Return the models that a stored notice may be about."""
    return msgspec.convert(row.candidates, list[Candidate])


# --- Within a transaction ---


def _row(feed: str, native_id: str) -> FeedNotice | None:
    return FeedNotice.objects.select_for_update().filter(feed=feed, native_id=native_id).first()


def _locked(notice_id: int) -> FeedNotice:
    row = FeedNotice.objects.select_for_update().filter(pk=notice_id).first()
    if row is None:
        raise NotRecorded(str(notice_id), "there is no such notice")
    return row


def _state(feed: Feed) -> FeedState:
    return FeedState.objects.select_for_update().filter(pk=feed).first() or FeedState(feed=feed)


def _write(row: FeedNotice, notice: Notice, sha256: str) -> None:
    row.number, row.title, row.url = notice.number[:200], notice.title, notice.url
    row.announced_on, row.updated_on = notice.announced_on, notice.updated_on
    row.told = msgspec.to_builtins(replace(notice, raw={}))
    row.raw_sha256 = sha256
    row.save()


def _add_version(row: FeedNotice, notice: Notice, sha256: str, now: datetime.datetime) -> FeedVersion:
    number = row.versions.count() + 1
    return FeedVersion.objects.create(notice=row, number=number, raw=notice.raw, raw_sha256=sha256, seen=now)


def _place(row: FeedNotice, notice: Notice, *, by: User, catalog: Catalog, now: datetime.datetime) -> None:
    """Link a notice to recorded recalls, draft missing ones, or leave it to editors."""
    candidates = catalog.candidates(notice)
    exact = {one.model_id for one in candidates if one.exact}
    found = matches(notice, exact)
    perhaps = {match.model_id: match for match in found if not match.sure}
    linked = {match.recall_id: match.model_id for match in found if match.sure}
    own = dict(row.recalls.values_list("recall_id", "model_id"))
    # A recall that an editor discarded as a draft is not drafted again.
    covered = {*linked.values(), *own.values()}
    FeedRecall.objects.bulk_create(
        FeedRecall(notice=row, recall_id=recall_id, model_id=model_id, drafted=False)
        for recall_id, model_id in sorted(linked.items())
        if recall_id not in own
    )
    placed = []
    for one in candidates:
        if one.exact and one.model_id in perhaps and one.model_id not in covered:
            one = _doubted(one, perhaps[one.model_id])
        elif one.exact and one.model_id not in covered:
            recall = recall_of(notice, one, _source(notice, by, now))
            draft_recall(by=by, recall=recall)
            FeedRecall.objects.create(
                notice=row, recall_id=recall.recall_id, model_id=one.model_id, drafted=True
            )
            covered.add(one.model_id)
        placed.append(one)
    row.candidates = msgspec.to_builtins(placed)
    row.state = _state_of(row, unclear=bool(perhaps.keys() - covered))
    row.save(update_fields=["candidates", "state"])


def _doubted(candidate: Candidate, match: Match) -> Candidate:
    doubt = f"{match.recall_id} is already recorded and may belong to the same announcement."
    return replace(candidate, exact=False, doubt=doubt)


def _state_of(row: FeedNotice, *, unclear: bool) -> NoticeState:
    if unclear:
        return NoticeState.NEEDS_REVIEW
    drafted = set(row.recalls.values_list("drafted", flat=True))
    if not drafted:
        return NoticeState.NEW
    return NoticeState.DRAFTED if True in drafted else NoticeState.RECORDED


def _correct(
    row: FeedNotice,
    notice: Notice,
    before: FeedVersion,
    after: FeedVersion,
    *,
    by: User,
    catalog: Catalog,
    now: datetime.datetime,
) -> None:
    """Do with a correction what a program may do, and ask editors about the rest."""
    named = {one.model_id: one for one in catalog.candidates(notice) if one.exact}
    to_review = []
    drafts = row.recalls.filter(drafted=True).values_list("recall_id", flat=True)
    newest = _newest(row)
    discarded = set(drafts) - {recall.recall_id for recall in newest}
    for recall in newest:
        candidate = named.get(recall.device_id)
        if candidate is not None and _is_untouched(recall, by):
            record = recall_of(notice, candidate, _source(notice, by, now))
            change_recall(by=by, recall=replace(record, recall_id=recall.recall_id))
        else:
            to_review.append(recall)
    if row.state == NoticeState.IRRELEVANT:
        _open_review(row, ReviewKind.CORRECTED, before, after, [], now)
        return
    _place(row, notice, by=by, catalog=catalog, now=now)
    if to_review or discarded:
        _open_review(row, ReviewKind.CORRECTED, before, after, to_review, now)


def _open_review(
    row: FeedNotice,
    kind: ReviewKind,
    before: FeedVersion,
    after: FeedVersion,
    recalls: Collection[Recall],
    now: datetime.datetime,
) -> None:
    review = row.reviews.select_for_update().filter(closed_at__isnull=True).first()
    if review is None:
        review = FeedReview(notice=row, before=before, opened=now)
    review.kind, review.after = kind, after
    review.recalls = [
        {"recall_id": recall.recall_id, "revision": recall.revision, "state": recall.state}
        for recall in recalls
    ]
    review.save()


def _newest(row: FeedNotice) -> list[Recall]:
    """Return the newest revision of each recall of a notice."""
    # Few, and known: in a subquery they would be looked up for each pair of revisions.
    ids = list(row.recalls.values_list("recall_id", flat=True))
    return list(Recall.objects.identified(ids).order_by("recall_id"))


def _relied_on(row: FeedNotice) -> list[Recall]:
    """Return those of them that people may rely on."""
    return [recall for recall in _newest(row) if recall.state != State.WITHDRAWN]


def _is_untouched(recall: Recall, importer: User) -> bool:
    """Return whether a recall is a draft that only the importer has ever changed."""
    if recall.state != State.DRAFT or recall.revision != 1 or recall.authors != [importer.pk]:
        return False
    entries = AuditEntry.objects.filter(kind="recall", subject=recall.recall_id)
    return not entries.exclude(done_by=importer).exists()


def _source(notice: Notice, by: User, now: datetime.datetime) -> str:
    """Return the id of the pointer to a notice. It is recorded if it is missing."""
    source = source_of(notice, now.date())
    if not Source.objects.filter(pk=source.id).exists():
        record_source(by=by, source=source)
    return source.id


def _move(row: FeedNotice, state: NoticeState) -> None:
    row.state, row.reason, row.dismissed_at, row.dismissed_by = state, "", None, None
    row.save(update_fields=["state", "reason", "dismissed_at", "dismissed_by"])


def _required(row: FeedNotice, reason: str) -> str:
    if not reason.strip():
        raise ReasonMissing(str(row), "a reason is required")
    return reason.strip()


def _log(
    row: FeedNotice, *, by: User, now: datetime.datetime, action: EditorAction, reason: str = ""
) -> None:
    subject = f"{row.feed} {row.native_id}"
    log(by=by, at=now, action=action, kind="notice", subjects=[(subject, None)], reason=reason)
