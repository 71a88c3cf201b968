"""The closed vocabulary of the engine: verdicts, effects, scopes, natures, severities and every code.

Codes are closed and defined here, so every message exists in every language and analysis can reason about
rules. Editors choose a code and its parameters; they never write the text of a verdict.
`docs/how-a-verdict-is-made.md` explains each nature.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

import msgspec

from catalog.records import Certification, Confidence, SourceBasis, SourceKind

__all__ = [
    "CODES",
    "COMPARTMENT_WORDS",
    "EFFECT_OF_NATURE",
    "MAX_DAYS_AHEAD",
    "MAX_FLIGHTS",
    "MAX_ITEMS",
    "MAX_PASSENGERS",
    "MAX_QUANTITY",
    "MAX_UNIT_FLIGHTS",
    "SEVERITY_ORDER",
    "STRICTNESS",
    "Certification",
    "Code",
    "Compartment",
    "Confidence",
    "Effect",
    "Issuer",
    "LabelIndication",
    "ListAnswer",
    "MarkIndication",
    "Nature",
    "Scope",
    "Severity",
    "SourceBasis",
    "SourceKind",
    "UnitCondition",
    "Verdict",
    "strictest",
]

Verdict = Literal["allowed", "conditional", "insufficient", "banned"]
Compartment = Literal["carry_on", "checked", "on_person"]
MarkIndication = Literal["present", "absent", "unknown"]
LabelIndication = Literal["legible", "missing", "unknown"]
UnitCondition = Literal["intact", "damaged", "unknown"]
ListAnswer = Literal["not_checked", "not_affected", "affected"]
"""What the maker's list answered about the unit, according to the traveler."""

COMPARTMENT_WORDS: dict[Compartment, str] = {
    "carry_on": "in a cabin bag",
    "on_person": "on the person",
    "checked": "in checked baggage",
}
"""English words for editors. The translated words for travelers are in `rules.wording` and `aeo.texts`."""

MAX_QUANTITY = 20

MAX_PASSENGERS = 9
MAX_ITEMS = 20
MAX_FLIGHTS = 10
MAX_UNIT_FLIGHTS = 400
"""How many units times flights an itinerary may have."""

MAX_DAYS_AHEAD = 366
"""How far after today a travel date may be."""

Effect = Literal["permit", "require", "prohibit", "advise"]
Issuer = Literal["regulator", "airline"]
Scope = Literal["global", "departure", "arrival", "domestic", "operator", "airline"]
Severity = Literal["advisory", "caution", "critical"]

STRICTNESS: dict[Verdict, int] = {"allowed": 0, "conditional": 1, "insufficient": 2, "banned": 3}
"""The verdict lattice. A ban from any rule is final; the unknown is never allowed."""

