"""One person with every role, and a second account that may only view, at the desk's own addresses.

Each attack sends what a browser, or a program with the session of a browser, can send. What other people did
before is prepared by their actions. Every attack is refused with a sentence, and no verdict becomes another.
"""

import datetime
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec
import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from msgspec.structs import replace

from catalog.devices.actions import record_device
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.actions import propose, return_to_author
from catalog.models import Airline, Brand, ChangeSet, Device, Source
from catalog.screens.record_forms import digest as digest_of
from recalls.editing.actions import (
    approve_recalls,
    change_recall,
    draft_recall,
    revise_recalls,
    submit_recalls,
    withdraw_recalls,
)
from recalls.models import Recall
from rules.cases import Case, Expect, Given, judge, outcome
from rules.disagreements.actions import (
    approve_disagreements,
    draft_disagreement,
    submit_disagreements,
)
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    draft_rule,
    revise_rules,
    submit_rules,
    withdraw_rules,
)
from rules.impact import measurements
from rules.impact.actions import measuring
from rules.impact.actions.measuring import work_off
from rules.models import AcceptedCase, ImpactMeasurement, PlannedRelease, Release, Rule, SoloRelease
from rules.next_release import compile_content
from rules.publishing.actions.plans import carry_out_plans
from rules.releases.ledger import canonical_text, digest
from tests.rules.publishing.test_gate import (
    ALL,
    ITS_SOURCE,
    LIST,
    MINUTE,
    NO_SECOND,
    ONE_ONLY,
    ONE_UNIT,
    OWN,
    OWN_PUBLISHING,
    OWN_READING,
    PUBLISH,
    START,
    Person,
    accept,
    cases,
    clock,
    loosen,
    published,
    read_again,
    roll_back,
    tighten,
    world,
)
from tests.support.desk.filling_in import fields_of, save
from tests.support.desk.publishing import shown_alone
from tests.support.factories import a_device, a_disagreement, a_rule, a_user
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

EVERY_ROLE = (*ALL, "Viewer", "Partner manager", "Auditor")
TWO_UNITS, PERMIT, PUMA = "n1.two-units", "s2.cabin-up-to-100wh", "puma-30k"
LATER = START + datetime.timedelta(hours=1)
FORBIDDEN = "403 "
ALONE = "one person alone publishes only what makes no verdict less strict"
TWO_PEOPLE = "so it takes two people"
ADDS = "one person alone only adds"
OWN_EVIDENCE = "you changed or read what this release cites"
REPEATED, MASKED = "n1.approval-over-100wh", "xb-puma-50k-2026"
CHANGED = "rows have changed since this page was shown"
NOTHING_NEW = "nothing has changed since release"
NOTHING_CHOSEN = "no revision is ticked"
AGAIN = "second approval must be by another person"


class Attack(NamedTuple):
    """The person with every role, their second account, who may only view, and the clock."""

    me: Person
    second: Person
    clock: time_machine.Traveller
    cases: list[Case]


def said(answer: HttpResponse) -> str:
    """Return the status of an answer with what it says; for a redirect, nothing."""
    return "" if answer.status_code == 302 else f"{answer.status_code} {answer.content.decode()}"


def shown() -> dict[str, str]:
    """Return the hidden fields of the publishing page."""
    return {
        "base": str(Release.objects.current()),
        "content_sha256": digest(canonical_text(compile_content())),
    }


def publish(by: Person, **fields: str) -> str:
    return said(by.post(PUBLISH, **{"note": "News.", **shown(), **fields}))


def plan(by: Person, **fields: str) -> str:
    sent = {"note": "Later.", "due": f"{LATER:%Y-%m-%dT%H:%M}", **shown(), **fields}
    return said(by.post(f"{PUBLISH}plan/", **sent))


def alone(by: Person, **fields: Any) -> str:
    return said(by.post(f"{PUBLISH}alone/", **{**shown_alone(), "reason": "Hurry.", **fields}))


def press(by: Person, action: str, rule_id: str = ONE_UNIT, **fields: str) -> str:
    row = Rule.objects.filter(rule_id=rule_id).latest("revision")
    sent = {"seen": digest_of(row.to_record()), **fields}
    return said(by.post(f"/admin/rules/rule/{row.pk}/do/{action}/", **sent))


def press_for_many(by: Person, action: str, rule_id: str = ONE_UNIT) -> str:
    row = Rule.objects.filter(rule_id=rule_id).latest("revision")
    shown = [row.pk, row.stable_id, digest_of(row.to_record()), "no answer", False]
    sent = {"seen": msgspec.json.encode([shown]).decode(), "take": str(row.pk)}
    return said(by.post(f"/admin/rules/rule/do/{action}/", **sent))


def approve_set(by: Person) -> str:
    return said(by.post(f"/admin/catalog/changeset/{ChangeSet.objects.latest('pk').pk}/do/approve/"))


def lower(by: Person, **fields: Any) -> str:
    sent = {"watt_hour": "99", **fields}
    return said(save(by, f"/admin/catalog/device/{PUMA}/change/", **sent))  # type: ignore[arg-type]


