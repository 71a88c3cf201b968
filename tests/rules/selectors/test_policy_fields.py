"""An airline's policy fields say what verdicts do, no more and no less.

The fields are worked out from rules. Here they are compared with what the engine answers where this airline's
rules are the only ones: on the starter corpus, and on generated rules with conditions that no real airline
has.
"""

import datetime
import functools
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import product, takewhile
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from msgspec.structs import asdict, replace

from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Airline, Leg, Params, Question, Rule, Unit, When
from rules.engine.outcomes import LegVerdict
from rules.engine.vocabulary import CODES, EFFECT_OF_NATURE, Compartment
from rules.selectors.policy_fields import PolicyFields, RequirementField, UnitsField, policy_fields
from tests.rules.engine.worlds import TODAY, WORLDS, device
from tests.support.factories import a_country, a_rule, a_source, an_airline
from tests.support.starter import NOW, starter_content, starter_release

TITLES = {
    "onboard_use": {
        "no_onboard_use": "prohibited",
        "onboard_use_restricted": "restricted",
        "onboard_use_airline_decides": "airline_decides",
        "onboard_use_discouraged": "discouraged",
    },
    "onboard_recharge": {"no_onboard_recharge": "prohibited"},
    "overhead_bin": {"no_overhead_bin": "prohibited", "overhead_bin_discouraged": "discouraged"},
    "terminal_protection": {"terminals_protected": "required"},
    "keep_within_reach": {"keep_within_reach": "required", "keep_within_reach_advised": "advised"},
    "keep_visible": {"keep_visible": "required"},
    "visible_when_in_use": {"visible_when_in_use": "required"},
    "on_person_or_seat_pocket": {"on_person_or_seat_pocket": "required"},
    "remove_before_gate_check": {"remove_before_gate_check": "required"},
    "switched_off": {"switched_off": "required"},
    "personal_use_only": {"personal_use_only": "required"},
    "un38_3_type_tested": {"un38_3_type_tested": "required"},
}
"""What each code means for the field that tells of it, the strictest first."""

HUNDREDTH = Decimal("0.01")


class Desk:
    """Asks the engine about one airline as if it were the only one that says anything."""

    def __init__(self, content: Content, airline: Airline, rules: Sequence[Rule], day: datetime.date) -> None:
        self.figures = sorted(figures(rules))
        self.quantities = sorted(quantities(rules))
        self._day = day
        self._leg = Leg(airline.country, airline.country, airline.airline)
        devices = [device(name(figure), str(figure), "rated", ()) for figure in self.figures]
        cited = {*airline.sources, *(source for rule in rules for source in rule.sources)}
        self._corpus = Corpus(
            replace(
                content,
                sources=tuple(source for source in content.sources if source.id in cited),
                airlines=(airline,),
                devices=tuple(devices),
                rules=tuple(rules),
                recalls=(),
            )
        )
        # Several fields rest on the same answers.
        self.ask = functools.cache(self._ask)

    def _ask(
        self, figure: Decimal, quantity: int, compartment: Compartment = "carry_on", **unit: Any
    ) -> LegVerdict:
        ordinary = {"ccc_mark": "present", "capacity_label": "legible", "condition": "intact"}
        question = Question(
            unit=Unit(model_id=name(figure), quantity=quantity, **ordinary | unit),
            leg=self._leg,
            travel_date=self._day,
            compartment_intent=compartment,
        )
        return evaluate_leg(self._corpus, question, today=self._day)

    def travels(self) -> list[tuple[Decimal, int, LegVerdict]]:
        """Every number of units of every rating that is not refused."""
        units = product(self.figures, self.quantities)
        asked = [(figure, count, self.ask(figure, count)) for figure, count in units]
        return [one for one in asked if not banned(one[2])]


def name(figure: Decimal) -> str:
    return f"unit-{int(figure * 100)}"


def figures(rules: Iterable[Rule]) -> set[Decimal]:
    """Every rating at which a rule can start or cease to speak, and the first and last there are."""
    conditions = (rule.when for rule in rules)
    bounds = {
        bound
        for when in conditions
        for bound in (when.watt_hour_over, when.watt_hour_at_least, when.watt_hour_up_to)
        if bound is not None
    }
    near = {bound + step for bound in bounds | {Decimal(100)} for step in (-HUNDREDTH, Decimal(0), HUNDREDTH)}
    return near | {HUNDREDTH, Decimal(1_000_000)}


