"""What the engine decides, as values: the verdict of a leg and of a trip, and what recalls mean for a unit.

`evaluate` and `trip` make them. All packages read them, but only `rules` calls those two.
"""

import datetime

import msgspec

from catalog.cadence import Freshness
from recalls.serials import RecallCheckMethod, RecallStatus, SerialEvaluation
from rules.engine.corpus import Citation
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Certificate, Device, Leg, Recall
from rules.engine.matching import Statement
from rules.engine.vocabulary import Verdict
from rules.engine.weighing import Gap

UPCOMING_DAYS = 30
"""How many days after the travel date a change of rules is announced, and how far ahead old evidence
counts."""


class RecallFinding(msgspec.Struct, frozen=True):
    """One recall of the exact model and what it means for this unit."""

    recall: Recall
    evaluation: SerialEvaluation


class RecallImpact(msgspec.Struct, frozen=True):
    """All recalls of the exact model together, for one unit."""

    status: RecallStatus
    method: RecallCheckMethod
    findings: tuple[RecallFinding, ...]


class LegVerdict(msgspec.Struct, frozen=True):
    """The verdict of a leg with everything it rests on.

    The first `bans` constraints are those that ban; `path` are the ordered steps that were applied;
    `next_change` is the first day after today on which a rule in play starts or no longer holds, or the
    status of a certificate changes. `doubts` are the certificates on which the verdict rests. `freshness` is
    that of the applied rule with the stalest evidence, and `staler_on` the day on which it gets worse: none
    if that is more than `UPCOMING_DAYS` away, or never.
    """

    verdict: Verdict
    gaps: tuple[Gap, ...]
    bans: int
    device: Device
    recall_status: RecallStatus
    recall_check_method: RecallCheckMethod
    recalls: tuple[RecallFinding, ...]
    constraints: tuple[Statement, ...]
    warnings: tuple[Statement, ...]
    path: tuple[str, ...]
    citations: tuple[Citation, ...]
    next_change: datetime.date | None
    freshness: Freshness
    staler_on: datetime.date | None
    doubts: tuple[Certificate, ...] = ()


class Segment(msgspec.Struct, frozen=True):
    """One leg of a trip: its answer, or the reason why it has no answer (which counts as insufficient)."""

    leg: Leg
    answer: LegVerdict | None = None
    error: AirlineNotCovered | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict of the leg."""
        return "insufficient" if self.answer is None else self.answer.verdict

    @property
    def next_change(self) -> datetime.date | None:
        """The first day after today on which a rule that counts here starts or no longer holds."""
        known = self.answer or self.error
        return None if known is None else known.next_change


class TripVerdict(msgspec.Struct, frozen=True):
    """The verdict of a trip. `citations` are those of all segments, each once.

    `freshness` is that of the segment with the stalest evidence; `staler_on` is the first day on which that
    of any segment gets worse.
    """

    verdict: Verdict
    device: Device
    segments: tuple[Segment, ...]
    citations: tuple[Citation, ...]
    next_change: datetime.date | None
    freshness: Freshness
    staler_on: datetime.date | None
