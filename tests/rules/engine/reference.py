"""The plain, slow evaluator: what a verdict is, read off the documents line by line.

It was written from the domain decisions ("domain", by section) and from `docs/how-a-verdict-is-made.md`
("how") alone, not from the engine: loops over every rule, decimals and dates as they stand, no index, no
cache. Each step quotes the sentence that it follows. Natures, coverage of advice and look-alike characters
are restated here rather than taken from the engine, so a slip in its tables shows as a disagreement too; only
the severities are the registry's, since no document states them.

`test_agreement.py` asks it and the engine the same questions. It takes only content that can be published
(`rules.engine.document.problems` is empty).
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_FLOOR, Decimal
from typing import TypeVar

import msgspec

from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered, ModelNotFound
from rules.engine.facts import (
    Airline,
    Certificate,
    Device,
    Leg,
    Question,
    Recall,
    Rule,
    Source,
    TripQuestion,
    Unit,
)
from rules.engine.vocabulary import CODES

# domain §2: "`banned` > `insufficient` > `conditional` > `allowed` (strictest first)."
STRICTEST_FIRST = ["banned", "insufficient", "conditional", "allowed"]

# domain §5, the table of codes, as far as a `require` rule can name them.
LIMITS = {"carry_on_only", "max_units"}
PRECONDITIONS = {"airline_approval_required", "ccc_mark_required"}
CONDUCT = {
    "label_required", "terminals_protected", "no_onboard_use", "onboard_use_restricted",
    "no_onboard_recharge", "keep_within_reach", "keep_visible", "visible_when_in_use",
    "on_person_or_seat_pocket", "no_overhead_bin", "remove_before_gate_check", "switched_off",
    "personal_use_only", "un38_3_type_tested",
}  # fmt: skip

# domain §2: "Advice that a binding constraint already covers is not listed".
COVERED_BY = {
    "onboard_use_discouraged": "no_onboard_use",
    "onboard_use_airline_decides": "no_onboard_use",
    "overhead_bin_discouraged": "no_overhead_bin",
    "quantity_advice": "max_units",
    "keep_within_reach_advised": "keep_within_reach",
}

# domain §8: "Look-alike characters (O/0, I/1/L, Z/2, S/5, B/8)"; how: "more than 4,096 look-alike readings".
LOOK_ALIKES = ["O0", "I1L", "Z2", "S5", "B8"]
MOST_READINGS = 4096

# how, "How old evidence may be": "30, 90, 180 or 365 days after the day on which it was read"; "Where it
# names none, regulators and airlines are weekly, manufacturers and news monthly."
GOOD_DAYS = {"daily": 30, "weekly": 90, "monthly": 180, "quarterly": 365}
CADENCE_OF_KIND = {"regulator": "weekly", "airline": "weekly", "manufacturer": "monthly", "news": "monthly"}
FRESHEST_FIRST = ["fresh", "stale", "very_stale"]

ONE_DAY = timedelta(days=1)

Thing = TypeVar("Thing", bound=Hashable)

Reading = tuple[date, int]
"""The day on which a source was read, and for how many days that is good."""


@dataclass(frozen=True)
class Entry:
    """A constraint or a warning: its code as shown, its registry name, and the parameter that is shown."""

    code: str
    name: str
    number: int | Decimal | str | None = None


@dataclass(frozen=True)
class ReferenceAnswer:
    """What the documents say about one leg.

    `next_change` is the first day after today on which a rule in play starts or no longer holds, or the
    status of a certificate changes; `parameters` are the numbers and addresses that the constraints show; the
    first `bans` constraints are those that ban; `gaps` is what makes it insufficient; `upcoming` is the day
    that `rule_change_upcoming` names, `certificate_upcoming` the one of `certificate_change_upcoming`,
    `read_on` the one that `evidence_stale` names; `staler_on` is the first day after today on which
    `freshness` is another, if that is within 30 days.
    """

    verdict: str
    constraints: list[str]
    warnings: list[tuple[str, str]]
    path: list[str]
    citations: list[tuple[str, str, str, str, date]]
    recall_status: str
    recall_check_method: str
    next_change: date | None
    parameters: list[int | Decimal | str | None]
    bans: int
    gaps: list[str]
    upcoming: date | None
    certificate_upcoming: date | None
    freshness: str
    staler_on: date | None
    read_on: date | None


@dataclass(frozen=True)
class ReferenceSegment:
    """One leg of a trip: its verdict, and the answer or the error behind it."""

    leg: Leg
    verdict: str
    answer: ReferenceAnswer | None
    error: Exception | None


@dataclass(frozen=True)
class ReferenceTrip:
    """What the documents say about an itinerary."""

    verdict: str
    segments: list[ReferenceSegment]
    citations: list[tuple[str, str, str, str, date]]
    next_change: date | None
    freshness: str
    staler_on: date | None


# --- A leg and a trip ---------------------------------------------------------------------------------------


def reference_leg(
    content: Content, question: Question, today: date, connecting: bool = False
) -> ReferenceAnswer:
    """Answer one leg from the documents. Raises `ModelNotFound` and `AirlineNotCovered`."""
    in_play = _in_play(content, question.leg)
    decision = _decide(content, question, in_play)
    upcoming = _rule_change_upcoming(content, question, in_play, decision)
    certificate_upcoming = _certificate_change_upcoming(content, question, in_play, decision)

    # how, "What is listed": "`transit_rescreening`, `evidence_stale`, `rule_change_upcoming`,
    # `certificate_change_upcoming`" end the list of warnings.
    warnings = list(decision.warnings)
    if connecting:
        warnings.append(Entry("transit_rescreening", "transit_rescreening"))
    evidence = _evidence(content, decision.applied)
    freshness = _freshness(evidence, today)
    if freshness != "fresh":
        warnings.append(Entry("evidence_stale", "evidence_stale"))
    if upcoming is not None:
        warnings.append(Entry("rule_change_upcoming", "rule_change_upcoming"))
    if certificate_upcoming is not None:
        warnings.append(Entry("certificate_change_upcoming", "certificate_change_upcoming"))

    return ReferenceAnswer(
        verdict=decision.verdict,
        constraints=[entry.code for entry in decision.constraints],
        # "an advisory, or a caution where that is very stale."
        warnings=_severest_first(warnings, {"evidence_stale"} if freshness == "very_stale" else set()),
        path=[
            # how: "Path: `device.resolved`, `recall.<status>`, the applied rules, `verdict.<value>`."
            "device.resolved",
            f"recall.{decision.recall_status}",
            *_certificate_step(decision.doubts),
            *[rule.rule_id for rule in decision.applied],
            f"verdict.{decision.verdict}",
        ],
        citations=_citations(content, decision),
        recall_status=decision.recall_status,
        recall_check_method=decision.recall_check_method,
        next_change=_next_change([*in_play, *decision.device.certificates], today),
        parameters=[entry.number for entry in decision.constraints],
        bans=sum(entry.name in decision.banning for entry in decision.constraints),
        gaps=decision.gaps,
        upcoming=upcoming,
        certificate_upcoming=certificate_upcoming,
        freshness=freshness,
        staler_on=_staler_on(evidence, today),
        read_on=None if freshness == "fresh" else _oldest(evidence, today),
    )


def reference_trip(content: Content, trip: TripQuestion, today: date) -> ReferenceTrip:
    """Answer an itinerary: each leg by itself, then the strictest. Raises `ModelNotFound`."""
    segments = []
    for index, leg in enumerate(trip.legs):
        question = Question(
            unit=trip.unit, leg=leg, travel_date=trip.travel_date, compartment_intent=trip.compartment_intent
        )
        try:
            # how: "`transit_rescreening`: in a trip, every leg but the first."
            answer = reference_leg(content, question, today, connecting=index > 0)
        except AirlineNotCovered as error:
            # how: "In a trip the first is an error of its segment, and that segment counts as insufficient."
            segments.append(ReferenceSegment(leg, "insufficient", None, error))
        else:
            segments.append(ReferenceSegment(leg, answer.verdict, answer, None))
    answers = [segment.answer for segment in segments if segment.answer is not None]
    # how, "How long it holds": what can end the error of a segment are its airline's own rules.
    own = [
        rule
        for segment in segments
        if segment.answer is None
        for rule in content.rules
        if rule.airline == segment.leg.airline
    ]
    changes = [_next_change(own, today), *(answer.next_change for answer in answers)]
    return ReferenceTrip(
        # how: "The verdict of a trip is the strictest of its legs."
        verdict=_strictest(segment.verdict for segment in segments),
        segments=segments,
        citations=_distinct(citation for answer in answers for citation in answer.citations),
        next_change=min((day for day in changes if day is not None), default=None),
        # "a trip as the stalest of its legs"; how, "How long it holds": "of a trip, that of any leg".
        freshness=_stalest(answer.freshness for answer in answers),
        staler_on=min((answer.staler_on for answer in answers if answer.staler_on), default=None),
    )


# --- The decision on one day --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Decision:
    verdict: str
    constraints: list[Entry]
    warnings: list[Entry]  # Those before `transit_rescreening`, in the order of the list.
    applied: list[Rule]
    banning: set[str]
    gaps: list[str]
    device: Device
    recalls: list[Recall]
    recall_status: str
    recall_check_method: str
    doubts: list[Certificate]


@dataclass(frozen=True)
class _Weighed:
    """What one watt-hour figure finds."""

    applied: list[Rule]
    bans: list[Rule]
    unproven: list[Rule]
    gaps: list[str]
    demanding: list[Rule]  # Those that demand a mark in doubt.


def _decide(
    content: Content, question: Question, in_play: list[Rule], certificates_of: date | None = None
) -> _Decision:
    """Decide by the certificates of the travel date, or of another day."""
    unit, leg = question.unit, question.leg
    # how: "a model that is not in the release is `MODEL_NOT_FOUND`."
    device = next((device for device in content.devices if device.model_id == unit.model_id), None)
    if device is None:
        raise ModelNotFound(unit.model_id)
    # how: "An airline that is not in the release, or has no rule in force on the travel date, is
    # `AIRLINE_NOT_COVERED`".
    airline = next((airline for airline in content.airlines if airline.airline == leg.airline), None)
    if airline is None or not any(
        rule.airline == leg.airline and _in_force(rule, question.travel_date) for rule in content.rules
    ):
        raise AirlineNotCovered(leg.airline)

    # how, "Recalls": "All recalls of the exact model count; nothing is inferred from a brand."
    recalls = sorted(
        (row for row in content.recalls if row.model_id == unit.model_id), key=lambda row: row.recall_id
    )
    status, method = recall_of(recalls, unit)

    doubted = _in_doubt(device, certificates_of or question.travel_date)
    weighed = _weigh(in_play, question, status, device.watt_hour, doubted)
    confirm = _cannot_prove(in_play, question, status, device, weighed, doubted)
    # how, "Certificates": "Where a leg demands the mark, and a certificate in force is suspended or revoked,
    # a mark that is `present` or `unknown` is in doubt".
    doubts = doubted if weighed.demanding else []

    # how, the table "Found / Contributes": the strictest that anything found contributes; nothing found is
    # allowed.
    contributions = ["allowed"]
    # how, "Recalls": "`affected` bans", of the status and of what the list answered.
    recalled = status == "affected" or unit.recall_check == "affected"
    if weighed.bans or recalled:
        contributions.append("banned")
    if weighed.gaps:
        contributions.append("insufficient")
    if weighed.unproven or status in ("serial_unknown", "external_check_required") or confirm:
        contributions.append("conditional")
    # "the leg demands a mark that a suspended or revoked certificate of the model puts in doubt".
    if doubts:
        contributions.append("conditional")
    if airline.confidence == "unverified":
        contributions.append("conditional")

    constraints = _constraints(question, status, confirm, weighed, doubts, recalled=recalled)
    warnings = _warnings(content, in_play, question, device, airline, status, confirm, weighed, constraints)
    return _Decision(
        verdict=_strictest(contributions),
        constraints=constraints,
        warnings=warnings,
        applied=weighed.applied,
        banning={str(rule.code) for rule in weighed.bans}
        | ({"recalled_not_permitted"} if recalled else set()),
        gaps=weighed.gaps,
        device=device,
        recalls=recalls,
        recall_status=status,
        recall_check_method=method,
        doubts=doubts,
    )


def _weigh(
    in_play: list[Rule],
    question: Question,
    recall_status: str,
    watt_hour: Decimal | None,
    doubted: list[Certificate],
) -> _Weighed:
    leg = question.leg
    # how, "Which rules speak": in play, in force on the travel date, all conditions hold.
    applied = [
        rule
        for rule in in_play
        if _in_force(rule, question.travel_date)
        and _conditions_hold(rule, question, recall_status, watt_hour)
    ]
    bans = [rule for rule in applied if rule.effect == "prohibit" or _fails(rule, question)]
    unproven = [rule for rule in applied if _cannot_be_proved(rule, question)]
    gaps = []
    if watt_hour is None:
        # how: "Unknown watt-hours are a gap of their own; missing permits are then not reported besides."
        gaps.append("watt_hour_unknown")
    else:
        permits = [rule for rule in applied if rule.effect == "permit"]
        # how: "no `permit` of the airline speaks | insufficient".
        if not any(rule.issuer == "airline" for rule in permits):
            gaps.append("no_airline_permit")
        # how: "an international leg accepts any; a domestic leg needs one that is not the international
        # baseline".
        if not any(
            rule.issuer == "regulator" and (leg.origin != leg.destination or rule.jurisdiction != "INTL")
            for rule in permits
        ):
            gaps.append("no_authority_permit")
    # how, "Certificates": "A leg demands the mark where a rule with `ccc_mark_required` speaks, or would
    # speak if it were not known whether the unit bears the mark"; a mark that is `absent` "leaves nothing to
    # look up."
    unmarked = msgspec.structs.replace(
        question, unit=msgspec.structs.replace(question.unit, ccc_mark="unknown")
    )
    demanding = [
        rule
        for rule in (in_play if doubted else [])
        if question.unit.ccc_mark != "absent"
        and rule.code == "ccc_mark_required"
        and _in_force(rule, question.travel_date)
        and _conditions_hold(rule, unmarked, recall_status, watt_hour)
    ]
    return _Weighed(applied, bans, unproven, gaps, demanding)


def _in_doubt(device: Device, day: date) -> list[Certificate]:
    """how, "Certificates": suspended or revoked "from its first day to its last, both included"."""
    return [
        one
        for one in device.certificates
        if one.status in ("suspended", "revoked")
        and (one.since is None or one.since <= day)
        and (one.until is None or day <= one.until)
    ]


def _certificate_step(doubts: list[Certificate]) -> list[str]:
    """how, "Path": "`certificate.revoked` …, or `certificate.suspended` where none … is revoked"."""
    if not doubts:
        return []
    revoked = any(one.status == "revoked" for one in doubts)
    return ["certificate.revoked" if revoked else "certificate.suspended"]


def _cannot_prove(
    in_play: list[Rule],
    question: Question,
    status: str,
    device: Device,
    first: _Weighed,
    doubted: list[Certificate],
) -> bool:
    """how, "Watt-hours": does a limit decide that a computed figure cannot prove?"""
    if device.watt_hour_basis != "computed" or device.watt_hour is None:
        return False
    # "A computed figure may fall 5 % short of the rated one. So a computed figure is weighed twice: as it is,
    # and just beyond the highest figure it could hide (95.00 becomes 100.01, 152.00 becomes 160.01)."
    second = _weigh(in_play, question, status, _just_beyond(device.watt_hour), doubted)
    # "If that second look finds a ban, a gap or an unproven precondition that the first did not": another
    # rule that bans or asks, even where one with the same code did already.
    return (
        any(rule not in first.bans for rule in second.bans)
        or any(rule not in first.unproven for rule in second.unproven)
        # how, "Certificates": they "count among the unproven preconditions".
        or any(rule not in [*first.unproven, *first.demanding, *first.bans] for rule in second.demanding)
        or any(gap not in first.gaps for gap in second.gaps)
    )


def _just_beyond(computed: Decimal) -> Decimal:
    highest = (computed / Decimal("0.95")).quantize(Decimal("0.01"), rounding=ROUND_FLOOR)
    return highest + Decimal("0.01")


# --- Which rules speak --------------------------------------------------------------------------------------


def _in_play(content: Content, leg: Leg) -> list[Rule]:
    """how, "Which rules speak" 1, in the order of "Path"."""
    airline = next((airline for airline in content.airlines if airline.airline == leg.airline), None)
    # What holds the three countries is the same for every rule.
    origin = _holding(content, leg.origin)
    destination = _holding(content, leg.destination)
    home = _holding(content, airline.country) if airline is not None else set()
    placed = []
    for rule in content.rules:
        places = []
        for scope in rule.applies:
            # "an airline's own rules on each of its legs; an authority's rules by `applies`".
            # "Rules stand in the order baseline, departure (and domestic), arrival, operator, airline".
            if scope == "airline" and rule.airline == leg.airline:
                places.append((4, 0, ""))
            if scope == "global":
                places.append((0, 0, ""))
            if scope == "departure" and rule.jurisdiction in origin:
                places.append(_place(1, rule, leg.origin))
            if scope == "domestic" and rule.jurisdiction in origin & destination:
                places.append(_place(1, rule, leg.origin))
            if scope == "arrival" and rule.jurisdiction in destination:
                places.append(_place(2, rule, leg.destination))
            if scope == "operator" and airline is not None and rule.jurisdiction in home:
                places.append(_place(3, rule, airline.country))
        # "a rule that is in play in several ways stands at the first."
        if places:
            placed.append((min(places), rule.rule_id, rule))
    # "within one issuer by rule id."
    return [rule for _, _, rule in sorted(placed, key=lambda row: row[:2])]


def _place(group: int, rule: Rule, country: str) -> tuple[int, int, str]:
    """how: "Within departure, arrival and operator: regions by code, then the countries"."""
    return (group, 1, "") if rule.jurisdiction == country else (group, 0, rule.jurisdiction)


def _holding(content: Content, country: str) -> set[str]:
    """how: "A country is inside itself and inside each region that it is a member of."""
    return {
        country,
        *(region for row in content.jurisdictions if row.code == country for region in row.member_of),
    }


