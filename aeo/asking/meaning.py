"""What a typed name means: a model, an airline or a country, or nothing if that is unclear.

A name counts if it belongs to exactly one thing. Otherwise the visitor chooses. Nothing is guessed, because
an answer about another model would be worse than no answer. Called by `reading`.
"""

from typing import Literal, NamedTuple

from aeo.asking.asked import Point
from aeo.asking.free_text.model_index import models_of
from aeo.asking.free_text.sentence import Choice, understand
from aeo.asking.free_text.understood import Understood
from aeo.asking.names import places as by_place
from aeo.asking.names.folding import fold, is_doubted
from aeo.asking.names.places import Place
from aeo.asking.names.spelling import read, settled, spelled
from aeo.asking.names.suggestions import (
    Suggestion,
    of_place,
    place_name,
    suggest_airlines,
    suggest_models,
    suggest_places,
)
from aeo.asking.names.which_airline import meant_airline
from aeo.texts import active
from rules.corpus import Published

Unsettled = Literal["unknown", "several", "near", "flight"]
"""Why a name means nothing yet: it is unknown, it may mean several things, it is misspelled, or it is a
flight number."""


class Meaning(NamedTuple):
    """The meaning of a name; the value is empty if it is none of the choices, or may be several."""

    value: str
    choices: tuple[Suggestion, ...]
    near: bool = False
    flight: bool = False

    @property
    def unsettled(self) -> Unsettled:
        """Return why there is no value."""
        if self.flight:
            return "flight"
        if self.near:
            return "near"
        return "several" if self.choices else "unknown"


def model(release: Published, text: str) -> Meaning:
    """Return the model that a text names in full, by brand and name or by number."""
    found = suggest_models(release, text)
    if is_doubted(text):
        return Meaning("", found)
    exact = [one for one in found if fold(one.label) == fold(text)]
    known = release.shelf.devices
    if len(exact) == 1 and models_of(release).surely(known[exact[0].value], text):
        return Meaning(exact[0].value, found)
    understood = _understood(release, text)
    return _chosen(understood.model, understood.only("model"), found)


def airline(release: Published, text: str) -> Meaning:
    """Return the airline that a text names by code or name. A misspelled name is only offered."""
    named = meant_airline(release, text)
    if named.code:
        return Meaning(named.code, ())
    found = suggest_airlines(release, text, active())
    if named.why == "flight":
        return Meaning("", found, flight=True)
    understood = _understood(release, text)
    meant = _chosen(understood.airline, understood.only("airline"), found)
    return meant._replace(near=named.why == "near" and meant.choices == found)


def place(release: Published, text: str) -> tuple[Point, Meaning]:
    """Return the place that a text names, and its possible meanings if that is unclear."""
    countries, language = release.corpus.countries, active()
    named = read(text, countries)
    if found := settled(named):
        point = Point(found.country, spelled(found, countries), place_name(release, found, language))
        return point, Meaning(found.country, ())
    if named:
        choices = tuple(of_place(release, one, language) for one in _each(named))
        return Point(spelled=text, shown=text), Meaning("", choices)
    choices = suggest_places(release, text, language)
    near = bool(choices) and not by_place.find(text, countries, 1)
    return Point(spelled=text, shown=text), Meaning("", choices, near=near)


def _each(named: list[Place]) -> list[Place]:
    """Return each place once: an airport of a listed city is not another choice."""
    return list({(one.name, one.country): one for one in reversed(named)}.values())[::-1]


def _understood(release: Published, text: str) -> Understood:
    # No name depends on the day.
    return understand(release, text, active(), release.published_at.date())


def _chosen(named: Choice | None, alone: bool, found: tuple[Suggestion, ...]) -> Meaning:
    """Return what is named, if that is all the text says. Further words may make it another name."""
    if named is None:
        return Meaning("", found)
    return Meaning((named.value or "") if alone else "", named.candidates or found)