def ready(author: Person, clock: time_machine.Traveller) -> None:
    """Let others do all that the looser rule of an author needs, but for its publishing."""
    loosen(author.user, approver=a_user(APPROVER), second=a_user("second"))
    clock.shift(MINUTE)
    read_again(a_user("reader"))


def a_lenient_release_before(one: Attack) -> Release:
    """Let others publish something stricter. Return the release before it."""
    lenient = Release.objects.current()
    assert lenient is not None
    tighten(a_user())
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    return lenient


# --- Approving ---


def approve_own(one: Attack) -> str:
    loosen(one.me.user)
    return press(one.me, "approve")


def approve_own_in_a_list(one: Attack) -> str:
    loosen(one.me.user)
    return press_for_many(one.me, "approve")


def approve_own_again(one: Attack) -> str:
    loosen(one.me.user, approver=a_user(APPROVER))
    return press(one.me, "approve_again")


def approve_own_again_in_a_list(one: Attack) -> str:
    loosen(one.me.user, approver=a_user(APPROVER))
    return press_for_many(one.me, "approve_again")


def approve_twice(one: Attack) -> str:
    loosen(a_user("other"))
    assert press(one.me, "approve") == ""
    return press(one.me, "approve_again")


def approve_twice_in_two_sessions(one: Attack) -> str:
    loosen(a_user("other"))
    assert press(one.me, "approve") == ""
    return press_for_many(Person(str(one.me.user), *EVERY_ROLE), "approve_again")


def approve_with_the_second_account(one: Attack) -> str:
    loosen(one.me.user)
    return press(one.second, "approve")


def approve_in_a_list_with_the_second_account(one: Attack) -> str:
    loosen(one.me.user)
    return press_for_many(one.second, "approve")


def approve_what_was_shown_before(one: Attack) -> str:
    """Replay the button of an earlier text of a rule."""
    loosen(a_user("other"))
    first = Rule.objects.get(rule_id=ONE_UNIT, state="in_review")
    return press(one.me, "approve", seen=digest_of(replace(first.to_record(), summary="As shown.")))


def approve_by_a_field(one: Attack) -> str:
    """Save the form of a published rule with fields that it does not show."""
    row = Rule.objects.get(rule_id=ONE_UNIT)
    sent = {"max_units": "2", "state": "approved", "approved_by": str(one.me.user.pk), "params": "{}"}
    return said(one.me.post(f"/admin/rules/rule/{row.pk}/change/", **sent))


# --- Authorship ---


def bring_back(one: Attack, rule_id: str, by: User) -> str:
    """Let others withdraw a rule, and one of them bring it back. Return the first person's publishing."""
    ending, approver, second = a_user("ending"), a_user(APPROVER), a_user("second")
    withdraw_rules(by=ending, rule_ids=[rule_id], reason="Over.")
    submit_rules(by=ending, rule_ids=[rule_id])
    approve_rules(by=approver, rule_ids=[rule_id])
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    friend = Person("friend", "Editor")
    assert press(friend, "revise", rule_id, reason="It is back.") == ""
    submit_rules(by=friend.user, rule_ids=[rule_id])
    approve_rules(by=approver, rule_ids=[rule_id])
    approve_rules_again(by=second, rule_ids=[rule_id])
    one.clock.shift(MINUTE)
    read_again(a_user("reader"))
    return publish(Person(str(by), *EVERY_ROLE))


def publish_the_own_words_after_a_withdrawal(one: Attack) -> str:
    """Publish what another person brought back, and the same person wrote before it was withdrawn."""
    return bring_back(one, PERMIT, a_user())


def publish_the_own_loosening_after_a_withdrawal(one: Attack) -> str:
    """Let a withdrawal carry a loosening that was approved and not published."""
    revise_rules(by=one.me.user, rule_ids=[PERMIT], reason="The page has changed.")
    row = Rule.objects.get(rule_id=PERMIT, state="draft")
    before = row.to_record()
    change_rule(by=one.me.user, rule=replace(before, when=replace(before.when, watt_hour_up_to=Decimal(160))))
    submit_rules(by=one.me.user, rule_ids=[PERMIT])
    approve_rules(by=a_user(APPROVER), rule_ids=[PERMIT])
    refused = bring_back(one, PERMIT, one.me.user)
    assert Rule.objects.filter(rule_id=PERMIT).latest("revision").to_record() == before
    return refused


# --- Publishing ---


def publish_own(one: Attack) -> str:
    ready(one.me, one.clock)
    return publish(one.me)


def publish_own_withdrawal(one: Attack) -> str:
    withdraw_rules(by=one.me.user, rule_ids=[ONE_UNIT], reason="Over.")
    submit_rules(by=one.me.user, rule_ids=[ONE_UNIT])
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    return publish(one.me)


def publish_own_reading(one: Attack) -> str:
    """Read the own evidence again by the button, and let another person publish."""
    loosen(one.me.user, approver=a_user(APPROVER), second=a_user("second"))
    one.clock.shift(MINUTE)
    assert said(one.me.post(f"/admin/catalog/source/{ITS_SOURCE}/read-again/")) == ""
    return publish(Person("publisher", "Publisher"))


