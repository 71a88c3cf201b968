"""Names that find another record than before: a question with such a name gets another answer.

Nothing else about the records need change: a model that was found by its number is recalled, and the model
that has the number from now on is not. So these make answers less strict:

- a name, a number or a word of them that a model or airline loses;
- each new name, also of a new record. It may be a part of another one (“Etihad Air”), look like one, or be
  made of the words of a question (“A1289 swollen”, “swollen power bank”), and no rule tells all such names;
- another capacity or voltage of a model, by which it is recognized in a question that gives figures.

A new model all of whose units are recalled is not named: whatever finds it is banned. So one person alone can
publish a recall of a model that is not in the catalog yet.
"""

from collections.abc import Collection, Iterable
from itertools import chain

from catalog.search.words import joined, words
from rules.engine.document import Content
from rules.engine.facts import Airline, Device
from rules.impact.survey.changes import Changed

GAINED = "gets a name, so a question with it can get an answer that it did not get before"
LOST = "is no longer found by a name or number that it had, so a question with it can get another answer"
FIGURES = "is recognized by another capacity or voltage, so a question with figures can get another answer"


def moved_names(contents: tuple[Content, Content]) -> dict[Changed, str]:
    """Return the models and airlines that lose a name or get one, each with why."""
    before, after = contents
    found: dict[Changed, str] = {}
    models = {one.model_id: one for one in before.devices}
    banned = {one.model_id for one in after.recalls if one.affected_serials.scope == "all_units"}
    for model in after.devices:
        old = models.get(model.model_id)
        if (old is not None or model.model_id not in banned) and (why := _why_of_model(old, model)):
            found[Changed("devices", model.model_id)] = why
    airlines = {one.airline: _names_of_airline(one) for one in before.airlines}
    for airline in after.airlines:
        if why := _why(airlines.get(airline.airline, ()), _names_of_airline(airline)):
            found[Changed("airlines", airline.airline)] = why
    return found


def _why_of_model(old: Device | None, model: Device) -> str | None:
    if old == model:
        return None
    if old is None:
        return GAINED
    # A model is found by its id, but not by the words of it.
    if why := _why(_names_of_model(old), _names_of_model(model)):
        return why
    figures = (old.capacity_mah, old.nominal_voltage), (model.capacity_mah, model.nominal_voltage)
    return FIGURES if figures[0] != figures[1] else None


def _names_of_model(model: Device) -> tuple[str, ...]:
    return model.model_number or "", *model.aliases, f"{model.brand} {model.model_name}"


def _names_of_airline(airline: Airline) -> tuple[str, ...]:
    return airline.name, airline.icao


def _why(had: Collection[str], names: Collection[str]) -> str | None:
    """Return what it means that a record has other names than it had; None if nothing."""
    if had == names:
        return None
    known, now = _in_one_piece(had), _in_one_piece(names)
    if now - known:
        return GAINED
    return LOST if known - now or _words_of(had) - _words_of(names) else None


def _in_one_piece(names: Iterable[str]) -> set[str]:
    """Return names by which a record is found, each in one piece and without differences of case."""
    return {joined(name) for name in names} - {""}


def _words_of(names: Iterable[str]) -> set[str]:
    return set(chain.from_iterable(map(words, names)))
