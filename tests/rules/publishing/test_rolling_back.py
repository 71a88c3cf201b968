"""Rolling back: what an earlier release said is said again, and the rows agree with it."""

import datetime
import json
from contextlib import suppress
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from msgspec.structs import replace

from catalog.airlines.actions import change_airline
from catalog.devices.actions import change_device, delete_device, record_device
from catalog.devices.brands.actions import rename_brand
from catalog.editorial.selectors import audit_log
from catalog.models import Airline, Device, Source
from catalog.records import Certificate
from catalog.sources.actions import change_source, record_source
from catalog.tables.history import history
from recalls.editing.actions import approve_recalls, draft_recall, submit_recalls
from rules.editing.actions import approve_rules, draft_rule, submit_rules
from rules.engine.corpus import Corpus
from rules.engine.document import Content, decode
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Leg, Question, Unit
from rules.models import HeldBack, Release, Rule
from rules.next_release import compile_content
from rules.publishing.actions.releases import publish_release
from rules.publishing.actions.rolling_back import release_hold, request_roll_back, roll_back_release
from rules.publishing.refusals import (
    NoSuchRelease,
    NoteMissing,
    NothingToPublish,
    NothingToRollBack,
    NotRestorable,
    PublishedMeanwhile,
)
from rules.releases.ledger import verify_ledger
from tests.support.factories import a_device, a_publisher, a_recall, a_rule, a_source, a_user
from tests.support.releasing import NOON, alter, unguarded
from tests.support.revision_kinds import RULES, Kind, both_kinds
from tests.support.roles import acting_as
from tests.support.second_approvals import approve_all_again

HOUR = datetime.timedelta(hours=1)


pytestmark = pytest.mark.usefixtures("world_rows")


@pytest.fixture
def first(editor: User, reviewer: User) -> Release:
    """The test world, published."""
    return publish(reviewer)


def publish(by: User) -> Release:
    approve_all_again()
    return publish_release(by=by, note="News.", now=NOON, cases=())


def roll_back(by: User, to: Release, reason: str = "It was wrong.") -> Release:
    if reason.strip() and to != Release.objects.current():
        with suppress(NothingToRollBack):
            request_roll_back(by=a_publisher("requester"), to=str(to), reason=reason, now=NOON + HOUR)
    with acting_as("publisher"):
        return roll_back_release(by=by, to=str(to), reason=reason, now=NOON + HOUR, cases=())


def content(release: Release) -> Content:
    return decode(release.document.encode()).content


def nothing_is_left_to_publish(by: User) -> bool:
    with pytest.raises(NothingToPublish):
        publish(by)
    return True


def approve_change(kind: Kind, name: str, text: str, *, editor: User, reviewer: User) -> None:
    kind.revise(name, by=editor, reason="News.")
    kind.rewrite(name, text, by=editor)
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)


@both_kinds
def test_what_was_changed_is_what_it_was_and_the_chain_goes_on(
    kind: Kind, name: str, first: Release, editor: User, reviewer: User
) -> None:
    author = kind.newest(name).created_by
    approve_change(kind, name, "Wrong.", editor=a_user("another editor"), reviewer=reviewer)
    second = publish(reviewer)

    third = roll_back(a_user("publisher"), first)

    assert (third.content_sha256, third.predecessor) == (first.content_sha256, second)
    document, earlier = json.loads(third.document), json.loads(first.document)
    assert document.pop("ruleset_version") == "2026-11-20.3"
    assert document.pop("predecessor") == second.sha256
    assert document == {key: earlier[key] for key in document}
    assert third.note == f"Rolls back to {first}: It was wrong."
    assert verify_ledger() == []
    assert kind.states(name) == ["superseded", "superseded", "published"]
    restored = kind.newest(name)
    assert (restored.created_by, restored.approved_by) == (author, reviewer)
    assert (restored.published_by.username, restored.published_at) == ("publisher", NOON + HOUR)
    assert compile_content() == content(first)
    assert nothing_is_left_to_publish(reviewer)


