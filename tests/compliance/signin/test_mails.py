"""People get a mail when their password, second factor or role changes; partners when a key does."""

from io import StringIO

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core import mail
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from compliance.notices.models import Notice
from compliance.notices.tasks import send
from compliance.partners.webhooks.actions import register_webhook
from compliance.signin import actions
from compliance.signin.groups import EDITOR, VIEWER
from tests.support.desk.filling_in import save
from tests.support.desk.signing_in import PASSWORD, Browser, staff, where, with_app
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user
from tests.support.partners import NOON, Desk

pytestmark = [pytest.mark.usefixtures("fresh_desk", "quick_passwords"), pytest.mark.django_db]


@pytest.fixture
def editor() -> User:
    user = staff(email="editor@desk.example")
    Notice.objects.all().delete()
    return user


def told(to: str = "editor@desk.example") -> list[str]:
    """Return what the mails to an address say was changed, and forget them."""
    mail.outbox.clear()
    send()
    assert not Notice.objects.exists()
    mails = [message for message in mail.outbox if message.to == [to]]
    return [
        line.removeprefix("- ") for one in mails for line in one.body.splitlines() if line.startswith("- ")
    ]


def boss() -> Visitor:
    visitor = Visitor(superuser=True)
    visitor.client.handler.enforce_csrf_checks = False
    return visitor


def test_a_password_that_a_person_changes_is_told(editor: User) -> None:
    browser = Browser()
    browser.sign_in("editor")
    fields = {"old_password": PASSWORD, "new_password1": "a-long-new-one", "new_password2": "a-long-new-one"}
    assert where(browser.submit("/admin/password_change/", **fields)) == "/admin/password_change/done/"
    assert told() == ["The password was changed."]
    assert "a-long-new-one" not in mail.outbox[0].body
    assert "/admin/sessions/" in mail.outbox[0].body


def test_a_password_that_a_manager_or_a_command_changes_is_told(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {"password1": "a-long-new-one", "password2": "a-long-new-one", "usable_password": "true"}
    path = f"/admin/auth/user/{editor.pk}/password/"
    assert boss().client.post(path, {**fields, "set-password": "1"}).status_code == 302
    assert told() == ["The password was changed."]

    monkeypatch.setattr("getpass.getpass", lambda prompt: "another-long-one")
    call_command("changepassword", "editor", stdout=StringIO())
    assert told() == ["The password was changed."]


def test_signing_in_is_no_change_also_where_the_hash_is_renewed(editor: User, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    before = editor.password
    assert Browser().sign_in("editor").status_code == 302
    editor.refresh_from_db()
    assert editor.password != before
    assert told() == []


def test_each_change_of_a_second_factor_is_told(editor: User) -> None:
    app, codes = with_app(editor)
    assert told() == ["The second factor was set up."]
    actions.renew_recovery_codes(user=editor, now=timezone.now(), proof=codes[0])
    assert told() == ["A recovery code was used to sign in.", "New recovery codes were made."]
    actions.reset_second_factor(by=a_user("manager"), user=editor)
    assert told() == ["The second factor was reset."]
    assert app.key not in "".join(str(message.body) for message in mail.outbox)


def test_each_change_of_a_role_is_told(editor: User) -> None:
    page, by = f"/admin/auth/user/{editor.pk}/change/", boss()
    on = {"is_active": "on", "is_staff": "on"}
    group = str(Group.objects.get(name=EDITOR).pk)
    assert save(by, page, groups=[group], **on).status_code == 302
    assert told() == ["Its groups or permissions were changed."]
    assert save(by, page, groups=[group], **on).status_code == 302
    assert told() == []
    assert save(by, page, groups=[], is_active="on", is_staff="on", is_superuser="on").status_code == 302
    assert sorted(told()) == [
        "Its groups or permissions were changed.",
        "The account became a superuser, or is one no longer.",
    ]


def test_a_role_that_is_given_from_the_side_of_the_group_is_told(editor: User) -> None:
    viewers = Group.objects.get(name=VIEWER)
    viewers.user_set.add(editor)
    assert told() == ["Its groups or permissions were changed."]
    viewers.user_set.add(editor)
    assert told() == []
    viewers.user_set.clear()
    assert told() == ["Its groups or permissions were changed."]
    editor.user_permissions.add(Permission.objects.get(codename="view_rule"))
    assert told() == ["Its groups or permissions were changed."]


def test_a_changed_address_is_told_at_the_old_one_and_the_new_one(editor: User) -> None:
    page = f"/admin/auth/user/{editor.pk}/change/"
    assert (
        save(boss(), page, email="thief@elsewhere.example", is_active="on", is_staff="on").status_code == 302
    )
    assert told() == ["The mail address was changed."]
    assert {message.to[0] for message in mail.outbox} == {"editor@desk.example", "thief@elsewhere.example"}


def test_a_change_that_is_undone_is_not_told(editor: User) -> None:
    with transaction.atomic():
        editor.set_password("a-long-new-one")
        editor.save()
        transaction.set_rollback(True)
    assert told() == []


def test_a_partner_is_told_about_its_keys_and_never_gets_one_by_mail() -> None:
    desk = Desk()
    first = desk.issue()
    second = desk.rotate()
    desk.revoke(second)
    webhook = register_webhook(by=desk.manager, now=NOON, partner="acme", url="https://hooks.acme.example/x")
    desk.close()
    mail.outbox.clear()
    send()
    text = "\n".join(str(message.body) for message in mail.outbox)
    assert {message.to[0] for message in mail.outbox} == {"ops@acme.example"}
    assert f"The key {first.row} was issued." in text
    assert f"The key {second.row} was issued. Earlier keys are valid until" in text
    assert f"The key {second.row} was revoked" in text
    assert f"The webhook {webhook.row} to https://hooks.acme.example/x was registered." in text
    assert "The partner was closed." in text
    for secret in (first.plain.reveal(), second.plain.reveal(), webhook.secret):
        assert secret not in text
