"""What people type finds the model that they mean, and never passes one model off as another."""

import datetime
import random
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from string import digits

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from catalog.records import Device
from catalog.search import DeviceIndex, local_names
from catalog.search.index import MOST_CHARACTERS
from catalog.search.slips import within
from catalog.search.words import joined, normalized, words
from tests.support.starter import starter_content

DEVICES = starter_content().devices
BY_ID = {device.model_id: device for device in DEVICES}
NAMES_ALONE = Counter(
    joined(name) for device in DEVICES for name in (device.model_number, *device.aliases) if name
)


@cache
def starter_index() -> DeviceIndex:
    return DeviceIndex(DEVICES)


def found(text: str) -> list[str]:
    return [DEVICES[position].model_id for position in starter_index().search(text)]


def found_in(devices: Sequence[Device], text: str) -> list[str]:
    return [devices[position].model_id for position in DeviceIndex(devices).search(text)]


def device(model_id: str, model_name: str = "Power Bank", brand: str = "Brand", **more: object) -> Device:
    facts: dict[str, object] = {"watt_hour_basis": "unknown", **more}
    return Device(model_id=model_id, brand=brand, model_name=model_name, **facts)  # type: ignore[arg-type]


# What is found first.


@pytest.mark.parametrize(
    ("text", "model_id"),
    [
        ("anker powercore 10k", "anker-a1263"),
        ("Anker PowerCore 10000", "anker-a1263"),
        ("a1263", "anker-a1263"),
        ("Anker A1263 power bank", "anker-a1263"),
        ("PB2030MI", "xiaomi-pb2030mi"),
        ("pb 2030 mi", "xiaomi-pb2030mi"),
        ("pb-2030-mi", "xiaomi-pb2030mi"),
        ("xiaomi pb 2030 mi", "xiaomi-pb2030mi"),
        ("pb2030", "xiaomi-pb2030mi"),
        ("xiaomi pb 2030", "xiaomi-pb2030mi"),
        ("anker 1263", "anker-a1263"),
        ("bs30kp365", "baseus-bs-30kp365"),
        ("ppln a3009", "baseus-bs-30kp365"),
        ("eb p3300", "samsung-eb-p3300"),
        ("nb10000 gen 2", "nitecore-nb10000-gen-2"),
        ("omni 20+", "omnicharge-omni-20-plus"),
        ("ugreen nexode 20000 130w", "ugreen-nexode-20-000-mah-power-bank-130w"),
        ("anker power core 10000", "anker-a1263"),
        ("powercore10000", "anker-a1263"),
        ("anker 737", "anker-a1289"),
        ("tplink 10400", "tp-link-tl-pb10400"),
        ("mophi powerstaton ac", "mophie-powerstation-ac"),
        ("supertnak pro", "zendure-supertank-pro-26-800-mah"),
    ],
)
def test_what_people_type_finds_its_model_first(text: str, model_id: str) -> None:
    assert found(text)[0] == model_id


@pytest.mark.parametrize(
    ("text", "model_id"),
    [
        ("\uff21\uff11\uff12\uff16\uff13", "anker-a1263"),  # Full-width A1263.
        ("安克A1263充电宝", "anker-a1263"),
        ("アンカー　パワーバンク A1263", "anker-a1263"),
        ("小米 PB2030MI 移动电源", "xiaomi-pb2030mi"),
        ("罗马仕 Sense 4", "romoss-sense-4-10-400-mah"),
        ("삼성 보조배터리 EB-P3300", "samsung-eb-p3300"),
        ("エレコム モバイルバッテリー 9000mAh", "elecom-de-c55l-9000"),
        ("ﾊﾞｯﾌｧﾛｰ", "buffalo-bsmpb10020"),
    ],
)
def test_text_in_chinese_japanese_and_korean_finds_its_model_first(text: str, model_id: str) -> None:
    assert found(text)[0] == model_id


@pytest.mark.parametrize("model_id", BY_ID)
def test_every_model_is_found_first_by_its_own_id(model_id: str) -> None:
    assert found(model_id)[0] == found(model_id.upper().replace("-", " "))[0] == model_id


