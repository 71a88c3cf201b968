"""Names that find another record than before: a question with such a name gets another answer.

Nothing else about the records need change: a model that was found by its number is recalled, and the model
that has the number from now on is not. So these make answers less strict:

- a name, a number or a word of them that a model or airline loses;
- a new name, which may also be a part of another one (“Etihad Air”) or a sentence (“A1289 swollen”);
- a name of a new model that another one has or ever had, or a word of which finds another model today. Other
  new models are not named, so that one person alone can publish a recall of a model that is not listed yet.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from catalog.search.index import DeviceIndex
from catalog.search.words import joined, words
from rules.engine.document import Content
from rules.engine.facts import Airline, Device
from rules.impact.survey.changes import Changed

NamesHad = Mapping[str, Collection[str]]
"""The names that models had at any time, in one piece, each with the ids of those models."""

GAINED = "gets a name, so a question with it can get an answer that it did not get before"
LOST = "is no longer found by a name or number that it had, so a question with it can get another answer"
TAKEN = (
    "gets a name or number that another record has or had, or that finds another one today, so a question "
    "with it can get another answer"
)


def moved_names(contents: tuple[Content, Content], had: NamesHad) -> dict[Changed, str]:
    """Return the models and airlines that lose a name or get one, each with why. `had` is of models."""
    before, after = contents
    taken = _Taken(before.devices, had)
    found: dict[Changed, str] = {}
    models = {one.model_id: one for one in before.devices}
    for model in after.devices:
        old = models.get(model.model_id)
        if old is None and taken.by(model):
            found[Changed("devices", model.model_id)] = TAKEN
        elif old is not None and (why := _moved(_names_of_model(old), _names_of_model(model))):
            found[Changed("devices", model.model_id)] = why
    airlines = {one.airline: _names_of_airline(one) for one in before.airlines}
    for airline in after.airlines:
        if why := _moved(airlines.get(airline.airline, ()), _names_of_airline(airline)):
            found[Changed("airlines", airline.airline)] = why
    return found


def in_one_piece(names: Iterable[str | None]) -> set[str]:
    """Return names by which a record is found, each in one piece and without differences of case."""
    return {joined(name) for name in names if name} - {""}


class _Taken:
    """The names of other models that a new model takes."""

    def __init__(self, models: Sequence[Device], had: NamesHad) -> None:
        self._models, self._had = models, had

    def by(self, new: Device) -> bool:
        """Return whether another model has or had a name of a new model, or is found by one today."""
        own, names = {new.model_id}, [name for name in _names_of_model(new) if name]
        had = (self._had.get(name, own) for name in in_one_piece(names))
        return not all(map(own.issuperset, had)) or any(map(self._index.search, _asked_by(new, names)))

    @cached_property
    def _index(self) -> DeviceIndex:
        return DeviceIndex(self._models)


def _names_of_model(model: Device) -> tuple[str, ...]:
    named = f"{model.brand} {model.model_name}"
    return model.model_id, model.model_number or "", *model.aliases, named


def _names_of_airline(airline: Airline) -> tuple[str, ...]:
    return airline.name, airline.icao


def _asked_by(model: Device, names: Iterable[str]) -> Iterator[str]:
    """Yield what people can type who mean a model by one of its names."""
    for name in names:
        yield from (name, f"{model.brand} {name}")
        yield from (word for word in words(name) if any(map(str.isdigit, word)))


def _moved(had: Collection[str], names: Collection[str]) -> str | None:
    """Return what it means that a record has other names than it had; None if nothing."""
    if had == names:
        return None
    known, now = in_one_piece(had), in_one_piece(names)
    if now - known:
        return GAINED
    return LOST if known - now or _words_of(had) - _words_of(names) else None


def _words_of(names: Iterable[str]) -> set[str]:
    return set(chain.from_iterable(map(words, names)))
