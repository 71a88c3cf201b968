"""Three letters that are an airport here and the name of a country there are not guessed."""

from typing import Any

import pytest
from django.test import Client
from django_countries import countries

from aeo.asking.names.places import airport_countries
from catalog.places.iso_3166 import of_three_letters
from tests.support.agent_client import call
from tests.support.api_requests import ITINERARIES, ITINERARY_BATCH, answer, errors, post, problem

pytestmark = pytest.mark.usefixtures("asked_now")

ITEM = {"model_id": "anker-a1289", "capacity_label": "missing"}
UNCLEAR = sorted(
    code
    for code, country in of_three_letters().items()
    if code in airport_countries() and airport_countries()[code] != country
)


def asked(origin: str, airline: str = "LH", destination: str = "GB") -> dict[str, Any]:
    flight = {"origin": origin, "destination": destination, "operating_airline": airline}
    return {"items": [ITEM], "segments": [flight]}


def test_the_three_letters_of_thailand_are_no_small_airport_in_tennessee(client: Client) -> None:
    assert answer(client, ITINERARIES, asked("TH"))["verdict"] == "banned"
    for code in ("THA", "tha", "Tha"):
        refused = problem(post(client, ITINERARIES, asked(code)))
        assert "corrected_request" not in refused
        [error] = refused["errors"]
        assert error == {
            "field": "segments[0].origin",
            "code": "invalid_format",
            "message": "`THA` is an airport in `US`, and also the ISO 3166-1 alpha-3 code of `TH`. Send "
            "`US-THA` for the airport, or `TH` for the country.",
        }
    [item] = answer(client, ITINERARY_BATCH, {"items": [asked("THA")]})["items"]
    assert (item["answer"], item["problem"]["errors"]) == (None, [error])


def test_an_agent_is_not_told_that_it_may_pack_for_a_small_airport(client: Client) -> None:
    for code in ("THA", "tha", "MAC"):
        result = call(client, "verify_itinerary", **asked(code))
        assert result["isError"]
        said = result["structuredContent"]
        assert said["clear_to_pack"] is False
        assert said["answer"] is None
        assert "corrected_arguments" not in said["gap"]
        assert "alpha-3" in said["gap"]["errors"][0]["message"]


def test_no_such_code_is_understood_and_each_answer_says_how_to_send_both_places(client: Client) -> None:
    assert {"THA", "MAC", "BGD", "ARG", "CHL", "CAN", "IND", "PER", "FRA", "HND"} <= {*UNCLEAR}
    for code in UNCLEAR:
        refused = problem(post(client, ITINERARIES, asked("GB", destination=code)))
        [error] = refused["errors"]
        airport, country = f"{airport_countries()[code]}-{code}", of_three_letters()[code]
        assert f"`{airport}` for the airport, or `{country}` for the country" in error["message"]
    # As many flights as fit in one question, each between the two places of a code.
    for start in range(0, len(UNCLEAR), 8):
        flights = [
            {
                "origin": f"{airport_countries()[code]}-{code}",
                "destination": of_three_letters()[code],
                "operating_airline": "LH",
            }
            for code in UNCLEAR[start : start + 8]
        ]
        given = answer(client, ITINERARIES, {"items": [ITEM], "segments": flights})
        assert [(one["origin_airport"], one["destination"]) for one in given["segments"]] == [
            (flight["origin"][3:], flight["destination"]) for flight in flights
        ]


def test_a_busy_airport_has_the_verdict_of_its_country(client: Client) -> None:
    for code, country in (("FRA", "DE"), ("HND", "JP"), ("PER", "AU"), ("CAN", "CN"), ("LHR", "GB")):
        of_airport = answer(client, ITINERARIES, asked(f"{country}-{code}"))
        of_country = answer(client, ITINERARIES, asked(country))
        assert of_airport["verdict"] == of_country["verdict"]
        assert of_airport["segments"][0]["origin_airport"] == code
        assert of_airport["segments"][0]["constraints"] == of_country["segments"][0]["constraints"]


def test_an_airport_is_in_the_country_before_it_or_nowhere(client: Client) -> None:
    for code in ("TH-THA", "US-LHR", "US-", "-THA", "US-THA-", "US THA", "USTHA", "us-THA\n"):
        assert errors(post(client, ITINERARIES, asked(code))) == {"segments[0].origin": "invalid_format"}


def test_an_airport_with_the_three_letters_of_its_own_country_is_no_question(client: Client) -> None:
    for code in ("MEX", "LUX", "GIB", "HKG"):
        assert answer(client, ITINERARIES, asked(code))["segments"][0]["origin_airport"] == code


def test_the_two_and_three_letters_of_a_country_are_never_two_verdicts(client: Client) -> None:
    """A code of a country that is taken at all is taken for the country."""
    for two, _ in countries:
        response = post(client, ITINERARIES, asked(countries.alpha3(two)))
        if response.status_code == 200:
            assert response.json()["segments"][0]["origin"] == two
