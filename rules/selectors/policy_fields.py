"""An airline's policy as a table of fields, derived from its own rules, so it cannot differ from them.

Pure: a function of the given rules. The engine's own `matching` folds and matches the rules, so a field says
what a verdict does. Called by the API's airline record and by public pages.

The fields are about a power bank that is intact, not recalled, legibly rated and CCC-marked, in a cabin bag,
unless a field says otherwise. They only cover what this airline says: authorities may be stricter. A rule can
apply to only some of the cases. A word such as `prohibited` is used if it is true in every case, whatever the
watt-hours and the number of units, as long as the airline does not refuse them outright. If cases differ, the
word is `depends`, and the rules that the field names say when. A field without a rule is null: nothing is
known. It never means that there is no limit.
"""

import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import takewhile
from typing import Literal, NamedTuple, TypeVar

import msgspec

from catalog.energy import Bound, bound
from recalls.serials import RecallStatus
from rules.engine.document import MAX_AMOUNT
from rules.engine.facts import Leg, Question, Rule, Unit
from rules.engine.matching import Bands, Compiled, NamedModels, entry, fold, plain, speaking, watt_hour_span
from rules.engine.vocabulary import MAX_QUANTITY, Compartment

RestrictionWord = Literal["prohibited", "restricted", "airline_decides", "discouraged", "depends"]
RequirementWord = Literal["required", "advised", "depends"]
EnergyWord = Literal["free", "approval", "refused", "silent"]
"""What some rules say of a rating: permitted, permitted with the airline's approval, refused, or nothing."""

Word = TypeVar("Word", bound=str)


class WattHourField(msgspec.Struct, frozen=True):
    """A limit in watt-hours, and its rules.

    `watt_hour` is the limit as people say it; `inclusive` says whether the field also applies to a rating of
    exactly that figure. `value` gives the same limit as one figure: the highest rating, to a hundredth, on
    the lower side of the limit. "Under 100 Wh" is `value` 99.99, `watt_hour` 100, not inclusive.
    """

    value: Decimal
    watt_hour: Decimal
    inclusive: bool
    rule_ids: tuple[str, ...]

    @property
    def bound(self) -> Bound:
        """Return the limit without its rules."""
        return Bound(self.watt_hour, self.inclusive)


class UnitsField(msgspec.Struct, frozen=True):
    """A number of units per passenger, and its rules."""

    value: int
    rule_ids: tuple[str, ...]


class RestrictionField(msgspec.Struct, frozen=True):
    """Whether something is refused or restricted, by which rules. `depends`: only in some cases."""

    value: RestrictionWord
    rule_ids: tuple[str, ...]


class RequirementField(msgspec.Struct, frozen=True):
    """Whether something is required of the passenger, by which rules. `depends`: only in some cases."""

    value: RequirementWord
    rule_ids: tuple[str, ...]


class EnergySpan(msgspec.Struct, frozen=True):
    """Ratings of which some rules say the same: those beyond the span before, `until` a limit.

    The last span has no limit.
    """

    word: EnergyWord
    until: Bound | None


