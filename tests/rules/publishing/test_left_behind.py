"""What a choice leaves behind: the smallest set that has to come along, for any release and any choice."""

import datetime
from decimal import Decimal
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from recalls.serials import AffectedSerials
from rules.engine.corpus import Corpus
from rules.engine.document import ID_FIELD, Content, problems
from rules.engine.facts import Leg, Params, Question, Unit, When
from rules.impact.second_approvals import NAMES
from rules.impact.survey import Survey, measure
from rules.impact.survey.outcomes import milder
from rules.publishing.left_behind import Companions, companions
from rules.publishing.selection import Key, closed, differing, mixed
from tests.rules.impact.asking import outcome
from tests.rules.impact.changing import changes
from tests.support.factories import a_device, a_recall, a_rule
from tests.support.ledger import world_content

TODAY = datetime.date(2026, 11, 28)
ONE_UNIT, CAP = "s2.one-unit", "s2.one-unit-too"

WORLD = world_content()


def with_records(content: Content, kind: str, *records: Any) -> Content:
    """Return some content with records of a kind, new or changed."""
    found = {getattr(one, ID_FIELD[kind]): one for one in (*getattr(content, kind), *records)}
    return replace(content, **{kind: tuple(found[name] for name in sorted(found))})


RELEASE = with_records(WORLD, "devices")
for one_kind in ID_FIELD:
    RELEASE = with_records(RELEASE, one_kind)
OLD = {rule.rule_id: rule for rule in RELEASE.rules}
RAISED = replace(OLD[ONE_UNIT], params=Params(max_units=2))
SAME_LIMIT = replace(OLD[ONE_UNIT], rule_id=CAP)
ONE_ON_NORTHWING = replace(OLD["n1.two-units"], params=Params(max_units=1))
SMALL_MODEL = a_device(model_id="lynx-99", model_name="Lynx 99", sources=("lynx-page",))
BIG_MODEL = a_device(
    model_id="lynx-300",
    model_name="Lynx 300",
    watt_hour=Decimal(200),
    watt_hour_basis="rated",
    capacity_mah=None,
    nominal_voltage=None,
    sources=("lynx-page",),
)
ALL_UNITS = AffectedSerials(scope="all_units", identifier="serial number")


def needed(before: Content, everything: Content, keys: Any) -> Companions:
    """Return what has to come along with some records, and with all that they name."""
    chosen = mixed(before, everything, closed(before, everything, keys))
    result = measure(Survey(Corpus(before), Corpus(chosen), today=TODAY))
    return companions(before, chosen, everything, result, today=TODAY)


def key_of(name: str) -> Key:
    """Return the record that a sentence names."""
    kind, record_id = name.split(" ", 1)
    return next(of for of, word in NAMES.items() if word == kind), record_id


def everything(*, rules: Any = (), devices: Any = (), recalls: Any = ()) -> Content:
    """Return the release with what waits."""
    found = with_records(RELEASE, "rules", *rules)
    return with_records(with_records(found, "devices", *devices), "recalls", *recalls)


def test_a_raise_takes_its_cap_along_and_no_model_that_waits_too() -> None:
    waits = everything(rules=[RAISED, SAME_LIMIT, ONE_ON_NORTHWING], devices=[SMALL_MODEL, BIG_MODEL])
    assert needed(RELEASE, waits, [("rules", ONE_UNIT)]).names == [f"rule {CAP}"]
    assert needed(RELEASE, waits, [("rules", ONE_UNIT), ("rules", CAP)]).names == []


def test_two_caps_that_say_the_same_both_come_along() -> None:
    """One alone would hide that the other one is missing, until it is withdrawn."""
    other = replace(SAME_LIMIT, rule_id="s2.one-unit-also")
    waits = everything(rules=[RAISED, SAME_LIMIT, other])
    names = needed(RELEASE, waits, [("rules", ONE_UNIT)]).names
    assert names == ["rule s2.one-unit-also", f"rule {CAP}"]


def test_a_new_model_goes_out_alone_although_rules_become_stricter_for_all_models() -> None:
    puma = a_recall(recall_id="xb-puma-30k-2026", model_id="puma-30k", sources=("lynx-page",))
    waits = everything(
        rules=[RAISED, SAME_LIMIT, ONE_ON_NORTHWING], devices=[SMALL_MODEL, BIG_MODEL], recalls=[puma]
    )
    for model in (SMALL_MODEL, BIG_MODEL):
        assert needed(RELEASE, waits, [("devices", model.model_id)]).names == []


