"""Gaps in the words of the API: made from its errors, and from verdicts that are not clear.

A step that the API suggests may be the name of a tool here; the table has these names.
"""

from http import HTTPStatus

import msgspec
from django.conf import settings

from compliance.api.protocol.bodies import exact
from compliance.api.protocol.errors import ProblemBody, problem_of
from compliance.channels.mcp.calls import Call, Gap, Outcome, ToolStep
from recalls.serials import RecallStatus
from rules import wording
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Question, TripQuestion
from rules.engine.outcomes import LegVerdict, RecallImpact
from rules.verdicts import AnyAnswer, ItineraryAnswer, TripAnswer, item_question
from rules.wording import NextStep
from rules.wording.itineraries import strictest_item
from rules.wording.saying import say
from rules.wording.summaries import leg_reasons

TOOLS_OF_STEPS = {
    "search_models": "search_models",
    "find_exact_model": "search_models",
    "use_trip_endpoint": "verify_trip",
    "read_recall_notice": "check_recall",
}
"""The tool for each step. All other steps are for people, or for the same tool again."""

_decode = msgspec.json.Decoder(ProblemBody, float_hook=exact).decode

OF_RECALLS: dict[RecallStatus, str] = {
    "external_check_required": "external_list_required",
    "serial_unknown": "recall_serial_unknown",
}
"""The open questions of recalls, as codes for programs, by their combined result for the unit."""


def step(suggested: NextStep) -> ToolStep:
    """Return a step of the API in the form for agents."""
    return ToolStep(suggested.code, suggested.message, TOOLS_OF_STEPS.get(suggested.code), suggested.url)


def failure(call: Call, error: Exception) -> Outcome:
    """Return the result of a call that raised an error.

    Only an unknown thing, such as a model, is no failure.
    """
    response = problem_of(call.request, error)
    problem = _decode(response.content)
    retry_after = response.headers.get("Retry-After")
    gap = Gap(
        reason_code=problem.code,
        message=problem.detail,
        suggested_next_step=step(problem.suggested_next_step),
        errors=problem.errors,
        corrected_arguments=problem.corrected_request,
        retry_after_seconds=None if retry_after is None else int(retry_after),
        request_id=problem.request_id,
    )
    return Outcome(gap=gap, failed=problem.status != HTTPStatus.NOT_FOUND)


def verdict_gap(answer: AnyAnswer, summary: str, language: str) -> Gap | None:
    """Return what keeps an answer from being clear; none if it is allowed or finally banned."""
    if answer.outcome.verdict not in {"conditional", "insufficient"}:
        return None
    match answer:
        case ItineraryAnswer():
            reason, suggested = _of_itinerary(answer, language)
        case TripAnswer():
            first = next(one for one in answer.outcome.segments if one.verdict == answer.outcome.verdict)
            reason = _reason_code(answer.question, first.answer)
            suggested = wording.trip_next_step(answer, language)
        case _:
            reason = _reason_code(answer.question, answer.outcome)
            suggested = wording.next_step(answer, language)
    return None if suggested is None else Gap(reason, summary, step(suggested))


def _of_itinerary(answer: ItineraryAnswer, language: str) -> tuple[str, NextStep | None]:
    """Return the open question of the strictest item on the first of the strictest flights."""
    flight = next(one for one in answer.outcome.flights if one.verdict == answer.outcome.verdict)
    suggested = wording.flight_step(answer, flight, language)
    if flight.error is not None:
        return flight.error.code, suggested
    item, outcome = strictest_item(answer, flight)
    return _reason_code(item_question(item, flight.flight), outcome), suggested


def recall_gap(impact: RecallImpact, *, serial_given: bool) -> Gap | None:
    """Return the open questions of a model's recalls for a unit; none if nothing is open."""
    open_recalls = [one.recall for one in impact.findings if one.evaluation.match_status == "unknown"]
    suggested = wording.serial_step(open_recalls, settings.LANGUAGE_CODE)
    if impact.status not in OF_RECALLS or suggested is None:
        return None
    by_list = impact.status == "external_check_required"
    if not by_list and not serial_given and any(one.affected_serials.pattern for one in open_recalls):
        said = say("next_step.conditional.recall.identifier", settings.LANGUAGE_CODE)
        suggested = NextStep("send_recall_identifier", said, suggested.url)
    message = (
        "Only the maker's own list says whether this unit is recalled."
        if by_list
        else "It is not known whether this unit is recalled."
    )
    return Gap(OF_RECALLS[impact.status], message, step(suggested))


def _reason_code(question: Question | TripQuestion, outcome: LegVerdict | None) -> str:
    """Return the code of the first open question on a leg; without a verdict its airline is not covered."""
    if outcome is None:
        return AirlineNotCovered.code
    # Names of airlines are for people.
    reason, _ = next(leg_reasons(question, outcome, ""))
    _, _, name = reason.removesuffix(".at").partition(".")
    return OF_RECALLS[outcome.recall_status] if name.startswith("recall.") else name
