"""What the engine decides, as values: the verdict of a leg and of a trip, and what recalls mean for a unit.

`evaluate` and `trip` make them. All packages read them, but only `rules` calls those two.
"""

import datetime
from typing import Literal

import msgspec

from catalog.cadence import Freshness
from recalls.serials import RecallCheckMethod, RecallStatus, SerialEvaluation
from rules.engine.corpus import Citation
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Certificate, Device, Flight, Item, Leg, Recall
from rules.engine.matching import Compiled, Statement
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
    status of a certificate changes. `doubts` are the certificates on which the verdict rests. `applied` are
    the rules of the path. `freshness` is
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
    applied: tuple[Compiled, ...] = ()

    def said_by(self) -> dict[Statement, list[str]]:
        """Return the rules that make each statement, in the order of the path.

        A statement of the engine itself is missing: it follows from facts alone. So is a rule whose demand
        a stricter one replaces.
        """
        found: dict[Statement, list[str]] = {}
        for rule in self.applied:
            if rule.statement is not None:
                found.setdefault(rule.statement, []).append(rule.rule_id)
        return found


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


class Said(msgspec.Struct, frozen=True):
    """A constraint or a warning of a flight: the rules that say it, and the items that it is about.

    Without `rule_ids` the engine itself says it.
    """

    statement: Statement
    rule_ids: tuple[str, ...]
    refs: tuple[str, ...]


class ItemVerdict(msgspec.Struct, frozen=True):
    """The verdict of the units of one item, the strictest if several passengers carry them.

    `codes` say what decides: what bans, what is missing, or what must be settled first. `is_alone` says
    that nothing else is in the bag, so that a question about this flight alone has the same answer.
    """

    ref: str
    answer: LegVerdict
    codes: tuple[str, ...]
    is_alone: bool

    @property
    def verdict(self) -> Verdict:
        """The verdict of the units."""
        return self.answer.verdict


class FlightVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """One flight of an itinerary. The first `bans` constraints are those that ban.

    With an `error` it has no answer, which counts as insufficient.
    """

    flight: Flight
    verdict: Verdict
    items: tuple[ItemVerdict, ...] = ()
    bans: int = 0
    constraints: tuple[Said, ...] = ()
    warnings: tuple[Said, ...] = ()
    error: AirlineNotCovered | None = None


class Share(msgspec.Struct, frozen=True):
    """Some units of an item, and who carries them."""

    ref: str
    quantity: int
    passenger: int


class PassengerVerdict(msgspec.Struct, frozen=True):
    """What one passenger carries, and the verdict of that bag over all flights."""

    passenger: int
    shares: tuple[Share, ...]
    verdict: Verdict


Because = Literal["numbers", "unit", "route"]
"""Why a unit must stay: it is one too many, something is wrong with it, or a rule of the route refuses it."""


class Staying(msgspec.Struct, frozen=True):
    """Units of an item that must not come."""

    ref: str
    quantity: int
    because: Because


class MayTravel(msgspec.Struct, frozen=True):
    """The most units that may travel together, who carries them then, and the verdict of that itinerary."""

    shares: tuple[Share, ...]
    verdict: Verdict


class Packing(msgspec.Struct, frozen=True):
    """Who carries what, and, if the itinerary is banned or insufficient, what to do about it.

    `move_to_cabin` are the items that are banned only because they are checked. `undecided` are those whose
    units are insufficient by themselves. The units of `stays` must not come in any case. `may_travel` is none
    if no unit may.
    """

    passengers: tuple[PassengerVerdict, ...]
    move_to_cabin: tuple[str, ...] = ()
    stays: tuple[Staying, ...] = ()
    undecided: tuple[str, ...] = ()
    may_travel: MayTravel | None = None


class ItineraryItem(msgspec.Struct, frozen=True):
    """An item as it was judged: its device, what its recalls mean, and its verdict over all flights."""

    item: Item
    device: Device
    impact: RecallImpact
    verdict: Verdict


class ItineraryVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of an itinerary: the strictest of its flights, by the mildest distribution of the units."""

    verdict: Verdict
    items: tuple[ItineraryItem, ...]
    flights: tuple[FlightVerdict, ...]
    packing: Packing
    citations: tuple[Citation, ...]
    next_change: datetime.date | None
    freshness: Freshness
    staler_on: datetime.date | None
