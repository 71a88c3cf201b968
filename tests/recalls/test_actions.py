"""The verbs of recalls: one person drafts, another one approves, and a recall can be closed."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from catalog.errors import AlreadyRecorded, NotRecorded, OwnWork, Refused, Unfit, WrongState
from recalls.actions import approve_recall, approve_recalls, close_recall, draft_recall, draft_recalls
from recalls.models import Recall, validate_details
from recalls.records import Recall as RecallRecord
from recalls.serials import AffectedSerials, Window
from tests import world
from tests.factories import a_recall, a_user
from tests.world import APPROVER, build_world

NEW = a_recall(recall_id="new", model_id="lynx-27k")


@pytest.fixture
def editor(db: None) -> User:
    editor = a_user()
    build_world(by=editor)
    return editor


@pytest.fixture
def reviewer(editor: User) -> User:
    return a_user(APPROVER)


def test_every_recall_of_the_test_world_reads_back_as_it_was_written(editor: User) -> None:
    read = {record.recall_id: record for record in Recall.objects.all().records()}
    assert read == {record.recall_id: record for record in world.RECALLS}


def test_what_only_people_read_of_a_recall_reads_back_too(editor: User) -> None:
    affected = AffectedSerials(
        scope="batch",
        identifier="production_batch",
        pattern="^A1$",
        form_url="https://puma.example/form",
        values=("A1",),
        necessary_pattern="^A.*$",
        absent_identifier_affected=True,
        format_hint="two characters",
        colour_condition="black",
        manufacture_window=(Window("2023-01", "2023-02"), Window("2024-01", "2024-02")),
        sale_window=Window("2023-03", "2023-04"),
    )
    draft_recall(by=editor, recall=a_recall(recall_id="new", affected_serials=affected))
    assert Recall.objects.get(pk="new").to_record().affected_serials == affected


def test_a_recall_is_a_draft_until_somebody_else_approves_it(editor: User, reviewer: User) -> None:
    draft_recall(by=editor, recall=NEW)
    assert Recall.objects.get(pk="new").state == "draft"
    with pytest.raises(OwnWork, match=r"^new: nobody approves their own work$"):
        approve_recall(by=editor, recall_id="new")
    approve_recall(by=reviewer, recall_id="new")
    recall = Recall.objects.get(pk="new")
    assert (recall.state, recall.created_by, recall.approved_by) == ("approved", editor, reviewer)
    assert recall.approved_at is not None
    assert recall.created_at <= recall.approved_at


def test_approving_several_approves_all_or_none(editor: User, reviewer: User) -> None:
    draft_recall(by=editor, recall=NEW)
    with pytest.raises(NotRecorded, match=r"^nothing: there is no such recall$"):
        approve_recalls(by=reviewer, recall_ids=["new", "nothing"])
    with pytest.raises(WrongState, match=r"^xb-puma-30k-2026: is approved already$"):
        approve_recalls(by=reviewer, recall_ids=["new", "xb-puma-30k-2026"])
    assert Recall.objects.get(pk="new").state == "draft"


def test_an_approved_recall_can_be_closed_once(editor: User, reviewer: User) -> None:
    close_recall(by=editor, recall_id="xb-puma-30k-2026")
    recall = Recall.objects.get(pk="xb-puma-30k-2026")
    assert (recall.status, recall.closed_by) == ("closed", editor)
    with pytest.raises(WrongState, match="only an approved recall that is still active can be closed"):
        close_recall(by=editor, recall_id="xb-puma-30k-2026")


def test_a_draft_or_an_unknown_recall_cannot_be_closed(editor: User) -> None:
    draft_recall(by=editor, recall=NEW)
    with pytest.raises(WrongState):
        close_recall(by=editor, recall_id="new")
    with pytest.raises(NotRecorded):
        close_recall(by=editor, recall_id="nothing")


def serials(**fields: Any) -> AffectedSerials:
    return AffectedSerials(**{"scope": "serial_pattern", "identifier": "serial", "pattern": "^A$", **fields})


REFUSED: list[tuple[type[Refused], RecallRecord, str]] = [
    (AlreadyRecorded, a_recall(), "xa-lynx-10k-2026: is recorded already"),
    (
        NotRecorded,
        a_recall(recall_id="new", model_id="lynx"),
        "new: names the device `lynx`, which is not recorded",
    ),
    (
        NotRecorded,
        a_recall(recall_id="new", sources=("nowhere",)),
        "new: names the source `nowhere`, which is not recorded",
    ),
    (
        Unfit,
        a_recall(recall_id="new", affected_serials=serials(pattern="^(A$")),
        "new: the pattern `^(A$` cannot be used: missing ): ^(A$",
    ),
    (
        Unfit,
        a_recall(recall_id="new", affected_serials=serials(pattern=r"^(A)\1$")),
        r"new: the pattern `^(A)\1$` cannot be used: invalid escape sequence: \1",
    ),
    (
        Unfit,
        a_recall(recall_id="new", affected_serials=serials(pattern=None)),
        "new: a recall of serials, batches or date codes has a pattern",
    ),
    (
        Unfit,
        a_recall(recall_id="new", units=5, units_scope=None),
        "new: `units` and `units_scope` go together",
    ),
]


@pytest.mark.parametrize(("error", "recall", "sentence"), REFUSED, ids=[case[2] for case in REFUSED])
def test_it_refuses(editor: User, error: type[Refused], recall: RecallRecord, sentence: str) -> None:
    with pytest.raises(error) as refused:
        draft_recalls(by=editor, recalls=[a_recall(recall_id="fine"), recall])
    assert str(refused.value) == sentence
    assert Recall.objects.count() == len(world.RECALLS)


@pytest.mark.parametrize("details", [["form_url"], {"form": "x"}, {"values": "A1"}, {"pattern": "^A$"}, None])
def test_details_that_no_recall_has_are_refused(details: object) -> None:
    with pytest.raises(ValidationError):
        validate_details(details)