def _in_force(rule: Rule, day: date) -> bool:
    """how: "`effective_from` ≤ date ≤ `effective_until`, an absent end being open."""
    return (rule.effective_from is None or rule.effective_from <= day) and (
        rule.effective_until is None or day <= rule.effective_until
    )


def _conditions_hold(rule: Rule, question: Question, recall_status: str, watt_hour: Decimal | None) -> bool:
    """Domain §4, "Conditions"; all must hold."""
    when, unit = rule.when, question.unit
    # how: "A watt-hour condition never holds for unknown watt-hours."
    if when.watt_hour_over is not None and not (watt_hour is not None and watt_hour > when.watt_hour_over):
        return False
    if when.watt_hour_at_least is not None and not (
        watt_hour is not None and watt_hour >= when.watt_hour_at_least
    ):
        return False
    if when.watt_hour_up_to is not None and not (watt_hour is not None and watt_hour <= when.watt_hour_up_to):
        return False
    if when.compartment is not None and question.compartment_intent not in when.compartment:
        return False
    if when.recall_status is not None and recall_status not in when.recall_status:
        return False
    if when.condition is not None and unit.condition not in when.condition:
        return False
    # how: "`certification_missing` holds unless the mark is `present`."
    if when.certification_missing is not None and unit.ccc_mark == "present":
        return False
    # "`model` (one of exact model ids: an airline that names models)".
    if when.model is not None and unit.model_id not in when.model:
        return False
    return when.quantity_over is None or unit.quantity > when.quantity_over


