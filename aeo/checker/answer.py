"""An answer, ready to be read: a verdict of the door, or guidance for a unit that is not on file.

In words, in the active language. Called by `aeo.views.checker`.
"""

import datetime
import json
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from django.conf import settings

from aeo.asking import Asked, query, query_with
from aeo.factors import model_name
from aeo.languages import localized
from aeo.pages import parts
from aeo.pages.paths import model_path, recall_path
from aeo.pages.words import day, instant_words, verdict_word
from aeo.texts import active, airline_name, country_name, say
from rules import wording
from rules.alternatives import Alternative, alternatives
from rules.considered import considered
from rules.corpus import Published
from rules.deciding import deciding
from rules.engine.corpus import Citation
from rules.engine.facts import Question
from rules.engine.matching import Statement, plain
from rules.engine.vocabulary import CODES, Nature, Verdict
from rules.guidance import Guidance
from rules.verdicts import Answer
from rules.wording.considered import ConsideredWords
from rules.wording.steps import Step

DO_NOT = frozenset({"no_onboard_use", "no_onboard_recharge", "no_overhead_bin"})
"""What is said as something not to do."""

FIELD_OF_CHANGE = {
    "compartment": "bag",
    "quantity": "count",
    "ccc_mark": "mark",
    "condition": "condition",
    "capacity_label": "label",
    "date": "date",
}
"""The field of the checker in which each change of `rules.alternatives` is made."""


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


class Helping(msgspec.Struct, frozen=True):
    """A change that helps, what follows from it, and the question with it."""

    changes: tuple[str, ...]
    then: str
    path: str


class AnswerShown(msgspec.Struct, frozen=True, kw_only=True):
    """An answer as its page shows it. Paths are those of the active language.

    `notes` are said above guidance; a verdict has none. `nothing_helps` is said where no change does. Of the
    steps on the path, `deciding` are those that give the verdict and those that no rule takes, `others` the
    rest. `card` leads to the card for the counter, which guidance has none of.
    """

    verdict: Verdict
    word: str
    title: str
    asked: tuple[str, ...]
    future: str
    summary: str
    expires: str
    notes: tuple[str, ...] = ()
    instructions: Instructions
    warnings: tuple[str, ...]
    helping: tuple[Helping, ...] = ()
    nothing_helps: str = ""
    recall_advice: tuple[str, ...] = ()
    deciding: tuple[Step, ...]
    others: tuple[Step, ...]
    considered: ConsideredWords
    recall_says: str
    recalls: tuple[RecallLink, ...] = ()
    serial_check: str = ""
    facts: tuple[tuple[str, str], ...]
    curl: str = ""
    card: str = ""


def verdict_shown(asked: Asked, answer: Answer) -> AnswerShown:
    """Return a verdict as its page shows it."""
    language, outcome = active(), answer.outcome
    helps = wording.alternatives_words(alternatives(answer), language)
    recall_open = outcome.recall_status in {"serial_unknown", "external_check_required"}
    shown = _shown(
        answer,
        model_name(outcome.device),
        wording.summary(answer, language),
        _instructions(outcome.constraints, outcome.bans, wording.constraint_messages(outcome, language)),
        wording.warning_messages(outcome, language),
    )
    return msgspec.structs.replace(
        shown,
        helping=tuple(
            Helping(one.changes, one.then, _path_with(asked, one.alternative)) for one in helps.helping
        ),
        nothing_helps="" if outcome.verdict == "allowed" else helps.nothing or "",
        recall_advice=helps.recall,
        recalls=tuple(
            RecallLink(parts.recall_title(answer.release, recall), localized(recall_path(recall.recall_id)))
            for recall in (finding.recall for finding in outcome.recalls)
        ),
        serial_check=localized(model_path(outcome.device.model_id)) if recall_open else "",
        facts=(*shown.facts, (say("answer.fresh.id"), answer.verdict_id)),
        curl=curl(answer.question, language),
        card=f"{localized('/card')}?{query(asked)}",
    )


