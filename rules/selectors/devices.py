"""The models of the catalog: found by what people type, by brand, by how new they are.

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
    """Return the models that meet all that is asked for.

    A `brand` is its whole name; letter case, accents and punctuation make no difference.
    A `text` ranks them, best first. Else they stand in the order of their ids; with `since_year`, those of
    the newest year first. A model whose year of release is not known was not released since any year.
    """
    shelf = published.shelf
    found: Sequence[Device] = shelf.all_devices if text is None else shelf.search_devices(text)
    if brand is not None:
        names = set(shelf.brands.get(slugify(brand), ()))
        found = [device for device in found if device.brand in names]
    if since_year is not None:
        found = [device for device in found if _released_since(device, since_year)]
        if text is None:
            found = sorted(found, key=lambda device: -(device.release_year or 0))
    return found


def recent_since(today: datetime.date) -> int:
    """Return the year since which models count as recent on a day: the one before."""
    return today.year - 1


def is_recent(device: Device, today: datetime.date) -> bool:
    """Tell whether a model is recent on a day; one whose year of release is not known is not."""
    return _released_since(device, recent_since(today))


def _released_since(device: Device, year: int) -> bool:
    return (device.release_year or 0) >= year
