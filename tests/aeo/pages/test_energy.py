"""What is drawn of a unit and its limits is what the API says: its figure, its limits, and the verdict."""

import re
from typing import Any

import pytest
from django.test import Client

from aeo.editions import Edition
from aeo.pages import energy
from aeo.pages.energy import Carried, Row
from aeo.pages.record import Bullets, Drawing
from aeo.reference.limits import spans
from rules.answers.limits_in_play import limits_in_play
from rules.engine.facts import Leg
from rules.engine.matching import plain
from tests.compliance.api.reading import read
from tests.support.api_requests import VERIFY, answer
from tests.support.partner_depth import ask_as_partner


def lines(drawn: Drawing) -> list[str]:
    assert isinstance(drawn.facts, Bullets)
    return [str(run) for (run,) in drawn.facts.lines]


def rows(drawn: Drawing) -> dict[str, str]:
    """What each kind of limit means for the unit, by the names of those who set it."""
    found = [re.fullmatch(r"(.+?): .+\. Here: (.+)\.", line) for line in lines(drawn)]
    return {row[1]: row[2] for row in found if row}


def answering_airlines(edition: Edition) -> list[str]:
    return [code for code in sorted(edition.release.shelf.airlines) if edition.release.corpus.own(code)]


def flight(edition: Edition, airline: str, number: int) -> Leg:
    """A flight of an airline from its home to one of all countries, or back."""
    countries = sorted(edition.release.corpus.countries)
    home, other = edition.release.corpus.airlines[airline].country, countries[number % len(countries)]
    return Leg(home, other, airline) if number % 2 else Leg(other, home, airline)


def verdict(edition: Edition, model_id: str, leg: Leg) -> dict[str, Any]:
    trip = {"origin": leg.origin, "destination": leg.destination, "airline": leg.airline}
    trip["date"] = edition.today.isoformat()
    return answer(Client(), VERIFY, {"model_id": model_id, "trip": trip})


@pytest.mark.usefixtures("pages", "now")
def test_what_is_drawn_of_every_model_is_what_its_verdict_says(edition: Edition) -> None:
    airlines = answering_airlines(edition)
    for number, (model_id, device) in enumerate(sorted(edition.release.shelf.devices.items())):
        leg = flight(edition, airlines[number % len(airlines)], number)
        said = verdict(edition, model_id, leg)
        drawn = energy.on_flights(edition.release, [Carried(device)], [(leg, edition.today)])
        words, found = set(rows(drawn).values()), {one["code"] for one in said["constraints"]}
        figure, basis = said["device_resolved"]["watt_hour"], device.watt_hour_basis
        if figure is None:
            assert words == {"cannot be compared"}
            assert 'class="unknown"' in drawn.svg
            assert 'class="unit' not in drawn.svg
            assert said["verdict"] in {"insufficient", "banned"}
            continue
        assert lines(drawn)[0].startswith(f"This power bank: {figure:g} Wh, {basis}")
        assert ("unit perhaps" in drawn.svg) == (basis == "computed")
        assert ("over the limit" in words) == any(code.startswith("over_watt_hour") for code in found)
        assert "over the limit" not in words or said["verdict"] == "banned"
        # A computed figure that can be over a limit as well has to be settled first, and says only that.
        needs_approval = "airline_approval_required" in found
        assert needs_approval or "approval needed" not in words, (model_id, leg)
        assert not needs_approval or {"approval needed", "check the label"} & words, (model_id, leg)
        assert ("check the label" in words) == ("confirm_rated_watt_hour" in found), (model_id, leg)


