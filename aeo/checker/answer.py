"""An answer, ready to show: a verdict, or guidance for a unit that is not on file.

In words, in the active language. Called by `aeo.checker.views`.
"""

import datetime
import json
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from django.conf import settings

from aeo.asking import Asked, query, query_with
from aeo.checker.recall_check import RecallCheckShown, recall_check_shown
from aeo.checker.stated import UNSAID, facts, unjudged
from aeo.pages import energy, parts
from aeo.pages.energy import Carried
from aeo.pages.paths import recall_path
from aeo.pages.record import Drawing
from aeo.pages.refusal import RefusalCard, refusal_card
from aeo.texts import active, airline_name, model_name, say
from aeo.web.formatting import day, instant_words, number, verdict_word
from aeo.web.languages import localized
from rules import wording
from rules.answers.alternatives import Alternative, alternatives
from rules.answers.guidance import Guidance, Rating
from rules.answers.rules_in_play import considered, deciding
from rules.engine.corpus import Citation
from rules.engine.facts import Question, Unit
from rules.engine.matching import plain
from rules.engine.vocabulary import Verdict
from rules.verdicts import Answer
from rules.wording.advice import refused_as
from rules.wording.considered import ConsideredWords
from rules.wording.steps import Step

DO_NOT = frozenset({"no_onboard_use", "no_onboard_recharge", "no_overhead_bin"})
"""The constraints that say what not to do."""

FOREWARNED = frozenset(
    (
        "over_100wh_refusal_likely",
        "confiscation_risk",
        "ccc_mark_enforcement_varies",
        "marketing_airline_stricter",
    )
)
"""Warnings that a unit may be refused although the rules let it travel: they stand beside the verdict."""

FIELD_OF_CHANGE = {
    "compartment": "bag",
    "quantity": "count",
    "ccc_mark": "mark",
    "condition": "condition",
    "capacity_label": "label",
    "date": "date",
}
"""The field of the checker in which each change of `rules.answers.alternatives` is made."""


class Instructions(msgspec.Struct, frozen=True, kw_only=True):
    """The instructions for the traveler: why it is banned, what to do now, what must be settled first.

    Only a unit that may travel, or may after something is settled, has things to `do` and not to do (`dont`).
    Otherwise `others` are the conditions for power banks that may travel.
    """

    bans: tuple[str, ...] = ()
    now: tuple[str, ...] = ()
    settle: tuple[str, ...] = ()
    do: tuple[str, ...] = ()
    dont: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


class RecallLink(msgspec.Struct, frozen=True):
    """A recall of the model, and the page that describes it."""

    title: str
    path: str


class Helping(msgspec.Struct, frozen=True):
    """A change that helps, its result, and the question with this change."""

    changes: tuple[str, ...]
    then: str
    path: str


class AnswerShown(msgspec.Struct, frozen=True, kw_only=True):
    """An answer as its page shows it. Paths are those of the active language.

    `energy` is the unit against the limits in play. `notes` appear above guidance; a verdict has none.
    `nothing_helps` is the sentence for when no change helps. Of the steps on the path, `deciding` are those
    that give the verdict and those that no rule takes; `others` are the rest. `assumed` says what the answer
    assumes about the unit. `recall_check` is set if a recall is open, `refusal` if the unit is banned and
    staff may refuse it. `card` leads to the card for the counter; guidance has none.
    """

    verdict: Verdict
    word: str
    title: str
    route: str
    asked: tuple[str, ...]
    future: str
    assumed: str
    summary: str
    expires: str
    notes: tuple[str, ...] = ()
    instructions: Instructions
    energy: Drawing
    warnings: tuple[str, ...]
    cautions: tuple[str, ...]
    refusal: RefusalCard | None = None
    helping: tuple[Helping, ...] = ()
    nothing_helps: str = ""
    recall_check: RecallCheckShown | None = None
    deciding: tuple[Step, ...]
    others: tuple[Step, ...]
    considered: ConsideredWords
    recall_says: str
    recalls: tuple[RecallLink, ...] = ()
    facts: tuple[tuple[str, str], ...]
    curl: str = ""
    card: str = ""

    @property
    def further(self) -> tuple[str, ...]:
        """Return the warnings that do not stand beside the verdict."""
        return tuple(line for line in self.warnings if line not in self.cautions)