@both_kinds
def test_what_is_new_is_withdrawn_and_can_come_back(
    kind: Kind, name: str, first: Release, editor: User, reviewer: User
) -> None:
    new = getattr(kind.new, kind.model.id_field)
    kind.draft(by=editor, record=kind.new)
    kind.submit(new, by=editor)
    kind.approve(new, by=reviewer)
    publish(reviewer)

    # Also somebody who wrote it themselves may roll it back.
    roll_back(editor, first)

    assert kind.states(new) == ["withdrawn", "published"]
    withdrawal = kind.newest(new)
    assert (withdrawal.withdraws, withdrawal.approved_by) == (True, editor)
    assert withdrawal.created_by.username == "roll-back"
    assert nothing_is_left_to_publish(reviewer)
    kind.revise(new, by=editor, reason="It was right after all.")
    kind.submit(new, by=editor)
    kind.approve(new, by=reviewer)
    assert content(publish(reviewer)) != content(first)


@both_kinds
def test_what_was_withdrawn_is_back(
    kind: Kind, name: str, first: Release, editor: User, reviewer: User
) -> None:
    kind.withdraw(name, by=editor, reason="It is over.")
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)
    second = publish(reviewer)

    roll_back(reviewer, first)
    assert kind.states(name) == ["withdrawn", "superseded", "published"]
    assert not kind.newest(name).withdraws

    # And so on, to and fro.
    roll_back(reviewer, second)
    assert compile_content() == content(second)
    roll_back(reviewer, first)
    assert compile_content() == content(first)
    assert verify_ledger() == []


@both_kinds
@pytest.mark.parametrize("state", ["draft", "in_review"])
def test_what_is_open_stays_open_behind_what_is_restored(
    state: str, kind: Kind, name: str, first: Release, editor: User, reviewer: User
) -> None:
    approve_change(kind, name, "Wrong.", editor=editor, reviewer=reviewer)
    publish(reviewer)
    kind.revise(name, by=editor, reason="A correction.")
    kind.rewrite(name, "Corrected.", by=editor)
    before = kind.newest(name)
    if state == "in_review":
        kind.submit(name, by=editor)

    roll_back(reviewer, first)

    assert kind.states(name) == ["superseded", "superseded", "published", "draft"]
    opened = kind.newest(name)
    assert (opened.pk, opened.revision, opened.authors) == (before.pk, 4, [editor.pk])
    assert opened.to_record() == before.to_record()
    assert nothing_is_left_to_publish(reviewer)
    # Whoever wrote it goes on from there, and it goes out like any other.
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)
    publish(reviewer)
    assert getattr(kind.newest(name), kind.text) == "Corrected."
    assert kind.states(name)[-1] == "published"
    logged = [entry.verb for entry in audit_log(kind.name, name) if entry.revision == 4]
    assert logged == ["renumber", "submit", "approve", "approve_again", "publish"]


@both_kinds
def test_what_was_approved_on_top_of_it_is_to_be_agreed_to_again(
    kind: Kind, name: str, first: Release, editor: User, reviewer: User
) -> None:
    approve_change(kind, name, "Wrong.", editor=editor, reviewer=reviewer)
    publish(reviewer)
    approve_change(kind, name, "Corrected.", editor=editor, reviewer=reviewer)

    roll_back(reviewer, first)

    assert kind.states(name) == ["superseded", "superseded", "superseded", "published", "draft"]
    opened = kind.newest(name)
    assert (getattr(opened, kind.text), opened.authors) == ("Corrected.", [editor.pk])
    assert nothing_is_left_to_publish(reviewer)


@both_kinds
def test_who_wrote_what_is_rolled_back_is_an_author_of_what_copies_it(
    kind: Kind, name: str, first: Release, editor: User, reviewer: User
) -> None:
    looser, friend = a_user("looser"), a_user("friend")
    approve_change(kind, name, "Looser.", editor=looser, reviewer=reviewer)
    publish(reviewer)
    kind.revise(name, by=friend, reason="A correction.")

    roll_back(reviewer, first)

    opened = kind.newest(name)
    assert (getattr(opened, kind.text), opened.authors) == ("Looser.", sorted([looser.pk, friend.pk]))


