"""A plan holds changes. It goes out on top of what is current then, if nothing is less strict than shown."""

import datetime
from decimal import Decimal

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone
from msgspec.structs import replace

from catalog.dates import moment_words
from catalog.devices.actions import change_device
from catalog.errors import AlreadyRecorded, Unfit
from catalog.models import Device, Source
from catalog.sources.actions import change_source
from recalls.models import Recall
from rules.cases import Case
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    draft_rule,
    revise_rules,
    submit_rules,
    take_back_rules,
    withdraw_rules,
)
from rules.engine.facts import Params, When
from rules.models import PlannedRelease, Release, Rule
from rules.next_release import compile_content
from rules.publishing.actions.plans import cancel_plan, carry_out_plans, keys_of, why_not
from rules.publishing.actions.releases import publish_release
from rules.publishing.refusals import LeftBehind, SecondApprovalMissing
from rules.publishing.units import pinned
from tests.rules.publishing.test_choosing import (
    CAP,
    TWO_UNITS,
    a_cap,
    a_looser_rule,
    a_lower_energy,
    a_tighter_rule,
    an_urgent_recall,
    current,
    rule_of,
)
from tests.rules.publishing.test_gate import (
    MINUTE,
    ONE_ONLY,
    ONE_UNIT,
    Person,
    cases,
    clock,
    loosen,
    published,
    read_again,
    roll_back,
    world,
)
from tests.rules.publishing.test_screens import PUBLISH, Browser
from tests.rules.publishing.test_waiting import RECALL, publish_alone
from tests.support.choosing import plan, publish
from tests.support.factories import a_rule, a_user
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

Clock = time_machine.Traveller
HOUR, DAY = datetime.timedelta(hours=1), datetime.timedelta(days=1)


@pytest.fixture
def publisher(world: Clock) -> User:
    return Person("publisher", "Publisher").user


def carry_out(clock: Clock, planned: PlannedRelease) -> PlannedRelease:
    """Let the scheduled time of a plan come. Return what became of it."""
    clock.move_to(planned.due)
    carry_out_plans(now=planned.due)
    planned.refresh_from_db()
    return planned


def why_not_now(planned: PlannedRelease) -> str:
    everything = compile_content()
    return why_not(planned, pinned(list(keys_of(planned)), everything), everything)


def without_cap(clock: Clock) -> None:
    """Withdraw the cap with all that this needs, and publish that."""
    clock.shift(MINUTE)
    withdraw_rules(by=a_user("ender"), rule_ids=[CAP], reason="Over.")
    submit_rules(by=a_user("ender"), rule_ids=[CAP])
    approve_rules(by=a_user(APPROVER), rule_ids=[CAP])
    approve_rules_again(by=a_user("second"), rule_ids=[CAP])
    clock.shift(MINUTE)
    read_again(a_user("reader"))
    assert publish(Person("other", "Publisher").user, f"rules:{CAP}") == ""


def test_two_plans_on_two_days_with_an_edit_and_an_urgent_recall_between_them(
    publisher: User, world: Clock
) -> None:
    a_tighter_rule()
    a_looser_rule(world)
    first = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    second = plan(publisher, f"rules:{ONE_UNIT}", after=2 * DAY)
    # An edit that no one planned, and more that waits.
    world.shift(HOUR)
    a_lower_energy()
    draft_rule(by=a_user("writer"), rule=a_rule(rule_id="n1.draft"))

    assert carry_out(world, first).state == "done"
    assert rule_of(current(), TWO_UNITS) == rule_of(compile_content(), TWO_UNITS)
    assert rule_of(current(), ONE_UNIT) != rule_of(compile_content(), ONE_UNIT)

    world.shift(HOUR)
    an_urgent_recall()
    before = current()
    alone = Person("alone", "Publisher")
    publish_alone(alone, recall=RECALL.recall_id)
    assert replace(current(), recalls=before.recalls) == before
    assert Recall.objects.get(recall_id=RECALL.recall_id).state == "published"
    approve_alone(Person("other", "Publisher"))

    assert carry_out(world, second).state == "done"
    assert rule_of(current(), ONE_UNIT) == rule_of(compile_content(), ONE_UNIT)
    assert RECALL.recall_id in {one.recall_id for one in current().recalls}
    # The model of which no one chose the new energy has the old one.
    assert current().devices == before.devices
    assert [str(one.published_by) for one in Release.objects.order_by("sequence")][1:] == [
        "publisher",
        "alone",
        "publisher",
    ]


def approve_alone(by: Person) -> None:
    answer = by.post("/admin/rules/release/publish/approve/", release=str(Release.objects.current()))
    assert answer.status_code == 302