def _fails(rule: Rule, question: Question) -> bool:
    """how, the table "Fails (bans)"."""
    if rule.effect != "require":
        return False
    unit = question.unit
    if rule.code == "carry_on_only":
        return question.compartment_intent == "checked"
    if rule.code == "max_units":
        return rule.params.max_units is not None and unit.quantity > rule.params.max_units
    if rule.code == "ccc_mark_required":
        return unit.ccc_mark == "absent"
    if rule.code == "label_required":
        return unit.capacity_label == "missing"
    return False


def _cannot_be_proved(rule: Rule, question: Question) -> bool:
    """how, the table "Cannot be proved"."""
    if rule.effect != "require":
        return False
    if rule.code == "ccc_mark_required":
        return question.unit.ccc_mark == "unknown"
    return rule.code == "airline_approval_required"


# --- Recalls ------------------------------------------------------------------------------------------------


def recall_of(recalls: list[Recall], unit: Unit) -> tuple[str, str]:
    """Return recall status and check method of a unit over all recalls of its model (how, "Recalls")."""
    evaluations = [evaluate_serial(recall, unit) for recall in recalls]
    # "Any recall … evaluates to `affected` | else evaluates with method `external_list_required` | else
    # evaluates to `unknown` | otherwise, or no recall".
    if any(match_status == "affected" for match_status, _ in evaluations):
        status = "affected"
    elif any(match_method == "external_list_required" for _, match_method in evaluations):
        status = "external_check_required"
    elif any(match_status == "unknown" for match_status, _ in evaluations):
        status = "serial_unknown"
    else:
        status = "not_affected"
    # "`external_list_required` for that status; `model_match` where a recall of all units decides; else
    # `pattern` where a serial was given and a recall has a pattern; else `model_match`."
    if status == "external_check_required":
        return status, "external_list_required"
    if any(recall.affected_serials.scope == "all_units" for recall in recalls):
        return status, "model_match"
    if unit.serial is not None and any(recall.affected_serials.pattern is not None for recall in recalls):
        return status, "pattern"
    return status, "model_match"


