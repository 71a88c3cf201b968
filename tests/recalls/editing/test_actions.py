"""The verbs of recalls: one person drafts, another one approves, and a recall can be closed."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone
from msgspec.structs import replace

from catalog.errors import AlreadyRecorded, NotRecorded, OwnWork, Refused, Unfit, WrongState
from recalls.editing.actions import (
    approve_recalls,
    draft_recall,
    draft_recalls,
    submit_recalls,
    withdraw_recalls,
)
from recalls.models import Recall, validate_details
from recalls.records import Recall as RecallRecord
from recalls.serials import AffectedSerials, Window
from rules.publishing.actions.releases import publish_release
from tests.support import world
from tests.support.factories import a_recall

NEW = a_recall(recall_id="new", model_id="lynx-27k")


pytestmark = pytest.mark.usefixtures("world_rows")


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
        affected_samples=("a1",),
        unaffected_samples=("A2", "B1"),
        necessary_pattern="^A.*$",
        absent_identifier_affected=True,
        format_hint="two characters",
        colour_condition="black",
        manufacture_window=(Window("2023-01", "2023-02"), Window("2024-01", "2024-02")),
        sale_window=Window("2023-03", "2023-04"),
    )
    draft_recall(by=editor, recall=a_recall(recall_id="new", affected_serials=affected))
    assert Recall.objects.get(recall_id="new").to_record().affected_serials == affected


def test_a_recall_is_approved_by_another_person_once_it_is_submitted(editor: User, reviewer: User) -> None:
    draft_recall(by=editor, recall=NEW)
    assert Recall.objects.get(recall_id="new").state == "draft"
    submit_recalls(by=editor, recall_ids=["new"])
    with pytest.raises(OwnWork, match=r"^new: you cannot approve your own work$"):
        approve_recalls(by=editor, recall_ids=["new"])
    approve_recalls(by=reviewer, recall_ids=["new"])
    recall = Recall.objects.get(recall_id="new")
    assert (recall.state, recall.created_by, recall.approved_by) == ("approved", editor, reviewer)


@pytest.mark.parametrize("sources", [(), ("untold-pointer",)], ids=["none", "a pointer"])
def test_a_recall_without_a_source_that_was_read_is_not_submitted(
    editor: User, sources: tuple[str, ...]
) -> None:
    draft_recall(by=editor, recall=replace(NEW, sources=sources))
    with pytest.raises(Unfit, match=r"^new: rests on no source that was read, so it could not be cited$"):
        submit_recalls(by=editor, recall_ids=["new"])
    assert Recall.objects.get(recall_id="new").state == "draft"


def test_approving_several_approves_all_or_none(editor: User, reviewer: User) -> None:
    draft_recall(by=editor, recall=NEW)
    submit_recalls(by=editor, recall_ids=["new"])
    with pytest.raises(NotRecorded, match=r"^nothing: there is no such recall$"):
        approve_recalls(by=reviewer, recall_ids=["new", "nothing"])
    with pytest.raises(WrongState, match=r"^xb-puma-30k-2026: is approved, not in review$"):
        approve_recalls(by=reviewer, recall_ids=["new", "xb-puma-30k-2026"])
    assert Recall.objects.get(recall_id="new").state == "in_review"


def serials(**fields: Any) -> AffectedSerials:
    return AffectedSerials(**{"scope": "serial_pattern", "identifier": "serial", "pattern": "^A$", **fields})


REFUSED: list[tuple[type[Refused], RecallRecord, str]] = [
    (AlreadyRecorded, a_recall(), "xa-lynx-10k-2026: is already recorded"),
    (
        NotRecorded,
        a_recall(recall_id="new", model_id="lynx"),
        "new: names the model `lynx`, which is not recorded",
    ),
    (
        NotRecorded,
        a_recall(recall_id="new", sources=("nowhere",)),
        "new: names the source `nowhere`, which is not recorded",
    ),
    (
        Unfit,
        a_recall(recall_id="new", affected_serials=serials(pattern="^(A$")),
        "new: the pattern `^(A$` cannot be used: an opening parenthesis is never closed (missing ): ^(A$)",
    ),
    (
        Unfit,
        a_recall(recall_id="new", affected_serials=serials(not_affected_pattern="^B*$")),
        "new: the pattern of unaffected units `^B*$` matches an empty identifier, "
        "so it cannot distinguish units",
    ),
    (
        Unfit,
        a_recall(recall_id="new", affected_serials=serials(unaffected_samples=("B" * 65,))),
        "new: unaffected sample 1 is not 1 to 64 characters long",
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


NOT_READY = [
    (serials(unaffected_samples=("B",)), "is tested by no affected sample: give one that it must match"),
    (serials(affected_samples=("A",)), "is tested by no unaffected sample: give one that it must not match"),
    (serials(affected_samples=("A", "AA"), unaffected_samples=("B",)), "does not match affected sample 2"),
    (serials(values=("A",), unaffected_samples=("B", " a ")), "matches unaffected sample 2"),
]


@pytest.mark.parametrize(("affected", "sentence"), NOT_READY, ids=[case[1] for case in NOT_READY])
def test_a_pattern_that_is_not_tested_or_fails_its_test_is_not_put_up_for_review(
    editor: User, affected: AffectedSerials, sentence: str
) -> None:
    draft_recalls(by=editor, recalls=[NEW, a_recall(recall_id="bad", affected_serials=affected)])
    with pytest.raises(Unfit) as refused:
        submit_recalls(by=editor, recall_ids=["new", "bad"])
    assert str(refused.value) == f"bad: the pattern `^A$` {sentence}"
    assert {recall.state for recall in Recall.objects.filter(recall_id__in=["new", "bad"])} == {"draft"}


def test_a_recall_from_before_there_were_samples_can_still_be_withdrawn(
    editor: User, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft_recall(by=editor, recall=a_recall(recall_id="old", affected_serials=serials()))
    with monkeypatch.context() as before:
        before.setattr("recalls.editing.actions.objections", lambda affected: [])
        submit_recalls(by=editor, recall_ids=["old"])
    approve_recalls(by=reviewer, recall_ids=["old"])
    publish_release(by=reviewer, note="With the old one.", now=timezone.now(), cases=())
    withdraw_recalls(by=editor, recall_ids=["old"], reason="Ended.")
    submit_recalls(by=editor, recall_ids=["old"])
    assert Recall.objects.get(recall_id="old", withdraws=True).state == "in_review"


@pytest.mark.parametrize("details", [["form_url"], {"form": "x"}, {"values": "A1"}, {"pattern": "^A$"}, None])
def test_details_that_no_recall_has_are_refused(details: object) -> None:
    with pytest.raises(ValidationError):
        validate_details(details)
