"""What a typed name means: a model, an airline or a country, or nothing where that cannot be told.

A name counts where it is exactly one thing's own; otherwise whoever typed it chooses. Nothing is guessed, for
an answer about another model would be worse than none. Called by `reading`.
"""

from typing import NamedTuple

from aeo.finding import (
    Suggestion,
    Understood,
    read_place,
    suggest_airlines,
    suggest_models,
    suggest_places,
    understand,
)
from aeo.finding.folding import fold
from aeo.finding.sentence import Choice
from aeo.texts import active
from rules.corpus import Published


class Meaning(NamedTuple):
    """What a name means; an empty value where it is none of the choices, or may be several."""

    value: str
    choices: tuple[Suggestion, ...]


def model(release: Published, text: str) -> Meaning:
    """Return the model that a text names in full, by brand and name or by number."""
    found = suggest_models(release, text)
    exact = [one for one in found if fold(one.label) == fold(text)]
    if len(exact) == 1:
        return Meaning(exact[0].value, found)
    understood = _understood(release, text)
    return _chosen(understood.model, understood.only("model"), found)


def airline(release: Published, text: str) -> Meaning:
    """Return the airline that a text names, by its name in any language."""
    found = suggest_airlines(release, text, active())
    exact = [one for one in found if fold(one.label) == fold(text)]
    if len(exact) == 1:
        return Meaning(exact[0].value, found)
    understood = _understood(release, text)
    return _chosen(understood.airline, understood.only("airline"), found)


def place(release: Published, text: str) -> Meaning:
    """Return the country that a text names, or in which the place lies that it names."""
    value, named = read_place(release, text, active())
    return Meaning(value or "", named or suggest_places(release, text, active()))


def _understood(release: Published, text: str) -> Understood:
    # No name depends on the day.
    return understand(release, text, active(), release.published_at.date())


def _chosen(named: Choice | None, alone: bool, found: tuple[Suggestion, ...]) -> Meaning:
    """Return what is named, if that is all the text says; words beside a name may make it another one."""
    if named is None:
        return Meaning("", found)
    return Meaning((named.value or "") if alone else "", named.candidates or found)
