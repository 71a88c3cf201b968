"""The words of a device: the names that identify it alone, and all its words.

Pure. Called by `catalog.search.index` for each device of a release, once.
"""

from catalog.records import Device
from catalog.search.words import compounds, is_cjk, joined, spellings, words


def identities(device: Device) -> set[str]:
    """Return the names that identify a device, each in one piece: its id, its number and its aliases."""
    return {joined(name) for name in (device.model_id, device.model_number or "", *device.aliases)} - {""}


def words_of(device: Device, of_name: list[str]) -> set[str]:
    """Return the words that find a device; `of_name` are the words of its brand and its name."""
    found = set(compounds(device.model_name)).union(compounds(device.brand), *map(spellings, of_name))
    for name in (device.model_number or "", *device.aliases):
        found.update(*map(spellings, words(name)))
        whole_name = joined(name)
        if whole_name and not is_cjk(whole_name):
            found.add(whole_name)
    if device.capacity_mah is not None:
        found.update(spellings(f"{device.capacity_mah}mah"))
    if device.watt_hour is not None:
        whole, _, fraction = f"{device.watt_hour.normalize():f}".partition(".")
        found.add(f"{whole}.{fraction}wh" if fraction else f"{whole}wh")
        if fraction:
            # So 96wh is the beginning of it, although the catalog says 96.48wh.
            found.add(f"{whole}wh.{fraction}")
    return found
