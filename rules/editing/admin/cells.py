"""A rule in a few words for a list: what it says, where and when. Pure, apart from the day."""

import datetime
from decimal import Decimal

from catalog.dates import day_words
from catalog.energy import bound
from rules.editing.models import Rule
from rules.engine.matching import plain

PLACES = {
    "departure": "from",
    "arrival": "to",
    "domestic": "within",
    "operator": "airlines of",
}
COMPARTMENTS = {"carry_on": "cabin bag", "on_person": "person", "checked": "checked"}


SPELLINGS = (
    ("_", " "),
    ("ccc ", "CCC "),
    ("un38 3 type", "UN 38.3 type"),
    ("100wh", "100 Wh"),
    ("watt hour", "watt-hour"),
)
"""How the words of a code are written."""


def code_in_words(code: str) -> str:
    """Return a code as people write it: `CCC mark required`."""
    for letters, words in SPELLINGS:
        code = code.replace(letters, words)
    return code


def says(rule: Rule) -> str:
    """Return a permit, or a code, which implies its effect, and its parameter: `max units 2`."""
    parameter = rule.max_units if rule.max_units is not None else rule.limit_watt_hour
    words = [code_in_words(rule.code or rule.effect)]
    if parameter is not None:
        words.append(f"{parameter.normalize():f} Wh" if rule.limit_watt_hour is not None else str(parameter))  # type: ignore[union-attr]
    return " ".join(words)


def where(rule: Rule) -> str:
    """Return whose rule it is, and on which flights it speaks."""
    if rule.airline is not None:
        return f"{rule.airline.name} ({rule.airline_id})"
    if rule.applies == ["global"]:
        return "every flight"
    ways = [words for scope, words in PLACES.items() if scope in rule.applies]
    return f"{rule.jurisdiction}: {', '.join(ways)}"


def when(rule: Rule) -> str:
    """Return the conditions: `over 100, up to 160 Wh · cabin bag, person`."""
    bounds = [
        *([f"over {plain(rule.watt_hour_over)}"] if rule.watt_hour_over is not None else []),
        *([f"from {plain(rule.watt_hour_at_least)}"] if rule.watt_hour_at_least is not None else []),
        *([_up_to(rule.watt_hour_up_to)] if rule.watt_hour_up_to is not None else []),
    ]
    parts = [
        f"{', '.join(bounds)} Wh" if bounds else "",
        ", ".join(COMPARTMENTS[value] for value in COMPARTMENTS if value in (rule.compartment or ())),
        ", ".join(rule.condition or ()),
        f"recall {', '.join(rule.recall_status)}".replace("_", " ") if rule.recall_status else "",
        f"no {rule.certification_missing} mark" if rule.certification_missing else "",
        f"over {rule.quantity_over} units" if rule.quantity_over else "",
        ", ".join(rule.model or ()),
    ]
    return " · ".join(filter(None, parts))


def _up_to(highest: Decimal) -> str:
    limit = bound(highest)
    return f"{'up to' if limit.inclusive else 'under'} {plain(limit.watt_hour)}"


def in_force(rule: Rule, today: datetime.date) -> str:
    """Return since when and until when a rule is in force, and whether it is in force today."""
    begin, end = rule.effective_from, rule.effective_until
    if begin is not None and begin > today:
        until = f" to {day_words(end)}" if end else ""
        return f"in {(begin - today).days} days, from {day_words(begin)}{until}"
    if end is not None and end < today:
        return f"ended {day_words(end)}"
    since = f"since {day_words(begin)}" if begin else "always"
    return f"{since}, ends {day_words(end)}" if end else since
