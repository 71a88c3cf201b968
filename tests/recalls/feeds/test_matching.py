"""Which models a notice names: exact numbers and names alone, never a brand."""

import datetime
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.devices.duplicates import Named
from catalog.records import Device
from compliance.starter_corpus.files import STARTER_CORPUS, read
from recalls.feeds.matching import Catalog
from recalls.feeds.notices import PRODUCT_WORDS, Notice

DEVICES = [record for record in read(STARTER_CORPUS / "devices.json", Device, "model_id").records.values()]
MODELS = [
    Named(one.model_id, one.brand, one.model_name, one.model_number, one.aliases, one.capacity_mah)
    for one in DEVICES
]
CATALOG = Catalog(MODELS)
BRANDS = sorted({one.brand for one in DEVICES})
NUMBERED = [one for one in DEVICES if one.model_number]
OTHER_WORDS = ("recalled", "due to fire hazard", "all models", "by", "units", "2025")
DAY = datetime.date(2026, 1, 1)


def a_notice(
    text: str = "",
    *,
    models: tuple[str, ...] = (),
    makers: tuple[str, ...] = (),
    url: str = "",
    title: str = "",
) -> Notice:
    return Notice(
        feed="cpsc",
        native_id="1",
        number="26-001",
        title=title,
        url=url,
        announced_on=DAY,
        announced_precision="day",
        updated_on=DAY,
        models=models,
        texts={"Title": title, "Description": text},
        makers=makers,
        raw={},
    )


def found(notice: Notice) -> dict[str, bool]:
    """Return the candidates, and which of them are exact."""
    return {one.model_id: one.exact for one in CATALOG.candidates(notice)}


@given(
    brands=st.lists(st.sampled_from(BRANDS), min_size=1, max_size=3),
    said=st.lists(
        st.sampled_from(
            [*PRODUCT_WORDS, "recalled", "due to fire hazard", "all models", "by", "units", "2025"]
        ),
        max_size=8,
    ),
    case=st.sampled_from([str, str.upper, str.lower]),
)
def test_a_notice_that_names_only_brands_never_has_a_candidate(
    brands: list[str], said: list[str], case: Callable[[str], str]
) -> None:
    words = case(" ".join([*brands, *said, *brands]))
    notice = a_notice(
        words,
        title=words,
        makers=tuple(brands),
        models=tuple(brands),
        url=f"https://www.cpsc.gov/Recalls/{'-'.join(words.split())}",
    )
    assert found(notice) == {}


@pytest.mark.parametrize("device", NUMBERED, ids=lambda device: device.model_id)
def test_every_model_is_found_by_its_number_next_to_its_brand(device: Device) -> None:
    matched = found(
        a_notice(f"This recall involves {device.brand} power banks, model {device.model_number}.")
    )
    assert {model_id for model_id, exact in matched.items() if exact} == {device.model_id}
    in_field = found(a_notice(models=(device.model_number or "",), makers=(device.brand,)))
    assert {model_id for model_id, exact in in_field.items() if exact} == {device.model_id}


@given(device=st.sampled_from(NUMBERED), more=st.sampled_from(["X", "9", "0A"]), after=st.booleans())
def test_a_number_that_is_longer_is_another_model(device: Device, more: str, after: bool) -> None:
    number = device.model_number or ""
    other = f"{number}{more}" if after else f"{more}{number}"
    numbers = {one.model_number for one in NUMBERED}
    if other not in numbers:
        assert device.model_id not in found(a_notice(f"{device.brand} power banks, model {other}."))


def test_case_hyphens_and_spaces_make_no_difference() -> None:
    for said in ("BS-30KP365", "bs-30kp365", "BS30KP365", "BS 30KP365"):
        assert found(a_notice(f"Baseus power bank {said}")) == {"baseus-bs-30kp365": True}, said


def test_every_number_of_a_list_is_found() -> None:
    models = ("A1647", "A1681", "A1689", "A1647, A1681 / A1689")
    assert found(a_notice(models=models)) == {"anker-a1647": True, "anker-a1681": True, "anker-a1689": True}
    assert found(a_notice("Anker A1647/A1681, A1689.")) == found(a_notice(models=models))


def test_a_number_under_another_brand_is_only_a_hint() -> None:
    assert found(a_notice("UGREEN power bank", models=("A1263",), makers=("UGREEN",))) == {
        "anker-a1263": False
    }


def test_an_unknown_brand_does_not_keep_an_exact_number_from_counting() -> None:
    assert found(a_notice(models=("PB6S",))) == {"amazonbasics-b00lrk8iv0": True}


def test_bare_digits_in_prose_need_the_brand_next_to_them() -> None:
    assert found(a_notice("Power bank 35525 recalled")) == {"ugreen-35525": False}
    assert found(a_notice("UGREEN power bank 35525 recalled")) == {"ugreen-35525": True}


def test_a_name_that_a_numbered_model_bears_is_only_a_hint() -> None:
    assert found(a_notice("Anker PowerCore 10000 power banks")) == {"anker-a1263": False}


def test_a_model_without_a_number_is_found_by_its_whole_name_next_to_its_brand() -> None:
    assert found(a_notice("Nitecore NB10000 Gen 2 power banks")) == {"nitecore-nb10000-gen-2": True}
    assert found(a_notice("Nitecore NB10000 power banks")) == {"nitecore-nb10000": True}
    assert found(a_notice("NB10000 Gen 2 power banks")) == {}


def test_words_of_web_addresses_name_no_model() -> None:
    assert found(a_notice("See https://www.anker.com/a1263 for Anker power banks")) == {}


def test_a_candidate_says_by_which_words_and_where() -> None:
    (candidate,) = CATALOG.candidates(a_notice("Anker power banks with model number a1263"))
    assert candidate.why == "Its number “A1263” is in Description."
