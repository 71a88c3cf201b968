"""The closed words of a release: verdicts, effects, scopes, and every code that a rule can have.

Each table restates `docs/how-a-verdict-is-made.md` and the list of codes behind it. A word that is missing
here is refused (`decoding`): a program that skips a rule could call something allowed that is not.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

VERDICTS = ("banned", "insufficient", "conditional", "allowed")
"""From the strictest to the mildest."""

COMPARTMENTS = ("carry_on", "checked", "on_person")
MARKS = ("present", "absent", "unknown")
LABELS = ("legible", "missing", "unknown")
CONDITIONS = ("intact", "damaged", "unknown")
LIST_ANSWERS = ("not_checked", "not_affected", "affected")
RECALL_STATUSES = ("not_affected", "affected", "serial_unknown", "external_check_required")

EFFECTS = ("permit", "require", "prohibit", "advise")
SCOPES = ("global", "departure", "arrival", "domestic", "operator", "airline")
BASELINE = "INTL"
"""The jurisdiction of the international baseline, which contains every country."""

MOST_UNITS = 20


@dataclass(frozen=True, slots=True)
class Code:
    """What a code of a rule means.

    Attributes:
        nature: `limit`, `precondition` or `conduct` (of a requirement), `prohibition` or `advice`.
        parameter: The parameter that the code takes, if it takes one.
        severity: How grave the warning is, of advice.
        covered_by: The code of a constraint that makes this advice redundant.

    """

    nature: str
    parameter: str | None = None
    severity: str | None = None
    covered_by: str | None = None


EFFECT_OF_NATURE = {
    "limit": "require",
    "precondition": "require",
    "conduct": "require",
    "prohibition": "prohibit",
    "advice": "advise",
}

CODES = {
    "carry_on_only": Code("limit"),
    "max_units": Code("limit", parameter="max_units"),
    "airline_approval_required": Code("precondition"),
    "ccc_mark_required": Code("precondition"),
    "label_required": Code("conduct"),
    "terminals_protected": Code("conduct"),
    "no_onboard_use": Code("conduct"),
    "onboard_use_restricted": Code("conduct"),
    "no_onboard_recharge": Code("conduct"),
    "keep_within_reach": Code("conduct"),
    "keep_visible": Code("conduct"),
    "visible_when_in_use": Code("conduct"),
    "on_person_or_seat_pocket": Code("conduct"),
    "no_overhead_bin": Code("conduct"),
    "remove_before_gate_check": Code("conduct"),
    "switched_off": Code("conduct"),
    "personal_use_only": Code("conduct"),
    "un38_3_type_tested": Code("conduct"),
    "over_watt_hour_limit": Code("prohibition", parameter="limit_watt_hour"),
    "recalled_not_permitted": Code("prohibition"),
    "damaged_not_permitted": Code("prohibition"),
    "onboard_use_discouraged": Code("advice", severity="advisory", covered_by="no_onboard_use"),
    "onboard_use_airline_decides": Code("advice", severity="advisory", covered_by="no_onboard_use"),
    "overhead_bin_discouraged": Code("advice", severity="advisory", covered_by="no_overhead_bin"),
    "quantity_advice": Code("advice", parameter="max_units", severity="advisory", covered_by="max_units"),
    "keep_within_reach_advised": Code("advice", severity="advisory", covered_by="keep_within_reach"),
    "ccc_mark_enforcement_varies": Code("advice", severity="caution"),
    "ccc_applies_to_connections": Code("advice", severity="caution"),
    "confiscation_risk": Code("advice", severity="caution"),
    "over_100wh_refusal_likely": Code("advice", severity="caution"),
}
"""Every code that a rule can have."""

NOTICES = {
    "airline_approval_review": "advisory",
    "airline_policy_unconfirmed": "caution",
    "baseline_only_coverage": "advisory",
    "ccc_mark_in_doubt": "caution",
    "certificate_change_upcoming": "advisory",
    "device_facts_unconfirmed": "advisory",
    "evidence_stale": "advisory",
    "recall_external_list": "caution",
    "recall_serial_unknown": "caution",
    "rule_change_upcoming": "advisory",
    "transit_rescreening": "advisory",
    "watt_hour_unconfirmed": "caution",
}
"""The severity of each warning that is not advice of a rule. Very stale evidence is a caution."""

SEVERITIES = ("critical", "caution", "advisory")
"""From the gravest."""


def strictest(verdicts: Iterable[str]) -> str:
    """Return the strictest of some verdicts."""
    return min(verdicts, key=VERDICTS.index)


def plain(number: Decimal) -> str:
    """Return a decimal as people write it: `100`, `99.9`."""
    return f"{number.normalize():f}"
