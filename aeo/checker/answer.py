"""An answer of the door, ready to be read: in words, in the active language."""

import datetime
import json

import msgspec
from django.conf import settings

from aeo.factors import model_name
from aeo.languages import localized
from aeo.pages.paths import model_path, recall_path
from aeo.pages.words import day, instant_words, verdict_word
from aeo.texts import active, country_name, say
from rules import considered, wording
from rules.corpus import Published
from rules.engine.facts import Question
from rules.engine.vocabulary import CODES, Nature, Verdict
from rules.verdicts import Answer
from rules.wording.considered import ConsideredWords
from rules.wording.steps import Step

DO_NOT = frozenset({"no_onboard_use", "no_onboard_recharge", "no_overhead_bin"})
"""What is said as something not to do."""


class Instructions(msgspec.Struct, frozen=True, kw_only=True):
    """What has to be met: what bans, what must be settled first, what to do and what not to do."""

    bans: tuple[str, ...]
    settle: tuple[str, ...]
    do: tuple[str, ...]
    dont: tuple[str, ...]


class RecallLink(msgspec.Struct, frozen=True):
    """A recall of the model and where it is told of."""

    title: str
    path: str


class AnswerShown(msgspec.Struct, frozen=True, kw_only=True):
    """An answer as its page shows it. Paths are those of the active language."""

    verdict: Verdict
    word: str
    title: str
    asked: tuple[str, ...]
    future: str
    summary: str
    expires: str
    instructions: Instructions
    warnings: tuple[str, ...]
    steps: tuple[Step, ...]
    considered: ConsideredWords
    recall_says: str
    recalls: tuple[RecallLink, ...]
    serial_check: str
    facts: tuple[tuple[str, str], ...]
    curl: str


def shown(answer: Answer) -> AnswerShown:
    """Return an answer as its page shows it."""
    language, outcome, question = active(), answer.outcome, answer.question
    steps = wording.steps(answer.release, outcome, language)
    recall_open = outcome.recall_status in {"serial_unknown", "external_check_required"}
    today = answer.generated_at.date()
    left_out = considered.considered(answer.release, question, outcome)
    return AnswerShown(
        verdict=outcome.verdict,
        word=verdict_word(outcome.verdict),
        title=say(
            "answer.title",
            model=model_name(outcome.device),
            airline=answer.release.shelf.airlines[question.leg.airline].name,
        ),
        asked=question_words(answer.release, question),
        future=say("answer.future", date=day(question.travel_date)) if question.travel_date > today else "",
        summary=wording.summary(answer, language),
        expires=say("answer.expires", instant=instant_words(answer.expires_at)),
        instructions=_instructions(answer),
        warnings=tuple(wording.warning_messages(outcome, language)),
        steps=steps,
        considered=wording.considered_words(answer.release, left_out, language),
        recall_says=next(step.says for step in steps if step.kind == "recall"),
        recalls=tuple(
            RecallLink(finding.recall.title, localized(recall_path(finding.recall.recall_id)))
            for finding in outcome.recalls
        ),
        serial_check=localized(model_path(outcome.device.model_id)) if recall_open else "",
        facts=_facts(answer),
        curl=curl(question, language),
    )


def question_words(release: Published, question: Question) -> tuple[str, ...]:
    """Return what was asked, a few words for each part of it."""
    countries, unit, leg = release.corpus.countries, question.unit, question.leg
    names = {code: country_name(code, countries[code].name) for code in (leg.origin, leg.destination)}
    return (
        say("answer.units", count=unit.quantity),
        say("answer.route", origin=names[leg.origin], destination=names[leg.destination]),
        day(question.travel_date),
        say(f"answer.bag.{question.compartment_intent}"),
        *(
            say(f"answer.{name}.{value}")
            for name, value in (
                ("mark", unit.ccc_mark),
                ("label", unit.capacity_label),
                ("condition", unit.condition),
            )
            if value != "unknown"
        ),
    )


def curl(question: Question, language: str) -> str:
    """Return the same question to the API, as it is typed into a terminal."""
    unit, leg = question.unit, question.leg
    body = {
        "model_id": unit.model_id,
        "quantity": unit.quantity,
        "ccc_mark": unit.ccc_mark,
        "capacity_label": unit.capacity_label,
        "condition": unit.condition,
        "trip": {
            "origin": leg.origin,
            "destination": leg.destination,
            "airline": leg.airline,
            "date": question.travel_date.isoformat(),
            "compartment_intent": question.compartment_intent,
        },
        "options": {"language": language},
    }
    return (
        f"curl -s {settings.SITE_URL}/api/verify -H 'Content-Type: application/json' "
        f"-d '{json.dumps(_without_unknown(body))}'"
    )


def _without_unknown(body: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in body.items() if value != "unknown"}


def _instructions(answer: Answer) -> Instructions:
    outcome = answer.outcome
    messages = wording.constraint_messages(outcome, active())
    said: dict[str, list[str]] = {"bans": messages[: outcome.bans], "settle": [], "do": [], "dont": []}
    for statement, message in list(zip(outcome.constraints, messages, strict=True))[outcome.bans :]:
        if CODES[statement.name].nature is Nature.PRECONDITION:
            said["settle"].append(message)
        else:
            said["dont" if statement.name in DO_NOT else "do"].append(message)
    return Instructions(**{kind: tuple(sentences) for kind, sentences in said.items()})


def _facts(answer: Answer) -> tuple[tuple[str, str], ...]:
    read: list[datetime.date] = sorted(citation.pulled_at for citation in answer.outcome.citations)
    evidence = [("answer.fresh.newest", day(read[-1])), ("answer.fresh.oldest", day(read[0]))] if read else []
    facts = [
        ("answer.fresh.ruleset", answer.release.ruleset_version),
        ("answer.fresh.generated", instant_words(answer.generated_at)),
        ("answer.fresh.expires", instant_words(answer.expires_at)),
        *evidence,
        ("answer.fresh.id", answer.verdict_id),
    ]
    return tuple((say(key), value) for key, value in facts)
