"""A question in a visitor's own words, as the fields of the form. Called by `reading`.

What the words name is written into its field; where they may name several things, the field gets the words,
so that the visitor chooses there. A field that was filled by hand is left alone.
"""

import datetime

from aeo.asking.asked import Typed
from aeo.finding import understand
from aeo.finding.sentence import Choice
from aeo.texts import active
from rules.corpus import Published
from rules.engine.matching import plain


def spoken(given: Typed, release: Published, today: datetime.date) -> tuple[Typed, tuple[str, ...]]:
    """Return the fields with what the sentence adds, and the words of it that were not read."""
    said = understand(release, given["q"], active(), today)
    values = {
        "model": _field(said.model),
        "airline": _field(said.airline),
        "from": _field(said.origin),
        "to": _field(said.destination),
        "date": said.travel_date.isoformat() if said.travel_date else "",
        "bag": said.compartment or "",
        "count": str(said.quantity) if said.quantity else "",
    }
    if said.label is not None and not given["model"]:
        values["wh"] = plain(said.label.watt_hour) if said.label.watt_hour else ""
        values["mah"] = str(said.label.capacity_mah or "")
        values["v"] = plain(said.label.nominal_voltage) if said.label.nominal_voltage else ""
    added = {name: value for name, value in values.items() if value and not given[name]}
    stops = given.via or tuple(_field(stop) for stop in said.stops)
    unread = (*said.left_over, *(place.words for place in said.unplaced))
    return Typed({**given.values, **added}, stops), unread


def _field(choice: Choice | None) -> str:
    return "" if choice is None else choice.value or choice.words
