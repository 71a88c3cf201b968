"""What was typed into a form as a code or an id, where it is the name of one thing; else as it was typed.

A part of a name is no name: nobody shall be answered for an airline or a model that was not meant. Called by
`aeo.trips.itinerary`.
"""

from collections.abc import Iterable

from aeo.factors import model_name
from aeo.finding import read_place, suggest_airlines, suggest_models
from aeo.finding.airlines import spellings
from aeo.finding.folding import fold
from aeo.texts import active
from rules.corpus import Published
from rules.engine.facts import Device


def country(release: Published, typed: str) -> str:
    """Return the code of the country that a place lies in."""
    if not typed or typed.upper() in release.corpus.countries:
        return typed.upper()
    meant, _ = read_place(release, typed, active())
    return meant or typed


def airline(release: Published, typed: str) -> str:
    """Return the code of an airline."""
    if not typed or typed.upper() in release.shelf.airlines:
        return typed.upper()
    found = suggest_airlines(release, typed, active())
    return _only((one.value for one in found if fold(typed) in spellings(one.value, one.label)), typed)


def model(release: Published, typed: str) -> str:
    """Return the id of a model, which has a name, a model number and others that it is called by."""
    if not typed or typed.lower() in release.shelf.devices:
        return typed.lower()
    found = [one.value for one in suggest_models(release, typed)]
    return _only((one for one in found if fold(typed) in _names(release.shelf.devices[one])), typed)


def _names(device: Device) -> set[str]:
    own = [device.model_name, *filter(None, (device.model_number, *device.aliases))]
    return {fold(name) for one in own for name in (one, f"{device.brand} {one}", model_name(device))}


def _only(found: Iterable[str], typed: str) -> str:
    each = set(found)
    return each.pop() if len(each) == 1 else typed
