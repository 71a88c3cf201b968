"""Facts that a recall or a missing permit hides are named when they change, and stricter ones are not."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from catalog.records import Certificate
from recalls.serials import AffectedSerials
from rules.engine.document import Content
from rules.engine.facts import When
from tests.rules.engine.worlds import TODAY
from tests.rules.impact.test_counting import SMALL, beyond, content, measured
from tests.support.factories import a_recall, a_rule, an_airline

UP_TO_60 = replace(a_rule(), rule_id="n1.up-to-60wh", when=When(watt_hour_up_to=Decimal(60)))
OF_ALL = a_recall(model_id="small", affected_serials=AffectedSerials(scope="all_units", identifier="model"))
IN_DOUBT = Certificate(mark="CCC", status="suspended", source="northwing-page")
COMPUTED = {"watt_hour": Decimal("59.20"), "watt_hour_basis": "computed", "capacity_mah": 16_000}
RATED = replace(SMALL, watt_hour=Decimal(74))


def recalled(**facts: Any) -> Content:
    """Return a release with a model of some facts, all units of which are recalled."""
    return replace(content(UP_TO_60, devices=(replace(RATED, **facts),)), recalls=(OF_ALL,))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"watt_hour": Decimal("39.96")}),
        ({"watt_hour": None, "watt_hour_basis": "unknown"}, {}),
        (COMPUTED, {**COMPUTED, "watt_hour_basis": "rated"}),
        ({"certificates": (IN_DOUBT,)}, {}),
        ({"certificates": (IN_DOUBT,)}, {"certificates": (replace(IN_DOUBT, until=TODAY),)}),
    ],
)
def test_a_fact_that_a_recall_of_all_units_hides_is_named(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert measured(recalled(**before), recalled(**after)).flipped == 0
    assert beyond(recalled(**before), recalled(**after)).keys() == {"small"}
    assert beyond(recalled(**after), recalled(**before)) == {}


def test_energy_that_no_rule_tells_apart_and_other_words_are_not_named() -> None:
    assert beyond(recalled(), recalled(watt_hour=Decimal(70))) == {}
    assert beyond(recalled(), recalled(notes="Seen.")) == {}
    later = replace(IN_DOUBT, until=TODAY + datetime.timedelta(days=9))
    assert beyond(recalled(certificates=(later,)), recalled(certificates=(IN_DOUBT,))) == {}


def test_a_new_model_that_is_recalled_is_named_if_its_energy_is_known() -> None:
    none = replace(recalled(), devices=(), recalls=())
    assert beyond(none, recalled()).keys() == {"small"}
    assert beyond(none, recalled(watt_hour=None, watt_hour_basis="unknown")) == {}


@pytest.mark.parametrize("confidence", ["confirmed", "reported"])
def test_confidence_in_an_airline_without_rules_is_named(confidence: Any) -> None:
    def with_airline(*others: Any) -> Content:
        return replace(content(), airlines=(an_airline(), *others))

    other = an_airline(airline="U9", icao="XXX", name="Unread Air", confidence=confidence)
    unread = replace(other, confidence="unverified")
    assert beyond(with_airline(), with_airline(other)).keys() == {"U9"}
    assert beyond(with_airline(unread), with_airline(other)).keys() == {"U9"}
    assert beyond(with_airline(other), with_airline(unread)) == {}
