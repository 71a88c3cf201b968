"""Proposals at the editors' desk: who sees them, how they are decided, what is shown before that."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from catalog.editorial.workflow import State
from catalog.models import Airline, ChangeSet, Device, Jurisdiction
from compliance.models import ProposalState
from rules.models import Rule
from tests.compliance.starter_corpus.folders import change_rows, write_world
from tests.compliance.starter_corpus.installing import (
    edit,
    install,
    proposal,
    row_of,
    say,
    say_of_airline,
    update,
)
from tests.support.desk.approving import approve_what_waits
from tests.support.desk.visiting import Visitor, member

LIST = "/admin/compliance/corpusproposal/"
RULE = "n1.two-units"


@pytest.fixture
def folder(db: None, tmp_path: Path) -> Path:
    """Return the corpus that two airlines and a rule were proposed from; the rule was edited here."""
    install(tmp_path / "first")
    folder = write_world(tmp_path / "next")
    edit(RULE, "Ours.")
    say(folder, RULE, summary="Theirs.")
    say(folder, "s2.one-unit", summary="Said in new words.")
    say_of_airline(folder, "N1", summary="One unit.")
    say_of_airline(folder, "S2", summary="Two units.")
    update(folder)
    return folder


pytestmark = pytest.mark.usefixtures("folder")


def decide(visitor: Visitor, way: str, *record_ids: str, **fields: str) -> str:
    """Open the page of a decision, press its button, and return what it says then."""
    query = "&".join(f"p={proposal(name).pk}" for name in record_ids)
    path = f"{LIST}{way}/?{query}"
    page = visitor.page(path)
    seen = {}
    for name in record_ids:
        key = f"seen-{proposal(name).pk}"
        seen[key] = page.partition(f'name="{key}" value="')[2].partition('"')[0]
    return visitor.post(path, **seen, **fields).content.decode()


def test_the_desk_counts_what_is_to_be_decided_and_leads_there() -> None:
    page = member("Editor").page("/admin/")
    assert "Proposals of the starter corpus to decide" in page
    assert f'{LIST}?state=conflict"' in page
    assert f'{LIST}?state=open"' in page
    assert "/admin/rules/rule/?desk=programs" in page


def test_the_list_shows_what_waits_with_its_reason() -> None:
    page = member("Viewer").page(LIST)
    assert "airlines N1" in page
    assert f"rules {RULE}" in page
    assert "rules s2.one-unit" not in page
    assert "Changed in the starter corpus of 20 November 2026: summary." in page


def test_drafts_of_the_update_are_found_in_the_list_of_rules() -> None:
    page = member("Editor").page("/admin/rules/rule/?desk=programs")
    assert "s2.one-unit, revision 2" in page
    assert RULE not in page.partition("result_list")[2]


def test_a_conflict_shows_what_it_says_here_and_what_the_corpus_says() -> None:
    page = member("Editor").page(f"{LIST}{proposal(RULE).pk}/change/")
    assert "<del>Ours.</del>" in page
    assert "<ins>Theirs.</ins>" in page
    assert "This record was edited here." in page


def test_many_are_accepted_at_once_in_the_name_of_the_editor() -> None:
    editor = member("Editor")
    said = decide(editor, "accept", "N1", "S2")
    assert "<strong>2</strong> done, <strong>0</strong> refused" in said
    approve_what_waits()
    assert Airline.objects.get(pk="N1").policy.summary == "One unit."
    assert Airline.objects.get(pk="S2").policy.changed_by == User.objects.get(pk=editor.user.pk)


def test_what_is_accepted_waits_together_for_another_person(folder: Path) -> None:
    say_of_airline(folder, "N1", summary="One.", confidence="unverified")
    say_of_airline(folder, "S2", summary="Two.", confidence="unverified")
    update(folder)
    alone, other = member("Editor", "Reviewer", "Publisher"), member("Reviewer")
    said = decide(alone, "accept", "N1", "S2")
    assert "<strong>2</strong> done, <strong>0</strong> refused" in said
    found = ChangeSet.objects.get()
    assert f"wait for another person, in change set {found.pk}" in said
    policy = Airline.objects.get(pk="N1").policy
    assert policy.summary != "One."
    assert policy.confidence == "confirmed"

    approve = f"/admin/catalog/changeset/{found.pk}/do/approve/"
    refused = alone.post(approve)
    assert (refused.status_code, "you cannot approve your own work" in refused.content.decode()) == (
        409,
        True,
    )
    assert other.post(approve).status_code == 302
    assert [one.policy.confidence for one in Airline.objects.filter(pk__in=["N1", "S2"])] == [
        "unverified"
    ] * 2


def test_the_regions_of_a_country_and_the_end_of_a_model_wait_too(folder: Path) -> None:
    change_rows(folder, "jurisdictions.json", lambda rows: row_of(rows, "code", "FR").update(member_of=[]))
    change_rows(folder, "devices.json", lambda rows: rows.remove(row_of(rows, "model_id", "lynx-27k")))
    update(folder)
    admin = Visitor(superuser=True)
    decide(admin, "accept", "FR", "lynx-27k")
    found = ChangeSet.objects.get()
    assert Jurisdiction.objects.get(pk="FR").to_record().member_of == ("EU",)
    assert Device.objects.filter(pk="lynx-27k").exists()
    page = admin.page(f"/admin/catalog/changeset/{found.pk}/change/")
    assert "deletion of this model" in page
    member("Reviewer").post(f"/admin/catalog/changeset/{found.pk}/do/approve/")
    assert Jurisdiction.objects.get(pk="FR").to_record().member_of == ()
    assert not Device.objects.filter(pk="lynx-27k").exists()
    assert admin.get(f"/admin/catalog/changeset/{found.pk}/change/").status_code == 200


def test_a_conflict_is_never_decided_among_others() -> None:
    said = decide(member("Editor"), "accept", "N1", RULE)
    assert "was edited here, so it is decided by itself" in said
    assert proposal(RULE).state == ProposalState.CONFLICT
    assert proposal("N1").state == ProposalState.ACCEPTED


def test_taking_the_corpus_s_side_of_a_conflict_opens_a_draft() -> None:
    decide(member("Editor"), "accept", RULE)
    assert Rule.objects.get(rule_id=RULE, state=State.DRAFT).summary == "Theirs."


def test_declining_asks_for_the_reason_and_keeps_what_is_here() -> None:
    editor = member("Editor")
    assert "This field is required" in decide(editor, "decline", "N1")
    assert proposal("N1").state == ProposalState.OPEN
    decide(editor, "decline", "N1", reason="We read the page: it is two.")
    assert proposal("N1").state == ProposalState.DECLINED
    assert Airline.objects.get(pk="N1").policy.summary != "One unit."


def test_what_was_edited_since_the_page_was_opened_is_refused() -> None:
    editor = member("Editor")
    path = f"{LIST}accept/?p={proposal('N1').pk}"
    said = editor.post(path, **{f"seen-{proposal('N1').pk}": "another"}).content.decode()
    assert "has changed since you looked; look again" in said
    assert proposal("N1").state == ProposalState.OPEN


@pytest.mark.parametrize("group", ["Viewer", "Publisher"])
def test_who_may_only_look_decides_nothing(group: str) -> None:
    visitor = member(group)
    pk = proposal("N1").pk
    assert "/accept/" not in visitor.page(f"{LIST}{pk}/change/")
    assert visitor.get(f"{LIST}accept/?p={pk}").status_code == 403


def test_a_reviewer_does_not_change_what_editors_change_in_place() -> None:
    reviewer = member("Reviewer")
    page = reviewer.page(f"{LIST}{proposal('N1').pk}/change/")
    assert "You cannot decide this. A person in the group Editor can." in page
    assert "/accept/" not in page
    said = decide(reviewer, "accept", "N1")
    assert "is not yours to decide. A person in the group Editor can." in said
    assert proposal("N1").state == ProposalState.OPEN


def test_all_of_it_is_measured_at_the_press_of_a_button() -> None:
    answer = member("Editor").post(f"{LIST}measure/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/admin/rules/impactmeasurement/")
