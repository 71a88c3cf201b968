"""What did not apply, in words: each rule with its speaker, what it would say, and why it does not apply.

Called by answer pages, which show it on demand.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal

import msgspec

from rules.corpus import Published
from rules.engine.considered import UNKNOWN, Considered, OutOfForce, Reason
from rules.engine.facts import Device, Rule
from rules.selectors import evidence
from rules.selectors.evidence import Cited
from rules.wording.dates import day_in
from rules.wording.names import model_names
from rules.wording.saying import Values, say
from rules.wording.step_texts import CONDITIONS
from rules.wording.steps import RuleWords, Speaker, rule_words, speaker, upper_bound


class NotApplied(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that did not apply. `reasons` say why, a sentence each.

    `conditions` are those of a rule that is not in force; for one in force, the reasons name them.
    """

    rule_id: str
    speaker: Speaker
    says: str
    conditions: tuple[str, ...]
    reasons: tuple[str, ...]
    citations: tuple[Cited, ...]


class ConsideredWords(msgspec.Struct, frozen=True):
    """The rules whose conditions do not hold, and those that are not in force on the travel date."""

    unmet: tuple[NotApplied, ...]
    out_of_force: tuple[NotApplied, ...]


def considered_words(release: Published, considered: Considered, language: str) -> ConsideredWords:
    """Say in a language what did not apply, in the given order."""
    devices = release.shelf.devices
    unmet = []
    for one in considered.unmet:
        words = RuleWords(rule_words(one.rule, language).says, ())
        reasons = [_unmet(reason, devices, language) for reason in one.reasons]
        unmet.append(_not_applied(release, one.rule, words, reasons, language))
    out_of_force = []
    for late in considered.out_of_force:
        words = rule_words(late.rule, language, devices)
        out_of_force.append(_not_applied(release, late.rule, words, [_dated(late, language)], language))
    return ConsideredWords(tuple(unmet), tuple(out_of_force))


def _not_applied(
    release: Published, rule: Rule, words: RuleWords, reasons: Iterable[tuple[str, Values]], language: str
) -> NotApplied:
    return NotApplied(
        rule_id=rule.rule_id,
        speaker=speaker(release, rule, language),
        says=words.says,
        conditions=words.conditions,
        reasons=tuple(say(key, language, values) for key, values in reasons),
        citations=evidence.cited(release, rule.sources),
    )


def _dated(rule: OutOfForce, language: str) -> tuple[str, Values]:
    key, day = ("unmet.ended", rule.ended) if rule.starts is None else ("unmet.starts", rule.starts)
    return key, (("date", day_in(day, language)),) if day else ()


def _unmet(reason: Reason, devices: Mapping[str, Device], language: str) -> tuple[str, Values]:
    name = reason.condition
    if name in {"watt_hour_over", "watt_hour_at_least", "watt_hour_up_to"}:
        bound: tuple[str, str] = (name, reason.needs[0])
        if name == "watt_hour_up_to":
            bound = upper_bound(Decimal(reason.needs[0]))
        if reason.has == UNKNOWN:
            return f"unmet.{bound[0]}.unknown", (bound,)
        return f"unmet.{bound[0]}", (bound, ("watt_hour", reason.has))
    if name == "quantity_over":
        return "when.quantity_over", ((name, int(reason.needs[0])),)
    if name == "certification_missing":
        return "when.certification_missing", ()
    if name == "model":
        key = "when.model" if reason.has else "unmet.model.unknown"
        return key, (("models", model_names(reason.needs, devices, language)),)
    together = f"{name}.{'.'.join(sorted(reason.needs))}"
    return f"when.{together if together in CONDITIONS else f'{name}.not.{reason.has}'}", ()