def publish_with_the_second_account(one: Attack) -> str:
    ready(one.me, one.clock)
    return publish(one.second)


def publish_something_else_than_was_shown(one: Attack) -> str:
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    before = shown()
    ready(one.me, one.clock)
    return publish(one.me, **before)


def publish_after_another_release(one: Attack) -> str:
    before = shown()
    a_lenient_release_before(one)
    ready(one.me, one.clock)
    return publish(one.me, **before)


def publish_twice(one: Attack) -> str:
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    before = shown()
    assert publish(one.me, **before) == ""
    return publish(one.me, **before)


def publish_a_forged_digest(one: Attack) -> str:
    ready(one.me, one.clock)
    return publish(one.me, content_sha256="0" * 64)


def measure_and_then_change(one: Attack) -> str:
    """Measure something stricter, and publish something milder by what was measured."""
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    one.me.post("/admin/rules/impactmeasurement/publishing/")
    assert ImpactMeasurement.objects.filter(state="done").exists()
    loosen(one.me.user, approver=a_user(APPROVER))
    return publish(one.me)


# --- Planning ---


def plan_own(one: Attack) -> str:
    ready(one.me, one.clock)
    return plan(one.me)


def plan_with_the_second_account(one: Attack) -> str:
    ready(one.me, one.clock)
    return plan(one.second)


def plan_in_the_past(one: Attack) -> str:
    ready(Person("other", "Editor"), one.clock)
    return plan(one.me, due="2026-11-20T09:00")


def plan_and_change_until_then(one: Attack) -> str:
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    assert plan(one.me) == ""
    revise_rules(by=one.me.user, rule_ids=[TWO_UNITS], reason="More is coming.")
    record = Rule.objects.get(rule_id=TWO_UNITS, state="draft").to_record()
    change_rule(by=one.me.user, rule=replace(record, params=replace(record.params, max_units=3)))
    submit_rules(by=one.me.user, rule_ids=[TWO_UNITS])
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    one.clock.move_to(LATER)
    carry_out_plans(now=LATER)
    return PlannedRelease.objects.get().failure


def plan_and_lose_the_role(one: Attack) -> str:
    ready(Person("other", "Editor"), one.clock)
    assert plan(one.me) == ""
    one.me.user.groups.clear()
    one.clock.move_to(LATER)
    carry_out_plans(now=LATER)
    return PlannedRelease.objects.get().failure


# --- Alone ---


def alone_what_is_approved(one: Attack) -> str:
    loosen(one.me.user, approver=a_user(APPROVER))
    return alone(one.me, rule=ONE_UNIT)


def alone_what_is_in_review(one: Attack) -> str:
    loosen(one.me.user)
    return alone(one.me, rule=ONE_UNIT)


def alone_something_stricter_with_it(one: Attack) -> str:
    loosen(one.me.user)
    tighten(one.me.user)
    return alone(one.me, rule=[ONE_UNIT, TWO_UNITS])


def alone_a_withdrawal(one: Attack) -> str:
    withdraw_rules(by=one.me.user, rule_ids=[ONE_UNIT], reason="Over.")
    submit_rules(by=one.me.user, rule_ids=[ONE_UNIT])
    return alone(one.me, rule=ONE_UNIT)


def alone_the_end_of_a_recall(one: Attack) -> str:
    withdraw_recalls(by=one.me.user, recall_ids=["xb-puma-30k-2026"], reason="Over.")
    submit_recalls(by=one.me.user, recall_ids=["xb-puma-30k-2026"])
    return alone(one.me, recall="xb-puma-30k-2026")


def alone_a_draft(one: Attack) -> str:
    press(one.me, "revise", reason="The page has changed.")
    return alone(one.me, rule=ONE_UNIT)


def alone_for_a_release_that_is_not_current(one: Attack) -> str:
    tighten(one.me.user)
    return alone(one.me, rule=TWO_UNITS, base="2020-01-01")


def alone_with_the_second_account(one: Attack) -> str:
    tighten(one.me.user)
    return alone(one.second, rule=TWO_UNITS)


def alone_with_another_measurement(one: Attack) -> str:
    """Measure something stricter, and tick something milder as well."""
    tighten(one.me.user)
    loosen(one.me.user)
    assert said(one.me.post(f"{PUBLISH}measure-alone/", rule=TWO_UNITS)) == ""
    return alone(one.me, rule=[TWO_UNITS, ONE_UNIT])


def approve_the_own_release(one: Attack) -> str:
    tighten(one.me.user)
    assert alone(one.me, rule=TWO_UNITS) == ""
    return said(one.me.post(f"{PUBLISH}approve/", release=str(SoloRelease.objects.get().release)))


def approve_the_own_release_with_the_second_account(one: Attack) -> str:
    tighten(one.me.user)
    assert alone(one.me, rule=TWO_UNITS) == ""
    return said(one.second.post(f"{PUBLISH}approve/", release=str(SoloRelease.objects.get().release)))