def verdict_shown(asked: Asked, answer: Answer) -> AnswerShown:
    """Return a verdict as its page shows it."""
    language, outcome = active(), answer.outcome
    found = alternatives(answer)
    helps = wording.alternatives_words(found, language)
    shown = _shown(
        asked,
        answer,
        model_name(outcome.device),
        wording.summary(answer, language),
        wording.constraint_messages(outcome, language),
        wording.warning_messages(outcome, language),
    )
    return msgspec.structs.replace(
        shown,
        helping=tuple(
            Helping(one.changes, one.then, _path_with(asked, one.alternative)) for one in helps.helping
        ),
        nothing_helps="" if outcome.verdict == "allowed" else helps.nothing or "",
        recall_check=recall_check_shown(
            found.recall_check,
            answer.release,
            asked.model_id,
            lambda result: _path(asked, {"recall": result}),
        ),
        recalls=tuple(
            RecallLink(parts.recall_title(answer.release, recall), localized(recall_path(recall.recall_id)))
            for recall in (finding.recall for finding in outcome.recalls)
        ),
        facts=(*shown.facts, (say("answer.fresh.id"), answer.verdict_id)),
        curl=curl(answer.question, language),
        card=f"{localized('/card')}?{query(asked)}",
    )


def guidance_shown(asked: Asked, guidance: Guidance) -> AnswerShown:
    """Return guidance as its page shows it: no verdict, so it has no id, and programs cannot ask for it."""
    language, outcome = active(), guidance.outcome
    shown = _shown(
        asked,
        guidance,
        _unit_words(guidance.rating),
        wording.guidance_summary(guidance, language),
        wording.guidance_constraint_messages(outcome, language),
        wording.guidance_warning_messages(outcome, language),
    )
    return msgspec.structs.replace(shown, notes=tuple(wording.guidance_notes(guidance.rating, language)))


def _unit_words(rating: Rating) -> str:
    if rating.watt_hour is None:
        return say("answer.rating.capacity", capacity_mah=number(rating.capacity_mah or 0))
    return say("answer.rating", watt_hour=plain(rating.watt_hour))


def _shown(
    asked: Asked,
    answer: Answer | Guidance,
    unit: str,
    summary: str,
    constraints: Sequence[str],
    warnings: Iterable[str],
) -> AnswerShown:
    """Return the parts that verdicts and guidance share."""
    language, outcome, question = active(), answer.outcome, answer.question
    release = answer.release
    steps = wording.steps(release, outcome, language)
    decide = deciding(release, question, outcome)
    first = [step for step in steps if step.kind != "rule" or step.step in decide]
    later = question.travel_date > answer.generated_at.date()
    airline = airline_name(release.shelf.airlines[question.leg.airline])
    units, journey, *others = question_words(asked)
    warned = tuple(warnings)
    flights = [(question.leg, question.travel_date)]
    minded = tuple(unjudged(release, outcome.verdict, question.unit, flights))
    return AnswerShown(
        verdict=outcome.verdict,
        word=verdict_word(outcome.verdict),
        title=say("answer.title", model=unit, airline=airline),
        route=route(asked),
        asked=(units, journey, say("answer.operated", airline=airline), *others),
        future=say("answer.future", date=day(question.travel_date)) if later else "",
        assumed=assumed(outcome.verdict, question.unit),
        summary=summary,
        expires=holds(question.travel_date, answer.expires_at),
        instructions=_instructions(answer, constraints),
        energy=energy.on_flights(release, [Carried(outcome.device)], flights),
        warnings=(*minded, *warned),
        cautions=(
            *minded,
            *(
                text
                for statement, text in zip(outcome.warnings, warned, strict=True)
                if statement.name in FOREWARNED and outcome.verdict in {"allowed", "conditional"}
            ),
        ),
        refusal=_refusal(asked, answer),
        deciding=tuple(first),
        others=tuple(step for step in steps if step not in first),
        considered=wording.considered_words(release, considered(release, question, outcome), language),
        recall_says=next(step.says for step in steps if step.kind == "recall"),
        facts=_facts(answer, outcome.citations),
    )


def _refusal(asked: Asked, answer: Answer | Guidance) -> RefusalCard | None:
    """Return what to do if a banned unit is refused where the journey departs."""
    if (refused := refused_as(answer)) is None:
        return None
    return refusal_card(answer.release, refused, answer.question.leg.origin, asked.departure.spelled)