SEVERITY_ORDER: dict[Severity, int] = {"critical": 0, "caution": 1, "advisory": 2}


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the strictest of some verdicts; `allowed` if there are none."""
    return max(verdicts, key=STRICTNESS.__getitem__, default="allowed")


def stricter(one: Verdict, other: Verdict) -> Verdict:
    """Return the stricter of two verdicts."""
    return one if STRICTNESS[one] >= STRICTNESS[other] else other


class Nature(StrEnum):
    """What kind of thing a code says."""

    LIMIT = "limit"  # The request meets it or is banned.
    PRECONDITION = (
        "precondition"  # Something that must be shown first; if it is not shown, the verdict is conditional.
    )
    CONDUCT = "conduct"  # How to carry it; relevant in the cabin only.
    PROHIBITION = "prohibition"  # It may not travel.
    ADVICE = "advice"  # A warning that a rule gives.
    NOTICE = "notice"  # A warning that the engine itself gives.


EFFECT_OF_NATURE: dict[Nature, Effect] = {
    Nature.LIMIT: "require",
    Nature.PRECONDITION: "require",
    Nature.CONDUCT: "require",
    Nature.PROHIBITION: "prohibit",
    Nature.ADVICE: "advise",
}


class Code(msgspec.Struct, frozen=True):
    """One entry of the registry.

    `parameter` is the one rule parameter that the code takes; `covered_by` are binding codes that make this
    advice redundant; `from_rules` is false for codes that follow from recalls and device facts only. A
    warning has the severity `severity`, or `at_worst`, if there is one, when the matter is grave.
    """

    name: str
    nature: Nature
    parameter: Literal["max_units", "limit_watt_hour"] | None = None
    severity: Severity | None = None
    at_worst: Severity | None = None
    covered_by: frozenset[str] = frozenset()
    from_rules: bool = True


def _conduct(*names: str) -> list[Code]:
    return [Code(name, Nature.CONDUCT) for name in names]


def _advice(name: str, severity: Severity = "advisory", *, covered_by: tuple[str, ...] = ()) -> Code:
    return Code(name, Nature.ADVICE, severity=severity, covered_by=frozenset(covered_by))


def _notice(name: str, severity: Severity, *, at_worst: Severity | None = None) -> Code:
    return Code(name, Nature.NOTICE, severity=severity, at_worst=at_worst, from_rules=False)


CODES: dict[str, Code] = {
    code.name: code
    for code in [
        Code("carry_on_only", Nature.LIMIT),
        Code("max_units", Nature.LIMIT, parameter="max_units"),
        Code("airline_approval_required", Nature.PRECONDITION),
        Code("ccc_mark_required", Nature.PRECONDITION),
        Code("recall_serial_check", Nature.PRECONDITION, from_rules=False),
        Code("recall_list_proof", Nature.PRECONDITION, from_rules=False),
        Code("confirm_rated_watt_hour", Nature.PRECONDITION, from_rules=False),
        Code("ccc_certificate_suspended", Nature.PRECONDITION, from_rules=False),
        Code("exact_model_unknown", Nature.PRECONDITION, from_rules=False),
        Code("operating_airline_unconfirmed", Nature.PRECONDITION, from_rules=False),
        *_conduct(
            "label_required",
            "terminals_protected",
            "no_onboard_use",
            "onboard_use_restricted",
            "no_onboard_recharge",
            "keep_within_reach",
            "keep_visible",
            "visible_when_in_use",
            "on_person_or_seat_pocket",
            "no_overhead_bin",
            "remove_before_gate_check",
            "switched_off",
            "personal_use_only",
            "un38_3_type_tested",
        ),
        Code("over_watt_hour_limit", Nature.PROHIBITION, parameter="limit_watt_hour"),
        Code("recalled_not_permitted", Nature.PROHIBITION),
        Code("damaged_not_permitted", Nature.PROHIBITION),
        _advice("onboard_use_discouraged", covered_by=("no_onboard_use",)),
        _advice("onboard_use_airline_decides", covered_by=("no_onboard_use",)),
        _advice("overhead_bin_discouraged", covered_by=("no_overhead_bin",)),
        Code(
            "quantity_advice",
            Nature.ADVICE,
            parameter="max_units",
            severity="advisory",
            covered_by=frozenset({"max_units"}),
        ),
        _advice("keep_within_reach_advised", covered_by=("keep_within_reach",)),
        _advice("ccc_mark_enforcement_varies", "caution"),
        _advice("ccc_applies_to_connections", "caution"),
        _advice("confiscation_risk", "caution"),
        _advice("over_100wh_refusal_likely", "caution"),
        _notice("airline_approval_review", "advisory"),
        _notice("recall_serial_unknown", "caution"),
        _notice("recall_external_list", "caution"),
        _notice("airline_policy_unconfirmed", "caution"),
        _notice("baseline_only_coverage", "advisory"),
        _notice("watt_hour_unconfirmed", "caution"),
        _notice("ccc_mark_in_doubt", "caution"),
        _notice("device_facts_unconfirmed", "advisory"),
        _notice("evidence_stale", "advisory", at_worst="caution"),
        _notice("rule_change_upcoming", "advisory"),
        _notice("certificate_change_upcoming", "advisory"),
        _notice("transit_rescreening", "advisory"),
        _notice("marketing_airline_stricter", "caution"),
        _notice("other_spares_count_too", "advisory"),
    ]
}
"""The code registry, by name."""
