"""From the body of POST /api/itineraries/verify to a question for the door.

It reads as strictly as `questions`, and reports all errors at once. Decisions beyond the page of decisions:

- A label whose watt-hours are impossible at its capacity is refused: one of the two figures was misread.
- A serial is that of one unit, so it clears no others: an item with a serial has one unit. `POST /api/verify`
  takes both, as the specification has it, and then means units that all bear this serial, such as a batch.
- Three letters that are an airport of one country and the alpha-3 code of another are refused, as `THA` is: a
  caller who names countries by three letters would get the verdict of a small airport elsewhere. The airport
  is sent with its country, as `US-THA`.
- `passengers` bounds `carried_by` also if it is wrong itself; then it counts as the highest possible number.
"""

import datetime
from collections.abc import Container
from decimal import ROUND_CEILING, Decimal
from typing import Any

from django.conf import settings

from aeo.asking.names.places import airport_countries
from catalog.energy import HUNDREDTH
from catalog.places.iso_3166 import of_three_letters
from compliance.api.protocol.corrections import offers_correction
from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.fields import Fields, Report
from compliance.api.verdicts.bounds import REF, REF_WANTED, Citations
from compliance.api.verdicts.questions import (
    AHEAD,
    COMPARTMENTS,
    Asked,
    asked_by,
    unit_by_label,
    unit_of,
)
from rules.engine.facts import Flight, Item, ItineraryQuestion, Label, default_ref
from rules.engine.vocabulary import MAX_FLIGHTS, MAX_ITEMS, MAX_PASSENGERS, MAX_UNIT_FLIGHTS

_ITEMS_WANTED = f"Send a list of 1 to {MAX_ITEMS} items, each with `model_id` or `label`."
_SEGMENTS_WANTED = f"Send a list of 1 to {MAX_FLIGHTS} flights with `origin`, `destination` and an airline."
_PLACE_WANTED = "Send a country such as `AE`, or an airport such as `DXB`, in upper-case letters."

_OF_MODELS = ("model_id", "serial", "serial_hash")
"""The fields of an item that mean nothing without a model."""

_ONE_SERIAL = "A serial is that of one unit. Send each unit as an item of its own, with its serial."

_LOWEST_VOLTAGE = 3
"""The lowest voltage at which a capacity can be stated."""


@offers_correction
def itinerary_request(
    body: dict[str, Any],
    *,
    today: datetime.date,
    countries: Container[str],
    language: str = settings.LANGUAGE_CODE,
    citations: Citations | None = "full",
) -> Asked[ItineraryQuestion]:
    """Read the body of POST /api/itineraries/verify. Raises `ApiError`.

    `language` and `citations` are for a body that names none; without `citations` none may be named.
    """
    fields = Fields(body, Report())
    passengers = fields.whole_number("passengers", 1, MAX_PASSENGERS, 1)
    question = ItineraryQuestion(
        passengers=passengers,
        items=_items(fields, passengers),
        flights=_flights(fields, today, countries),
    )
    asked = asked_by(question, fields, language, citations)
    units = sum(item.unit.quantity for item in question.items)
    if units * len(question.flights) > MAX_UNIT_FLIGHTS:
        raise ApiError(
            "QUESTION_TOO_LARGE",
            f"{units} units on {len(question.flights)} flights are more than {MAX_UNIT_FLIGHTS} units times "
            "flights.",
        )
    return asked


def _objects(fields: Fields, name: str, most: int, wanted: str) -> list[Fields]:
    """Read a required list of objects."""
    if name not in fields:
        fields.refuse(name, "required", f"This field is required. {wanted}")
    found = []
    for at, value in enumerate(fields.items(name, most, wanted)):
        path = f"{name}[{at}]"
        if isinstance(value, dict):
            found.append(Fields(value, fields.report, f"{path}."))
        else:
            fields.report.add(path, "wrong_type", wanted)
    return found


def _items(fields: Fields, passengers: int) -> tuple[Item, ...]:
    items: list[Item] = []
    refs: set[str] = set()
    for at, own in enumerate(_objects(fields, "items", MAX_ITEMS, _ITEMS_WANTED)):
        item = _item(own, default_ref(at), passengers)
        if item.ref in refs:
            own.refuse("ref", "conflict", f"`{item.ref}` names another item already. Send a name of its own.")
        refs.add(item.ref)
        items.append(item)
    return tuple(items)


