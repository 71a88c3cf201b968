"""Reading a question as people type it: which model, airline, places, bag, number and day it names.

`understand` is a function of its arguments and guesses nothing. Where a name fits several things, all of them
are given and none is chosen, unless the name is exactly one's own, or that of a city which dwarfs its
namesakes. What it could not read it hands back, so that a page can show what was understood and ask for the
rest. Of a long text only the beginning is read. Called by the views of the site; nothing is kept.

Names of models are read first, for they contain everything else (figures, numbers, common words); then the
numbers, and all other things from left to right.
"""

import datetime
from collections.abc import Sequence

import msgspec

from aeo.finding.counting import Figures, days_later, read_day, read_quantity
from aeo.finding.items import Item, ItemReader
from aeo.finding.journey import JourneyReader
from aeo.finding.model_names import ModelReader
from aeo.finding.naming import models_of, tokens
from aeo.finding.reading import Reading
from aeo.finding.suggestions import MOST, of_airline
from aeo.finding.understood import Choice, Label, Understood
from rules.corpus import Published

__all__ = ["Choice", "Label", "Understood", "understand"]


def understand(release: Published, text: str, language: str, today: datetime.date) -> Understood:
    """Return what a text says about a power bank and its flights; labels are in a language of the site.

    A day without a year is the next one from `today`.
    """
    reading, models = Reading(text), models_of(release)
    found = tokens(reading.text)
    model_reader = ModelReader(reading, models, found)
    exact = model_reader.exactly()
    day = read_day(reading, today)
    label = Figures(reading)
    quantity = read_quantity(reading, found, models)
    model, span = model_reader.named(exact, label.spans)
    items = ItemReader(reading, release).read()
    airline = _airline(reading, release, items, language) or _lone_code(reading, release, language)
    journey = JourneyReader(reading, release, language).read(items)
    bags = {item.value for item in items if item.kind == "bag"}
    relative = [item.value for item in items if item.kind == "day"]
    if len(bags) > 1:
        reading.left += [(item.start, item.end) for item in items if item.kind == "bag"]
    if day is None and relative:
        day = days_later(today, relative[0])
    if model and span and any(reading.directly_follows(span[1], start) for start, _ in reading.left):
        # An unknown word behind a name may make it that of another model.
        model = msgspec.structs.replace(model, value=None)
    return Understood(
        model=model,
        airline=airline,
        origin=journey.origin,
        stops=journey.stops,
        destination=journey.destination,
        unplaced=journey.unplaced,
        quantity=quantity,
        compartment=bags.pop() if len(bags) == 1 else None,
        travel_date=day,
        label=None if model and model.value else label.label(),
        left_over=tuple(
            dict.fromkeys(reading.folded.shown(start, end).strip() for start, end in sorted(reading.left))
        ),
    )


def _airline(reading: Reading, release: Published, things: Sequence[Item], language: str) -> Choice | None:
    """Return the airline that a text names, or those that may be meant."""
    items = [item for item in things if item.kind == "airline"]
    if not items:
        return None
    codes = list(dict.fromkeys(code for item in items for code in sorted(item.value)))
    exact = [item for item in items if len(item.value) == 1]
    agreed = {code for item in exact for code in item.value}
    value = agreed.pop() if len(agreed) == 1 and all(agreed <= item.value for item in items) else None
    records = release.shelf.airlines
    offered = tuple(of_airline(release, records[code], language) for code in codes[:MOST])
    return Choice(reading.folded.shown(items[0].start, items[0].end), value, offered)


def _lone_code(reading: Reading, release: Published, language: str) -> Choice | None:
    """Return the airline whose code stands alone in small letters: offered, never chosen."""
    for start, end in reading.left:
        record = release.shelf.airlines.get(reading.text[start:end].upper())
        if record:
            reading.left.remove((start, end))
            offered = of_airline(release, record, language)
            return Choice(reading.folded.shown(start, end), None, (offered,))
    return None
