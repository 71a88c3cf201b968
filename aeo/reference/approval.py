"""The limits of watt-hours, after the rules around a policy are taken into account.

An airline can accept 160 Wh without a word on approval, while the international baseline asks for the
airline's approval above 100 Wh. Another refuses more than 160 Wh, while its home country refuses 160 Wh too.
The strictest rule decides. A page with only the airline's own figure would promise more than a verdict does.
Called by the builders of pages.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from aeo.editions import Edition
from rules.corpus import Published
from rules.engine.facts import INTERNATIONAL, Airline, Rule
from rules.selectors import rules
from rules.selectors.policy_fields import (
    CabinLimits,
    PolicyFields,
    WattHourField,
    cabin_limits,
    policy_fields,
)

ABROAD = frozenset({"departure", "arrival", "operator"})
"""The scopes of a country's rules that apply to international flights."""


def around_airline(edition: Edition, airline: Airline) -> list[Rule]:
    """Return the baseline and the rules of the airline's home country for its international flights."""
    home = (
        rule
        for place in edition.release.corpus.places(airline.country)
        for rule in of_place(edition, place)
        if not ABROAD.isdisjoint(rule.applies)
    )
    return [*baseline(edition), *home]


def baseline(edition: Edition) -> list[Rule]:
    """Return the rules of the international baseline that are in force."""
    return of_place(edition, INTERNATIONAL)


class Summed(NamedTuple):
    """The sum of own rules, with limits no milder than the rules around allow, and as they are."""

    fields: PolicyFields
    own: PolicyFields


def counted(own: Iterable[Rule], around: Iterable[Rule]) -> PolicyFields:
    """Return the sum of some rules. Its limits are no milder than the rules around allow."""
    return summed(own, around).fields


def summed(own: Iterable[Rule], around: Iterable[Rule]) -> Summed:
    """Return the sum of some rules, after and before the rules around are taken into account."""
    own = list(own)
    alone = policy_fields(own)
    return Summed(_no_milder(alone, cabin_limits([*own, *around])), alone)


def with_all(own: Iterable[Rule], around: Iterable[Rule]) -> tuple[PolicyFields, PolicyFields]:
    """Return the sum as in `counted`, and the sum of these rules and the rules around."""
    own = list(own)
    together = policy_fields([*own, *around])
    return _no_milder(policy_fields(own), together), together


def _no_milder(alone: PolicyFields, together: PolicyFields | CabinLimits) -> PolicyFields:
    alone_free = alone.carry_on_max_watt_hour_without_approval
    free = _lower(alone_free, together.carry_on_max_watt_hour_without_approval)
    accepted = alone.carry_on_max_watt_hour_with_approval
    over = alone.airline_approval_required_over_watt_hour
    if free != alone_free:
        accepted, over = accepted or alone_free, together.airline_approval_required_over_watt_hour
    refused = alone.carry_on_prohibited_over_watt_hour
    return replace(
        alone,
        carry_on_max_watt_hour_without_approval=free,
        airline_approval_required_over_watt_hour=over,
        carry_on_max_watt_hour_with_approval=_lower(accepted, together.carry_on_max_watt_hour_with_approval),
        carry_on_prohibited_over_watt_hour=_lower(refused, together.carry_on_prohibited_over_watt_hour),
    )


def lent(release: Published, fields: PolicyFields, own: Iterable[Rule]) -> list[Rule]:
    """Return the rules behind fields that are not among the own ones."""
    stated = [field for name in fields.__struct_fields__ if (field := getattr(fields, name)) is not None]
    known = {rule.rule_id for rule in own}
    behind = dict.fromkeys(rule_id for field in stated for rule_id in field.rule_ids)
    return [release.shelf.rules[rule_id] for rule_id in behind if rule_id not in known]


def of_place(edition: Edition, place: str) -> list[Rule]:
    """Return the rules of a jurisdiction's authority that are in force."""
    return rules.of_place(edition.release, place, edition.today)


def _lower(own: WattHourField | None, together: WattHourField | None) -> WattHourField | None:
    """Return the lower of two limits, the first if they are equal; None if one is unknown."""
    if own is None or together is None:
        return None
    return min(own, together, key=lambda field: field.value)
