"""What another record hides: a record that is less strict by itself is named, and nothing stricter is."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from catalog.records import Certificate
from recalls.serials import AffectedSerials
from rules.engine.corpus import Corpus
from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Device, Params, Rule, When
from rules.impact.survey import Survey, measure
from tests.rules.engine.worlds import TODAY
from tests.rules.impact.changing import changes, without_strangers
from tests.rules.impact.test_counting import LARGE, SMALL, beyond, content, measured, when
from tests.rules.impact.test_leniency import without
from tests.rules.impact.test_survey import PHASES
from tests.support.factories import a_jurisdiction, a_recall, a_rule, a_source, an_airline
from tests.support.thoroughness import examples

LIMIT = a_rule(
    rule_id="n1.limit",
    when=When(watt_hour_over=Decimal(60)),
    effect="require",
    code="max_units",
    params=Params(max_units=1),
)
REPEATED = replace(LIMIT, rule_id="n1.repeated", when=When())
"""It says of all units what `LIMIT` says of large ones, so it hides whatever becomes of `LIMIT`."""

NONE = replace(
    LIMIT, code="over_watt_hour_limit", effect="prohibit", params=Params(limit_watt_hour=Decimal(60))
)
ADVICE = replace(LIMIT, code="quantity_advice", effect="advise")
ENERGY = ("watt_hour", "watt_hour_basis", "capacity_mah", "nominal_voltage")
SOON = TODAY + datetime.timedelta(days=30)
LOOSER: dict[str, tuple[Rule | None, Rule | None]] = {
    "a higher limit": (LIMIT, replace(LIMIT, params=Params(max_units=2))),
    "a limit of fewer models": (LIMIT, when(LIMIT, model=("large",))),
    "a limit of less energy": (LIMIT, when(LIMIT, watt_hour_over=Decimal(70))),
    "a limit in one compartment": (LIMIT, when(LIMIT, compartment=("carry_on",))),
    "a limit that ends": (LIMIT, replace(LIMIT, effective_until=SOON)),
    "a limit that begins later": (LIMIT, replace(LIMIT, effective_from=SOON)),
    "advice in place of a limit": (LIMIT, ADVICE),
    "a rule that is gone": (LIMIT, None),
}  # fmt: skip


def hidden(*rules: Rule | None) -> Content:
    return content(*(rule for rule in rules if rule), REPEATED)


@pytest.mark.parametrize("how", LOOSER)
def test_a_rule_that_is_looser_than_before_is_named_although_another_one_hides_it(how: str) -> None:
    strict, loose = LOOSER[how]
    assert measured(hidden(strict), hidden(loose)).lenient == 0
    ((name, what),) = beyond(hidden(strict), hidden(loose)).items()
    assert name == LIMIT.rule_id
    assert what.startswith("is less strict by itself than before")
    assert beyond(hidden(loose), hidden(strict)) == {}


def test_what_a_rule_requires_on_the_way_is_named_when_it_goes_and_not_when_it_comes() -> None:
    tape = a_rule(rule_id="n1.tape", effect="require", code="no_onboard_use", when=When())
    advice = replace(tape, code="onboard_use_discouraged", effect="advise")
    for less in ((), (when(tape, watt_hour_over=Decimal(60)),), (advice,)):
        assert beyond(content(tape), content(*less)).keys() == {tape.rule_id}
        assert beyond(content(*less), content(tape)) == {}
    assert beyond(content(tape), content(replace(tape, rule_id="n1.renamed"))) == {}


def test_advice_that_goes_is_named_and_not_advice_that_comes_or_that_becomes_binding() -> None:
    advice = a_rule(rule_id="n1.advice", effect="advise", code="onboard_use_discouraged", when=When())
    ends = replace(advice, effective_until=SOON)
    for less in ((), (ends,), (when(advice, watt_hour_over=Decimal(60)),)):
        assert beyond(content(advice), content(*less)).keys() == {advice.rule_id}
        assert beyond(content(*less), content(advice)) == {}
    binding = replace(advice, effect="require", code="no_onboard_use")
    assert beyond(content(advice), content(binding)) == {}


def test_a_rule_that_tells_a_higher_limit_is_named_although_it_decides_as_before() -> None:
    higher = replace(NONE, params=Params(limit_watt_hour=Decimal(300)))
    assert beyond(content(NONE), content(higher)).keys() == {NONE.rule_id}
    assert beyond(content(higher), content(NONE)) == {}
    # A way around: first another code, which tells no limit.
    silent = replace(NONE, code="damaged_not_permitted", params=Params())
    assert beyond(content(NONE), content(silent)).keys() == {NONE.rule_id}


def test_a_recall_and_a_certificate_in_doubt_that_send_travelers_elsewhere_are_named() -> None:
    recall = a_recall(model_id="large")
    told = {"notice_url": "https://other.example/", "hazard": "None.", "remedy": "All units may be used."}
    for field, words in told.items():
        before, after = (
            replace(content(), recalls=(one,)) for one in (recall, replace(recall, **{field: words}))
        )
        assert beyond(before, after).keys() == {recall.recall_id}
        assert beyond(before, replace(after, recalls=(replace(recall, notes="Seen."),))) == {}
    doubt = Certificate(
        mark="CCC", status="suspended", source=a_source().id, lookup_url="https://list.example/"
    )
    proved = replace(doubt, status="valid")
    plain = content(devices=(LARGE, SMALL))
    for said in ({"certificates": (proved,)}, {"certifications": ("CCC",)}):
        assert beyond(plain, content(devices=(replace(LARGE, **said), SMALL))).keys() == {"large"}
    moved = replace(doubt, lookup_url="https://other.example/")
    before, after = (content(devices=(replace(LARGE, certificates=(one,)), SMALL)) for one in (doubt, moved))
    assert beyond(before, after).keys() == {"large"}


def test_a_rule_with_another_id_or_a_successor_in_time_is_not_named() -> None:
    renamed = replace(LIMIT, rule_id="n1.renamed")
    ends = replace(LIMIT, effective_until=SOON)
    follows = replace(renamed, effective_from=SOON + datetime.timedelta(days=1))
    assert beyond(hidden(LIMIT), hidden(renamed)) == {}
    assert beyond(hidden(LIMIT), hidden(ends, follows)) == {}
    looser = replace(follows, params=Params(max_units=2))
    assert beyond(hidden(LIMIT), hidden(ends, looser)).keys() == {LIMIT.rule_id}


def test_a_permit_that_a_prohibition_hides_is_named_if_it_permits_more() -> None:
    none = replace(NONE, rule_id="n1.none", when=When())
    permit = a_rule(rule_id="n1.small", when=When(watt_hour_up_to=Decimal(60)))
    wider = when(permit, watt_hour_up_to=Decimal(100))
    assert beyond(content(none), content(none, permit)).keys() == {permit.rule_id}
    assert beyond(content(none, permit), content(none, wider)).keys() == {permit.rule_id}
    assert beyond(content(none, wider), content(none, permit)) == {}
    assert beyond(content(none, permit), content(none)) == {}
    assert beyond(content(none, permit), content(none, replace(permit, rule_id="n1.renamed"))) == {}


PATTERN = AffectedSerials(scope="serial_pattern", identifier="serial", pattern="^A[12]$", exhaustive=True)
OF_SOME = a_recall(recall_id="some", model_id="small", affected_serials=PATTERN)
OF_ALL = replace(
    OF_SOME, recall_id="all", affected_serials=AffectedSerials(scope="all_units", identifier="model")
)


@pytest.mark.parametrize(
    "looser",
    [
        None,
        replace(OF_SOME, model_id="large"),
        replace(OF_SOME, affected_serials=replace(PATTERN, pattern="^A1$")),
        replace(OF_SOME, affected_serials=replace(PATTERN, identifier="production_batch")),
        replace(OF_SOME, affected_serials=replace(PATTERN, colour_condition="red only")),
    ],
)
def test_a_recall_that_another_one_hides_is_named_if_it_is_milder_about_any_unit(looser: Any) -> None:
    before, after = (
        replace(content(), recalls=tuple(filter(None, (OF_ALL, one)))) for one in (OF_SOME, looser)
    )
    assert beyond(before, after).keys() == {OF_SOME.recall_id}
    if looser is None or looser.affected_serials.pattern != PATTERN.pattern:
        assert beyond(after, before) == {}


def test_a_place_that_leaves_a_region_and_an_operator_that_moves_are_named() -> None:
    region = a_jurisdiction(code="XR", name="Region")
    rule = replace(
        LIMIT, rule_id="xr.limit", airline=None, issuer="regulator", jurisdiction="XR",
        applies=("departure", "operator"),
    )  # fmt: skip
    others = content().jurisdictions[1:]
    inside = replace(
        hidden(rule), jurisdictions=tuple(sorted((a_jurisdiction(member_of=("XR",)), *others, region),
                                                 key=lambda one: one.code)),
    )  # fmt: skip
    outside = replace(
        inside, jurisdictions=tuple(sorted((a_jurisdiction(), *others, region), key=lambda one: one.code))
    )
    moved = replace(inside, airlines=(an_airline(country="XC"),))
    for after, cause in ((outside, "XA"), (moved, "N1")):
        found = Survey(Corpus(inside), Corpus(after), today=TODAY).beyond_questions()
        assert [record.record_id for record in found] == [cause]
        assert not Survey(Corpus(after), Corpus(inside), today=TODAY).beyond_questions()


def less(of: Content, names: set[tuple[str, str]]) -> Content:
    """Return some content without some of its rules and recalls."""
    for kind in ("rules", "recalls"):
        rows = [row for row in getattr(of, kind) if (kind, getattr(row, ID_FIELD[kind])) not in names]
        of = replace(of, **{kind: tuple(rows)})
    return of


def without_more_energy(before: Content, after: Content) -> Content:
    """Undo higher energies: a permit that begins at an energy then admits the model, on its own evidence."""
    known = {one.model_id: one for one in before.devices}
    return replace(after, devices=tuple(_as_low(known.get(one.model_id, one), one) for one in after.devices))


def _as_low(old: Device, new: Device) -> Device:
    if old.watt_hour is None or new.watt_hour is None or new.watt_hour <= old.watt_hour:
        return new
    energy = {name: getattr(old, name) for name in ENERGY}
    return replace(new, **energy)


@given(changes(), st.data())
@settings(max_examples=examples(40, thorough=300), deadline=None, phases=PHASES)
def test_what_is_not_named_stays_as_strict_when_other_records_go(
    change: tuple[Content, Content], data: st.DataObject
) -> None:
    before, after = change[0], without_more_energy(*change)
    while causes := {
        cause.record for cause in measure(Survey(Corpus(before), Corpus(after), today=TODAY)).causes
    }:
        after = without_strangers(without(after, before, causes))
    same = [
        (kind, getattr(row, ID_FIELD[kind]))
        for kind in ("rules", "recalls")
        for row in getattr(before, kind)
        if row in getattr(after, kind)
    ]
    gone = data.draw(st.sets(st.sampled_from(same))) if same else set()
    without_them = Corpus(less(before, gone)), Corpus(less(after, gone))
    found = measure(Survey(*without_them, today=TODAY))
    # No answer is milder than a ban, but no one travels by it, and it is named when the last rule goes.
    milder = [way for way in (*found.ways, *found.unlisted) if way.lenient and way.after != "not_answered"]
    assert milder == []