class PolicyFields(msgspec.Struct, frozen=True, kw_only=True):
    """What an airline's own rules say together. Null: no rule of the airline says it, so it is not known.

    - `carry_on_max_watt_hour_without_approval`: every rating within this limit is permitted without approval.
    - `airline_approval_required_over_watt_hour`: ratings just beyond this limit need its approval.
    - `carry_on_max_watt_hour_with_approval`: every rating within this limit is permitted, with the airline's
      approval if it requires approval. Null if no rule is about approval.
    - `carry_on_prohibited_over_watt_hour`: every rating beyond this limit is refused.
    - `max_units`: one passenger may carry at most this number of units, whatever their rating;
      `max_units_over_100_watt_hour`: at most this number of units above 100 Wh. Also null if no unit may
      travel.
    - `advised_max_units`: the airline advises to carry at most this number.
    - `damaged_units`, `recalled_units`: whether a damaged unit, or a unit known to be recalled, is refused;
      also `depends` if the airline refuses recalled models that it names.
    - `label`, `ccc_mark`: whether a unit without a readable rating, or without a CCC (3C) mark, is refused.

    The names of the other fields say what they are about.
    """

    carry_on_max_watt_hour_without_approval: WattHourField | None
    airline_approval_required_over_watt_hour: WattHourField | None
    carry_on_max_watt_hour_with_approval: WattHourField | None
    carry_on_prohibited_over_watt_hour: WattHourField | None
    max_units: UnitsField | None
    max_units_over_100_watt_hour: UnitsField | None
    advised_max_units: UnitsField | None
    checked_baggage: RestrictionField | None
    damaged_units: RestrictionField | None
    recalled_units: RestrictionField | None
    onboard_use: RestrictionField | None
    onboard_recharge: RestrictionField | None
    overhead_bin: RestrictionField | None
    label: RequirementField | None
    ccc_mark: RequirementField | None
    terminal_protection: RequirementField | None
    keep_within_reach: RequirementField | None
    keep_visible: RequirementField | None
    visible_when_in_use: RequirementField | None
    on_person_or_seat_pocket: RequirementField | None
    remove_before_gate_check: RequirementField | None
    switched_off: RequirementField | None
    personal_use_only: RequirementField | None
    un38_3_type_tested: RequirementField | None


class CabinLimits(NamedTuple):
    """The four limits of watt-hours in a cabin bag; see `PolicyFields`."""

    carry_on_max_watt_hour_without_approval: WattHourField | None
    airline_approval_required_over_watt_hour: WattHourField | None
    carry_on_max_watt_hour_with_approval: WattHourField | None
    carry_on_prohibited_over_watt_hour: WattHourField | None


def cabin_limits(rules: Iterable[Rule]) -> CabinLimits:
    """Derive only the limits in a cabin bag, which is many times faster than all fields."""
    policy = _Policy(rules)
    return CabinLimits(
        _free_up_to(policy), _approval_over(policy), _approved_up_to(policy), _refused_over(policy)
    )


def policy_fields(rules: Iterable[Rule]) -> PolicyFields:
    """Derive the fields from the rules of one airline that are in force."""
    policy = _Policy(rules)
    travels = policy.travels
    damaged = [policy.ask(case.band, case.quantity, condition="damaged") for case in travels]
    recalled = [
        policy.ask(case.band, case.quantity, recall_status="affected", model_id=model)
        for model in ("", *policy.models_refused_as_recalled)
        for case in travels
    ]
    unlabeled = [policy.ask(case.band, case.quantity, capacity_label="missing") for case in travels]
    unmarked = [policy.ask(case.band, case.quantity, ccc_mark="absent") for case in travels]
    checked = [policy.ask(band, 1, compartment="checked") for band in policy.bands]
    return PolicyFields(
        carry_on_max_watt_hour_without_approval=_free_up_to(policy),
        airline_approval_required_over_watt_hour=_approval_over(policy),
        carry_on_max_watt_hour_with_approval=_approved_up_to(policy),
        carry_on_prohibited_over_watt_hour=_refused_over(policy),
        max_units=_most_units(policy, _units_allowed),
        max_units_over_100_watt_hour=_most_units(policy, _units_allowed, above=HUNDRED_WATT_HOURS),
        advised_max_units=_most_units(policy, _units_advised),
        # A permit without a prohibition is not enough: the rule decides whether it covers a unit.
        checked_baggage=_restriction(checked, {"prohibited": _refusing, "depends": _permitting}),
        damaged_units=_restriction(damaged, {"prohibited": _refusing}),
        recalled_units=_restriction(recalled, {"prohibited": _refusing}),
        onboard_use=_restriction(
            travels,
            {
                "prohibited": _saying("no_onboard_use"),
                "restricted": _saying("onboard_use_restricted"),
                "airline_decides": _saying("onboard_use_airline_decides"),
                "discouraged": _saying("onboard_use_discouraged"),
            },
        ),
        onboard_recharge=_restriction(travels, {"prohibited": _saying("no_onboard_recharge")}),
        overhead_bin=_restriction(
            travels,
            {"prohibited": _saying("no_overhead_bin"), "discouraged": _saying("overhead_bin_discouraged")},
        ),
        label=_requirement(unlabeled, {"required": _refusing}),
        ccc_mark=_requirement(
            unmarked, {"required": _refusing, "advised": _saying("ccc_mark_enforcement_varies")}
        ),
        terminal_protection=_requirement(travels, {"required": _saying("terminals_protected")}),
        keep_within_reach=_requirement(
            travels,
            {"required": _saying("keep_within_reach"), "advised": _saying("keep_within_reach_advised")},
        ),
        **{name: _requirement(travels, {"required": _saying(name)}) for name in _NAMED_AS_THEIR_CODE},
    )


