"""What to do about a gap: one step for each reason for which a verdict is `conditional` or `insufficient`.

A step is the first thing that helps with an answer, as a word for programs, a sentence in the reader's
language and, if there is one, an address. It answers the first reason that the summary gives. No step makes
an answer `allowed`: the traveler does it, and then asks the question again. An `allowed` or `banned` verdict
leaves nothing open and has no step.

Called by all code that shows gaps to programs: the API and tools for agents. What errors of the API suggest
is in `compliance.api.protocol.errors`.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rules.corpus import Published
from rules.engine.facts import Leg, Question, Recall, TripQuestion
from rules.engine.outcomes import LegVerdict, RecallFinding
from rules.verdicts import Answer, TripAnswer
from rules.wording.names import airline_name, country_name
from rules.wording.saying import Values, say
from rules.wording.sentences import lookup_url
from rules.wording.summaries import NOT_COVERED, leg_reasons

StepCode = Literal[
    "ask_airline",
    "ask_authority",
    "carry_recall_answer",
    "check_ccc_mark",
    "check_recall_list",
    "find_exact_model",
    "find_operating_airline",
    "look_up_certificate",
    "read_label",
    "read_recall_notice",
    "request_airline_approval",
    "send_recall_identifier",
]
Where = Literal["airline", "authority", "list", "notice", "register", "unit"]
"""The target of a step: the airline with its policy, the authority of the country of departure, the maker's
list of units or else the notice, the notice of the recall, the register of certificates or the unit."""


class NextStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to do next. `url` is present if one page says more."""

    code: Annotated[
        str,
        Meta(
            description="For programs. Codes may be added: for an unknown code, follow its `message`.",
            examples=["check_recall_list", "search_models"],
        ),
    ]
    message: str
    url: str | None = None


STEPS: dict[str, tuple[StepCode, Where]] = {
    "insufficient.watt_hour_unknown": ("read_label", "airline"),
    "insufficient.no_airline_permit": ("ask_airline", "airline"),
    "insufficient.no_authority_permit": ("ask_authority", "authority"),
    "insufficient.voltage_unknown": ("read_label", "unit"),
    NOT_COVERED: ("ask_airline", "airline"),
    "conditional.recall.lookup": ("check_recall_list", "list"),
    "conditional.recall.identifier": ("send_recall_identifier", "notice"),
    "conditional.recall.notice": ("read_recall_notice", "notice"),
    "conditional.recall_list_proof": ("carry_recall_answer", "list"),
    "conditional.confirm_rated_watt_hour": ("read_label", "airline"),
    "conditional.airline_approval_required": ("request_airline_approval", "airline"),
    "conditional.ccc_mark_required": ("check_ccc_mark", "unit"),
    "conditional.ccc_certificate_suspended": ("look_up_certificate", "register"),
    "conditional.ccc_certificate_suspended.at": ("look_up_certificate", "register"),
    "conditional.exact_model_unknown": ("find_exact_model", "unit"),
    "conditional.operating_airline_unconfirmed": ("find_operating_airline", "unit"),
    "conditional.airline_policy_unconfirmed": ("ask_airline", "airline"),
}
"""The step for each reason of a summary (`summaries.leg_reasons`). Its sentence is `next_step.<reason>`."""


def next_step(answer: Answer, language: str) -> NextStep | None:
    """Return what to do about the first gap of a leg's answer; None if nothing is open."""
    return leg_step(answer.release, answer.question, answer.question.leg, answer.outcome, language)


def trip_next_step(answer: TripAnswer, language: str) -> NextStep | None:
    """Return what to do about the first gap of the strictest flight; None if nothing is open."""
    for segment in answer.outcome.segments:
        if segment.verdict == answer.outcome.verdict:
            if segment.answer is None:
                return coverage_step(answer.release, segment.leg.airline, language)
            return leg_step(answer.release, answer.question, segment.leg, segment.answer, language)
    return None


def coverage_step(release: Published, airline: str, language: str) -> NextStep:
    """Return what to do if no rule of an airline, named by its code, is in force."""
    known = release.corpus.airlines.get(airline)
    name = airline if known is None else known.name
    return _step(NOT_COVERED, (("airline", name),), None if known is None else known.policy_url, language)


def serial_step(open_recalls: Sequence[Recall], language: str) -> NextStep | None:
    """Return what to do if some recalls cannot judge a given serial; None if all can."""
    for recall in open_recalls:
        if (address := recall.affected_serials.explicit_list_url) is not None:
            return _step("conditional.recall.lookup", (), address, language)
    if open_recalls:
        return _step("conditional.recall.notice", (), open_recalls[0].notice_url, language)
    return None


def voltage_step(language: str) -> NextStep:
    """Return what to do about a label with a capacity and no voltage, which leaves the energy unknown."""
    return _step("insufficient.voltage_unknown", (), None, language)


def leg_step(
    release: Published, question: Question | TripQuestion, leg: Leg, outcome: LegVerdict, language: str
) -> NextStep | None:
    """Return what to do about the first gap of an outcome; None if nothing is open."""
    if outcome.verdict not in {"conditional", "insufficient"}:
        return None
    airline = release.corpus.airlines[leg.airline]
    name = airline_name(airline, language)
    reason, values = next(leg_reasons(question, outcome, name))
    match STEPS[reason][1]:
        case "airline":
            return _step(reason, (("airline", name),), airline.policy_url, language)
        case "authority":
            country = release.corpus.countries[leg.origin]
            name = country_name(country.code, country.name, language)
            return _step(reason, (("country", name),), None, language)
        case "list":
            url = lookup_url(outcome.recalls) or _notice(outcome.recalls)
            return _step(reason, (), url, language)
        case "notice":
            return _step(reason, (), _notice(outcome.recalls), language)
        case "register":
            address = dict(values).get("lookup_url")
            url = None if address is None else str(address)
            return _step(reason, (*values, ("airline", name)), url, language)
        case "unit":
            return _step(reason, (), None, language)


def _notice(findings: tuple[RecallFinding, ...]) -> str | None:
    """Return the address of the first notice that leaves open whether the unit is affected."""
    for finding in findings:
        if finding.evaluation.match_status == "unknown":
            return finding.recall.notice_url
    return None


def _step(reason: str, values: Values, url: str | None, language: str) -> NextStep:
    return NextStep(STEPS[reason][0], say(f"next_step.{reason}", language, values), url)
