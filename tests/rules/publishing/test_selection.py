"""Each record of what goes out is that of the current release or of the approved rows, and nothing else."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.engine.document import ID_FIELD, Content, problems
from rules.engine.facts import When
from rules.publishing.selection import Key, closed, differing, mixed, names_of, said
from tests.support.factories import a_device, a_disagreement, a_recall, a_rule, a_source, an_airline
from tests.support.ledger import world_content


def _sorted(kind: str, records: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(records, key=lambda one: getattr(one, ID_FIELD[kind])))


WORLD = world_content()
CONTENT = replace(WORLD, **{kind: _sorted(kind, getattr(WORLD, kind)) for kind in ID_FIELD})


def changed() -> Content:
    """Return the test world with a new airline and its rule, a new model with its recall, and more."""
    airline = an_airline(airline="W4", icao="XXW", name="Westwind", sources=("westwind-page",))
    page = a_source(id="westwind-page", authority="Westwind", url="https://westwind.example/batteries")
    rule = a_rule(rule_id="w4.cabin", airline="W4", authority="Westwind", sources=("westwind-page",))
    on_model = a_rule(rule_id="n1.lynx-99", when=When(model=("lynx-99",)), sources=("northwing-page",))
    device = a_device(model_id="lynx-99", model_name="Lynx 99", sources=("lynx-page",))
    recall = a_recall(recall_id="xa-lynx-99-2026", model_id="lynx-99", sources=("lynx-page",))
    lower = replace(next(one for one in CONTENT.devices if one.model_id == "puma-30k"), watt_hour=Decimal(99))
    devices = [one for one in CONTENT.devices if one.model_id not in ("puma-30k", "heron-9")]
    rules = [one for one in CONTENT.rules if one.rule_id != "s2.one-unit"]
    return Content(
        countries=CONTENT.countries,
        jurisdictions=CONTENT.jurisdictions,
        sources=_sorted("sources", [*CONTENT.sources, page]),
        airlines=_sorted("airlines", [*CONTENT.airlines, airline]),
        devices=_sorted("devices", [*devices, lower, device]),
        rules=_sorted("rules", [*rules, rule, on_model]),
        recalls=_sorted("recalls", [*CONTENT.recalls, recall]),
        disagreements=(),
    )


CHANGED = changed()
KEYS = sorted(differing(CONTENT, CHANGED))
some_keys = st.sets(st.sampled_from(KEYS))


@given(some_keys)
def test_each_record_is_that_of_one_of_both_sides(keys: set[Key]) -> None:
    found = mixed(CONTENT, CHANGED, keys)
    for key in KEYS:
        side = CHANGED if key in keys else CONTENT
        assert differing(found, side).keys().isdisjoint({key})
    assert set(differing(CONTENT, found)) == keys
    assert set(differing(found, CHANGED)) == set(KEYS) - keys


def test_nothing_chosen_is_the_release_and_everything_chosen_is_all() -> None:
    assert mixed(CONTENT, CHANGED, ()) == CONTENT
    assert mixed(CONTENT, CHANGED, KEYS) == CHANGED


@given(some_keys)
def test_a_choice_with_all_that_it_names_can_be_published(keys: set[Key]) -> None:
    assert problems(CHANGED) == []
    whole = closed(CONTENT, CHANGED, keys)
    assert keys <= whole
    assert problems(mixed(CONTENT, CHANGED, whole)) == []
    assert closed(CONTENT, CHANGED, whole) == whole


def test_a_rule_takes_its_new_airline_and_the_page_along() -> None:
    assert closed(CONTENT, CHANGED, [("rules", "w4.cabin")]) == {
        ("rules", "w4.cabin"),
        ("airlines", "W4"),
        ("sources", "westwind-page"),
    }
    assert closed(CONTENT, CHANGED, [("rules", "n1.lynx-99")]) >= {("devices", "lynx-99")}


def test_what_was_approved_together_goes_together() -> None:
    bundle = frozenset({("devices", "puma-30k"), ("devices", "heron-9")})
    assert closed(CONTENT, CHANGED, [("devices", "heron-9")], [bundle]) == bundle


def test_what_named_a_record_that_goes_goes_along() -> None:
    rule = "s2.one-unit"
    names_it = a_disagreement(applied=rule)
    before = replace(CONTENT, disagreements=(names_it,))
    assert ("disagreements", names_it.id) in closed(before, CHANGED, [("rules", rule)])
    # What still names it stays, and then the content has a fault.
    after = replace(CHANGED, disagreements=(names_it,))
    found = mixed(before, after, closed(before, after, [("rules", rule)]))
    assert [one.where for one in problems(found)] == [f"disagreement {names_it.id}"]


def test_every_name_that_a_fault_is_about_is_followed() -> None:
    """What `problems` calls dangling is what `names_of` names: nothing of another record is forgotten."""
    for kind in ("airlines", "devices", "rules", "recalls", "jurisdictions"):
        for record in getattr(CHANGED, kind):
            for kinds, name in names_of(kind, record):
                without = {
                    of: tuple(one for one in getattr(CHANGED, of) if getattr(one, ID_FIELD[of]) != name)
                    for of in kinds
                }
                assert problems(replace(CHANGED, **without)), (kind, record, name)


def test_a_later_reading_says_the_same_and_every_other_change_does_not() -> None:
    page = a_source()
    key = ("sources", page.id)
    assert page.read_on is not None
    assert said(key, page) == said(key, replace(page, read_on=page.read_on.replace(year=2027)))
    assert said(key, page) != said(key, replace(page, url="https://other.example/"))
    assert said(key, page) != said(key, None)
    rule = a_rule()
    assert said(("rules", rule.rule_id), rule) != said(
        ("rules", rule.rule_id), replace(rule, summary="Other.")
    )