def evaluate_serial(recall: Recall, unit: Unit) -> tuple[str, str]:
    """Return match status and match method of one recall: the table of domain §8, row by row."""
    affected = recall.affected_serials
    lookup = "external_list_required" if affected.explicit_list_url is not None else "none"
    # "`all_units` | given or not | affected / pattern / banned".
    if affected.scope == "all_units":
        return "affected", "pattern"
    if affected.pattern is None:
        # "lookup URL only | … | unknown / external_list_required", and how: "whether or not a serial is
        # given". "dates only, or nothing | given | unknown / none".
        return "unknown", lookup
    if unit.serial is None:
        # "any but `all_units` | hash only | unknown: a hash cannot be matched by a pattern"; how: "A recall
        # with a pattern and a lookup address is so once a serial (or a hash) was given …; before that it is
        # plainly unknown."
        return "unknown", lookup if unit.serial_hash is not None else "none"
    # "Normalizing: trim, upper-case, drop inner spaces."
    # how: "A serial is read in upper case, without white space, full-width forms as their ASCII twins".
    identifier = "".join(unicodedata.normalize("NFKC", unit.serial).upper().split())
    # "the whole normalized identifier must match".
    if _matches(affected.pattern, identifier):
        return "affected", "pattern"
    # "matches `not_affected_pattern`, or no match where the recall is marked exhaustive".
    outside = affected.exhaustive or (
        affected.not_affected_pattern is not None and _matches(affected.not_affected_pattern, identifier)
    )
    if outside and not _might_be_affected(affected.pattern, identifier):
        return "not_affected", "pattern"
    # "no match otherwise | unknown / `external_list_required` where a lookup URL exists, else `none`".
    return "unknown", lookup