def refusal_instead(fields: PolicyFields, name: str) -> WattHourField | None:
    """Return the refusal that answers a field that is null; None if it has a value or nothing answers it.

    If every rating beyond the limit without approval is refused, no approval exists. If every rating above
    100 Wh is refused, no such unit may travel. Then these fields are null, but what they ask is known.
    """
    refused = fields.carry_on_prohibited_over_watt_hour
    if refused is None or getattr(fields, name) is not None:
        return None
    match name:
        case "max_units_over_100_watt_hour":
            within = _watt_hour(HUNDRED_WATT_HOURS)
        case "airline_approval_required_over_watt_hour" | "carry_on_max_watt_hour_with_approval":
            free = fields.carry_on_max_watt_hour_without_approval
            within = Decimal(0) if free is None else free.value
        case _:
            return None
    return refused if refused.value <= within else None


def is_kept_elsewhere(fields: PolicyFields) -> bool:
    """Tell whether a unit must be kept at hand, so not in the overhead bin, though no rule names the bin."""
    kept = fields.on_person_or_seat_pocket
    return fields.overhead_bin is None and kept is not None and kept.value == "required"


def energy_spans(rules: Iterable[Rule]) -> tuple[EnergySpan, ...]:
    """Return what some rules in force say of one ordinary unit in a cabin bag, from the lowest rating up.

    Neighbors differ.
    """
    spans: list[EnergySpan] = []
    for case in _Policy(rules).singles:
        word = _energy_word(case)
        if spans and spans[-1].word == word:
            spans.pop()
        until = None if case.band.high is None else bound(_watt_hour(case.band.high))
        spans.append(EnergySpan(word, until))
    return tuple(spans)


def _energy_word(case: "_Case") -> EnergyWord:
    if _refusing(case):
        return "refused"
    if _asking_approval(case):
        return "approval"
    return "free" if _permitting(case) else "silent"


HUNDRED_WATT_HOURS = 100_00
"""In hundredths. Above it ICAO requires the airline's approval, so airlines count these units separately."""

RECALLED = "recalled_not_permitted"
"""The code of rules that refuse units for their recall."""

_NAMED_AS_THEIR_CODE = (
    "keep_visible",
    "visible_when_in_use",
    "on_person_or_seat_pocket",
    "remove_before_gate_check",
    "switched_off",
    "personal_use_only",
    "un38_3_type_tested",
)

_ORDINARY = Unit(model_id="", ccc_mark="present", capacity_label="legible", condition="intact")
# An airline's rules speak on all of its flights, so any flight will do for the question.
_ANY_LEG = Leg("", "", "")


@dataclass(frozen=True)
class _Band:
    """Ratings that the rules treat the same, in hundredths of a watt-hour, both ends included."""

    low: int
    high: int | None


@dataclass(frozen=True)
class _Case:
    """Some units of one band that are carried together, and the rules that speak for them."""

    band: _Band
    quantity: int
    facts: int
    speaking: tuple[Compiled, ...]


_Pick = Callable[[_Case], list[Compiled]]
"""The rules of a case that say one thing."""


