"""General guidance for a power bank that is not in the catalog, from what its label says.

The engine judges a unit of that rating by the same rules as any model. But its model is unknown, so its
recalls cannot be checked. Therefore guidance is never `allowed`: at best it is `conditional`. It is not a
verdict on a model: it has no model id and no verdict id, the API does not give it, and nothing stores it.

The clock is a parameter, as at the door. Called by pages; worded by `rules.wording.guidance`.
"""

import datetime
from decimal import ROUND_CEILING, Decimal
from typing import Literal

import msgspec

from catalog.energy import HUNDREDTH, WattHourBasis, computed_watt_hour
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.errors import AirlineNotCovered
from rules.engine.evaluate import evaluate_leg_of
from rules.engine.facts import Device, Leg, Question, TripQuestion
from rules.engine.matching import Statement
from rules.engine.outcomes import LegVerdict
from rules.engine.trip import evaluate_trip_of
from rules.engine.vocabulary import Verdict, strictest
from rules.engine.weighing import Gap
from rules.verdicts import expiry, whole_second

UNLISTED = ""
"""The model id of a question about a unit that is not in the catalog. No model has it."""

LabelFact = Literal["watt_hour", "capacity_mah", "nominal_voltage"]

PLAUSIBLE: dict[LabelFact, tuple[int, int]] = {
    "watt_hour": (1, 10_000),
    "capacity_mah": (200, 1_000_000),
    "nominal_voltage": (3, 60),
}
"""The bounds for a label fact: beyond them it was misread, or is another quantity."""


class LabelUnclear(ValueError):
    """Label facts that give no rating. `fact` is what is `missing`, `implausible` or `contradicted`."""

    def __init__(self, fact: LabelFact, reason: Literal["missing", "implausible", "contradicted"]) -> None:
        super().__init__(f"{fact} is {reason}")
        self.fact = fact
        self.reason = reason


class Rating(msgspec.Struct, frozen=True):
    """The energy of a unit by its label: watt-hours to the hundredth, printed or computed.

    A label that only shows a capacity gives no watt-hours; `capacity_mah` is that capacity.
    """

    watt_hour: Decimal | None
    basis: WattHourBasis
    capacity_mah: int | None = None


class LegGuidance(msgspec.Struct, frozen=True, kw_only=True):
    """Guidance for one leg, like a `LegVerdict`, but what recalls mean for the unit is unknown.

    `verdict` is never `allowed`. `device` is the unit that its label describes: it has no name.
    """

    verdict: Verdict
    gaps: tuple[Gap, ...]
    bans: int
    device: Device
    constraints: tuple[Statement, ...]
    warnings: tuple[Statement, ...]
    path: tuple[str, ...]
    citations: tuple[Citation, ...]
    next_change: datetime.date | None


