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
import functools
import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from aeo.asking.free_text.airline import read_airline
from aeo.asking.free_text.correcting import corrections
from aeo.asking.free_text.counting import Figures, days_later, names_several, read_day, read_quantity
from aeo.asking.free_text.doubting import set_doubts_aside
from aeo.asking.free_text.facts import read_facts, without_mild
from aeo.asking.free_text.items import Item, ItemReader
from aeo.asking.free_text.journey import JourneyReader
from aeo.asking.free_text.model_index import LINKS, models_of, tokens
from aeo.asking.free_text.model_names import ModelReader, Named
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.stating import ENDS_PHRASE
from aeo.asking.free_text.understood import Choice, Label, Understood, Unused
from aeo.asking.free_text.vocabulary import pattern, vocabulary
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
    written = read_day(reading, found, models, today)
    figures = Figures(reading)
    quantity = read_quantity(reading, found, models, figures.spans)
    named = model_reader.named(exact, figures.spans)
    set_doubts_aside(reading, "model", ((one.start, one.end) for one in named))
    set_doubts_aside(reading, "figure", figures.spans)
    items = ItemReader(reading, release).read()
    airline, several_airlines = read_airline(reading, release, items, language)
    journey = JourneyReader(reading, release, language, airline.value if airline else None).read(items)
    facts = read_facts(reading, items)
    if written is not None and facts.day is not None and written != days_later(today, facts.day):
        for item in items:
            if item.kind == "day":
                reading.set_aside(item.start, item.end, "when")
    day = written or (None if facts.day is None else days_later(today, facts.day))
    model = model_reader.choice(named)
    several_models = _several(reading, named, items)
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
    another = _names_another(reading, named, items) or (not named and _lists_units(reading, items))
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


def _several(reading: Reading, named: Sequence[Named], items: Sequence[Item]) -> bool:
    """Tell whether the text names several models: a different one, or the same one twice."""
    return any(
        one.device is None
        or one.device != named[0].device
        or one.branded
        or _is_listed(reading, before, one, items)
        for before, one in pairwise(named)
    )


def _is_listed(reading: Reading, first: Named, second: Named, items: Sequence[Item]) -> bool:
    """Tell whether two names of a model may be two units: "my A1289, your A1289", not "737 (A1289)"."""
    same = reading.text[first.start : first.end] == reading.text[second.start : second.end]
    between = [item for item in items if first.end <= item.start < second.start]
    is_list = bool(reading.between(first.end, second.start).strip(" ()-/"))
    return same or (is_list and all(item.kind in {"filler", "before", "unit"} for item in between))


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


def _lists_units(reading: Reading, items: Sequence[Item]) -> bool:
    """Tell whether a text without a model lists units: "74 Wh battery, my new charger"."""
    units = [item for item in items if item.kind == "unit"]
    betweens = (reading.between(first.end, second.start) for first, second in pairwise(units))
    return any(_lists().search(between) and not _NEW_SENTENCE.search(between) for between in betweens)


@functools.cache
def _lists() -> re.Pattern[str]:
    """Return the pattern of what separates units of a list: a sign, or "my" and "a"."""
    words = (word for word, kind in vocabulary().determiners.items() if kind in {"owner", "indefinite"})
    return re.compile(rf"[,;&+/\u3001\uff0c]|{pattern(words)}", re.IGNORECASE)


_NEW_SENTENCE = re.compile(r"[.?!]\s|[\u3002\uff1f]")


def _with_another(reading: Reading, model: Named, units: Sequence[Item]) -> bool:
    """Tell whether a unit before a model is another one: "my power bank with my Anker 737"."""
    between = [reading.text[unit.end : model.start].strip() for unit in units]
    return any(_with().fullmatch(words) for words in between)


def _is_said_of_unit_before(named: Sequence[Named], items: Sequence[Item]) -> bool:
    """Tell whether a fact stands between a word for a power bank and the model: "charger with 3C, my 737"."""
    if not named:
        return False
    before = [item for item in items if item.end <= named[0].start]
    unit = next((at for at, item in enumerate(before) if item.kind == "unit"), None)
    return unit is not None and any(item.kind in {"mark", "condition", "label"} for item in before[unit:])


@functools.cache
def _with() -> re.Pattern[str]:
    words = vocabulary()
    return re.compile(rf"(?:{pattern(words.in_addition)})(?: (?:{pattern(words.determiners)}))?")
