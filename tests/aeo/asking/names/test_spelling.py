# ruff: noqa: RUF001 - people type full-width brackets
"""A place has one spelling in addresses, and every spelling is read as the place that it was written for."""

import pytest

from aeo.asking.names.places import LOCALES, gazetteer
from aeo.asking.names.spelling import read, settled, spelled
from aeo.asking.names.suggestions import place_name
from tests.support.starter import starter_release

RELEASE = starter_release()
COUNTRIES = RELEASE.corpus.countries


def spelling(text: str) -> str | None:
    place = settled(read(text, COUNTRIES))
    return None if place is None else spelled(place, COUNTRIES)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Shenzhen", "Shenzhen"),
        ("深圳", "Shenzhen"),
        ("München", "Munich"),
        ("ドバイ", "Dubai"),
        ("DXB", "DXB"),
        ("Heathrow", "LHR"),
        ("London LHR", "LHR"),
        ("London", "London"),
        ("London, Canada", "London, CA"),
        ("London (Kanada)", "London, CA"),
        ("San José, Costa Rica", "San José, CR"),
        ("ドバイ（アラブ首長国連邦）", "Dubai"),
        ("Mandalay (Myanmar (Burma))", "Mandalay"),
        ("Washington, D.C.", "Washington"),
        ("New Delhi", "Delhi"),
        ("China", "CN"),
        ("Singapore", "SG"),
        ("Georgia, US", "Georgia, US"),
        ("GE", "GE"),
        ("ae", "AE"),
    ],
)
def test_a_place_has_one_spelling_however_it_is_named(text: str, written: str) -> None:
    assert spelling(text) == written
    assert spelling(written) == written


@pytest.mark.parametrize(
    "text", ["San José", "Georgia", "Paris, Germany", "Paris, Texas", "London, DXB", "Zzzz (China)", ""]
)
def test_what_is_not_settled_or_contradicts_itself_names_no_place(text: str) -> None:
    assert spelling(text) is None


def test_every_place_keeps_its_country_through_an_address_and_is_written_the_same_again() -> None:
    for place in gazetteer().places:
        if place.country not in COUNTRIES:
            continue
        written = spelled(place, COUNTRIES)
        again = settled(read(written, COUNTRIES))
        assert again is not None, place
        assert again.country == place.country, place
        assert spelled(again, COUNTRIES) == written, place


@pytest.mark.parametrize("language", LOCALES)
def test_a_place_is_read_as_it_is_shown_in_every_language(language: str) -> None:
    largest = sorted(gazetteer().places, key=lambda place: -place.population)[:300]
    airports = [place for place in largest if place.kind == "airport"]
    assert len(airports) > 100
    for place in largest:
        if place.country in COUNTRIES:
            again = settled(read(place_name(RELEASE, place, language), COUNTRIES))
            assert again is not None, (place, place_name(RELEASE, place, language))
            assert again.country == place.country, place
