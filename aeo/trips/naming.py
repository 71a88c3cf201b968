"""The id of the model that was typed into a form, where it is the name of one model; else as it was typed.

A part of a name is no name: no answer may be about a model that was not meant. Called by
`aeo.trips.itinerary`.
"""

from collections.abc import Iterable

from aeo.asking.free_text import suggest_models
from aeo.asking.names.folding import fold
from aeo.texts import model_name
from rules.corpus import Published
from rules.engine.facts import Device


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