# --- Alone: what no verdict shows ---


def alone_a_rule(one: Attack, rule_id: str, **changes: Any) -> str:
    """Change a rule and publish it alone."""
    revise_rules(by=one.me.user, rule_ids=[rule_id], reason="The page has changed.")
    record = Rule.objects.get(rule_id=rule_id, state="draft").to_record()
    change_rule(by=one.me.user, rule=replace(record, **changes))
    submit_rules(by=one.me.user, rule_ids=[rule_id])
    return alone(one.me, rule=rule_id)


def alone_the_end_of_a_requirement_that_another_rule_repeats(one: Attack) -> str:
    withdraw_rules(by=one.me.user, rule_ids=[REPEATED], reason="Over.")
    submit_rules(by=one.me.user, rule_ids=[REPEATED])
    return alone(one.me, rule=REPEATED)


def alone_the_end_of_conduct(one: Attack) -> str:
    """Take away how to carry a unit, which no verdict shows."""
    other = a_user("other")
    conduct = a_rule(rule_id="n1.no-use", effect="require", code="no_onboard_use", summary="No use on board.")
    draft_rule(by=other, rule=conduct)
    submit_rules(by=other, rule_ids=["n1.no-use"])
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.no-use"])
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    withdraw_rules(by=one.me.user, rule_ids=["n1.no-use"], reason="Over.")
    submit_rules(by=one.me.user, rule_ids=["n1.no-use"])
    return alone(one.me, rule="n1.no-use")


def alone_a_narrower_requirement(one: Attack) -> str:
    record = Rule.objects.get(rule_id=REPEATED).to_record()
    return alone_a_rule(one, REPEATED, when=replace(record.when, compartment=("carry_on",)))


def alone_other_words(one: Attack) -> str:
    return alone_a_rule(one, ONE_UNIT, summary="Ask at the counter.")


def alone_another_citation(one: Attack) -> str:
    return alone_a_rule(one, ONE_UNIT, sources=("intl-page",))


def alone_the_end_of_a_recall_of_what_is_banned_anyway(one: Attack) -> str:
    withdraw_recalls(by=one.me.user, recall_ids=[MASKED], reason="Over.")
    submit_recalls(by=one.me.user, recall_ids=[MASKED])
    return alone(one.me, recall=MASKED)


def alone_another_remedy(one: Attack) -> str:
    revise_recalls(by=one.me.user, recall_ids=[MASKED], reason="News.")
    record = Recall.objects.get(recall_id=MASKED, state="draft").to_record()
    change_recall(by=one.me.user, recall=replace(record, remedy="None."))
    submit_recalls(by=one.me.user, recall_ids=[MASKED])
    return alone(one.me, recall=MASKED)


# --- What is cited ---


def retitle(by: Person) -> str:
    return said(save(by, f"/admin/catalog/source/{ITS_SOURCE}/change/", title="Newer rules"))  # type: ignore[arg-type]


def publish_a_title(one: Attack) -> str:
    assert retitle(one.me) == ""
    return publish(one.me)


def publish_a_title_with_what_others_wrote(one: Attack) -> str:
    assert retitle(one.me) == ""
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    return publish(one.me)


def plan_a_title(one: Attack) -> str:
    assert retitle(one.me) == ""
    return plan(one.me)


def publish_another_publisher_of_a_page(one: Attack) -> str:
    page = f"/admin/catalog/source/{ITS_SOURCE}/change/"
    assert said(save(one.me, page, authority="The ministry", kind="regulator")) == ""  # type: ignore[arg-type]
    return publish(one.me)


def publish_a_later_reading(one: Attack) -> str:
    assert said(one.me.post(f"/admin/catalog/source/{ITS_SOURCE}/read-again/")) == ""
    return publish(one.me)


def import_a_title(one: Attack) -> str:
    path = "/admin/catalog/source/"
    rows = json.loads(one.me.client.get(f"{path}export/json/").content)
    changed = [row | {"title": "Newer rules"} for row in rows if row["id"] == ITS_SOURCE]
    file = SimpleUploadedFile("sources.json", json.dumps(changed).encode())
    page = one.me.post(f"{path}import/", file=file).content.decode()
    agreed = page.partition('name="agreed" value="')[2].partition('"')[0]
    assert said(one.me.post(f"{path}import/", agreed=agreed)) == ""
    return publish(one.me)


# --- Rolling back ---


def roll_back_a_recall_of_what_is_banned_anyway(one: Attack) -> str:
    """Take away a later recall that no verdict shows."""
    first = Release.objects.current()
    assert first is not None
    later = replace(Recall.objects.get(recall_id=MASKED).to_record(), recall_id="xa-puma-50k-2026")
    draft_recall(by=a_user("other"), recall=later)
    submit_recalls(by=a_user("other"), recall_ids=["xa-puma-50k-2026"])
    approve_recalls(by=a_user(APPROVER), recall_ids=["xa-puma-50k-2026"])
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    return roll_back(one.me, first)


