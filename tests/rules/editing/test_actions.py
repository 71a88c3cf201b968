"""The verbs of rules: one person drafts, another one approves."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User

from catalog.errors import AlreadyRecorded, NotRecorded, OwnWork, Refused, Unfit, WrongState
from rules.editing.actions import approve_rules, draft_rule, draft_rules, submit_rules
from rules.engine.facts import Params, When
from rules.models import Rule
from tests.support import world
from tests.support.factories import a_rule

pytestmark = pytest.mark.usefixtures("world_rows")


def test_every_rule_of_the_test_world_reads_back_as_it_was_written(editor: User) -> None:
    read = {record.rule_id: record for record in Rule.objects.all().records()}
    assert read == {record.rule_id: record for record in world.RULES}


def test_a_rule_with_every_condition_reads_back_as_it_was_written(editor: User) -> None:
    rule = a_rule(
        rule_id="n1.new",
        when=When(
            watt_hour_at_least=Decimal("99.99"),
            watt_hour_up_to=Decimal("160.01"),
            compartment=("on_person", "carry_on"),
            recall_status=("serial_unknown",),
            condition=("unknown", "damaged"),
            certification_missing="CCC",
            quantity_over=2,
            model=("puma-30k", "lynx-27k"),
        ),
        effect="require",
        code="max_units",
        params=Params(max_units=2),
        effective_from=datetime.date(2026, 1, 1),
        effective_until=datetime.date(2026, 12, 31),
        sources=("xr-page", "northwing-page"),
    )
    draft_rule(by=editor, rule=rule)
    assert Rule.objects.get(rule_id="n1.new").to_record() == rule


def test_a_rule_is_approved_by_another_person_once_it_is_submitted(editor: User, reviewer: User) -> None:
    draft_rule(by=editor, rule=a_rule(rule_id="n1.new"))
    assert Rule.objects.get(rule_id="n1.new").state == "draft"
    with pytest.raises(WrongState, match=r"^n1.new: is draft, not in review$"):
        approve_rules(by=reviewer, rule_ids=["n1.new"])
    submit_rules(by=editor, rule_ids=["n1.new"])
    with pytest.raises(OwnWork, match=r"^n1.new: you cannot approve your own work$"):
        approve_rules(by=editor, rule_ids=["n1.new"])
    approve_rules(by=reviewer, rule_ids=["n1.new"])
    rule = Rule.objects.get(rule_id="n1.new")
    assert (rule.state, rule.created_by, rule.approved_by) == ("approved", editor, reviewer)
    assert rule.submitted_at is not None
    assert rule.approved_at is not None
    assert rule.created_at <= rule.submitted_at <= rule.approved_at


def test_approving_several_approves_all_or_none(editor: User, reviewer: User) -> None:
    draft_rule(by=editor, rule=a_rule(rule_id="n1.new"))
    submit_rules(by=editor, rule_ids=["n1.new"])
    with pytest.raises(NotRecorded, match=r"^n1.nothing: there is no such rule$"):
        approve_rules(by=reviewer, rule_ids=["n1.new", "n1.nothing"])
    with pytest.raises(WrongState, match=r"^n1.two-units: is approved, not in review$"):
        approve_rules(by=reviewer, rule_ids=["n1.new", "n1.two-units"])
    assert Rule.objects.get(rule_id="n1.new").state == "in_review"


REFUSED: list[tuple[type[Refused], dict[str, Any], str]] = [
    (AlreadyRecorded, {"rule_id": "n1.two-units"}, "n1.two-units: is already recorded"),
    (Unfit, {"airline": "ZZ"}, "n1.new: is an airline rule of `ZZ`, which is no airline of this release"),
    (Unfit, {"jurisdiction": "XZ"}, "n1.new: belongs to `XZ`, which is no jurisdiction of this release"),
    (Unfit, {"sources": ("nowhere",)}, "n1.new: names the source `nowhere`, which is not in this release"),
    (Unfit, {"sources": ()}, "n1.new: rests on no source that was read, so it could not be cited"),
    (
        Unfit,
        {"sources": ("untold-pointer",)},
        "n1.new: rests on no source that was read, so it could not be cited",
    ),
    (
        Unfit,
        {"applies": ("departure",)},
        "n1.new: an airline's rule names its airline and applies to it alone; a regulator's rule names none",
    ),
    (Unfit, {"applies": ()}, "n1.new: `applies`: This field cannot be blank"),
    (
        Unfit,
        {"effect": "require"},
        "n1.new: a permit has no code; every other effect has a code of its own kind",
    ),
    (
        Unfit,
        {"when": When(watt_hour_up_to=Decimal("100.001"))},
        "n1.new: `watt_hour_up_to`: Ensure that there are no more than 2 decimal places",
    ),
    (
        Unfit,
        {"when": When(model=("lynx-99k",))},
        "n1.new: names the model `lynx-99k`, which is no model of this release",
    ),
    (
        Unfit,
        {"when": When(quantity_over=2)},
        "n1.new: is a permit that would need more units or a missing mark, and no permit may",
    ),
    (
        Unfit,
        {"effective_from": datetime.date(2026, 2, 1), "effective_until": datetime.date(2026, 1, 1)},
        "n1.new: a rule does not end before it starts",
    ),
]


@pytest.mark.parametrize(("error", "changes", "sentence"), REFUSED, ids=[case[2] for case in REFUSED])
def test_it_refuses(editor: User, error: type[Refused], changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(error) as refused:
        draft_rules(by=editor, rules=[a_rule(rule_id="n1.fine"), a_rule(**{"rule_id": "n1.new", **changes})])
    assert str(refused.value) == sentence
    assert Rule.objects.count() == len(world.RULES)


def test_a_rule_is_approved_as_confirmed_only_with_an_official_page_that_was_read(
    editor: User, reviewer: User
) -> None:
    draft_rule(by=editor, rule=a_rule(rule_id="n1.told", sources=("southern-star-report",)))
    draft_rule(by=editor, rule=a_rule(rule_id="n1.read", sources=("southern-star-report", "northwing-page")))
    submit_rules(by=editor, rule_ids=["n1.told", "n1.read"])

    with pytest.raises(Unfit, match=r"^n1\.told: `confidence` is confirmed only if one of the sources is an"):
        approve_rules(by=reviewer, rule_ids=["n1.told", "n1.read"])

    assert Rule.objects.get(rule_id="n1.told").state == "in_review"
    approve_rules(by=reviewer, rule_ids=["n1.read"])
