"""Reads a question as people type it: its model, airline, places, bag, number and day.

`understand` is a pure function and guesses nothing. If a name fits several things, all of them are returned
and none is chosen. There are two exceptions: a name that belongs to exactly one thing, and a city that is far
larger than its namesakes. Every word is accounted for: a word that no part of the question uses and that is
no filler is returned as unused, so that a page can show it and wait. Only the beginning of a long text is
read; the rest is returned as unused too. Called by the views of the site; nothing is stored.

Names of models are read first, because they can contain everything else (figures, numbers, common words).
Then come the numbers, and then all other things from left to right.
"""

import datetime
import re
from collections.abc import Sequence

import msgspec

from aeo.asking.free_text.correcting import corrections
from aeo.asking.free_text.counting import Figures, days_later, names_several, read_day, read_quantity
from aeo.asking.free_text.facts import ENDS_PHRASE, read_facts, without_mild
from aeo.asking.free_text.items import Item, ItemReader
from aeo.asking.free_text.journey import JourneyReader
from aeo.asking.free_text.model_index import LINKS, models_of, tokens
from aeo.asking.free_text.model_names import ModelReader, Named
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.understood import Choice, Label, Understood, Unused
from aeo.asking.names.suggestions import MOST, of_airline
from rules.corpus import Published

__all__ = ["Choice", "Label", "Understood", "Unused", "understand"]


def understand(release: Published, text: str, language: str, today: datetime.date) -> Understood:
    """Return what a text says about a power bank and its flights; labels are in a language of the site.

    A day without a year is the next one from `today`. If an airline or a place is missing, a misspelled name
    of one is read as that name. The word is still returned as unused, so the traveler has to confirm it.
    """
    found = _understood(release, text, language, today)
    corrected, slips = corrections(release, text, found)
    if not slips:
        return found
    better = _understood(release, corrected, language, today)
    return msgspec.structs.replace(better, unused=(*better.unused, *slips))


def _understood(release: Published, text: str, language: str, today: datetime.date) -> Understood:
    reading, models = Reading(text), models_of(release)
    found = tokens(reading.text)
    model_reader = ModelReader(reading, models, found)
    exact = model_reader.exactly()
    written = read_day(reading, today)
    figures = Figures(reading)
    quantity = read_quantity(reading, found, models)
    named = model_reader.named(exact, figures.spans)
    items = ItemReader(reading, release).read()
    airline, several_airlines = _airline(reading, release, items, language)
    journey = JourneyReader(reading, release, language).read(items)
    facts = read_facts(reading, items)
    if written is not None and facts.day is not None and written != days_later(today, facts.day):
        for item in items:
            if item.kind == "day":
                reading.set_aside(item.start, item.end, "when")
    day = written or (None if facts.day is None else days_later(today, facts.day))
    model = model_reader.choice(named)
    several_models = _several(named)
    if several_models:
        for one in named:
            reading.set_aside(one.start, one.end, "model")
        quantity = None
    device = release.shelf.devices.get(model.value) if model and model.value else None
    if device:
        figures.confirm(device)
    labels = () if named else figures.labels()
    label = None if device or labels else figures.label()
    model = model_reader.with_words_behind(model, named, items)
    another = _names_another(reading, named, items)
    if another or _is_said_of_unit_before(named, items):
        # "The charger has a 3C mark" is about another unit.
        facts = without_mild(facts)
    unused = reading.unused()
    if reading.folded.cut:
        unused = (*unused, Unused("…", "rest"))
    is_unit = bool(model or any(item.kind == "unit" for item in items))
    return Understood(
        model=model,
        airline=airline,
        origin=journey.origin,
        stops=journey.stops,
        destination=journey.destination,
        unplaced=journey.unplaced,
        quantity=quantity,
        compartment=facts.bag,
        travel_date=day,
        label=label,
        labels=labels,
        condition=facts.condition,
        capacity_label=facts.label,
        ccc_mark=facts.mark,
        several_models=several_models,
        several_airlines=several_airlines,
        several_units=quantity in {None, 1} and (names_several(reading, found, models) or another),
        other_device=not is_unit and any(one.about == "device" for one in unused),
        unused=(*unused, *(Unused(place.words, "place") for place in journey.unplaced)),
    )


