"""General guidance in words: first that it is no verdict on a model, and that recalls are always open.

Called by pages. `steps` puts the path of a guidance into words.
"""

from collections.abc import Iterator

from rules.answers.guidance import Guidance, LegGuidance, Rating, TripGuidance
from rules.engine.facts import Leg, Question, TripQuestion
from rules.engine.matching import plain
from rules.wording.names import airline_name
from rules.wording.open_points import guidance_sentence, is_open
from rules.wording.saying import say
from rules.wording.summaries import MAX_REASONS, ban_reasons
from rules.wording.translating import joined


def guidance_summary(guidance: Guidance, language: str) -> str:
    """Say guidance for one leg in a few sentences: the opening, what decides, and that recalls are open."""
    airline = airline_name(guidance.release.corpus.airlines[guidance.question.leg.airline], language)
    reasons = _reasons(guidance.question, guidance.outcome, airline, language)
    return _said("flight", guidance.outcome.verdict, reasons, language)


def trip_guidance_summary(guidance: TripGuidance, language: str) -> str:
    """Say guidance for a trip in the same way, with what decides on its strictest flights."""
    outcome = guidance.outcome
    deciding = [segment for segment in outcome.segments if segment.verdict == outcome.verdict]

    def reasons() -> Iterator[str]:
        for segment in deciding:
            airline = _airline(guidance, segment.leg, language)
            if segment.guidance is None:
                yield say("summary.insufficient.not_covered", language, (("airline", airline),))
            else:
                yield from _reasons(guidance.question, segment.guidance, airline, language)

    kind = "flight" if len(outcome.segments) == 1 else "trip"
    return _said(kind, outcome.verdict, reasons(), language)


def guidance_notes(rating: Rating, language: str) -> list[str]:
    """Return the warnings above any guidance: that it is general, and that recalls were not checked."""
    if rating.watt_hour is None:
        general = say("guidance.general.unknown", language)
    else:
        general = say("guidance.general", language, (("watt_hour", plain(rating.watt_hour)),))
    return [general, say("guidance.recalls", language)]


def guidance_constraint_messages(outcome: LegGuidance, language: str) -> list[str]:
    """Return the sentences of a leg's constraints, in their order."""
    return [guidance_sentence(statement, language) for statement in outcome.constraints]


def guidance_warning_messages(outcome: LegGuidance, language: str) -> list[str]:
    """Return the sentences of a leg's warnings, in their order, in addition to `guidance_notes`."""
    return [guidance_sentence(statement, language) for statement in outcome.warnings]


def _reasons(
    question: Question | TripQuestion, outcome: LegGuidance, airline: str, language: str
) -> Iterator[str]:
    """Return what bans, what is missing, or what must be settled apart from the recalls."""
    match outcome.verdict:
        case "banned":
            yield from ban_reasons(question, outcome, language)
        case "insufficient":
            for gap in outcome.gaps:
                if gap == "watt_hour_unknown":
                    yield say("guidance.watt_hour_unknown", language)
                else:
                    values = () if gap == "no_authority_permit" else (("airline", airline),)
                    yield say(f"summary.insufficient.{gap}", language, values)
        case _:
            for statement in outcome.constraints:
                if is_open(statement, question):
                    yield guidance_sentence(statement, language)
            if any(warning.name == "airline_policy_unconfirmed" for warning in outcome.warnings):
                yield say("summary.conditional.airline_policy_unconfirmed", language, (("airline", airline),))


def _said(kind: str, verdict: str, reasons: Iterator[str], language: str) -> str:
    distinct = list(dict.fromkeys(reasons))
    more = [say("summary.more", language)] if len(distinct) > MAX_REASONS else []
    opening, recalls = say(f"guidance.{kind}.{verdict}", language), say("guidance.recalls", language)
    return joined([opening, *distinct[:MAX_REASONS], *more, recalls], language)


def _airline(guidance: TripGuidance, leg: Leg, language: str) -> str:
    airline = guidance.release.corpus.airlines.get(leg.airline)
    return leg.airline if airline is None else airline_name(airline, language)
