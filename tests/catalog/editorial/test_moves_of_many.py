"""One step for many revisions from the list: what is shown before, and what became of each after."""

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from catalog.editorial.screens import bulk_actions, many_steps
from catalog.editorial.workflow import EditorAction
from catalog.models import AuditEntry
from recalls.editing import actions
from recalls.models import Recall
from rules.editing import actions as rule_actions
from rules.models import Rule
from tests.support.desk.visiting import TOKEN, Visitor, member
from tests.support.factories import a_recall, a_rule

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


RULES = "/admin/rules/rule/"
NAMES = ["n1.one", "n1.two", "n1.three"]
SEEN = re.compile(r'name="seen" value="([^"]*)"')
TICKED = re.compile(r'name="take" value="(\d+)"')


@pytest.fixture
def editor(db: None) -> Visitor:
    """Somebody who wrote three drafts, beside the approved rules of the world."""
    editor = member("Editor")
    rule_actions.draft_rules(by=editor.user, rules=[a_rule(rule_id=name) for name in NAMES])
    return editor


def keys(*names: str) -> list[int]:
    return list(Rule.objects.identified(names).values_list("pk", flat=True))


def state(name: str) -> str:
    return str(Rule.objects.identified([name]).get().state)


def choose(
    visitor: Visitor, action: str, *names: str, query: str = "", path: str = RULES, **more: Any
) -> HttpResponse:
    """Tick rules on the list and press what stands below it."""
    path = f"{path}{query}"
    token = TOKEN.search(visitor.page(path))
    assert token is not None
    fields = {"action": f"{action}_many", "_selected_action": keys(*names), "index": "0", **more}
    return visitor.client.post(path, {"csrfmiddlewaretoken": token[1], **fields})  # type: ignore[return-value]


def press(
    visitor: Visitor, action: str, page: HttpResponse, path: str = RULES, **fields: Any
) -> HttpResponse:
    """Press the button below what is shown, with every box ticked unless `take` says otherwise."""
    text = page.content.decode()
    token, seen = TOKEN.search(text), SEEN.search(text)
    assert token is not None
    assert seen is not None
    ticked = TICKED.findall(text)
    fields = {"csrfmiddlewaretoken": token[1], "seen": html.unescape(seen[1]), "take": ticked, **fields}
    return visitor.client.post(f"{path}do/{action}/", fields)  # type: ignore[return-value]


