"""What only bags of several models show: a rule that counts fewer units is named, and nothing stricter is."""

import datetime
import random
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from rules.engine.corpus import Corpus
from rules.engine.document import Content, problems
from rules.engine.facts import Flight, Item, ItineraryQuestion, Label, Params, Rule, Unit, When
from rules.engine.itinerary import evaluate_itinerary
from rules.engine.vocabulary import STRICTNESS
from rules.impact.survey import Result, Survey, measure
from tests.rules.engine.itineraries import itinerary_in_numbers, world_of_numbers
from tests.rules.engine.worlds import BOUNDS, FIGURES, TODAY
from tests.support.factories import a_device, a_jurisdiction, a_rule, a_source, an_airline
from tests.support.thoroughness import examples
from tests.support.world import COUNTRIES

OVER_ONE = a_rule(
    rule_id="n1.approval-over-one",
    when=When(quantity_over=1),
    effect="require",
    code="airline_approval_required",
)
BASELINE = replace(
    a_rule(),
    rule_id="intl.permit",
    airline=None,
    issuer="regulator",
    jurisdiction="INTL",
    applies=("global",),
)
NONE_OVER_160 = replace(
    BASELINE,
    rule_id="intl.none-over-160wh",
    when=When(watt_hour_over=Decimal(160)),
    effect="prohibit",
    code="over_watt_hour_limit",
    params=Params(limit_watt_hour=Decimal(160)),
)
LARGE = a_device(model_id="large", watt_hour=Decimal(72), watt_hour_basis="rated")
SMALL = a_device(model_id="small", watt_hour=Decimal("18.5"), watt_hour_basis="rated")


def content(*rules: Rule, devices: tuple[Any, ...] = (LARGE, SMALL)) -> Content:
    every = (a_rule(), BASELINE, NONE_OVER_160, *rules)
    return Content(
        sources=(a_source(),),
        countries=tuple(COUNTRIES),
        jurisdictions=(a_jurisdiction(), a_jurisdiction(code="INTL", name="International")),
        airlines=(an_airline(),),
        devices=devices,
        rules=tuple(sorted(every, key=lambda rule: rule.rule_id)),
        recalls=(),
        disagreements=(),
    )


def when(rule: Rule, **conditions: Any) -> Rule:
    return replace(rule, when=replace(rule.when, **conditions))


def halves(rule: Rule) -> tuple[Rule, Rule]:
    above = when(rule, watt_hour_over=Decimal(60))
    return when(rule, watt_hour_up_to=Decimal(60)), replace(above, rule_id=f"{rule.rule_id}-large")


def measured(before: Content, after: Content) -> Result:
    assert [*problems(before), *problems(after)] == []
    return measure(Survey(Corpus(before), Corpus(after), today=TODAY))


def beyond(before: Content, after: Content) -> dict[str, str]:
    found = measured(before, after)
    return {cause.record.record_id: cause.beyond for cause in found.causes if cause.beyond}


def verdict(of: Content, *items: Item) -> str:
    question = ItineraryQuestion(
        passengers=1,
        items=items,
        flights=(Flight(origin="XA", destination="XB", operating_airline="N1", date=TODAY),),
    )
    return evaluate_itinerary(Corpus(of), question, today=TODAY).verdict


def item(model: str, quantity: int = 1) -> Item:
    return Item(ref=model, unit=Unit(model_id=model, quantity=quantity))


def test_a_rule_split_by_energy_lets_one_unit_of_each_half_through_and_is_named() -> None:
    before, after = content(OVER_ONE), content(*halves(OVER_ONE))
    bag = item("large"), item("small")
    assert (verdict(before, *bag), verdict(after, *bag)) == ("conditional", "allowed")
    found = measured(before, after)
    assert (found.flipped, found.lenient, found.unlisted) == (0, 0, ())
    ((cause, what),) = beyond(before, after).items()
    assert cause == OVER_ONE.rule_id
    assert "about several models in one bag" in what


def test_a_model_that_another_rule_counts_is_named() -> None:
    lighter = replace(LARGE, watt_hour=Decimal(55))
    before, after = content(*halves(OVER_ONE)), content(*halves(OVER_ONE), devices=(lighter, SMALL))
    bag = item("large"), replace(item("large"), ref="label", unit=Unit(model_id=""), label=_LABEL)
    assert verdict(before, *bag) == "conditional"
    assert measured(before, after).flipped == 0
    assert beyond(before, after).keys() == {"large"}