def quantities(rules: Iterable[Rule]) -> set[int]:
    """Every number of units at which a rule can start or cease to speak, and the first and last there are."""
    numbers = [(rule.params.max_units, rule.when.quantity_over) for rule in rules]
    edges = {number for pair in numbers for number in pair if number is not None}
    return {1, 20} | edges | {number + 1 for number in edges if number < 20}


def banned(outcome: LegVerdict) -> bool:
    return outcome.verdict == "banned"


def permitted(outcome: LegVerdict) -> bool:
    return "no_airline_permit" not in outcome.gaps


def codes(outcome: LegVerdict) -> set[str]:
    return {statement.name for statement in (*outcome.constraints, *outcome.warnings)}


def observed(desk: Desk) -> dict[str, Any]:
    """The fields as somebody would put them together who only reads verdicts."""
    singles = [(figure, desk.ask(figure, 1)) for figure in desk.figures]
    travels = desk.travels()

    def refused(**unit: Any) -> list[str | None]:
        return ["yes" if banned(desk.ask(figure, count, **unit)) else None for figure, count, _ in travels]

    def mark(outcome: LegVerdict) -> str | None:
        if banned(outcome):
            return "required"
        return "advised" if "ccc_mark_enforcement_varies" in codes(outcome) else None

    checked = [desk.ask(figure, 1, "checked") for figure in desk.figures]
    return {
        "carry_on_max_watt_hour_without_approval": _top(
            singles, lambda one: permitted(one) and not banned(one) and not approval(one)
        ),
        "carry_on_max_watt_hour_with_approval": _top_with_approval(singles),
        "airline_approval_required_over_watt_hour": next(
            (figure - HUNDREDTH for figure, one in singles if approval(one) and not banned(one)), None
        ),
        "carry_on_prohibited_over_watt_hour": _bottom(singles),
        "max_units": _most_units(desk, Decimal(0)),
        "max_units_over_100_watt_hour": _most_units(desk, Decimal(100)),
        "checked_baggage": together(
            ["prohibited" if banned(one) else "depends" if permitted(one) else None for one in checked]
        ),
        "damaged_units": together(["prohibited" if one else None for one in refused(condition="damaged")]),
        "label": together(["required" if one else None for one in refused(capacity_label="missing")]),
        "ccc_mark": together(
            [mark(desk.ask(figure, count, ccc_mark="absent")) for figure, count, _ in travels]
        ),
        **{
            field: together(
                [
                    next((word for code, word in words.items() if code in codes(one)), None)
                    for _, _, one in travels
                ]
            )
            for field, words in TITLES.items()
        },
    }


def approval(outcome: LegVerdict) -> bool:
    return "airline_approval_required" in codes(outcome)


def together(words: Sequence[str | None]) -> str | None:
    if not any(words):
        return None
    return words[0] if len(set(words)) == 1 else "depends"


def _top(singles: Sequence[tuple[Decimal, LegVerdict]], holds: Any) -> Decimal | None:
    prefix = list(takewhile(lambda one: holds(one[1]), singles))
    return prefix[-1][0] if prefix and len(prefix) < len(singles) else None


def _top_with_approval(singles: Sequence[tuple[Decimal, LegVerdict]]) -> Decimal | None:
    def possible(one: LegVerdict) -> bool:
        return permitted(one) and not banned(one)

    prefix = takewhile(lambda one: possible(one[1]), singles)
    return _top(singles, possible) if any(approval(one) for _, one in prefix) else None


def _bottom(singles: Sequence[tuple[Decimal, LegVerdict]]) -> Decimal | None:
    suffix = list(takewhile(lambda one: banned(one[1]), reversed(singles)))
    return suffix[-1][0] - HUNDREDTH if suffix else None


def _most_units(desk: Desk, above: Decimal) -> int | None:
    most = [
        max(count for count in desk.quantities if not banned(desk.ask(figure, count)))
        for figure in desk.figures
        if figure > above and not banned(desk.ask(figure, 1))
    ]
    return None if not most or max(most) == 20 else max(most)


