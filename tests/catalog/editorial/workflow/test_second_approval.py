"""A second approval: another person than the author's and the first approver's, and given once."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from catalog.errors import OwnWork, WrongState
from catalog.models import AuditEntry
from tests.support.factories import a_user
from tests.support.releasing import unguarded
from tests.support.revision_kinds import Kind, both_kinds

pytestmark = pytest.mark.usefixtures("world_rows")


@both_kinds
def test_a_third_person_approves_again_and_the_log_says_so(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    other = a_user("other")
    kind.approve_again(name, by=other)
    row = kind.newest(name)
    assert (row.state, row.approved_by, row.second_approved_by) == ("approved", reviewer, other)
    entry = AuditEntry.objects.filter(kind=kind.name, subject=name).latest("id")
    assert (entry.verb, entry.done_by, entry.revision) == ("approve_again", other, 1)
    assert entry.done_at == row.second_approved_at


@both_kinds
def test_neither_the_author_nor_the_first_approver_approves_again(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    with pytest.raises(OwnWork, match="own work"):
        kind.approve_again(name, by=editor)
    with pytest.raises(OwnWork, match="another person"):
        kind.approve_again(name, by=reviewer)
    assert kind.newest(name).second_approved_by is None


@both_kinds
def test_once_is_enough(kind: Kind, name: str, editor: User) -> None:
    kind.approve_again(name, by=a_user("other"))
    with pytest.raises(WrongState, match="already"):
        kind.approve_again(name, by=a_user("yet another"))


@both_kinds
def test_what_no_one_has_approved_is_not_approved_again(kind: Kind, name: str, editor: User) -> None:
    kind.draft(by=editor, record=kind.new)
    with pytest.raises(WrongState, match="not approved"):
        kind.approve_again(getattr(kind.new, kind.model.id_field), by=a_user("other"))


@both_kinds
def test_what_was_taken_back_needs_both_again(kind: Kind, name: str, editor: User, reviewer: User) -> None:
    kind.approve_again(name, by=a_user("other"))
    kind.take_back(name, by=reviewer, reason="Too early.")
    kind.revise(name, by=editor, reason="Once more.")
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)
    assert kind.newest(name).second_approved_at is None


@both_kinds
@pytest.mark.parametrize("state", ["published", "withdrawn", "superseded"])
def test_the_database_takes_it_only_while_a_revision_is_approved(
    kind: Kind, name: str, editor: User, reviewer: User, state: str
) -> None:
    mark = {"second_approved_at": timezone.now(), "second_approved_by": a_user("other")}
    row = kind.model._default_manager.filter(**{kind.model.id_field: name})
    publication = {"published_at": timezone.now(), "published_by": reviewer}
    with pytest.raises(IntegrityError, match="approved again once"), transaction.atomic():
        row.update(state=state, **mark, **(publication if state == "published" else {}))
    with unguarded():
        row.update(state=state, **(publication if state == "published" else {}))
    with pytest.raises(IntegrityError, match="approved again once"), transaction.atomic():
        row.update(**mark)


@both_kinds
def test_the_database_keeps_who_approved_again(kind: Kind, name: str, editor: User) -> None:
    kind.approve_again(name, by=a_user("other"))
    row = kind.model._default_manager.filter(**{kind.model.id_field: name})
    for change in (
        {"second_approved_by": a_user("yet another")},
        {"second_approved_at": None, "second_approved_by": None},
    ):
        with pytest.raises(IntegrityError, match="approved again once"), transaction.atomic():
            row.update(**change)


@both_kinds
def test_what_counts_again_after_a_newer_revision_was_taken_back_is_approved_again(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    kind.revise(name, by=editor, reason="News.")
    kind.rewrite(name, "Something else.", by=editor)
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)
    kind.take_back(name, by=reviewer, reason="Too early.")
    kind.approve_again(name, by=a_user("other"))
    revisions = kind.model._default_manager.filter(**{kind.model.id_field: name}).order_by("revision")
    assert [row.second_approved_by is not None for row in revisions] == [True, False]
