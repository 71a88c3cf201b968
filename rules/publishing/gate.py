"""The gate: what every release passes on its way out, whatever the way.

Publishing, a planned publishing and `manage.py release` call `pass_`, a roll-back calls `pass_back`, in the
transaction that writes the release. An update of the corpus makes drafts and proposals, which come here
later. The gate asks three things: which records and cases block a release, whether any answer becomes less
strict, and who was there. `docs/editorial-workflow.md` describes it.
What is milder is also refused while the proof of the current release has a broken promise.

The first release has nothing to be milder than, and people with a shell or a key are trusted.
"""

import datetime
from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from rules.engine.document import Content, problems
from rules.impact.measurements import Proposal, measured_changes, propose
from rules.impact.readings import AsPlanned, Side
from rules.impact.second_approvals import missing_second_approvals
from rules.impact.survey import Result
from rules.proof.selectors import broken_promise
from rules.publishing.authors import authors_of_earlier, evidence_changed_by
from rules.publishing.candidate import Candidate
from rules.publishing.left_behind import Companions, companions
from rules.publishing.models import RollBackRequest, SoloRelease
from rules.publishing.named import Named, milder_than, name_of, named
from rules.publishing.only_adding import losses
from rules.publishing.refusals import (
    ApprovalOverdue,
    LeftBehind,
    MilderAlone,
    MilderThanShown,
    NotMeasured,
    NotPublishable,
    OwnEvidence,
    PromiseBroken,
    SecondApprovalMissing,
    SecondPersonMissing,
    TakesAway,
    UnreadWords,
    counted,
    listed,
)
from rules.publishing.selection import Key, as_planned
from rules.publishing.units import Pinned
from rules.publishing.unread import unread_words
from rules.releases.comparison import RecordChange, compare
from rules.releases.ledger import content_or_none
from rules.releases.models import Release


class Planned(NamedTuple):
    """What the planner of a publishing was shown.

    These are the records, as they were approved then, what was named as less strict, and what was current
    then: None if that cannot be read.
    """

    records: Sequence[Pinned]
    named: Named
    known: Side | None

    @property
    def evidence(self) -> AsPlanned | None:
        """Return what the plan rests on; None if what was current then cannot be read."""
        if self.known is None:
            return None
        return AsPlanned(self.known, {one.id: one.reading for one in self.records if one.reading})


PATIENCE = datetime.timedelta(hours=24)
"""How long a release that one person published alone may wait for its second approval."""


def pass_(
    found: Candidate,
    base: Release | None,
    *,
    by: User,
    now: datetime.datetime,
    alone: Collection[Key] | None = None,
    everything: Content | None = None,
    planned: Planned | None = None,
) -> Result | None:
    """Let what is approved be published, or refuse it. Return what was measured, if anything was.

    A case that fails already in the current release, in the same way, blocks only what is less strict.

    `alone`: one publisher, in an emergency; the records that only this person has read. Then no answer may
    become less strict, nothing is taken away that no verdict shows, these records tell travelers nothing but
    what the program would say, and only the cases that this release makes less strict block it.
    `everything`: all that is approved, if only some of it is published: nothing that keeps the same answers
    strict may stay behind.
    `planned`: what the planner of a publishing was shown: nothing may be less strict than that. Its evidence
    was read after what was current then, not after a release that meanwhile brought the same reading.

    Raises `NotPublishable`, `NotMeasured`, `MilderAlone`, `TakesAway`, `UnreadWords`, `LeftBehind`,
    `MilderThanShown`, `ApprovalOverdue`, `PromiseBroken`, `SecondApprovalMissing` or `OwnEvidence`.
    """
    if found.problems or (found.newly_against and alone is None):
        raise NotPublishable(found.newly_against)
    if base is None:
        if found.against:
            raise NotPublishable(found.against)
        return None
    proposal = propose(base, found.content)
    result = _measured(proposal, now)
    if alone is not None:
        _pass_alone(found, proposal, result, alone)
        return result
    if result is not None and everything is not None:
        refuse_left_behind(proposal.base_content, found.content, everything, result, now)
    if planned is not None:
        refuse_milder_than_shown(planned, proposal, result, now)
    if result is not None and is_milder(result) and found.against:
        raise NotPublishable(found.against, milder=True)
    if own := evidence_changed_by(by, base, proposal.base_content, found.content):
        raise OwnEvidence(own)
    if result is not None:
        if is_milder(result):
            refuse_overdue(now)
            refuse_broken(base)
        if missing := missing_second_approvals(
            result, proposal, publisher=by, planned=planned.evidence if planned else None
        ):
            raise SecondApprovalMissing(missing)
    return result


def _pass_alone(found: Candidate, proposal: Proposal, result: Result | None, unread: Collection[Key]) -> None:
    if result is None:
        raise MilderAlone(0, [])
    names = [name_of(cause.record) for cause in result.causes]
    if result.lenient:
        raise MilderAlone(result.lenient, names)
    if taken := losses(proposal.base_content, found.content):
        raise TakesAway([one.name for one in taken])
    if names:
        raise MilderAlone(0, names)
    known = _carried_by_two(proposal.base_content)
    if words := unread_words(proposal.base_content, found.content, unread, known):
        raise UnreadWords(words)
    _refuse_milder_cases(found)


def _carried_by_two(current: Content) -> Content:
    """Return what the last release says of which no part waits for a second approval."""
    waiting = SoloRelease.objects.waiting().values("release")
    if not waiting:
        return current
    last = Release.objects.exclude(pk__in=waiting).order_by("-sequence").first()
    return content_or_none(last) or Content()


