"""What a look-up found: models by words, the recalls of a model, and the codes of answers.

No look-up is a green light. A model without recalls may still be banned from a flight: ask about the flight.
"""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Generic, NoReturn, TypeVar

from battery_travel.reasons import WhyNot
from battery_travel.received import Received
from battery_travel.records import Problem
from battery_travel.replies import Reply

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
class ListedCode:
    """A code of answers or errors, with what is said with it.

    Attributes: kind: Where it is: `constraint`, `warning`, `gap`, `next_step`, `error` or `field_error`.
    sentences: In the client's language, or else in English, with the names of values in braces. nature: What
    kind of statement a constraint or a warning is. severity: How serious a warning is. status: The HTTP
    status of an error. title: The title of an error. written_as: The regular expression of how answers write
    a code that contains numbers, such as `max_units_2` for `max_units`; None if they write the code itself.

    """

    code: str
    kind: str
    since: str
    sentences: tuple[str, ...]
    nature: str | None
    severity: str | None
    status: int | None
    title: str | None
    written_as: str | None

    def stands_for(self, written: str) -> bool:
        """Tell whether `written`, such as `max_units_2` in an answer, is this code."""
        return re.fullmatch(self.written_as or re.escape(self.code), written) is not None


@dataclass(frozen=True, slots=True)
class Result(Generic[T_co]):
    """What a body says: the records, how many there are, and by which rules, if they depend on rules."""

    found: tuple[T_co, ...]
    total: int
    ruleset_version: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Lookup(Received, Generic[T_co]):
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
        """The version of the rules and recalls behind it; None if it depends on none, as codes do."""
        return None if self._result is None else self._result.ruleset_version

    def why_not(self) -> WhyNot | None:
        """Return why nothing is known; None exactly if something is."""
        return self._refusal

    def __bool__(self) -> NoReturn:
        raise TypeError("A look-up is neither true nor false. Compare `found` with None.")
