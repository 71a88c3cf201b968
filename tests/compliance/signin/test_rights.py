"""No one makes a second person: rights to decide come from superusers, and programs never sign in."""

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import RequestFactory

from catalog.tables.actions.accounts import program_account
from catalog.tables.programs import PROGRAMS
from compliance.signin.groups import AUDITOR, EDITOR, GROUPS, PARTNER_MANAGER, PUBLISHER, REVIEWER, VIEWER
from compliance.signin.rights import NoPasswordForPrograms, is_to_decide
from tests.support.desk.filling_in import save
from tests.support.desk.signing_in import PASSWORD, Browser, is_staff_to_the_api, staff
from tests.support.desk.visiting import Visitor

pytestmark = [pytest.mark.usefixtures("fresh_desk", "quick_passwords"), pytest.mark.django_db]

USERS, GROUPS_PAGE = "/admin/auth/user/", "/admin/auth/group/"
ACCOUNTS = [f"{verb}_{what}" for verb in ("add", "change", "view", "delete") for what in ("user", "group")]
NEW = {"password1": "a-long-new-one", "password2": "a-long-new-one", "usable_password": "true"}
DECIDING = [EDITOR, REVIEWER, PUBLISHER]


@pytest.fixture
def manager() -> Visitor:
    """A manager of users who is an editor, a reviewer and a publisher as well, but no superuser."""
    visitor = Visitor(*ACCOUNTS)
    visitor.user.groups.set(Group.objects.filter(name__in=[*DECIDING, PARTNER_MANAGER]))
    visitor.client.handler.enforce_csrf_checks = False
    return visitor


@pytest.fixture
def second() -> User:
    """Another account that the manager holds."""
    return staff("second")


def page(user: User) -> str:
    return f"{USERS}{user.pk}/change/"


def number(name: str) -> str:
    return str(Group.objects.get(name=name).pk)


def rights(user: User) -> tuple[set[str], set[str]]:
    """Return the groups and permissions of a user, as the database has them."""
    return (
        set(user.groups.values_list("name", flat=True)),
        set(user.user_permissions.values_list("codename", flat=True)),
    )


# --- Rights to decide -------------------------------------------------------------------------------------


def test_the_rights_to_decide_are_those_that_three_groups_have_beyond_looking() -> None:
    by_group = {name: {right for right in rights if is_to_decide(right)} for name, rights in GROUPS.items()}
    assert [name for name, deciding in by_group.items() if deciding] == DECIDING
    assert GROUPS[PUBLISHER] - GROUPS[VIEWER] == by_group[PUBLISHER]
    # Also what no group has.
    assert is_to_decide("rules.add_release")
    assert not is_to_decide("auth.change_user")


@pytest.mark.parametrize("group", DECIDING)
def test_whoever_decides_gives_no_other_account_the_same_right(
    manager: Visitor, second: User, group: str
) -> None:
    refused = save(manager, page(second), groups=[number(group)], is_active="on", is_staff="on")
    assert f"Only superusers grant and remove rights to decide: {group}." in refused.content.decode()
    # Nor by a request that no form of theirs sends.
    bare = {"username": "second", "groups": [number(group)], "is_active": "on", "is_staff": "on"}
    assert manager.client.post(page(second), bare).status_code == 200
    assert rights(second) == (set(), set())
    assert save(manager, page(second), groups=[number(PARTNER_MANAGER)], is_active="on").status_code == 302
    assert rights(second) == ({PARTNER_MANAGER}, set())


@pytest.mark.parametrize("codename", ["approve_rule", "publish_release", "add_rule", "change_device"])
def test_nor_by_a_single_permission(manager: Visitor, second: User, codename: str) -> None:
    assert manager.user.has_perm(f"{app_of(codename)}.{codename}")
    permission = str(Permission.objects.get(codename=codename).pk)
    refused = save(manager, page(second), user_permissions=[permission], is_active="on", is_staff="on")
    assert f"rights to decide: {app_of(codename)}.{codename}." in refused.content.decode()
    assert rights(second) == (set(), set())


def app_of(codename: str) -> str:
    return Permission.objects.get(codename=codename).content_type.app_label


def test_nor_by_a_group_of_their_own(manager: Visitor, second: User) -> None:
    permission = str(Permission.objects.get(codename="approve_rule").pk)
    harmless = Group.objects.create(name="Readers")
    harmless.user_set.add(second)
    for path, fields in (
        (f"{GROUPS_PAGE}add/", {"name": "More", "permissions": [permission]}),
        (f"{GROUPS_PAGE}{harmless.pk}/change/", {"name": "Readers", "permissions": [permission]}),
    ):
        refused = manager.client.post(path, fields)
        assert "rights to decide: rules.approve_rule." in refused.content.decode()
    assert not second.has_perm("rules.approve_rule")

    for name in DECIDING:
        for step in ("change", "delete"):
            answer = manager.client.post(f"{GROUPS_PAGE}{number(name)}/{step}/", {"post": "yes"})
            assert answer.status_code == 403, (name, step)


def test_nor_by_a_name_to_which_the_next_migration_gives_rights(manager: Visitor, second: User) -> None:
    Group.objects.get(name=REVIEWER).delete()
    readers = Group.objects.create(name="Readers")
    for path in (f"{GROUPS_PAGE}add/", f"{GROUPS_PAGE}{readers.pk}/change/"):
        assert manager.client.post(path, {"name": REVIEWER}).status_code == 200
    assert not Group.objects.filter(name=REVIEWER).exists()

    # Emptied by hand, it gets them back.
    editors = Group.objects.get(name=EDITOR)
    editors.permissions.clear()
    assert save(manager, page(second), groups=[str(editors.pk)], is_active="on").status_code == 200
    assert rights(second) == (set(), set())