class PassedBack(NamedTuple):
    """A roll-back that may go out: the request of another person, and what was measured, if there are any."""

    request: RollBackRequest | None
    result: Result | None


def pass_back(
    found: Candidate, base: Release, to: Release, *, by: User, now: datetime.datetime
) -> PassedBack:
    """Let a roll-back be published, or refuse it.

    One publisher alone may roll back to what is nowhere less strict, if nothing is taken away but words.
    Otherwise another publisher has to have requested it, and neither of them wrote what makes answers less
    strict. Evidence and words of what comes back were weighed when it was published.

    Raises `NotPublishable`, `NotMeasured`, `ApprovalOverdue`, `PromiseBroken` or `SecondPersonMissing`.
    """
    if found.problems:
        raise NotPublishable(found.problems)
    proposal = propose(base, found.content)
    result = _measured(proposal, now)
    requested = RollBackRequest.objects.filter(base=base, back_to=to).select_related("created_by")
    others = requested.exclude(created_by=by)
    # Who may no longer roll back has not requested it either.
    request = next((one for one in others if may(one.created_by, EditorAction.ROLL_BACK, Release)), None)
    if result is None or not is_milder(result):
        _refuse_milder_cases(found)
        if request is None and (taken := taken_back(proposal.base_content, found.content)):
            raise SecondPersonMissing(
                f"this roll-back takes away or loosens {listed(taken)}, so it takes two people: one requests "
                "it, and another publisher rolls back"
            )
        return PassedBack(request, result)
    if found.against:
        raise NotPublishable(found.against)
    refuse_overdue(now)
    refuse_broken(base)
    if request is None:
        raise SecondPersonMissing(
            f"this roll-back makes {counted(result.lenient)} less strict, so it takes two people: one "
            "requests it, and another publisher rolls back"
        )
    authors = authors_of_earlier(to, found.content, _causes(result, proposal))
    for person in (by, request.created_by):
        if person.pk in authors:
            raise SecondPersonMissing(
                f"{person.get_username()} wrote what would make answers less strict, so two other people "
                "must request and confirm this roll-back"
            )
    return PassedBack(request, result)


def taken_back(before: Content, after: Content) -> list[str]:
    """Return what no one rolls back alone, although no answer becomes less strict."""
    return [one.name for one in losses(before, after) if not one.words]


def refuse_milder_than_shown(
    planned: Planned, proposal: Proposal, result: Result | None, now: datetime.datetime
) -> None:
    """Refuse what is less strict than what the planner was shown. Raises `MilderThanShown`."""
    known = planned.known
    worse = milder_than(named(result), planned.named, known.content if known else None)
    if not worse and result is not None and known is not None and known.release != proposal.base:
        keys = [(one.kind, one.id) for one in planned.records]
        shown = as_planned(known.content, proposal.base_content, proposal.content, keys)
        today = now.astimezone(datetime.UTC).date()
        found = companions(proposal.base_content, proposal.content, shown, result, today=today)
        if found.too_large:
            worse = ["too much was published meanwhile to be compared with that"]
        else:
            worse = [f"{name} kept answers strict that now become less strict" for name in found.names]
    if worse:
        raise MilderThanShown(worse)


def is_milder(result: Result) -> bool:
    """Return whether any answer becomes less strict."""
    return bool(result.lenient or result.causes)


def refuse_overdue(now: datetime.datetime) -> None:
    """Refuse what is milder while a release waits too long for its second approval."""
    overdue = SoloRelease.objects.waiting().filter(created_at__lt=now - PATIENCE)
    if (first := overdue.first()) is not None:
        raise ApprovalOverdue(first.release, first.created_by.get_username())


def refuse_broken(base: Release) -> None:
    """Refuse what is milder while the current release breaks a promise.

    A proof that has not finished refuses nothing.
    """
    if (found := broken_promise(base.sha256)) is not None:
        raise PromiseBroken(base, found)


def refuse_left_behind(
    before: Content, chosen: Content, everything: Content, result: Result, now: datetime.datetime
) -> None:
    """Refuse what is less strict only because something that is approved is left behind."""
    if problems(everything):
        # Then no one can say what all of it would be.
        found = Companions([], too_large=True) if is_milder(result) else Companions([])
    else:
        today = now.astimezone(datetime.UTC).date()
        found = companions(before, chosen, everything, result, today=today)
    if found.names or found.too_large:
        raise LeftBehind(found.names)


def _measured(proposal: Proposal, now: datetime.datetime) -> Result | None:
    """Return what would change; None if the base gives no answers. Raises `NotMeasured`."""
    changes = measured_changes(proposal, day=now.astimezone(datetime.UTC).date())
    if changes is not None and changes.result is None:
        raise NotMeasured(changes.size)
    return None if changes is None else changes.result


def _refuse_milder_cases(found: Candidate) -> None:
    """Refuse failing cases that are less strict than their file, and were not so before."""
    if new := [one.judged for one in found.failing if one.is_new and one.judged.milder]:
        raise NotPublishable([failure for judged in new for failure in judged.failures])


def _causes(result: Result, proposal: Proposal) -> list[RecordChange]:
    """Return the changed records that make answers less strict."""
    causes = {(cause.record.kind, cause.record.record_id) for cause in result.causes}
    changes = compare(proposal.base_content, proposal.content)
    return [change for change in changes if (change.kind, change.id) in causes]
