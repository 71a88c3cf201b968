"""Whatever one person does, with every role and every way to publish, no answer becomes less strict.

A colleague approves once what is submitted. That is one person too few for anything milder.
"""

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from catalog.devices.bulk import DEVICES
from catalog.editorial.pending import actions as change_sets
from catalog.errors import Refused
from catalog.models import ChangeSet, Device
from recalls.editing.actions import (
    approve_recalls,
    draft_recall,
    submit_recalls,
    take_back_recalls,
    withdraw_recalls,
)
from recalls.models import Recall
from rules.cases import Case, outcome_digest
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    revise_rules,
    submit_rules,
    take_back_rules,
    withdraw_rules,
)
from rules.engine.corpus import Corpus
from rules.engine.facts import Params
from rules.impact.survey import Survey, measure
from rules.models import HeldBack, PlannedRelease, Release, Rule, SoloRelease
from rules.publishing.actions.alone import approve_afterwards, publish_alone
from rules.publishing.actions.case_acceptance import accept_cases
from rules.publishing.actions.plans import carry_out_plans
from rules.publishing.actions.releases import publish_release
from rules.publishing.actions.rolling_back import release_hold, request_roll_back, roll_back_release
from rules.publishing.actions.taking_back import take_back_change_set
from rules.publishing.candidate import candidate
from rules.publishing.chosen import Chosen
from rules.publishing.refusals import ReleaseRefused
from tests.rules.publishing.test_gate import (
    MINUTE,
    ONE_ONLY,
    START,
    cases,
    clock,
    published,
    read_again,
    world,
)
from tests.rules.publishing.test_waiting import RECALL
from tests.support.choosing import chosen, plan, what_waits
from tests.support.factories import a_device, a_user

__all__ = ["cases", "clock", "published", "world"]

Clock = time_machine.Traveller
Move = Callable[[User, User, Clock], object]
RULES = ("s2.one-unit", "n1.two-units", "s2.none-over-100wh", "n1.cabin-up-to-160wh")
SOURCES = ("southern-star-report", "northwing-page", "puma-page", "lynx-page", "intl-page")
LATER = datetime.timedelta(days=30)


def writes(rule_id: str, **changes: Any) -> Move:
    """Return a move that writes and submits another version of a rule."""

    def write(me: User, other: User, clock: Clock) -> None:
        revise_rules(by=me, rule_ids=[rule_id], reason="News.")
        record = Rule.objects.get(rule_id=rule_id, state="draft").to_record()
        change_rule(by=me, rule=replace(record, **changes))
        submit_rules(by=me, rule_ids=[rule_id])

    return write


def withdraws_a_rule(me: User, other: User, clock: Clock) -> None:
    withdraw_rules(by=me, rule_ids=["s2.none-over-100wh"], reason="Over.")
    submit_rules(by=me, rule_ids=["s2.none-over-100wh"])


def withdraws_a_recall(me: User, other: User, clock: Clock) -> None:
    name = Recall.objects.filter(state="published").order_by("recall_id").first()
    assert name is not None
    withdraw_recalls(by=me, recall_ids=[name.recall_id], reason="Over.")
    submit_recalls(by=me, recall_ids=[name.recall_id])


def recalls(me: User, other: User, clock: Clock) -> None:
    draft_recall(by=me, recall=RECALL)
    submit_recalls(by=me, recall_ids=[RECALL.recall_id])


def describes_a_model(me: User, other: User, clock: Clock) -> None:
    device = Device.objects.get(pk="puma-30k").to_record()
    records = [
        replace(device, watt_hour=Decimal("99.00")),
        a_device(model_id="lynx-new", model_name="Lynx New", sources=("lynx-page",)),
    ]
    change_sets.propose(DEVICES, records, by=me, subject="models")


def in_review(model: Any) -> list[str]:
    return sorted(one.stable_id for one in model.objects.filter(state="in_review"))


def approves(by_me: bool) -> Move:
    """Return a move that approves all that waits for a review."""

    def approve(me: User, other: User, clock: Clock) -> None:
        by = me if by_me else other
        for found in ChangeSet.objects.filter(state="waiting"):
            change_sets.approve(found.pk, by=by, tables={"device": DEVICES})
        approve_rules(by=by, rule_ids=in_review(Rule))
        approve_recalls(by=by, recall_ids=in_review(Recall))

    return approve


def approves_again(me: User, other: User, clock: Clock) -> None:
    approve_rules_again(by=me, rule_ids=sorted(r.rule_id for r in Rule.objects.filter(state="approved")))


def reads_the_sources(me: User, other: User, clock: Clock) -> None:
    for source in SOURCES:
        read_again(me, source)


def accepts_the_failing_cases(me: User, other: User, clock: Clock) -> None:
    failing = {one.judged.case.name: outcome_digest(one.judged) for one in candidate().failing}
    accept_cases(by=me, reason="So.", now=timezone.now(), shown=failing)


def publishes(me: User, other: User, clock: Clock) -> None:
    publish_release(by=me, note="News.", now=timezone.now())


def publishes_one(first: bool) -> Move:
    def publish(me: User, other: User, clock: Clock) -> None:
        names = [unit.name for unit in what_waits().units()]
        keys, _ = chosen(names[0 if first else -1])
        publish_release(by=me, note="News.", now=timezone.now(), only=keys)

    return publish


