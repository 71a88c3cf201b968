"""Lists in guides: which airlines and which authorities of a release have a rule of one kind.

A guide that named them itself would miss the next one. So it names a list. The list is made from the rules in
force on the day of reading, by the selectors behind the policy tables of airlines.
"""

import datetime
from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

import msgspec

from aeo.guides.reading import ListName
from rules.corpus import Published
from rules.engine.facts import Rule
from rules.selectors.policy_fields import PolicyFields, policy_fields

HUNDRED = Decimal(100)


class Named(msgspec.Struct, frozen=True):
    """Airlines and places by their codes, all sorted.

    `assumed` are airlines of which nothing says so: general rules count for them until their policy is read.
    """

    airlines: tuple[str, ...]
    assumed: tuple[str, ...]
    places: tuple[str, ...]


def _takes_one_unit(fields: PolicyFields) -> bool:
    return fields.max_units is not None and fields.max_units.value == 1


def _asks_for_a_label(fields: PolicyFields) -> bool:
    return fields.label is not None


def _refuses_over_100_wh(fields: PolicyFields) -> bool:
    limit = fields.carry_on_prohibited_over_watt_hour
    return limit is not None and limit.watt_hour <= HUNDRED


def _forbids_use(fields: PolicyFields) -> bool:
    return fields.onboard_use is not None and fields.onboard_use.value == "prohibited"


Belongs = Callable[[PolicyFields], bool]

BELONGS: dict[ListName, Belongs] = {
    "take_one_unit": _takes_one_unit,
    "ask_for_a_label": _asks_for_a_label,
    "refuse_over_100_wh": _refuses_over_100_wh,
    "forbid_use": _forbids_use,
}
"""Who belongs to a list, by the sum of their own rules."""


def named(release: Published, today: datetime.date, name: ListName) -> Named:
    """Return the airlines and places of a list, from the rules in force on a day."""
    return _lists(release, today)[name]


# One release answers at a time. All its rules are folded once, which takes half a second.
@lru_cache(maxsize=1)
def _lists(release: Published, today: datetime.date) -> dict[ListName, Named]:
    airlines: dict[str, list[Rule]] = defaultdict(list)
    places: dict[str, list[Rule]] = defaultdict(list)
    for rule in release.shelf.rules.values():
        if rule.in_force(today):
            issuer = places[rule.jurisdiction] if rule.airline is None else airlines[rule.airline]
            issuer.append(rule)
    of_airlines = {code: policy_fields(rules) for code, rules in sorted(airlines.items())}
    of_places = {code: policy_fields(rules) for code, rules in sorted(places.items())}
    records = release.shelf.airlines
    stated = {
        code: policy_fields(rule for rule in airlines[code] if rule.confidence != "unverified")
        if records[code].confidence == "unverified"
        else fields
        for code, fields in of_airlines.items()
    }

    def listed(belongs: Belongs) -> Named:
        every = [code for code, fields in of_airlines.items() if belongs(fields)]
        said = [code for code in every if belongs(stated[code])]
        assumed = [code for code in every if code not in said]
        places = [code for code, fields in of_places.items() if belongs(fields)]
        return Named(tuple(said), tuple(assumed), tuple(places))

    return {name: listed(belongs) for name, belongs in BELONGS.items()}