_LABEL = Label(watt_hour=Decimal(99))


def test_a_rule_for_more_units_than_one_question_has_is_named() -> None:
    many = when(OVER_ONE, quantity_over=20)
    bag = item("large", 15), item("small", 15)
    assert (verdict(content(many), *bag), verdict(content(), *bag)) == ("conditional", "allowed")
    assert beyond(content(many), content()).keys() == {many.rule_id}


LIMIT = replace(OVER_ONE, rule_id="n1.limit", when=When(), code="max_units", params=Params(max_units=2))
SPLIT_IN_TIME = (
    replace(OVER_ONE, effective_until=TODAY + datetime.timedelta(days=30)),
    replace(
        when(OVER_ONE, condition=None),
        rule_id="n1.later",
        effective_from=TODAY + datetime.timedelta(days=31),
    ),
)
STRICTER: dict[str, tuple[Rule, tuple[Rule, ...]]] = {
    "a wider band": (halves(OVER_ONE)[0], (OVER_ONE,)),
    "another rule that counts the same": (OVER_ONE, (replace(OVER_ONE, rule_id="n1.other"),)),
    "a successor in time": (OVER_ONE, SPLIT_IN_TIME),
    "a lower limit": (LIMIT, (replace(LIMIT, params=Params(max_units=1)),)),
    "a limit in place of an approval": (
        when(OVER_ONE, quantity_over=2),
        (LIMIT,),
    ),
    "a prohibition in place of a limit": (
        LIMIT,
        (
            replace(
                NONE_OVER_160, rule_id="n1.limit", airline="N1", issuer="airline", jurisdiction="XA",
                applies=("airline",), when=When(quantity_over=2),
            ),
        ),
    ),
    "a rule that is over": (replace(OVER_ONE, effective_until=TODAY - datetime.timedelta(days=1)), ()),
}  # fmt: skip


@pytest.mark.parametrize("what", STRICTER)
def test_what_covers_a_rule_that_counts_makes_nothing_milder(what: str) -> None:
    old, new = STRICTER[what]
    assert beyond(content(old), content(*new)) == {}


def test_a_model_that_is_banned_from_now_on_is_not_named() -> None:
    heavier = replace(LARGE, watt_hour=Decimal(200))
    rule = when(OVER_ONE, watt_hour_up_to=Decimal(100))
    assert beyond(content(rule), content(rule, devices=(heavier, SMALL))) == {}


WORLDS = examples(25, thorough=600)
QUESTIONS_TO_A_WORLD = 25


def _changed(chance: random.Random, before: Content) -> Content:
    """Change a rule in what it counts, or a model in its energy."""
    if chance.random() < 0.3:
        place = chance.randrange(len(before.devices))
        devices = list(before.devices)
        figure, basis = chance.choice(FIGURES)
        watt_hour = None if figure is None else Decimal(figure)
        devices[place] = replace(devices[place], watt_hour=watt_hour, watt_hour_basis=basis)
        return replace(before, devices=tuple(devices))
    old = chance.choice([rule for rule in before.rules if rule.effect != "permit"])
    edge = chance.choice(BOUNDS)
    new = [
        replace(
            old, when=replace(old.when, watt_hour_over=None, watt_hour_at_least=None, watt_hour_up_to=edge)
        ),
        replace(
            old,
            rule_id=f"{old.rule_id}-2",
            when=replace(old.when, watt_hour_over=edge, watt_hour_at_least=None, watt_hour_up_to=None),
        ),
    ][: chance.choice((1, 2, 2, 2))]
    kept = [rule for rule in before.rules if rule != old]
    return replace(before, rules=tuple(sorted([*kept, *new], key=lambda rule: rule.rule_id)))


def test_no_itinerary_gets_milder_where_nothing_is_named() -> None:
    chance = random.Random(20261126)
    quiet = named = 0
    while quiet < WORLDS:
        before = world_of_numbers(chance)
        after = _changed(chance, before)
        corpora = Corpus(before), Corpus(after)
        found = measure(Survey(*corpora, today=TODAY))
        if found.causes:
            named += 1
            continue
        quiet += 1
        for _ in range(QUESTIONS_TO_A_WORLD):
            question = itinerary_in_numbers(chance)
            was, then = (evaluate_itinerary(one, question, today=TODAY).verdict for one in corpora)
            assert STRICTNESS[then] >= STRICTNESS[was], question
    assert named > WORLDS / 10
