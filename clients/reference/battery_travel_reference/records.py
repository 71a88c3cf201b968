"""The records of a release, as far as an answer depends on them. All are frozen."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TypeVar

Key = TypeVar("Key")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Source:
    """A page of evidence.

    Attributes:
        was_read: Whether a person read it. A source that was not read is never cited.
        good_days: How many days after `read_on` the reading is fresh.

    """

    kind: str
    authority: str
    jurisdiction: str
    url: str
    was_read: bool
    read_on: date
    good_days: int


@dataclass(frozen=True, slots=True)
class Airline:
    """An airline: where it is based, and how well its policy is known."""

    code: str
    country: str
    confidence: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """The status of a certificate behind the mark of a model. Open days are null."""

    status: str
    source: str
    lookup_url: str | None
    first_day: date | None
    last_day: date | None

    def in_force(self, day: date) -> bool:
        """Return whether the certificate has its status on a day; both its first and last day count."""
        return (self.first_day is None or self.first_day <= day) and (
            self.last_day is None or day <= self.last_day
        )


@dataclass(frozen=True, slots=True)
class Device:
    """An exact model. Its watt-hours are null where they are unknown."""

    model_id: str
    watt_hour: Decimal | None
    basis: str
    certificates: tuple[Certificate, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class When:
    """The conditions of a rule. All must hold; a null one always holds."""

    watt_hour_over: Decimal | None
    watt_hour_at_least: Decimal | None
    watt_hour_up_to: Decimal | None
    compartment: tuple[str, ...] | None
    recall_status: tuple[str, ...] | None
    condition: tuple[str, ...] | None
    certification_missing: str | None
    quantity_over: int | None
    model: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of an authority or an airline. `airline` is null for an authority's; open days are null."""

    rule_id: str
    jurisdiction: str
    airline: str | None
    applies: tuple[str, ...]
    when: When
    effect: str
    code: str | None
    max_units: int | None
    limit_watt_hour: Decimal | None
    first_day: date | None
    last_day: date | None
    sources: tuple[str, ...]

    def in_force(self, day: date) -> bool:
        """Return whether the rule is in force on a day; both its first and last day count."""
        return (self.first_day is None or self.first_day <= day) and (
            self.last_day is None or day <= self.last_day
        )


@dataclass(frozen=True, slots=True)
class Recall:
    """A recall of exactly one model, and which of its units are affected."""

    recall_id: str
    model_id: str
    all_units: bool
    pattern: re.Pattern[str] | None
    clearing_pattern: re.Pattern[str] | None
    exhaustive: bool
    has_list: bool
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """A release: every record, and the SHA-256 of the file that it was read from.

    `regions` are the regions of which each country is a member. `rules_of` are the rules of each airline, and
    at None those of all authorities; `recalls_of` are the recalls of each model.
    """

    ruleset_version: str
    sha256: str
    countries: frozenset[str]
    regions: dict[str, tuple[str, ...]]
    sources: dict[str, Source]
    airlines: dict[str, Airline]
    devices: dict[str, Device]
    rules: tuple[Rule, ...]
    recalls: tuple[Recall, ...]
    rules_of: dict[str | None, list[Rule]] = field(init=False)
    recalls_of: dict[str, list[Recall]] = field(init=False)

    def __post_init__(self) -> None:
        """Group the rules and the recalls."""
        object.__setattr__(self, "rules_of", _grouped((one.airline, one) for one in self.rules))
        object.__setattr__(self, "recalls_of", _grouped((one.model_id, one) for one in self.recalls))


def _grouped(pairs: Iterable[tuple[Key, Row]]) -> dict[Key, list[Row]]:
    found: dict[Key, list[Row]] = {}
    for key, row in pairs:
        found.setdefault(key, []).append(row)
    return found