def roll_back_alone(one: Attack) -> str:
    return roll_back(one.me, a_lenient_release_before(one))


def roll_back_what_one_requested(one: Attack) -> str:
    lenient = a_lenient_release_before(one)
    assert roll_back(one.me, lenient, request="yes") == ""
    return roll_back(one.me, lenient)


def roll_back_with_the_second_account(one: Attack) -> str:
    lenient = a_lenient_release_before(one)
    assert roll_back(one.me, lenient, request="yes") == ""
    return said(one.second.post(f"{LIST}{lenient.pk}/roll-back/", reason="So.", shown="x"))


def request_with_the_second_account(one: Attack) -> str:
    lenient = a_lenient_release_before(one)
    return said(one.second.post(f"{LIST}{lenient.pk}/roll-back/", reason="So.", shown="x", request="yes"))


def request_twice(one: Attack) -> str:
    lenient = a_lenient_release_before(one)
    assert roll_back(one.me, lenient, request="yes") == ""
    return roll_back(one.me, lenient, request="yes")


def release_a_hold(one: Attack) -> str:
    """Release the hold on a model that a roll-back took out, and publish it."""
    first = Release.objects.current()
    assert first is not None
    record_device(by=a_user("other"), device=a_device(model_id="lynx-new", model_name="Lynx New"))
    read_again(a_user("reader"), "northwing-page")
    assert publish(Person("publisher", "Publisher")) == ""
    one.clock.shift(MINUTE)
    assert roll_back(Person("publisher", "Publisher"), first, request="yes") == ""
    assert roll_back(Person("other-publisher", "Publisher"), first) == ""
    one.clock.shift(MINUTE)
    assert said(one.me.post(f"{PUBLISH}let-go/", kind="devices", record="lynx-new")) == ""
    return publish(one.me)


# --- Cases ---


def accept_the_own_case(one: Attack) -> str:
    loosen(one.me.user, approver=a_user(APPROVER))
    one.cases.append(ONE_ONLY)
    return accept(one.me)


def accept_a_case_twice(one: Attack) -> str:
    loosen(a_user("other"), approver=a_user(APPROVER))
    one.cases.append(ONE_ONLY)
    assert accept(one.me) == ""
    refused = accept(one.me)
    assert not AcceptedCase.objects.get().counts
    return refused


def accept_a_case_with_the_second_account(one: Attack) -> str:
    loosen(one.me.user, approver=a_user(APPROVER))
    one.cases.append(ONE_ONLY)
    return said(one.second.post(f"{PUBLISH}accept-case/", name=ONE_ONLY.name, reason="So.", shown="x"))


# --- The catalog ---


def lower_an_energy(one: Attack) -> str:
    assert lower(one.me) == ""
    return approve_set(one.me)


def lower_an_energy_with_more_fields(one: Attack) -> str:
    more = {"state": "approved", "authors": "[]", "changed_by": "1", "decided_by": str(one.me.user.pk)}
    assert lower(one.me, **more) == ""
    return approve_set(one.me)


def lower_an_energy_and_publish(one: Attack) -> str:
    assert lower(one.me) == ""
    return publish(one.me)


def lower_an_energy_with_the_second_account(one: Attack) -> str:
    assert lower(one.me) == ""
    return approve_set(one.second)


def take_over_a_change_that_waits(one: Attack) -> str:
    """Name the change set of another person in a field that the form hides."""
    puma = Device.objects.get(pk=PUMA).to_record()
    assert lower(one.me) == ""
    mine = ChangeSet.objects.get()
    fields = {"replaces": str(mine.pk), "watt_hour": "20", "watt_hour_basis": "rated", "reason": "So."}
    refused = said(save(one.me, "/admin/catalog/device/heron-9/change/", **fields))  # type: ignore[arg-type]
    assert Device.objects.get(pk=PUMA).to_record() == puma
    return refused


def approve_what_one_took_over(one: Attack) -> str:
    """Correct what another person's returned set says, and approve it."""
    puma = Device.objects.get(pk=PUMA).to_record()
    other = propose(DEVICES, [replace(puma, watt_hour=Decimal(98))], by=a_user("other"), subject=PUMA)
    assert other is not None
    return_to_author(other.pk, by=a_user(APPROVER), reason="No.")
    assert lower(one.me, replaces=str(other.pk)) == ""
    return approve_set(one.me)


def import_an_energy(one: Attack) -> str:
    path = "/admin/catalog/device/"
    rows = json.loads(one.me.client.get(f"{path}export/json/").content)
    changed = [row | {"watt_hour": "99.00"} for row in rows if row["model_id"] == PUMA]
    file = SimpleUploadedFile("models.json", json.dumps(changed).encode())
    page = one.me.post(f"{path}import/", file=file, reason="So.").content.decode()
    agreed = page.partition('name="agreed" value="')[2].partition('"')[0]
    assert said(one.me.post(f"{path}import/", agreed=agreed, names_confirmed="on")) == ""
    return approve_set(one.me)