def _might_be_affected(pattern: str, identifier: str) -> bool:
    """Domain §8: "if any reading is affected, the answer is never not_affected", "within a bound"."""
    groups = [
        next((group for group in LOOK_ALIKES if character in group), character) for character in identifier
    ]
    # how: "One with more than 4,096 look-alike readings, or with other characters outside ASCII, is never
    # `not_affected`."
    if math.prod(len(group) for group in groups) > MOST_READINGS or not identifier.isascii():
        return True
    return any(_matches(pattern, "".join(reading)) for reading in itertools.product(*groups))


def _matches(pattern: str, identifier: str) -> bool:
    return re.fullmatch(pattern, identifier, re.ASCII) is not None


# --- What is listed -----------------------------------------------------------------------------------------


def _constraints(
    question: Question,
    recall_status: str,
    confirm: bool,
    weighed: _Weighed,
    doubts: list[Certificate],
    *,
    recalled: bool,
) -> list[Entry]:
    """how, "Constraints": what bans; preconditions; limits; conduct.

    "Within each: recall, then watt-hour figure, then certificate, then rules in path order of their first
    appearance. One entry for each registry code".
    """
    binding = [rule for rule in weighed.applied if rule.effect in ("require", "prohibit")]
    in_path_order = _distinct(str(rule.code) for rule in binding)
    # how, "Recalls": "The middle two add the precondition `recall_serial_check`"; what the list answered:
    # "`not_affected` makes it `recall_list_proof`", and `affected` bans, so that nothing is left to check.
    check: list[str] = []
    if recall_status in ("serial_unknown", "external_check_required"):
        check = {
            "not_checked": ["recall_serial_check"],
            "not_affected": ["recall_list_proof"],
            "affected": [],
        }[question.unit.recall_check]
    banning = {rule.code for rule in weighed.bans}
    names = [
        *(["recalled_not_permitted"] if recalled else []),
        *(name for name in in_path_order if name in banning),
        *check,
        *(["confirm_rated_watt_hour"] if confirm else []),
        *(["ccc_certificate_suspended"] if doubts else []),
        # "A met limit and a proven precondition are listed too: they are how to carry it."
        *(name for name in in_path_order if name in PRECONDITIONS),
        *(name for name in in_path_order if name in LIMITS),
        # "Conduct is not listed for `checked`, except where it bans."
        *(name for name in in_path_order if name in CONDUCT and question.compartment_intent != "checked"),
    ]
    # how, "Certificates": it "names the lookup address of the first such certificate that has one."
    address = next((one.lookup_url for one in doubts if one.lookup_url is not None), None)
    return [
        Entry(name, name, address) if name == "ccc_certificate_suspended" else _entry(name, binding)
        for name in _distinct(names)
    ]


