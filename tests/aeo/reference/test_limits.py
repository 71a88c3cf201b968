"""What the limits of the baseline mean for a model, at the edges that people stand on."""

from decimal import Decimal

import msgspec
import pytest

from aeo.editions import Edition
from aeo.reference.limits import Limits, limits, sentence
from catalog.energy import WattHourBasis
from rules.engine.facts import Device
from rules.selectors.policy_fields import policy_fields
from tests.support import starter


def model(watt_hour: str | None, basis: WattHourBasis = "rated") -> Device:
    figure = None if watt_hour is None else Decimal(watt_hour)
    return Device(model_id="a-b", brand="A", model_name="B", watt_hour=figure, watt_hour_basis=basis)


@pytest.mark.parametrize(
    ("watt_hour", "basis", "said"),
    [
        (
            "100",
            "rated",
            "With 100 Wh it is within the international limit for a power bank in the cabin without",
        ),
        ("100.01", "rated", "it may travel in the cabin only with the airline's approval"),
        (
            "160",
            "rated",
            "within the international limit for a power bank with approval (up to 160 Wh)",
        ),
        (
            "160.01",
            "rated",
            "is over the international limit for a power bank (up to 160 Wh). It may not travel",
        ),
        ("94.99", "computed", "With 94.99 Wh it is within the international limit"),
        (
            "95",
            "computed",
            "close to an international limit (up to 100 Wh), so the rating printed on the unit decides",
        ),
        ("152", "computed", "close to an international limit (up to 160 Wh)"),
        (None, "unknown", "no flight can be cleared for it"),
    ],
)
def test_each_side_of_an_edge_reads_as_the_engine_decides(
    edition: Edition, watt_hour: str | None, basis: WattHourBasis, said: str
) -> None:
    assert said in sentence(model(watt_hour, basis), limits(edition.release, edition.today))


def test_a_release_without_a_baseline_names_no_limit(edition: Edition) -> None:
    content = starter.starter_content()
    rules = tuple(rule for rule in content.rules if rule.jurisdiction != "INTL")
    known = limits(starter.published(msgspec.structs.replace(content, rules=rules)), edition.today)
    assert known == Limits(None, None, (), policy_fields(()))
    assert "name no limit" in sentence(model("37"), known)


@pytest.mark.parametrize(("highest", "said"), [("90", "up to 90 Wh"), ("99.99", "under 100 Wh")])
def test_a_limit_that_moves_moves_on_the_page(edition: Edition, highest: str, said: str) -> None:
    content = starter.starter_content()
    rules = tuple(
        msgspec.structs.replace(
            rule, when=msgspec.structs.replace(rule.when, watt_hour_up_to=Decimal(highest))
        )
        if rule.rule_id == "intl.icao.carry-on-up-to-100wh"
        else rule
        for rule in content.rules
    )
    known = limits(starter.published(msgspec.structs.replace(content, rules=rules)), edition.today)
    assert known.free is not None
    assert known.free.value == Decimal(highest)
    assert f"({said})" in sentence(model("37"), known)
