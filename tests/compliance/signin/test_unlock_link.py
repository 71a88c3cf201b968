"""The owner of a locked name gets a link by mail that ends this lock, and no lock of a stranger."""

import re
from datetime import timedelta

import pytest
import time_machine
from axes.models import AccessAttempt
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from catalog.tables.actions.accounts import program_account
from compliance.notices.tasks import send
from compliance.signin.models import LockMail
from compliance.signin.tasks import mail_the_locked
from tests.compliance.signin.test_lock_out import gets_in, guess
from tests.support.desk.signing_in import LOGIN, Browser, staff, where

pytestmark = [pytest.mark.usefixtures("fresh_desk", "clock", "quick_passwords"), pytest.mark.django_db]

LINK = re.compile(r"https://battery\.example(/admin/unlock/\?link=\S+)")


@pytest.fixture(autouse=True)
def _site(settings: Settings) -> None:
    settings.SITE_URL = "https://battery.example"


def mailed() -> list[str]:
    """Return the mails that the jobs send now."""
    mail.outbox.clear()
    mail_the_locked()
    send()
    return [f"{message.to[0]}: {message.subject}\n{message.body}" for message in mail.outbox]


def link_in(letter: str) -> str:
    found = LINK.search(letter)
    assert found is not None
    return found[1]


def test_the_owner_of_a_locked_name_unlocks_it_by_a_link_and_a_button() -> None:
    staff(email="editor@desk.example")
    browser = Browser()
    guess(browser)
    (letter,) = mailed()
    assert letter.startswith("editor@desk.example: Your name editor is locked")
    path = link_in(letter)

    page = browser.page(path)
    assert "<strong>editor</strong>" in page
    # Mail programs open links: nothing has happened yet.
    assert not gets_in(browser)
    assert browser.client.post(path).status_code == 403
    assert where(browser.submit(path)) == LOGIN
    assert "You can sign in again." in browser.page(LOGIN)
    assert gets_in(browser)


def test_a_link_that_was_used_says_that_the_lock_is_over() -> None:
    staff(email="editor@desk.example")
    browser = Browser()
    guess(browser)
    path = link_in(mailed()[0])
    assert "End the lock" in browser.page(path)
    browser.submit(path)
    opened_again = browser.page(path)
    assert "is not locked for" in opened_again
    assert "End the lock" not in opened_again
    # Once it is locked again, the link works again.
    guess(browser)
    assert "End the lock" in browser.page(path)


def test_it_ends_the_lock_for_its_address_and_no_other() -> None:
    staff(email="editor@desk.example")
    owner, stranger = Browser(), Browser()
    guess(owner)
    (letter,) = mailed()
    guess(stranger)
    owner.submit(link_in(letter))
    assert not gets_in(stranger)
    assert gets_in(owner)


def test_a_strangers_tries_never_lock_the_owner() -> None:
    staff(email="editor@desk.example")
    owner, strangers = Browser(), [Browser() for _ in range(4)]
    for stranger in strangers:
        assert guess(stranger)[-1] == 429
        assert gets_in(owner)
        owner.client.logout()


def test_a_mailbox_is_not_filled_by_strangers(clock: time_machine.Traveller) -> None:
    staff(email="editor@desk.example")
    browser = Browser()
    guess(browser)
    assert len(mailed()) == 1
    assert mailed() == []
    clock.shift(timedelta(minutes=16))
    guess(browser)
    assert mailed() == []
    for _ in range(7):
        guess(Browser())
    assert len(mailed()) == 4
    clock.shift(timedelta(minutes=61))
    guess(browser)
    assert len(mailed()) == 1
    assert LockMail.objects.count() == 1


@pytest.mark.parametrize("traits", [{"is_active": False}, {"is_staff": False}, {"email": ""}], ids=str)
def test_whoever_cannot_sign_in_or_has_no_address_gets_no_mail(traits: dict[str, object]) -> None:
    user = staff("colleague")
    for name, value in {"email": "colleague@desk.example", **traits}.items():
        setattr(user, name, value)
    user.save()
    program_account("emergency")
    for name in ("colleague", "emergency", "nobody"):
        guess(Browser(), username=name)
    mail.outbox.clear()
    assert mail_the_locked() == 0


def test_a_request_to_sign_in_does_the_same_whether_there_is_someone_to_mail() -> None:
    staff(email="editor@desk.example")
    counts = []
    for name in ("editor", "nobody"):
        browser = Browser()
        guess(browser, 4, name)
        with CaptureQueriesContext(connection) as queries:
            assert guess(browser, 1, name) == [429]
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert mail.outbox == []


@pytest.mark.parametrize("link", ["", "x", "W10:1:x", "%00", "²"])
def test_what_is_no_link_of_ours_ends_nothing(link: str) -> None:
    staff(email="editor@desk.example")
    browser = Browser()
    guess(browser)
    answer = browser.get(f"/admin/unlock/?link={link}")
    assert answer.status_code in {400, 404}
    assert AccessAttempt.objects.exists()


def test_an_old_link_and_one_of_a_closed_account_end_nothing(clock: time_machine.Traveller) -> None:
    user = staff(email="editor@desk.example")
    browser = Browser()
    guess(browser)
    path = link_in(mailed()[0])
    user.is_active = False
    user.save()
    assert browser.get(path).status_code == 404
    user.is_active = True
    user.save()
    clock.shift(timedelta(minutes=59))
    assert browser.get(path).status_code == 200
    clock.shift(timedelta(minutes=2))
    assert browser.get(path).status_code == 404
    assert "older than an hour" in browser.get(path).content.decode()