def _entry(name: str, rules: list[Rule]) -> Entry:
    """how: "where several rules bind the same thing the strictest parameter is shown"."""
    same = [rule for rule in rules if rule.code == name]
    if name == "over_watt_hour_limit":
        limits = [rule.params.limit_watt_hour for rule in same if rule.params.limit_watt_hour is not None]
        return Entry(name, name, min(limits))
    units = [rule.params.max_units for rule in same if rule.params.max_units is not None]
    if name not in ("max_units", "quantity_advice") or not units:
        return Entry(name, name)
    fewest = min(units)
    if name == "quantity_advice":
        return Entry(name, name, fewest)
    # "`max_units` shows as `max_units_<n>`, or `max_units_over_<w>wh_<n>` when its rule has `watt_hour_over`;
    # of two equally strict ones the first in path order is shown."
    over = next(rule for rule in same if rule.params.max_units == fewest).when.watt_hour_over
    if over is None:
        return Entry(f"max_units_{fewest}", name, fewest)
    return Entry(f"max_units_over_{format(over.normalize(), 'f')}wh_{fewest}", name, fewest)


def _warnings(
    content: Content,
    in_play: list[Rule],
    question: Question,
    device: Device,
    airline: Airline,
    recall_status: str,
    confirm: bool,
    weighed: _Weighed,
    constraints: list[Entry],
) -> list[Entry]:
    """how, "Warnings": those before `transit_rescreening`, in the order of the list."""
    names = []
    # "`device_facts_unconfirmed` (no source of the device was ever read)".
    if not any(_was_read(source) for source in _sources(content, device.sources)):
        names.append("device_facts_unconfirmed")
    # "the warning `recall_external_list` or `recall_serial_unknown`"; "Where the list answered, neither
    # warning is given".
    unchecked = question.unit.recall_check == "not_checked"
    if recall_status == "external_check_required" and unchecked:
        names.append("recall_external_list")
    if recall_status == "serial_unknown" and unchecked:
        names.append("recall_serial_unknown")
    if confirm:
        names.append("watt_hour_unconfirmed")
    if "ccc_certificate_suspended" in {constraint.name for constraint in constraints}:
        names.append("ccc_mark_in_doubt")
    # "advice of the applied rules in path order"; "Advice under a listed constraint that covers it is left
    # out".
    advice = [rule for rule in weighed.applied if rule.effect == "advise"]
    listed = {constraint.name for constraint in constraints}
    names += [str(rule.code) for rule in advice if COVERED_BY.get(str(rule.code)) not in listed]
    # "`airline_approval_review` (wherever `airline_approval_required` speaks)".
    if any(rule.code == "airline_approval_required" for rule in weighed.applied):
        names.append("airline_approval_review")
    if airline.confidence == "unverified":
        names.append("airline_policy_unconfirmed")
    # "no rule in force of a jurisdiction that holds the origin is in play, in whatever role."
    origin = _holding(content, question.leg.origin)
    if not any(
        rule.issuer == "regulator" and rule.jurisdiction in origin and _in_force(rule, question.travel_date)
        for rule in in_play
    ):
        names.append("baseline_only_coverage")
    return [_entry(name, advice) for name in _distinct(names)]


