"""The path of a verdict in words: for each step who says it, what it says, and on what evidence.

A rule is worded from its code, its parameters and its conditions, never from its editors' summary, so it can
be read in every language. Called by answer pages, and by pages that list rules.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Literal, get_args

import msgspec

from catalog.energy import bound
from recalls.serials import RecallStatus
from rules.answers.guidance import LegGuidance
from rules.corpus import Published
from rules.engine.facts import Certificate, Device, Recall, Rule, When
from rules.engine.matching import plain, statement_of
from rules.engine.outcomes import LegVerdict
from rules.engine.vocabulary import Compartment, Nature, UnitCondition
from rules.selectors import evidence
from rules.selectors.disagreements import Disputed, on_rule
from rules.selectors.evidence import Cited, Excerpt
from rules.wording.names import airline_name, model_names
from rules.wording.saying import Values, say
from rules.wording.sentences import sentence
from rules.wording.step_texts import CONDITIONS, RULES

StepKind = Literal["device", "unit", "recall", "certificate", "rule", "verdict"]
"""About whom a step speaks; `unit` is one that only its label describes."""

CABIN: frozenset[Compartment] = frozenset({"carry_on", "on_person"})

NO_DEVICES: Mapping[str, Device] = MappingProxyType({})
"""For use without a release: models are named by their ids."""


class Speaker(msgspec.Struct, frozen=True):
    """Who says something: an authority or an airline by name, its jurisdiction, and the airline's code."""

    name: str
    jurisdiction: str
    airline: str | None = None


class RuleWords(msgspec.Struct, frozen=True):
    """A rule in a language: what it says, and the conditions under which it says so, a sentence each."""

    says: str
    conditions: tuple[str, ...]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a verdict's path in words.

    `step` is the entry itself. `conditions` are those of a rule, all of them met, or the numbers of
    certificates; `excerpts` are the words of its pages, `disagreements` are questions that sources answer
    differently and in which it is applied. A device's figures and the verdict have no speaker.
    """

    step: str
    kind: StepKind
    speakers: tuple[Speaker, ...] = ()
    says: str
    conditions: tuple[str, ...] = ()
    citations: tuple[Cited, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    disagreements: tuple[Disputed, ...] = ()


def steps(release: Published, outcome: LegVerdict | LegGuidance, language: str) -> tuple[Step, ...]:
    """Return the path of a leg's verdict or guidance in words, a step for each entry, in order."""
    recalls = [] if isinstance(outcome, LegGuidance) else [finding.recall for finding in outcome.recalls]
    doubts = () if isinstance(outcome, LegGuidance) else outcome.doubts
    return tuple(
        _certificate(release, doubts, step, language)
        if step.startswith("certificate.")
        else _step(release, outcome.device, recalls, step, language)
        for step in outcome.path
    )


def speaker(release: Published, rule: Rule, language: str) -> Speaker:
    """Return the speaker of a rule: its airline by name, or its authority."""
    if rule.airline is None:
        return Speaker(rule.authority, rule.jurisdiction)
    name = airline_name(release.corpus.airlines[rule.airline], language)
    return Speaker(name, rule.jurisdiction, rule.airline)


def rule_words(rule: Rule, language: str, devices: Mapping[str, Device] = NO_DEVICES) -> RuleWords:
    """Return what any rule says in a language. Conditions that its sentence already names are left out.

    `devices` are those of the release, by id; they give the names of the models in a rule.
    """
    says, mentioned = _rule_sentence(rule, language)
    conditions = [say(f"when.{key}", language, values) for key, values in _conditions(rule, mentioned)]
    if rule.when.model is not None:
        models = model_names(rule.when.model, devices, language)
        conditions.append(say("when.model", language, (("models", models),)))
    return RuleWords(says, tuple(conditions))


def _step(release: Published, device: Device, recalls: list[Recall], step: str, language: str) -> Step:
    kind, _, rest = step.partition(".")
    if step in release.shelf.rules:
        rule = release.shelf.rules[step]
        words = rule_words(rule, language, release.shelf.devices)
        return Step(
            step=step,
            kind="rule",
            speakers=(speaker(release, rule, language),),
            says=words.says,
            conditions=words.conditions,
            citations=evidence.cited(release, rule.sources),
            excerpts=evidence.excerpts(release, rule),
            disagreements=on_rule(release, step),
        )
    match kind:
        case "device" | "unit" as kind:
            return Step(
                step=step,
                kind=kind,
                says=_figure(release, kind, device, language),
                citations=evidence.cited(release, device.sources),
            )
        case "recall":
            key = "none" if rest == "not_affected" and not recalls else rest
            return Step(
                step=step,
                kind="recall",
                speakers=tuple(
                    dict.fromkeys(Speaker(recall.authority, recall.jurisdiction) for recall in recalls)
                ),
                says=say(f"step.recall.{key}", language),
                citations=evidence.cited(
                    release, [source for recall in recalls for source in recall.sources]
                ),
            )
        case _:
            return Step(step=step, kind="verdict", says=say(f"step.{step}", language))


