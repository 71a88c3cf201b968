"""Which group may do what, group by group and verb by verb."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.core.management import call_command
from django.db import models

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.models import Brand, DeadLetter, Device, Source
from compliance.models import VerdictRecord
from compliance.signin.groups import GROUPS
from recalls.models import Recall
from rules.models import AcceptedCase, AcceptedFinding, Release, Rule, WatchedPage, WatchSignal

pytestmark = pytest.mark.django_db

REVISION_ACTIONS = {
    EditorAction.DRAFT,
    EditorAction.REVISE,
    EditorAction.WITHDRAW,
    EditorAction.CHANGE,
    EditorAction.DISCARD,
    EditorAction.SUBMIT,
    EditorAction.RETURN,
    EditorAction.APPROVE,
    EditorAction.APPROVE_AGAIN,
    EditorAction.TAKE_BACK,
}
PUBLISHING = {
    EditorAction.PUBLISH,
    EditorAction.ROLL_BACK,
    EditorAction.LET_GO,
    EditorAction.PLAN,
    EditorAction.CANCEL,
}
ACTIONS_OF: dict[type[models.Model], set[EditorAction]] = {
    Rule: REVISION_ACTIONS,
    Recall: REVISION_ACTIONS,
    AcceptedFinding: {EditorAction.ACCEPT, EditorAction.REOPEN},
    AcceptedCase: {EditorAction.ACCEPT, EditorAction.REOPEN},
    Release: PUBLISHING,
    WatchSignal: {EditorAction.CONFIRM, EditorAction.DISMISS},
    WatchedPage: {EditorAction.CONFIRM},
    DeadLetter: {EditorAction.RETRY},
    VerdictRecord: {EditorAction.EXPORT},
}
"""Everything that a person does at the desk, save what comes along with it."""

WRITING = {
    EditorAction.DRAFT,
    EditorAction.REVISE,
    EditorAction.WITHDRAW,
    EditorAction.CHANGE,
    EditorAction.DISCARD,
    EditorAction.SUBMIT,
}
ACCEPTING = {EditorAction.ACCEPT, EditorAction.REOPEN}
REVIEWING = {EditorAction.RETURN, EditorAction.APPROVE, EditorAction.APPROVE_AGAIN, EditorAction.TAKE_BACK}
MAY: dict[str, dict[type[models.Model], set[EditorAction]]] = {
    "Editor": {
        Rule: WRITING,
        Recall: WRITING,
        WatchSignal: {EditorAction.CONFIRM, EditorAction.DISMISS},
        WatchedPage: {EditorAction.CONFIRM},
        DeadLetter: {EditorAction.RETRY},
    },
    "Reviewer": {Rule: REVIEWING, Recall: REVIEWING, AcceptedFinding: ACCEPTING, AcceptedCase: ACCEPTING},
    "Publisher": {Release: PUBLISHING},
    "Partner manager": {},
    "Viewer": {},
    "Auditor": {VerdictRecord: {EditorAction.EXPORT}},
}


def member(group: str) -> User:
    user = User.objects.create_user(f"a {group}")
    user.groups.add(Group.objects.get(name=group))
    return user


def test_the_six_groups_come_with_the_database() -> None:
    assert set(Group.objects.values_list("name", flat=True)) == set(GROUPS) == set(MAY)


@pytest.mark.parametrize("group", MAY)
@pytest.mark.parametrize("model", ACTIONS_OF, ids=lambda model: model.__name__)
def test_a_group_may_do_this_and_nothing_else(group: str, model: type[models.Model]) -> None:
    user = member(group)
    assert {action for action in ACTIONS_OF[model] if may(user, action, model)} == MAY[group].get(
        model, set()
    )


def test_every_action_that_a_person_does_is_among_them() -> None:
    come_along = {EditorAction.SUPERSEDE, EditorAction.END, EditorAction.RENUMBER, EditorAction.HOLD_BACK}
    # Who may see a record and act on it may talk about it and be assigned.
    talking = {EditorAction.COMMENT, EditorAction.REMOVE, EditorAction.ASSIGN}
    assert set.union(*ACTIONS_OF.values()) == set(EditorAction) - come_along - talking


def test_anyone_who_is_in_no_group_or_inactive_may_do_nothing_and_a_superuser_everything() -> None:
    inactive = member("Editor")
    inactive.is_active = False
    without_rights: list[User | AnonymousUser] = [
        User.objects.create_user("nobody"),
        inactive,
        AnonymousUser(),
    ]
    root = User.objects.create_superuser("root")
    for model, actions in ACTIONS_OF.items():
        for action in actions:
            assert not any(may(user, action, model) for user in without_rights)
            assert may(root, action, model)


@pytest.mark.parametrize("group", ["Editor", "Reviewer", "Publisher", "Viewer"])
def test_everyone_at_the_desk_sees_everything_there(group: str) -> None:
    shown = ["rules.view_rule", "recalls.view_recall", "catalog.view_device", "catalog.view_auditentry"]
    assert member(group).has_perms([*shown, "rules.view_release", "rules.view_acceptedfinding"])


def test_only_editors_write_in_the_catalog_and_delete_from_it() -> None:
    for group in MAY:
        user = member(group)
        for model in (Brand, Device, Source):
            name = model._meta.model_name
            writes = [
                user.has_perm(f"catalog.{operation}_{name}") for operation in ("add", "change", "delete")
            ]
            assert writes == [group == "Editor"] * 3
        # A milder answer needs a reading by another person than its author.
        assert user.has_perm("catalog.confirm_source") == (group == "Reviewer")


def test_each_migration_makes_the_groups_what_the_table_says_and_keeps_their_members() -> None:
    editor = member("Editor")
    group = Group.objects.get(name="Editor")
    group.permissions.clear()
    Group.objects.get(name="Viewer").delete()

    call_command("migrate", verbosity=0)

    assert may(User.objects.get(pk=editor.pk), EditorAction.SUBMIT, Rule)
    assert Group.objects.filter(name="Viewer").exists()


def test_every_permission_of_the_table_exists() -> None:
    wanted = {permission for permissions in GROUPS.values() for permission in permissions}
    found = Permission.objects.values_list("content_type__app_label", "codename")
    missing = wanted - {f"{app}.{codename}" for app, codename in found}
    # Partners may be no part of this installation.
    assert {permission for permission in missing if not permission.startswith("compliance.")} == set()
