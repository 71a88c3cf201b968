"""What makes an answer less strict is published only after a second look, and everything else without."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from catalog.airlines.actions import change_airline
from catalog.dates import moment_words
from catalog.devices.actions import change_device, record_devices
from catalog.devices.brands.bulk import BRANDS
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.actions import approve as approve_change_set
from catalog.editorial.pending.actions import propose, return_to_author
from catalog.models import Airline, Device, Jurisdiction, Source
from catalog.places.actions import change_jurisdiction
from catalog.records import Brand, Certificate
from catalog.records import Device as DeviceRecord
from catalog.sources.actions import record_source, reread_source
from recalls.editing.actions import approve_recalls, approve_recalls_again, submit_recalls, withdraw_recalls
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    draft_rule,
    revise_rules,
    submit_rules,
    withdraw_rules,
)
from rules.engine.facts import Rule as RuleRecord
from rules.impact import measurements
from rules.impact.actions import measuring
from rules.impact.measurements import survey_of, would_publish
from rules.impact.second_approvals import missing_second_approvals
from rules.impact.survey import measure
from rules.models import Release, Rule
from rules.publishing.actions.releases import NotMeasured, SecondApprovalMissing, publish_release
from tests.support.factories import a_device, a_rule, a_source, a_user
from tests.support.quotes import a_quote
from tests.support.releasing import NOON
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows")

HOUR = datetime.timedelta(hours=1)
ONE_UNIT = "s2.one-unit"
ITS_SOURCE = "southern-star-report"


@pytest.fixture
def editor(db: None) -> User:
    """Who wrote the test world, which is published by somebody else."""
    publish()
    return a_user()


def publish(by: User | None = None) -> Release:
    # By then all that was done to the rows lies behind: the history keeps the instants of the database.
    number = Release.objects.count()
    return publish_release(by=by or a_user("publisher"), note="News.", now=NOON + number * HOUR, cases=())


def missing_approvals(by: User | None = None) -> dict[str, str]:
    """Publish, which must be refused for the records that are returned, each with its reason."""
    with pytest.raises(SecondApprovalMissing) as refused:
        publish(by)
    for one in refused.value.missing:
        assert f"\n  {one}." in str(refused.value)
    return {one.record.record_id: one.reason for one in refused.value.missing}


def read_again(source_id: str, by: User | None = None) -> None:
    """Read a page again on the day of its last reading."""
    source = Source.objects.get(pk=source_id)
    reread_source(by=by or a_user("reader"), source_id=source_id, read_on=source.read_on)


def approve(rule_id: str) -> None:
    submit_rules(by=a_user(), rule_ids=[rule_id])
    approve_rules(by=a_user(APPROVER), rule_ids=[rule_id])


def approve_again(rule_id: str) -> None:
    approve_rules_again(by=a_user("second"), rule_ids=[rule_id])


def change(rule_id: str, *, max_units: int) -> None:
    revise_rules(by=a_user(), rule_ids=[rule_id], reason="The page has changed.")
    record = Rule.objects.get(rule_id=rule_id, state="draft").to_record()
    change_rule(by=a_user(), rule=replace(record, params=replace(record.params, max_units=max_units)))
    approve(rule_id)


def record(rule_id: str) -> RuleRecord:
    return Rule.objects.identified([rule_id]).get().to_record()


def test_a_looser_rule_lacks_a_second_approval_and_newer_evidence_until_it_has_both(editor: User) -> None:
    change(ONE_UNIT, max_units=2)
    recorded_at = Source.objects.get(pk=ITS_SOURCE).recorded_at
    assert list(missing_approvals()) == [ONE_UNIT]
    reason = missing_approvals()[ONE_UNIT]
    assert reason.startswith("makes ")
    assert "answers less strict; it needs a second approval, and its evidence was last read on" in reason
    instant = moment_words(recorded_at, seconds=True)
    assert f"read it again after {instant}, the last reading of the evidence in release" in reason

    approve_again(ONE_UNIT)
    assert "second approval" not in missing_approvals()[ONE_UNIT]
    read_again(ITS_SOURCE)
    assert publish().ruleset_version == "2026-11-20.2"


def test_newer_evidence_alone_is_not_enough(editor: User) -> None:
    change(ONE_UNIT, max_units=2)
    read_again(ITS_SOURCE)
    assert missing_approvals()[ONE_UNIT].endswith("less strict; it needs a second approval")


def test_its_author_does_not_read_its_evidence(editor: User) -> None:
    change(ONE_UNIT, max_units=2)
    approve_again(ONE_UNIT)
    read_again(ITS_SOURCE, by=editor)
    assert missing_approvals()[ONE_UNIT].endswith(
        "its own author recorded the reading of its evidence; another person must read that again"
    )


def test_its_author_does_not_publish_it(editor: User) -> None:
    change(ONE_UNIT, max_units=2)
    approve_again(ONE_UNIT)
    read_again(ITS_SOURCE)
    assert missing_approvals(editor)[ONE_UNIT].endswith("you wrote it, so another person must publish it")
    publish()


def test_the_words_of_an_approver_that_were_taken_back_and_copied_are_still_theirs(editor: User) -> None:
    second = a_user("second")
    revise_rules(by=second, rule_ids=[ONE_UNIT], reason="The page has changed.")
    record = Rule.objects.get(rule_id=ONE_UNIT, state="draft").to_record()
    change_rule(by=second, rule=replace(record, params=replace(record.params, max_units=2)))
    submit_rules(by=second, rule_ids=[ONE_UNIT])
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    revise_rules(by=editor, rule_ids=[ONE_UNIT], reason="A slip of the pen.")
    change_rule(by=editor, rule=replace(record, params=replace(record.params, max_units=2), summary="Two."))
    submit_rules(by=editor, rule_ids=[ONE_UNIT])
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    approve_again(ONE_UNIT)
    read_again(ITS_SOURCE)
    assert "wrote in an earlier revision of it" in missing_approvals()[ONE_UNIT]


def test_a_stricter_rule_needs_no_second_approval(editor: User) -> None:
    change("n1.two-units", max_units=1)
    publish()


@pytest.mark.parametrize(
    "changes",
    [{"summary": "One unit."}, {"quotes": (a_quote(source=ITS_SOURCE, words="only one power bank"),)}],
    ids=["a summary", "a quote"],
)
def test_what_decides_nothing_needs_no_second_approval(editor: User, changes: dict[str, Any]) -> None:
    revise_rules(by=editor, rule_ids=[ONE_UNIT], reason="A slip of the pen.")
    change_rule(by=editor, rule=replace(record(ONE_UNIT), **changes))
    approve(ONE_UNIT)
    publish()


def test_a_withdrawal_that_loosens_needs_both_and_one_that_does_not_needs_neither(editor: User) -> None:
    withdraw_rules(by=editor, rule_ids=[ONE_UNIT], reason="It is over.")
    approve(ONE_UNIT)
    assert list(missing_approvals()) == [ONE_UNIT]
    approve_again(ONE_UNIT)
    read_again(ITS_SOURCE)
    publish()

    withdraw_rules(by=editor, rule_ids=["xb.departure-up-to-100wh"], reason="It is over.")
    approve("xb.departure-up-to-100wh")
    publish()


def test_a_recall_that_ends_needs_both(editor: User) -> None:
    name = "xb-puma-30k-2026"
    withdraw_recalls(by=editor, recall_ids=[name], reason="Its authority ended it.")
    submit_recalls(by=editor, recall_ids=[name])
    approve_recalls(by=a_user(APPROVER), recall_ids=[name])
    assert list(missing_approvals()) == [name]
    approve_recalls_again(by=a_user("second"), recall_ids=[name])
    for source in Source.objects.exclude(basis="general_knowledge"):
        read_again(source.pk)
    publish()


def test_a_new_permit_rests_on_evidence_read_after_that_of_its_issuer(editor: User) -> None:
    permit = a_rule(
        rule_id="s2.up-to-160wh",
        airline="S2",
        jurisdiction="XB",
        authority="Southern Star",
        confidence="reported",
        sources=(ITS_SOURCE,),
    )
    withdraw_rules(by=editor, rule_ids=["s2.none-over-100wh"], reason="It is over.")
    approve("s2.none-over-100wh")
    draft_rule(by=editor, rule=permit)
    approve("s2.up-to-160wh")
    found = missing_approvals()
    assert {"s2.up-to-160wh", "s2.none-over-100wh"} == set(found)
    for name in found:
        assert "read it again after" in found[name]
        approve_again(name)
    read_again(ITS_SOURCE)
    publish()


def test_of_two_changes_the_one_that_loosens_needs_the_second_approval_alone(editor: User) -> None:
    change(ONE_UNIT, max_units=2)
    change("n1.two-units", max_units=1)
    assert list(missing_approvals()) == [ONE_UNIT]


def test_anyone_who_recorded_a_model_does_not_publish_it(editor: User) -> None:
    new = a_device(model_id="lynx-5k", watt_hour=Decimal("18.50"), capacity_mah=5_000, sources=("lynx-page",))
    record_devices(by=a_user("cataloger"), devices=[new])
    found = missing_approvals(a_user("cataloger"))
    assert list(found) == ["lynx-5k"]
    assert (
        "less strict; you changed it or released its hold, so another person must publish it"
        in (found["lynx-5k"])
    )
    read_again("lynx-page")
    publish()


def test_anyone_who_lifts_the_suspension_of_a_certificate_does_not_publish_that(editor: User) -> None:
    suspended = Certificate(mark="CCC", status="suspended", source="lynx-page")
    before = Device.objects.get(pk="lynx-27k").to_record()
    change_device(by=a_user("cataloger"), device=replace(before, certificates=(suspended,)))
    publish(a_user("cataloger"))

    lifted = replace(before, certificates=(replace(suspended, status="valid"),))
    change_device(by=a_user("cataloger"), device=lifted)
    found = missing_approvals(a_user("cataloger"))
    assert list(found) == ["lynx-27k"]
    assert "less strict; you changed it or released its hold, so another person must" in found["lynx-27k"]
    read_again("lynx-page")
    publish()


def test_a_change_of_a_model_is_remembered_although_another_person_changed_it_after(editor: User) -> None:
    unknown = Device.objects.get(pk="heron-9").to_record()
    read = replace(unknown, watt_hour=Decimal("20"), watt_hour_basis="rated", sources=("lynx-page",))
    change_device(by=a_user("first"), device=read)
    first = Device.objects.get(pk="heron-9").to_record()
    change_device(by=a_user("last"), device=replace(first, notes="Read from the label."))
    read_again("lynx-page")
    for name in ("first", "last"):
        assert list(missing_approvals(a_user(name))) == ["heron-9"]
    publish()


def test_a_milder_energy_rests_on_a_page_that_another_person_read_after_the_last_reading(
    editor: User,
) -> None:
    lower = replace(Device.objects.get(pk="puma-30k").to_record(), watt_hour=Decimal(99))
    change_device(by=a_user("cataloger"), device=lower)
    reason = missing_approvals()["puma-30k"]
    assert "its evidence was last read on" in reason
    assert "read it again after" in reason
    read_again("puma-page", by=a_user("cataloger"))
    assert missing_approvals()["puma-30k"].endswith(
        "its own author recorded the reading of its evidence; another person must read that again"
    )
    read_again("puma-page")
    publish()


def test_a_milder_energy_of_a_model_about_which_nothing_was_read_needs_a_page(editor: User) -> None:
    unread = Device.objects.get(pk="heron-9").to_record()
    guessed = replace(unread, watt_hour=Decimal(20), watt_hour_basis="rated")
    change_device(by=a_user("cataloger"), device=guessed)
    assert missing_approvals()["heron-9"].endswith(
        "nothing that it rests on was ever read; record the page where this was read as its source"
    )
    change_device(by=a_user("cataloger"), device=replace(guessed, sources=("heron-pointer", "lynx-page")))
    read_again("lynx-page")
    publish()


def lowered(model_id: str) -> DeviceRecord:
    return replace(Device.objects.get(pk=model_id).to_record(), watt_hour=Decimal(99))


def test_a_page_that_was_read_before_the_figure_was_written_says_nothing_of_the_figure(editor: User) -> None:
    read_again("puma-page")
    change_device(by=a_user("cataloger"), device=lowered("puma-30k"))
    missing = missing_approvals()["puma-30k"]
    assert "no other person read its evidence since it was written; read it again after" in missing
    read_again("puma-page", by=a_user("cataloger"))
    assert "its own author recorded the reading of its evidence" in missing_approvals()["puma-30k"]
    read_again("puma-page")
    publish()


def test_one_reading_serves_no_record_that_was_written_after_it(editor: User) -> None:
    change_device(by=a_user("cataloger"), device=lowered("puma-30k"))
    read_again("puma-page")
    change_device(by=a_user("cataloger"), device=lowered("puma-50k"))
    assert list(missing_approvals()) == ["puma-50k"]


def test_a_new_model_needs_a_reading_after_it_was_written_though_others_rest_on_its_page(
    editor: User,
) -> None:
    read_again("lynx-page")
    new = a_device(model_id="lynx-5k", watt_hour=Decimal("18.50"), capacity_mah=5_000, sources=("lynx-page",))
    record_devices(by=a_user("cataloger"), devices=[new])
    assert "since it was written" in missing_approvals()["lynx-5k"]
    read_again("lynx-page")
    publish()


def test_what_waits_for_approval_was_written_when_it_was_saved_so_its_page_may_be_read_until_then(
    editor: User,
) -> None:
    saved = propose(
        DEVICES, [lowered("puma-30k")], by=a_user("cataloger"), subject="puma-30k", reason="Page."
    )
    assert saved is not None
    read_again("puma-page")
    approve_change_set(saved.pk, by=a_user(APPROVER), tables={"device": DEVICES})
    publish()


def test_a_new_brand_name_needs_a_reading_after_it_and_none_of_its_authors_publishes_it(editor: User) -> None:
    first = propose(BRANDS, [Brand(slug="puma", name="Lynx Puma")], by=a_user("first"), subject="puma")
    assert first is not None
    return_to_author(first.pk, by=a_user(APPROVER), reason="Spelling.")
    again = propose(
        BRANDS, [Brand(slug="puma", name="LynxPuma")], by=a_user("other"), subject="puma", replaces=first.pk
    )
    assert again is not None
    approve_change_set(again.pk, by=a_user(APPROVER), tables={"brand": BRANDS})
    models = {"puma-30k", "puma-50k"}
    assert missing_approvals().keys() == models
    read_again("puma-page", by=a_user("first"))
    assert missing_approvals().keys() == models
    read_again("puma-page")
    for name in ("first", "other", APPROVER):
        assert missing_approvals(a_user(name)).keys() == models
    publish()


def test_a_name_that_a_brand_gets_beside_its_own_is_a_change_of_its_models_by_its_author(
    editor: User,
) -> None:
    spelled = propose(BRANDS, [Brand(slug="puma", name="Puma 罗马仕")], by=a_user("first"), subject="puma")
    assert spelled is not None
    approve_change_set(spelled.pk, by=a_user(APPROVER), tables={"brand": BRANDS})
    read_again("puma-page", by=a_user("first"))
    assert "its own author recorded the reading" in missing_approvals()["puma-30k"]
    read_again("puma-page")
    assert missing_approvals(a_user("first")).keys() == {"puma-30k", "puma-50k"}
    publish()


def test_a_confirmed_airline_rests_on_a_page_that_another_person_read(editor: User) -> None:
    record_source(by=a_user("cataloger"), source=a_source(id="untold-page", authority="Untold Air"))
    untold = Airline.objects.get(pk="U3").to_record()
    change_airline(
        by=a_user("cataloger"), airline=replace(untold, confidence="confirmed", sources=("untold-page",))
    )
    assert "its own author recorded the reading" in missing_approvals()["U3"]
    read_again("untold-page")
    publish()


def test_a_country_that_leaves_a_region_needs_a_later_reading_of_a_page_of_either(editor: User) -> None:
    outside = replace(Jurisdiction.objects.get(pk="XA").to_record(), member_of=())
    change_jurisdiction(by=a_user("cataloger"), jurisdiction=outside)
    assert "read it again after" in missing_approvals()["XA"]
    read_again("xr-page")
    publish()


def test_what_was_measured_stands_for_the_release_that_is_published(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(ONE_UNIT, max_units=2)
    monkeypatch.setattr(measurements, "SMALL", 0)
    monkeypatch.setattr(measuring, "SMALL", 0)
    with pytest.raises(NotMeasured, match=r"must be measured.*Measured changes"):
        publish()
    found = measuring.measure_publishing(by=editor, now=NOON + HOUR)
    with pytest.raises(NotMeasured):
        publish()
    measuring.work_off(found)
    assert list(missing_approvals()) == [ONE_UNIT]

    # The evidence is read again on the same day: the content, and so what was measured of it, stays.
    approve_again(ONE_UNIT)
    read_again(ITS_SOURCE)
    publish()


def test_the_screen_can_tell_beforehand_what_is_missing(editor: User) -> None:
    change(ONE_UNIT, max_units=2)
    proposal = would_publish()
    assert proposal is not None
    result = measure(survey_of(proposal, day=NOON.date()))
    (missing,) = missing_second_approvals(result, proposal)
    assert str(missing).startswith("rule s2.one-unit: makes ")


def test_the_first_release_has_nothing_to_be_looser_than(db: None) -> None:
    assert publish().ruleset_version == "2026-11-20"


def test_what_was_published_and_is_gone_from_the_release_needs_a_new_revision(editor: User) -> None:
    change(ONE_UNIT, max_units=2)
    approve_again(ONE_UNIT)
    read_again(ITS_SOURCE)
    publish()
    proposal, first = would_publish(), Release.objects.get(sequence=1)
    assert proposal is not None
    # As after a roll-back: the release says what the first one said, the rows what was published since.
    rolled_back = proposal._replace(base=first)
    (missing,) = missing_second_approvals(measure(survey_of(rolled_back, day=NOON.date())), rolled_back)
    assert "it needs a new revision with two approvals" in missing.reason
