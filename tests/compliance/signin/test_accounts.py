"""Who manages accounts gives no more rights than they have, and changes no account that has more."""

import pytest
from django.contrib.auth.models import Group, Permission, User

from catalog.saved_searches.models import SavedSearch
from catalog.sources.actions import record_sources
from compliance.signin.groups import PARTNER_MANAGER, VIEWER
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_source, a_user

pytestmark = pytest.mark.usefixtures("fresh_desk")


USERS = "/admin/auth/user/"
ACCOUNTS = (
    "add_user",
    "change_user",
    "view_user",
    "delete_user",
    "add_group",
    "change_group",
    "delete_group",
)


@pytest.fixture
def clerk(db: None) -> Visitor:
    """Somebody who manages accounts and partners, and is no superuser."""
    visitor = Visitor(*ACCOUNTS)
    visitor.user.groups.add(Group.objects.get(name=PARTNER_MANAGER))
    visitor.client.handler.enforce_csrf_checks = False
    return visitor


@pytest.fixture
def colleague(db: None) -> User:
    return User.objects.create_user("colleague", is_staff=True)


def page(user: User) -> str:
    return f"{USERS}{user.pk}/change/"


def number(name: str) -> str:
    return str(Group.objects.get(name=name).pk)


def test_no_one_makes_a_superuser_but_a_superuser(clerk: Visitor, colleague: User) -> None:
    assert 'name="is_superuser"' not in clerk.page(page(colleague))
    assert save(clerk, page(colleague), is_superuser="on", is_staff="on", is_active="on").status_code == 302
    colleague.refresh_from_db()
    assert (colleague.is_superuser, colleague.is_staff) == (False, True)

    boss = Visitor(superuser=True)
    boss.client.handler.enforce_csrf_checks = False
    assert save(boss, page(colleague), is_superuser="on", is_staff="on", is_active="on").status_code == 302
    colleague.refresh_from_db()
    assert colleague.is_superuser


def test_groups_and_permissions_are_handed_on_by_those_who_have_them(clerk: Visitor, colleague: User) -> None:
    own = Permission.objects.get(codename="change_partner")
    foreign = Permission.objects.get(codename="view_release")

    assert save(clerk, page(colleague), groups=[number(PARTNER_MANAGER)], is_active="on").status_code == 302
    assert save(clerk, page(colleague), user_permissions=[str(own.pk)], is_active="on").status_code == 302
    refused = save(clerk, page(colleague), groups=[number(VIEWER)], user_permissions=[str(foreign.pk)])

    assert refused.status_code == 200
    assert "You do not have: Viewer." in refused.content.decode()
    assert "You do not have: rules.view_release." in refused.content.decode()
    assert set(colleague.user_permissions.all()) == {own}
    # The form that gave the permission had the group on it as a browser shows it.
    assert {group.name for group in colleague.groups.all()} == {PARTNER_MANAGER}


def test_no_one_gives_themselves_more(clerk: Visitor) -> None:
    assert save(clerk, page(clerk.user), groups=[number(VIEWER)], is_active="on").status_code == 200
    assert clerk.user.groups.get().name == PARTNER_MANAGER


def test_superusers_are_changed_and_deleted_by_superusers_alone(clerk: Visitor) -> None:
    boss = User.objects.create_superuser("boss")

    assert 'name="_save"' not in clerk.page(page(boss))
    for step in ("change", "password", "delete"):
        assert clerk.client.post(f"{USERS}{boss.pk}/{step}/", {"post": "yes"}).status_code == 403, step
    boss.refresh_from_db()
    assert boss.is_superuser
    assert "delete_selected" not in clerk.page(USERS)


def test_an_account_goes_only_as_long_as_nothing_names_its_person(colleague: User) -> None:
    boss, author = Visitor(superuser=True), a_user("author")
    SavedSearch.objects.create(owner=colleague, page="rules.rule", name="Mine", query="q=a")
    record_sources(by=author, sources=[a_source(id=f"page-{number}") for number in range(7)])

    kept = boss.page(f"{USERS}{author.pk}/delete/")
    assert "7 sources (page-0, page-1, page-2, page-3, page-4 and 2 more)" in kept
    assert boss.submit(f"{USERS}{author.pk}/delete/", post="yes").status_code in {200, 403}
    assert User.objects.filter(pk=author.pk).exists()

    assert "1 saved search" in boss.page(f"{USERS}{colleague.pk}/delete/")
    assert boss.submit(f"{USERS}{colleague.pk}/delete/", post="yes").status_code == 302
    assert not User.objects.filter(pk=colleague.pk).exists()
    assert not SavedSearch.objects.exists()


@pytest.mark.parametrize("active", [True, False])
def test_an_account_is_changed_by_those_who_may_as_much(
    clerk: Visitor, colleague: User, active: bool
) -> None:
    """Whoever sets its password can sign in as that user, after waking up one that is inactive."""
    for step in ("password", "change"):
        assert clerk.get(f"{USERS}{colleague.pk}/{step}/").status_code == 200
    assert save(clerk, page(colleague), first_name="Kim", is_active="on", is_staff="on").status_code == 302

    colleague.refresh_from_db()
    colleague.is_active = active
    colleague.save()
    colleague.groups.add(Group.objects.get(name=VIEWER))

    assert clerk.get(f"{USERS}{colleague.pk}/password/").status_code == 403
    assert 'name="_save"' not in clerk.page(page(colleague))
    fields = {"password1": "a-long-new-one", "password2": "a-long-new-one", "username": "taken"}
    for step in ("password", "change", "delete"):
        assert clerk.client.post(f"{USERS}{colleague.pk}/{step}/", fields).status_code == 403
    colleague.refresh_from_db()
    assert (colleague.username, colleague.first_name, colleague.is_active) == ("colleague", "Kim", active)


def test_a_group_is_changed_by_those_who_may_all_that_it_may(clerk: Visitor) -> None:
    viewers = f"/admin/auth/group/{number(VIEWER)}"
    foreign = Permission.objects.get(codename="publish_release")
    for step in ("change", "delete"):
        assert clerk.client.post(f"{viewers}/{step}/", {"post": "yes"}).status_code == 403, step

    assert (
        save(clerk, "/admin/auth/group/add/", name="More", permissions=[str(foreign.pk)]).status_code == 200
    )
    assert not Group.objects.filter(name="More").exists()
    own = Permission.objects.get(codename="change_partner")
    assert save(clerk, "/admin/auth/group/add/", name="Less", permissions=[str(own.pk)]).status_code == 302
