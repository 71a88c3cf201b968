"""The figures of a sentence are one label only if they cannot be those of two power banks."""

import datetime

import pytest

from aeo.asking.free_text.sentence import understand
from aeo.asking.free_text.understood import Understood
from tests.support.starter import starter_release


def read(text: str) -> Understood:
    return understand(starter_release(), text, "en", datetime.date(2026, 11, 23))


@pytest.mark.parametrize(
    "text",
    [
        "one of 20000 mAh 3.7 V and one of 99 Wh",
        "20000 mAh and 99 Wh power banks",
        "a 20000 mAh power bank, a 74 Wh power bank",
        "power banks: 99 Wh, 50 Wh",
        "power bank of 20000 mAh besides one of 99 Wh",
        "Powerbank 20000 mAh 3,7 V und eine mit 99 Wh",
        "une batterie externe 20000 mAh et une de 99 Wh",
        "batería externa 20000 mAh y otra de 99 Wh",
        "20000mAhと99Whのモバイルバッテリー",
        "20000mAh와 99Wh 보조배터리",
        "20000毫安时和99瓦时的充电宝",
        "20000mAh跟99Wh的行動電源",
    ],
)
def test_two_labels_are_never_one(text: str) -> None:
    found = read(text)
    assert found.label is None
    assert found.unused
    assert len(found.labels) == 2, text


@pytest.mark.parametrize(
    "text",
    [
        "power bank 20000 mAh 3.7 V 74 Wh",
        "power bank 20,000 mAh and 3.7 V",
        "20000 mAh power bank (74 Wh)",
        "Powerbank mit 20.000 mAh und 3,7 V",
        "20000mAh 充电宝 74Wh",
    ],
)
def test_the_figures_of_one_label_stay_together(text: str) -> None:
    found = read(text)
    assert found.labels == ()
    assert found.label
    assert found.label.capacity_mah == 20_000
