"""What the traveler stated about a unit: in words, and what to mind where no rule on a flight judges it.

Texts are in the active language. Called by answers, trips, itineraries and cards.
"""

import datetime
from collections.abc import Iterable, Iterator

from aeo.texts import in_sentence, say
from rules.corpus import Published
from rules.engine.facts import Leg, Unit
from rules.engine.vocabulary import Verdict
from rules.selectors import rules

UNSAID = ("unknown", "not_checked")
"""The values of a fact that the question does not give."""


def facts(unit: Unit) -> tuple[str, ...]:
    """Return the facts that were stated, a few words for each."""
    seen = (
        ("mark", unit.ccc_mark),
        ("label", unit.capacity_label),
        ("condition", unit.condition),
        ("recall_check", unit.recall_check),
    )
    return tuple(say(f"answer.{name}.{value}") for name, value in seen if value not in UNSAID)


def unjudged(
    release: Published, verdict: Verdict, unit: Unit, flights: Iterable[tuple[Leg, datetime.date]]
) -> Iterator[str]:
    """Yield what to mind of a unit that is not banned although its rating or its mark is missing.

    Where a rule on a flight asks for them, the unit is banned.
    """
    if verdict == "banned":
        return
    if unit.capacity_label == "missing":
        yield say("answer.unjudged.label")
    if unit.ccc_mark == "absent":
        arrivals = dict.fromkeys((leg.destination, date) for leg, date in flights)
        for country in dict.fromkeys(place for place, date in arrivals if _asks_within(release, place, date)):
            yield say(
                "answer.unjudged.mark", country=in_sentence(country, release.corpus.countries[country].name)
            )


def _asks_within(release: Published, country: str, date: datetime.date) -> bool:
    """Tell whether a country requires the mark on its domestic flights."""
    found = rules.find(
        release, in_force_on=date, jurisdiction=country, code="ccc_mark_required", effect="require"
    )
    return any("domestic" in rule.applies for rule in found)
