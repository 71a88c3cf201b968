"""Answers as typed values. Nothing here decides: only `judging` does."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

Json: TypeAlias = Mapping[str, Any]
"""An object of a body that was read as JSON."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A requirement. Show `message` to the traveler.

    Attributes: rule_ids: The rules that make it, for `GET /api/rules/{rule_id}`; none where it follows from
    facts alone, such as an open recall.

    """

    code: str
    message: str
    rule_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """Information: a warning of the answer. `rule_ids` are the rules that make it, if any."""

    code: str
    severity: str
    message: str
    rule_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A piece of evidence."""

    kind: str
    authority: str
    jurisdiction: str | None
    url: str
    pulled_at: str | None


@dataclass(frozen=True, slots=True)
class Device:
    """The exact model. `watt_hour` is None if it is unknown; a trip's answer has no names."""

    model_id: str
    watt_hour: Decimal | None
    brand: str | None = None
    model_name: str | None = None


@dataclass(frozen=True, slots=True)
class NextStep:
    """What the service suggests to do about a gap or an error."""

    code: str
    message: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Problem:
    """An error of the service (RFC 9457). `errors` names fields, each with a code and a message."""

    status: int
    code: str
    title: str
    detail: str
    request_id: str
    errors: tuple[Mapping[str, str], ...]
    next_step: NextStep | None


@dataclass(frozen=True, slots=True)
class Segment:
    """One flight. `obstacle` is one word for the reason against it; None if there is none.

    A segment is no green light, and neither are all of them together: ask the answer. In an itinerary, places
    are airports if the question named them, `airline` is who flies, or else who sold it, and there is no id.
    """

    index: int
    origin: str
    destination: str
    airline: str
    verdict_id: str | None
    obstacle: str | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Share:
    """Some units of an item."""

    ref: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Bag:
    """What one passenger carries, and the verdict on it over all flights."""

    passenger: int
    shares: tuple[Share, ...]
    verdict: str


@dataclass(frozen=True, slots=True)
class Packing:
    """Who carries what, and the units that are not cleared.

    `other` has the names of all parts that this client does not know: they may be about units not to pack.
    """

    bags: tuple[Bag, ...]
    stays: tuple[Share, ...]
    not_cleared: frozenset[str]
    other: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stamps:
    """The id, the rules and the times of a verdict."""

    verdict: str
    verdict_id: str
    ruleset_version: str
    generated_at: datetime.datetime
    expires_at: datetime.datetime
    summary: str


@dataclass(frozen=True, slots=True)
class Record:
    """The parts of an answer, for one flight, a trip or an itinerary, that a client uses.

    `body` is the whole answer, including fields that this client does not know. It repeats the serial.
    """

    stamps: Stamps
    device: Device | None
    constraints: tuple[Constraint, ...]
    warnings: tuple[Advice, ...]
    citations: tuple[Citation, ...]
    segments: tuple[Segment, ...]
    next_step: NextStep | None
    body: Json = field(repr=False)
    packing: Packing | None = None