def _certificate(release: Published, doubts: Sequence[Certificate], step: str, language: str) -> Step:
    """Return the step of suspended or revoked certificates in words, with who says so."""
    sources = [release.shelf.sources[one.source] for one in doubts]
    return Step(
        step=step,
        kind="certificate",
        speakers=tuple(dict.fromkeys(Speaker(one.authority, one.jurisdiction) for one in sources)),
        says=say(f"step.{step}", language),
        conditions=tuple(
            say("step.certificate.number", language, (("number", one.number),))
            for one in doubts
            if one.number is not None
        ),
        citations=evidence.cited(release, [one.source for one in doubts]),
    )


def _figure(release: Published, kind: Literal["device", "unit"], device: Device, language: str) -> str:
    if device.watt_hour is None:
        return say("step.device.unknown", language)
    key, values = f"step.{kind}.{device.watt_hour_basis}", (("watt_hour", plain(device.watt_hour)),)
    if key == "step.device.rated":
        whose, authority = evidence.rated_by(release, device)
        return say(f"{key}.{whose}", language, (*values, ("authority", authority)))
    return say(key, language, values)


def _rule_sentence(rule: Rule, language: str) -> tuple[str, set[str]]:
    """Return a rule's sentence and the fields of its conditions that the sentence names."""
    bounds = _bounds(rule.when)
    form = ".".join(name.removeprefix("watt_hour_") for name, _ in bounds)
    named = {name for name, _ in bounds}
    if rule.effect == "permit":
        cabin = rule.when.compartment is not None and set(rule.when.compartment) == CABIN
        key = ".".join(filter(None, ("permit", "cabin" if cabin else "", form)))
        return say(f"rule.{key}", language, bounds), named | ({"compartment"} if cabin else set())
    statement = statement_of(rule)
    if statement is None:
        raise ValueError(f"{rule.rule_id} says nothing")
    if f"{rule.code}.{form}" in RULES:
        return say(f"rule.{rule.code}.{form}", language, bounds), named
    mentioned = {name for name, _ in statement.params}
    # What to do on board is always about the cabin, so this is not said.
    if statement.nature in {Nature.CONDUCT, Nature.ADVICE} and set(rule.when.compartment or ()) == CABIN:
        mentioned.add("compartment")
    if statement.name == "damaged_not_permitted" and rule.when.condition == ("damaged",):
        mentioned.add("condition")
    if statement.name == "recalled_not_permitted":
        if rule.when.recall_status != ("affected",):
            return say("rule.recalled_not_permitted.wider", language), mentioned
        mentioned.add("recall_status")
    if statement.name in RULES:
        return say(f"rule.{statement.name}", language, statement.params), mentioned
    return sentence(statement, language), mentioned


def _bounds(when: When) -> Values:
    """Return the watt-hour bounds of a rule as people say them, the lower one first."""
    names = ("watt_hour_over", "watt_hour_at_least")
    lower = ((name, plain(figure)) for name in names if (figure := getattr(when, name)) is not None)
    return (*lower, *(() if when.watt_hour_up_to is None else (upper_bound(when.watt_hour_up_to),)))


def upper_bound(highest: Decimal) -> tuple[str, str]:
    """Return the upper bound of a rule as people say it: `watt_hour_under` 100 for a highest 99.99."""
    watt_hour, inclusive = bound(highest)
    return "watt_hour_up_to" if inclusive else "watt_hour_under", plain(watt_hour)


def _conditions(rule: Rule, mentioned: Collection[str]) -> Iterator[tuple[str, Values]]:
    when = rule.when
    bounds = tuple(one for one in _bounds(when) if one[0] not in mentioned)
    if bounds:
        form = ".".join(name.removeprefix("watt_hour_") for name, _ in bounds)
        yield f"watt_hour.{form}", bounds
    if "compartment" not in mentioned:
        yield from _one_of("compartment", when.compartment, get_args(Compartment))
    if "recall_status" not in mentioned:
        yield from _one_of("recall_status", when.recall_status, get_args(RecallStatus))
    if "condition" not in mentioned:
        yield from _one_of("condition", when.condition, get_args(UnitCondition))
    if when.certification_missing is not None:
        yield "certification_missing", ()
    if when.quantity_over is not None:
        yield "quantity_over", (("quantity_over", when.quantity_over),)


def _one_of(
    name: str, values: Collection[str] | None, possible: Collection[str]
) -> Iterator[tuple[str, Values]]:
    """Name the values under which a rule speaks, or if no sentence does, each that it excludes."""
    if values is None or set(values) == set(possible):
        return
    together = f"{name}.{'.'.join(sorted(values))}"
    if together in CONDITIONS:
        yield together, ()
    else:
        yield from ((f"{name}.not.{value}", ()) for value in possible if value not in values)
