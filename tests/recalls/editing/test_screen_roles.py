"""Who may do what to a recall over HTTP: every group, and somebody in none, times all that there is to do."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group

from catalog.editorial.workflow import EditorAction, State
from catalog.screens.record_forms import digest
from recalls.editing import actions
from recalls.models import Recall
from rules.publishing.actions.releases import publish_release
from tests.recalls.editing.test_screens import BY_SERIAL
from tests.support.desk.filling_in import fields_of, send
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_recall, a_user
from tests.support.partners import NOON

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


RECALLS = "/admin/recalls/recall/"
DESK = {"Editor", "Reviewer", "Publisher", "Viewer"}
PEOPLE = [*sorted(DESK), "Partner manager", "nobody"]


def in_state(state: State, name: str) -> Recall:
    """Return the only revision of a new recall, led to a state by people who are not asked for here."""
    author, other = a_user(), a_user("other")
    actions.draft_recall(by=author, recall=a_recall(recall_id=name))
    if state != State.DRAFT:
        actions.submit_recalls(by=author, recall_ids=[name])
    if state not in (State.DRAFT, State.IN_REVIEW):
        actions.approve_recalls(by=other, recall_ids=[name])
    if state == State.PUBLISHED:
        publish_release(by=a_user("publisher"), note="Out.", now=NOON, cases=())
    row = Recall.objects.get(recall_id=name)
    assert row.state == state
    return row


def get(path: str) -> Callable[[Visitor, Recall], int]:
    return lambda visitor, row: visitor.get(f"{RECALLS}{path.format(row.pk)}").status_code


def post(path: str, **fields: Any) -> Callable[[Visitor, Recall], int]:
    return lambda visitor, row: visitor.post(f"{RECALLS}{path.format(row.pk)}", **fields).status_code


def press(action: EditorAction) -> Callable[[Visitor, Recall], int]:
    def pressed(visitor: Visitor, row: Recall) -> int:
        sent = {"seen": digest(row.to_record()), "reason": "Because."}
        return visitor.post(f"{RECALLS}{row.pk}/do/{action.value}/", **sent).status_code

    return pressed


def change(visitor: Visitor, row: Recall) -> int:
    """Save the form as an editor opened it, whoever sends it."""
    editor = Visitor()
    editor.user.groups.set(Group.objects.filter(name="Editor"))
    fields = fields_of(editor, f"{RECALLS}{row.pk}/change/") | {"csrfmiddlewaretoken": [visitor.token()]}
    # Whose page it was would stop the form before its right is asked.
    fields.pop("_sender", None)
    return send(visitor, f"{RECALLS}{row.pk}/change/", fields, title="Anew").status_code


TABLE: list[tuple[str, Callable[[Visitor, Recall], int], State, set[str], int]] = [
    ("list", get(""), State.DRAFT, DESK, 200),
    ("look", get("{}/change/"), State.DRAFT, DESK, 200),
    ("history", get("{}/history/"), State.DRAFT, DESK, 200),
    ("test as it stands", post("{}/test/", fragment="1"), State.DRAFT, DESK, 200),
    ("try", post("{}/test/", **{"_try": "", "try-serial": "LX-1"}), State.APPROVED, DESK, 200),
    ("form", get("add/"), State.DRAFT, {"Editor"}, 200),
    ("test what is typed", post("test/", fragment="1", **BY_SERIAL), State.DRAFT, {"Editor"}, 200),
    ("draft", post("add/", **BY_SERIAL), State.DRAFT, {"Editor"}, 302),
    ("change", change, State.DRAFT, {"Editor"}, 302),
    ("submit", press(EditorAction.SUBMIT), State.DRAFT, {"Editor"}, 302),
    ("discard", press(EditorAction.DISCARD), State.DRAFT, {"Editor"}, 302),
    ("revise", press(EditorAction.REVISE), State.APPROVED, {"Editor"}, 302),
    ("withdraw", press(EditorAction.WITHDRAW), State.PUBLISHED, {"Editor"}, 302),
    ("return", press(EditorAction.RETURN), State.IN_REVIEW, {"Reviewer"}, 302),
    ("approve", press(EditorAction.APPROVE), State.IN_REVIEW, {"Reviewer"}, 302),
    ("take back", press(EditorAction.TAKE_BACK), State.APPROVED, {"Reviewer"}, 302),
    ("change what is in review", post("{}/change/", **BY_SERIAL), State.IN_REVIEW, set(), 302),
    ("delete", post("{}/delete/", post="yes"), State.DRAFT, set(), 302),
]
"""What there is to do, in which state of the recall, who may, and how it is answered then; 403 otherwise."""


@pytest.mark.django_db
@pytest.mark.parametrize("who", PEOPLE)
def test_a_group_may_do_what_the_table_says_and_nothing_else(who: str) -> None:
    visitor = Visitor()
    visitor.user.groups.set(Group.objects.filter(name=who))
    # Publishing takes along whatever is approved, so that one comes first.
    published = in_state(State.PUBLISHED, "is-published")
    for number, (what, do, state, allowed, answer) in enumerate(TABLE):
        row = published if state == State.PUBLISHED else in_state(state, f"number-{number}")
        before = list(Recall.objects.order_by("pk").values())
        expected = answer if who in allowed else 403
        assert do(visitor, row) == expected, what
        if expected == 403:
            assert list(Recall.objects.order_by("pk").values()) == before, what
