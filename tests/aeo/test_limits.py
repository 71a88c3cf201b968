"""What the limits of the baseline mean for a model, at the edges that people stand on."""

from decimal import Decimal

import msgspec
import pytest

from aeo.editions import Edition
from aeo.pages.limits import Limits, limits, standing
from catalog.energy import WattHourBasis
from rules.engine.facts import Device
from tests import starter


def model(watt_hour: str | None, basis: WattHourBasis = "rated") -> Device:
    figure = None if watt_hour is None else Decimal(watt_hour)
    return Device(model_id="a-b", brand="A", model_name="B", watt_hour=figure, watt_hour_basis=basis)


@pytest.mark.parametrize(
    ("watt_hour", "basis", "said"),
    [
        ("100", "rated", "Its 100 Wh stay within the 100 Wh"),
        ("100.01", "rated", "are more than the international baseline lets into the cabin freely"),
        (
            "160",
            "rated",
            "within the 160 Wh up to which it may travel there once the airline has approved it",
        ),
        ("160.01", "rated", "are over the 160 Wh above which"),
        ("94.99", "computed", "Its 94.99 Wh stay within the 100 Wh"),
        (
            "95",
            "computed",
            "so near the 100 Wh of the international baseline that the rating on the unit decides",
        ),
        ("152", "computed", "so near the 160 Wh"),
        (None, "unknown", "no flight can be cleared for it"),
    ],
)
def test_each_side_of_an_edge_reads_as_the_engine_decides(
    edition: Edition, watt_hour: str | None, basis: WattHourBasis, said: str
) -> None:
    assert said in standing(model(watt_hour, basis), limits(edition.release, edition.today))


def test_a_release_without_a_baseline_names_no_limit(edition: Edition) -> None:
    content = starter.starter_content()
    rules = tuple(rule for rule in content.rules if rule.jurisdiction != "INTL")
    known = limits(starter.published(msgspec.structs.replace(content, rules=rules)), edition.today)
    assert known == Limits(None, None, ())
    assert "names no limit" in standing(model("37"), known)


def test_a_limit_that_moves_moves_on_the_page(edition: Edition) -> None:
    content = starter.starter_content()
    rules = tuple(
        msgspec.structs.replace(rule, when=msgspec.structs.replace(rule.when, watt_hour_up_to=Decimal(90)))
        if rule.rule_id == "intl.icao.carry-on-up-to-100wh"
        else rule
        for rule in content.rules
    )
    known = limits(starter.published(msgspec.structs.replace(content, rules=rules)), edition.today)
    assert known.free == Decimal(90)