def _several(named: Sequence[Named]) -> bool:
    """Tell whether the text names several models: a different one, or the same one twice."""
    return any(one.device is None or one.device != named[0].device or one.branded for one in named[1:])


def _names_another(reading: Reading, named: Sequence[Named], items: Sequence[Item]) -> bool:
    """Tell whether a text has a word for a power bank in addition to the model: "with my battery pack"."""
    if not named:
        return False
    end = named[-1].end
    units = [item for item in items if item.kind == "unit"]
    behind = [item for item in units if item.start >= end]
    apart = [
        item
        for item in behind
        if reading.text[end : item.start].strip() not in LINKS
        or set(reading.between(end, item.start)) & ENDS_PHRASE
    ]
    before = [item for item in units if item.end <= named[0].start]
    return bool(apart) or len(units) - len(behind) > 1 or _with_another(reading, named[0], before)


def _with_another(reading: Reading, model: Named, units: Sequence[Item]) -> bool:
    """Tell whether a unit before a model is another one: "my power bank with my Anker 737"."""
    between = [reading.text[unit.end : model.start].strip() for unit in units]
    return any(_WITH.fullmatch(words) for words in between)


def _is_said_of_unit_before(named: Sequence[Named], items: Sequence[Item]) -> bool:
    """Tell whether a fact stands between a word for a power bank and the model: "charger with 3C, my 737"."""
    if not named:
        return False
    before = [item for item in items if item.end <= named[0].start]
    unit = next((at for at, item in enumerate(before) if item.kind == "unit"), None)
    return unit is not None and any(item.kind in {"mark", "condition", "label"} for item in before[unit:])


_WITH = re.compile(
    r"(?:with|mit|avec|con)"
    r"(?: (?:my|our|an?|the|this|that|mein\w*|ein\w*|dem|der|m[ao]n?|une?|mi|una?|el|la))?"
)


def _airline(
    reading: Reading, release: Published, things: Sequence[Item], language: str
) -> tuple[Choice | None, bool]:
    """Return the airline that a text names, or those that may be meant, and whether it names several.

    A flight number names the airline that sells the flight. Another airline may operate it. So the number is
    known, but not used.
    """
    items = [item for item in things if item.kind in {"airline", "flight"}]
    if not items:
        return _lone_code(reading, release, language), False
    value = _agreed(items)
    several = value is None and len(items) > 1
    for before, item in zip((None, *things), things, strict=False):
        if item not in items:
            continue
        if several or item.kind == "flight":
            reading.set_aside(item.start, item.end, "airline" if several else "flight_number")
            continue
        reading.take(item.start, item.end, "airline")
        if before and before.kind == "operated_by":
            reading.take(before.start, before.end, "airline")
    codes = dict.fromkeys(code for item in items for code in sorted(item.value))
    offered = tuple(of_airline(release, release.shelf.airlines[code], language) for code in codes)
    named = dict.fromkeys(reading.folded.shown(item.start, item.end) for item in items)
    return Choice(" · ".join(named), value, offered[:MOST]), several


def _agreed(items: Sequence[Item]) -> str | None:
    """Return the one airline that all names agree on."""
    exact = {code for item in items if len(item.value) == 1 for code in item.value}
    return exact.pop() if len(exact) == 1 and all(exact <= item.value for item in items) else None


def _lone_code(reading: Reading, release: Published, language: str) -> Choice | None:
    """Return the airline whose code occurs alone in small letters: offered, never chosen."""
    for span in reading.unused_spans():
        for word in re.finditer(r"[^ ]+", reading.text[slice(*span)]):
            if record := release.shelf.airlines.get(word[0].upper()):
                reading.take(span[0] + word.start(), span[0] + word.end(), "airline")
                return Choice(word[0], None, (of_airline(release, record, language),))
    return None