def text_of(page: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def test_many_are_submitted_and_each_says_what_became_of_it(editor: Visitor) -> None:
    page = choose(editor, "submit", *NAMES)
    assert "3 of 3 chosen. Another person reviews them" in text_of(page)
    assert {state(name) for name in NAMES} == {"draft"}

    done = press(editor, "submit", page)
    assert "3 done, 0 refused." in text_of(done)
    assert [state(name) for name in NAMES] == ["in_review"] * 3
    entries = AuditEntry.objects.filter(verb=EditorAction.SUBMIT, subject__in=NAMES)
    assert {entry.done_by for entry in entries} == {editor.user}


def test_what_would_be_refused_is_said_before_and_after_and_the_others_are_done(editor: Visitor) -> None:
    reviewer = member("Editor", "Reviewer")
    rule_actions.change_rule(by=reviewer.user, rule=a_rule(rule_id="n1.two", summary="Mine."))
    rule_actions.submit_rules(by=editor.user, rule_ids=NAMES[:2])

    page = choose(reviewer, "approve", *NAMES, "n1.two-units")
    refusals = [
        "n1.three draft Refused: is draft, not in review",
        "n1.two in review Refused: you cannot approve your own work",
        "n1.two-units approved Refused: is approved, not in review",
    ]
    assert "This is possible for 1 of 4 chosen" in text_of(page)
    assert all(refusal in text_of(page) for refusal in refusals)
    assert len(TICKED.findall(page.content.decode())) == 1

    # What was shown as refused is not done, even if it could be done meanwhile.
    rule_actions.submit_rules(by=editor.user, rule_ids=["n1.three"])
    done = press(reviewer, "approve", page, take=keys(*NAMES))
    assert "1 done, 0 refused." in text_of(done)
    assert [state(name) for name in NAMES] == ["approved", "in_review", "in_review"]


def test_the_refused_ones_come_first_and_the_reason_stays_with_them(editor: Visitor) -> None:
    rule_actions.submit_rules(by=editor.user, rule_ids=NAMES)
    reviewer = member("Reviewer")
    page = choose(reviewer, "return", *NAMES)
    rule_actions.approve_rules(by=reviewer.user, rule_ids=["n1.two"])

    done = press(reviewer, "return", page, reason="The page says <b>otherwise</b>.")
    said = text_of(done)
    assert "2 done, 1 refused. The refused ones are unchanged." in said
    assert said.index("n1.two Refused: is approved, not in review") < said.index("n1.one is a draft again")

    assert 'name="reason" value="The page says &lt;b&gt;otherwise&lt;/b&gt;."' in done.content.decode()
    again = press(reviewer, "return", done, again="", reason="The page says otherwise.")
    assert "This is possible for none of the 1 chosen" in text_of(again)


def test_a_step_that_is_refused_for_all_comes_back_with_what_was_typed(editor: Visitor) -> None:
    rule_actions.submit_rules(by=editor.user, rule_ids=NAMES[:2])
    reviewer = member("Reviewer")
    page = choose(reviewer, "return", *NAMES[:2])
    ids = keys(*NAMES[:2])
    # Both change and wait again.
    rule_actions.return_rules(by=reviewer.user, rule_ids=NAMES[:2], reason="A typo.")
    for name in NAMES[:2]:
        rule_actions.change_rule(by=editor.user, rule=a_rule(rule_id=name, summary="Corrected."))
    rule_actions.submit_rules(by=editor.user, rule_ids=NAMES[:2])

    refused = press(reviewer, "return", page, reason="Not on <page>.", take=ids[:1])
    assert refused.status_code == 409
    assert "n1.one : has changed since you opened it" in text_of(refused)
    assert "Not on &lt;page&gt;." in refused.content.decode()
    # The row that was left out is still left out.
    ticked = re.findall(r'name="take" value="(\d+)" form="many" checked', refused.content.decode())
    assert ticked == [str(ids[0])]
    assert "1 done, 0 refused, 1 left out." in text_of(
        press(reviewer, "return", refused, reason="Not on the page.", take=ids[:1])
    )


def test_a_row_without_its_tick_stays_as_it_is(editor: Visitor) -> None:
    page = choose(editor, "submit", *NAMES)
    nothing = press(editor, "submit", page, take=[])
    assert "tick the rows that you mean" in text_of(nothing)

    done = press(editor, "submit", nothing, take=keys("n1.two"))
    assert "1 done, 0 refused, 2 left out." in text_of(done)
    assert [state(name) for name in NAMES] == ["draft", "in_review", "draft"]


def test_where_nothing_can_be_done_there_is_no_button(editor: Visitor) -> None:
    page = choose(editor, "submit", "n1.two-units")
    assert "This is possible for none of the 1 chosen" in text_of(page)
    assert not SEEN.search(page.content.decode())


def test_a_reviewer_sees_what_each_of_them_says(editor: Visitor) -> None:
    rule_actions.revise_rules(by=editor.user, rule_ids=["n1.two-units"], reason="News.")
    (agreed,) = Rule.objects.filter(rule_id="n1.two-units", state="approved").records()
    rule_actions.change_rule(by=editor.user, rule=replace(agreed, summary="Four."))
    rule_actions.submit_rules(by=editor.user, rule_ids=["n1.two-units", "n1.one"])

    page = choose(member("Reviewer"), "approve", "n1.two-units", "n1.one")
    assert f"Summary: {agreed.summary} → Four." in text_of(page)
    assert "Rule id: n1.one" in text_of(page)


@pytest.mark.parametrize(("action", "left"), [("return", "draft"), ("discard", None)])
def test_anyone_who_sets_aside_says_why_once_for_all(editor: Visitor, action: str, left: str | None) -> None:
    if action == "return":
        rule_actions.submit_rules(by=editor.user, rule_ids=NAMES)
    visitor = member("Reviewer") if action == "return" else editor
    page = choose(visitor, action, *NAMES)

    unsaid = press(visitor, action, page, reason=" ")
    assert "This field is required." in text_of(unsaid)
    press(visitor, action, unsaid, reason="The page says otherwise.")

    rows = dict(Rule.objects.filter(rule_id__in=NAMES).values_list("rule_id", "state"))
    assert rows == (dict.fromkeys(NAMES, left) if left else {})
    entries = AuditEntry.objects.filter(verb=action, subject__in=NAMES)
    assert [entry.reason for entry in entries] == ["The page says otherwise."] * 3


def test_what_has_changed_since_it_was_shown_is_refused(editor: Visitor) -> None:
    rule_actions.submit_rules(by=editor.user, rule_ids=NAMES)
    reviewer = member("Reviewer")
    page = choose(reviewer, "approve", *NAMES)
    rule_actions.return_rules(by=reviewer.user, rule_ids=["n1.two"], reason="A typo.")
    rule_actions.change_rule(
        by=editor.user, rule=a_rule(rule_id="n1.two", summary="Something else altogether.")
    )
    rule_actions.submit_rules(by=editor.user, rule_ids=["n1.two"])

    done = press(reviewer, "approve", page)
    assert "n1.two Refused: has changed since you opened it" in text_of(done)
    assert [state(name) for name in NAMES] == ["approved", "in_review", "approved"]


def test_an_older_revision_is_not_taken_for_the_newest(editor: Visitor) -> None:
    old = keys("n1.two-units")
    rule_actions.revise_rules(by=editor.user, rule_ids=["n1.two-units"], reason="News.")

    page = choose(editor, "submit", query="?state=every", _selected_action=old)
    assert "Refused: has a newer revision; this is revision 1" in text_of(page)


def test_the_way_back_leads_to_the_list_as_it_was_filtered(editor: Visitor) -> None:
    page = choose(editor, "submit", "n1.one", query="?state=draft")
    assert f'href="{RULES}?state=draft"' in page.content.decode()
    done = press(editor, "submit", page, back="state=draft")
    assert f'href="{RULES}?state=draft"' in done.content.decode()


def test_more_than_can_be_looked_at_is_refused_at_once(
    editor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many_steps, "MOST", 2)
    page = choose(editor, "submit", *NAMES)
    assert page.status_code == 302
    assert "Nothing was done. You can choose up to 2 at once" in editor.page(RULES)
    assert {state(name) for name in NAMES} == {"draft"}


@pytest.mark.parametrize(
    ("group", "offered"),
    [
        ("Editor", {"submit", "discard"}),
        ("Reviewer", {"approve", "approve_again", "return"}),
        ("Publisher", set()),
        ("Viewer", set()),
    ],
)
def test_each_group_is_offered_what_it_may_and_nothing_else(
    editor: Visitor, group: str, offered: set[str]
) -> None:
    visitor = member(group)
    page = visitor.page(RULES)
    assert set(re.findall(r'<option value="(\w+)_many"', page)) == offered

    visitor.client.handler.enforce_csrf_checks = False
    for action in bulk_actions.MANY:
        path = f"{RULES}do/{action}/"
        answer = visitor.client.post(path, {"seen": "[]", "reason": "So."})
        assert answer.status_code == (200 if action in offered else 403)
        chosen = {"action": f"{action}_many", "_selected_action": keys("n1.one")}
        offered_page = b"chosen" in visitor.client.post(RULES, chosen).content
        assert offered_page == (action in offered)


def test_a_link_does_nothing_and_neither_does_a_forged_or_broken_button(editor: Visitor) -> None:
    path = f"{RULES}do/submit/"
    page = choose(editor, "submit", "n1.one")
    seen = SEEN.search(page.content.decode())
    assert seen is not None

    assert editor.get(path)["Location"] == RULES
    assert editor.get(f"{RULES}do/publish/").status_code == 404
    assert editor.client.post(path, {"seen": html.unescape(seen[1])}).status_code == 403
    assert press(editor, "submit", page, seen="[[1]]").status_code == 400
    assert state("n1.one") == "draft"


def test_a_second_approver_sees_what_the_first_one_agreed_to(editor: Visitor) -> None:
    rule_actions.submit_rules(by=editor.user, rule_ids=NAMES[:1])
    first, second = member("Reviewer"), member("Reviewer")
    press(first, "approve", choose(first, "approve", "n1.one"))

    refused = choose(first, "approve_again", "n1.one")
    assert "Refused: the second approval must be by another person than the first" in html.unescape(
        text_of(refused)
    )
    page = choose(second, "approve_again", "n1.one")
    assert "Rule id: n1.one" in text_of(page)
    assert "1 done, 0 refused" in text_of(press(second, "approve_again", page))


def test_recalls_go_the_same_way(editor: Visitor) -> None:
    actions.draft_recall(by=editor.user, recall=a_recall(recall_id="new", model_id="lynx-27k"))
    key = Recall.objects.get(recall_id="new").pk
    path = "/admin/recalls/recall/"

    for visitor, action, state in (
        (editor, "submit", "in_review"),
        (member("Reviewer"), "approve", "approved"),
    ):
        page = choose(visitor, action, path=path, _selected_action=[key])
        assert "1 done, 0 refused" in text_of(press(visitor, action, page, path=path))
        assert Recall.objects.get(recall_id="new").state == state


def test_a_preview_asks_no_more_often_for_many_rows_than_for_one(editor: Visitor) -> None:
    def questions(*names: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            choose(editor, "submit", *names)
        return len(asked)

    assert questions(*NAMES) == questions("n1.one")
