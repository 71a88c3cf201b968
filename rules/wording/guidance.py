"""General guidance in words: that it is no verdict on a model is said first, that recalls are open always.

Called by pages. The path of a guidance is worded by `steps`.
"""

from collections.abc import Iterator

from rules.engine.facts import Leg, Question, TripQuestion
from rules.engine.matching import Statement, plain
from rules.engine.vocabulary import Nature
from rules.guidance import Guidance, LegGuidance, Rating, TripGuidance
from rules.wording.airlines import airline_name
from rules.wording.saying import say
from rules.wording.sentences import sentence
from rules.wording.step_texts import GUIDANCE
from rules.wording.summaries import MAX_REASONS
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
    """Return what to warn of above any guidance: that it is general, and that recalls were not checked."""
    values = (("watt_hour", plain(rating.watt_hour)),)
    return [say("guidance.general", language, values), say("guidance.recalls", language)]


def guidance_constraint_messages(outcome: LegGuidance, language: str) -> list[str]:
    """Return the sentences of a leg's constraints, in their order."""
    return [_sentence(statement, language) for statement in outcome.constraints]


def guidance_warning_messages(outcome: LegGuidance, language: str) -> list[str]:
    """Return the sentences of a leg's warnings, in their order, beside `guidance_notes`."""
    return [_sentence(statement, language) for statement in outcome.warnings]


def _sentence(statement: Statement, language: str) -> str:
    """Word one statement; where a verdict speaks of figures on file, guidance speaks of the label."""
    if statement.name in GUIDANCE:
        return say(f"guidance.{statement.name}", language)
    return sentence(statement, language)


def _reasons(
    question: Question | TripQuestion, outcome: LegGuidance, airline: str, language: str
) -> Iterator[str]:
    """Return what bans, what is missing, or what must be settled beside the recalls."""
    match outcome.verdict:
        case "banned":
            for statement in outcome.constraints[: outcome.bans]:
                yield _sentence(statement, language)
        case "insufficient":
            for gap in outcome.gaps:
                values = () if gap == "no_authority_permit" else (("airline", airline),)
                yield say(f"summary.insufficient.{gap}", language, values)
        case _:
            for statement in outcome.constraints:
                shown = statement.name == "ccc_mark_required" and question.unit.ccc_mark == "present"
                if statement.nature is Nature.PRECONDITION and not shown:
                    yield _sentence(statement, language)


def _said(kind: str, verdict: str, reasons: Iterator[str], language: str) -> str:
    told = list(dict.fromkeys(reasons))
    more = [say("summary.more", language)] if len(told) > MAX_REASONS else []
    opening, recalls = say(f"guidance.{kind}.{verdict}", language), say("guidance.recalls", language)
    return joined([opening, *told[:MAX_REASONS], *more, recalls], language)


def _airline(guidance: TripGuidance, leg: Leg, language: str) -> str:
    airline = guidance.release.corpus.airlines.get(leg.airline)
    return leg.airline if airline is None else airline_name(airline, language)
