"""What to do with a damaged power bank, before its question is complete.

A question that says that the unit is damaged needs no model and no flight to be told not to pack it. Called
by the views of the checker and of an itinerary.
"""

from collections.abc import Iterable

from aeo.asking import Asked
from aeo.editions import Edition
from aeo.reference.approval import baseline
from aeo.texts import active
from rules import wording

CODE = "damaged_not_permitted"


def dangerous(edition: Edition, parts: Iterable[Asked]) -> tuple[str, ...]:
    """Return that a damaged unit may not travel, by the international rules, and what to do with it."""
    damaged = next((asked for asked in parts if asked.condition == "damaged"), None)
    ban = next((rule for rule in baseline(edition) if rule.code == CODE), None)
    if damaged is None or ban is None:
        return ()
    said = wording.rule_message(ban, active())
    return (*([said] if said else []), *wording.danger_advice([CODE], damaged.unit, active()))
