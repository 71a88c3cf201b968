"""What a look-up found: models by words, and the recalls of a model.

No look-up is a green light. A model without recalls may still be banned from a flight: ask about the flight.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Generic, NoReturn, TypeVar

from battery_travel.reasons import WhyNot
from battery_travel.records import Problem
from battery_travel.replies import Reply
from battery_travel.retrying import retry_after_seconds

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Model:
    """An exact model of the catalog. What is None is not known."""

    model_id: str
    brand: str
    model_name: str
    model_number: str | None
    watt_hour: Decimal | None
    capacity_mah: int | None
    recall_count: int


@dataclass(frozen=True, slots=True)
class Recall:
    """A recall of exactly one model. It says nothing about other models of the brand.

    Attributes: identifier: What to read on the unit, such as its serial number. pattern: The regular
    expression of affected identifiers, if there is one. list_url: The maker's list, if only that decides.
    match_status: What it says about the unit that was asked about: `affected`, `not_affected` or `unknown`;
    None if none was. No word is a permission: ask about the flight.

    """

    recall_id: str
    model_id: str
    title: str
    hazard: str
    remedy: str
    authority: str
    announced_on: str
    notice_url: str
    identifier: str
    pattern: str | None
    list_url: str | None
    match_status: str | None = None


@dataclass(frozen=True, slots=True)
class Result(Generic[T_co]):
    """What a body says: the records, how many there are, and by which rules."""

    found: tuple[T_co, ...]
    total: int
    ruleset_version: str


@dataclass(frozen=True, slots=True, eq=False)
class Lookup(Generic[T_co]):
    """The result of a look-up, including the case that nothing is known.

    It has no truth value: an empty result and a failed look-up are not the same.
    """

    _reply: Reply = field(repr=False)
    _result: Result[T_co] | None = field(repr=False)
    _refusal: WhyNot | None
    _problem: Problem | None = field(repr=False)

    @property
    def found(self) -> tuple[T_co, ...] | None:
        """What was found; empty if there is nothing, and None if that is not known (`why_not`)."""
        return None if self._result is None else self._result.found

    @property
    def total(self) -> int | None:
        """How many there are; `found` may be only the first of them. None if that is not known."""
        return None if self._result is None else self._result.total

    @property
    def ruleset_version(self) -> str | None:
        """The version of the rules and recalls behind it."""
        return None if self._result is None else self._result.ruleset_version

    def why_not(self) -> WhyNot | None:
        """Return why nothing is known; None exactly if something is."""
        return self._refusal

    @property
    def problem(self) -> Problem | None:
        """The error of the service, if it described one."""
        return self._problem

    @property
    def status(self) -> int:
        """The HTTP status; 0 if there is none."""
        return self._reply.status

    @property
    def retry_after_seconds(self) -> float | None:
        """How long the service asks the client to wait, if it does."""
        return retry_after_seconds(self._reply)

    def __bool__(self) -> NoReturn:
        raise TypeError("A look-up is neither true nor false. Compare `found` with None.")
