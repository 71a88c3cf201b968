"""Models are found by what is asked of the release: nothing more, nothing twice, nothing of another brand."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.corpus import Published
from rules.engine.document import Content
from rules.selectors import devices
from tests.support.factories import a_device
from tests.support.starter import published, starter_release


def release_of(*models: dict[str, Any]) -> Published:
    return published(Content(devices=tuple(a_device(sources=(), **changes) for changes in models)))


def ids(release: Published, **asked: Any) -> list[str]:
    return [device.model_id for device in devices.find(release, **asked)]


WORDS = st.none() | st.sampled_from(["anker", "a1263", "10000 mah", "power bank", "小米", "no such thing"])
BRANDS = st.none() | st.sampled_from(["Anker", "goal-zero", "TP-Link", "tp link", "Nobody"])
YEARS = st.none() | st.integers(2010, 2027)


@given(text=WORDS, brand=BRANDS, since_year=YEARS)
def test_each_thing_that_is_asked_for_only_ever_leaves_models_out(
    text: str | None, brand: str | None, since_year: int | None
) -> None:
    release = starter_release()
    found = ids(release, text=text, brand=brand, since_year=since_year)
    assert len(set(found)) == len(found)
    expected = (
        set(ids(release, text=text))
        & set(ids(release, brand=brand))
        & set(ids(release, since_year=since_year))
    )
    assert set(found) == expected


def test_a_brand_in_another_script_than_its_address_is_found_by_either() -> None:
    release = release_of({"model_id": "one", "brand": "Löwe Énergie"}, {"model_id": "two", "brand": "Lowell"})
    for spelling in ("Löwe Énergie", "löwe énergie", "LOWE ENERGIE", "lowe-energie"):
        assert ids(release, brand=spelling) == ["one"]


def test_a_brand_that_leaves_nothing_of_its_name_finds_no_model() -> None:
    release = release_of({"model_id": "one", "brand": "Lynx"})
    assert ids(release, brand="小米") == []


def test_models_of_one_year_stand_in_the_order_of_their_ids() -> None:
    release = release_of(
        {"model_id": "cc", "release_year": 2025},
        {"model_id": "aa", "release_year": 2025},
        {"model_id": "bb", "release_year": 2026},
        {"model_id": "dd", "release_year": None},
        {"model_id": "ee", "release_year": 2024},
    )
    assert ids(release, since_year=2025) == ["bb", "aa", "cc"]
    assert ids(release) == ["aa", "bb", "cc", "dd", "ee"]


def test_recent_models_that_a_text_finds_keep_the_best_match_first() -> None:
    release = release_of(
        {"model_id": "zz", "model_name": "Nova", "release_year": 2025},
        {"model_id": "aa", "model_name": "Nova Max Ultra", "release_year": 2026},
        {"model_id": "bb", "model_name": "Nova Max", "release_year": 2019},
    )
    assert ids(release, text="nova", since_year=2025) == ["zz", "aa"]
    assert ids(release, since_year=2025) == ["aa", "zz"]


def test_a_release_without_models_answers_every_search_with_nothing() -> None:
    assert ids(release_of(), text="anker") == ids(release_of()) == []
