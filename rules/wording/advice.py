"""What to do now with a power bank that is banned, by the reason of the ban. Called by pages of answers.

No advice is milder than the answer: a change is only advised after its own verdict is known.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from rules.answers.alternatives import Change, verdict_with
from rules.answers.guidance import Guidance, LegGuidance, TripGuidance
from rules.engine.facts import Unit
from rules.engine.outcomes import LegVerdict
from rules.verdicts import Answer, TripAnswer
from rules.wording.saying import say

Refused = Literal["dangerous", "too_many", "sound"]
"""Why staff refuse a unit: it is damaged or recalled, it is one too many, or a rule does not accept it."""

AnyAnswer = Answer | TripAnswer | Guidance | TripGuidance

DANGEROUS = ("dangerous.never", "dangerous.staff", "dangerous.return")
AT_HOME = ("leave", "ask", "road")

ADVICE: Mapping[str, tuple[str, ...]] = {
    "carry_on_only": ("cabin",),
    "damaged_not_permitted": DANGEROUS,
    "recalled_not_permitted": DANGEROUS,
    "over_watt_hour_limit": AT_HOME,
    "ccc_mark_required": ("mark",),
    "label_required": ("label",),
    "max_units": ("companion",),
}
"""The texts for each reason of a ban, in their order.

`cabin` has a text for each verdict of the same question in the cabin.
"""

IN_THE_CABIN = Change("compartment", "carry_on")
ONE_UNIT = Change("quantity", 1)


def advice(answer: AnyAnswer, language: str) -> tuple[str, ...]:
    """Say what to do now about a ban, a sentence or two each; nothing if nothing bans."""
    if answer.outcome.verdict != "banned":
        return ()
    return tuple(say(f"advice.{key}", language) for key in dict.fromkeys(_keys(answer)))


def danger_advice(reasons: Iterable[str], unit: Unit, language: str) -> tuple[str, ...]:
    """Say what to do with a unit that is dangerous by one of some reasons of a ban; nothing if it is not."""
    dangerous = any(_advice_on(reason, unit) == DANGEROUS for reason in ADVICE.keys() & set(reasons))
    return tuple(say(f"advice.{key}", language) for key in DANGEROUS if dangerous)


def refused_as(answer: AnyAnswer) -> Refused | None:
    """Return why staff refuse a banned unit; None if nothing bans it, or only the hold does."""
    if answer.outcome.verdict != "banned":
        return None
    reasons = _reasons(answer) - {"carry_on_only"}
    if any(_advice_on(reason, answer.question.unit) == DANGEROUS for reason in reasons & ADVICE.keys()):
        return "dangerous"
    changes = [IN_THE_CABIN] if answer.question.compartment_intent == "checked" else []
    if changes and verdict_with(answer, changes) != "banned":
        return None
    if reasons != {"max_units"}:
        return "sound" if reasons else None
    one = verdict_with(answer, [ONE_UNIT, *changes])
    return "too_many" if one in {"allowed", "conditional"} else "sound"


def _keys(answer: AnyAnswer) -> Iterator[str]:
    reasons, changes = _reasons(answer), []
    if answer.question.compartment_intent == "checked":
        changes.append(IN_THE_CABIN)
        cabin = verdict_with(answer, changes)
        yield f"cabin.{cabin}"
        if cabin != "banned":
            # Only the hold is the problem; dangerous units stay dangerous.
            reasons = {reason for reason in reasons if ADVICE[reason] == DANGEROUS}
    of_the_unit = reasons - {"carry_on_only", "max_units"}
    for reason in ADVICE:
        if reason in of_the_unit:
            yield from _advice_on(reason, answer.question.unit)
    if "max_units" in reasons and not of_the_unit:
        one = verdict_with(answer, [ONE_UNIT, *changes])
        yield from ADVICE["max_units"] if one in {"allowed", "conditional"} else AT_HOME


def _advice_on(reason: str, unit: Unit) -> tuple[str, ...]:
    """Return what to do about a reason. A unit that the list does not name is banned only for its model."""
    if reason == "recalled_not_permitted" and unit.recall_check == "not_affected":
        return ("leave",)
    return ADVICE[reason]


def _reasons(answer: AnyAnswer) -> set[str]:
    """Return the names of the constraints that ban on any flight."""
    return {statement.name for leg in _legs(answer) for statement in leg.constraints[: leg.bans]}


def _legs(answer: AnyAnswer) -> list[LegVerdict | LegGuidance]:
    match answer:
        case TripAnswer():
            return [one.answer for one in answer.outcome.segments if one.answer is not None]
        case TripGuidance():
            return [one.guidance for one in answer.outcome.segments if one.guidance is not None]
        case Answer() | Guidance():
            return [answer.outcome]