def import_a_reading_in_the_future(one: Attack) -> str:
    path = "/admin/catalog/source/"
    rows = json.loads(one.me.client.get(f"{path}export/json/").content)
    changed = [row | {"read_on": "2027-12-31"} for row in rows if row["id"] == ITS_SOURCE]
    file = SimpleUploadedFile("sources.json", json.dumps(changed).encode())
    return said(one.me.post(f"{path}import/", file=file))


def read_in_the_future(one: Attack) -> str:
    return said(save(one.me, f"/admin/catalog/source/{ITS_SOURCE}/change/", read_on="2027-12-31"))  # type: ignore[arg-type]


def confirm_an_airline(one: Attack) -> str:
    fields = {"confidence": "confirmed", "evidence-source": ["intl-page"]}
    assert said(save(one.me, "/admin/catalog/airline/U3/change/", **fields)) == ""  # type: ignore[arg-type]
    assert Airline.objects.get(pk="U3").policy.confidence == "unverified"
    return approve_set(one.me)


def delete_a_model(one: Attack) -> str:
    one.me.post(f"/admin/catalog/device/{PUMA}/delete/", post="yes")
    return publish(one.me)


def delete_an_airline(one: Attack) -> str:
    one.me.post("/admin/catalog/airline/U3/delete/", post="yes")
    return publish(one.me)


def delete_a_rule(one: Attack) -> str:
    row = Rule.objects.get(rule_id=ONE_UNIT)
    return said(one.me.post(f"/admin/rules/rule/{row.pk}/delete/", post="yes"))


def delete_a_recall(one: Attack) -> str:
    row = Recall.objects.get(recall_id="xb-puma-30k-2026")
    return said(one.me.post(f"/admin/recalls/recall/{row.pk}/delete/", post="yes"))


def swap(one: Attack, kind: str, field: str, first: str, second: str, **more: str) -> str:
    """Give two records the names of each other, and publish."""
    pages = [f"/admin/catalog/{kind}/{record}/change/" for record in (first, second)]
    names = [fields_of(one.me, page)[field][0] for page in pages]  # type: ignore[arg-type]
    for page, name in zip(pages, reversed(names), strict=True):
        save(one.me, page, **{field: name, **more})  # type: ignore[arg-type]
    return publish(one.me)


def swap_two_airlines(one: Attack) -> str:
    return swap(one, "airline", "name", "S2", "N1")


def swap_two_models(one: Attack) -> str:
    return swap(one, "device", "model_name", "puma-50k", "lynx-27k", model_number="")


def swap_two_brands(one: Attack) -> str:
    """Brands have different names at every moment, so one of them is renamed twice."""
    page = "/admin/catalog/brand/{}/change/".format
    save(one.me, page("puma"), name="Between")  # type: ignore[arg-type]
    save(one.me, page("lynx"), name="Puma")  # type: ignore[arg-type]
    save(one.me, page("between"), name="Lynx") if Brand.objects.filter(pk="between") else None  # type: ignore[arg-type]
    return publish(one.me)


def name_a_banned_model_as_an_alias(one: Attack) -> str:
    fields = {"aliases-text": ["Puma 50K"]}
    assert said(save(one.me, "/admin/catalog/device/lynx-27k/change/", **fields)) == ""  # type: ignore[arg-type]
    return approve_set(one.me)


def import_names(one: Attack) -> str:
    path = "/admin/catalog/airline/"
    rows = json.loads(one.me.client.get(f"{path}export/json/").content)
    changed = [row | {"name": "Northwing"} for row in rows if row["airline"] == "S2"]
    file = SimpleUploadedFile("airlines.json", json.dumps(changed).encode())
    page = one.me.post(f"{path}import/", file=file).content.decode()
    agreed = page.partition('name="agreed" value="')[2].partition('"')[0]
    assert said(one.me.post(f"{path}import/", agreed=agreed)) == ""
    return publish(one.me)


def restate_a_policy(one: Attack) -> str:
    fields = {"summary": "No limit.", "policy_url": "https://elsewhere.example/"}
    assert said(save(one.me, "/admin/catalog/airline/S2/change/", **fields)) == ""  # type: ignore[arg-type]
    return publish(one.me)


def move_a_country(one: Attack) -> str:
    return said(one.me.post("/admin/catalog/jurisdiction/XA/change/", code="XA", member_of=""))


# --- Accounts ---


def take_more_roles(one: Attack) -> str:
    return said(one.me.post(f"/admin/auth/user/{one.me.user.pk}/change/", is_superuser="on", is_staff="on"))


def give_the_second_account_roles(one: Attack) -> str:
    return said(one.me.post(f"/admin/auth/user/{one.second.user.pk}/change/", groups=["1", "2", "3"]))


def make_a_third_account(one: Attack) -> str:
    fields = {"username": "third", "password1": "correct-horse-9", "password2": "correct-horse-9"}
    return said(one.me.post("/admin/auth/user/add/", **fields))


def sign_in_as_another(one: Attack) -> str:
    fields = {"password1": "correct-horse-9", "password2": "correct-horse-9"}
    return said(one.me.post(f"/admin/auth/user/{a_user(APPROVER).pk}/password/", **fields))