def _evidence(content: Content, rules: list[Rule]) -> list[tuple[Reading, ...]]:
    """Return, for each rule, the readings of its sources; once where rules have the same ones."""
    by_id = _by_id(content)
    return _distinct(
        tuple(_distinct(_reading(by_id[name]) for name in names if _was_read(by_id[name])))
        for names in _distinct(rule.sources for rule in rules)
    )


def _reading(source: Source) -> Reading:
    return source.read_on, GOOD_DAYS[source.cadence or CADENCE_OF_KIND[source.kind]]


def _freshness(evidence: list[tuple[Reading, ...]], today: date) -> str:
    """how, "How old evidence may be": "an answer as the stalest of the rules that it applies"."""
    return _stalest(_freshness_of_rule(readings, today) for readings in evidence)


def _freshness_of_rule(readings: tuple[Reading, ...], today: date) -> str:
    """how: "A rule is as fresh as the freshest of its sources that were read"."""
    return min((_freshness_of_reading(reading, today) for reading in readings), key=FRESHEST_FIRST.index)


def _freshness_of_reading(reading: Reading, today: date) -> str:
    read_on, good = reading
    age = (today - read_on).days
    if age <= good:
        return "fresh"
    # "and beyond twice as many days *very stale*".
    return "stale" if age <= 2 * good else "very_stale"


def _stalest(found: Iterable[str]) -> str:
    return max(found, key=FRESHEST_FIRST.index, default="fresh")


def _staler_on(evidence: list[tuple[Reading, ...]], today: date) -> date | None:
    """Try each day on which a source behind some rules gets staler."""
    days = {
        read_on + timedelta(days=times * good + 1)
        for read_on, good in itertools.chain.from_iterable(evidence)
        for times in (1, 2)
    }
    now = _freshness(evidence, today)
    # "within 30 days": further ahead it is not told.
    later = _within_30_days(days, today)
    return next((day for day in later if _freshness(evidence, day) != now), None)