def test_a_new_model_takes_its_own_recall_and_the_rule_that_names_it_along() -> None:
    recall = a_recall(
        recall_id="xb-lynx-99-2026", model_id="lynx-99", affected_serials=ALL_UNITS, sources=("lynx-page",)
    )
    ban = a_rule(
        rule_id="n1.no-lynx-99",
        airline="N1",
        effect="prohibit",
        code="over_watt_hour_limit",
        when=When(model=("lynx-99",)),
        sources=("northwing-page",),
    )
    waits = everything(rules=[ban, ONE_ON_NORTHWING], devices=[SMALL_MODEL], recalls=[recall])
    assert needed(RELEASE, waits, [("devices", "lynx-99")]).names == ["recall xb-lynx-99-2026"]
    waits = everything(rules=[ban, ONE_ON_NORTHWING], devices=[SMALL_MODEL])
    assert needed(RELEASE, waits, [("devices", "lynx-99")]).names == ["rule n1.no-lynx-99"]


def test_a_raise_does_not_wait_for_a_stricter_rule_about_other_energies_or_later_days() -> None:
    small = replace(RAISED, when=replace(RAISED.when, watt_hour_up_to=Decimal(20)))
    heavy = replace(SAME_LIMIT, when=When(watt_hour_over=Decimal(50)))
    before = with_records(RELEASE, "rules", replace(OLD[ONE_UNIT], when=small.when))
    waits = with_records(before, "rules", small, heavy)
    assert needed(before, waits, [("rules", ONE_UNIT)]).names == []
    light = replace(SAME_LIMIT, when=When(watt_hour_up_to=Decimal(10)))
    waits = with_records(before, "rules", small, light)
    assert needed(before, waits, [("rules", ONE_UNIT)]).names == [f"rule {CAP}"]
    short = replace(RAISED, effective_from=TODAY, effective_until=TODAY + datetime.timedelta(days=9))
    late = replace(SAME_LIMIT, effective_from=TODAY + datetime.timedelta(days=10))
    old_until = replace(
        OLD[ONE_UNIT], effective_from=short.effective_from, effective_until=short.effective_until
    )
    before = with_records(RELEASE, "rules", old_until)
    assert needed(before, with_records(before, "rules", short, late), [("rules", ONE_UNIT)]).names == []


# --- For any release and any choice ---


@st.composite
def choices(draw: st.DrawFn) -> tuple[Content, Content, frozenset[Key]]:
    """A release, all that is approved, and what is chosen of it with all that it names."""
    before, after = draw(changes())
    differ = sorted(differing(before, after))
    assume(differ)
    keys = closed(before, after, draw(st.sets(st.sampled_from(differ), min_size=1)))
    assume(not problems(after))
    assume(not problems(mixed(before, after, keys)))
    return before, after, keys


@given(choices())
@settings(deadline=None)
def test_what_is_named_is_needed_and_nothing_else_is(found: tuple[Content, Content, frozenset[Key]]) -> None:
    before, after, chosen = found
    stays = needed(before, after, chosen)
    assert not stays.too_large
    companions_of = {key_of(name) for name in stays.names}
    assert companions_of <= differing(before, after).keys() - chosen
    assert needed(before, after, chosen | companions_of).names == []
    for one in companions_of:
        assert needed(before, after, chosen | companions_of - {one}).names != []


@given(choices(), st.data())
@settings(deadline=None)
def test_no_answer_is_less_strict_only_because_something_stays_behind(
    found: tuple[Content, Content, frozenset[Key]], data: st.DataObject
) -> None:
    before, after, chosen = found
    stays = {key_of(name) for name in needed(before, after, chosen).names}
    content = mixed(before, after, closed(before, after, chosen | stays))
    countries = [one.code for one in content.countries]
    for _ in range(20):
        model = data.draw(st.sampled_from([one.model_id for one in content.devices]))
        leg = Leg(
            data.draw(st.sampled_from(countries)),
            data.draw(st.sampled_from(countries)),
            data.draw(st.sampled_from([one.airline for one in content.airlines])),
        )
        unit = Unit(model_id=model, quantity=data.draw(st.integers(1, 4)))
        day = TODAY + datetime.timedelta(days=data.draw(st.sampled_from([0, 3, 40, 400, 4000])))
        question = Question(unit=unit, leg=leg, travel_date=day, compartment_intent="carry_on")
        was, is_now = (outcome(Corpus(one), question) for one in (before, content))
        if not milder(was, is_now):
            continue
        with_all = outcome(Corpus(after), question)
        if all(one.model_id != model for one in before.devices):
            # Of a new model, with all that is about it.
            own = {
                key
                for key, versions in differing(content, after).items()
                if key[0] in ("devices", "recalls", "rules")
                for one in filter(None, versions)
                if getattr(one, "model_id", None) == model
                or (key[0] == "rules" and model in (one.when.model or ()))
            }
            with_all = outcome(Corpus(mixed(content, after, own)), question)
        assert not milder(with_all, is_now), (question, was, with_all, is_now)
