"""The verdict of one leg by the rules of one day (docs, "The four verdicts")."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_FLOOR, Decimal

from battery_travel_reference.questions import Leg, Question
from battery_travel_reference.recalls import recall_of
from battery_travel_reference.records import Airline, Certificate, Device, Recall, Release, Rule
from battery_travel_reference.speaking import Facts, bans, conditions_hold, is_unproven
from battery_travel_reference.vocabulary import BASELINE, strictest

SHORTFALL = Decimal("0.95")
"""A computed figure may be this part of the rated one."""

HUNDREDTH = Decimal("0.01")


class NotCovered(Exception):
    """The release has no answer. `code` is the code of the API's error, `name` what is not covered."""

    def __init__(self, code: str, name: str) -> None:
        super().__init__(f"{code}: {name}")
        self.code = code
        self.name = name


@dataclass(frozen=True, slots=True)
class Found:
    """What the rules of a day find about a unit.

    `demanding` are the rules that demand a mark which a certificate puts in doubt.
    """

    applied: list[Rule]
    banning: list[Rule]
    unproven: list[Rule]
    gaps: list[str]
    demanding: list[Rule]


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict and everything that led to it.

    `recalled` is whether a recall or the maker's list bans. `confirm` is whether a limit decides that a
    computed figure cannot prove. `doubts` are the certificates that put the mark in doubt.
    """

    question: Question
    leg: Leg
    day: date
    device: Device
    airline: Airline
    recalls: list[Recall]
    recall_status: str
    recall_check_method: str
    in_play: list[Rule]
    found: Found
    verdict: str
    recalled: bool
    confirm: bool
    doubts: list[Certificate]


def decide(
    release: Release,
    question: Question,
    leg: Leg,
    in_play: list[Rule],
    day: date,
    certificates_of: date | None = None,
) -> Decision:
    """Decide a leg by the rules of one day, and by the certificates of that day or of another.

    Raises `NotCovered`.
    """
    unit = question.unit
    for country in (leg.origin, leg.destination):
        if country not in release.countries:
            raise NotCovered("UNKNOWN_COUNTRY", country)
    device = release.devices.get(unit.model_id)
    if device is None:
        raise NotCovered("MODEL_NOT_FOUND", unit.model_id)
    in_force = [rule for rule in in_play if rule.in_force(day)]
    airline = release.airlines.get(leg.airline)
    if airline is None or not any(rule.airline == leg.airline for rule in in_force):
        raise NotCovered("AIRLINE_NOT_COVERED", leg.airline)

    recalls = sorted(release.recalls_of.get(unit.model_id, []), key=lambda recall: recall.recall_id)
    status, method = recall_of(recalls, unit)
    facts = Facts(
        model_id=unit.model_id,
        watt_hour=device.watt_hour,
        compartment=question.compartment,
        recall_status=status,
        condition=unit.condition,
        ccc_mark=unit.ccc_mark,
        capacity_label=unit.capacity_label,
        quantity=unit.quantity,
    )
    doubted = in_doubt(device.certificates, certificates_of or day)
    found = find(in_force, facts, domestic=leg.is_domestic, mark_doubted=bool(doubted))
    confirm = device.basis == "computed" and hides_a_limit(
        in_force, facts, found, domestic=leg.is_domestic, mark_doubted=bool(doubted)
    )
    recalled = status == "affected" or unit.recall_check == "affected"
    return Decision(
        question=question,
        leg=leg,
        day=day,
        device=device,
        airline=airline,
        recalls=recalls,
        recall_status=status,
        recall_check_method=method,
        in_play=in_play,
        found=found,
        verdict=verdict_of(
            found,
            recalled=recalled,
            recall_open=status in ("serial_unknown", "external_check_required"),
            unverified=airline.confidence == "unverified",
            confirm=confirm,
        ),
        recalled=recalled,
        confirm=confirm,
        doubts=doubted if found.demanding else [],
    )


def verdict_of(found: Found, *, recalled: bool, recall_open: bool, unverified: bool, confirm: bool) -> str:
    """Return the strictest verdict that anything found leads to; `allowed` if nothing was found."""
    verdicts = ["allowed"]
    if found.banning or recalled:
        verdicts.append("banned")
    if found.gaps:
        verdicts.append("insufficient")
    if found.unproven or found.demanding or recall_open or unverified or confirm:
        verdicts.append("conditional")
    return strictest(verdicts)


def find(in_force: Iterable[Rule], facts: Facts, *, domestic: bool, mark_doubted: bool) -> Found:
    """Return what the rules in force find about a unit."""
    in_force = list(in_force)
    applied = [rule for rule in in_force if conditions_hold(rule.when, facts)]
    demanding: list[Rule] = []
    if mark_doubted and facts.ccc_mark != "absent":
        # A rule for units of unknown mark also demands it of units that are said to bear it.
        unmarked = replace(facts, ccc_mark="unknown")
        demanding = [
            rule
            for rule in in_force
            if rule.code == "ccc_mark_required" and conditions_hold(rule.when, unmarked)
        ]
    return Found(
        applied=applied,
        banning=[rule for rule in applied if bans(rule, facts)],
        unproven=[rule for rule in applied if is_unproven(rule, facts)],
        gaps=gaps_of(applied, facts, domestic=domestic),
        demanding=demanding,
    )


def gaps_of(applied: list[Rule], facts: Facts, *, domestic: bool) -> list[str]:
    """Return what is missing for a verdict. Where watt-hours are unknown, permits are not reported too."""
    if facts.watt_hour is None:
        return ["watt_hour_unknown"]
    permits = [rule for rule in applied if rule.effect == "permit"]
    gaps = []
    if not any(rule.airline is not None for rule in permits):
        gaps.append("no_airline_permit")
    # A domestic leg needs a permit of an authority that is not the international baseline.
    if not any(rule.airline is None and not (domestic and rule.jurisdiction == BASELINE) for rule in permits):
        gaps.append("no_authority_permit")
    return gaps


def hides_a_limit(
    in_force: Iterable[Rule], facts: Facts, first: Found, *, domestic: bool, mark_doubted: bool
) -> bool:
    """Return whether more prevents travel just above the highest rated figure that is possible."""
    if facts.watt_hour is None:
        return False
    beyond = replace(facts, watt_hour=just_beyond(facts.watt_hour))
    second = find(in_force, beyond, domestic=domestic, mark_doubted=mark_doubted)
    # Another rule counts, even where one with the same code was there already.
    known = {rule.rule_id for rule in (*first.banning, *first.unproven, *first.demanding)}
    return any(
        rule.rule_id not in known for rule in (*second.banning, *second.unproven, *second.demanding)
    ) or any(gap not in first.gaps for gap in second.gaps)


def just_beyond(computed: Decimal) -> Decimal:
    """Return the first figure above the highest that a computed one can hide: 100.01 for 95.00."""
    return (computed / SHORTFALL).quantize(HUNDREDTH, rounding=ROUND_FLOOR) + HUNDREDTH


def in_doubt(certificates: Iterable[Certificate], day: date) -> list[Certificate]:
    """Return the certificates that are suspended or revoked on a day."""
    return [one for one in certificates if one.status != "valid" and one.in_force(day)]
