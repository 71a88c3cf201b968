"""Names that find another record than before: whoever moves one makes answers less strict."""

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from recalls.serials import AffectedSerials
from rules.engine.document import Content
from rules.impact.survey.naming import moved_names
from tests.rules.impact.test_counting import LARGE, SMALL, beyond, content
from tests.support.factories import a_device, a_recall, an_airline

OLD = replace(LARGE, model_number="A1112", aliases=("Large Five",))
UNTOLD = a_device(
    model_id="untold",
    brand="Heron",
    model_name="Untold",
    capacity_mah=None,
    watt_hour=None,
    watt_hour_basis="unknown",
)
OTHER = an_airline(airline="S2", icao="SST", name="Southern Star", country="XB")


def models(*devices: Any) -> Content:
    return content(devices=tuple(sorted(devices, key=lambda one: one.model_id)))


def airlines(*changed: Any) -> Content:
    return replace(content(), airlines=changed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"model_number": "A1112 (2013)"}, {}),
        ({"aliases": ()}, {}),
        ({"model_name": "Another name"}, {}),
        ({}, {"aliases": ("a-1112",)}),
        ({"model_number": None}, {"model_number": "A1112"}),
    ],
)
def test_a_model_that_loses_a_name_or_takes_one_is_named(old: dict[str, Any], new: dict[str, Any]) -> None:
    named = beyond(models(OLD, SMALL), models(replace(OLD, **old), replace(SMALL, **new)))
    assert named.keys() == {name for name, changes in (("large", old), ("small", new)) if changes}


def test_an_airline_that_takes_the_name_of_another_one_is_named() -> None:
    north = an_airline()
    swapped = airlines(replace(north, name="Southern Star"), replace(OTHER, name="Southern Star Handling"))
    named = beyond(airlines(north, OTHER), swapped)
    assert named.keys() == {"N1", "S2"}
    assert named["N1"].startswith("gets a name")


def named(before: Content, after: Content) -> set[str]:
    return {record.record_id for record in moved_names((before, after))}


@pytest.mark.parametrize(
    "words", ["Large", "swollen Large Five", "10000 mAh", "Z\u00adH\u00d7-22", "Nothing Like It"]
)
def test_each_name_that_a_model_gets_is_named(words: str) -> None:
    """It may be a part of another name, look like one, or be made of the words of a question."""
    assert named(models(OLD, SMALL), models(OLD, replace(SMALL, aliases=(words,)))) == {"small"}
    assert named(models(OLD), models(OLD, replace(UNTOLD, aliases=(words,)))) == {"untold"}
    assert named(models(OLD), models(OLD, replace(UNTOLD, model_name=words))) == {"untold"}


@pytest.mark.parametrize("scope", ["all_units", "lookup_required"])
def test_a_new_model_is_not_named_if_whatever_finds_it_is_banned(scope: Any) -> None:
    recall = a_recall(model_id="untold", affected_serials=AffectedSerials(scope=scope, identifier="serial"))
    after = replace(models(OLD, UNTOLD), recalls=(recall,))
    assert named(models(OLD), after) == (set() if scope == "all_units" else {"untold"})


@pytest.mark.parametrize("figure", [{"capacity_mah": 50_000}, {"nominal_voltage": Decimal("7.4")}])
def test_a_model_with_other_figures_by_which_it_is_recognized_is_named(figure: dict[str, Any]) -> None:
    assert named(models(OLD, SMALL), models(OLD, replace(SMALL, **figure))) == {"small"}


@pytest.mark.parametrize(("old", "new"), [("Nojima", "N.o.j.i.m.a"), ("GUXON", "G.U.X.O.N")])
def test_a_brand_that_is_spelled_apart_loses_its_word_though_the_id_has_it(old: str, new: str) -> None:
    one = replace(SMALL, model_id=f"{old.lower()}-elsonic", brand=old)
    assert named(models(one), models(replace(one, brand=new))) == {one.model_id}


def test_a_model_that_loses_a_word_of_its_name_is_named_though_its_letters_stay() -> None:
    old = replace(OLD, model_name="Power Core Plus", aliases=())
    assert named(models(old, SMALL), models(replace(old, model_name="Powercor Eplus"), SMALL)) == {"large"}


@pytest.mark.parametrize("name", ["Northwing", "Northwing Air", "ノースウィング", "Eastwind"])
def test_an_airline_that_gets_a_name_is_named_whether_or_not_it_is_a_part_of_another_one(name: str) -> None:
    before = airlines(an_airline(name="Northwing Airways"), OTHER)
    new = an_airline(airline="Z9", icao="ZZN", name=name, country="XB")
    assert named(before, airlines(*before.airlines, new)) == {"Z9"}
    assert named(before, airlines(before.airlines[0], replace(OTHER, name=name))) == {"S2"}


def test_a_new_model_that_shares_a_name_is_named_because_a_question_is_asked_back_that_was_answered() -> None:
    variant = replace(OLD, model_id="variant", model_number="A1112B")
    assert named(models(OLD, SMALL), models(OLD, SMALL, variant)) == {"variant"}


@pytest.mark.parametrize("words", ["Large Six", "A1112 swollen", "A1112 in checked baggage", "20 A1112"])
def test_a_model_that_gets_a_name_is_named_though_nothing_else_is_found_by_it(words: str) -> None:
    more = replace(OLD, aliases=(*OLD.aliases, words))
    assert beyond(models(OLD, SMALL), models(more, SMALL)).keys() == {"large"}
    assert beyond(models(more, SMALL), models(OLD, SMALL)).keys() == {"large"}


def test_another_spelling_is_not_named() -> None:
    spelled = replace(OLD, aliases=("large  five",), model_number="a1112")
    assert beyond(models(OLD, SMALL), models(spelled, SMALL)) == {}
    assert beyond(models(OLD, SMALL), models(SMALL)) == {}