def make_a_group(one: Attack) -> str:
    return said(one.me.post("/admin/auth/group/add/", name="All", permissions=["1"]))


ATTACKS: list[tuple[str, Callable[[Attack], str]]] = [
    (OWN, approve_own),
    (OWN, approve_own_in_a_list),
    (OWN, approve_own_again),
    (OWN, approve_own_again_in_a_list),
    (AGAIN, approve_twice),
    (AGAIN, approve_twice_in_two_sessions),
    (FORBIDDEN, approve_with_the_second_account),
    (FORBIDDEN, approve_in_a_list_with_the_second_account),
    ("has changed since you opened it", approve_what_was_shown_before),
    (FORBIDDEN, approve_by_a_field),
    (OWN_PUBLISHING, publish_the_own_words_after_a_withdrawal),
    (OWN_PUBLISHING, publish_the_own_loosening_after_a_withdrawal),
    (OWN_PUBLISHING, publish_own),
    (NO_SECOND, publish_own_withdrawal),
    (OWN_READING, publish_own_reading),
    (FORBIDDEN, publish_with_the_second_account),
    (CHANGED, publish_something_else_than_was_shown),
    ("after this was shown", publish_after_another_release),
    ("after this was shown", publish_twice),
    (CHANGED, publish_a_forged_digest),
    (NO_SECOND, measure_and_then_change),
    (OWN_PUBLISHING, plan_own),
    (FORBIDDEN, plan_with_the_second_account),
    ("is in the past", plan_in_the_past),
    ("rule n1.two-units has a newer revision than the planned one", plan_and_change_until_then),
    ("may no longer publish", plan_and_lose_the_role),
    (ALONE, alone_what_is_approved),
    (ALONE, alone_what_is_in_review),
    (ALONE, alone_something_stricter_with_it),
    (ALONE, alone_a_withdrawal),
    (ALONE, alone_the_end_of_a_recall),
    ("is draft, not in review", alone_a_draft),
    ("after this was shown", alone_for_a_release_that_is_not_current),
    (FORBIDDEN, alone_with_the_second_account),
    (ALONE, alone_with_another_measurement),
    (ADDS, alone_the_end_of_a_requirement_that_another_rule_repeats),
    (ADDS, alone_the_end_of_conduct),
    (ADDS, alone_a_narrower_requirement),
    (ADDS, alone_other_words),
    (ADDS, alone_another_citation),
    (ADDS, alone_the_end_of_a_recall_of_what_is_banned_anyway),
    (ADDS, alone_another_remedy),
    (OWN_EVIDENCE, publish_a_title),
    (OWN_EVIDENCE, publish_a_title_with_what_others_wrote),
    (OWN_EVIDENCE, plan_a_title),
    (OWN_EVIDENCE, publish_another_publisher_of_a_page),
    (OWN_EVIDENCE, publish_a_later_reading),
    (OWN_EVIDENCE, import_a_title),
    (TWO_PEOPLE, roll_back_a_recall_of_what_is_banned_anyway),
    ("you published it or wrote in it", approve_the_own_release),
    (FORBIDDEN, approve_the_own_release_with_the_second_account),
    (TWO_PEOPLE, roll_back_alone),
    (TWO_PEOPLE, roll_back_what_one_requested),
    (FORBIDDEN, roll_back_with_the_second_account),
    (FORBIDDEN, request_with_the_second_account),
    ("you requested this roll-back already", request_twice),
    ("released its hold, so another person must publish it", release_a_hold),
    ("you wrote something in the next release", accept_the_own_case),
    ("needs a second reviewer, and you are the first", accept_a_case_twice),
    (FORBIDDEN, accept_a_case_with_the_second_account),
    (OWN, lower_an_energy),
    (OWN, lower_an_energy_with_more_fields),
    (NOTHING_NEW, lower_an_energy_and_publish),
    (FORBIDDEN, lower_an_energy_with_the_second_account),
    ("is waiting already", take_over_a_change_that_waits),
    (OWN, approve_what_one_took_over),
    (OWN, import_an_energy),
    ("that is in the future", import_a_reading_in_the_future),
    ("that is in the future", read_in_the_future),
    (OWN, confirm_an_airline),
    (NOTHING_NEW, swap_two_airlines),
    (NOTHING_NEW, swap_two_models),
    (NOTHING_NEW, swap_two_brands),
    (OWN, name_a_banned_model_as_an_alias),
    (NOTHING_NEW, import_names),
    (NOTHING_NEW, restate_a_policy),
    # A deletion waits for another person's approval, if anything may be deleted.
    (NOTHING_NEW, delete_a_model),
    (NOTHING_NEW, delete_an_airline),
    (FORBIDDEN, delete_a_rule),
    (FORBIDDEN, delete_a_recall),
    (FORBIDDEN, move_a_country),
    (FORBIDDEN, take_more_roles),
    (FORBIDDEN, give_the_second_account_roles),
    (FORBIDDEN, make_a_third_account),
    (FORBIDDEN, sign_in_as_another),
    (FORBIDDEN, make_a_group),
]


