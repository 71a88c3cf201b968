"""The panels next to the form of a rule: how it reads, what travelers read, and the result of trying it.

The same panels are made for the whole page, for the script that asks while the user types, and for the
buttons that do the same without a script. Reads only.
"""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from catalog.models import Airline, Country, Jurisdiction, Source
from rules import corpus
from rules.editing.admin.try_form import TryForm
from rules.editing.problems import problems_of
from rules.editing.rule_sentence import PERMIT_MEANS, SOURCE_LANGUAGE, Names, step_reads, travelers_read
from rules.editing.trials import Trial, try_rule
from rules.engine import facts
from rules.engine.errors import ModelNotFound, UnknownCountry
from rules.verdicts import Answer
from rules.wording import constraint_messages, summary, warning_messages

NOT_YET = (
    "The sentence appears here when the form says what the rule says, who says it, and on which flights."
)


def reading(rule: facts.Rule | None) -> dict[str, Any]:
    """Return how a rule reads, as far as it is typed."""
    if rule is None:
        return {"sentence": "", "not_yet": NOT_YET}
    return {
        "sentence": names_for([rule]).read(rule),
        "messages": travelers_read(rule),
        "permit_means": PERMIT_MEANS if rule.effect == "permit" else "",
    }


def names_for(rules: Sequence[facts.Rule]) -> Names:
    """Return the names of the airlines and places of rules. Three queries at most."""
    return names_of({rule.airline for rule in rules if rule.airline}, {rule.jurisdiction for rule in rules})


def names_of(airlines: set[str], places: set[str]) -> Names:
    """Return the names of airlines and places, by their codes."""
    return Names(
        dict(Airline.objects.filter(pk__in=airlines).values_list("code", "name")),
        {
            **dict(Country.objects.filter(pk__in=places).values_list("code", "name")),
            **dict(Jurisdiction.objects.filter(pk__in=places).values_list("code", "name")),
        },
    )


def trial(form: TryForm, rule: facts.Rule | None, *, withdraws: bool) -> dict[str, Any]:
    """Return the result of trying a rule, or why it cannot be tried."""
    if not form.is_valid():
        return {"refused": "Fill in the question first."}
    wrong = [problem.reason for problem in problems_of([rule])] if rule else ["it is not complete"]
    if rule is None or wrong:
        return {"refused": f"The draft cannot be tried yet: {'; '.join(wrong)}."}
    try:
        tried = try_rule(
            corpus.current(),
            rule,
            Source.objects.filter(pk__in=rule.sources).records(),
            form.question(),
            now=timezone.now(),
            withdraws=withdraws,
        )
    except corpus.CorpusUnavailable:
        return {"refused": "Nothing is published yet, so there is nothing to compare with."}
    except ModelNotFound:
        return {"refused": "This model is not in the published release yet."}
    except UnknownCountry:
        return {"refused": "One of the countries is not in the published release."}
    return _shown(tried, rule, withdraws)


def _shown(tried: Trial, rule: facts.Rule, withdraws: bool) -> dict[str, Any]:
    answers = (("As published", tried.before), ("With this draft", tried.after))
    names = names_for([step for _, answer in answers if answer for step in _rules_of(answer).values()])
    return {
        "effect": _effect(tried, withdraws),
        "answers": [{"title": title, **_answer(answer, rule, names)} for title, answer in answers],
    }


def _rules_of(answer: Answer) -> dict[str, facts.Rule]:
    """Return the rules that an answer was made from, as its own release has them."""
    rules = answer.release.shelf.rules
    return {step: rules[step] for step in answer.outcome.path if step in rules}


def _effect(tried: Trial, withdraws: bool) -> str:
    if withdraws:
        return "This revision withdraws the rule."
    if tried.decides:
        return "This rule decides: without it the answer would be different."
    if tried.speaks:
        return "This rule applies but does not decide: without it the verdict would be the same."
    return "This rule does not apply to this question."


def _answer(answer: Answer | None, rule: facts.Rule, names: Names) -> dict[str, Any]:
    if answer is None:
        return {"verdict": "not covered", "summary": "No rule of this airline is in force on that day."}
    rules = _rules_of(answer)
    return {
        "verdict": answer.outcome.verdict,
        "summary": summary(answer, SOURCE_LANGUAGE),
        "constraints": constraint_messages(answer.outcome, SOURCE_LANGUAGE),
        "warnings": warning_messages(answer.outcome, SOURCE_LANGUAGE),
        "path": [
            {"step": step, "words": step_reads(step, rules, names), "mine": step == rule.rule_id}
            for step in answer.outcome.path
        ],
    }