def assumed(verdict: Verdict, unit: Unit) -> str:
    """Return the assumptions about a unit that may travel, as far as the question does not state them."""
    if verdict not in {"allowed", "conditional"}:
        return ""
    if unit.capacity_label == "missing":
        return say("answer.assumed.intact") if unit.condition == "unknown" else ""
    return say("answer.assumed") if "unknown" in {unit.condition, unit.capacity_label} else ""


def question_words(asked: Asked) -> tuple[str, ...]:
    """Return the question in words, a few words for each part."""
    return (
        say("answer.units", count=asked.unit.quantity),
        route(asked),
        day(asked.travel_date) if asked.has_date else say("answer.today"),
        say(f"answer.bag.{asked.compartment}"),
        *facts(asked.unit),
    )


def holds(travel_date: datetime.date, expires_at: datetime.datetime) -> str:
    """Return until when an answer is valid; for a later flight, that this is what is known today."""
    if expires_at.date() < travel_date:
        return say("answer.known")
    return say("answer.expires", instant=instant_words(expires_at))


def end_label(travel_date: datetime.date, expires_at: datetime.datetime) -> str:
    """Return the key of the label for the end of an answer; the flight's clearance does not end then."""
    return "answer.fresh.again" if expires_at.date() < travel_date else "answer.fresh.expires"


def route(asked: Asked) -> str:
    """Return the start and the end of a journey, as the traveler named them."""
    return say("answer.route", origin=asked.departure.shown, destination=asked.arrival.shown)


def curl(question: Question, language: str) -> str:
    """Return the same question to the API, as a command for a terminal."""
    unit, leg = question.unit, question.leg
    said: Mapping[str, object] = {
        "model_id": unit.model_id,
        "quantity": unit.quantity,
        "ccc_mark": unit.ccc_mark,
        "capacity_label": unit.capacity_label,
        "condition": unit.condition,
        "recall_check": unit.recall_check,
        "trip": {
            "origin": leg.origin,
            "destination": leg.destination,
            "airline": leg.airline,
            "date": question.travel_date.isoformat(),
            "compartment_intent": question.compartment_intent,
        },
        "options": {"language": language},
    }
    body = json.dumps({name: value for name, value in said.items() if value not in UNSAID})
    return f"curl -s {settings.SITE_URL}/api/verify -H 'Content-Type: application/json' -d '{body}'"


def _instructions(answer: Answer | Guidance, messages: Sequence[str]) -> Instructions:
    """Sort the constraints of an answer, worded in `messages`, by their meaning for the traveler."""
    outcome, question, language = answer.outcome, answer.question, active()
    settle = wording.open_points(answer.release, question, question.leg, outcome, language)
    worded = list(zip(outcome.constraints, messages, strict=True))[outcome.bans :]
    if outcome.verdict == "banned":
        return Instructions(
            bans=tuple(wording.ban_reasons(question, outcome, language)),
            now=wording.advice(answer, language),
            others=tuple(message for _, message in worded),
        )
    conditions = [(one, message) for one, message in worded if not wording.is_open(one, question)]
    if outcome.verdict == "insufficient":
        return Instructions(settle=settle, others=tuple(message for _, message in conditions))
    return Instructions(
        settle=settle,
        do=tuple(message for one, message in conditions if one.name not in DO_NOT),
        dont=tuple(message for one, message in conditions if one.name in DO_NOT),
    )


def _path_with(asked: Asked, helping: Alternative) -> str:
    """Return the address of a question with the changes that help."""
    changes = {
        FIELD_OF_CHANGE[change.kind]: (
            change.value.isoformat() if isinstance(change.value, datetime.date) else str(change.value)
        )
        for change in helping.changes
    }
    return _path(asked, changes)


def _path(asked: Asked, changes: Mapping[str, str]) -> str:
    return f"{localized('/check')}?{query_with(asked, changes)}"


def _facts(answer: Answer | Guidance, citations: Iterable[Citation]) -> tuple[tuple[str, str], ...]:
    read = sorted(citation.pulled_at for citation in citations)
    evidence = [("answer.fresh.newest", day(read[-1])), ("answer.fresh.oldest", day(read[0]))] if read else []
    facts = [
        ("answer.fresh.ruleset", answer.release.ruleset_version),
        ("answer.fresh.generated", instant_words(answer.generated_at)),
        (end_label(answer.question.travel_date, answer.expires_at), instant_words(answer.expires_at)),
        *evidence,
    ]
    return tuple((say(key), value) for key, value in facts)
