"""What an integrator relies on when a traveler names a place: all that it can be, and no silent choice."""

import pytest
from django.test import Client

from aeo.asking.names.places import airport_countries
from catalog.airports import selectors as airport_facts
from tests.compliance.api.reading import read, walk
from tests.support.api_requests import answer, errors
from tests.support.starter import starter_content

PLACES = "/api/places"
ITINERARIES = "/api/itineraries/verify"

pytestmark = pytest.mark.usefixtures("asked_now")


def test_an_airport_is_found_by_its_code_with_its_city_and_country(client: Client) -> None:
    answered = read(client, PLACES, q="LHR")
    assert answered["places"][0] == {
        "kind": "airport",
        "name": "London",
        "country": "GB",
        "country_name": "United Kingdom",
        "airport": "LHR",
        "airport_name": "London Heathrow",
        "match": "exact",
        "refused_units": [],
    }
    assert answered["meant_country"] == "GB"
    assert answered["ruleset_version"] == "2026-11-20"


@pytest.mark.parametrize(
    ("language", "typed", "country", "name"),
    [
        ("en", "Munich", "DE", "Munich"),
        ("de", "Peking", "CN", "Peking"),
        ("de", "Muenchen", "DE", "Munich"),
        ("fr", "Londres", "GB", "Londres"),
        ("es", "Nueva York", "US", "Nueva York"),
        ("ja", "東京", "JP", "東京"),
        ("ko", "서울", "KR", "서울"),
        ("zh-hans", "北京", "CN", "北京"),
        ("zh-hant", "臺北市", "TW", "台北"),
    ],
)
def test_places_are_found_and_named_in_eight_languages(
    client: Client, language: str, typed: str, country: str, name: str
) -> None:
    answered = read(client, PLACES, q=typed, language=language, kind="city")
    first = answered["places"][0]
    assert (first["country"], first["name"], first["match"]) == (country, name, "exact")
    assert answered["meant_country"] == country


def test_a_shared_name_lists_every_place_and_means_one_only_if_it_is_far_larger(
    client: Client,
) -> None:
    london = read(client, PLACES, q="London", kind="city")
    assert {place["country"] for place in london["places"] if place["match"] == "exact"} >= {"GB", "CA"}
    assert london["meant_country"] == "GB"
    assert read(client, PLACES, q="London, CA")["meant_country"] == "CA"
    shared = read(client, PLACES, q="San José")
    assert len({place["country"] for place in shared["places"] if place["match"] == "exact"}) > 1
    assert shared["meant_country"] is None


def test_the_beginning_of_a_name_finds_it_and_a_misspelled_name_is_only_similar(client: Client) -> None:
    begun = read(client, PLACES, q="Frankf")
    assert {place["match"] for place in begun["places"]} == {"beginning"}
    assert begun["meant_country"] is None
    misspelled = read(client, PLACES, q="Bangkock")
    assert [(place["name"], place["match"]) for place in misspelled["places"][:1]] == [("Bangkok", "similar")]
    assert misspelled["meant_country"] is None


@pytest.mark.parametrize("unknown", ["Qqqqqqxyz", "🧳", "' OR 1=1", "٣"])
def test_what_names_no_place_finds_none(client: Client, unknown: str) -> None:
    answered = read(client, PLACES, q=unknown)
    assert (answered["places"], answered["total"], answered["meant_country"]) == ([], 0, None)


def test_a_walk_lists_every_place_once_and_every_country_and_airport(client: Client) -> None:
    listed = walk(client, PLACES, "places", limit=200)
    assert read(client, PLACES, limit=1)["total"] == len(listed)
    countries = {place["country"] for place in listed if place["kind"] == "country"}
    assert countries == {country.code for country in starter_content().countries}
    airports = [place["airport"] for place in listed if place["kind"] == "airport"]
    assert sorted(airports) == sorted(
        code for code, country in airport_countries().items() if country in countries
    )
    assert {place["match"] for place in listed} == {None}


def test_all_places_of_a_kind_can_be_listed(client: Client) -> None:
    countries = read(client, PLACES, kind="country", limit=200)
    assert {place["kind"] for place in countries["places"]} == {"country"}
    assert countries["total"] == len(starter_content().countries)


def test_an_itinerary_takes_each_place_as_it_was_found(client: Client) -> None:
    (origin, *_) = read(client, PLACES, q="Frankfurt", kind="airport")["places"]
    (destination, *_) = read(client, PLACES, q="Singapur", kind="country")["places"]
    flight = {
        "origin": f"{origin['country']}-{origin['airport']}",
        "destination": destination["country"],
        "operating_airline": "SQ",
    }
    asked = {"items": [{"model_id": "anker-a1289"}], "segments": [flight]}
    answered = answer(client, ITINERARIES, asked)
    assert answered["segments"][0]["origin"] == "DE"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"q": ""}, "q"),
        ({"q": "x" * 101}, "q"),
        ({"kind": "planet"}, "kind"),
        ({"language": "tlh"}, "language"),
        ({"place": "DXB"}, "place"),
        ({"q": "London", "cursor": "MTAuYWJj"}, "cursor"),
    ],
)
def test_a_query_that_cannot_be_read_is_refused(client: Client, query: dict[str, str], field: str) -> None:
    assert list(errors(client.get(PLACES, query))) == [field]


def test_an_airport_says_what_becomes_of_a_refused_unit_with_its_sources(client: Client) -> None:
    first = read(client, PLACES, q="SZX")["places"][0]
    storage = next(fact for fact in first["refused_units"] if fact["kind"] == "storage")
    assert storage["fact"].startswith("Free storage for seven days against a receipt")
    assert storage["since"] == "2025-06-28"
    assert {source["read_on"] for source in storage["sources"]} == {"2026-11-20"}
    assert all(source["url"].startswith("https://") for source in storage["sources"])
    assert read(client, PLACES, q="Shenzhen", kind="city")["places"][0]["refused_units"] == []


def test_facts_of_airports_change_the_answer_of_their_airport_and_no_verdict(client: Client) -> None:
    flights = [
        {"origin": "SZX", "destination": "PEK", "operating_airline": "CA"},
        {"origin": "ICN", "destination": "TPE", "operating_airline": "KE"},
        {"origin": "BKK", "destination": "HKG", "operating_airline": "CX"},
    ]
    items = [
        {"model_id": "anker-a1289", "condition": condition, "quantity": quantity, "ccc_mark": mark}
        for condition, quantity, mark in (
            ("intact", 1, "present"),
            ("damaged", 1, "unknown"),
            ("intact", 3, "absent"),
        )
    ]
    asked = [{"items": [item], "segments": [flight]} for item in items for flight in flights]
    with_facts = [answer(client, ITINERARIES, one) for one in asked]
    listed = client.get(f"{PLACES}?q=SZX")
    airport_facts.pin(airport_facts.NONE)
    assert [answer(client, ITINERARIES, one) for one in asked] == with_facts
    without = client.get(f"{PLACES}?q=SZX")
    assert without.json()["places"][0]["refused_units"] == []
    assert without["ETag"] != listed["ETag"]
