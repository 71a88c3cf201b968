"""The sum of a survey: how many answers flip, which way, and for whom."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from rules.impact.survey.flips import Flip, Outcome, Part


class Impact(msgspec.Struct, frozen=True, kw_only=True):
    """The sum of a survey. All counts are of questions.

    A question is about a model, a flight, a compartment, a number of units and, if a certificate is in doubt,
    a mark. `ways` counts by answer before and after; `flips` are all of them, the most frequent first.
    """

    questions: int
    evaluated: int
    flipped: int
    lenient: int
    ways: dict[tuple[Outcome, Outcome], int]
    by_airline: dict[str, int]
    by_country: dict[str, int]
    by_model: dict[str, int]
    flips: tuple[Flip, ...]


def summarize(parts: Iterable[Part]) -> Impact:
    """Add up the parts of a survey."""
    ways: Counter[tuple[Outcome, Outcome]] = Counter()
    airlines, countries, models = Counter[str](), Counter[str](), Counter[str]()
    flips: list[Flip] = []
    questions = evaluated = lenient = 0
    for part in parts:
        questions += part.questions
        evaluated += part.evaluated
        flips += part.flips
        for flip in part.flips:
            ways[flip.before, flip.after] += flip.count
            airlines[flip.airline] += flip.count
            countries.update(dict.fromkeys(flip.countries, len(flip.models)))
            models.update(dict.fromkeys(flip.models, len(flip.countries)))
            lenient += flip.count if flip.lenient else 0
    return Impact(
        questions=questions,
        evaluated=evaluated,
        flipped=sum(ways.values()),
        lenient=lenient,
        ways=dict(ways.most_common()),
        by_airline=dict(airlines.most_common()),
        by_country=dict(countries.most_common()),
        by_model=dict(models.most_common()),
        flips=tuple(sorted(flips, key=lambda flip: (-flip.count, flip.airline, flip.countries))),
    )