def _item(fields: Fields, default_ref: str, passengers: int) -> Item:
    ref = fields.optional_text("ref", REF.fullmatch, REF_WANTED) or default_ref
    label = None
    if "label" in fields and "model_id" not in fields:
        label, unit = _label(fields.object("label")), unit_by_label(fields)
        fields.expect_none_of(_OF_MODELS, "unknown_field", "Leave it out: it means nothing without a model.")
    else:
        why = "Send either `model_id` or `label`, never both."
        fields.expect_none_of(["label"], "conflict", why)
        unit = unit_of(fields)
        if unit.quantity > 1 and (unit.serial or unit.serial_hash):
            fields.refuse("quantity", "conflict", _ONE_SERIAL)
    carried_by = fields.whole_number("carried_by", 1, passengers, 0) or None
    intent = fields.choice("compartment_intent", COMPARTMENTS, "carry_on")
    fields.refuse_others()
    return Item(ref=ref, unit=unit, label=label, carried_by=carried_by, compartment_intent=intent)


def _label(fields: Fields) -> Label:
    label = Label(
        watt_hour=_figure(fields, "watt_hour", 1, 10_000),
        capacity_mah=fields.whole_number("capacity_mah", 200, 1_000_000, 0) or None,
        voltage=_figure(fields, "voltage", _LOWEST_VOLTAGE, 60),
    )
    fields.refuse_others()
    if not any(name in fields for name in Label.__struct_fields__):
        fields.refuse("watt_hour", "required", "Send at least one figure that is printed on the unit.")
    elif _is_impossible(label):
        why = "So few watt-hours are impossible at this capacity. Read both figures again."
        fields.refuse("watt_hour", "conflict", why)
    return label


def _is_impossible(label: Label) -> bool:
    """Return whether the watt-hours are fewer than the capacity has at any voltage."""
    if label.watt_hour is None or label.capacity_mah is None or label.voltage is not None:
        return False
    return label.watt_hour * 1000 < label.capacity_mah * _LOWEST_VOLTAGE


def _figure(fields: Fields, name: str, lowest: int, highest: int) -> Decimal | None:
    """Read a figure within bounds, rounded up to a hundredth."""
    value = fields.optional(name)
    if value is None:
        return None
    message = f"Send a number from {lowest} to {highest}, without quotation marks."
    # `type`, because true and false are numbers in Python.
    if type(value) not in {int, Decimal}:
        fields.refuse(name, "wrong_type", message)
    elif not lowest <= value <= highest:
        fields.refuse(name, "out_of_range", message)
    else:
        return Decimal(value).quantize(HUNDREDTH, rounding=ROUND_CEILING)
    return None


def _flights(fields: Fields, today: datetime.date, countries: Container[str]) -> tuple[Flight, ...]:
    flights: list[Flight] = []
    day = today
    for own in _objects(fields, "segments", MAX_FLIGHTS, _SEGMENTS_WANTED):
        flights.append(_flight(own, day, today, countries))
        day = flights[-1].date
    return tuple(flights)


def _flight(
    fields: Fields, earliest: datetime.date, today: datetime.date, countries: Container[str]
) -> Flight:
    origin, origin_airport = _place(fields, "origin", countries)
    destination, destination_airport = _place(fields, "destination", countries)
    operating = fields.optional_airline("operating_airline")
    marketing = fields.optional_airline("marketing_airline")
    if operating is None and marketing is None:
        why = "This field is required. Send the airline that flies, or else `marketing_airline`."
        fields.refuse("operating_airline", "required", why)
    date_assumed = "date" not in fields
    date = fields.date("date", earliest, today + AHEAD, earliest)
    fields.refuse_others()
    return Flight(
        origin=origin,
        destination=destination,
        origin_airport=origin_airport,
        destination_airport=destination_airport,
        operating_airline=operating,
        marketing_airline=marketing,
        date=date,
        date_assumed=date_assumed,
    )


def _place(fields: Fields, name: str, countries: Container[str]) -> tuple[str, str | None]:
    """Read a country or an airport: the country, and the airport if it is one."""
    code = fields.place(name, lambda text: _read(text, countries) is not None, _unclear, _PLACE_WANTED)
    return _read(code, countries) or ("", None)


def _read(text: str, countries: Container[str]) -> tuple[str, str | None] | None:
    """Return the country of a code, and the airport if it is one; none if there is no such place.

    An airport may have its country before it, as in `DE-FRA`.
    """
    if text in countries:
        return text, None
    airport = text[-3:]
    country = airport_countries().get(airport, "")
    return (country, airport) if country in countries and text in {airport, f"{country}-{airport}"} else None


def _unclear(code: str) -> str:
    """Say why three letters may mean two countries: that of an airport, and one that ISO calls like it."""
    airport_in, named = airport_countries().get(code), of_three_letters().get(code)
    if airport_in is None or named is None or airport_in == named:
        return ""
    return (
        f"`{code}` is an airport in `{airport_in}`, and also the ISO 3166-1 alpha-3 code of `{named}`. Send "
        f"`{airport_in}-{code}` for the airport, or `{named}` for the country."
    )