def fields_in(fields: PolicyFields, of: Iterable[str]) -> dict[str, Any]:
    """The values of some fields."""
    values = {field: getattr(fields, field) for field in of}
    return {field: None if value is None else value.value for field, value in values.items()}


@functools.cache
def active_rules() -> dict[str, list[Rule]]:
    shelf, today = starter_release().shelf, NOW.date()
    active = {
        code: [rule for rule in shelf.rules_of(code) if rule.in_force(today)] for code in shelf.airlines
    }
    return {code: rules for code, rules in active.items() if rules}


@pytest.mark.parametrize("code", active_rules())
def test_the_fields_of_an_airline_are_what_verdicts_by_its_rules_alone_say(code: str) -> None:
    rules = active_rules()[code]
    desk = Desk(starter_content(), starter_release().shelf.airlines[code], rules, NOW.date())
    expected = observed(desk)
    assert fields_in(policy_fields(rules), expected) == expected


def of_one_airline(world: Content) -> list[Rule]:
    """Everything that a generated world says today, as if one airline said it all."""
    said = [rule for rule in world.rules if rule.in_force(TODAY)]
    return [
        replace(rule, issuer="airline", airline="A1", jurisdiction="FR", applies=("airline",))
        for rule in said
        # The permits of authorities have no conditions: with them, everything would be permitted.
        if rule.airline == "A1" or not rule.rule_id.endswith("plain-permit")
    ]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORLDS)
def test_the_fields_of_any_airline_are_what_verdicts_by_its_rules_alone_say(world: Content) -> None:
    rules = of_one_airline(world)
    assume(rules)
    airline = next(airline for airline in world.airlines if airline.airline == "A1")
    expected = observed(Desk(world, airline, rules, TODAY))
    assert fields_in(policy_fields(rules), expected) == expected


@given(WORLDS)
def test_every_field_names_rules_that_it_was_given_each_once_and_in_order(world: Content) -> None:
    rules = of_one_airline(world)
    given_ids = {rule.rule_id for rule in rules}
    for field in asdict(policy_fields(rules)).values():
        if field is not None:
            assert field.rule_ids
            assert set(field.rule_ids) <= given_ids
            assert list(field.rule_ids) == sorted(set(field.rule_ids))


@pytest.mark.parametrize("code", active_rules())
def test_the_rules_that_a_field_names_are_enough_to_say_it(code: str) -> None:
    rules = active_rules()[code]
    for field, said in asdict(policy_fields(rules)).items():
        if said is not None:
            named = [rule for rule in rules if rule.rule_id in said.rule_ids]
            assert getattr(policy_fields(named), field) == said


@given(WORLDS)
def test_the_order_of_the_rules_does_not_matter(world: Content) -> None:
    rules = of_one_airline(world)
    assert policy_fields(rules) == policy_fields(reversed(rules))


def test_no_rule_says_nothing() -> None:
    assert set(asdict(policy_fields([])).values()) == {None}


# --- What no verdict by these rules alone can show ----------------------------------------------------------


def a_say(code: str, **changes: Any) -> Rule:
    """A rule by which an airline says something."""
    said = {
        "rule_id": f"n1.{code.replace('_', '-')}",
        "when": When(),
        "effect": EFFECT_OF_NATURE[CODES[code].nature],
        "code": code,
    }
    return a_rule(**said | changes)


def test_a_known_recall_is_told_where_the_airline_itself_refuses_recalled_units() -> None:
    # The engine bans every unit that is known to be recalled, whatever the airline says.
    assert policy_fields([a_rule()]).recalled_units is None
    refusing = a_say("recalled_not_permitted", when=When(recall_status=("affected",)))
    field = policy_fields([a_rule(), refusing]).recalled_units
    assert field is not None
    assert (field.value, field.rule_ids) == ("prohibited", (refusing.rule_id,))


def test_recalled_units_depend_where_only_large_ones_are_refused() -> None:
    refusing = a_say(
        "recalled_not_permitted", when=When(recall_status=("affected",), watt_hour_over=Decimal(100))
    )
    field = policy_fields([a_rule(), refusing]).recalled_units
    assert field is not None
    assert field.value == "depends"


