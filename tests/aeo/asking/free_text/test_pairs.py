"""Names of places next to each other: none is lost in another, and what is unclear is asked."""

import datetime
from itertools import islice

import pytest

from aeo.asking.free_text.sentence import understand
from aeo.asking.free_text.understood import Understood
from aeo.asking.names.places import gazetteer, meant, ranked
from tests.support.starter import starter_release

RELEASE = starter_release()
TODAY = datetime.date(2026, 11, 23)
LARGE_CITIES = 60


def read(text: str) -> Understood:
    return understand(RELEASE, text, "en", TODAY)


def route(understood: Understood) -> list[str | None]:
    ends = (understood.origin, *understood.stops, understood.destination)
    return [choice.value for choice in ends if choice]


def countries_that_are_towns() -> list[tuple[str, str]]:
    """Return the names and codes of countries, if a town elsewhere has the name too.

    Not the name of two countries, such as Congo: the city after it says which one is meant.
    """
    known = RELEASE.corpus.countries
    named = {(country.name, code): gazetteer().named(country.name.lower()) for code, country in known.items()}
    return [
        (name, code)
        for (name, code), places in named.items()
        if any(place.country != code for place in places)
        and not any(place.kind == "country" and place.country != code for place in places)
    ]


def large_cities() -> list[tuple[str, str]]:
    """Return the names and countries of the most populous cities that are meant by their names alone."""
    cities = (
        place for place in ranked() if place.kind == "city" and place.country in RELEASE.corpus.countries
    )
    clear = (
        (city.name, city.country)
        for city in cities
        if meant(gazetteer().named(city.name.lower())) == city.country and city.country != "AE"
    )
    return list(islice(clear, LARGE_CITIES))


@pytest.mark.parametrize("text", ["{country} {city} to Dubai", "{country}, {city}, Dubai"])
def test_a_country_that_is_also_a_town_never_swallows_a_city_of_another_country(text: str) -> None:
    countries, cities = countries_that_are_towns(), large_cities()
    assert len(countries) > 10
    assert len(cities) == LARGE_CITIES
    for name, code in countries:
        for city, its_country in cities:
            if code in {"AE", its_country}:
                continue
            said = text.format(country=name, city=city)
            understood = read(said)
            assert understood.unused or len(route(understood)) == 3, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Emirates: Lebanon, London, Dubai", ["LB", "GB", "AE"]),
        ("Wizz Air, Malta London Dubai", ["MT", "GB", "AE"]),
        ("from Jordan London to Dubai", ["JO", "GB", "AE"]),
        ("Jordan, Lebanon, Dubai", ["JO", "LB", "AE"]),
        ("from Beirut, Lebanon to London", ["LB", "GB"]),
        ("from Paris, France to Dubai, UAE", ["FR", "AE"]),
        ("from UAE Dubai to UK London", ["AE", "GB"]),
        ("from Costa Rica, San José to London", ["CR", "GB"]),
        ("from London (Canada) to Dubai", ["CA", "AE"]),
        ("from London Heathrow to Dubai International Airport", ["GB", "AE"]),
        ("from Heathrow (LHR) to Dubai", ["GB", "AE"]),
        ("Haneda Narita Dubai", ["JP", "JP", "AE"]),
        ("Dubai London New York", ["AE", "GB", "US"]),
    ],
)
def test_a_city_is_joined_to_its_own_country_only(text: str, expected: list[str]) -> None:
    understood = read(text)
    assert route(understood) == expected
    assert not understood.unused


@pytest.mark.parametrize(
    "text",
    [
        "Dubai London Ontario",
        "Dubai to London, Ontario",
        "Canada London Dubai",
        "from London, Canada to Dubai",
        "Dubai Athens Georgia",
        "from Georgia, USA to Dubai",
        "Dubai Norfolk Virginia",
        "d'Atlanta, Géorgie à Dubaï",
        "从伦敦安大略到迪拜",
        "from Hong Kong, China to Dubai",
        "从中国香港到迪拜",
    ],
)
def test_a_name_that_may_only_say_which_city_is_meant_is_asked_about(text: str) -> None:
    assert [one.about for one in read(text).unused] == ["place"]
