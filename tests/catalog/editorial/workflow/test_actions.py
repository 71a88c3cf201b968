"""The way of a revision from its draft to the release and out of it, for rules and recalls alike."""

import datetime

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from catalog.editorial.selectors import writers_of
from catalog.errors import NotRecorded, OwnWork, ReasonMissing, Refused, Unfit, WrongState
from rules.engine.document import Content, decode
from rules.models import Release
from rules.next_release import compile_content
from rules.publishing.actions.releases import NothingToPublish, publish_release
from tests.support.factories import a_user
from tests.support.revision_kinds import RULES, Kind, both_kinds
from tests.support.second_approvals import approve_all_again

NOON = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)


pytestmark = pytest.mark.usefixtures("world_rows")


def publish(by: User) -> Release:
    approve_all_again()
    return publish_release(by=by, note="News.", now=NOON, cases=())


def published(kind: Kind) -> dict[str, str]:
    """Return what the current release says: the text of each record of a kind by its id."""
    release = Release.objects.current()
    content = decode(release.document.encode()).content if release else Content()
    records = getattr(content, f"{kind.name}s")
    return {getattr(record, kind.model.id_field): getattr(record, kind.text) for record in records}


def approve_change(kind: Kind, name: str, text: str, *, editor: User, reviewer: User) -> None:
    kind.revise(name, by=editor, reason="The page has changed.")
    kind.rewrite(name, text, by=editor)
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)


def approve_withdrawal(kind: Kind, name: str, *, editor: User, reviewer: User) -> None:
    kind.withdraw(name, by=editor, reason="It is over.")
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)


@both_kinds
def test_a_change_is_a_new_revision_and_the_old_one_answers_until_it_is_published(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    before = published(kind)[name]
    assert kind.states(name) == ["published"]

    kind.revise(name, by=editor, reason="The page has changed.")
    kind.rewrite(name, "Something else.", by=editor)
    kind.submit(name, by=editor)
    with pytest.raises(NothingToPublish):
        publish(reviewer)
    assert kind.states(name) == ["published", "in_review"]

    kind.approve(name, by=reviewer)
    assert published(kind)[name] == before
    publish(reviewer)

    assert published(kind)[name] == "Something else."
    assert kind.states(name) == ["superseded", "published"]
    newest = kind.newest(name)
    assert (newest.published_at, newest.published_by) == (NOON, reviewer)


@both_kinds
def test_a_revision_begins_as_a_copy_of_what_is_agreed_with_its_evidence(
    kind: Kind, name: str, editor: User
) -> None:
    agreed = kind.newest(name).to_record()
    other = a_user("another editor")
    kind.revise(name, by=other, reason="To look at it again.")
    copy = kind.newest(name)
    assert copy.to_record() == agreed
    assert copy.to_record().sources
    assert (copy.revision, copy.state, copy.created_by, copy.authors) == (2, "draft", other, [other.pk])
    assert (copy.approved_at, copy.submitted_at) == (None, None)


@both_kinds
def test_there_is_one_open_revision_at_a_time(kind: Kind, name: str, editor: User, reviewer: User) -> None:
    kind.revise(name, by=editor, reason="News.")
    with pytest.raises(WrongState, match=f"^{name}: already has an open revision$"):
        kind.revise(name, by=reviewer, reason="News.")
    kind.rewrite(name, "Something else.", by=editor)
    kind.submit(name, by=editor)
    with pytest.raises(WrongState, match=f"^{name}: already has an open revision$"):
        kind.revise(name, by=reviewer, reason="News.")


@both_kinds
def test_what_says_nothing_new_is_not_submitted(kind: Kind, name: str, editor: User, reviewer: User) -> None:
    kind.revise(name, by=editor, reason="News.")
    refused = f"^{name}: says the same as revision 1, so there is nothing to review$"
    with pytest.raises(Unfit, match=refused):
        kind.submit(name, by=editor)
    before = kind.newest(name).to_record()
    kind.rewrite(name, "Something else.", by=editor)
    kind.change(by=editor, record=before)
    with pytest.raises(Unfit, match=refused):
        kind.submit(name, by=editor)
    assert kind.states(name) == ["approved", "draft"]
    kind.rewrite(name, "Something else.", by=editor)
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)
    kind.revise(name, by=editor, reason="Back to what is published.")
    with pytest.raises(Unfit, match="says the same as revision 2"):
        kind.submit(name, by=editor)
    kind.change(by=editor, record=before)
    kind.submit(name, by=editor)