def test_a_release_between_plan_and_time_does_not_end_the_plan(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    planned = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    an_urgent_recall()
    world.shift(HOUR)
    assert publish(publisher, f"recalls:{RECALL.recall_id}") == ""
    assert carry_out(world, planned).state == "done"


def test_a_page_that_is_only_read_again_does_not_end_the_plan(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    read_again(a_user("reader"), "northwing-page")
    planned = plan(publisher, f"rules:{TWO_UNITS}", after=2 * DAY)
    world.shift(DAY)
    read_again(a_user("another reader"), "northwing-page")
    assert carry_out(world, planned).state == "done"


def test_a_plan_stops_when_its_author_read_the_page_last(publisher: User, world: Clock) -> None:
    a_looser_rule(world)
    planned = plan(publisher, f"rules:{ONE_UNIT}", after=DAY)
    world.shift(HOUR)
    read_again(a_user("loosener"))
    assert carry_out(world, planned).state == "failed"
    assert "its own author recorded the reading" in planned.failure


def test_a_plan_does_not_take_what_was_approved_after_it(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    planned = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    an_urgent_recall()
    assert carry_out(world, planned).state == "done"
    assert Recall.objects.get(recall_id=RECALL.recall_id).state == "approved"


# --- What can no longer go ---


def test_a_plan_whose_approval_was_taken_back_cannot_go(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    planned = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    take_back_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS], reason="Not yet.")
    said = f"revision 2 of rule {TWO_UNITS} is no longer approved; so it is no longer what was planned"
    assert why_not_now(planned) == said
    assert (carry_out(world, planned).state, planned.failure) == ("failed", said)
    assert Release.objects.count() == 1


def test_a_plan_whose_second_approval_went_with_the_revision_cannot_go(publisher: User, world: Clock) -> None:
    a_looser_rule(world)
    planned = plan(publisher, f"rules:{ONE_UNIT}", after=DAY)
    take_back_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT], reason="Not yet.")
    # The same words again, with one approval.
    loosen(a_user("loosener"), approver=a_user(APPROVER))
    assert "has a newer revision than the planned one" in carry_out(world, planned).failure
    assert Release.objects.count() == 1


def test_a_plan_whose_record_of_the_catalog_was_changed_cannot_go(publisher: User, world: Clock) -> None:
    a_lower_energy()
    world.shift(MINUTE)
    read_again(a_user("reader"), "puma-page")
    planned = plan(publisher, "devices:puma-30k", after=DAY)
    device = Device.objects.get(pk="puma-30k").to_record()
    change_device(by=a_user("cataloger"), device=replace(device, watt_hour=Decimal("90.00")))
    assert "model puma-30k was changed after it was planned" in carry_out(world, planned).failure