@given(st.sampled_from([device for device in DEVICES if device.model_number]), st.data())
def test_every_model_is_found_first_by_its_number_whatever_its_case_and_spaces(
    model: Device, data: st.DataObject
) -> None:
    assert model.model_number
    assume(NAMES_ALONE[joined(model.model_number)] == 1)
    spelled = "".join(
        data.draw(st.sampled_from((character.lower(), character.upper())))
        + data.draw(st.sampled_from(("", "", "", " ", "-")))
        for character in model.model_number
    )
    assert found(spelled)[0] == model.model_id


@pytest.mark.parametrize("model", [device for device in DEVICES if device.aliases], ids=lambda d: d.model_id)
def test_every_model_is_found_first_by_each_alias(model: Device) -> None:
    assert {found(alias)[0] for alias in model.aliases} == {model.model_id}


@pytest.mark.parametrize("model", DEVICES, ids=lambda model: model.model_id)
def test_every_model_is_found_by_its_brand_and_name(model: Device) -> None:
    assert model.model_id in found(f"{model.brand} {model.model_name}")


@pytest.mark.parametrize("brand", sorted({device.brand for device in DEVICES}))
def test_a_brand_finds_all_its_models_and_before_all_others(brand: str) -> None:
    models = {device.model_id for device in DEVICES if device.brand == brand}
    assert set(found(brand)[: len(models)]) == models


# Figures.


@pytest.mark.parametrize(
    "text",
    ["20k mAh", "20,000 mAh", "20.000 mAh", "20 000 mAh", "20000mAh", "20Ah", "20000毫安", "2万毫安时"],
)
def test_every_spelling_of_a_capacity_finds_the_models_that_have_it(text: str) -> None:
    of_that_capacity = {device.model_id for device in DEVICES if device.capacity_mah == 20_000}
    assert set(found(text)) == of_that_capacity


@pytest.mark.parametrize("text", ["10k", "10000", "10,000"])
def test_a_bare_number_is_a_capacity_or_part_of_a_name(text: str) -> None:
    of_that_capacity = {device.model_id for device in DEVICES if device.capacity_mah == 10_000}
    assert of_that_capacity < set(found(text))
    assert found(text) == found("10000")


@pytest.mark.parametrize("text", ["74wh", "74 Wh", "74.0Wh", "74瓦时"])
def test_watt_hours_find_the_models_that_have_them_before_those_with_a_finer_figure(text: str) -> None:
    exactly = {device.model_id for device in DEVICES if device.watt_hour == 74}
    truncated = {device.model_id for device in DEVICES if device.watt_hour and int(device.watt_hour) == 74}
    assert exactly < truncated
    assert (set(found(text)[: len(exactly)]), set(found(text))) == (exactly, truncated)


def test_a_capacity_is_not_the_beginning_of_a_larger_one() -> None:
    assert {BY_ID[model_id].capacity_mah for model_id in found("5000 mah")} == {5_000}
    assert 50_000 not in {BY_ID[model_id].capacity_mah for model_id in found("5000")}


# Exact, begun, slipped.


def test_an_exact_model_stands_before_one_that_only_begins_so_and_that_before_a_slip() -> None:
    devices = [
        device("a-slip", "Stellar"),
        device("b-beginning", "Stellares"),
        device("c-word", "Nova Stellara Pro Max Plus"),
        device("d-number", model_number="STELL-ARA"),
        device("e-longer-number", model_number="STELLARAX"),
    ]
    assert found_in(devices, "stellara") == ["d-number", "c-word", "e-longer-number"]
    assert found_in(devices, "stellare") == ["b-beginning", "d-number", "a-slip", "c-word"]


def test_of_models_that_meet_the_words_alike_the_plainest_name_comes_first_then_the_id() -> None:
    names = ["Nova 10 Pro Wireless", "Nova 10", "Nova 10 Pro", "Nova 10"]
    devices = [device(f"model-{letter}", name) for letter, name in zip("dcba", names, strict=True)]
    assert found_in(devices, "nova 10") == ["model-a", "model-c", "model-b", "model-d"]


