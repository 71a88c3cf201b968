"""Counts routes and models in the verdict log, without what few people asked about.

The log knows no persons, so a floor stands for many of them: a route or a model is shown if at least
`FEWEST_ANSWERS` answers on at least `FEWEST_DAYS` different days were about it. Numbers are rounded down to
tens, so that the difference of two counts shows no single question.
"""

import datetime
from typing import Any, NamedTuple

from django.db import connection

DAYS = 30
"""How many days count, unless the log keeps fewer."""

FEWEST_ANSWERS = 20
FEWEST_DAYS = 5

MOST = 50
"""How many routes, and how many models, are kept."""

_FLOORS: dict[str, Any] = {"answers": FEWEST_ANSWERS, "days": FEWEST_DAYS, "most": MOST}

# Each flight of a trip or an itinerary counts.
ROUTES = """
SELECT leg->>'origin', leg->>'destination', count(*) / 10 * 10
FROM compliance_verdictrecord
CROSS JOIN LATERAL jsonb_array_elements(
    COALESCE(question->'legs', question->'flights', jsonb_build_array(question->'leg'))
) AS leg
WHERE generated >= %(since)s AND generated < %(before)s
GROUP BY 1, 2
HAVING count(DISTINCT entry_id) >= %(answers)s
    AND count(DISTINCT (generated AT TIME ZONE 'UTC')::date) >= %(days)s
ORDER BY 3 DESC, 1, 2 LIMIT %(most)s
"""

# Of an itinerary with several items, nothing says which of them the verdict is about.
UNANSWERED = """
SELECT model, count(*) FILTER (WHERE verdict = 'insufficient') / 10 * 10, count(*) / 10 * 10
FROM (
    SELECT COALESCE(question->'unit', question->'items'->0->'unit')->>'model_id' AS model, verdict,
        (generated AT TIME ZONE 'UTC')::date AS day
    FROM compliance_verdictrecord
    WHERE generated >= %(since)s AND generated < %(before)s
        AND jsonb_array_length(COALESCE(question->'items', '[0]')) = 1
) AS asked
WHERE model <> ''
GROUP BY 1
HAVING count(*) FILTER (WHERE verdict = 'insufficient') >= %(answers)s
    AND count(DISTINCT day) FILTER (WHERE verdict = 'insufficient') >= %(days)s
ORDER BY 2 DESC, 1 LIMIT %(most)s
"""


class Route(NamedTuple):
    """Two countries, and how many flights between them were asked about, rounded down to tens."""

    origin: str
    destination: str
    flights: int


class Unanswered(NamedTuple):
    """A model, and how many of its answers were `insufficient`, both rounded down to tens."""

    model_id: str
    insufficient: int
    answers: int


def routes(*, since: datetime.datetime, before: datetime.datetime) -> list[Route]:
    """Return the routes that were asked about most in a time span, without those of few answers."""
    return [Route(*row) for row in _rows(ROUTES, since, before)]


def unanswered(*, since: datetime.datetime, before: datetime.datetime) -> list[Unanswered]:
    """Return the models with the most answers `insufficient` in a time span, without those of few."""
    return [Unanswered(*row) for row in _rows(UNANSWERED, since, before)]


def _rows(query: str, since: datetime.datetime, before: datetime.datetime) -> list[Any]:
    named = _FLOORS | {"since": since, "before": before}
    with connection.cursor() as cursor:
        cursor.execute(query, named)
        return cursor.fetchall()