def test_advice_on_the_number_of_units_is_told_next_to_the_limit() -> None:
    fields = policy_fields(
        [
            a_rule(),
            a_say("max_units", params=Params(max_units=5)),
            a_say("quantity_advice", params=Params(max_units=2)),
        ]
    )
    assert fields_in(fields, ["max_units", "advised_max_units"]) == {"max_units": 5, "advised_max_units": 2}


def test_a_limit_of_twenty_units_is_told_although_no_one_can_ask_for_more() -> None:
    field = policy_fields([a_rule(), a_say("max_units", params=Params(max_units=20))]).max_units
    assert field is not None
    assert field.value == 20


def test_of_two_limits_the_stricter_one_counts() -> None:
    two = a_say("max_units", rule_id="n1.two", params=Params(max_units=2))
    three = a_say("max_units", rule_id="n1.three", params=Params(max_units=3))
    field = policy_fields([a_rule(), two, three]).max_units
    assert field is not None
    assert (field.value, field.rule_ids) == (2, ("n1.two",))


@pytest.mark.parametrize(
    ("rule", "most"),
    [
        (a_say("max_units", params=Params(max_units=1), when=When(quantity_over=3)), 3),
        (a_say("max_units", params=Params(max_units=4), when=When(quantity_over=3)), 4),
        (a_say("damaged_not_permitted", when=When(quantity_over=2)), 2),
    ],
    ids=["a limit that speaks late", "a limit that speaks early", "a refusal of more"],
)
def test_a_limit_is_told_as_verdicts_draw_it_however_it_is_written(rule: Rule, most: int) -> None:
    rules = [a_rule(when=When()), rule]
    content = Content(countries=(a_country(),), sources=(a_source(),))
    expected = observed(Desk(content, an_airline(), rules, TODAY))
    assert expected["max_units"] == most
    assert fields_in(policy_fields(rules), expected) == expected


def test_of_several_rules_the_one_that_says_it_in_every_case_is_named_alone() -> None:
    every = a_say("max_units", rule_id="n1.every", params=Params(max_units=3))
    large = a_say(
        "max_units", rule_id="n1.large", params=Params(max_units=2), when=When(watt_hour_over=Decimal(100))
    )
    fields = policy_fields([a_rule(), every, large])
    assert fields.max_units == UnitsField(3, ("n1.every",))
    assert fields.max_units_over_100_watt_hour == UnitsField(2, ("n1.large",))


def test_where_rules_say_it_case_by_case_all_of_them_are_named() -> None:
    small = a_say("switched_off", rule_id="n1.small", when=When(watt_hour_up_to=Decimal(100)))
    large = a_say("switched_off", rule_id="n1.large", when=When(watt_hour_over=Decimal(100)))
    field = policy_fields([a_rule(), small, large]).switched_off
    assert field == RequirementField("required", ("n1.large", "n1.small"))
    assert policy_fields([a_rule(), small]).switched_off == RequirementField("depends", ("n1.small",))


def test_a_limit_for_large_units_alone_says_nothing_of_small_ones() -> None:
    large = a_say("max_units", params=Params(max_units=2), when=When(watt_hour_over=Decimal(100)))
    fields = policy_fields([a_rule(), large])
    assert fields_in(fields, ["max_units", "max_units_over_100_watt_hour"]) == {
        "max_units": None,
        "max_units_over_100_watt_hour": 2,
    }


def test_every_code_that_an_airlines_rule_can_say_is_told_by_a_field() -> None:
    # These tell of an airport, a country or airlines at large, not of what an airline wants.
    elsewhere = {"ccc_applies_to_connections", "confiscation_risk", "over_100wh_refusal_likely"}
    silent = policy_fields([a_rule()])
    for code in CODES.values():
        if not code.from_rules or code.name in elsewhere:
            continue
        parameter = {
            "max_units": Params(max_units=2),
            "limit_watt_hour": Params(limit_watt_hour=Decimal(100)),
            None: Params(),
        }[code.parameter]
        # A prohibition of everything would leave nothing to tell.
        when = When(watt_hour_over=Decimal(100)) if code.nature == "prohibition" else When()
        assert policy_fields([a_rule(), a_say(code.name, params=parameter, when=when)]) != silent, code.name
