"""What was typed into a form as a code or an id, where it names one thing alone; else as it was typed.

Called by `aeo.trips.itinerary`.
"""

from aeo.factors import model_name
from aeo.finding import read_place, suggest_airlines, suggest_models
from aeo.texts import active
from rules.corpus import Published

TWO = 2
"""So many suggestions tell whether a name is that of one thing."""


def country(release: Published, typed: str) -> str:
    """Return the code of the country that a place lies in."""
    if not typed or typed.upper() in release.corpus.countries:
        return typed.upper()
    meant, _ = read_place(release, typed, active())
    return meant or typed


def airline(release: Published, typed: str) -> str:
    """Return the code of an airline: the only one of a name, or the one of exactly this name."""
    if not typed or typed.upper() in release.shelf.airlines:
        return typed.upper()
    found = suggest_airlines(release, typed, active(), TWO)
    exact = [one for one in found if one.label.casefold() == typed.casefold()]
    sure = exact or found
    return sure[0].value if len(sure) == 1 else typed


def model(release: Published, typed: str) -> str:
    """Return the id of a model: the only one of a name, or the one of exactly this name."""
    if not typed or typed.lower() in release.shelf.devices:
        return typed.lower()
    found = suggest_models(release, typed)
    exact = [one for one in found if _name(release, one.value) == typed.casefold()]
    sure = exact or found
    return sure[0].value if len(sure) == 1 else typed


def _name(release: Published, model_id: str) -> str:
    return model_name(release.shelf.devices[model_id]).casefold()
