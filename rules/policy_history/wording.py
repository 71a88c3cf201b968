"""What a release changed in a policy, in plain sentences: what a rule says now, and what it said before.

Editors' sentences are English; in other languages a rule is worded from its code, its parameters and its
conditions. If only words changed, the text says so: it is not another rule. Called by the API and by pages.
"""

import datetime
from collections.abc import Iterator
from typing import Any

import msgspec

from rules.engine.facts import Rule
from rules.policy_history.selectors import HistoryEntry
from rules.wording.dates import day_in
from rules.wording.saying import Values, say
from rules.wording.steps import rule_words
from rules.wording.translating import SOURCE_LANGUAGE, joined

TYPED = ("effect", "code", "params", "when", "applies")
"""The fields of a rule that answers depend on, apart from its dates."""


def change_sentence(entry: HistoryEntry, language: str) -> str:
    """Return how a record changed, in a few sentences."""
    sentences = [*_back(entry, language)]
    sentences += _rule(entry, language) if entry.subject == "rule" else _airline(entry, language)
    return joined(sentences, language)


def _back(entry: HistoryEntry, language: str) -> Iterator[str]:
    if entry.back_to is not None:
        yield _say("back_to", language, version=entry.ruleset_version, earlier=entry.back_to)


def _rule(entry: HistoryEntry, language: str) -> Iterator[str]:
    says, said = _words(entry, language)
    if says is None and said is None:
        yield _say(f"rule.{entry.change}.unworded", language)
    elif entry.change != "changed":
        yield _say(f"rule.{entry.change}", language, says=says or said or "")
        if entry.starts is not None and entry.starts > entry.date:
            yield _say("rule.from", language, date=day_in(entry.starts, language))
    else:
        yield _say(f"rule.{_kind(entry, says, said)}", language, says=says or "", said=said or "")
        yield from _aspects(entry, language)


def _kind(entry: HistoryEntry, says: str | None, said: str | None) -> str:
    """Return how a rule changed: another meaning, other words, or only other fields."""
    if says is None or said is None or says == said:
        return "changed"
    return "says" if _is_typed(entry) else "reworded"


def _words(entry: HistoryEntry, language: str) -> tuple[str | None, str | None]:
    """Return what a rule says and what it said; None if it is absent, or can no longer be read."""
    says, said = _read(entry.after), _read(entry.before)
    # A sentence that stayed the same while the rule changed does not say what changed.
    same = says is not None and said is not None and says.summary == said.summary
    by_editors = language == SOURCE_LANGUAGE and not (same and _is_typed(entry))
    return _sentence(says, language, by_editors), _sentence(said, language, by_editors)


def _read(record: dict[str, Any] | None) -> Rule | None:
    try:
        return None if record is None else msgspec.convert(record, Rule, strict=False)
    except msgspec.ValidationError:
        return None


def _sentence(rule: Rule | None, language: str, by_editors: bool) -> str | None:
    if rule is None or by_editors:
        return None if rule is None else rule.summary
    words = rule_words(rule, language)
    return joined([words.says, *words.conditions], language)


def _is_typed(entry: HistoryEntry) -> bool:
    return any(field.field.partition(".")[0] in TYPED for field in entry.fields)


def _aspects(entry: HistoryEntry, language: str) -> Iterator[str]:
    """Say what else differs in a rule."""
    for field in entry.fields:
        match field.field, field.after:
            case ("effective_from" | "effective_until") as name, None:
                yield _say(f"rule.{name}.none", language)
            case ("effective_from" | "effective_until") as name, date:
                yield _say(f"rule.{name}", language, date=_day(date, language))
            case "confidence", grade:
                yield _say(f"rule.confidence.{grade}", language)
            case ("sources" | "applies" | "authority" | "quotes") as name, _:
                yield _say(f"rule.{name}", language)


def _airline(entry: HistoryEntry, language: str) -> Iterator[str]:
    if entry.change != "changed":
        yield _say(f"airline.{entry.change}", language)
        return
    names = {field.field for field in entry.fields}
    for field in entry.fields:
        match field.field:
            case "confidence":
                yield _say(f"airline.confidence.{field.after}", language)
            case "summary" if language == SOURCE_LANGUAGE:
                yield _say("airline.summary.words", language, says=field.after, said=field.before)
            case "policy_url":
                yield _say("airline.policy_url", language, url=field.after)
            case "effective_from" if field.after is not None:
                yield _say("airline.effective_from", language, date=_day(field.after, language))
            case ("summary" | "effective_from" | "sources" | "notes") as name:
                yield _say(
                    f"airline.{name}.none" if name == "effective_from" else f"airline.{name}", language
                )
    if names & {"name", "icao", "country"}:
        yield _say("airline.name", language)


def _day(iso: str, language: str) -> str:
    return day_in(datetime.date.fromisoformat(iso), language)


def _say(key: str, language: str, **values: str) -> str:
    given: Values = tuple(values.items())
    return say(f"history.{key}", language, given)