def test_a_longer_number_is_not_answered_with_the_shorter_one_within() -> None:
    devices = [device("one", model_number="NB10000"), device("two", model_number="NB10000 Gen 2")]
    assert found_in(devices, "brand nb10000 gen 2") == ["two"]
    assert found_in(devices, "nb10000") == ["one", "two"]


def test_of_ranked_models_none_is_listed_twice() -> None:
    for text in ("anker a1263", "powercore 10000", "pb2030", "ankr powercor", "anker black powercore 10k"):
        assert len(found(text)) == len(set(found(text))) > 0


def test_one_letter_dropped_or_swapped_in_a_word_of_six_letters_still_finds_the_model() -> None:
    names = {model.model_id: set(words(f"{model.brand} {model.model_name}")) for model in DEVICES}
    # A slip that makes another word of the catalog is taken at its word.
    known = set().union(*names.values())
    missed = [
        (model_id, slip)
        for model_id, words_of_model in names.items()
        for word in words_of_model
        if word.isalpha() and len(word) >= 6
        for at in range(len(word) - 1)
        for slip in (word[:at] + word[at + 1 :], word[:at] + word[at + 1] + word[at] + word[at + 2 :])
        if slip not in known and model_id not in found(slip)
    ]
    assert missed == []


def test_a_number_with_another_digit_never_finds_the_model() -> None:
    mistaken = [
        (model.model_id, other)
        for model in DEVICES
        for at, character in enumerate(model.model_number or "")
        if character.isdecimal()
        for digit in set(digits) - {character}
        for other in [f"{model.model_number}"[:at] + digit + f"{model.model_number}"[at + 1 :]]
        if model.model_id in found(other)
    ]
    assert mistaken == []


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("anker", "anker", 0),
        ("ankr", "anker", 1),
        ("ankker", "anker", 1),
        ("ancer", "anker", 1),
        ("akner", "anker", 1),
        ("powrecor", "powercore", 2),
        ("anker", "rekna", 4),
    ],
)
def test_a_slip_is_a_letter_missing_added_wrong_or_swapped(one: str, other: str, slips: int) -> None:
    assert within(slips, one, other)
    assert within(slips, other, one)
    assert slips == 0 or not within(slips - 1, one, other)


# What is not there.


@pytest.mark.parametrize(
    "text",
    [
        "anker a9999",
        "a99999",
        "ndy-12-ad",
        "plm09zn",
        "unicorn",
        "hello world",
        "vacuum cleaner",
        "can i bring a charger on my flight",
        "不存在的型号",
        "?!",
        "🔋",
    ],
)
def test_text_about_no_model_of_the_catalog_finds_nothing(text: str) -> None:
    assert found(text) == []


def test_a_word_too_many_does_not_hide_a_model() -> None:
    assert found("anker powercore 10k black")[0] == "anker-a1263"
    assert {BY_ID[model_id].brand for model_id in found("samsung galaxy power bank")} == {"Samsung"}
    assert found("baseus a1263 white") == ["anker-a1263"]


@pytest.mark.parametrize(
    "text", ["", "  ", "power bank", "Portable Charger", "充电宝", "モバイルバッテリー", "보조배터리"]
)
def test_a_text_that_says_nothing_is_met_by_every_model_in_the_order_of_ids(text: str) -> None:
    assert found(text) == sorted(BY_ID)


@pytest.mark.parametrize(
    "word", ["power bank", "portable charger", "battery pack", "充电宝", "移动电源", "行動電源"]
)
def test_generic_words_carry_no_weight_next_to_others(word: str) -> None:
    assert found(f"anker {word} 10k") == found(f"{word} anker 10k") == found("anker 10k")


# Names in Chinese, Japanese and Korean.

