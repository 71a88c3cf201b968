"""What a sentence says: the parts of a question that its words name. Made by `sentence`."""

import datetime
from decimal import Decimal

import msgspec

from aeo.asking.names.suggestions import Suggestion
from rules.engine.vocabulary import Compartment, LabelIndication, MarkIndication, UnitCondition


class Choice(msgspec.Struct, frozen=True):
    """The stretch of the text that names something, and its possible meanings.

    `value` is for the form; None if the traveler must choose among `candidates` (best first, the chosen one
    among them). `words` is the stretch as it was typed.
    """

    words: str
    value: str | None
    candidates: tuple[Suggestion, ...]

    @property
    def chosen(self) -> Suggestion | None:
        """Return the candidate that is meant, if there is one."""
        return next((one for one in self.candidates if one.value == self.value), None)


class Label(msgspec.Struct, frozen=True):
    """The figures of a label, in milliampere-hours, watt-hours and volts."""

    capacity_mah: int | None = None
    watt_hour: Decimal | None = None
    nominal_voltage: Decimal | None = None


class Unused(msgspec.Struct, frozen=True, order=True):
    """Words, as they were typed, that were not used for the question.

    `about` is their subject, if it is known: a list of signals of the vocabulary, or `model`, `variant`,
    `rating`, `airline`, `place`, `flight_number`, `corrected`.
    """

    words: str
    about: str = ""


class Understood(msgspec.Struct, frozen=True):
    """What a text says. A part that it does not name is None; `unused` is everything that was not used.

    While anything is unused, there is no verdict until the traveler has confirmed the fields of the form.
    Several models or several airlines are one choice without a value. `several_units` says that more than one
    power bank is meant, but not how many. `unplaced` are places for which the text does not say whether a
    flight begins or ends there. `label` is given only if no model is chosen; `labels` are those of several
    power banks. `other_device` says that the text is not about a power bank.
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
    labels: tuple[Label, ...] = ()
    condition: UnitCondition | None = None
    capacity_label: LabelIndication | None = None
    ccc_mark: MarkIndication | None = None
    several_models: bool = False
    several_airlines: bool = False
    several_units: bool = False
    other_device: bool = False
    unused: tuple[Unused, ...] = ()

    @property
    def said(self) -> frozenset[str]:
        """Return the names of the parts that the text says something about."""
        parts = (
            "model", "airline", "origin", "stops", "destination", "unplaced", "quantity", "compartment",
            "travel_date", "label", "labels", "condition", "capacity_label", "ccc_mark",
        )  # fmt: skip
        return frozenset(part for part in parts if getattr(self, part))

    def facts(self) -> dict[str, str]:
        """Return what the text says about the bag and the unit, by the kinds of the vocabulary."""
        said = {
            "bag": self.compartment,
            "condition": self.condition,
            "label": self.capacity_label,
            "mark": self.ccc_mark,
        }
        return {kind: value for kind, value in said.items() if value}

    def only(self, *parts: str) -> bool:
        """Tell whether the text says these parts and nothing else."""
        return not self.unused and not self.several_units and self.said <= set(parts)
