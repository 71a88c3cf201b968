"""The limits of the international baseline in the release, and what they mean for a model.

They are computed from the baseline's own rules, with the selectors that sum up an airline's rules. So a page
says 100 Wh only as long as a rule does.
"""

import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Literal

import msgspec

from aeo.texts import say
from aeo.web.formatting import up_to
from catalog.energy import highest_plausible, hundredths
from rules.corpus import Published
from rules.engine.facts import INTERNATIONAL, Device, Rule
from rules.engine.matching import plain
from rules.selectors.policy_fields import (
    EnergySpan,
    PolicyFields,
    WattHourField,
    energy_spans,
    policy_fields,
)
from rules.selectors.rules import of_place

Standing = Literal["unknown", "free", "approved", "doubtful", "over", "none"]
"""Where a figure stands: not known, within a limit, near one with a computed figure, over both, no limits."""


class Limits(msgspec.Struct, frozen=True):
    """The baseline's limits: without approval, and with the approval of the airline.

    A limit is None if no rule of the release has it. `rules` are those behind the limits, `fields` the sum
    of all rules of the baseline.
    """

    free: WattHourField | None
    approved: WattHourField | None
    rules: tuple[Rule, ...]
    fields: PolicyFields


# One release answers at a time.
@lru_cache(maxsize=1)
def limits(release: Published, today: datetime.date) -> Limits:
    """Return the limits of the baseline that are in force on a day."""
    rules = of_place(release, INTERNATIONAL, today)
    fields = policy_fields(rules)
    free, approved = (
        fields.carry_on_max_watt_hour_without_approval,
        fields.carry_on_max_watt_hour_with_approval,
    )
    behind = {name for field in (free, approved) if field for name in field.rule_ids}
    return Limits(
        free,
        approved,
        tuple(sorted((rule for rule in rules if rule.rule_id in behind), key=_by_rating)),
        fields,
    )


# One release answers at a time.
@lru_cache(maxsize=1)
def spans(release: Published, today: datetime.date) -> tuple[EnergySpan, ...]:
    """Return what the baseline says of each rating on a day."""
    return energy_spans(of_place(release, INTERNATIONAL, today))


def _by_rating(rule: Rule) -> tuple[Decimal, bool, str]:
    return rule.when.watt_hour_over or Decimal(0), rule.effect != "permit", rule.rule_id


def standing(device: Device, known: Limits) -> tuple[Standing, WattHourField | None]:
    """Return where the figure of a model stands to the baseline's limits, and the limit that decides."""
    watt_hour = device.watt_hour
    if watt_hour is None:
        return "unknown", None
    limits: tuple[tuple[Standing, WattHourField | None], ...] = (
        ("free", known.free),
        ("approved", known.approved),
    )
    for name, limit in limits:
        if limit is not None and watt_hour <= limit.value:
            doubtful = device.watt_hour_basis == "computed" and _can_hide(watt_hour, limit.value)
            return "doubtful" if doubtful else name, limit
    return ("none", None) if known.approved is None else ("over", known.approved)


def sentence(device: Device, known: Limits) -> str:
    """Return a sentence about what the baseline's limits mean for a model."""
    name, limit = standing(device, known)
    values = {} if device.watt_hour is None else {"watt_hour": plain(device.watt_hour)}
    return say(f"limit.{name}", **values, **({} if limit is None else {"limit": up_to(limit.bound)}))


def _can_hide(watt_hour: Decimal, limit: Decimal) -> bool:
    """Tell whether a computed figure below a limit may hide a rating above it, as in the engine."""
    return highest_plausible(hundredths(watt_hour)) > hundredths(limit)
