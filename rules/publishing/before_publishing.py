"""What one change still lacks before a release can contain it, for the page of that change.

It is measured alone, against the current release, if that takes a moment; otherwise publishing measures it.
The gate decides, for all changes together. Reads only.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.db.models.functions import Length
from django.utils import timezone

from catalog.editorial.models import Revision
from catalog.editorial.pending.display import cited
from catalog.editorial.pending.models import ChangeSet, ChangeSetState
from catalog.editorial.permissions import may
from catalog.editorial.selectors import writers_of
from catalog.editorial.workflow import AGREED, OPEN, EditorAction, State
from catalog.models import Source
from catalog.tables.evidence import source_ids
from recalls.editing.models import Recall
from rules.disagreements.models import Disagreement
from rules.editing.models import Rule
from rules.editing.problems import wrongly_confirmed
from rules.engine.document import UnreadableDocument, problems
from rules.impact.measurements import Proposal, measured_changes, would_say, would_write
from rules.impact.second_approvals import missing_second_approvals
from rules.next_release import FACTS
from rules.publishing.authors import evidence_changed_by
from rules.publishing.change_sets import is_in_releases, is_published
from rules.publishing.refusals import listed
from rules.releases.ledger import content_or_none
from rules.releases.models import Release

LARGEST = 8_000_000
"""The largest document of a release, in characters, that a page of one change compares: about a second."""

MOST_RECORDS = 500
"""The largest change set that its page compares."""

MOST_PROBLEMS = 5

LATER = (
    "This change is too large to be measured here; it is measured before publishing. If it makes any answer "
    "less strict, it needs more people, and its evidence has to be read again. “Measure the changes” starts "
    "the measurement now."
)


class BeforePublishing(NamedTuple):
    """What a change lacks, a sentence each, and a sentence about what is known."""

    needs: list[str]
    note: str


class _Question(NamedTuple):
    """Who and what is behind a change.

    It is `revisions` or a `change_set`, approved or not. `cites` are the ids of its sources. `publisher` says
    who publishes it if it makes an answer less strict.
    """

    revisions: Sequence[Revision]
    change_set: ChangeSet | None
    cites: Collection[str]
    publisher: str


def before_publishing(change: Revision | ChangeSet, reader: User) -> BeforePublishing | None:
    """Return what a change lacks; None if it is published already, or never will be."""
    match change:
        case ChangeSet():
            return _of_change_set(change, reader)
        case Disagreement():
            return _of_disagreement(change)
        case Rule() | Recall():
            return _of_revision(change, reader)
    raise TypeError(change)


def _of_disagreement(row: Disagreement) -> BeforePublishing | None:
    if row.state not in OPEN:
        return None
    note = "It changes no answer, so one approval is enough, and any publisher can publish it."
    return BeforePublishing(_steps(row), note)


def _of_revision(row: Rule | Recall, reader: User) -> BeforePublishing | None:
    if row.state not in OPEN and not _is_next(row):
        return None

    def question() -> _Question:
        authors = writers_of(type(row), [row.stable_id])[row.stable_id]
        return _Question(
            revisions=[row],
            change_set=None,
            cites=source_ids(row),
            publisher=f"Its authors ({_names(authors)}) cannot publish it: another publisher does.",
        )

    return _answered(_steps(row), lambda: would_say([row]), question, reader)


def _of_change_set(found: ChangeSet, reader: User) -> BeforePublishing | None:
    waits = found.state == ChangeSetState.WAITING
    if not waits and not may_be_taken_back(found):
        return None
    if not found.changes.filter(kind__in=FACTS).exists():
        # A brand is in a release only by its models, and facts of airports are in none.
        return None
    approver = "the person who approves it" if waits else f"its approver ({found.decided_by})"

    def question() -> _Question:
        return _Question(
            revisions=[],
            change_set=found,
            cites={name for change in found.changes.all() for name in cited(change)},
            publisher=f"Neither its authors ({_names(found.authors)}) nor {approver} can publish it: another "
            "publisher does.",
        )

    steps = ["Another person than its authors approves it."] if waits else []
    small = found.changes.count() <= MOST_RECORDS
    return _answered(steps, (lambda: would_write(found.changes.all())) if small else None, question, reader)


def _steps(row: Revision) -> list[str]:
    """Return what comes before the first approval of a revision."""
    steps = []
    if isinstance(row, Rule) and row.state in OPEN and wrongly_confirmed(Rule.objects.filter(pk=row.pk)):
        steps.append(
            "Its confidence is “confirmed”, but none of its sources is an official page that was read. Name "
            "such a page, or choose another confidence."
        )
    if row.state == State.DRAFT:
        steps.append("An editor submits it for review.")
    if row.state in OPEN:
        steps.append("Another person than its authors approves it.")
    return steps


def _is_next(row: Revision) -> bool:
    """Return whether a revision is approved, and the next release is as it says."""
    agreed = type(row)._default_manager.filter(state__in=AGREED).identified([row.stable_id])
    return row.state == State.APPROVED and agreed.filter(pk=row.pk).exists()


def may_be_taken_back(found: ChangeSet) -> bool:
    """Return whether a change set is approved, and no release contains it yet."""
    if found.state != ChangeSetState.APPROVED or not is_in_releases(found):
        return False
    content = content_or_none(Release.objects.current())
    return content is not None and not is_published(found, content)


def _names(people: Collection[int]) -> str:
    return ", ".join(
        User.objects.filter(pk__in=people).order_by("username").values_list("username", flat=True)
    )


def _answered(
    steps: list[str],
    propose: Callable[[], Proposal | None] | None,
    question: Callable[[], _Question],
    reader: User,
) -> BeforePublishing:
    """Return the steps before the approval, and what the change lacks. `propose` is None if it is large."""
    current: Any = Release.objects.without_document().annotate(length=Length("document")).current()
    if current is None:
        note = "No release is published yet, so nothing else is needed."
        return BeforePublishing(steps, note)
    if propose is None or current.length > LARGEST:
        return BeforePublishing(steps, LATER)
    try:
        proposal = propose()
    except UnreadableDocument:
        proposal = None
    if proposal is None:
        note = "This version of the program cannot read the current release, so nothing is measured here."
        return BeforePublishing(steps, note)
    return _measured(steps, proposal, question(), reader)


def _measured(steps: list[str], proposal: Proposal, question: _Question, reader: User) -> BeforePublishing:
    if found := problems(proposal.content):
        wrong = [f"{one.where} {one.reason}." for one in found[:MOST_PROBLEMS]]
        note = "No release may contain it as it is, so it is not measured."
        return BeforePublishing([*steps, *wrong], note)
    needs = list(steps)
    if own := _own_evidence(question, proposal, reader):
        needs.append(f"You changed or read {listed(own)}, which it cites, so another person publishes it.")
    changes = measured_changes(proposal, day=timezone.now().date())
    if changes is None or changes.result is None:
        return BeforePublishing(needs, LATER)
    if not changes.result.causes:
        note = "Measured alone, it makes no answer less strict, so one approval is enough."
        return BeforePublishing(needs, note)
    missing = missing_second_approvals(
        changes.result, proposal, revisions=question.revisions, change_set=question.change_set
    )
    needs += [*(f"{one}." for one in missing), question.publisher]
    return BeforePublishing(needs, "Measured alone, it makes answers less strict.")


def _own_evidence(question: _Question, proposal: Proposal, reader: User) -> list[str]:
    """Return the cited sources that a publisher changed or read, so that another one has to publish it."""
    if not may(reader, EditorAction.PUBLISH, Release):
        return []
    read = {one.id: one for one in Source.objects.identified(question.cites).records()}
    sources = {one.id: one for one in proposal.content.sources} | read
    after = msgspec.structs.replace(proposal.content, sources=tuple(sources.values()))
    return evidence_changed_by(reader, proposal.base, proposal.base_content, after)
