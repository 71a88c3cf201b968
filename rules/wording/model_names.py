"""What exact models are called in a sentence. Called by whatever words a rule that names models."""

from collections.abc import Iterable, Mapping

from babel.lists import format_list

from rules.engine.facts import Device
from rules.wording.translating import locale


def model_names(model_ids: Iterable[str], devices: Mapping[str, Device], language: str) -> str:
    """Return models as people list them: `Anker A1647 and Anker A1681`; by its id one that is not there."""
    names = [_name(devices[name]) if name in devices else name for name in model_ids]
    return format_list(names, locale=locale(language))


def _name(device: Device) -> str:
    return f"{device.brand} {device.model_number or device.model_name}"