@pytest.mark.usefixtures("pages", "now")
def test_the_limits_of_each_airline_are_those_of_its_record_within_the_international_ones(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    client = Client()
    baseline = spans(edition.release, edition.today)[0].until
    assert baseline is not None
    assert (float(baseline.watt_hour), baseline.inclusive) == (100, True)
    beyond = set()
    for code in answering_airlines(edition):
        home = edition.release.corpus.airlines[code].country
        in_play = limits_in_play(edition.release, Leg(home, home, code), edition.today)
        (own,) = [one.spans for one in in_play if one.airline == code]
        fields = read(client, f"/api/airlines/{code}")["policy_fields"]
        free = fields["carry_on_max_watt_hour_without_approval"]
        until = own[0].until if own[0].word == "free" else None
        assert (until is None) == (free is None), code
        if until is not None and free["watt_hour"] > baseline.watt_hour:
            assert until == baseline
            assert own[1].word == "approval"
            beyond.add(code)
        elif until is not None:
            assert [float(until.watt_hour), until.inclusive] == [free["watt_hour"], free["inclusive"]], code
        refused = fields["carry_on_prohibited_over_watt_hour"]
        assert (own[-1].word == "refused") == (refused is not None), code
        if refused is not None:
            edge = own[-2].until
            assert edge is not None
            assert [float(edge.watt_hour), not edge.inclusive] == [refused["watt_hour"], refused["inclusive"]]
    assert {"QH", "NH", "U2"} <= beyond


@pytest.mark.usefixtures("pages", "now")
def test_the_figure_of_every_model_is_that_of_its_record(edition: Edition) -> None:
    client, row = Client(), Row(("International rules",), spans(edition.release, edition.today))
    for model_id, device in edition.release.shelf.devices.items():
        record = read(client, f"/api/devices/{model_id}")
        said = lines(energy.against([Carried(device)], [row]))[0]
        figure = record["watt_hour"]
        shown = "watt-hours not known" if figure is None else f"{figure:g} Wh, {record['watt_hour_basis']}"
        assert said.startswith(f"This power bank: {shown}")


def test_limits_are_drawn_at_the_figures_that_are_said(edition: Edition) -> None:
    device = edition.release.shelf.devices["anker-a1289"]
    for airline in answering_airlines(edition):
        leg = flight(edition, airline, 3)
        drawn = energy.on_flights(edition.release, [Carried(device)], [(leg, edition.today)])
        facts, scale = " ".join(lines(drawn)), re.findall(r'class="figure"[^>]*>([\d.]+) Wh<', drawn.svg)
        for issuer in limits_in_play(edition.release, leg, edition.today):
            for span in issuer.spans:
                if span.until is not None:
                    assert f"{plain(span.until.watt_hour)} Wh" in facts
                    assert plain(span.until.watt_hour) in scale


def test_a_country_without_a_rule_is_said_to_have_none(edition: Edition) -> None:
    device = edition.release.shelf.devices["anker-a1289"]
    drawn = energy.on_flights(edition.release, [Carried(device)], [(Leg("FJ", "JP", "JL"), edition.today)])
    (silent,) = [line for line in lines(drawn) if "Fiji" in line]
    assert silent.endswith(": no rule known for this flight. Here: no rule known.")


def test_issuers_with_the_same_limits_share_a_line(edition: Edition) -> None:
    device = edition.release.shelf.devices["anker-a1289"]
    flights = [(Leg("JP", "AE", "EK"), edition.today), (Leg("AE", "GB", "EK"), edition.today)]
    drawn = energy.on_flights(edition.release, [Carried(device)], flights)
    names = [name for line in rows(drawn) for name in line.split(", ")]
    assert len(names) == len(set(names))
    assert {"International rules", "Emirates", "Japan"} <= {name.split(" on flight")[0] for name in names}


def test_several_units_have_names_and_a_bar_each(edition: Edition) -> None:
    shelf = edition.release.shelf.devices
    some = [device for device in shelf.values() if device.watt_hour is not None][:3]
    carried = [Carried(device, f"Unit {number}") for number, device in enumerate(some)]
    drawn = energy.on_flights(edition.release, carried, [(Leg("JP", "SG", "SQ"), edition.today)])
    assert [line.split(":")[0] for line in lines(drawn)][:3] == ["Unit 0", "Unit 1", "Unit 2"]
    assert drawn.svg.count('class="amount"') == 3
    assert all("Unit 2" in line for line in lines(drawn) if "Here:" in line)


def test_the_baseline_has_two_limits(edition: Edition) -> None:
    found = [
        (one.word, one.until and plain(one.until.watt_hour)) for one in spans(edition.release, edition.today)
    ]
    assert found == [("free", "100"), ("approval", "160"), ("refused", None)]