def test_what_the_roll_back_is_not_about_stays_as_it_was(
    first: Release, editor: User, reviewer: User
) -> None:
    approve_change(RULES, "n1.two-units", "Wrong.", editor=editor, reviewer=reviewer)
    publish(reviewer)
    approve_change(RULES, "s2.one-unit", "Agreed.", editor=editor, reviewer=reviewer)
    lynx = Device.objects.get(pk="lynx-27k").to_record()
    change_device(by=editor, device=replace(lynx, notes="Not yet out."))

    roll_back(reviewer, first)

    assert RULES.states("s2.one-unit") == ["published", "approved"]
    assert Device.objects.get(pk="lynx-27k").notes == "Not yet out."
    after = content(publish(reviewer))
    assert {rule.summary for rule in after.rules} - {rule.summary for rule in content(first).rules} == {
        "Agreed."
    }


def test_the_catalog_is_what_it_was_and_its_history_says_why(
    first: Release, editor: User, reviewer: User
) -> None:
    device = Device.objects.get(pk="lynx-27k").to_record()
    airline = Airline.objects.get(pk="N1").to_record()
    source = Source.objects.get(pk="lynx-page").to_record()
    revoked = Certificate(mark="CCC", status="revoked", source="xa-page")
    wrong = replace(device, watt_hour=Decimal(50), certifications=("CCC",), certificates=(revoked,))
    change_device(by=editor, device=wrong)
    change_airline(by=editor, airline=replace(airline, summary="Wrong.", changes=()))
    change_source(by=editor, source=replace(source, title="Wrong."))
    rename_brand(by=editor, slug="lynx", name="LYNX")
    delete_device(by=editor, model_id="heron-9")
    publish(reviewer)
    change_source(by=editor, source=replace(source, title="Wrong again, and not yet out."))

    roll_back(reviewer, first, "The figures were halved.")

    assert compile_content() == content(first)
    assert Device.objects.get(pk="lynx-27k").to_record() == device
    last = list(history(Source, "lynx-page"))[-1]
    assert last.context == {"rolled_back_to": str(first), "reason": "The figures were halved."}
    assert {(one.field, one.before) for one in last.fields if one.field == "title"} == {
        ("title", "Wrong again, and not yet out.")
    }
    (entry,) = audit_log("device", "lynx-27k")
    assert (entry.verb, entry.reason, entry.details["back_to"]) == (
        "roll_back", "The figures were halved.", str(first),
    )  # fmt: skip
    assert nothing_is_left_to_publish(reviewer)


def test_what_is_new_in_the_catalog_is_kept_but_held_back_until_a_person_releases_it(
    first: Release, editor: User, reviewer: User
) -> None:
    record_source(by=editor, source=a_source(id="new-page"))
    record_device(by=editor, device=a_device(model_id="new-1", sources=("new-page",)))
    draft_recall(by=editor, recall=a_recall(recall_id="new-recall", model_id="new-1"))
    submit_recalls(by=editor, recall_ids=["new-recall"])
    approve_recalls(by=reviewer, recall_ids=["new-recall"])
    second = publish(reviewer)

    third = roll_back(reviewer, first)

    assert Device.objects.filter(pk="new-1").exists()
    held_back = [(one.kind, one.record_id, one.since) for one in HeldBack.objects.all()]
    assert held_back == [("devices", "new-1", third), ("sources", "new-page", third)]
    assert nothing_is_left_to_publish(reviewer)

    release_hold(by=reviewer, kind="devices", record_id="new-1", now=NOON)
    # Who released the hold does not publish it.
    fourth = content(publish(a_publisher("other-publisher")))
    assert {device.model_id for device in fourth.devices} - {
        device.model_id for device in content(first).devices
    } == {"new-1"}
    # Evidence comes along with what rests on it, so nothing is held back any more.
    assert "new-page" in {source.id for source in fourth.sources}
    assert not HeldBack.objects.exists()
    assert [entry.verb for entry in audit_log("device", "new-1")] == ["hold_back", "let_go"]

    roll_back(reviewer, second)
    assert compile_content() == content(second)