def test_a_page_with_another_address_ends_the_plan_that_cites_it(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    read_again(a_user("reader"), "northwing-page")
    planned = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    page = Source.objects.get(pk="northwing-page").to_record()
    change_source(by=a_user("reader"), source=replace(page, title="Another page"))
    assert "source northwing-page was changed after it was planned" in carry_out(world, planned).failure


def test_a_plan_of_a_person_who_may_no_longer_publish_does_not_go(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    planned = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    publisher.groups.clear()
    assert carry_out(world, planned).failure == "publisher may no longer publish"


def test_what_was_approved_as_no_milder_does_not_become_milder(publisher: User, world: Clock) -> None:
    """A lower energy changes no answer, until a release between has a limit between both."""
    device = Device.objects.get(pk="lynx-27k").to_record()
    change_device(by=a_user("cataloger"), device=replace(device, watt_hour=Decimal("90.00")))
    world.shift(MINUTE)
    read_again(a_user("reader"), "lynx-page")
    planned = plan(publisher, "devices:lynx-27k", after=DAY)
    assert planned.shown["records"] == {}
    rule = a_rule(
        rule_id="n1.up-to-95wh",
        when=When(watt_hour_over=Decimal(95)),
        effect="prohibit",
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(95)),
        summary="Nothing above 95 Wh.",
    )
    draft_rule(by=a_user("writer"), rule=rule)
    submit_rules(by=a_user("writer"), rule_ids=[rule.rule_id])
    approve_rules(by=a_user(APPROVER), rule_ids=[rule.rule_id])
    assert publish(Person("other", "Publisher").user, f"rules:{rule.rule_id}") == ""

    said = carry_out(world, planned).failure
    assert said.startswith("this is less strict than what was shown when it was planned")
    assert "model lynx-27k makes answers less strict" in said
    assert next(one for one in current().devices if one.model_id == "lynx-27k") == device


def test_what_was_hidden_when_it_was_planned_does_not_count_for_answers(
    publisher: User, world: Clock
) -> None:
    """The raise has two approvals, and a cap hid it. When the cap is gone, its planner looks again."""
    a_cap()
    assert publish(publisher, f"rules:{CAP}") == ""
    world.shift(MINUTE)
    a_looser_rule(world)
    planned = plan(publisher, f"rules:{ONE_UNIT}", after=DAY)
    without_cap(world)

    failed = carry_out(world, planned)
    assert f"rule {ONE_UNIT} makes more answers less strict" in failed.failure
    # Whoever looks again sees it, and can plan it again.
    again = plan(publisher, f"rules:{ONE_UNIT}", after=DAY, again=failed.pk)
    failed.refresh_from_db()
    assert failed.state == "canceled"
    assert carry_out(world, again).state == "done"


def test_a_case_that_fails_by_then_stops_the_plan(publisher: User, world: Clock, cases: list[Case]) -> None:
    a_looser_rule(world)
    planned = plan(publisher, f"rules:{ONE_UNIT}", after=DAY)
    cases.append(ONE_ONLY)
    assert ONE_ONLY.name in carry_out(world, planned).failure


def test_a_roll_back_ends_only_plans_of_what_it_rolls_back(publisher: User, world: Clock) -> None:
    """Work on what is rolled back becomes a draft again; other work stays approved, and its plan goes."""
    a_tighter_rule()
    assert publish(publisher, f"rules:{TWO_UNITS}") == ""
    first = Release.objects.order_by("sequence").first()
    assert first is not None
    world.shift(MINUTE)
    revise_rules(by=a_user("tightener"), rule_ids=[TWO_UNITS], reason="Words.")
    record = Rule.objects.get(rule_id=TWO_UNITS, state="draft").to_record()
    change_rule(by=a_user("tightener"), rule=replace(record, summary="One unit only."))
    submit_rules(by=a_user("tightener"), rule_ids=[TWO_UNITS])
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    an_urgent_recall()
    words = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    recall = plan(publisher, f"recalls:{RECALL.recall_id}", after=2 * DAY)
    world.shift(MINUTE)
    one, other = Person("publisher", "Publisher"), Person("other", "Publisher")
    assert roll_back(one, first, request="yes") == ""
    assert roll_back(other, first) == ""

    assert "rule n1.two-units" in carry_out(world, words).failure
    assert carry_out(world, recall).state == "done"


def test_what_stays_behind_at_the_time_counts_as_well(publisher: User, world: Clock) -> None:
    a_looser_rule(world)
    planned = plan(publisher, f"rules:{ONE_UNIT}", after=DAY)
    a_cap()
    assert f"rule {CAP} stays behind: choose it, too" in carry_out(world, planned).failure


# --- Planning ---


def test_what_is_not_published_now_is_not_planned(publisher: User, world: Clock) -> None:
    a_looser_rule(world)
    a_cap()
    with pytest.raises(LeftBehind):
        plan(publisher, f"rules:{ONE_UNIT}", after=DAY)
    loosener = Person("loosener", "Publisher").user
    with pytest.raises(SecondApprovalMissing, match="you wrote it"):
        plan(loosener, f"rules:{ONE_UNIT}", f"rules:{CAP}", after=DAY)


def test_a_plan_is_for_a_day_within_reach(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    too_late = r"2036, \d\d:\d\d UTC is more than 400 days ahead; a rule that begins so late"
    with pytest.raises(Unfit, match=too_late):
        plan(publisher, f"rules:{TWO_UNITS}", after=3650 * DAY)
    with pytest.raises(Unfit, match="is in the past"):
        plan(publisher, f"rules:{TWO_UNITS}", after=-DAY)
    assert plan(publisher, f"rules:{TWO_UNITS}", after=400 * DAY).state == "planned"


def test_the_calendar_has_the_time_of_each_plan_and_leads_to_it(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    planned = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    page = Browser("Viewer").page(PUBLISH)
    calendar = page.partition("What happens")[2]
    assert moment_words(planned.due) in calendar
    assert f'href="{PUBLISH}#plan-{planned.pk}"' in calendar
    assert f'id="plan-{planned.pk}"' in page


def test_no_record_is_in_two_plans(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    first = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    with pytest.raises(AlreadyRecorded, match=r"is already planned for 2\d November 2026, "):
        plan(publisher, f"rules:{TWO_UNITS}", after=2 * DAY)
    cancel_plan(by=publisher, plan_id=first.pk, now=timezone.now())
    plan(publisher, f"rules:{TWO_UNITS}", after=2 * DAY)


def test_a_plan_that_failed_stays_until_it_is_canceled(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    planned = plan(publisher, f"rules:{TWO_UNITS}", after=DAY)
    take_back_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS], reason="Not yet.")
    failed = carry_out(world, planned)
    publish_nothing_of_it(world)
    failed.refresh_from_db()
    assert (failed.state, failed.authors) == ("failed", [a_user("tightener").pk])
    why = failed.failure
    cancel_plan(by=publisher, plan_id=failed.pk, now=timezone.now())
    failed.refresh_from_db()
    assert (failed.state, failed.failure) == ("canceled", why)


def publish_nothing_of_it(world: Clock) -> None:
    an_urgent_recall()
    world.shift(MINUTE)
    publish_release(by=a_user("other"), note="A recall.", now=timezone.now(), cases=())


def test_plans_go_out_in_the_order_of_their_times(publisher: User, world: Clock) -> None:
    a_tighter_rule()
    an_urgent_recall()
    later = plan(publisher, f"rules:{TWO_UNITS}", after=2 * DAY)
    earlier = plan(publisher, f"recalls:{RECALL.recall_id}", after=DAY)
    world.shift(3 * DAY)
    ended = [carry_out_plans(now=timezone.now()) for _ in range(3)]
    assert ended == [earlier, later, None]
    assert {one.state for one in PlannedRelease.objects.all()} == {"done"}
