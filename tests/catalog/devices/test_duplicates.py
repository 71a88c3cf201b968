"""Models that may be recorded twice: what two records have in common, and what says nothing."""

from typing import Any

import pytest

from catalog.devices.duplicates import Named, like, likenesses
from tests.support.starter import starter_content


def named(model_id: str = "anker-a1263", **changes: Any) -> Named:
    known = Named(model_id, "Anker", "PowerCore 10000", "A1263", ("PC10K",), 10_000)
    return known._replace(**changes)


OTHER = named("other", model_name="Something Else", model_number="B9", aliases=(), capacity_mah=5_000)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"model_number": "a-1263"}, "the same model number, A1263"),
        ({"aliases": ("A 1263",)}, "an alias that is also a name of the other, A 1263"),
        ({"aliases": ("pc-10k",)}, "an alias that is also a name of the other, PC10K"),
        ({"aliases": ("Power Core 10000",)}, "an alias that is also a name of the other, Power Core 10000"),
        ({"model_number": "PC10K"}, "an alias that is also a name of the other, PC10K"),
        (
            {"model_name": "Anker PowerCore 10K", "model_number": None, "capacity_mah": None},
            "the same name, PowerCore 10000",
        ),
    ],
)
def test_these_may_be_one_model(changes: dict[str, Any], reason: str) -> None:
    other = OTHER._replace(**changes)
    assert likenesses([other, named()]) == [("anker-a1263", "other", reason)]
    assert like(other, [named(), other]) == [("anker-a1263", "other", reason)]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"brand": "Other", "model_number": "A1263"},
        {"model_name": "PowerCore 10000"},
        {"model_name": "PowerCore 10000", "model_number": None},
        {"model_name": "PowerCore 10000 Redux", "model_number": None, "capacity_mah": None},
    ],
    ids=["nothing in common", "another brand", "another number", "another capacity", "a longer name"],
)
def test_these_are_two_models(changes: dict[str, Any]) -> None:
    assert likenesses([named(), OTHER._replace(**changes)]) == []


def test_a_pair_is_named_once_with_its_best_reason() -> None:
    assert len(likenesses([named(), named("copy"), named("third")])) == 3
    assert likenesses([named(), named("copy")])[0].reason == "the same model number, A1263"


def test_no_model_of_the_starter_corpus_is_there_twice() -> None:
    devices = starter_content().devices
    assert likenesses(Named(*(getattr(device, name) for name in Named._fields)) for device in devices) == []
