"""A policy as a table: what rules add up to, field by field, each with the evidence that it rests on.

Every field of `rules.selectors.policy_fields.PolicyFields` has a label here, in the order in which pages show
them. Airline pages show an airline's policy, country pages that of its authorities for departing flights.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from aeo.pages import parts
from aeo.pages.record import Line, Paragraph, Table
from aeo.texts import say
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.matching import plain
from rules.selectors import evidence
from rules.selectors.policy_fields import (
    PolicyFields,
    RequirementField,
    RestrictionField,
    UnitsField,
    WattHourField,
)

PolicyField = WattHourField | UnitsField | RestrictionField | RequirementField

LABELS = {
    "carry_on_max_watt_hour_without_approval": "In the cabin without approval",
    "airline_approval_required_over_watt_hour": "With the airline's approval only",
    "carry_on_max_watt_hour_with_approval": "In the cabin with approval",
    "carry_on_prohibited_over_watt_hour": "Refused in the cabin",
    "max_units": "Units per passenger",
    "max_units_over_100_watt_hour": "Units above 100 Wh per passenger",
    "advised_max_units": "Units per passenger, as advised",
    "checked_baggage": "In checked baggage",
    "damaged_units": "Damaged units",
    "recalled_units": "Units under recall",
    "onboard_use": "Charging devices from it on board",
    "onboard_recharge": "Recharging it on board",
    "overhead_bin": "In the overhead bin",
    "label": "A readable rating",
    "ccc_mark": "A CCC (3C) mark",
    "terminal_protection": "Terminals protected",
    "keep_within_reach": "Kept within reach",
    "keep_visible": "Kept in sight",
    "visible_when_in_use": "In sight while in use",
    "on_person_or_seat_pocket": "On the person or in the seat pocket",
    "remove_before_gate_check": "Taken out before a bag is checked at the gate",
    "switched_off": "Switched off",
    "personal_use_only": "For personal use only",
    "un38_3_type_tested": "Of a type that passed the UN 38.3 tests",
}

_FIGURES = {
    "carry_on_max_watt_hour_without_approval": "up to {} Wh",
    "airline_approval_required_over_watt_hour": "above {} Wh",
    "carry_on_max_watt_hour_with_approval": "up to {} Wh",
    "carry_on_prohibited_over_watt_hour": "above {} Wh",
    "max_units": "at most {}",
    "max_units_over_100_watt_hour": "at most {}",
    "advised_max_units": "at most {}",
}

_WORDS = {
    "prohibited": "not allowed",
    "restricted": "restricted",
    "airline_decides": "as the airline decides",
    "discouraged": "advised against",
    "required": "required",
    "advised": "advised",
    "depends": "in part of the cases: see its rules",
}


def policy_blocks(
    release: Published, fields: PolicyFields, cited: Sequence[Citation]
) -> tuple[Table | Paragraph, ...]:
    """Return the fields that are known as a table, and name those that are not; nothing where none is.

    `cited` are the sources of the page, in the order in which it lists them.
    """
    numbers = parts.numbered(cited)
    known = [name for name in LABELS if getattr(fields, name) is not None]
    silent = [_in_sentence(LABELS[name]) for name in LABELS if name not in known]
    if not known:
        return ()
    rows = tuple(_row(release, name, getattr(fields, name), numbers) for name in known)
    table = Table(("About", "What is said", "Evidence"), rows)
    return (table, Paragraph((say("policy.not_said", topics="; ".join(silent)),))) if silent else (table,)


def _in_sentence(label: str) -> str:
    return label if label[1].isupper() else label[0].lower() + label[1:]


def _row(
    release: Published, name: str, field: PolicyField, numbers: Mapping[Citation, int]
) -> tuple[Line, Line, Line]:
    behind = (source for rule_id in field.rule_ids for source in release.shelf.rules[rule_id].sources)
    cited = evidence.citations(release, behind)
    return (LABELS[name],), (value_words(name, field.value),), parts.in_brackets(cited, numbers)


def value_words(name: str, value: Decimal | int | str) -> str:
    """Return what the value of a field says."""
    if isinstance(value, str):
        return _WORDS[value]
    return _FIGURES[name].format(plain(Decimal(value)))