LOCAL = [
    device("mi-3", "小米移动电源3 超级闪充版", brand="Xiaomi", capacity_mah=20_000),
    device("mi-pocket", "小米口袋移动电源", brand="Xiaomi", capacity_mah=10_000),
    device("coby", "スマートコビー プロ", brand="CIO", aliases=("スマートコビープロ30W",)),
    device("slim-ko", "슬림 고속 보조배터리", brand="Samsung"),
]


@pytest.mark.parametrize(
    ("text", "model_ids"),
    [
        ("超级闪充", ["mi-3"]),
        ("小米移动电源3 超级闪充版", ["mi-3"]),
        ("小米移动电源3超级闪充版 20000毫安", ["mi-3"]),
        ("xiaomi 口袋", ["mi-pocket"]),
        ("小米 2万毫安 充电宝", ["mi-3"]),
        ("小米", ["mi-pocket", "mi-3"]),
        ("スマートコビー", ["coby"]),
        ("ｽﾏｰﾄｺﾋﾞｰ ﾌﾟﾛ", ["coby"]),
        ("スマートコビー・プロ", ["coby"]),
        ("슬림 보조배터리", ["slim-ko"]),
        ("超级闪电版", ["mi-3"]),
        ("超级电池版", []),
        ("超级闪充电版", ["mi-3"]),
        ("袋鼠", []),
        ("口", ["mi-pocket"]),
    ],
)
def test_a_name_in_its_own_script_is_found_by_pairs_of_characters(text: str, model_ids: list[str]) -> None:
    assert found_in(LOCAL, text) == model_ids


@pytest.mark.parametrize("brand", local_names.BRANDS)
def test_a_brand_is_found_by_its_local_names_as_by_its_own(brand: str) -> None:
    assert brand in {device.brand for device in DEVICES}
    for name in local_names.BRANDS[brand]:
        assert found(name) == found(brand) != []


def test_no_two_brands_share_a_local_name() -> None:
    names = [normalized(name) for names in local_names.BRANDS.values() for name in names]
    assert len(names) == len(set(names))


# What holds for any text and any catalog.


@given(st.randoms(use_true_random=False))
def test_the_order_in_which_devices_come_never_matters(draw: random.Random) -> None:
    shuffled = draw.sample(DEVICES, 60)
    by_id = sorted(shuffled, key=lambda model: model.model_id)
    one, other = DeviceIndex(shuffled), DeviceIndex(by_id)
    for text in ("anker", "10k", "power", "ankr 20000", "xiaomi mi", "", "usb-c black magnetic"):
        assert [shuffled[at] for at in one.search(text)] == [by_id[at] for at in other.search(text)]


@given(st.text())
def test_any_text_finds_models_of_the_catalog_each_once_and_the_same_every_time(text: str) -> None:
    positions = starter_index().search(text)
    assert len(set(positions)) == len(positions)
    assert set(positions) <= set(range(len(DEVICES)))
    assert positions == starter_index().search(text)


@given(st.text(), st.text(), st.text(), st.lists(st.text()))
def test_a_device_of_any_name_is_indexed_and_found_by_its_id(
    brand: str, name: str, number: str, aliases: list[str]
) -> None:
    odd = device(
        "odd-1",
        name,
        brand,
        model_number=number,
        aliases=tuple(aliases),
        capacity_mah=1,
        watt_hour=Decimal("1E+2"),
        release_year=datetime.MAXYEAR,
    )
    assert found_in([odd, device("even-2")], "odd 1")[0] == "odd-1"
    assert "odd-1" in found_in([odd], "100wh")


@given(
    st.sampled_from(("9", "9,", "a", "ab ", "a1 ", "1k ", "+", "-", "小", "小米", "ﷺ", "́", "anker ")),
    st.integers(1_000, 100_000),
)
def test_of_an_endless_text_the_beginning_counts(unit: str, times: int) -> None:
    text = unit * times
    assert found(text) == found(text[:MOST_CHARACTERS])


def test_an_empty_catalog_finds_nothing() -> None:
    assert found_in([], "anker") == found_in([], "") == []
