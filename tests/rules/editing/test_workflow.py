"""Who may do what to a rule at its screens: every group, every button, every state."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.http import HttpResponse
from msgspec.structs import replace

from catalog.editorial.workflow import NEEDS_REASON, EditorAction, State
from catalog.screens.record_forms import digest
from checks.hostile.forms import Form
from rules.editing import actions as rule_actions
from rules.engine.facts import When
from rules.models import Rule
from rules.publishing.actions.releases import publish_release
from tests.support.desk.filling_in import fields_of
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_rule, a_user
from tests.support.partners import NOON

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


RULES = "/admin/rules/rule/"
WRITING = {EditorAction.SUBMIT, EditorAction.DISCARD, EditorAction.REVISE, EditorAction.WITHDRAW}
REVIEWING = {EditorAction.APPROVE, EditorAction.RETURN, EditorAction.TAKE_BACK}

GROUPS: dict[str, set[EditorAction]] = {
    "Editor": WRITING,
    "Reviewer": REVIEWING,
    "Publisher": set(),
    "Viewer": set(),
    "Partner manager": set(),
    "nobody": set(),
}
SEE_RULES = {"Editor", "Reviewer", "Publisher", "Viewer"}
BUTTONS = sorted(WRITING | REVIEWING)

PERMITTED: dict[State, set[EditorAction]] = {
    # Publishing takes along whatever is approved, so this one comes first.
    State.PUBLISHED: {EditorAction.REVISE, EditorAction.WITHDRAW},
    State.DRAFT: {EditorAction.SUBMIT, EditorAction.DISCARD},
    State.IN_REVIEW: {EditorAction.APPROVE, EditorAction.RETURN},
    State.APPROVED: {EditorAction.TAKE_BACK, EditorAction.REVISE},
    State.WITHDRAWN: {EditorAction.REVISE},
}
"""What each state permits for the newest revision of a rule of which nothing else is open."""


def in_state(state: State) -> Rule:
    """Return the only revision of a new rule, led to a state by people who are not asked for here."""
    author, other = a_user(), a_user("other")
    name = f"n1.is-{state.value.replace('_', '-')}"
    rule_actions.draft_rule(by=author, rule=a_rule(rule_id=name))
    if state != State.DRAFT:
        rule_actions.submit_rules(by=author, rule_ids=[name])
    if state not in (State.DRAFT, State.IN_REVIEW):
        rule_actions.approve_rules(by=other, rule_ids=[name])
    if state == State.WITHDRAWN:
        rule_actions.take_back_rules(by=other, rule_ids=[name], reason="No.")
    if state == State.PUBLISHED:
        publish_release(by=a_user("publisher"), note="Out.", now=NOON, cases=())
    row = Rule.objects.get(rule_id=name)
    assert row.state == state
    return row


def member(group: str) -> Visitor:
    visitor = Visitor()
    visitor.user.groups.set(Group.objects.filter(name=group))
    return visitor


def address(row: Rule, action: str) -> str:
    return f"{RULES}{row.pk}/do/{action}/"


def press(visitor: Visitor, row: Rule, action: str, **fields: Any) -> int:
    """Press a button as the page offers it: with what was seen, and a reason where one is asked for."""
    sent = {"seen": digest(row.to_record()), "reason": "Because.", **fields}
    return visitor.post(address(row, action), **sent).status_code


@pytest.mark.django_db
@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_offered_and_may_do_what_state_and_table_allow(group: str) -> None:
    visitor = member(group)
    for state in PERMITTED:
        row = in_state(state)
        allowed = PERMITTED[state] & GROUPS[group]
        page = visitor.get(f"{RULES}{row.pk}/change/")
        assert page.status_code == (200 if group in SEE_RULES else 403)
        shown = page.content.decode()
        assert {action for action in BUTTONS if f'"{address(row, action)}"' in shown} == allowed

        for action in set(BUTTONS) - allowed:
            may = action in GROUPS[group]
            assert visitor.get(address(row, action)).status_code == (200 if may else 403)
            assert press(visitor, row, action) == (409 if may else 403), (state, action)
            assert states_of(row) == [state]


def states_of(row: Rule) -> list[str]:
    return list(Rule.objects.filter(rule_id=row.rule_id).order_by("revision").values_list("state", flat=True))


@pytest.mark.django_db
def test_who_gave_the_first_approval_is_told_that_another_person_gives_the_second() -> None:
    row, reviewer = in_state(State.IN_REVIEW), member("Reviewer")
    assert press(reviewer, row, EditorAction.APPROVE) == 302
    page = reviewer.page(f"{RULES}{row.pk}/change/")
    assert "You gave the first approval. If it needs a second one, another person gives it." in page
    assert address(row, EditorAction.APPROVE_AGAIN) not in page
    assert address(row, EditorAction.APPROVE_AGAIN) in member("Reviewer").page(f"{RULES}{row.pk}/change/")


@pytest.mark.django_db
def test_what_counts_again_after_a_newer_revision_was_taken_back_is_found_and_taken_back() -> None:
    first = in_state(State.APPROVED)
    rule_actions.revise_rules(by=a_user(), rule_ids=[first.rule_id], reason="News.")
    rule_actions.change_rule(by=a_user(), rule=replace(first.to_record(), summary="Other words."))
    rule_actions.submit_rules(by=a_user(), rule_ids=[first.rule_id])
    rule_actions.approve_rules(by=a_user("other"), rule_ids=[first.rule_id])
    second = Rule.objects.get(rule_id=first.rule_id, revision=2)
    reviewer = member("Reviewer")
    # Only the newer one can be taken back now.
    assert address(first, EditorAction.TAKE_BACK) not in reviewer.page(f"{RULES}{first.pk}/change/")
    assert press(reviewer, second, EditorAction.TAKE_BACK) == 302
    page = reviewer.page(f"{RULES}{second.pk}/change/")
    assert "The next release contains" in page
    assert f'href="{RULES}{first.pk}/change/"' in page
    assert address(first, EditorAction.TAKE_BACK) in reviewer.page(f"{RULES}{first.pk}/change/")
    assert press(reviewer, first, EditorAction.TAKE_BACK) == 302
    assert states_of(first) == ["withdrawn", "withdrawn"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "action", "after"),
    [
        (State.DRAFT, EditorAction.SUBMIT, ["in_review"]),
        (State.DRAFT, EditorAction.DISCARD, []),
        (State.IN_REVIEW, EditorAction.APPROVE, ["approved"]),
        (State.IN_REVIEW, EditorAction.RETURN, ["draft"]),
        (State.APPROVED, EditorAction.TAKE_BACK, ["withdrawn"]),
        (State.APPROVED, EditorAction.REVISE, ["approved", "draft"]),
        (State.PUBLISHED, EditorAction.REVISE, ["published", "draft"]),
        (State.PUBLISHED, EditorAction.WITHDRAW, ["published", "draft"]),
        (State.WITHDRAWN, EditorAction.REVISE, ["withdrawn", "draft"]),
    ],
)
def test_a_button_does_what_it_says(state: State, action: EditorAction, after: list[str]) -> None:
    row = in_state(state)
    visitor = member("Editor" if action in WRITING else "Reviewer")
    assert press(visitor, row, action) == 302
    assert states_of(row) == after


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "action"),
    [
        (State.DRAFT, EditorAction.DISCARD),
        (State.IN_REVIEW, EditorAction.RETURN),
        (State.APPROVED, EditorAction.TAKE_BACK),
        (State.APPROVED, EditorAction.REVISE),
        (State.PUBLISHED, EditorAction.WITHDRAW),
    ],
)
def test_an_action_that_needs_a_reason_is_not_done_without_one(state: State, action: EditorAction) -> None:
    assert action in NEEDS_REASON
    row = in_state(state)
    visitor = member("Editor" if action in WRITING else "Reviewer")
    asked = visitor.page(address(row, action))
    assert 'name="reason"' in asked
    for nothing in ("", "   "):
        assert press(visitor, row, action, reason=nothing) == 400
    assert states_of(row) == [state]


@pytest.mark.django_db
def test_anyone_who_wrote_in_a_revision_is_not_offered_to_approve_it_and_is_refused() -> None:
    author = member("Editor")
    author.user.groups.add(Group.objects.get(name="Reviewer"))
    rule_actions.draft_rule(by=author.user, rule=a_rule(rule_id="n1.mine"))
    rule_actions.submit_rules(by=author.user, rule_ids=["n1.mine"])
    row = Rule.objects.get(rule_id="n1.mine")

    page = author.page(f"{RULES}{row.pk}/change/")
    assert "You wrote in this revision, so another person must approve it." in page
    assert address(row, EditorAction.APPROVE) not in page
    assert press(author, row, EditorAction.APPROVE) == 409
    assert states_of(row) == ["in_review"]


@pytest.mark.django_db
def test_no_one_approves_what_they_have_not_seen() -> None:
    row, reviewer = in_state(State.IN_REVIEW), member("Reviewer")
    seen = digest(row.to_record())
    author = a_user()
    rule_actions.return_rules(by=a_user("other"), rule_ids=[row.rule_id], reason="No.")
    rule_actions.change_rule(by=author, rule=a_rule(rule_id=row.rule_id, summary="Something else."))
    rule_actions.submit_rules(by=author, rule_ids=[row.rule_id])

    response = reviewer.post(address(row, EditorAction.APPROVE), seen=seen)
    assert response.status_code == 409
    assert "has changed since you opened it" in response.content.decode()
    assert states_of(row) == ["in_review"]
    # No one approves from this page: it leads to what is to be read.
    assert f'href="{RULES}{row.pk}/change/"' in response.content.decode()
    assert "<button" not in form_of(response)


def form_of(response: HttpResponse) -> str:
    """Return the form of a question."""
    return response.content.decode().partition('<form method="post">')[2].partition("</form>")[0]


@pytest.mark.django_db
def test_an_old_tab_leads_to_the_draft_and_from_there_it_is_submitted() -> None:
    row, editor = in_state(State.DRAFT), member("Editor")
    old = digest(row.to_record())
    rule_actions.change_rule(by=editor.user, rule=a_rule(rule_id=row.rule_id, summary="Something else."))
    refused = editor.post(address(row, EditorAction.SUBMIT), seen=old)
    assert refused.status_code == 409
    page = editor.page(f"{RULES}{row.pk}/change/")
    assert f'href="{RULES}{row.pk}/change/"' in form_of(refused)
    (seen,) = set(re.findall(r'name="seen" value="([0-9a-f]{64})"', page))
    assert editor.post(address(row, EditorAction.SUBMIT), seen=seen).status_code == 302
    assert states_of(row) == ["in_review"]


@pytest.mark.django_db
def test_after_a_change_a_reason_stays_and_the_next_press_works() -> None:
    row, editor = in_state(State.DRAFT), member("Editor")
    old = digest(row.to_record())
    rule_actions.change_rule(by=editor.user, rule=a_rule(rule_id=row.rule_id, summary="Something else."))
    refused = editor.post(address(row, EditorAction.DISCARD), seen=old, reason="Typed with care.")
    assert refused.status_code == 409
    fields = {name: values[-1] for name, values in Form(refused.content.decode()).fields.items()}
    assert fields["reason"].strip() == "Typed with care."
    sent = {name: fields[name] for name in ("seen", "reason")}
    assert editor.post(address(row, EditorAction.DISCARD), **sent).status_code == 302
    assert states_of(row) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reason", "status", "sentence"),
    [
        ("Not\x0bso.", 409, "Has a control character, U+000B, after “Not”"),
        ("\u200b", 400, "a reason is required"),
        ("x" * 2001, 400, "at most 2000 characters"),
    ],
)
def test_a_reason_that_no_one_could_read_is_refused_and_stays_in_the_form(
    reason: str, status: int, sentence: str
) -> None:
    row, reviewer = in_state(State.IN_REVIEW), member("Reviewer")
    sent = {"seen": digest(row.to_record()), "reason": reason}
    answer = reviewer.post(address(row, EditorAction.RETURN), **sent)
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert Form(answer.content.decode()).fields["reason"][-1].strip() == reason
    assert states_of(row) == ["in_review"]


@pytest.mark.django_db
def test_a_button_on_an_older_revision_does_nothing_to_the_newer_one() -> None:
    row, editor = in_state(State.APPROVED), member("Editor")
    rule_actions.revise_rules(by=a_user(), rule_ids=[row.rule_id], reason="Again.")
    assert press(editor, row, EditorAction.SUBMIT) == 409
    assert states_of(row) == ["approved", "draft"]


@pytest.mark.django_db
def test_only_a_post_with_the_token_of_the_session_does_anything() -> None:
    row, editor = in_state(State.DRAFT), member("Editor")
    assert editor.get(address(row, EditorAction.SUBMIT)).status_code == 200
    assert (
        editor.client.post(address(row, EditorAction.SUBMIT), {"seen": digest(row.to_record())}).status_code
        == 403
    )
    assert states_of(row) == ["draft"]


@pytest.mark.django_db
def test_what_is_no_button_or_no_rule_is_not_found() -> None:
    row, editor = in_state(State.DRAFT), member("Editor")
    for path in (address(row, "publish"), f"{RULES}0/do/submit/", f"{RULES}x/do/submit/"):
        assert editor.get(path).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("group", GROUPS)
def test_only_editors_draft_and_change_and_only_drafts_are_changed(group: str) -> None:
    visitor, editor = member(group), group == "Editor"
    assert visitor.get(f"{RULES}add/").status_code == (200 if editor else 403)
    assert visitor.post(f"{RULES}reading/").status_code == (200 if editor else 403)
    for state in PERMITTED:
        row = in_state(state)
        path = f"{RULES}{row.pk}/change/"
        changes = editor and state == State.DRAFT
        if group in SEE_RULES:
            assert ("says" in fields_of(visitor, path)) is changes
        before = row.to_record()
        if not changes:
            assert visitor.post(path, summary="Mine.").status_code == 403
        assert Rule.objects.get(pk=row.pk).to_record() == before
        assert visitor.get(f"{RULES}{row.pk}/delete/").status_code == 403


@pytest.mark.django_db
def test_a_reviewer_reads_what_differs_from_what_is_agreed() -> None:
    row, editor = in_state(State.PUBLISHED), a_user()
    rule_actions.revise_rules(by=editor, rule_ids=[row.rule_id], reason="The page says so.")
    when = When(watt_hour_over=Decimal("100.00"))
    rule_actions.change_rule(
        by=editor, rule=a_rule(rule_id=row.rule_id, summary="Another sentence.", when=when)
    )
    rule_actions.submit_rules(by=editor, rule_ids=[row.rule_id])
    newest = Rule.objects.get(rule_id=row.rule_id, revision=2)

    page = " ".join(member("Reviewer").page(f"{RULES}{newest.pk}/change/").split())
    assert '<th scope="row" data-label="Field">More than … Wh</th>' in page
    assert "when.watt_hour_over" not in page
    assert "Differences from revision 1, which is published" in page
    assert "Another sentence." in page
    assert "<strong>Reason for this revision:</strong> The page says so." in page
    # A second approver and the publisher read the same.
    rule_actions.approve_rules(by=a_user("approver"), rule_ids=[row.rule_id])
    page = " ".join(member("Publisher").page(f"{RULES}{newest.pk}/change/").split())
    assert "<details open> <summary" in page
    assert "Differences from revision 1, which is published" in page


@pytest.mark.django_db
def test_who_approves_a_correction_of_what_is_not_published_sees_all_that_it_publishes() -> None:
    row, editor = in_state(State.PUBLISHED), a_user()
    milder = replace(row.to_record(), when=When(watt_hour_over=Decimal("160.00")))
    for record in (milder, replace(milder, summary="Without the slip.")):
        rule_actions.revise_rules(by=editor, rule_ids=[row.rule_id], reason="A slip in the words.")
        rule_actions.change_rule(by=editor, rule=record)
        rule_actions.submit_rules(by=editor, rule_ids=[row.rule_id])
        rule_actions.approve_rules(by=a_user("approver"), rule_ids=[row.rule_id])
    newest = Rule.objects.get(rule_id=row.rule_id, revision=3)

    page = " ".join(member("Reviewer").page(f"{RULES}{newest.pk}/change/").split())
    _, correction, everything = page.split('<summary class="cursor-pointer">Differences from revision ')
    assert correction.startswith("2, which is approved")
    assert "Without the slip." in correction
    assert everything.startswith("1, which is published")
    assert "160" in everything[: everything.index("</details>")]


@pytest.mark.django_db
def test_a_returned_draft_says_who_returned_it_and_why() -> None:
    row = in_state(State.IN_REVIEW)
    reviewer, editor = member("Reviewer"), member("Editor")
    press(reviewer, row, EditorAction.RETURN, reason="Page 2 <b>says</b> two.")
    page = editor.page(f"{RULES}{row.pk}/change/")
    assert f"{reviewer.user} returned it:" in page
    assert "Page 2 &lt;b&gt;says&lt;/b&gt; two." in page
    # The reason is still there for whoever reviews it again.
    press(editor, row, EditorAction.SUBMIT)
    assert f"{reviewer.user} returned it before:" in reviewer.page(f"{RULES}{row.pk}/change/")
