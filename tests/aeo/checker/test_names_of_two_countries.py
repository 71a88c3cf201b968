"""A name that two countries have in everyday use gets a question and no verdict, on every form."""

import re

import pytest
from django.test import Client

from aeo.asking import meaning
from rules.corpus import Published
from tests.aeo.checker.pages import page

pytestmark = pytest.mark.usefixtures("starter_release", "now")

UNIT = "model=anker-a1289&airline=EK"
BANNER = 'class="banner '
NAMES = [
    ("Congo", "CG", "CD"),
    ("Kongo", "CG", "CD"),
    ("コンゴ", "CG", "CD"),
    ("콩고", "CG", "CD"),
    ("刚果", "CG", "CD"),
    ("剛果", "CG", "CD"),
    ("Korea", "KR", "KP"),
    ("Corée", "KR", "KP"),
    ("corea", "KR", "KP"),
    ("Virgin Islands", "VG", "VI"),
    ("Îles Vierges", "VG", "VI"),
    ("Jungferninseln", "VG", "VI"),
    ("Saint Martin", "MF", "SX"),
    ("St. Martin", "MF", "SX"),
]


@pytest.mark.parametrize(("name", "first", "second"), NAMES)
def test_the_name_means_neither_country_and_each_can_be_chosen(
    starter_release: Published, name: str, first: str, second: str
) -> None:
    point, meant = meaning.place(starter_release, name)
    assert (point.country, meant.value) == ("", "")
    assert {one.value for one in meant.choices} >= {first, second}
    for one in meant.choices:
        assert meaning.place(starter_release, one.sent)[0].country == one.value


@pytest.mark.parametrize("path", ["/check", "/trip", "/itinerary"])
@pytest.mark.parametrize(("name", "codes"), [("Congo", ("CG", "CD")), ("Korea", ("KR", "KP"))])
def test_a_form_asks_which_country_is_meant(path: str, name: str, codes: tuple[str, str]) -> None:
    shown = page(f"{path}?{UNIT}&from=AE&to={name}")
    assert BANNER not in shown
    for code in codes:
        links = re.findall(rf'<a href="({path}\?[^"]*[?&]to={code}(?:&[^"]*)?)"', shown)
        assert BANNER in page(links[0])


@pytest.mark.parametrize(
    "sentence",
    [
        "Anker 737 with Emirates from Dubai to Congo",
        "May I take my Anker 737 with Korean Air from Korea to Tokyo?",
        "Puis-je prendre Anker 737 avec Emirates de Dubai à la Corée",
        "Anker 737 mit Emirates von Dubai nach Kongo",
    ],
)
def test_a_sentence_with_such_a_name_is_asked_about(sentence: str) -> None:
    assert BANNER not in page(f"/check?q={sentence}")


@pytest.mark.parametrize(
    ("name", "country"),
    [
        ("South Korea", "KR"),
        ("North Korea", "KP"),
        ("한국", "KR"),
        ("韩国", "KR"),
        ("DR Congo", "CD"),
        ("Congo-Brazzaville", "CG"),
        ("Republic of the Congo", "CG"),
        ("République démocratique du Congo", "CD"),
        ("Seoul (Korea)", "KR"),
        ("Kinshasa, Congo", "CD"),
        ("Guinea", "GN"),
        ("Samoa", "WS"),
        ("Ireland", "IE"),
        ("China", "CN"),
    ],
)
def test_a_name_that_says_which_one_is_not_asked_about(
    starter_release: Published, name: str, country: str
) -> None:
    assert meaning.place(starter_release, name)[0].country == country


def test_a_city_with_such_a_name_is_answered() -> None:
    assert BANNER in page("/check?q=Anker 737 with Korean Air from Seoul, Korea to Tokyo")


@pytest.mark.parametrize("text", ["FRA", "fra", "CAN", "Congo", "Korea", "france"])
def test_the_list_of_places_has_each_country_once(text: str) -> None:
    places = Client().get("/api/places", {"q": text, "kind": "country"}).json()["places"]
    countries = [place["country"] for place in places]
    assert countries
    assert len(countries) == len({*countries})


def test_the_list_of_places_says_that_congo_is_not_clear() -> None:
    answer = Client().get("/api/places", {"q": "Congo"}).json()
    assert answer["meant_country"] is None
    exact = {place["country"] for place in answer["places"] if place["match"] == "exact"}
    assert exact == {"CD", "CG"}