@both_kinds
def test_a_copy_that_brings_a_record_back_is_submitted_as_it_was(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    approve_withdrawal(kind, name, editor=editor, reviewer=reviewer)
    publish(reviewer)
    kind.revise(name, by=editor, reason="It counts again.")
    kind.submit(name, by=editor)
    assert kind.states(name)[-1] == "in_review"


@both_kinds
def test_what_is_in_review_is_changed_only_once_it_is_returned(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    kind.revise(name, by=editor, reason="News.")
    kind.rewrite(name, "Something new.", by=editor)
    kind.submit(name, by=editor)
    with pytest.raises(WrongState, match=f"^{name}: is in review, not draft$"):
        kind.rewrite(name, "Something else.", by=editor)
    kind.give_back(name, by=reviewer, reason="The date is missing.")
    kind.rewrite(name, "Something else.", by=editor)
    assert kind.states(name) == ["approved", "draft"]
    assert kind.newest(name).submitted_at is None


@both_kinds
def test_no_one_approves_what_they_have_written_in(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    kind.revise(name, by=editor, reason="News.")
    kind.rewrite(name, "Something else.", by=reviewer)
    kind.submit(name, by=editor)
    for author in (editor, reviewer):
        with pytest.raises(OwnWork):
            kind.approve(name, by=author)
    third = a_user("a third one")
    kind.approve(name, by=third)
    assert kind.newest(name).approved_by == third


@both_kinds
def test_a_withdrawal_is_reviewed_and_leaves_with_the_next_release(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    kind.withdraw(name, by=editor, reason="It is over.")
    with pytest.raises(WrongState, match="cannot be changed"):
        kind.rewrite(name, "Something else.", by=editor)
    kind.submit(name, by=editor)
    with pytest.raises(OwnWork):
        kind.approve(name, by=editor)
    kind.approve(name, by=reviewer)
    assert name in published(kind)

    publish(reviewer)

    assert name not in published(kind)
    assert kind.states(name) == ["withdrawn", "published"]
    with pytest.raises(WrongState, match=f"^{name}: is already withdrawn$"):
        kind.withdraw(name, by=editor, reason="Again.")


@both_kinds
def test_what_is_withdrawn_can_come_back(kind: Kind, name: str, editor: User, reviewer: User) -> None:
    publish(reviewer)
    before = kind.newest(name).to_record()
    approve_withdrawal(kind, name, editor=editor, reviewer=reviewer)
    publish(reviewer)

    kind.revise(name, by=editor, reason="It is back.")
    assert kind.newest(name).to_record() == before
    assert not kind.newest(name).withdraws
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)
    publish(reviewer)

    assert name in published(kind)
    assert kind.states(name) == ["withdrawn", "superseded", "published"]


@both_kinds
def test_a_withdrawal_copies_what_it_withdraws_not_what_was_approved_since(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    before = kind.newest(name).to_record()
    approve_change(kind, name, "Looser.", editor=editor, reviewer=reviewer)
    approve_withdrawal(kind, name, editor=a_user("other"), reviewer=reviewer)
    assert kind.newest(name).to_record() == before
    publish(reviewer)

    kind.revise(name, by=a_user("other"), reason="It is back.")
    assert kind.newest(name).to_record() == before


@both_kinds
def test_who_wrote_before_a_withdrawal_is_an_author_of_what_follows_it(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    late, ending, friend = a_user("late"), a_user("ending"), a_user("friend")
    approve_change(kind, name, "Looser.", editor=late, reviewer=reviewer)
    assert writers_of(kind.model, [name])[name] == {late.pk}
    approve_withdrawal(kind, name, editor=ending, reviewer=reviewer)
    publish(reviewer)
    kind.revise(name, by=friend, reason="It is back.")
    assert writers_of(kind.model, [name])[name] == {editor.pk, late.pk, ending.pk, friend.pk}

    kind.submit(name, by=friend)
    kind.approve(name, by=reviewer)
    publish(reviewer)
    assert writers_of(kind.model, [name])[name] == set()


@both_kinds
def test_what_was_approved_can_be_taken_back_and_what_was_agreed_before_counts_again(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    approve_change(kind, name, "Second.", editor=editor, reviewer=reviewer)
    approve_change(kind, name, "Third.", editor=editor, reviewer=reviewer)
    kind.take_back(name, by=reviewer, reason="Too early.")
    publish(reviewer)
    assert published(kind)[name] == "Second."
    assert kind.states(name) == ["superseded", "published", "withdrawn"]

    approve_withdrawal(kind, name, editor=editor, reviewer=reviewer)
    kind.take_back(name, by=reviewer, reason="It goes on.")
    assert published(kind)[name] == "Second."
    kind.revise(name, by=editor, reason="What was taken back is no base for anything.")
    assert getattr(kind.newest(name), kind.text) == "Second."
    with pytest.raises(NothingToPublish):
        publish(reviewer)


@both_kinds
def test_of_two_approved_revisions_each_can_be_taken_back_the_newer_one_first(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    approve_change(kind, name, "Second.", editor=editor, reviewer=reviewer)
    approve_change(kind, name, "Third.", editor=editor, reviewer=reviewer)
    kind.take_back(name, by=reviewer, reason="Too early.")
    kind.take_back(name, by=reviewer, reason="This one too.")
    assert kind.states(name) == ["published", "withdrawn", "withdrawn"]
    with pytest.raises(WrongState, match="is published, not approved"):
        kind.take_back(name, by=reviewer, reason="Once more.")
    with pytest.raises(NothingToPublish):
        publish(reviewer)


@both_kinds
def test_what_was_approved_can_be_taken_back_under_an_open_revision(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    kind.revise(name, by=editor, reason="News.")
    kind.take_back(name, by=reviewer, reason="Wrong.")
    assert kind.states(name) == ["withdrawn", "draft"]
    assert all(name != record for record in published(kind))


@both_kinds
def test_of_several_approved_revisions_the_newest_is_published_alone(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    approve_change(kind, name, "Second.", editor=editor, reviewer=reviewer)
    publish(reviewer)
    assert kind.states(name) == ["superseded", "published"]
    assert published(kind)[name] == "Second."


@both_kinds
def test_what_was_never_published_cannot_be_withdrawn(kind: Kind, name: str, editor: User) -> None:
    with pytest.raises(WrongState, match=f"^{name}: is not published, so there is nothing to withdraw$"):
        kind.withdraw(name, by=editor, reason="It is over.")


@both_kinds
def test_a_discarded_draft_is_gone_and_its_id_is_free(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    new = getattr(kind.new, kind.model.id_field)
    kind.draft(by=editor, record=kind.new)
    kind.discard(new, by=editor, reason="A mistake.")
    assert kind.states(new) == []
    kind.draft(by=editor, record=kind.new)

    kind.revise(name, by=editor, reason="News.")
    kind.discard(name, by=editor, reason="No news.")
    assert kind.states(name) == ["approved"]
    kind.revise(name, by=reviewer, reason="News after all.")
    assert kind.newest(name).revision == 2


@both_kinds
@pytest.mark.parametrize("action", ["revise", "withdraw", "discard", "give_back", "take_back"])
def test_anyone_who_sets_something_aside_says_why(kind: Kind, name: str, action: str, editor: User) -> None:
    with pytest.raises(ReasonMissing, match=f"^{name}: a reason is required$"):
        getattr(kind, action)(name, by=editor, reason=" ")


@both_kinds
def test_each_action_refuses_what_is_in_another_state_and_what_is_not_there(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    attempts = [
        (lambda *names: kind.submit(*names, by=editor), "is approved, not draft"),
        (lambda *names: kind.discard(*names, by=editor, reason="No."), "is approved, not draft"),
        (lambda *names: kind.approve(*names, by=reviewer), "is approved, not in review"),
        (
            lambda *names: kind.give_back(*names, by=reviewer, reason="No."),
            "is approved, not in review",
        ),
    ]
    for attempt, sentence in attempts:
        with pytest.raises(WrongState, match=f"^{name}: {sentence}$"):
            attempt(name)
        with pytest.raises(NotRecorded, match=rf"^nothing: there is no such {kind.name}$"):
            attempt("nothing")
    publish(reviewer)
    with pytest.raises(WrongState, match=f"^{name}: is published, not approved$"):
        kind.take_back(name, by=reviewer, reason="No.")


@both_kinds
def test_a_change_that_does_not_fit_leaves_the_draft_as_it_was(kind: Kind, name: str, editor: User) -> None:
    kind.revise(name, by=editor, reason="News.")
    before = kind.newest(name)
    with pytest.raises(Refused, match=f"^{name}: "):
        kind.rewrite(name, "", by=a_user("another editor"))
    after = kind.newest(name)
    assert after.to_record() == before.to_record()
    assert after.authors == before.authors


def test_a_change_can_replace_the_evidence(editor: User) -> None:
    RULES.draft(by=editor, record=RULES.new)
    RULES.change(by=editor, record=replace(RULES.new, sources=("xr-page", "northwing-page")))
    assert RULES.newest("n1.new").to_record().sources == ("xr-page", "northwing-page")


def test_drafts_and_what_is_in_review_are_in_no_release(editor: User, reviewer: User) -> None:
    content = compile_content()
    RULES.draft(by=editor, record=RULES.new)
    assert compile_content() == content
    RULES.submit("n1.new", by=editor)
    assert compile_content() == content
    RULES.approve("n1.new", by=reviewer)
    assert len(compile_content().rules) == len(content.rules) + 1
