"""Rules as lists show them: found by who says them, what they say, and the day on which they are in force.

Called by the views of the API and by the other selectors.
"""

import datetime
from collections.abc import Mapping
from functools import lru_cache

from catalog.search.words import pieces
from rules.corpus import Published
from rules.engine.facts import Rule


def find(
    published: Published,
    *,
    in_force_on: datetime.date,
    q: str | None = None,
    airline: str | None = None,
    jurisdiction: str | None = None,
    code: str | None = None,
    effect: str | None = None,
) -> list[Rule]:
    """Return the rules that are in force on a day and match the request, by id.

    The rule's id, authority or summary must contain each word of `q`; letter case and accents make no
    difference.
    """
    shelf, words = published.shelf, None if q is None else pieces(q)
    return [
        rule
        for rule in (shelf.rules.values() if airline is None else shelf.rules_of(airline))
        if rule.in_force(in_force_on)
        and jurisdiction in (None, rule.jurisdiction)
        and code in (None, rule.code)
        and effect in (None, rule.effect)
        and (words is None or _mentions(rule, words))
    ]


def active(published: Published, airline: str, day: datetime.date) -> list[Rule]:
    """Return an airline's own rules that are in force on a day."""
    return [rule for rule in published.shelf.rules_of(airline) if rule.in_force(day)]


def of_place(published: Published, place: str, day: datetime.date) -> list[Rule]:
    """Return the rules of a jurisdiction's authorities that are in force on a day, by id."""
    return list(_by_place(published, day).get(place, ()))


# Pages of airlines, countries and models, and the map, ask for the same places of one release and day.
@lru_cache(maxsize=1)
def _by_place(published: Published, day: datetime.date) -> Mapping[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in find(published, in_force_on=day):
        if rule.airline is None:
            found.setdefault(rule.jurisdiction, []).append(rule)
    return found


def _mentions(rule: Rule, words: list[str]) -> bool:
    text = " ".join(pieces(f"{rule.rule_id} {rule.authority} {rule.summary}"))
    # Text without a letter or a digit cannot match any rule.
    return bool(words) and all(word in text for word in words)
