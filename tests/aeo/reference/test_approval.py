"""What an airline's page promises without approval holds in every verdict on an ordinary flight of it."""

import re
from decimal import Decimal

import pytest

from aeo.editions import Edition
from aeo.page_records.register import Indexed
from aeo.pages import markdown
from aeo.pages.record import Shown
from aeo.reference import approval
from aeo.reference.airline import airline_page
from aeo.reference.country import country_page
from rules.engine.facts import Airline
from rules.engine.outcomes import LegVerdict
from rules.selectors import rules
from rules.selectors.policy_fields import PolicyFields
from tests.aeo.ordinary_flight import answer

# A page of an airline asks how its policy changed.
pytestmark = pytest.mark.django_db


def fields_of(edition: Edition, airline: Airline) -> PolicyFields:
    own = rules.active(edition.release, airline.airline, edition.today)
    return approval.counted(own, approval.around_airline(edition, airline))


def names(verdict: LegVerdict) -> set[str]:
    return {constraint.name for constraint in verdict.constraints}


def test_no_airline_is_said_to_accept_without_approval_what_a_verdict_asks_approval_for(
    edition: Edition,
) -> None:
    asked = 0
    for airline in edition.release.shelf.airlines.values():
        free = fields_of(edition, airline).carry_on_max_watt_hour_without_approval
        if free is None:
            continue
        for abroad in {"SG", "GB", "JP"} - {airline.country}:
            verdict = answer(edition, airline, free.value, abroad)
            assert "airline_approval_required" not in names(verdict), airline.airline
            assert verdict.verdict in {"allowed", "conditional"}, airline.airline
            asked += 1
    assert asked > 100


def test_no_airline_is_said_to_accept_with_approval_what_a_verdict_bans(edition: Edition) -> None:
    asked = 0
    for airline in edition.release.shelf.airlines.values():
        approved = fields_of(edition, airline).carry_on_max_watt_hour_with_approval
        if approved is not None:
            asked += 1
            abroad = "MY" if airline.country != "MY" else "NZ"
            verdict = answer(edition, airline, approved.value, abroad)
            assert verdict.verdict == "conditional", airline.airline
    assert asked > 50


def test_what_an_airline_is_said_to_refuse_begins_where_verdicts_ban(edition: Edition) -> None:
    asked = 0
    for airline in edition.release.shelf.airlines.values():
        refused = fields_of(edition, airline).carry_on_prohibited_over_watt_hour
        if refused is not None:
            asked += 1
            abroad = "MY" if airline.country != "MY" else "NZ"
            beyond = answer(edition, airline, refused.value + Decimal("0.01"), abroad)
            assert beyond.verdict == "banned", airline.airline
            assert answer(edition, airline, refused.value, abroad).verdict != "banned", airline.airline
    assert asked > 70


@pytest.mark.parametrize("code", ["AC", "TS"])
def test_an_airline_refuses_160_watt_hours_if_its_home_country_does(edition: Edition, code: str) -> None:
    airline = edition.release.shelf.airlines[code]
    refused = fields_of(edition, airline).carry_on_prohibited_over_watt_hour
    assert refused is not None
    assert (refused.watt_hour, refused.inclusive) == (160, True)
    page = markdown.text(Shown(page=airline_page(edition, code, Indexed([])), indexed=True))
    assert re.search(r"\| Refused in the cabin \| 160 Wh or more \|", page)


@pytest.mark.parametrize(
    ("code", "most"),
    [
        *((code, "up to 160 Wh") for code in ("JL", "NH", "UA", "U2", "QH", "MM", "GK")),
        ("HO", "under 160 Wh"),
    ],
)
def test_an_airline_silent_on_approval_is_shown_with_the_limit_of_the_rules_around_it(
    edition: Edition, code: str, most: str
) -> None:
    page = airline_page(edition, code, Indexed([]))
    assert "of up to 100 Wh in the cabin without prior approval" in page.lead
    assert f"With its approval, it accepts a power bank of {most}." in page.lead
    assert "airline_approval_required" in names(
        answer(edition, edition.release.shelf.airlines[code], Decimal(120), "SG")
    )


@pytest.mark.parametrize("code", ["JL", "HO", "ZG"])
def test_the_table_says_the_same_and_names_the_rules_that_it_counts(edition: Edition, code: str) -> None:
    page = markdown.text(Shown(page=airline_page(edition, code, Indexed([])), indexed=True))
    assert re.search(r"\| In the cabin without approval \| up to 100 Wh \|", page)
    assert "The limits in watt-hours also follow the international rules" in page


def test_a_country_whose_rules_are_silent_on_approval_is_shown_with_the_international_limit(
    edition: Edition,
) -> None:
    page = country_page(edition, "JP", Indexed([]))
    assert "a power bank of up to 100 Wh may travel in the cabin without the airline's approval" in page.lead