def asked(**given: Any) -> Case:
    """Return a question about the world. What it expects is not asked."""
    facts = {"on": START.date(), "quantity": 1, **given}
    return Case(file="routes.yaml", name=repr(given), given=Given(**facts), expect=Expect(verdict="banned"))


QUESTIONS = [
    asked(model_id="lynx-27k", route=("XB", "XB"), airline="S2", quantity=2),
    asked(model_id=PUMA, route=("XA", "XB"), airline="S2"),
    asked(model_id=PUMA, route=("XB", "XC"), airline="N1"),
    asked(model_id="puma-50k", route=("XA", "XB"), airline="N1"),
    asked(model_id="lynx-10k", route=("XA", "XA"), airline="N1"),
    asked(model_id="heron-9", route=("XA", "XB"), airline="N1"),
    asked(model_id="lynx-27k", route=("XC", "XB"), airline="U3"),
]


def verdicts() -> list[Any]:
    current = Release.objects.current()
    assert current is not None
    return [outcome(one) for one in judge(current.read().content, QUESTIONS)]


@pytest.fixture
def one(world: time_machine.Traveller, cases: list[Case]) -> Attack:
    return Attack(Person("mallory", *EVERY_ROLE), Person("mallory-too", "Viewer"), world, cases)


@pytest.mark.parametrize(("sentence", "attack"), ATTACKS, ids=[attack.__name__ for _, attack in ATTACKS])
def test_it_is_refused(one: Attack, sentence: str, attack: Callable[[Attack], str]) -> None:
    before = verdicts()
    refusal = attack(one)
    assert refusal.startswith(sentence) if sentence == FORBIDDEN else sentence in refusal
    assert verdicts() == before


def test_a_disagreement_alone_makes_no_answer_milder(one: Attack) -> None:
    before = verdicts()
    draft_disagreement(by=one.me.user, disagreement=a_disagreement())
    submit_disagreements(by=one.me.user, disagreement_ids=["n1-cabin-limit"])
    approve_disagreements(by=a_user(APPROVER), disagreement_ids=["n1-cabin-limit"])
    assert publish(one.me) == ""
    assert verdicts() == before


def test_a_large_stricter_change_is_measured_first_and_then_published_alone(
    one: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (measurements, measuring):
        monkeypatch.setattr(module, "SMALL", 0)
    tighten(one.me.user)
    refused = alone(one.me, rule=TWO_UNITS)
    assert "press “Measure first” below, with the same revisions ticked" in refused
    assert f'name="rule" value="{TWO_UNITS}" checked' in refused
    assert "Measure first</button>" in refused

    answer = one.me.post(f"{PUBLISH}measure-alone/", rule=TWO_UNITS)
    measurement = ImpactMeasurement.objects.get()
    assert answer["Location"] == f"/admin/rules/impactmeasurement/{measurement.pk}/"
    assert Rule.objects.get(rule_id=TWO_UNITS, revision=2).state == "in_review"
    assert "press “Measure first”" in alone(one.me, rule=TWO_UNITS)
    work_off(measurement)
    assert ImpactMeasurement.objects.get().state == "done"
    # The result is of this change only.
    loosen(one.me.user)
    assert "press “Measure first”" in alone(one.me, rule=[TWO_UNITS, ONE_UNIT])
    assert alone(one.me, rule=TWO_UNITS) == ""
    assert SoloRelease.objects.get().created_by == one.me.user


def test_a_measured_milder_change_is_not_published_alone(
    one: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (measurements, measuring):
        monkeypatch.setattr(module, "SMALL", 0)
    loosen(one.me.user)
    assert said(one.me.post(f"{PUBLISH}measure-alone/", rule=ONE_UNIT)) == ""
    work_off(ImpactMeasurement.objects.get())
    assert ALONE in alone(one.me, rule=ONE_UNIT)
    refused = said(one.me.post(f"{PUBLISH}measure-alone/", rule="no.such-rule"))
    assert "409" in refused
    assert "Nothing was measured" in refused


def test_the_page_says_that_another_person_must_publish_before_anyone_presses(one: Attack) -> None:
    assert retitle(one.me) == ""
    blocked = "You changed or read 1 source of it, so another person must publish it"
    assert blocked in one.me.client.get(PUBLISH).content.decode()
    assert blocked not in Person("publisher", "Publisher").client.get(PUBLISH).content.decode()


def test_what_the_attacks_try_goes_with_enough_people(one: Attack) -> None:
    """The refusals above come from the missing people, not from something else."""
    before = verdicts()
    ready(Person("other", "Editor"), one.clock)
    assert publish(one.me) == ""
    assert verdicts() != before
    assert lower(one.me) == ""
    assert approve_set(Person("reviewer", "Reviewer")) == ""
    assert Device.objects.get(pk=PUMA).watt_hour == Decimal("99.00")
    assert Source.objects.get(pk=ITS_SOURCE).recorded_by == a_user("reader")