class GuidedSegment(msgspec.Struct, frozen=True):
    """One leg of a trip: its guidance, or the reason why it has none (which counts as insufficient)."""

    leg: Leg
    guidance: LegGuidance | None = None
    error: AirlineNotCovered | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict of the leg."""
        return "insufficient" if self.guidance is None else self.guidance.verdict


class TripGuidanceOutcome(msgspec.Struct, frozen=True):
    """Guidance for a trip: the strictest of its segments. `citations` are those of all, each once."""

    verdict: Verdict
    device: Device
    segments: tuple[GuidedSegment, ...]
    citations: tuple[Citation, ...]


class Guidance(msgspec.Struct, frozen=True, kw_only=True):
    """Guidance for one leg as it is given. Times are UTC, whole seconds."""

    question: Question
    rating: Rating
    outcome: LegGuidance
    release: Published
    generated_at: datetime.datetime
    expires_at: datetime.datetime


class TripGuidance(msgspec.Struct, frozen=True, kw_only=True):
    """Guidance for a trip as it is given."""

    question: TripQuestion
    rating: Rating
    outcome: TripGuidanceOutcome
    release: Published
    generated_at: datetime.datetime
    expires_at: datetime.datetime


def rating(
    *,
    watt_hour: Decimal | None = None,
    capacity_mah: int | None = None,
    nominal_voltage: Decimal | None = None,
) -> Rating:
    """Return the rating from a label's facts. If both ways are given, the higher figure counts.

    If the watt-hours are impossible at that capacity, one of the two figures was misread.

    Args:
        watt_hour: The watt-hours printed on it.
        capacity_mah: Its capacity in milliampere-hours.
        nominal_voltage: The voltage at which the capacity is stated.

    Raises:
        LabelUnclear: Neither watt-hours nor both of the others are given, or one of them cannot be right.

    """
    given: dict[LabelFact, Decimal | int | None] = {
        "watt_hour": watt_hour,
        "capacity_mah": capacity_mah,
        "nominal_voltage": nominal_voltage,
    }
    for fact, value in given.items():
        _plausible(fact, value)
    computed = None
    if capacity_mah is not None and nominal_voltage is not None:
        computed = Rating(computed_watt_hour(capacity_mah, nominal_voltage), "computed")
    if watt_hour is None:
        if computed is None:
            raise LabelUnclear(_missing(capacity_mah, nominal_voltage), "missing")
        return computed
    printed = watt_hour.quantize(HUNDREDTH, rounding=ROUND_CEILING)
    if computed is not None and computed.watt_hour is not None and computed.watt_hour > printed:
        return computed
    lowest = computed_watt_hour(capacity_mah or 0, Decimal(PLAUSIBLE["nominal_voltage"][0]))
    if nominal_voltage is None and printed < lowest:
        raise LabelUnclear("watt_hour", "contradicted")
    return Rating(printed, "rated")


def capacity_alone(capacity_mah: int) -> Rating:
    """Return the rating of a label that shows a capacity and no voltage: the voltage is never guessed.

    Raises:
        LabelUnclear: A capacity that cannot be right.

    """
    _plausible("capacity_mah", capacity_mah)
    return Rating(None, "unknown", capacity_mah)


def guidance_from(
    release: Published, rating: Rating, question: Question, *, now: datetime.datetime
) -> Guidance:
    """Return guidance for one leg by a given release.

    Args:
        release: What is published.
        rating: What the label says.
        question: What is asked; its model is `UNLISTED`.
        now: The instant of asking, with its time zone.

    Raises:
        AirlineNotCovered, UnknownCountry: The release does not cover what the question names.
        ValueError: The question names a model: then the door has a verdict.

    """
    generated_at = whole_second(now)
    entry = release.corpus.unlisted(_unit(rating, question))
    outcome = evaluate_leg_of(release.corpus, entry, question, today=generated_at.date())
    return Guidance(
        question=question,
        rating=rating,
        outcome=_guidance(outcome),
        release=release,
        generated_at=generated_at,
        expires_at=expiry(generated_at, outcome),
    )


def trip_guidance_from(
    release: Published, rating: Rating, question: TripQuestion, *, now: datetime.datetime
) -> TripGuidance:
    """Return guidance for a trip, as `guidance_from` does, but an uncovered airline stays in its segment."""
    generated_at = whole_second(now)
    entry = release.corpus.unlisted(_unit(rating, question))
    outcome = evaluate_trip_of(release.corpus, entry, question, today=generated_at.date())
    segments = tuple(
        GuidedSegment(one.leg, None if one.answer is None else _guidance(one.answer), one.error)
        for one in outcome.segments
    )
    return TripGuidance(
        question=question,
        rating=rating,
        outcome=TripGuidanceOutcome(
            verdict=strictest(segment.verdict for segment in segments),
            device=outcome.device,
            segments=segments,
            citations=outcome.citations,
        ),
        release=release,
        generated_at=generated_at,
        expires_at=expiry(generated_at, outcome),
    )


def _unit(rating: Rating, question: Question | TripQuestion) -> Device:
    if question.unit.model_id != UNLISTED:
        raise ValueError("a question about a model gets a verdict, not guidance")
    return Device(
        model_id=UNLISTED,
        brand="",
        model_name="",
        capacity_mah=rating.capacity_mah,
        watt_hour=rating.watt_hour,
        watt_hour_basis=rating.basis,
    )


def _guidance(outcome: LegVerdict) -> LegGuidance:
    """Return an outcome without what is unknown: it clears nothing, and says nothing about recalls."""
    verdict = strictest([outcome.verdict, "conditional"])
    return LegGuidance(
        verdict=verdict,
        gaps=outcome.gaps,
        bans=outcome.bans,
        device=outcome.device,
        constraints=outcome.constraints,
        warnings=outcome.warnings,
        path=("unit.described", "recall.not_checked", *outcome.path[2:-1], f"verdict.{verdict}"),
        citations=outcome.citations,
        next_change=outcome.next_change,
    )


def _plausible(fact: LabelFact, value: Decimal | int | None) -> None:
    """Raise `LabelUnclear` if a given fact cannot be right."""
    low, high = PLAUSIBLE[fact]
    if value is not None and not (Decimal(value).is_finite() and low <= value <= high):
        raise LabelUnclear(fact, "implausible")


def _missing(capacity_mah: int | None, nominal_voltage: Decimal | None) -> LabelFact:
    """Return what to ask for: the other half of what was given, or the watt-hours."""
    if capacity_mah is not None:
        return "nominal_voltage"
    return "watt_hour" if nominal_voltage is None else "capacity_mah"
