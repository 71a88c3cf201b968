"""Every airline of a release with its policy, and which of them a reader asked for, in which order.

The fields are those of the airline's own page: the rules on file for it, with watt-hours no milder than the
rules around them. `own` are the fields of its rules alone, as GET /api/airlines/{code} gives them. `whose`
says whether they are its own or assumed. Made once for each edition. Called by the list of airlines, its CSV
and comparisons.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

import msgspec

from aeo.asking.names.airlines import find
from aeo.editions import Edition
from aeo.reference import approval
from aeo.reference.whose import Whose, whose
from rules.engine.facts import Airline
from rules.selectors import readings, rules
from rules.selectors.policy_fields import (
    PolicyFields,
    RestrictionField,
    RestrictionWord,
    WattHourField,
    is_kept_elsewhere,
    refusal_instead,
)
from rules.selectors.readings import HOW_READ, LastRead

MOST_CHARACTERS = 100
"""A longer search is not a name."""


class Row(msgspec.Struct, frozen=True):
    """An airline, its policy, whose it is, and how it was read.

    `rules` is the number of its own rules in force, `confirmed` how many of them an official page states.
    """

    airline: Airline
    rules: int
    confirmed: int
    whose: Whose
    fields: PolicyFields
    own: PolicyFields
    read: LastRead


class Asked(msgspec.Struct, frozen=True):
    """Which airlines a reader asked for. `sort` is a key of `ORDERS`, empty for their names.

    `picked` are the codes of airlines to compare, whether they fit the rest or not.
    """

    q: str = ""
    country: str = ""
    one_unit: bool = False
    no_use: bool = False
    sort: str = ""
    picked: tuple[str, ...] = ()


# One edition is shown at a time, and the next one is prepared.
@lru_cache(maxsize=2)
def rows(edition: Edition) -> tuple[Row, ...]:
    """Return every airline, by name."""
    found = [_row(edition, airline) for airline in edition.release.shelf.airlines.values()]
    return tuple(sorted(found, key=lambda row: (row.airline.name.casefold(), row.airline.airline)))


def chosen(edition: Edition, asked: Asked) -> list[Row]:
    """Return the airlines that fit; the strictest first if they are sorted, what is not known last."""
    found = [row for row in rows(edition) if _fits(row, asked)]
    if asked.q:
        every = len(edition.release.shelf.airlines)
        codes = {one.airline for one in find(edition.release, asked.q[:MOST_CHARACTERS], every)}
        found = [row for row in found if row.airline.airline in codes]
    return sorted(found, key=ORDERS[asked.sort]) if asked.sort else found


def _fits(row: Row, asked: Asked) -> bool:
    units, use = row.fields.max_units, row.fields.onboard_use
    return (
        asked.country in ("", row.airline.country)
        and (not asked.one_unit or (units is not None and units.value <= 1))
        and (not asked.no_use or (use is not None and use.value == "prohibited"))
    )


def _row(edition: Edition, airline: Airline) -> Row:
    release = edition.release
    active = rules.active(release, airline.airline, edition.today)
    fields, own = approval.summed(active, approval.around_airline(edition, airline))
    return Row(
        airline=airline,
        rules=len(active),
        confirmed=readings.confirmed(active),
        whose=whose(airline, active),
        fields=fields,
        own=own,
        read=readings.of_airline(release, airline),
    )


_Rank = tuple[bool, Decimal]


def _figure(field: WattHourField | None) -> _Rank:
    return field is None, Decimal(0) if field is None else field.value


def _units(row: Row) -> tuple[bool, int, bool, int]:
    most, large = row.fields.max_units, row.fields.max_units_over_100_watt_hour
    return (most is None, most.value if most else 0, large is None, large.value if large else 0)


_STRICTEST_FIRST: Sequence[RestrictionWord] = (
    "prohibited",
    "restricted",
    "depends",
    "airline_decides",
    "discouraged",
)


def severity(field: RestrictionField | None) -> int:
    """Return how strict a restriction is, 0 the strictest; what is not known comes last."""
    return len(_STRICTEST_FIRST) if field is None else severity_of(field.value)


def severity_of(value: RestrictionWord) -> int:
    """Return how strict the value of a restriction is, 0 the strictest."""
    return _STRICTEST_FIRST.index(value)


def _bin(row: Row) -> int:
    return severity_of("restricted") if is_kept_elsewhere(row.fields) else severity(row.fields.overhead_bin)


ORDERS: Mapping[str, Callable[[Row], Any]] = {
    "units": _units,
    "free": lambda row: _figure(row.fields.carry_on_max_watt_hour_without_approval),
    "approved": lambda row: _figure(
        row.fields.carry_on_max_watt_hour_with_approval
        or refusal_instead(row.fields, "carry_on_max_watt_hour_with_approval")
    ),
    "use": lambda row: severity(row.fields.onboard_use),
    "recharge": lambda row: severity(row.fields.onboard_recharge),
    "bin": _bin,
    "label": lambda row: row.fields.label is None,
    "since": lambda row: (row.airline.effective_from is None, str(row.airline.effective_from)),
    "known": lambda row: (not row.rules, HOW_READ.index(row.read.how)),
}
"""The orders that a reader may choose. Among equals, airlines stay by name."""