def plans(me: User, other: User, clock: Clock) -> None:
    plan(me, *(unit.name for unit in what_waits().units()), after=datetime.timedelta(minutes=30))


def carries_out_plans(me: User, other: User, clock: Clock) -> None:
    clock.shift(datetime.timedelta(hours=1))
    carry_out_plans(now=timezone.now())


def publishes_alone(me: User, other: User, clock: Clock) -> None:
    one = Chosen(in_review(Rule), in_review(Recall))
    publish_alone(by=me, reason="Fires.", now=timezone.now(), chosen=one)


def rolls_back(me: User, other: User, clock: Clock) -> None:
    to = str(Release.objects.order_by("sequence").first())
    request_roll_back(by=me, to=to, reason="Wrong.", now=timezone.now())
    roll_back_release(by=me, to=to, reason="Wrong.", now=timezone.now())


def rolls_back_at_once(me: User, other: User, clock: Clock) -> None:
    to = str(Release.objects.order_by("sequence").first())
    roll_back_release(by=me, to=to, reason="Wrong.", now=timezone.now())


def approves_what_went_out_alone(me: User, other: User, clock: Clock) -> None:
    for one in SoloRelease.objects.waiting():
        approve_afterwards(by=me, release=str(one.release), now=timezone.now())


def lets_go(me: User, other: User, clock: Clock) -> None:
    for one in HeldBack.objects.all():
        release_hold(by=me, kind=one.kind, record_id=one.record_id, now=timezone.now())


def takes_back(me: User, other: User, clock: Clock) -> None:
    for found in ChangeSet.objects.filter(state="approved"):
        take_back_change_set(by=me, change_set=found.pk, reason="Wrong.", tables={"device": DEVICES})
    take_back_recalls(
        by=me, recall_ids=[r.recall_id for r in Recall.objects.filter(state="approved")], reason="No."
    )
    take_back_rules(by=me, rule_ids=[r.rule_id for r in Rule.objects.filter(state="approved")], reason="No.")


MOVES: list[Move] = [
    writes("s2.one-unit", params=Params(max_units=2)),
    writes("s2.one-unit", effective_from=START.date() + LATER),
    writes("n1.two-units", params=Params(max_units=1)),
    writes("n1.two-units", effective_until=START.date() + LATER),
    withdraws_a_rule,
    withdraws_a_recall,
    recalls,
    describes_a_model,
    approves(by_me=False),
    approves(by_me=True),
    approves_again,
    reads_the_sources,
    accepts_the_failing_cases,
    publishes,
    publishes_one(first=True),
    publishes_one(first=False),
    plans,
    carries_out_plans,
    publishes_alone,
    rolls_back,
    rolls_back_at_once,
    approves_what_went_out_alone,
    lets_go,
    takes_back,
]

WRITING = st.lists(st.sampled_from(MOVES[:8]), min_size=1, max_size=3)
AFTER = st.lists(st.sampled_from(MOVES[8:]), min_size=3, max_size=9)


@pytest.fixture
def a_case(cases: list[Case]) -> list[Case]:
    cases.append(ONE_ONLY)
    return cases


@given(st.lists(st.tuples(WRITING, AFTER), min_size=1, max_size=3))
@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_one_person_makes_no_answer_less_strict(
    world: Clock, a_case: list[Case], rounds: list[tuple[list[Move], list[Move]]]
) -> None:
    start = timezone.now()
    with transaction.atomic():
        me, other = a_user("everything"), a_user("colleague")
        User.objects.filter(pk=me.pk).update(is_superuser=True, is_staff=True)
        me.refresh_from_db()
        for moves in rounds:
            for move in (*moves[0], *moves[1]):
                world.shift(MINUTE)
                before = Release.objects.current()
                try:
                    with transaction.atomic():
                        move(me, other, world)
                except (Refused, ReleaseRefused, IndexError):
                    continue
                after = Release.objects.current()
                assert before is not None
                assert after is not None
                if after == before:
                    continue
                sides = (Corpus(one.read().content) for one in (before, after))
                result = measure(Survey(*sides, today=timezone.localdate()))
                assert (result.lenient, result.causes) == (0, ()), move
        transaction.set_rollback(True)
    world.move_to(start)


def test_the_moves_reach_every_way_to_publish(world: Clock, a_case: list[Case]) -> None:
    """What is stricter goes out by each of them, so the property above is about releases that are made."""
    tightens = writes("n1.two-units", params=Params(max_units=1))
    for ways in (
        [approves(by_me=False), publishes],
        [approves(by_me=False), publishes_one(first=True)],
        [approves(by_me=False), plans, carries_out_plans],
        [publishes_alone],
    ):
        with transaction.atomic():
            me, other = a_user("everything"), a_user("colleague")
            User.objects.filter(pk=me.pk).update(is_superuser=True, is_staff=True)
            me.refresh_from_db()
            before = Release.objects.current()
            for move in (tightens, *ways):
                world.shift(MINUTE)
                move(me, other, world)
            assert Release.objects.current() != before, ways
            assert not PlannedRelease.objects.filter(state="failed").exists()
            transaction.set_rollback(True)
