"""Measured changes: what could be published, and which answers it would flip.

Reads only; `rules.impact.actions` measures and writes. Called by the editors' desk and before publishing.
"""

import datetime
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from catalog.editorial.pending.models import PendingChange
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.engine.corpus import Corpus
from rules.engine.document import Content, UnreadableDocument
from rules.impact.models import FORM, ImpactMeasurement, MeasurementState
from rules.impact.survey import Result, Survey, measure
from rules.next_release import compile_content, content_with, content_with_facts
from rules.releases.ledger import canonical_text, digest
from rules.releases.models import Release

SMALL = 50_000
"""The largest size that is measured while a user waits: that takes about a second."""


class Proposal(NamedTuple):
    """Some content that could come after a release. `text` is its canonical text."""

    base: Release
    content: Content
    text: str

    @property
    def content_sha256(self) -> str:
        """Return the digest by which a measurement knows the content."""
        return digest(self.text)

    @property
    def base_content(self) -> Content:
        """Return what the base says. It is decoded at each call."""
        return self.base.read().content


class MeasuredChanges(NamedTuple):
    """What would change. `result` is None if it is too large to be measured at once, and was not measured.

    `measurement` is the stored one, in any state; None if there is none.
    """

    result: Result | None
    size: int
    measurement: ImpactMeasurement | None


def propose(base: Release, content: Content) -> Proposal:
    """Return some content as what comes after a release."""
    return Proposal(base, content, canonical_text(content))


def would_publish() -> Proposal | None:
    """Return what a release published now would contain; None if there is no release to compare it with."""
    base = Release.objects.current()
    return None if base is None else propose(base, compile_content())


def would_say(revisions: Sequence[Rule | Recall]) -> Proposal | None:
    """Return the current release with some revisions in it, as if only they were published."""
    base = Release.objects.current()
    if base is None:
        return None
    return propose(base, content_with(base.read().content, revisions))


def would_write(changes: Iterable[PendingChange]) -> Proposal | None:
    """Return the current release with the changes of a change set in it, as if only they were published."""
    base = Release.objects.current()
    return None if base is None else propose(base, content_with_facts(base.read().content, changes))


def stored(proposal: Proposal, *, day: datetime.date) -> ImpactMeasurement | None:
    """Return the measurement of a proposal on a day, in any state; None if it was not requested.

    What another version of the program measured in another form does not count.
    """
    found = ImpactMeasurement.objects.filter(
        base=proposal.base, content_sha256=proposal.content_sha256, day=day, form=FORM
    )
    return found.defer("document").first()


def measured(measurement: ImpactMeasurement) -> Result:
    """Return the result of a measurement that is done and readable."""
    return msgspec.convert(measurement.result, Result)


def survey_of(proposal: Proposal, *, day: datetime.date) -> Survey:
    """Return the rulesets before and after, side by side."""
    before, after = proposal.base_content, proposal.content
    return Survey(Corpus(before), Corpus(after), today=day)


def measured_changes(proposal: Proposal, *, day: datetime.date) -> MeasuredChanges | None:
    """Return what is measured of a proposal on a day, or measure it here if it is small.

    None if the base cannot be read: it gives no answers, so there is nothing to compare with.
    """
    known = stored(proposal, day=day)
    if known is not None and known.state == MeasurementState.DONE:
        return MeasuredChanges(measured(known), known.size, known)
    try:
        survey = survey_of(proposal, day=day)
    except UnreadableDocument:
        return None
    size = survey.size_of_all
    return MeasuredChanges(measure(survey) if size <= SMALL else None, size, known)