def guidance_shown(guidance: Guidance) -> AnswerShown:
    """Return guidance as its page shows it: never a verdict, so it has no id and programs cannot ask it."""
    language, outcome = active(), guidance.outcome
    messages = wording.guidance_constraint_messages(outcome, language)
    shown = _shown(
        guidance,
        say("answer.rating", watt_hour=plain(guidance.rating.watt_hour)),
        wording.guidance_summary(guidance, language),
        _instructions(outcome.constraints, outcome.bans, messages),
        wording.guidance_warning_messages(outcome, language),
    )
    return msgspec.structs.replace(shown, notes=tuple(wording.guidance_notes(guidance.rating, language)))


def _shown(
    answer: Answer | Guidance,
    unit: str,
    summary: str,
    instructions: Instructions,
    warnings: Iterable[str],
) -> AnswerShown:
    """Return what verdicts and guidance have in common."""
    language, outcome, question = active(), answer.outcome, answer.question
    release = answer.release
    steps = wording.steps(release, outcome, language)
    decide = deciding(release, question, outcome)
    first = [step for step in steps if step.kind != "rule" or step.step in decide]
    later = question.travel_date > answer.generated_at.date()
    return AnswerShown(
        verdict=outcome.verdict,
        word=verdict_word(outcome.verdict),
        title=say(
            "answer.title", model=unit, airline=airline_name(release.shelf.airlines[question.leg.airline])
        ),
        asked=question_words(release, question),
        future=say("answer.future", date=day(question.travel_date)) if later else "",
        summary=summary,
        expires=say("answer.expires", instant=instant_words(answer.expires_at)),
        instructions=instructions,
        warnings=tuple(warnings),
        deciding=tuple(first),
        others=tuple(step for step in steps if step not in first),
        considered=wording.considered_words(release, considered(release, question, outcome), language),
        recall_says=next(step.says for step in steps if step.kind == "recall"),
        facts=_facts(answer, outcome.citations),
    )


def question_words(release: Published, question: Question) -> tuple[str, ...]:
    """Return what was asked, a few words for each part of it."""
    countries, unit, leg = release.corpus.countries, question.unit, question.leg
    names = {code: country_name(code, countries[code].name) for code in (leg.origin, leg.destination)}
    seen = (("mark", unit.ccc_mark), ("label", unit.capacity_label), ("condition", unit.condition))
    return (
        say("answer.units", count=unit.quantity),
        say("answer.route", origin=names[leg.origin], destination=names[leg.destination]),
        day(question.travel_date),
        say(f"answer.bag.{question.compartment_intent}"),
        *(say(f"answer.{name}.{value}") for name, value in seen if value != "unknown"),
    )


def curl(question: Question, language: str) -> str:
    """Return the same question to the API, as it is typed into a terminal."""
    unit, leg = question.unit, question.leg
    said: Mapping[str, object] = {
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
    body = json.dumps({name: value for name, value in said.items() if value != "unknown"})
    return f"curl -s {settings.SITE_URL}/api/verify -H 'Content-Type: application/json' -d '{body}'"


def _instructions(constraints: Sequence[Statement], bans: int, messages: Sequence[str]) -> Instructions:
    said: dict[str, list[str]] = {"bans": [*messages[:bans]], "settle": [], "do": [], "dont": []}
    for statement, message in list(zip(constraints, messages, strict=True))[bans:]:
        if CODES[statement.name].nature is Nature.PRECONDITION:
            said["settle"].append(message)
        else:
            said["dont" if statement.name in DO_NOT else "do"].append(message)
    return Instructions(**{kind: tuple(sentences) for kind, sentences in said.items()})


def _path_with(asked: Asked, helping: Alternative) -> str:
    """Return the address of a question with the changes that help."""
    changes = {
        FIELD_OF_CHANGE[change.kind]: (
            change.value.isoformat() if isinstance(change.value, datetime.date) else str(change.value)
        )
        for change in helping.changes
    }
    return f"{localized('/check')}?{query_with(asked, changes)}"


def _facts(answer: Answer | Guidance, citations: Iterable[Citation]) -> tuple[tuple[str, str], ...]:
    read = sorted(citation.pulled_at for citation in citations)
    evidence = [("answer.fresh.newest", day(read[-1])), ("answer.fresh.oldest", day(read[0]))] if read else []
    facts = [
        ("answer.fresh.ruleset", answer.release.ruleset_version),
        ("answer.fresh.generated", instant_words(answer.generated_at)),
        ("answer.fresh.expires", instant_words(answer.expires_at)),
        *evidence,
    ]
    return tuple((say(key), value) for key, value in facts)