def test_answers_are_those_of_then(first: Release, editor: User, reviewer: User) -> None:
    rule = a_rule(rule_id="n1.no-more", effect="prohibit", code="damaged_not_permitted", sources=("xb-page",))
    draft_rule(by=editor, rule=rule)
    submit_rules(by=editor, rule_ids=["n1.no-more"])
    approve_rules(by=reviewer, rule_ids=["n1.no-more"])
    second = publish(reviewer)
    third = roll_back(reviewer, first)

    question = Question(unit=Unit(model_id="lynx-27k"), leg=Leg("XA", "XB", "N1"), travel_date=NOON.date())
    before, between, after = (
        evaluate_leg(Corpus(content(release)), question, today=NOON.date())
        for release in (first, second, third)
    )
    assert (before.verdict, between.verdict) == ("allowed", "banned")
    assert after == before


def test_what_cannot_be_rolled_back_is_refused_and_nothing_changes(
    first: Release, editor: User, reviewer: User
) -> None:
    with pytest.raises(NothingToRollBack, match=r"^release 2026-11-20 is the current one$"):
        roll_back(reviewer, first)
    approve_change(RULES, "n1.two-units", "Wrong.", editor=editor, reviewer=reviewer)
    publish(reviewer)
    with pytest.raises(NoteMissing):
        roll_back(reviewer, first, " ")
    with pytest.raises(NoSuchRelease, match="there is no release 2020-01-01"):
        roll_back_release(by=reviewer, to="2020-01-01", reason="Wrong.", now=NOON)
    with pytest.raises(PublishedMeanwhile, match=f"{reviewer} published release 2026-11-20.2 at"):
        roll_back_release(by=reviewer, to=str(first), reason="Wrong.", now=NOON, shown=str(first), cases=())
    alter(first, document=first.document.replace("Northland", "Westland"))
    with pytest.raises(NotRestorable, match="does not have its published digest"):
        roll_back(reviewer, first)
    assert Release.objects.count() == 2
    assert RULES.states("n1.two-units") == ["superseded", "published"]


def test_going_back_to_what_is_said_already_is_refused(first: Release, editor: User, reviewer: User) -> None:
    approve_change(RULES, "n1.two-units", "Wrong.", editor=editor, reviewer=reviewer)
    publish(reviewer)
    roll_back(reviewer, first)
    with pytest.raises(NothingToRollBack, match="already has the content of release 2026-11-20"):
        roll_back(reviewer, first)


def test_a_revision_that_the_rows_no_longer_hold_cannot_be_made_up(
    first: Release, editor: User, reviewer: User
) -> None:
    approve_change(RULES, "n1.two-units", "Wrong.", editor=editor, reviewer=reviewer)
    publish(reviewer)
    with unguarded():
        Rule.objects.filter(rule_id="n1.two-units", revision=1).update(summary="Altered.")
    with pytest.raises(NotRestorable, match=r"n1\.two-units: has no published revision"):
        roll_back(reviewer, first)
    assert Release.objects.count() == 2


@both_kinds
def test_what_was_approved_twice_is_so_still(
    kind: Kind, name: str, first: Release, editor: User, reviewer: User
) -> None:
    approve_change(kind, name, "Right.", editor=editor, reviewer=reviewer)
    third = a_user("a third one")
    kind.approve_again(name, by=third)
    second = publish(reviewer)
    roll_back(reviewer, first)
    roll_back(reviewer, second)
    restored = kind.newest(name)
    assert (restored.state, restored.second_approved_by) == ("published", third)
    assert kind.model._default_manager.get(**{kind.model.id_field: name, "revision": 1}).state == "superseded"


def test_the_database_holds_each_record_back_once(first: Release, editor: User) -> None:
    row = {"record_id": "new-1", "since": first, "created_at": NOON, "created_by": editor}
    HeldBack.objects.create(kind="devices", **row)
    for refused in ("devices", "rules"):
        with pytest.raises(IntegrityError, match="held_back"), transaction.atomic():
            HeldBack.objects.create(kind=refused, **row)