class _Policy:
    """An airline's rules, ready to query."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = {rule.rule_id: rule for rule in rules}
        self._bits = Bands(self.rules.values())
        self._models = NamedModels(self.rules.values(), self._bits)
        self._entries = [entry(rule, self._bits, self._models) for rule in self.rules.values()]

    def ask(
        self,
        band: _Band,
        quantity: int,
        *,
        compartment: Compartment = "carry_on",
        recall_status: RecallStatus = "not_affected",
        **unit: str,
    ) -> _Case:
        """Query some units of a band; facts that are not given are ordinary."""
        question = Question(
            unit=msgspec.structs.replace(_ORDINARY, quantity=quantity, **unit),
            leg=_ANY_LEG,
            travel_date=datetime.date.min,
            compartment_intent=compartment,
        )
        facts = fold(question, recall_status)
        of_model = self._bits.of(band.low) | self._models.of(question.unit.model_id)
        return _Case(band, quantity, facts, tuple(speaking(self._entries, facts | of_model)))

    @cached_property
    def models_refused_as_recalled(self) -> list[str]:
        """All models that rules refuse by name as recalled, whatever the serial."""
        named = (rule.when.model or () for rule in self.rules.values() if rule.code == RECALLED)
        return sorted({model for models in named for model in models})

    @cached_property
    def bands(self) -> list[_Band]:
        """All ratings, lowest first, cut at each point where a rule starts or ceases to speak."""
        spans = [watt_hour_span(rule) for rule in self.rules.values()]
        cuts = {low for low, _ in spans} | {high + 1 for _, high in spans}
        edges = [1, *sorted(cut for cut in cuts | {HUNDRED_WATT_HOURS + 1} if 1 < cut <= MAX_AMOUNT * 100)]
        ends: list[int | None] = [edge - 1 for edge in edges[1:]]
        return [_Band(low, high) for low, high in zip(edges, [*ends, None], strict=True)]

    @cached_property
    def singles(self) -> list[_Case]:
        """One ordinary unit in the cabin bag, band by band."""
        return [self.ask(band, 1) for band in self.bands]

    @cached_property
    def travels(self) -> list[_Case]:
        """Every number of ordinary units of every band that this airline does not refuse in a cabin bag."""
        cases = [self.ask(band, count) for band in self.bands for count in range(1, MAX_QUANTITY + 1)]
        return [case for case in cases if not _refusing(case)]


# --- What the rules say of a case ---------------------------------------------------------------------------


def _refusing(case: _Case) -> list[Compiled]:
    return [rule for rule in case.speaking if rule.bans & case.facts]


def _permitting(case: _Case) -> list[Compiled]:
    return [rule for rule in case.speaking if rule.permit_of is not None]


def _saying(code: str) -> _Pick:
    return lambda case: [rule for rule in case.speaking if rule.statement and rule.statement.name == code]


_asking_approval = _saying("airline_approval_required")


# --- Words --------------------------------------------------------------------------------------------------


def _restriction(cases: Sequence[_Case], words: dict[RestrictionWord, _Pick]) -> RestrictionField | None:
    field = _field_parts(cases, words, "depends")
    return RestrictionField(*field) if field else None


def _requirement(cases: Sequence[_Case], words: dict[RequirementWord, _Pick]) -> RequirementField | None:
    field = _field_parts(cases, words, "depends")
    return RequirementField(*field) if field else None


def _field_parts(
    cases: Iterable[_Case], words: dict[Word, _Pick], depends: Word
) -> tuple[Word, tuple[str, ...]] | None:
    """Return the one word that is true in all cases, or `depends`, with its rules; None if no word is true.

    `words` go from the strictest to the mildest; a case takes the first that a rule says.
    """
    said = [
        next(((word, rules) for word, pick in words.items() if (rules := pick(case))), None) for case in cases
    ]
    heard = [one for one in said if one is not None]
    if not heard:
        return None
    everywhere = len(heard) == len(said) and len({word for word, _ in heard}) == 1
    return heard[0][0] if everywhere else depends, _behind(rules for _, rules in heard)


def _behind(said: Iterable[Iterable[Compiled]], ended_by: Iterable[Compiled] = ()) -> tuple[str, ...]:
    """Name the rules that a field rests on: those that say it in each case, else all that say it in some."""
    ids = [{rule.rule_id for rule in rules} for rules in said]
    return tuple(sorted((set.intersection(*ids) or set.union(*ids)) | {rule.rule_id for rule in ended_by}))


# --- Figures ------------------------------------------------------------------------------------------------


def _free_up_to(policy: _Policy) -> WattHourField | None:
    def free(case: _Case) -> bool:
        return bool(_permitting(case)) and not _refusing(case) and not _asking_approval(case)

    return _top(policy, list(takewhile(free, policy.singles)))


def _approved_up_to(policy: _Policy) -> WattHourField | None:
    def possible(case: _Case) -> bool:
        return bool(_permitting(case)) and not _refusing(case)

    cases = list(takewhile(possible, policy.singles))
    return _top(policy, cases) if any(map(_asking_approval, cases)) else None


def _top(policy: _Policy, cases: Sequence[_Case]) -> WattHourField | None:
    """Return the highest rating of the lowest bands, `cases`; None if there are none or no end."""
    if not cases or cases[-1].band.high is None:
        return None
    beyond = policy.singles[len(cases)]
    said = [_permitting(case) + _asking_approval(case) for case in cases]
    return _up_to(cases[-1].band.high, _behind(said, _refusing(beyond) + _asking_approval(beyond)))


def _approval_over(policy: _Policy) -> WattHourField | None:
    for case in policy.singles:
        if _asking_approval(case) and not _refusing(case):
            return _beyond(case.band.low - 1, _behind([_asking_approval(case)]))
    return None


def _refused_over(policy: _Policy) -> WattHourField | None:
    refused = list(takewhile(_refusing, reversed(policy.singles)))
    if not refused:
        return None
    return _beyond(refused[-1].band.low - 1, _behind(map(_refusing, refused)))


def _most_units(
    policy: _Policy, limit_of: Callable[[Rule], int | None], *, above: int = 0
) -> UnitsField | None:
    """Return the number that applies in every band that may travel: the largest, if bands differ."""
    bands = [case.band for case in policy.singles if case.band.low > above and not _refusing(case)]
    limits: list[int] = []
    rules: list[list[tuple[int, Compiled]]] = []
    for band in bands:
        said = [
            (limit, rule)
            for rule in policy.ask(band, MAX_QUANTITY).speaking
            if (limit := limit_of(policy.rules[rule.rule_id])) is not None
        ]
        if not said:
            return None
        limits.append(min(limit for limit, _ in said))
        rules.append(said)
    if not bands:
        return None
    value = max(limits)
    return UnitsField(value, _behind([rule for limit, rule in said if limit <= value] for said in rules))


def _units_allowed(rule: Rule) -> int | None:
    """Return the number of units above which a rule refuses them."""
    if rule.code == "max_units":
        return max(rule.params.max_units or 0, rule.when.quantity_over or 0)
    return rule.when.quantity_over if rule.effect == "prohibit" else None


def _units_advised(rule: Rule) -> int | None:
    return rule.params.max_units if rule.code == "quantity_advice" else None


def _up_to(highest: int, rule_ids: tuple[str, ...]) -> WattHourField:
    """Return the limit of ratings up to one, in hundredths."""
    watt_hour, inclusive = bound(_watt_hour(highest))
    return WattHourField(_watt_hour(highest), watt_hour, inclusive, rule_ids)


def _beyond(highest: int, rule_ids: tuple[str, ...]) -> WattHourField:
    """Return the limit of ratings beyond one, in hundredths."""
    watt_hour, within = bound(_watt_hour(highest))
    return WattHourField(_watt_hour(highest), watt_hour, not within, rule_ids)


def _watt_hour(in_hundredths: int) -> Decimal:
    return Decimal(plain(Decimal(in_hundredths) / 100))
