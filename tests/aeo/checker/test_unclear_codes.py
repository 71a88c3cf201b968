"""Three letters that are an airport here and a country there get a question and no verdict, on every form."""

import re

import pytest
from django.test import Client

from aeo.asking import meaning
from aeo.asking.names.places import airport_countries
from catalog.places.iso_3166 import of_three_letters
from rules.corpus import Published
from tests.aeo.checker.pages import page

pytestmark = pytest.mark.usefixtures("starter_release", "now")

UNIT = "model=anker-a1289&airline=LH"
UNCLEAR = {
    code: country
    for code, country in of_three_letters().items()
    if airport_countries().get(code, country) != country
}
BANNER = 'class="banner '


def choices(shown: str, field: str) -> list[str]:
    """Return the links that answer the question about a field, without other languages."""
    links = re.findall(r'<a href="(/(?:check|trip|itinerary)\?[^"]+)"', shown)
    return [link for link in links if re.search(rf"[?&]{field}=(FRA%2C\+DE|FR)(&|$)", link)]


@pytest.mark.parametrize("path", ["/check", "/trip", "/itinerary"])
@pytest.mark.parametrize("code", ["FRA", "fra"])
def test_a_form_asks_which_place_is_meant_with_a_link_for_each(path: str, code: str) -> None:
    shown = page(f"{path}?{UNIT}&from={code}&to=JFK")
    assert BANNER not in shown
    airport, country = dict.fromkeys(choices(shown, "from"))
    assert "Frankfurt am Main (FRA)" in shown
    assert "France" in shown
    for link, named in ((airport, "Frankfurt am Main FRA (Germany)"), (country, "France")):
        answered = page(link)
        assert BANNER in answered
        assert named in answered


def test_nothing_is_decided_for_any_such_code(starter_release: Published) -> None:
    assert {"FRA", "CAN", "IND", "THA", "HND", "PER"} <= UNCLEAR.keys()
    for code, country in UNCLEAR.items():
        point, meant = meaning.place(starter_release, code)
        assert (point.country, meant.value) == ("", "")
        assert {country, airport_countries()[code]} <= {one.value for one in meant.choices}


def test_each_choice_is_understood_when_it_is_sent(starter_release: Published) -> None:
    for code in UNCLEAR:
        for one in meaning.place(starter_release, code)[1].choices:
            assert meaning.place(starter_release, one.sent)[0].country == one.value


def test_codes_that_mean_one_place_are_not_asked_about(starter_release: Published) -> None:
    for text, country in (
        ("MUC", "DE"),
        ("Frankfurt FRA", "DE"),
        ("Frankfurt (FRA)", "DE"),
        ("FR", "FR"),
        ("France", "FR"),
    ):
        assert meaning.place(starter_release, text)[0].country == country


@pytest.mark.parametrize(
    "sentence",
    [
        "Anker 737 with Lufthansa from FRA to JFK",
        "Anker 737 LH FRA-JFK",
        "Anker 737, LH, JFK to CAN",
        # However it is written, if a word says that it is a place.
        "may i take my anker 737 from fra to lhr with lufthansa",
        "Darf ich die Anker 737 mit Lufthansa von fra nach Dubai mitnehmen?",
        "Anker 737 LH from Fra to Dubai",
        "Puis-je prendre Anker 737 avec Lufthansa de fra à Dubai",
    ],
)
def test_a_sentence_with_such_a_code_is_asked_about(sentence: str) -> None:
    shown = page(f"/check?q={sentence}")
    assert BANNER not in shown
    assert re.search(r"(FRA%2C\+DE|CAN%2C\+CN)", shown)


def test_a_sentence_that_says_airport_is_answered() -> None:
    for sentence in (
        "Anker 737 with Lufthansa from FRA airport to JFK",
        "Anker 737 with Lufthansa from Frankfurt (FRA) to JFK",
    ):
        shown = page(f"/check?q={sentence}")
        assert BANNER in shown
        assert "(Germany)" in shown


def test_a_city_and_letters_that_may_be_its_country_are_not_taken_for_one_place() -> None:
    shown = page("/check?q=Anker 737 with Air Canada from Toronto CAN to LHR")
    assert BANNER not in shown


def test_an_airport_that_was_chosen_is_that_of_the_api() -> None:
    shown = page(f"/itinerary?people=2&{UNIT}&from=FRA%2C+DE&to=JFK&date=2026-12-20")
    body = {
        "passengers": 2,
        "items": [{"model_id": "anker-a1289"}],
        "segments": [
            {"origin": "DE-FRA", "destination": "JFK", "operating_airline": "LH", "date": "2026-12-20"}
        ],
    }
    answer = Client().post("/api/itineraries/verify", body, content_type="application/json").json()
    assert answer["itinerary_verdict_id"] in shown
