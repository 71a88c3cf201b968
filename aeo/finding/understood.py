"""What a sentence says: the parts of a question that its words name. Made by `aeo.finding.sentence`."""

import datetime
from decimal import Decimal

import msgspec

from aeo.finding.suggestions import Suggestion
from rules.engine.vocabulary import Compartment


class Choice(msgspec.Struct, frozen=True):
    """What stretch of the text names something, and what it can be.

    `value` is for the form; none where the traveler must choose among `candidates` (best first, the chosen
    one among them). `words` is the stretch as it was typed.
    """

    words: str
    value: str | None
    candidates: tuple[Suggestion, ...]

    @property
    def chosen(self) -> Suggestion | None:
        """Return the candidate that is meant, if one is."""
        return next((one for one in self.candidates if one.value == self.value), None)


class Label(msgspec.Struct, frozen=True):
    """The figures of a label, in milliampere-hours, watt-hours and volts."""

    capacity_mah: int | None = None
    watt_hour: Decimal | None = None
    nominal_voltage: Decimal | None = None


class Understood(msgspec.Struct, frozen=True):
    """What a text says. A part that it does not name is none; `left_over` are the words that were not read.

    `unplaced` are places of which the text does not tell whether a flight begins or ends there. `label` is
    given only where no model is chosen.
    """

    model: Choice | None = None
    airline: Choice | None = None
    origin: Choice | None = None
    stops: tuple[Choice, ...] = ()
    destination: Choice | None = None
    unplaced: tuple[Choice, ...] = ()
    quantity: int | None = None
    compartment: Compartment | None = None
    travel_date: datetime.date | None = None
    label: Label | None = None
    left_over: tuple[str, ...] = ()