@pytest.mark.parametrize("active", [True, False])
def test_an_account_that_decides_is_changed_by_superusers_alone(manager: Visitor, active: bool) -> None:
    editor = staff("editor", email="editor@desk.example", is_active=active)
    editor.groups.add(Group.objects.get(name=EDITOR))
    shown = manager.page(page(editor))
    assert 'name="_save"' not in shown
    changes = {"username": "mine", "email": "mine@elsewhere.example", "is_active": "on", "is_staff": "on"}
    for step, fields in (
        ("change", changes),
        ("change", {**changes, "groups": []}),
        ("password", NEW),
        ("delete", {"post": "yes"}),
        ("reset-second-factor", {}),
        ("unlock", {}),
    ):
        assert manager.client.post(f"{USERS}{editor.pk}/{step}/", fields).status_code == 403, step
    editor.refresh_from_db()
    assert (editor.username, editor.email, editor.is_active) == ("editor", "editor@desk.example", active)
    assert editor.check_password(PASSWORD)
    assert rights(editor) == ({EDITOR}, set())

    boss = Visitor(superuser=True)
    boss.client.handler.enforce_csrf_checks = False
    answer = save(boss, page(editor), username="e.ditor", groups=[number(REVIEWER)], is_active="on")
    assert answer.status_code == 302
    editor.refresh_from_db()
    assert (editor.username, rights(editor)) == ("e.ditor", ({REVIEWER}, set()))


def test_no_action_on_many_accounts_or_groups_goes_around_it(manager: Visitor) -> None:
    editor = staff("editor")
    editor.groups.add(Group.objects.get(name=EDITOR))
    for path, row in ((USERS, str(editor.pk)), (GROUPS_PAGE, number(EDITOR))):
        fields = {"action": "delete_selected", "_selected_action": [row], "post": "yes", "index": "0"}
        manager.client.post(path, fields)
        manager.client.post(path, {**fields, "select_across": "1"})
    assert User.objects.filter(pk=editor.pk).exists()
    assert Group.objects.filter(name=EDITOR).exists()


def test_a_manager_who_decides_changes_their_own_password_but_not_their_own_account(manager: Visitor) -> None:
    assert 'name="_save"' not in manager.page(page(manager.user))
    assert manager.client.post(page(manager.user), {"username": "other"}).status_code == 403
    assert manager.get("/admin/password_change/").status_code == 200


def test_an_auditor_is_made_by_those_who_are_one(manager: Visitor, second: User) -> None:
    assert save(manager, page(second), groups=[number(AUDITOR)], is_active="on").status_code == 200
    manager.user.groups.add(Group.objects.get(name=AUDITOR))
    assert save(manager, page(second), groups=[number(AUDITOR)], is_active="on").status_code == 302
    assert rights(second) == ({AUDITOR}, set())


# --- The accounts of programs -----------------------------------------------------------------------------


@pytest.mark.parametrize("superuser", [True, False])
def test_no_one_changes_deletes_or_wakes_up_the_account_of_a_program(
    manager: Visitor, superuser: bool
) -> None:
    User.objects.filter(pk=manager.user.pk).update(is_superuser=superuser)
    program = program_account("emergency")
    assert 'name="_save"' not in manager.page(page(program))
    changes = {"username": "mine", "is_active": "on", "is_staff": "on"}
    for step, fields in (
        ("change", changes),
        ("change", {**changes, "username": "emergency"}),
        ("password", NEW),
        ("password", {**NEW, "set-password": "1"}),
        ("delete", {"post": "yes"}),
    ):
        assert manager.client.post(f"{USERS}{program.pk}/{step}/", fields).status_code == 403, step
    program.refresh_from_db()
    assert (program.username, program.is_active, program.has_usable_password()) == ("emergency", False, False)


@pytest.mark.parametrize("name", [*sorted(PROGRAMS), "Emergency", "SCHEDULE"])
def test_no_person_gets_the_name_of_a_program(manager: Visitor, second: User, name: str) -> None:
    assert save(manager, f"{USERS}add/", username=name, **NEW).status_code == 200
    assert save(manager, page(second), username=name, is_active="on", is_staff="on").status_code == 200
    assert not User.objects.filter(username=name, is_active=True).exists()


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_no_one_signs_in_as_a_program_whatever_its_row_says(name: str) -> None:
    awake = program_account(name)
    awake.is_active = awake.is_staff = awake.is_superuser = True
    awake.set_password(PASSWORD)
    awake.save()
    browser = Browser()
    assert browser.sign_in(name).status_code == 200
    assert authenticate(RequestFactory().get("/"), username=name, password=PASSWORD) is None
    # A session from before it was known as a program.
    browser.client.force_login(awake)
    assert browser.get("/admin/auth/user/").status_code == 302
    assert not is_staff_to_the_api(browser)

    program = program_account(name)
    assert (program.pk, program.is_active, program.is_superuser) == (awake.pk, False, False)
    assert not program.has_usable_password()


def test_no_command_gives_a_program_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    program_account("schedule")
    monkeypatch.setattr("getpass.getpass", lambda prompt: "a-long-new-one")
    with pytest.raises(CommandError, match="Aborting password change"):
        call_command("changepassword", "schedule")
    assert not User.objects.get(username="schedule").has_usable_password()
    with pytest.raises(ValidationError):
        NoPasswordForPrograms().validate("a-long-new-one", User(username="emergency"))
    NoPasswordForPrograms().validate("a-long-new-one", User(username="editor"))


def test_only_a_known_program_has_an_account() -> None:
    with pytest.raises(ValueError, match="not the name of a program"):
        program_account("somebody")
    assert not User.objects.filter(username="somebody").exists()
