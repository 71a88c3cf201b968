"""How a release changed answers: the counts of its measurement, small enough to be kept with it for good.

A measurement is deleted after its day, and its samples and paths are large. What stays is in the entry of the
audit log that tells of the release. Pure.
"""

import msgspec

from rules.impact.survey import Count, Result, Rows

MOST_KEPT = 20
"""How many airlines, and how many countries, are kept: those with the most changed answers."""


class AnswersChanged(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers a release changed, of how many `questions`, in all, by airline and by country.

    `unlisted` are answers about units that no catalog lists. They are in none of the other counts.
    """

    questions: int
    ways: tuple[Count, ...]
    unlisted: tuple[Count, ...]
    airlines: Rows
    countries: Rows


def answers_changed(result: Result) -> AnswersChanged:
    """Return the counts of a measurement."""
    return AnswersChanged(
        questions=result.questions,
        ways=result.ways,
        unlisted=result.unlisted,
        airlines=Rows(result.airlines.total, result.airlines.rows[:MOST_KEPT]),
        countries=Rows(result.countries.total, result.countries.rows[:MOST_KEPT]),
    )


def kept_details(result: Result | None) -> dict[str, object]:
    """Return what the log keeps of the measurement of a release; nothing if it was compared with none."""
    return {} if result is None else {"answers": msgspec.to_builtins(answers_changed(result))}


def read_details(details: dict[str, object]) -> AnswersChanged | None:
    """Return what the log has kept of a release; None for one that was published before this was kept."""
    kept = details.get("answers")
    return None if kept is None else msgspec.convert(kept, AnswersChanged)