def _within_30_days(days: Iterable[date], after: date) -> list[date]:
    """Return those of some days that are 1 to 30 days after another, the first of them first."""
    last = after + timedelta(days=30)
    return sorted(day for day in days if after < day <= last)


def _oldest(evidence: list[tuple[Reading, ...]], today: date) -> date:
    """how: "the day on which the evidence that is so old was last read; of several rules, the earliest"."""
    worst = _freshness(evidence, today)
    return min(
        max(read_on for read_on, _ in readings)
        for readings in evidence
        if _freshness_of_rule(readings, today) == worst
    )


def _rule_change_upcoming(
    content: Content, question: Question, in_play: list[Rule], decision: _Decision
) -> date | None:
    """how, "`rule_change_upcoming`": "It names the first such day."""
    # "there is a day, 1 to 30 days after the travel date, on which a rule in play starts".
    starts = {rule.effective_from for rule in in_play if rule.effective_from is not None}
    for day in _within_30_days(starts, question.travel_date):
        then = Question(
            unit=question.unit,
            leg=question.leg,
            travel_date=day,
            compartment_intent=question.compartment_intent,
        )
        # "the same question on that day gets another verdict, other constraints or other warnings (… a mere
        # change of order is none)".
        try:
            # "Certificates count as on the travel date."
            other = _decide(content, then, in_play, question.travel_date)
        except AirlineNotCovered:
            return day
        if _reads_otherwise(other, decision):
            return day
    return None


def _certificate_change_upcoming(
    content: Content, question: Question, in_play: list[Rule], decision: _Decision
) -> date | None:
    """how, "`certificate_change_upcoming`": "It names the first such day."""
    # "on which a certificate begins to be suspended or revoked".
    starts = {
        one.since for one in decision.device.certificates if one.since is not None and one.status != "valid"
    }
    for day in _within_30_days(starts, question.travel_date):
        # "where the certificates of that day count on the travel date".
        if _reads_otherwise(_decide(content, question, in_play, day), decision):
            return day
    return None


def _reads_otherwise(one: _Decision, other: _Decision) -> bool:
    return (
        one.verdict != other.verdict
        or set(one.constraints) != set(other.constraints)
        or set(one.warnings) != set(other.warnings)
    )


def _severest_first(warnings: list[Entry], grave: set[str]) -> list[tuple[str, str]]:
    """how: "the severest first, otherwise in this order"."""
    severities = [
        (warning.code, "caution" if warning.name in grave else str(CODES[warning.name].severity))
        for warning in warnings
    ]
    return sorted(severities, key=lambda row: ["critical", "caution", "advisory"].index(row[1]))


# --- Citations and dates ------------------------------------------------------------------------------------


def _citations(content: Content, decision: _Decision) -> list[tuple[str, str, str, str, date]]:
    """how, "Citations": "of the device, of its recalls, of the certificates … and of the applied rules"."""
    names = [
        *decision.device.sources,
        *(name for recall in decision.recalls for name in recall.sources),
        *(one.source for one in decision.doubts),
        *(name for rule in decision.applied for name in rule.sources),
    ]
    # "A source that nobody read (`general_knowledge`) is never shown, and two sources that would look the
    # same are shown once."
    return _distinct(
        (source.kind, source.authority, source.jurisdiction, source.url, source.read_on)
        for source in _sources(content, names)
        if _was_read(source)
    )


def _sources(content: Content, names: Iterable[str]) -> list[Source]:
    by_id = _by_id(content)
    return [by_id[name] for name in names]


def _by_id(content: Content) -> dict[str, Source]:
    return {source.id: source for source in content.sources}


def _was_read(source: Source) -> bool:
    """Domain §8: `general_knowledge` "was never pulled"."""
    return source.basis != "general_knowledge"


def _next_change(dated: Iterable[Rule | Certificate], today: date) -> date | None:
    """how, "How long it holds": the first day after today when a rule "starts or no longer holds".

    Or when "the status of a certificate of the model changes".
    """
    spans = [
        (one.since, one.until) if isinstance(one, Certificate) else (one.effective_from, one.effective_until)
        for one in dated
    ]
    days = [start for start, _ in spans if start is not None]
    # The last day of the calendar has none after it.
    days += [end + ONE_DAY for _, end in spans if end is not None and end < date.max]
    return min((day for day in days if day > today), default=None)


def _strictest(verdicts: Iterable[str]) -> str:
    return min(verdicts, key=STRICTEST_FIRST.index)


def _distinct(items: Iterable[Thing]) -> list[Thing]:
    return list(dict.fromkeys(items))
