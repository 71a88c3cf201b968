"""The models of the catalog: found by the reader's text, by brand, by how new they are.

Called by the views of the API and by the public pages.
"""

import datetime
from collections.abc import Sequence

from django.utils.text import slugify

from rules.corpus import Published
from rules.engine.facts import Device


def find(
    published: Published, *, text: str | None = None, brand: str | None = None, since_year: int | None = None
) -> Sequence[Device]:
    """Return the models that match the request.

    A `brand` is its whole name; letter case, accents and punctuation make no difference. A `text` ranks them,
    best first. Otherwise they are in the order of their ids; with `since_year`, those of the newest year come
    first. A model of unknown year never matches `since_year`.
    """
    shelf = published.shelf
    found: Sequence[Device] = shelf.all_devices if text is None else shelf.search_devices(text)
    if brand is not None and text is None:
        found = shelf.devices_of_brand(slugify(brand))
    elif brand is not None:
        names = set(shelf.brands.get(slugify(brand), ()))
        found = [device for device in found if device.brand in names]
    if since_year is not None:
        found = [device for device in found if _released_since(device, since_year)]
        if text is None:
            found = sorted(found, key=lambda device: -(device.release_year or 0))
    return found


def recent_since(today: datetime.date) -> int:
    """Return the first year whose models count as recent on a day: the year before."""
    return today.year - 1


def is_recent(device: Device, today: datetime.date) -> bool:
    """Return whether a model is recent on a day; one of unknown year is not."""
    return _released_since(device, recent_since(today))


def _released_since(device: Device, year: int) -> bool:
    return (device.release_year or 0) >= year
